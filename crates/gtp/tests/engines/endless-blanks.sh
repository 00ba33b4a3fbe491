# Prints empty lines for ever.
. "$(dirname -- "$0")/common.sh"
genmove() { while :; do printf '\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n'; done; }
serve
