#!/usr/bin/env bash
# Fetches the C libraries of the panel from Debian's source packages: fetch.sh [FOLDER]. The packages are kept in FOLDER
# (default: sources/ beside this file); what a subject is compiled from goes into the subject's folder.
# The crates are not fetched here: cargo fetches them when a subject is built for the first time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../debian-sources.sh"
debian_sources "${1:-$here/sources}" utf8proc proj libnova xxhash gsl libcdio

# unpack PACKAGE SUBJECT FILE...: puts files and folders of a package into SUBJECT/PACKAGE, under the paths that they have there.
unpack() {
    local package=$1 into=$here/subjects/$2/$1 whole
    shift 2
    whole=$(mktemp -d)
    tar -xf "$package"_*.orig.tar.* --strip-components=1 -C "$whole"
    rm -rf "$into"
    mkdir -p "$into"
    (cd "$whole" && cp -r --parents "$@" "$into")
    rm -rf "$whole"
}
unpack utf8proc nfkc-casefold utf8proc.c utf8proc_data.c utf8proc.h LICENSE.md
unpack proj geodesic-distance src/geodesic.c src/geodesic.h COPYING
unpack libnova refraction src/refraction.c src/utility.c src/libnova COPYING
unpack xxhash xxh32 xxhash.c xxhash.h LICENSE
unpack gsl quantile statistics templates_on.h templates_off.h COPYING
unpack libcdio cd-time lib/driver include COPYING
# The GSL's own build links all headers into one folder, and writes config.h, of which this code uses nothing.
gsl=$here/subjects/quantile/gsl
mkdir -p "$gsl/include/gsl"
cp "$gsl"/statistics/gsl_*.h "$gsl/include/gsl"
touch "$gsl/include/config.h"
