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
command -v javac >/dev/null || skipped "a JDK is not installed" methods_of_java_are_called_where_a_jdk_is_installed
command -v node >/dev/null || skipped "node is not installed" functions_of_node_are_called_where_node_is_installed
exit 0
