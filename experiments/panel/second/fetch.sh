#!/usr/bin/env bash
# Fetches the C libraries of the second panel from Debian's source packages: fetch.sh [FOLDER]. The packages are kept in FOLDER
# (default: sources/ beside this file); what a subject is compiled from goes into the subject's folder.
# The crates are not fetched here: cargo fetches them when a subject is built for the first time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../debian-sources.sh"
debian_sources "${1:-$here/sources}" erfa lcms2 rpm libbsd zlib gsl

# unpack PACKAGE SUBJECT FILE...: puts files and folders of a package into SUBJECT/PACKAGE, under the paths that they have there.
unpack() {
    local package=$1 into=$here/subjects/$2/$1 whole archive
    shift 2
    whole=$(mktemp -d)
    for archive in "$package"_*.orig.tar.*; do
        case $archive in
            *.asc) ;; # a signature
            *) tar -xf "$archive" --strip-components=1 -C "$whole" ;;
        esac
    done
    rm -rf "$into"
    mkdir -p "$into"
    (cd "$whole" && cp -r --parents "$@" "$into")
    rm -rf "$whole"
}
unpack erfa earth-rotation src/era00.c src/anp.c src/erfa.h src/erfam.h LICENSE
unpack lcms2 colour-difference src/cmspcs.c src/lcms2_internal.h include COPYING
unpack rpm rpm-version rpmio/rpmvercmp.c include/rpm/rpmstring.h include/rpm/rpmutil.h COPYING
unpack libbsd humanize-number src/humanize_number.c include/bsd/libutil.h COPYING
unpack zlib crc32 crc32.c crc32.h zutil.h gzguts.h zlib.h zconf.h README
unpack gsl lambert-w specfunc err sys gsl_inline.h gsl_machine.h gsl_math.h gsl_mode.h gsl_nan.h gsl_pow_int.h gsl_minmax.h gsl_precision.h gsl_types.h COPYING
# The GSL's own build links all headers into one folder, and writes config.h, of which this code uses nothing.
gsl=$here/subjects/lambert-w/gsl
mkdir -p "$gsl/include/gsl"
cp "$gsl"/gsl_*.h "$gsl"/specfunc/gsl_*.h "$gsl"/err/gsl_*.h "$gsl"/sys/gsl_*.h "$gsl/include/gsl"
touch "$gsl/include/config.h"
