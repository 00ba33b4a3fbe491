# Plays two moves, and is killed at the third.
. "$(dirname -- "$0")/common.sh"
genmove() {
    if [ "$genmoves" -ge 3 ]; then
        echo 'the third is too much' >&2
        kill -s SEGV $$
    fi
    succeed "A$genmoves"
}
serve
