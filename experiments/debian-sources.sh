# For scripts that source it: fetches source packages of Debian into a folder, which becomes the working folder: debian_sources FOLDER PACKAGE…
# The lists of packages are FOLDER's own: those of the machine stay as they are.
debian_sources() {
    target=$(realpath -m "$1")
    shift
    mkdir -p "$target/lists/partial"
    cd "$target"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" > sources.list
    apt() {
        apt-get -o Dir::Etc::SourceList="$target/sources.list" -o Dir::Etc::SourceParts=/dev/null \
            -o Dir::State::Lists="$target/lists" -o APT::Sandbox::User=root "$@"
    }
    apt update
    # The original archive is what is needed. Packaging beside it may be missing on a mirror.
    apt source --download-only "$@" || true
}
