# Begins an answer that never ends.
. "$(dirname -- "$0")/common.sh"
genmove() { printf '=%s ' "$id" && while :; do printf '%01000d' 0; done; }
serve
