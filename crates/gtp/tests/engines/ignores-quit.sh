# Answers quit, and stays.
. "$(dirname -- "$0")/common.sh"
trap '' TERM INT HUP
serve() {
    while :; do
        if read -r id command; then succeed "$command"; else sleep 1; fi
    done
}
serve
