#!/usr/bin/env bash
# Libraries in C and C++ as Debian has their sources: from the source tree to a verdict by `dodona init --c` and `dodona check`, with the seconds of both, and what stood in the way.
#     experiments/c-libraries/run.sh DODONA FOLDER [LIBRARY...]
# Sources are fetched into FOLDER by apt-get source, which needs deb-src in the lists of apt. Nothing of them is changed but for files of settings that their own build would make: each is made below.
set -uo pipefail
dodona=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
folder=$2
shift 2
mkdir -p "$folder" && cd "$folder" || exit
wanted=("$@")

. "$here/fetch.sh"

library() { # library NAME PACKAGE ARGUMENTS... : in the folder of the package
    local name=$1 package=$2 tree begun made checked
    shift 2
    if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then return; fi
    tree=$(fetch "$package") || { echo "| $name | | | | its source is not there |"; return; }
    cd "$tree" || return
    "prepare_$name" 2>/dev/null
    rm -rf "dodona-$name"
    begun=$(date +%s.%N)
    eval "set -- $*"
    timeout 300 "$dodona" init --c "$@" --into "dodona-$name" >"../$name.init" 2>&1
    made=$(date +%s.%N)
    timeout 300 "$dodona" check "dodona-$name" >"../$name.check" 2>&1
    checked=$(date +%s.%N)
    printf '| %s | %s | %.1f | %.1f | %s |\n' "$name" "$(grep -m 1 -o '[0-9]* functions* can be called, [0-9]* cannot' "../$name.init")" \
        "$(echo "$made - $begun" | bc)" "$(echo "$checked - $made" | bc)" "$(tail -n 1 "../$name.check")"
    cd "$OLDPWD" || exit
}

# What the libraries' own builds would write.
prepare_cjson() { :; }
prepare_utf8proc() { :; }
prepare_zlib() { :; }
prepare_lz4() { :; }
prepare_xxhash() { :; }
prepare_bzip2() { :; }
prepare_libcsv() { :; }
prepare_double_conversion() { :; }
prepare_gsl() {
    local header
    for header in */gsl_*.h gsl_*.h; do
        case $header in gsl/*) ;; *) ln -sf "../$header" gsl/ ;; esac
    done
    printf "#define HAVE_EXTENDED_PRECISION_REGISTERS 0\n#define HAVE_IEEE_COMPARISONS 1\n" >config.h
}
prepare_cmark() {
    printf '#define CMARK_VERSION 0\n#define CMARK_VERSION_STRING "0"\n' >src/cmark_version.h
    printf '#define CMARK_EXPORT\n#define CMARK_NO_EXPORT\n' >src/cmark_export.h
    printf '#define HAVE_STDBOOL_H\n#include <stdbool.h>\n#define HAVE___ATTRIBUTE__\n#define CMARK_ATTRIBUTE(list) __attribute__ (list)\n#define CMARK_INLINE inline\n' >src/config.h
}
prepare_snappy() {
    sed 's/\${[A-Z_0-9]*_01}/0/; s/\${PROJECT_VERSION_[A-Z]*}/0/' snappy-stubs-public.h.in >snappy-stubs-public.h
}
prepare_geographiclib() {
    printf '#define GEOGRAPHICLIB_VERSION_STRING "2.1.2"\n#define GEOGRAPHICLIB_VERSION_MAJOR 2\n#define GEOGRAPHICLIB_VERSION_MINOR 1\n#define GEOGRAPHICLIB_VERSION_PATCH 2\n#define GEOGRAPHICLIB_DATA "/"\n#define GEOGRAPHICLIB_HAVE_LONG_DOUBLE 0\n#define GEOGRAPHICLIB_WORDS_BIGENDIAN 0\n#define GEOGRAPHICLIB_PRECISION 2\n#define GEOGRAPHICLIB_SHARED_LIB 0\n' \
        >include/GeographicLib/Config.h
}

echo '| library | functions | init, s | check, s | verdict |'
echo '| --- | --- | --- | --- | --- |'
library cjson cjson cJSON.h cJSON.c
library utf8proc utf8proc utf8proc.h utf8proc.c -D UTF8PROC_STATIC
library zlib zlib zlib.h adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c
library bzip2 bzip2 bzlib.h bzlib.c blocksort.c compress.c crctable.c decompress.c huffman.c randtable.c
library lz4 lz4 lib/lz4.h lib/lz4.c
library xxhash xxhash xxhash.h xxhash.c
library gsl gsl statistics/gsl_statistics_double.h specfunc/gsl_sf_gamma.h specfunc/gsl_sf_erf.h specfunc/gsl_sf_bessel.h poly/gsl_poly.h "statistics/*.c specfunc/*.c poly/*.c err/*.c sys/*.c" \
    "complex/math.c" -I . --exclude "'test*'" --functions gsl_stats_mean,gsl_stats_variance,gsl_stats_median,gsl_sf_gamma,gsl_sf_gamma_e,gsl_sf_lnbeta,gsl_sf_erf,gsl_sf_bessel_J0,gsl_sf_bessel_J0_e,gsl_poly_solve_quadratic
library cmark cmark src/cmark.h "src/*.c" -I src --exclude main.c --functions cmark_markdown_to_html
library snappy snappy snappy.h snappy.cc snappy-sinksource.cc snappy-stubs-internal.cc -I .
library geographiclib geographiclib include/GeographicLib/DMS.hpp include/GeographicLib/Geohash.hpp include/GeographicLib/Geodesic.hpp src/DMS.cpp src/Geohash.cpp src/Geodesic.cpp src/GeodesicLine.cpp \
    src/Math.cpp src/Utility.cpp -I include
library double_conversion double-conversion double-conversion/double-to-string.h double-conversion/string-to-double.h "double-conversion/*.cc" -I .
library libcsv libcsv csv.h libcsv.c
