# Has komi, but not every one.
. "$(dirname -- "$0")/common.sh"
serve() {
    while read -r id command arguments; do
        case "$command $arguments" in
        list_commands*) fail 'unknown command' ;;
        'known_command komi') succeed true ;;
        known_command*) succeed false ;;
        'komi '??*.*) fail 'komi is too much' ;;
        *) succeed '' ;;
        esac
    done
}
serve
