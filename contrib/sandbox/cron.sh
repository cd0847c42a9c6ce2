#!/bin/sh
# cron.sh CRONTAB: plays cron for the sandbox. Runs the jobs of the crontab, all of them at once at its
# start and from then on each minute those that are due. As with cron, each line runs in /bin/sh with
# the crontab's variables; a variable that is in the environment already keeps that value, so that the
# stack can point the operator's crontab at its own directories. Understood are *, */N, numbers and
# lists of numbers. Jobs end by themselves, and stay in this session, by which the stack finds them: only root can read
# their environment.
set -euf

main() {
  crontab=$1
  set_variables
  trap 'kill "$pause" 2>/dev/null; exit 0' TERM INT
  pause=
  next=$(date +%s)
  run_jobs all
  while :; do
    next=$((next + 60))
    wait_until "$next"
    run_jobs due
  done
}

set_variables() {
  while read -r line; do
    case $line in
      [A-Za-z_]*=*) set_variable "${line%%=*}" "${line#*=}" ;;
    esac
  done <"$crontab"
}

set_variable() {
  case $1 in
    *[!A-Za-z0-9_]*) return 0 ;;
  esac
  value=${2#\"}
  value=${value%\"}
  eval "[ -n \"\${$1+set}\" ] || $1=\$value"
  eval "export $1"
}

# Sleeping in the background lets a signal through at once. A machine that slept is not made up for.
wait_until() {
  now=$(date +%s)
  [ "$1" -ge "$now" ] || next=$now
  [ "$1" -gt "$now" ] || return 0
  sleep "$(($1 - now))" &
  pause=$!
  wait "$pause" || true
}

# The time is taken apart once, so that one round does not straddle two minutes.
run_jobs() {
  time=$(date '+%M %H %d %m %w')
  while read -r minute hour day month weekday command; do
    case $minute in
      [0-9*]*) ;;
      *) continue ;;
    esac
    # shellcheck disable=SC2086 # five words
    [ "$1" = all ] || is_due $time || continue
    /bin/sh -c "$command" </dev/null &
  done <"$crontab"
}

is_due() {
  matches "$minute" "$1" && matches "$hour" "$2" && matches "$day" "$3" && matches "$month" "$4" &&
    matches "$weekday" "$5"
}

# matches FIELD NUMBER; numbers from date have a leading zero.
matches() {
  number=${2#0}
  case $1 in
    '*') return 0 ;;
    '*/'*) [ "$((number % ${1#??}))" -eq 0 ] ;;
    *) case ",$1," in
      *",$number,"* | *",$2,"*) return 0 ;;
      *) return 1 ;;
    esac ;;
  esac
}

main "$@"
