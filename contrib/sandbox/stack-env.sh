# stack-env.sh: the settings of the stack, where things lie, and the environment of the programs.
# Read by the script `stack`, which sets ROOT and SANDBOX.
# shellcheck shell=sh disable=SC2154,SC2034

# Most commands take longer to start than to do what they are for, and tests call them a thousand times: what each of them
# goes through starts no process.

# Chains that SANDBOX_CHAINS can name, in both writings, and how far above that of ethereum their ports are unless the
# environment says so.
MORE_CHAINS="polygon:POLYGON:2 arbitrum:ARBITRUM:3 optimism:OPTIMISM:10 bsc:BSC:11 avalanche:AVALANCHE:13 fantom:FANTOM:14 \
linea:LINEA:15 mantle:MANTLE:16 gnosis:GNOSIS:17 scroll:SCROLL:18 solana:SOLANA:354"
OWN_NAMES="SANDBOX_CHAINS SANDBOX_MINING SANDBOX_BLOCK_MS GATEWAY_WEB GATEWAY_DB GATEWAY_WORKERS
  GATEWAY_BIN GATEWAY_CONF GATEWAY_ROOT GATEWAY_VAR GATEWAY_RUN GATEWAY_PRIVATE GATEWAY_DB_SOCKET GATEWAY_LOG
  GATEWAY_WEB_USER GATEWAY_WEB_GROUP GATEWAY_SIGNER_UID GATEWAY_WORKER_UID"

# The longest path that fits into a socket address is 107 bytes; this leaves room for the names.
SOCKET_DIR_LIMIT=84

settings() {
  umask 022
  absolute VAR "${GATEWAY_VAR:-$ROOT/var}"
  RUN=$VAR/run
  LOG=$VAR/log
  absolute CACHE "${SANDBOX_CACHE:-$ROOT/var/sandbox}"
  GATEWAY_ROOT=$ROOT
  GATEWAY_VAR=$VAR
  GATEWAY_LOG=$LOG
  absolute GATEWAY_BIN "${GATEWAY_BIN:-$ROOT}"
  absolute GATEWAY_CONF "${SANDBOX_CONF:-$SANDBOX/gateway.conf}"
  GATEWAY_PORT=${GATEWAY_PORT:-8080}
  check_number SANDBOX_ETHEREUM_PORT "${SANDBOX_ETHEREUM_PORT:-8545}" 65535
  SANDBOX_ETHEREUM_PORT=${SANDBOX_ETHEREUM_PORT:-8545}
  SANDBOX_BASE_PORT=${SANDBOX_BASE_PORT:-$((SANDBOX_ETHEREUM_PORT + 1))}
  more_chains
  SANDBOX_UPSTREAM_PORT=${SANDBOX_UPSTREAM_PORT:-$((SANDBOX_ETHEREUM_PORT + 355))}
  SANDBOX_MINING=${SANDBOX_MINING:-interval}
  SANDBOX_BLOCK_MS=${SANDBOX_BLOCK_MS:-1000}
  GATEWAY_WEB=${GATEWAY_WEB:-lighttpd}
  GATEWAY_DB=${GATEWAY_DB:-mariadb}
  GATEWAY_WORKERS=${GATEWAY_WORKERS:-64}
  [ -r "$RUN/settings" ] || users
  SOCKETS=$RUN
  [ ! -f "$RUN/socket-dir" ] || read -r SOCKETS <"$RUN/socket-dir"
  socket_settings
}

# Which chains there are, on which ports, and for the programs under which URLs: none for those that are not started.
more_chains() {
  SANDBOX_CHAINS=${SANDBOX_CHAINS-polygon arbitrum solana}
  CHAINS="ethereum base $SANDBOX_CHAINS"
  PORT_NAMES="GATEWAY_PORT SANDBOX_UPSTREAM_PORT SANDBOX_ETHEREUM_PORT SANDBOX_BASE_PORT"
  URL_NAMES=
  for chain in $SANDBOX_CHAINS; do
    find_chain "$chain"
    [ -n "$above" ] || die "SANDBOX_CHAINS names '$chain'; it can name $(echo "$MORE_CHAINS" | sed 's/:[A-Z]*:[0-9]*//g')"
    name=SANDBOX_$upper
    eval "${name}_PORT=\${${name}_PORT:-$((SANDBOX_ETHEREUM_PORT + above))}; ${name}_URL=http://127.0.0.1:\$${name}_PORT"
    PORT_NAMES="$PORT_NAMES ${name}_PORT"
    URL_NAMES="$URL_NAMES ${name}_URL"
  done
  case " $SANDBOX_CHAINS " in
    *' solana '*) # of which no node alone says that something has failed
      SANDBOX_SOLANA_NODES=$SANDBOX_SOLANA_URL,$SANDBOX_SOLANA_URL/second
      URL_NAMES="$URL_NAMES SANDBOX_SOLANA_NODES"
      ;;
  esac
  SETTING_NAMES="$PORT_NAMES $URL_NAMES $OWN_NAMES"
}

# How a chain is written in names of variables, in `upper`, and how far its port is above that of ethereum, in `above`:
# nothing for a chain that there is not.
find_chain() {
  upper=
  above=
  for each in $MORE_CHAINS; do
    [ "${each%%:*}" = "$1" ] || continue
    above=${each##*:}
    upper=${each#*:}
    upper=${upper%:*}
  done
}

# absolute NAME PATH: sets the variable of that name.
absolute() {
  case $2 in
    /*) ;;
    *) set -- "$1" "$PWD/$2" ;;
  esac
  eval "$1=\${2%/}"
}

# Of a stack that is to be started: those of one that runs are among its settings.
users() {
  web_user
  own_users
}

# Whether there are others that a program of the stack can become: not so for an ordinary user, nor for one that is root in a
# container which has no other.
has_other_users() {
  [ "$(id -u)" -eq 0 ] && setpriv --reuid 61413 --regid 61413 --clear-groups true 2>/dev/null
}

# Apache gives up root for this user. lighttpd stays who starts it.
web_user() {
  GATEWAY_WEB_USER=$(id -un)
  GATEWAY_WEB_GROUP=$(id -gn)
  has_other_users || return 0
  GATEWAY_WEB_USER=www-data
  GATEWAY_WEB_GROUP=www-data
}

# As root, signer and workers get users of their own, numbers that no account has, so that the keys are as
# far away from code in a worker as in production. 0: the user that starts the stack.
own_users() {
  GATEWAY_SIGNER_UID=0
  GATEWAY_WORKER_UID=0
  has_other_users || return 0
  GATEWAY_SIGNER_UID=61412
  GATEWAY_WORKER_UID=61413
}

# Sockets lie in two directories: one for the web server's group, one for the
# owner and the workers.
socket_settings() {
  GATEWAY_RUN=$SOCKETS/web
  GATEWAY_PRIVATE=$SOCKETS/private
  GATEWAY_DB_SOCKET=$GATEWAY_PRIVATE/db.sock
  # shellcheck disable=SC2086,SC2163 # a list of names
  export $SETTING_NAMES
}

base_url() {
  echo "http://127.0.0.1:$GATEWAY_PORT"
}

web_name() {
  case $GATEWAY_WEB in
    apache) echo apache2 ;;
    *) echo lighttpd ;;
  esac
}

db_name() {
  case $GATEWAY_DB in
    mysql) echo mysqld ;;
    *) echo mariadbd ;;
  esac
}

check_settings() {
  case $GATEWAY_DB in
    mariadb | mysql) ;;
    *) die "GATEWAY_DB is '$GATEWAY_DB'; it can be mariadb or mysql" ;;
  esac
  case $GATEWAY_WEB in
    lighttpd | apache) ;;
    *) die "GATEWAY_WEB is '$GATEWAY_WEB'; it can be lighttpd or apache" ;;
  esac
  case $SANDBOX_MINING in
    interval | mixed) ;;
    *) die "SANDBOX_MINING is '$SANDBOX_MINING'; it can be interval or mixed" ;;
  esac
  check_number GATEWAY_WORKERS "$GATEWAY_WORKERS" 512
  check_number SANDBOX_BLOCK_MS "$SANDBOX_BLOCK_MS" 60000
  for name in $PORT_NAMES; do
    eval "check_number $name \"\$$name\" 65535"
  done
}

check_number() {
  case $2 in
    '' | *[!0-9]* | ??????*) ;;
    *) [ "$2" -lt 1 ] || [ "$2" -gt "$3" ] || return 0 ;;
  esac
  die "$1 is '$2'; it has to be a number from 1 to $3"
}

check_programs() {
  compiler= # of the programs on solana
  case " $CHAINS " in *" solana "*) compiler=clang ;; esac
  for name in mariadbd mariadb mariadb-install-db "$(web_name)" node curl $compiler; do
    command -v "$name" >/dev/null || die "$name is not installed; contrib/sandbox/deps.sh installs it"
  done
  [ "$GATEWAY_DB" != mysql ] || [ -x "$ROOT/var/unstable/usr/sbin/mysqld" ] ||
    die "MySQL is not there; 'contrib/sandbox/deps.sh mysql' unpacks it"
  [ -d "$SANDBOX/node_modules" ] || die "the npm packages are missing; contrib/sandbox/deps.sh installs them"
  for name in fcgi/gateway fcgi/signer jobs/schema-migrate jobs/keyctl jobs/agentctl; do
    [ -x "$GATEWAY_BIN/$name" ] || die "$GATEWAY_BIN/$name is missing; build it first (make)"
  done
}

check_ports() {
  used=" "
  for name in $PORT_NAMES; do
    eval "port=\$$name"
    case $used in
      *" $port "*) die "port $port is wanted twice; set $name to another one" ;;
    esac
    used="$used$port "
    ! port_taken "$port" || die "port $port is in use by another program; set $name to a free one"
  done
}

# Whether something on this machine listens on the port, at any address: state 0A in the
# kernel's tables.
port_taken() {
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | # the second is not everywhere
    awk -v end="$(printf ':%04X' "$1")" '
      $4 == "0A" && substr($2, length($2) - 4) == end { taken = 1 }
      END { exit !taken }'
}

make_directories() {
  mkdir -p "$RUN" "$LOG" "$VAR/tmp" "$VAR/sandbox" "$VAR/keys" "$CACHE"
  chmod 711 "$RUN"
  chmod 700 "$VAR/keys"
  choose_sockets
  mkdir -p "$GATEWAY_RUN" "$GATEWAY_PRIVATE"
  chmod 700 "$GATEWAY_PRIVATE"
  [ "$GATEWAY_WORKER_UID" -eq 0 ] || { chgrp "$GATEWAY_WORKER_UID" "$GATEWAY_PRIVATE" && chmod 710 "$GATEWAY_PRIVATE"; }
  chgrp "$GATEWAY_WEB_GROUP" "$GATEWAY_RUN"
  chmod 2750 "$GATEWAY_RUN"
  choose_console
}

# Sockets go below $VAR unless that is too long for an address, or closed to the users of web server and workers, as
# root's home is; then into a directory in /tmp, whose name is remembered.
choose_sockets() {
  rm -f "$RUN/socket-dir"
  case $SOCKETS in
    "$RUN") ;;
    /tmp/agent-gateway.*) rm -rf "$SOCKETS" ;;
  esac
  SOCKETS=$RUN
  if [ "${#RUN}" -gt "$SOCKET_DIR_LIMIT" ] || ! open_to_others -x "$RUN"; then
    SOCKETS=$(mktemp -d /tmp/agent-gateway.XXXXXX)
    chmod 711 "$SOCKETS"
    echo "$SOCKETS" >"$RUN/socket-dir"
  fi
  socket_settings
}

# The pages that Apache reads as the web server's user: beside the sockets where the repository is closed to it.
choose_console() {
  SANDBOX_CONSOLE=$ROOT/contrib/console
  if ! open_to_others -r "$SANDBOX_CONSOLE/front.html"; then
    SANDBOX_CONSOLE=$GATEWAY_RUN/console
    install -d "$SANDBOX_CONSOLE"
    install -m 644 "$ROOT"/contrib/console/* "$SANDBOX_CONSOLE"
  fi
  export SANDBOX_CONSOLE
}

# open_to_others -r|-x PATH: to the users that web server and workers of this stack have.
open_to_others() {
  [ "$GATEWAY_WORKER_UID" -ne 0 ] || return 0
  setpriv --reuid "$GATEWAY_WORKER_UID" --regid "$GATEWAY_WORKER_UID" --clear-groups test "$1" "$2"
}

# The settings of the stack's start count until it is down, also when the environment has changed.
save_settings() {
  print_settings >"$RUN/settings"
}

print_settings() {
  for name in $SETTING_NAMES; do
    eval "value=\$$name"
    case $value in *"'"*) value=$(printf %s "$value" | sed "s/'/'\\\\''/g") ;; esac
    printf "%s='%s'\n" "$name" "$value"
  done
}

running_settings() {
  [ -r "$RUN/settings" ] || return 0
  # shellcheck source=/dev/null
  . "$RUN/settings"
  more_chains
}
