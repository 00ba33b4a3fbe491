# A game without komi, as Hex is, and a list of commands that says so.
. "$(dirname -- "$0")/common.sh"
serve() {
    while read -r id command arguments; do
        case $command in
        list_commands) succeed "$(printf 'boardsize\nclear_board')" ;;
        boardsize | clear_board) succeed '' ;;
        *) fail 'unknown command' ;;
        esac
    done
}
serve
