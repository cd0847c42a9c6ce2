# shellcheck shell=sh
# progress WORD...: says where this is, to tests/progress.mjs if that runs it.
progress() {
  [ -z "${GATEWAY_PROGRESS:-}" ] || echo "$*" >>"$GATEWAY_PROGRESS"
}
