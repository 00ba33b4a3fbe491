# Does not repeat ids at moves.
. "$(dirname -- "$0")/common.sh"
genmove() { id='' && succeed E5; }
serve
