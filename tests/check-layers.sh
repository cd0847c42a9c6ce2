#!/bin/sh
# check-layers.sh LAYERS [ROOT]: compares every #include "folder/file.h" below lib, fcgi and jobs with the
# allowed directions. A subfolder that has a line of its own (exec/evm) is a folder of its own. Prints what
# does not fit, one line each, and fails if there is any.
set -eu

layers=$1
cd "${2:-.}"

# Includes with their places, then folders: both as `includes FILE:LINE WANTED` and `exists FOLDER`.
facts() {
  grep -rnoE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]+"' lib fcgi jobs |
    sed -E 's/^([^:]+:[0-9]+):.*"([^"]+)"$/includes \1 \2/'
  find lib -mindepth 1 -maxdepth 1 -type d | sed 's/^lib\//exists /'
}

facts | awk -v layers="$layers" '
  BEGIN {
    while ((status = (getline line < layers)) > 0) {
      if (line ~ /^#/ || line !~ /->/) continue
      n = split(line, word, /[ \t]+/)
      known[word[1]] = 1
      for (i = 3; i <= n; i++) allowed[word[1], word[i]] = 1
    }
    if (status < 0) { print layers " cannot be read"; exit bad = 1 }
  }
  function report(text) { print text; bad = 1 }
  # The folder of a file that counts: the deepest one with a line of its own.
  function folder(path) {
    while (sub(/\/[^\/]*$/, "", path))
      if (path in known) return path
    return path
  }
  $1 == "exists" && !($2 in known) { report("lib/" $2 ": the folder is not in " layers) }
  $1 == "includes" {
    path = $2
    sub(/:.*/, "", path)
    sub(/^lib\//, "", path)
    if ($3 !~ /\//) next
    from = folder(path)
    to = folder($3)
    if (to != from && !((from, to) in allowed)) report($2 ": " from " may not include " $3)
  }
  END { exit bad }'
