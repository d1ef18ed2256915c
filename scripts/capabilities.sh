#!/usr/bin/env bash
# Says which tests are skipped on this machine, and what it lacks for them: a test that is skipped passes, and the summary of the
# tests does not show what it printed. With DODONA_NO_SKIPS=1 such a test fails.
set -uo pipefail

skipped() { # skipped WHY TEST...
    local why=$1 test
    shift
    for test in "$@"; do echo "skipped: $test: $why"; done
}

may_mount() {
    local folder ok=1
    folder=$(mktemp -d)
    if mount -t tmpfs -o size=64k tmpfs "$folder" 2>/dev/null; then
        umount "$folder" && ok=0
    fi
    rmdir "$folder"
    return $ok
}

is_bound_by_permissions() {
    local folder ok=1
    folder=$(mktemp -d)
    chmod 555 "$folder"
    { true >"$folder/file"; } 2>/dev/null || ok=0
    rm -rf "$folder"
    return $ok
}

may_mount || skipped "mounting a file system is not permitted" \
    a_violation_that_cannot_be_kept_in_a_read_only_folder_is_still_reported \
    a_full_disk_leaves_nothing_half_written \
    a_read_only_folder_is_named_with_what_to_do

is_bound_by_permissions || skipped "no permission binds this user (root)" \
    a_violation_that_cannot_be_kept_in_a_folder_without_permission_is_still_reported

if ! command -v bitwuzla >/dev/null && ! "${XDG_CACHE_HOME:-$HOME/.cache}/dodona/solver/bin/python" -c 'import bitwuzla' 2>/dev/null; then
    skipped "bitwuzla is not installed" "each_solver_that_is_installed_finds_every_path, of bitwuzla"
fi
for solver in z3 cvc5; do
    command -v "$solver" >/dev/null ||
        skipped "$solver is not installed" "each_solver_that_is_installed_finds_every_path, of $solver"
done
if ! command -v javac >/dev/null; then
    skipped "a JDK is not installed" methods_of_java_are_called_where_a_jdk_is_installed words_agree_in_java
fi
if ! command -v javac >/dev/null || [ ! -e /usr/share/java/junit-jupiter-engine.jar ] || [ ! -e /usr/share/java/junit-platform-console.jar ]; then
    skipped "a JDK and JUnit 5 are not installed (Debian: default-jdk-headless, junit5)" \
        java_tests_pass_values_in_every_way \
        java_tests_fail_on_a_fault_with_its_inputs \
        java_tests_call_the_methods_that_a_manifest_names \
        java_tests_judge_as_the_language_says \
        a_java_test_of_any_relation_alone_compiles_without_a_warning \
        what_is_not_connected_says_so
fi
for tool in cosmic_ray mutmut; do
    "${XDG_CACHE_HOME:-$HOME/.cache}/dodona/mutators/bin/python" -c "import $tool" 2>/dev/null ||
        skipped "$tool is not installed" "mutants_that_tools_make_are_scored, of $tool"
done
services="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/services"
"$services/bin/python" -c 'import fastapi, uvicorn' 2>/dev/null ||
    skipped "FastAPI is not installed" a_service_is_drafted_from_its_document_and_its_faults_are_found
[ -e "$services/node_modules/.bin/json-server" ] && command -v node >/dev/null ||
    skipped "json-server is not installed" json_server_is_drafted_from_a_document_and_its_faults_are_found
command -v node >/dev/null || skipped "node is not installed" functions_of_node_are_called_where_node_is_installed
for tool in zig asc go; do
    PATH=$PATH:${XDG_CACHE_HOME:-$HOME/.cache}/dodona/languages/bin command -v $tool >/dev/null ||
        skipped "$tool is not installed (scripts/setup.sh languages)" "languages, of $tool"
done
[ -e "$("${CLANG:-clang}" --target=wasm32-wasi -print-file-name=libc++.a 2>/dev/null)" ] ||
    skipped "C++ has no standard library for WebAssembly here" "c_signatures, of C++" cxx_has_its_library_and_what_stands_for_exceptions
exit 0
