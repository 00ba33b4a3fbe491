# Passes, and is gone when it is asked for the score.
. "$(dirname -- "$0")/common.sh"
more=final_score
other() { exit 3; }
serve
