# Plays by the clock: without one it does not move. Says what it heard of it when it is asked.
. "$(dirname -- "$0")/common.sh"
more='time_settings time_left'
heard=
other() {
    case $command in
    said) succeed "$heard" ;;
    *) heard="$heard$command $arguments; " && succeed '' ;;
    esac
}
genmove() {
    case $heard in
    *time_settings*time_left*) succeed pass ;;
    *) fail 'what time is it?' ;;
    esac
}
serve
