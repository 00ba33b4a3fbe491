# Hears of clocks as KGS tells them, and says what it heard when it is asked.
. "$(dirname -- "$0")/common.sh"
more='time_settings kgs-time_settings time_left'
heard=
other() {
    case $command in
    said) succeed "$heard" ;;
    *) heard="$heard$command $arguments; " && succeed '' ;;
    esac
}
serve
