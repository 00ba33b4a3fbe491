# Answers a move in bytes that are no text.
. "$(dirname -- "$0")/common.sh"
genmove() { printf '=%s \377\376\n\n' "$id"; }
serve
