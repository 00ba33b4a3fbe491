# Ends before it has answered anything.
. "$(dirname -- "$0")/common.sh"
echo 'cannot open the weights' >&2
exit 3
