# shellcheck shell=sh
# progress WORD...: says where this is, to tests/progress.mjs if that runs it, and to tests/run that this gets on.
progress() {
  [ -z "${SECTION_PULSE:-}" ] || : >"$SECTION_PULSE"
  [ -z "${GATEWAY_PROGRESS:-}" ] || echo "$*" >>"$GATEWAY_PROGRESS"
}
