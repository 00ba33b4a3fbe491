# Says something before it is asked, as for people.
. "$(dirname -- "$0")/common.sh"
echo 'Welcome to the engine!'
serve
