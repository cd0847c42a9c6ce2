# stack-proc.sh: starting, finding and ending the stack's processes. Read by the script `stack`.
#
# Every process of a stack has MARK=<its var directory> in its environment, which children inherit,
# and lives in a session of its own, apart from the terminal. Both together find every process of
# the stack: orphans of a killed parent by the mark, processes whose environment is not readable
# (another user's, or not dumpable) by their session. Nothing is ever ended by name alone.
# shellcheck shell=sh disable=SC2154

MARK=AGENT_GATEWAY_STACK
seen=

# launch NAME COMMAND...: starts a program that outlives this script; log and pid file carry the name.
launch() {
  name=$1
  shift
  [ ! -s "$LOG/$name.log" ] || mv "$LOG/$name.log" "$LOG/$name.log.old"
  env "$MARK=$VAR" setsid "$@" </dev/null >>"$LOG/$name.log" 2>&1 9>&- &
  boot
  start_of $!
  echo "$! $start_now $boot_now" >"$RUN/$name.pid"
}

# In `boot_now`.
boot() {
  read -r boot_now </proc/sys/kernel/random/boot_id
}

# What the kernel says of a process, from its state on, in `stat`; nothing where there is none.
stat_of() {
  stat=
  read -r stat <"/proc/$1/stat" || true
  stat=${stat##*) }
} 2>/dev/null

# Start time of a process, in `start_now`: with it, a pid is never mistaken for a later process of the same number.
start_of() {
  stat_of "$1"
  # shellcheck disable=SC2086 # fields
  set -- $stat
  start_now=${20:-}
}

gone() {
  stat_of "$1"
  case $stat in
    '' | Z* | X*) return 0 ;;
  esac
  return 1
}

# Whether the program that launch started under this name still runs.
alive() {
  [ -s "$RUN/$1.pid" ] || return 1
  read -r pid start _ <"$RUN/$1.pid"
  start_of "$pid"
  [ "$start_now" = "$start" ] && ! gone "$pid"
}

# Whether anything that launch started still runs.
is_up() {
  for file in "$RUN"/*.pid; do
    file=${file##*/}
    ! alive "${file%.pid}" || return 0
  done
  return 1
}

# Sessions of launched programs, also where the first process is gone. A number that now belongs to a
# later process is dropped.
sessions() {
  boot
  for file in "$RUN"/*.pid; do
    [ -s "$file" ] || continue
    read -r pid start boot_id <"$file" || true
    [ "$boot_id" = "$boot_now" ] || continue
    start_of "$pid"
    [ -n "$start_now" ] && [ "$start_now" != "$start" ] || echo "$pid"
  done
}

# All processes of this stack: `pid parent session name`. Of `seen`, where what is told has to be of one moment.
members() {
  if [ -n "${seen:-}" ]; then
    echo "$seen"
  else
    look_for_members
  fi
}

look_for_members() {
  marked=$(grep -lsxzF "$MARK=$VAR" /proc/[0-9]*/environ | tr -dc '0-9\n' | tr '\n' ' ') || true
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v marked="$marked" -v sessions="$(sessions | tr '\n' ' ')" '
    BEGIN {
      for (i = split(marked, list); i > 0; i--) is_marked[list[i]] = leads[list[i]] = 1
      for (i = split(sessions, list); i > 0; i--) leads[list[i]] = 1
    }
    {
      name = rest = $0
      sub(/^[0-9]+ \(/, "", name)
      sub(/\) [A-Za-z] [0-9-]+ .*/, "", name)
      sub(/.*\) /, "", rest)
      split(rest, field, " ")
      if (field[1] ~ /[ZX]/ || !(($1 in is_marked) || (field[4] in leads))) next
      gsub(/ /, "_", name)
      print $1, field[2], field[4], name
    }' | sort -n
}

# Pids of the members with one of these names.
named() {
  members | awk -v names=" $* " 'index(names, " " $4 " ") { print $1 }'
}

# Of those, the ones whose parent has another name: a pool's parent, or the orphans of one.
roots() {
  members | awk -v names=" $* " '
    index(names, " " $4 " ") { parent[$1] = $2; name[$1] = $4 }
    END { for (pid in parent) if (name[parent[pid]] != name[pid]) print pid }'
}

# end_named SECONDS NAME...: asks the members of these names to end, and makes them after that time.
end_named() {
  grace=$1
  shift
  targets=$(roots "$@")
  [ -n "$targets" ] || return 0
  # shellcheck disable=SC2086 # a list of pids
  kill -TERM $targets 2>/dev/null || true
  # shellcheck disable=SC2046
  wait_gone "$grace" $(named "$@") || end_now $(named "$@")
}

end_now() {
  [ $# -gt 0 ] || return 0
  kill -KILL "$@" 2>/dev/null || true
  wait_gone 5 "$@"
}

wait_gone() {
  tries=$(($1 * 20))
  shift
  for pid in "$@"; do
    until gone "$pid"; do
      [ "$tries" -gt 0 ] || return 1
      tries=$((tries - 1))
      sleep 0.05
    done
  done
}

# try SECONDS COMMAND...: repeats the command until it succeeds.
try() {
  left=$(($1 * 20))
  shift
  until "$@"; do
    [ "$left" -gt 0 ] || return 1
    left=$((left - 1))
    sleep 0.05
  done
}
