#!/usr/bin/env bash
# Relations that users of five libraries believe in, on the libraries as Debian has their sources.
#     experiments/c-libraries/known/run.sh DODONA FOLDER [LIBRARY...]
# Sources are fetched into FOLDER by apt-get source, which needs deb-src in the lists of apt, and are never changed. Manifests and relations are copied to FOLDER/known/LIBRARY, beside a link to the
# source, with the files of settings that the library's own build would make. SOURCES is how many source inputs a relation gets (1000).
set -uo pipefail
dodona=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
folder=$2
shift 2
mkdir -p "$folder" && cd "$folder" || exit
wanted=("$@")

. "$here/../fetch.sh"

library() { # library NAME PACKAGE
    local name=$1 package=$2 tree begun ended
    if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then return; fi
    tree=$(fetch "$package") || { echo "$name: the source of $package is not there"; return; }
    mkdir -p "known/$name"
    cp "$here/$name"/* "known/$name/"
    ln -sfn "../../$(basename "$tree")" "known/$name/source"
    (cd "known/$name" && "prepare_$name") || return
    begun=$(date +%s.%N)
    "$dodona" check "known/$name" --keep nothing --all --sources "${SOURCES:-1000}" >"known/$name.check" 2>"known/$name.messages"
    ended=$(date +%s.%N)
    grep -E '^error|^help' "known/$name.messages"
    awk '/^  (holds|VIOLATED|untested) / { print; goes_on = 1; next } goes_on && /^ {20}/ { print; next } { goes_on = 0 } /^[0-9]+ relations/' "known/$name.check"
    printf '%s: %.1f s, of the build too where it was made; counterexamples are in %s\n\n' "$name" "$(echo "$ended - $begun" | bc)" "$folder/known/$name.check"
}

# What the libraries' own builds would write.
prepare_cjson() { :; }
prepare_date() { :; }
prepare_zlib() { :; }
prepare_geographiclib() {
    mkdir -p headers/GeographicLib
    cat >headers/GeographicLib/Config.h <<'END'
#define GEOGRAPHICLIB_VERSION_STRING "2.1.2"
#define GEOGRAPHICLIB_VERSION_MAJOR 2
#define GEOGRAPHICLIB_VERSION_MINOR 1
#define GEOGRAPHICLIB_VERSION_PATCH 2
#define GEOGRAPHICLIB_DATA "/"
#define GEOGRAPHICLIB_HAVE_LONG_DOUBLE 0
#define GEOGRAPHICLIB_WORDS_BIGENDIAN 0
#define GEOGRAPHICLIB_PRECISION 2
#define GEOGRAPHICLIB_SHARED_LIB 0
END
}
prepare_gsl() {
    local header
    mkdir -p headers/gsl
    for header in source/*/gsl_*.h source/gsl_*.h; do
        case $header in source/gsl/*) ;; *) ln -sf "../../$header" headers/gsl/ ;; esac
    done
    {
        echo '#define HAVE_EXTENDED_PRECISION_REGISTERS 0'
        echo '#define GSL_COERCE_DBL(x) (x)'
        printf '#define %s 1\n' HAVE_IEEE_COMPARISONS HAVE_DECL_{ISNAN,ISINF,FINITE,ISFINITE,HYPOT,EXPM1,LOG1P,ACOSH,ASINH,ATANH,LDEXP,FREXP}
    } >headers/config.h
}

library cjson cjson
library date howardhinnant-date
library geographiclib geographiclib
library zlib zlib
library gsl gsl
