# shellcheck shell=sh
# progress WORD...: says where this is, to tests/progress.mjs if that runs it.
progress() {
  [ -z "${PROGRESS:-}" ] || echo "$*" >>"$PROGRESS"
}
