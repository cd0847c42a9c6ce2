#!/bin/sh
# memory.sh USER: what each process of USER's gateway takes, in KB, and how much of it is locked. What several share is
# divided among them.
set -eu

for pid in $(pgrep -u "$1"); do
  case $(readlink "/proc/$pid/exe") in
    */lib/agent-gateway/*) ;;
    *) continue ;;
  esac
  awk -v name="$(cat "/proc/$pid/comm")" '{ kb[$1] = $2 }
    END { print name, kb["Pss:"], "anonymous", kb["Pss_Anon:"], "locked", kb["Locked:"] }' "/proc/$pid/smaps_rollup"
done
