# Gives every game up, in capitals.
. "$(dirname -- "$0")/common.sh"
genmove() { succeed RESIGN; }
serve
