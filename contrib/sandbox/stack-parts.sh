# stack-parts.sh: what the stack consists of, how each part starts and stops. Read by the script `stack`.
# shellcheck shell=sh disable=SC2154

# Parts that do not need each other start side by side, each in a track; a track that fails says why.
start_all() {
  prepare_state
  build_chains || return 1
  TRACKS=
  track core
  track web
  for chain in $CHAINS; do track chain "$chain"; done
  track upstream
  rc=0
  for pid in $TRACKS; do wait "$pid" || rc=1; done
  TRACKS=
  [ "$rc" -eq 0 ] || return 1
  start_cron && wait_ready && list_settlers
}

# Of 0x. Chains without its registry are told in the log, and make no difference to the others.
list_settlers() {
  "$GATEWAY_BIN/jobs/agentctl" settlers >"$LOG/settlers.log" 2>&1 || true
}

track() {
  (
    running=
    trap '[ -z "$running" ] || kill "$running" 2>/dev/null; exit 1' TERM
    "track_$1" "${2:-}"
  ) &
  TRACKS="${TRACKS:-} $!"
}

end_tracks() {
  # shellcheck disable=SC2086 # a list of pids
  [ -z "${TRACKS:-}" ] || kill $TRACKS 2>/dev/null || true
  for pid in ${TRACKS:-}; do wait "$pid" || true; done
}

# failed PART: the reason for giving up, from the part's log.
failed() {
  echo "stack: $1 failed; the end of $LOG/$1.log:" >&2
  tail -n 15 "$LOG/$1.log" | sed 's/^/  /' >&2
  return 1
}

# run_logged PART COMMAND...: a command that has to succeed before the rest goes on, and ends with it.
run_logged() {
  part=$1
  shift
  env "$MARK=$VAR" "$@" </dev/null >"$LOG/$part.log" 2>&1 9>&- &
  running=$!
  wait "$running" || failed "$part"
}

# ---- Database, schema, keys, gateway: one after the other ----

track_core() {
  install -m 600 "$SANDBOX/relayer.key" "$VAR/keys/relayer.key" || return 1
  install -m 600 "$SANDBOX/provider.key" "$VAR/keys/provider.key" || return 1
  start_db || return 1
  run_logged schema-migrate "$GATEWAY_BIN/jobs/schema-migrate" || return 1
  run_logged keyctl "$GATEWAY_BIN/jobs/keyctl" create || return 1
  start_gateway
}

start_db() {
  has_db || create_db || return 1
  echo "CREATE DATABASE IF NOT EXISTS gateway;" >"$GATEWAY_PRIVATE/init.sql"
  db=$(db_name)
  launch "$db" "$(db_program)" --defaults-file="$ROOT/conf/my.cnf" --datadir="$VAR/db" --tmpdir="$VAR/tmp" \
    --socket="$GATEWAY_DB_SOCKET" --pid-file="$GATEWAY_PRIVATE/db.pid" --init-file="$GATEWAY_PRIVATE/init.sql" \
    --user="$(id -un)"
  try 60 db_settled && alive "$db" && return 0
  failed "$db"
}

db_program() {
  case $GATEWAY_DB in
    mysql) echo "$SANDBOX/mysqld" ;;
    *) echo mariadbd ;;
  esac
}

db_settled() {
  ! alive "$db" || db_answers
}

db_answers() {
  mariadb --no-defaults --socket="$GATEWAY_DB_SOCKET" --user=root --execute 'SELECT 1' gateway >/dev/null 2>&1
}

# Whether the data are there, and this database's: each has a file that the other one lacks.
has_db() {
  case $GATEWAY_DB in
    mysql) [ -f "$VAR/db/mysql.ibd" ] ;;
    *) [ -f "$VAR/db/aria_log_control" ] ;;
  esac
}

# The database server's own tables, made in a directory beside so that an interrupted attempt leaves
# nothing that looks complete. Temporary files are the stack's own: two stacks that start at once would take
# each other's. Root has no password: only the owner of the stack reaches the socket.
create_db() {
  rm -rf "$VAR/db" "$VAR/db.new"
  "create_$GATEWAY_DB" || return 1
  chmod 700 "$VAR/db.new"
  mv "$VAR/db.new" "$VAR/db"
}

create_mariadb() {
  run_logged create-db mariadb-install-db --no-defaults --datadir="$VAR/db.new" --tmpdir="$VAR/tmp" \
    --auth-root-authentication-method=normal --skip-test-db --skip-name-resolve --user="$(id -un)"
}

create_mysql() {
  run_logged create-db "$SANDBOX/mysqld" --no-defaults --initialize-insecure --datadir="$VAR/db.new" \
    --tmpdir="$VAR/tmp"
}

# As in conf/crontab, which starts it again when it is absent: the same mask.
start_gateway() {
  umask 007
  launch gateway "$GATEWAY_BIN/fcgi/gateway"
  umask 022
  try 20 gateway_settled && alive gateway && return 0
  failed gateway
}

# The process stays the same; it writes its id again once the next workers have begun.
restart_gateway() {
  "$GATEWAY_BIN/fcgi/gateway" -t || die "the gateway goes on as it was"
  : >"$RUN/restart"
  kill -HUP "$(pool_parent)"
  try 60 [ "$GATEWAY_RUN/gateway.pid" -nt "$RUN/restart" ] || failed gateway
}

gateway_settled() {
  ! alive gateway || [ -S "$GATEWAY_RUN/gateway.sock" ]
}

# ---- Web server ----

track_web() {
  web=$(web_name)
  rm -f "$LOG/$web.pid"
  case $web in
    lighttpd) launch lighttpd env GATEWAY_CONF_DIR="$ROOT/conf" lighttpd -D -f "$SANDBOX/lighttpd.conf" ;;
    apache2) launch apache2 env GATEWAY_CONF_DIR="$ROOT/conf" apache2 -D FOREGROUND -f "$SANDBOX/apache.conf" ;;
  esac
  try 20 web_settled && alive "$web" && return 0
  failed "$web"
}

# It writes its pid once it listens.
web_settled() {
  ! alive "$web" || [ -s "$LOG/$web.pid" ]
}

# ---- Chains ----

# A chain goes on from its state file, at first from a copy of the freshly built one.
track_chain() {
  chain=$1
  [ "$chain" != solana ] || { track_solana; return; }
  state=$VAR/sandbox/$chain.state.json
  [ -s "$state" ] || begin_chain "$CACHE/$chain.pristine.json" "$state" || return 1
  env "$MARK=$VAR" node "$SANDBOX/chain.mjs" start "$chain" "$(chain_port "$chain")" "$state" \
    "$RUN/anvil-$chain.pid" "$LOG/anvil-$chain.log" </dev/null >"$LOG/chain-$chain.log" 2>&1 9>&- ||
    failed "chain-$chain"
}

# begin_chain PRISTINE STATE
begin_chain() {
  cp "$1.from" "$2.from" && cp "$1" "$2.new" && mv "$2.new" "$2"
}

# It builds itself, within a second, and keeps itself in files of its own. Compiling its programs takes temporary ones.
track_solana() {
  launch solana-rpc env TMPDIR="$VAR/tmp" node "$SANDBOX/solana/server.mjs" "$SANDBOX_SOLANA_PORT" "$VAR/sandbox/solana"
  try 60 settled solana-rpc && alive solana-rpc && return 0
  failed solana-rpc
}

# What stands for the services of other companies. It waits for its chain, and goes on from where it was like that.
track_upstream() {
  launch upstream node "$SANDBOX/upstream/server.mjs" "$SANDBOX_UPSTREAM_PORT" "${SANDBOX_POLYGON_URL:--}" \
    "$VAR/sandbox/upstream" $(for chain in $CHAINS; do echo "$chain=http://127.0.0.1:$(chain_port "$chain")"; done)
  try 60 settled upstream && alive upstream && return 0
  failed upstream
}

# settled PART: whether it has ended, or says that it listens.
settled() {
  alive "$1" || return 0
  while read -r line; do
    case $line in "$1 listens on "*) return 0 ;; esac
  done 2>/dev/null <"$LOG/$1.log"
  return 1
}

chain_port() {
  eval "echo \$SANDBOX_$(echo "$1" | tr '[:lower:]' '[:upper:]')_PORT"
}

# Stacks that start at once build a chain once.
build_chains() {
  (flock 8 && build_missing_chains) 8>"$CACHE/lock"
}

# Builds all chains that are wanted and not there yet, in one go: compiling the contracts takes longest. A chain that
# another version built goes on: what agents did on it is worth more than what it lacks.
build_missing_chains() {
  built_from=$(chain_sources | cksum)
  older=
  set --
  for chain in $CHAINS; do
    [ "$chain" != solana ] || continue
    state=$VAR/sandbox/$chain.state.json
    pristine=$CACHE/$chain.pristine.json
    if [ -s "$state" ]; then
      is_current "$state" || older="$older $chain"
    else
      is_current "$pristine" || set -- "$@" "$chain" "$pristine.$$"
    fi
  done
  [ -z "$older" ] || echo "Built by another version of the sandbox:$older. 'make reset' begins with chains of this one."
  [ $# -gt 0 ] || return 0
  echo "Building the chains; this happens once."
  run_logged build-chains node "$SANDBOX/build-chain.mjs" "$@" || return 1
  while [ $# -gt 0 ]; do
    rm -f "$CACHE/$1.pristine.json.from"
    mv "$2" "$CACHE/$1.pristine.json"
    echo "$built_from" >"$CACHE/$1.pristine.json.from"
    shift 2
  done
}

# is_current FILE: whether it is there, and what this version builds began like it.
is_current() {
  [ -s "$1" ] && [ "$(cat "$1.from" 2>/dev/null)" = "$built_from" ]
}

# What a freshly built chain depends on.
chain_sources() {
  (cd "$SANDBOX" && cat build-chain.mjs builder.mjs exchanges.mjs aggregators.mjs perps.mjs polymarket.mjs lending/*.mjs upstream/markets.mjs \
    contracts.mjs world.mjs chain.mjs contracts/*.sol contracts/*/*.sol package-lock.json)
}

stop_chain() {
  [ "$1" != solana ] || { end_named 4 solana-rpc; return; }
  pid=$(anvil_pid "$1")
  [ -z "$pid" ] || node "$SANDBOX/chain.mjs" stop "$RUN/anvil-$1.pid" >>"$LOG/chain-$1.log" 2>&1 || true
}

# What runs a chain, as `stack status` names it.
chain_program() {
  case $1 in
    solana) echo solana-rpc ;;
    *) echo "anvil-$1" ;;
  esac
}

chain_pid() {
  case $1 in
    solana) members | awk '$4 == "solana-rpc" { print $1 }' ;;
    *) anvil_pid "$1" ;;
  esac
}

# The pid in the chain's pid file, if it is a member of this stack.
anvil_pid() {
  [ -s "$RUN/anvil-$1.pid" ] || return 0
  read -r pid _ <"$RUN/anvil-$1.pid" || true
  members | awk -v pid="$pid" '$1 == pid { print pid }'
}

# ---- Cron's stand-in ----

start_cron() {
  launch cron "$SANDBOX/cron.sh" "$ROOT/conf/crontab"
}

job_names() {
  for file in "$GATEWAY_BIN"/jobs/*; do
    [ ! -x "$file" ] || [ -d "$file" ] || echo "${file##*/}"
  done
}

# ---- Ready ----

wait_ready() {
  try 30 ready_or_dead && is_ready && return 0
  echo "stack: the gateway does not get ready; $(base_url)/readyz answers:" >&2
  curl -s --max-time 5 "$(base_url)/readyz" | head -c 2000 | sed 's/^/  /' >&2
  echo >&2
  failed gateway
}

ready_or_dead() {
  ! alive gateway || is_ready
}

is_ready() {
  for page in healthz readyz; do
    curl -fs --max-time 5 -o /dev/null "$(base_url)/$page" || return 1
  done
}

# ---- Stopping ----

# In the order in which work can end: nothing new is started, requests end, and what they wrote to goes
# last. The sweep at the end gets what a killed parent left. A second Ctrl-C does not leave half of it.
stop_all() {
  trap '' INT TERM HUP
  end_named 2 cron.sh
  # shellcheck disable=SC2046 # a list of words
  end_named 4 sh $(job_names) # sh: a line of the crontab, about to be a job
  end_named 3 lighttpd apache2
  end_named 4 gateway
  end_named 2 signer upstream
  for chain in $CHAINS; do stop_chain "$chain" & done
  end_named 60 mariadbd mysqld
  wait
  sweep
  forget_run
  trap - INT TERM HUP
}

sweep() {
  left=$(members | cut -d ' ' -f 1)
  [ -n "$left" ] || return 0
  # shellcheck disable=SC2086 # a list of pids
  kill -TERM $left 2>/dev/null || true
  # shellcheck disable=SC2086
  wait_gone 3 $left || true
  # shellcheck disable=SC2046
  end_now $(members | cut -d ' ' -f 1)
  left=$(members)
  [ -z "$left" ] || die "these processes do not end: $left"
}

forget_run() {
  rm -rf "$RUN"/*.pid "$RUN/settings" "$RUN/restart" "${GATEWAY_RUN:?}"/* "${GATEWAY_PRIVATE:?}"/*
  [ "$SOCKETS" = "$RUN" ] || rm -rf "$SOCKETS"
  rm -f "$RUN/socket-dir"
}

# ---- State ----

clear_state() {
  rm -rf "$VAR/db" "$VAR/db.new" "$VAR/tmp"/* "$VAR/keys"/*
  rm -rf "$VAR/sandbox"/*.state.json* "$VAR/sandbox"/upstream.* "$VAR/sandbox"/solana.*
}

chain_state() {
  case $1 in
    solana) echo "$VAR/sandbox/solana.machine" ;;
    *) echo "$VAR/sandbox/$1.state.json" ;;
  esac
}

# Database and chains tell one story: where one of them is missing, all begin anew.
prepare_state() {
  complete=yes
  has_db || complete=
  for chain in $CHAINS; do [ -s "$(chain_state "$chain")" ] || complete=; done
  [ -n "$complete" ] || clear_state
}

# ---- Status ----

missing_parts() {
  present=" $(members | awk '{ print $4 }' | grep -vx gateway | tr '\n' ' ') "
  [ -z "$(pool_parent)" ] || present="$present gateway "
  absent=
  for part in "mariadbd mysqld" "lighttpd apache2" gateway signer cron.sh upstream; do
    has_one_of "$present" "$part" || absent="$absent ${part% *}"
  done
  for chain in $CHAINS; do
    [ -n "$(chain_pid "$chain")" ] || absent="$absent $(chain_program "$chain")"
  done
  echo "${absent# }"
}

# The gateway's parent: workers without one are not a gateway.
pool_parent() {
  members | awk '
    $4 == "gateway" { parent[$1] = $2 }
    END { for (pid in parent) if (parent[pid] in parent) { print parent[pid]; exit } }'
}

has_one_of() {
  for candidate in $2; do
    case $1 in
      *" $candidate "*) return 0 ;;
    esac
  done
  return 1
}

# In the order of a request's way; of each name, parents before their children.
print_processes() {
  jobs=$(job_names | tr '\n' ' ')
  members | awk -v jobs="$jobs" '
    { pid[NR] = $1; parent[NR] = $2; name[NR] = $4; name_of[$1] = $4; session[NR] = $3 }
    function show(wanted, shown,   i) {
      for (i = 1; i <= NR; i++) if (name[i] == wanted && name_of[parent[i]] != wanted) print shown, pid[i]
      for (i = 1; i <= NR; i++) if (name[i] == wanted && name_of[parent[i]] == wanted) print shown, pid[i]
    }
    END {
      show("mariadbd", "mariadbd")
      show("mysqld", "mysqld")
      show("lighttpd", "lighttpd")
      show("apache2", "apache2")
      show("gateway", "gateway")
      show("signer", "signer")
      for (i = 1; i <= NR; i++) if (name[i] == "cron.sh" && session[i] == pid[i]) print "cron", pid[i]
      for (i = 1; i <= split(jobs, job, " "); i++) show(job[i], job[i])
      show("upstream", "upstream")
    }'
  for chain in $CHAINS; do
    pid=$(chain_pid "$chain")
    [ -z "$pid" ] || echo "$(chain_program "$chain") $pid"
  done
}
