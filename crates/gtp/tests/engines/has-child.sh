# Starts a program of its own that would live on.
. "$(dirname -- "$0")/common.sh"
sleep 1000 &
serve
