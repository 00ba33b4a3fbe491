# Ends its lines as some systems do, and adds other characters that mean nothing.
. "$(dirname -- "$0")/common.sh"
succeed() { printf '\r\n=%s %s\001\r\n\r\n' "$id" "$1"; }
genmove() { succeed "$(printf '\tE5\t')"; }
serve
