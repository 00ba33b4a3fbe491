# Passes, and has one opinion of every score.
. "$(dirname -- "$0")/common.sh"
more=final_score
other() { succeed W+3.5; }
serve
