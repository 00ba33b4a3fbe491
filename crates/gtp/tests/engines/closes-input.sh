# Closes its input after the first move, and lives on with its output open.
. "$(dirname -- "$0")/common.sh"
genmove() {
    exec <&-
    succeed E5
    sleep 1000
}
serve
