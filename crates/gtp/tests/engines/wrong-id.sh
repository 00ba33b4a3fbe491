# Counts wrong at moves.
. "$(dirname -- "$0")/common.sh"
genmove() { id=$((id + 1)) && succeed E5; }
serve
