# A small engine that does everything right, for the scripts beside it: each
# reads this file, defines anew what it does otherwise, and calls `serve`.
#
# The first argument, if there is one, is a file for the number of the process.

if [ -n "${1-}" ]; then
    echo $$ >"$1"
fi

engine=${0##*/}
genmoves=0
# What an engine knows beside the usual, and answers in `other`.
more=

# In all of these, $id is that of the command that is answered.
succeed() { printf '=%s %s\n\n' "$id" "$1"; }
fail() { printf '?%s %s\n\n' "$id" "$1"; }

genmove() { succeed pass; }
play() { succeed ''; }
other() { fail 'unknown command'; }

serve() {
    while read -r id command arguments; do
        case $command in
        protocol_version) succeed 2 ;;
        name) succeed "${engine%.sh}" ;;
        version) succeed 1.0 ;;
        list_commands) succeed "$(printf '%s\n' protocol_version name version known_command list_commands \
            boardsize clear_board komi play genmove quit $more)" ;;
        known_command) succeed true ;;
        boardsize | clear_board | komi) succeed '' ;;
        play) play ;;
        genmove) genmoves=$((genmoves + 1)) && genmove ;;
        quit) succeed '' && exit 0 ;;
        *) other ;;
        esac
    done
}
