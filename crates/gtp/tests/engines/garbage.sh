# Answers a move in words.
. "$(dirname -- "$0")/common.sh"
genmove() { printf 'I play E5\n\n'; }
serve
