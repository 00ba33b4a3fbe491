# Reads nothing and says nothing.
. "$(dirname -- "$0")/common.sh"
sleep 1000
