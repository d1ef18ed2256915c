#!/usr/bin/env bash
# Fetches the GNU Scientific Library from Debian's source package: fetch.sh FOLDER. What its sine and cosine are compiled from goes to FOLDER/gsl.
# The library is under the GPL, so it is not in the repository.
set -euo pipefail
. "$(dirname "$0")/../debian-sources.sh"
debian_sources "$1" gsl
rm -rf whole gsl
mkdir -p whole gsl/include/gsl
tar -xf gsl_*.orig.tar.* --strip-components=1 -C whole
cp -r whole/specfunc whole/err gsl
# Its own build links all headers into one folder, and writes config.h, of which this code uses nothing.
cp whole/gsl_*.h whole/*/gsl_*.h gsl/include/gsl
touch gsl/include/config.h
rm -rf whole lists
