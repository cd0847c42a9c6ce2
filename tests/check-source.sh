#!/bin/sh
# check-source.sh [ROOT]: rules that need no compiler. A rule that is broken prints its name and the places;
# the last line is "N passed, N failed". Needs clang-format, node and the npm packages of tests.
set -eu

cd "${1:-"$(dirname "$0")/.."}"

UNNAMED_MAX=40

passed=0
failed=0

main() {
  rule "folders include only what tests/layers.txt allows" sh tests/check-layers.sh tests/layers.txt
  rule "gw includes lib/base and lib/codec alone" gw_layers
  rule "the picture of the house is drawn from the code" node contrib/docs/house.mjs --check contrib/docs/house.svg
  rule "the picture and the lists of tables are made from the schema" node contrib/docs/schema.mjs --check
  rule "charts and tables are drawn from the measured figures" node contrib/docs/performance.mjs --check
  rule "architecture.md and CONTRIBUTING.md name files that exist" described_files
  rule "links in the documents lead somewhere" dead_links
  rule "SQL stands in lib/store alone" sql_elsewhere
  rule "the database's headers are included in lib/store alone" database_headers
  rule "headers that sign or seal wallets' keys are included in lib/keys alone" key_headers
  rule "single headers of libsodium, not all of them at once" whole_sodium
  rule "a caller's key is read in one place, and the store knows its hash alone" plain_keys
  rule "answers and errors are handed on as values, not read from their texts" texts_read_again
  rule "no floating point near money" floating_point
  rule "C is formatted as .clang-format says" unformatted
  rule "sql/ is numbered without gaps up to the version that the programs expect" sql_numbers
  rule "each statement of the specification, and each promise, names tests that are there" specification_tests
  rule "each event of the logs has its line in logs.md, and each line its event" log_events
  rule "proofs replace and spoil what stands in the code" node tests/proofs/main.mjs stale
  rule "web servers say the same while the gateway is away" web_servers_differ
  rule "lock files install from any mirror" registry_hosts
  rule "lock files install with the npm and the Node.js of Debian 12" locks_refused
  rule "dependencies have exact versions" loose_versions
  rule "each file of tests names its sections" tests_without_section
  rule "names of files have dashes, those of C underscores" misnamed_files
  rule "no file names a place of one developer's machine" private_places
  rule "no file points to a ticket" tickets
  rule "no blanks at the ends of lines" trailing_blanks
  rule "actors are named" unnamed_actors
  rule "the sandbox's settings say where each provider is: none is asked outside" sandbox_providers
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

# rule NAME COMMAND...: the command prints what breaks the rule.
rule() {
  name=$1
  shift
  found=$("$@" 2>&1) || true
  if [ -z "$found" ]; then
    passed=$((passed + 1))
    return 0
  fi
  failed=$((failed + 1))
  echo "FAILED $name"
  echo "$found" | head -n 20 | sed 's/^/  /'
}

# in_c PATTERN FOLDER...: places in C files.
in_c() {
  pattern=$1
  shift
  grep -rnE --include='*.[ch]' "$pattern" "$@"
}

gw_layers() {
  in_c '# *include *"[a-z_]+/' contrib/cli | grep -vE '"(base|codec|contrib/cli)/'
}

web_servers_differ() {
  for file in conf/apache.conf conf/htaccess conf/unavailable.lua; do
    grep -oE '\{"success":false[^}]*\}' "$file" || echo "none in $file"
  done | sort | uniq -c | grep -v '^ *3 '
}

sandbox_providers() {
  grep -l '\.service = &' lib/route/[!t]*.c | xargs grep -hoE '\.key = "[^"]+"' | cut -d'"' -f2 | while read -r key; do
    grep -q "^provider\.$key\.url =" contrib/sandbox/gateway.conf || echo "provider.$key.url is not set"
  done
}

described_files() {
  grep -ohE '`[a-z_/]+\.(c|h|mjs|txt|sql|conf|sh)`' contrib/docs/architecture.md contrib/docs/CONTRIBUTING.md | tr -d '`' | sort -u | while read -r file; do
    [ -e "lib/$file" ] || [ -e "$file" ] || [ -e "contrib/docs/$file" ] || echo "no such file: $file"
  done
}

dead_links() {
  node tests/check-links.mjs | grep -v ', 0 failed$'
}

sql_elsewhere() {
  in_c '"[^"]*\b(SELECT |INSERT (IGNORE )?INTO |REPLACE INTO |DELETE FROM |UPDATE [a-z_]+( |")|(CREATE|ALTER|DROP|TRUNCATE) TABLE )' \
    lib fcgi jobs | grep -v '^lib/store/'
}

database_headers() {
  in_c '# *include *[<"](mysql|mariadb)' lib fcgi jobs | grep -v '^lib/store/'
}

key_headers() {
  in_c '# *include *[<"](secp256k1|sodium/crypto_(sign|aead))' lib fcgi jobs | grep -v '^lib/keys/'
}

whole_sodium() {
  in_c '# *include *[<"]sodium\.h' lib fcgi jobs | grep -v '^lib/keys/'
}

texts_read_again() {
  in_c 'json_load[a-z]*\([^;]*reply_text|str(str|cmp|ncmp)\([^;]*reply_text|str(str|cmp|ncmp)\([^;]*\bE_[A-Z_]+\.(code|text|hint)' \
    lib fcgi jobs | grep -v '/test_'
}

# The time of looking a hash up reveals nothing about the key: an attacker cannot choose how far two hashes agree.
plain_keys() {
  uses=$(in_c '\brequest_bearer\(' lib fcgi jobs | grep -vE '^lib/http/|/test_')
  [ "$(echo "$uses" | wc -l)" -eq 1 ] || echo "$uses"
  in_c 'api_key|bearer' lib/store
}

floating_point() {
  in_c '\b(double|float|strtod|strtof|json_real|json_real_value|json_number_value|math\.h)\b' \
    lib/model lib/route lib/swap lib/transfer lib/exec lib/policy lib/venue lib/signer lib/chain lib/store lib/lend lib/perps |
    grep -vE '^lib/lend/(test_)?apy\.[ch]:'
}

unformatted() {
  command -v clang-format >/dev/null || { echo "clang-format is not installed"; return; }
  find lib fcgi jobs contrib/cli tests -name node_modules -prune -o -name '*.[ch]' -print0 |
    xargs -0 -r -n 16 -P 2 clang-format --dry-run -Werror 2>&1 | grep -E 'error:' | sed 's/ code should be.*//'
}

sql_numbers() {
  n=0
  for file in sql/[0-9]*; do
    n=$((n + 1))
    case $file in
      sql/$(printf '%03d' "$n")_*.sql) ;;
      *) echo "$file: should be number $n"; return ;;
    esac
  done
  grep -qE "SCHEMA_VERSION = SCHEMA_FIRST( \+ $((n - 1)))?," lib/store/migrate.h || echo "lib/store/migrate.h: SCHEMA_VERSION should be SCHEMA_FIRST + $((n - 1))"
}

specification_tests() {
  node tests/check-specification.mjs | grep -v ', 0 failed$'
}

log_events() {
  node tests/check-logs.mjs | grep -v ', 0 failed$'
}

registry_hosts() {
  files | grep -E '(^|/)(package(-lock)?\.json|\.npmrc)$' | tr '\n' '\0' |
    xargs -0 -r grep -nE '"resolved": *"https?:|registry[.=]|registry *=' /dev/null
}

locks_refused() {
  files | grep -E '(^|/)package-lock\.json$' | xargs node tests/check-locks.mjs | grep -v ', 0 failed$'
}

# Sections of tests/run, in the first line.
tests_without_section() {
  for file in tests/*/*.test.mjs; do
    sections=$(sed -n '1s|^// Section: ||p' "$file" | tr ',' ' ')
    [ -n "$sections" ] || echo "$file: the first line names none"
    for section in $sections; do
      grep -q "^section_$section() {" tests/run || echo "$file: there is no section $section"
    done
  done
}

misnamed_files() {
  files | grep -E '_[^/]*\.(mjs|js|css|html|sh|py)$|-[^/]*\.[ch]$'
}

loose_versions() {
  files | grep -E '(^|/)package\.json$' | while read -r file; do
    sed -n '/ependencies"/,/}/p' "$file" | grep -nE '"[^"]+": *"[^"]' | grep -vE ': *"(npm:@?[^"@]+@)?[0-9]' | sed "s|^|$file: |"
  done
}

# Home directories and the like: a clone of the repository does not have them.
private_places() {
  everywhere '(^|[^A-Za-z0-9_.~/-])/(home|root|work|workspace|Users|mnt|media)/[A-Za-z0-9_.]'
}

tickets() {
  everywhere '\b([Ii]ssue|[Tt]icket|[Bb]ug) *#?[0-9]+\b'
}

trailing_blanks() {
  everywhere '[ 	]+$'
}

# Words that leave the reader to guess who acts, in comments, documents and names of tests: more than UNNAMED_MAX of them.
# Comments of migrations are part of the schema, and sentences of users may say what they like.
unnamed_actors() {
  words='\b([Nn]obody|[Ss]omebody|[Ww]hoever|[Ww]hatever|[Aa]nybody)\b'
  prose="(^ *\*|(^|[^:])//|/\*|^ *#|\b(test|alone|describe)\(['\"\`]).*$words"
  found=$({
    files | grep '\.md$' | tr '\n' '\0' | xargs -0 -r grep -nIE "$words" /dev/null
    files | grep -vE '^(tests/(check-source\.sh|fuzz/corpus/|vectors/)|lib/command/|sql/)|\.(json|md)$' | tr '\n' '\0' |
      xargs -0 -r grep -nIE "$prose" /dev/null
  }) || true
  [ "$(echo "$found" | wc -l)" -le "$UNNAMED_MAX" ] || echo "$found"
}

# everywhere PATTERN: places in all text files but this one, whose patterns would find themselves.
everywhere() {
  files | grep -vE '^tests/(check-source\.sh|fuzz/corpus/|vectors/)' | tr '\n' '\0' | xargs -0 -r grep -nIE "$1" /dev/null
}

# What belongs to the repository, whether or not it is in it already.
files() {
  find . -name .git -prune -o -name node_modules -prune -o \( -path ./build -o -path ./var \) -prune -o -type f -print |
    sed 's|^\./||' | sort
}

main
