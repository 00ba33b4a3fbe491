# Answers a move with nothing, and properly so.
. "$(dirname -- "$0")/common.sh"
genmove() { succeed ''; }
serve
