#!/bin/sh
# Static analysis: gcc's own, clang-tidy and cppcheck, over everything but the tests. Any finding fails. Leaks are left to
# LeakSanitizer, and what other files initialise to the two compilers: the tools lose sight of both. The last line is "N passed, N failed".
# clang's analyzer gives a function up after STATES of its states; with DEEP=1 at its own limit, which takes five times as long.
# shellcheck disable=SC2016,SC2086,SC2317 # $flags, $budget and $sources are lists; inner shells expand for themselves
set -u
cd "$(dirname "$0")/.." || exit 1
flags="-std=c11 -D_GNU_SOURCE -include base/banned.h -Ilib -Ifcgi -I. $(pkg-config --cflags libmariadb jansson)"
STATES=10000
budget="--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=$STATES"
[ -z "${DEEP:-}" ] || budget=
sources=$(find lib fcgi jobs contrib/cli -name '*.c' ! -name 'test_*.c' | LC_ALL=C sort)
passed=0
failed=0
. tests/progress.sh
stage=${PROGRESS_STAGE:-analyze}
progress of "$stage" 3

step() {
  echo "== $1"
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  progress did "$stage"
}

# Files one after another would leave a core idle.
each() {
  printf '%s\n' $sources | xargs -P "$(nproc)" -n 4 "$@"
}

gcc_analyzer() { each sh -c 'for f; do gcc '"$flags"' -O2 -Wall -Wextra -fanalyzer -Wno-analyzer-malloc-leak -Wno-analyzer-file-leak -Wno-analyzer-null-argument -Werror -S -o /dev/null "$f" || exit 1; done' sh; }

tidy() {
  each sh -c 'clang-tidy --quiet --warnings-as-errors="*" '"$budget"' "$@" -- '"$flags"' 2>/dev/null' sh && argument_lists
}

# What clang knows of va_list belongs to the first file of a process: in the next ones it may take any function for va_start.
argument_lists() {
  grep -lw va_start $sources | xargs -P "$(nproc)" -n 1 sh -c 'clang-tidy --quiet --checks="-*,clang-analyzer-valist.*" --warnings-as-errors="*" "$@" -- '"$flags"' 2>/dev/null' sh
}

check() {
  cppcheck --quiet -j "$(nproc)" --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
    --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=uninitvar --suppress=ctuuninitvar \
    "-D_Noreturn=__attribute__((noreturn))" -Ilib -Ifcgi -I. $sources
}

step "gcc -fanalyzer" gcc_analyzer
step clang-tidy tidy
step cppcheck check
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
