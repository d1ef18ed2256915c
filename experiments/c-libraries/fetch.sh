# For the scripts here: the source of a Debian package, fetched into this folder by apt-get source if it is not there yet.
fetch() { # fetch PACKAGE : its folder
    local found
    found=$(compgen -G "$1-[0-9]*/" | head -n 1)
    if [ -z "$found" ]; then
        apt-get source --only-source -qq "$1" >"$1.log" 2>&1 || true
        found=$(compgen -G "$1-[0-9]*/" | head -n 1)
    fi
    [ -n "$found" ] && realpath "$found"
}
