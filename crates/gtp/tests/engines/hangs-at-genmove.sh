# Thinks and thinks.
. "$(dirname -- "$0")/common.sh"
genmove() { sleep 1000; }
serve
