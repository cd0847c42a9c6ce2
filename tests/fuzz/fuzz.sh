#!/bin/sh
# fuzz.sh SECONDS [TARGET...]: coverage-guided fuzzing with libFuzzer, each target for that long. What it finds on the
# way is kept under var/fuzz, not in the tree; a crash names the input. The last line is "N passed, N failed".
# shellcheck disable=SC2016,SC2046,SC2086 # $flags is a list; the inner shell expands for itself
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift
[ $# -gt 0 ] || set -- $(printf '%s\n' tests/fuzz/fuzz_*.c | sed 's#.*/fuzz_\(.*\)\.c#\1#')
out=var/fuzz
. tests/progress.sh
mkdir -p "$out/obj"

flags="-std=c11 -D_GNU_SOURCE -include base/banned.h -Ilib -I. -g -O1 -fsanitize=fuzzer-no-link,address,undefined
  -fno-sanitize-recover=undefined $(pkg-config --cflags libmariadb jansson libcurl)"
libs="$(pkg-config --libs libmariadb) -ljansson -lcurl -lsodium -lsecp256k1 -lm"

build_library() {
  find lib -name '*.c' ! -name 'test_*.c' | while read -r source; do
    object=$out/obj/$(echo "$source" | tr / _).o
    echo "$source $object"
  done | xargs -r -P "$(nproc)" -L 1 sh -c 'clang '"$(echo "$flags" | tr '\n' ' ')"' -c -o "$1" "$0"'
  rm -f "$out/lib.a"
  ar rcs "$out/lib.a" "$out"/obj/*.o
}

fuzz() {
  mkdir -p "$out/corpus/$1"
  clang $flags -fsanitize=fuzzer -o "$out/$1" "tests/fuzz/fuzz_$1.c" "$out/lib.a" $libs || return 1
  echo "fuzzing $1 for $seconds s"
  "$out/$1" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$out/$1-" "$out/corpus/$1" \
    "tests/fuzz/corpus/$1" >"$out/$1.log" 2>&1 || {
    echo "FAILED $1"
    tail -n 40 "$out/$1.log"
    return 1
  }
  grep -E 'stat::(number_of_executed_units|peak_rss_mb)' "$out/$1.log"
}

progress begin library
build_library
progress end library
progress of targets $#
passed=0
failed=0
for target; do
  if fuzz "$target"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  progress did targets
done
progress over
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
