#!/usr/bin/env bash
# Fetches the sources of zlib and libb64 from Debian's source packages into the folder that is given.
set -euo pipefail
. "$(dirname "$0")/../debian-sources.sh"
debian_sources "$1" zlib libb64
mkdir -p zlib libb64
tar -xf zlib_*.orig.tar.* --strip-components=1 -C zlib
tar -xf libb64_*.orig.tar.* --strip-components=1 -C libb64
