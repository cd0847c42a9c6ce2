# Completion of gw for bash; gw itself says what may follow the words.
_gw() {
  local word=${COMP_WORDS[COMP_CWORD]}
  mapfile -t COMPREPLY < <(compgen -W "$(gw words "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "$word")
  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}
complete -F _gw gw
