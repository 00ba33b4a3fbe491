# Answers once, and never reads again.
. "$(dirname -- "$0")/common.sh"
genmove() { succeed E5 && sleep 1000; }
serve
