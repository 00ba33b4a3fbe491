# Closes its output, and lives on.
. "$(dirname -- "$0")/common.sh"
genmove() {
    echo 'closing' >&2
    exec >&-
    sleep 1000
}
serve
