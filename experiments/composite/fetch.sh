#!/usr/bin/env bash
# Fetches the GNU Scientific Library from Debian's source package: fetch.sh FOLDER. What its sine and cosine are compiled from goes to FOLDER/gsl.
# The lists of packages are FOLDER's own: those of the machine stay as they are. The library is under the GPL, so it is not in the repository.
set -euo pipefail
target=$(realpath -m "$1")
mkdir -p "$target/lists/partial"
cd "$target"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" > sources.list
apt() {
    apt-get -o Dir::Etc::SourceList="$target/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$target/lists" -o APT::Sandbox::User=root "$@"
}
apt update
# The original archive is what is needed. Packaging beside it may be missing on a mirror.
apt source --download-only gsl || true
rm -rf whole gsl
mkdir -p whole gsl/include/gsl
tar -xf gsl_*.orig.tar.* --strip-components=1 -C whole
cp -r whole/specfunc whole/err gsl
# Its own build links all headers into one folder, and writes config.h, of which this code uses nothing.
cp whole/gsl_*.h whole/*/gsl_*.h gsl/include/gsl
touch gsl/include/config.h
rm -rf whole lists
