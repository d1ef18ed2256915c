#!/usr/bin/env bash
# Fetches the sources of zlib and libb64 from Debian's source packages into the folder that is given.
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
apt source --download-only zlib libb64 || true
mkdir -p zlib libb64
tar -xf zlib_*.orig.tar.* --strip-components=1 -C zlib
tar -xf libb64_*.orig.tar.* --strip-components=1 -C libb64
