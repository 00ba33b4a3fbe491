# A good engine that always passes.
. "$(dirname -- "$0")/common.sh"
serve
