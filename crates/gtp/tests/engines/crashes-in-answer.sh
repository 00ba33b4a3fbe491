# Ends in the middle of an answer.
. "$(dirname -- "$0")/common.sh"
genmove() { printf '=%s E' "$id" && exit 0; }
serve
