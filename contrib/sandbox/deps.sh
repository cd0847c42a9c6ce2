#!/bin/sh
# deps.sh [build|run|test|model|prove|cluster|mysql|bench|deb|test-deb|test-bare]: installs what building, running, testing or measuring the gateway needs
# and this machine lacks: Debian packages (apt-get, as root or through sudo) and the npm packages of
# the lock files. No package leaves a system service running or enabled. With everything in place it
# only looks, and is done in well under 100 ms.
#
#   build    compiler and libraries
#   run      build, MariaDB, lighttpd, Apache, Node.js, the sandbox's npm packages
#   test     run, and what the checks, the sanitizers and the fuzz targets need
#   model    what checks the engine's model, alone
#   prove    build, and a tree with CBMC in var/unstable (Debian has its version 6 in unstable alone); takes a minute, once
#   cluster  test, and what a Galera cluster of the database consists of
#   mysql    test, and the same tree, which has MySQL too (likewise)
#   deb      build, and what makes a Debian package and checks it
#   test-deb run, deb, and what boots a Debian to try it in
#   test-bare what unpacks a Debian to try the two commands in
#   bench    run, and the load generator and the libraries of the service that is measured beside
set -eu

ROOT=$(cd "$(dirname "$0")/../.." && pwd)
STAGE=${1:-run}
POLICY=/usr/sbin/policy-rc.d

BUILD_PACKAGES="gcc libc6-dev make pkg-config libfcgi-dev libjansson-dev libcurl4-openssl-dev libmariadb-dev
  libsecp256k1-dev libsodium-dev libseccomp-dev libssl-dev zlib1g-dev"
RUN_PACKAGES="$BUILD_PACKAGES mariadb-server-core mariadb-client-core lighttpd lighttpd-modules-lua apache2-bin ca-certificates
  clang curl procps"
TEST_PACKAGES="mariadb-client clang-format chromium-headless-shell clang-tidy cppcheck libclang-rt-14-dev shellcheck man-db systemd prometheus
  spin python3 mandoc"
MODEL_PACKAGES="gcc libc6-dev spin"
CLUSTER_PACKAGES="mariadb-server galera-4 mariadb-backup socat"
UNSTABLE_PACKAGES="debootstrap debian-archive-keyring"
DEB_PACKAGES="$BUILD_PACKAGES build-essential debhelper lintian"
BOOT_PACKAGES="debootstrap debian-archive-keyring systemd-container"
BARE_PACKAGES="debootstrap debian-archive-keyring curl"
BENCH_PACKAGES="wrk openssl"
UNSTABLE_TREE=$ROOT/var/unstable
NODE_MINIMUM=18

main() {
  packages=$RUN_PACKAGES
  npm_dirs="contrib/sandbox"
  case $STAGE in
    build) packages=$BUILD_PACKAGES; npm_dirs= ;;
    run) ;;
    test) packages="$packages $TEST_PACKAGES"; npm_dirs="$npm_dirs tests" ;;
    model) packages=$MODEL_PACKAGES; npm_dirs= ;;
    prove) packages="$BUILD_PACKAGES $UNSTABLE_PACKAGES"; npm_dirs= ;;
    cluster) packages="$packages $TEST_PACKAGES $CLUSTER_PACKAGES"; npm_dirs="$npm_dirs tests" ;;
    mysql) packages="$packages $TEST_PACKAGES $UNSTABLE_PACKAGES"; npm_dirs="$npm_dirs tests" ;;
    deb) packages=$DEB_PACKAGES; npm_dirs= ;;
    test-deb) packages="$packages $DEB_PACKAGES $BOOT_PACKAGES" ;;
    test-bare) packages=$BARE_PACKAGES; npm_dirs= ;;
    bench) packages="$packages $BENCH_PACKAGES"; npm_dirs="$npm_dirs tests/bench" ;;
    *) die "usage: deps.sh [build|run|test|model|prove|cluster|mysql|bench|deb|test-deb|test-bare]" ;;
  esac
  { [ -z "$npm_dirs" ] && [ "$STAGE" != model ] && [ "$STAGE" != prove ]; } || have_node || packages="$packages nodejs npm"
  # shellcheck disable=SC2086 # a list of words
  missing=$(missing_of $packages)
  [ -z "$missing" ] || install_packages "$missing"
  for dir in $npm_dirs; do npm_packages "$ROOT/$dir"; done
  case $STAGE in
    mysql | prove) [ -x "$UNSTABLE_TREE/usr/bin/cbmc" ] || unpack_unstable ;;
  esac
}

die() {
  echo "deps.sh: $*" >&2
  exit 1
}

# Any Node.js that is new enough will do, wherever it comes from.
have_node() {
  command -v npm >/dev/null || return 1
  version=$(node --version 2>/dev/null) || return 1
  version=${version#v}
  [ "${version%%.*}" -ge "$NODE_MINIMUM" ]
}

# The packages among the arguments that are not installed, in one line.
missing_of() {
  command -v dpkg-query >/dev/null || die "this needs Debian or a relative of it; install by hand: $*"
  installed=" $(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
    awk '$2 == "installed" { printf "%s ", $1 }')"
  for package in "$@"; do
    case $installed in
      *" $package "*) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

install_packages() {
  echo "Installing Debian packages: $1"
  may_install || die "root or sudo is needed. Install these yourself, then try again:
  apt-get install --no-install-recommends $1"
  log=$(mktemp)
  hold_services
  trap 'release_services; rm -f "$log"' EXIT
  trap 'exit 1' INT TERM HUP
  # Package lists may be absent or old: the second attempt comes with fresh ones.
  apt_install "$1" >"$log" 2>&1 || { as_root apt-get -qq update && apt_install "$1"; } >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    die "apt-get could not install: $1"
  }
  disable_service "$1" lighttpd lighttpd
  disable_service "$1" mariadb-server mariadb
  disable_service "$1" prometheus prometheus
  release_services
  rm -f "$log"
  trap - EXIT INT TERM HUP
}

apt_install() {
  # shellcheck disable=SC2086 # a list of words
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
    -o DPkg::Lock::Timeout=600 install $1 </dev/null
}

may_install() {
  [ "$(id -u)" -ne 0 ] || return 0
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null || [ -t 0 ]
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# While packages are unpacked, a policy script forbids starting services. One that is already there
# and forbids it too is left alone.
hold_services() {
  HELD=
  if [ -e "$POLICY" ]; then
    rc=0
    as_root "$POLICY" lighttpd start >/dev/null 2>&1 || rc=$?
    [ "$rc" -ne 101 ] || return 0
    as_root mv "$POLICY" "$POLICY.saved-by-deps"
  fi
  HELD=yes
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$POLICY" >/dev/null
  as_root chmod 755 "$POLICY"
}

release_services() {
  [ -n "$HELD" ] || return 0
  HELD=
  as_root rm -f "$POLICY"
  [ ! -e "$POLICY.saved-by-deps" ] || as_root mv "$POLICY.saved-by-deps" "$POLICY"
}

# disable_service INSTALLED PACKAGE SERVICE: a service that came with a package installed just now shall not
# start at the next boot either.
disable_service() {
  case " $1 " in
    *" $2 "*) ;;
    *) return 0 ;;
  esac
  as_root deb-systemd-helper disable "$3.service" >/dev/null 2>&1 || true
  as_root update-rc.d "$3" disable >/dev/null 2>&1 || true
}

# Of the tree, programs and libraries are kept; contrib/sandbox/mysqld and tests/proofs/cbmc start what is in it.
unpack_unstable() {
  echo "Unpacking MySQL and CBMC from Debian unstable into ${UNSTABLE_TREE#"$ROOT/"}"
  may_install || die "root or sudo is needed to unpack them"
  log=$(mktemp)
  as_root rm -rf --one-file-system "$UNSTABLE_TREE" "$UNSTABLE_TREE.new"
  mkdir -p "$UNSTABLE_TREE"
  as_root debootstrap --variant=minbase --include=mysql-server-core,cbmc unstable "$UNSTABLE_TREE.new" >"$log" 2>&1 </dev/null || {
    tail -n 20 "$log" >&2
    die "debootstrap could not unpack them"
  }
  as_root mv "$UNSTABLE_TREE.new/usr" "$UNSTABLE_TREE"
  as_root rm -rf --one-file-system "$UNSTABLE_TREE.new"
  rm -f "$log"
}

# The copy of the lock file in node_modules says what was installed from.
npm_packages() {
  [ -f "$1/package-lock.json" ] || return 0
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed-lock" && return 0
  echo "Installing npm packages in ${1#"$ROOT/"}"
  log=$(mktemp)
  (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >"$log" 2>&1 </dev/null || {
    head -n 20 "$log" >&2
    rm -f "$log"
    die "npm ci failed in $1"
  }
  rm -f "$log"
  cp "$1/package-lock.json" "$1/node_modules/.installed-lock"
}

main
