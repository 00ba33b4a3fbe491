# Writes a megabyte to standard error before each move.
. "$(dirname -- "$0")/common.sh"
genmove() {
    i=0
    while [ $i -lt 1000 ]; do
        printf '%01000d\n' 0 >&2
        i=$((i + 1))
    done
    echo 'that was all' >&2
    succeed E5
}
serve
