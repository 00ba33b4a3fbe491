# Answers a move twice, so that the second is taken for the answer to what follows.
. "$(dirname -- "$0")/common.sh"
genmove() { succeed E5 && succeed E5; }
serve
