#!/bin/sh
# make-deb.sh: what `make deb` does. The package, and what lintian says of it, are in build/deb. Its version ends with the
# number of commits, so that each is newer than those before it; or it is VERSION.
set -eu

ROOT=$(cd "$(dirname "$0")/../.." && pwd)
OUT=$ROOT/build/deb

cd "$ROOT"
release=$(sed -n 's/^#define GATEWAY_VERSION "\(.*\)"/\1/p' lib/base/program.h)
commits=$(git rev-list --count HEAD 2>/dev/null || echo 0)
version=${VERSION:-$release+$commits}
tree=$OUT/source # the same for each version, for caches of compilers

rm -rf "$OUT"
mkdir -p "$tree/contrib"
cp -r Makefile fcgi jobs lib sql conf "$tree"
cp -r contrib/install.sh contrib/cli contrib/console contrib/docs "$tree/contrib"
cp -r contrib/debian "$tree/debian"
rm -f "$tree/debian/make-deb.sh"
sample=$(sed -n 's/^Maintainer: //p' contrib/debian/control)
CONTACT=${CONTACT:-$sample}
export CONTACT
[ "$CONTACT" != "$sample" ] || echo "The package names $sample; make CONTACT='NAME <ADDRESS>' deb names you." >&2
for file in control copyright; do
  awk -v sample="$sample" '(i = index($0, sample)) > 0 { $0 = substr($0, 1, i - 1) ENVIRON["CONTACT"] } { print }' \
    "contrib/debian/$file" >"$tree/debian/$file"
done
make -s -C "$tree" clean
cat >"$tree/debian/changelog" <<CHANGELOG
agent-gateway ($version) unstable; urgency=medium

  * Built from its sources, whose history says what is new.

 -- $CONTACT  $(git log -1 --format=%cD 2>/dev/null || date -R)
CHANGELOG
(cd "$tree" && BUILD_ID=${BUILD_ID-$(git log -1 --format=+%cd.%h --date=format:%Y%m%d --abbrev=8 2>/dev/null)} DEB_BUILD_OPTIONS="noautodbgsym parallel=$(nproc)" dpkg-buildpackage -b -us -uc) >"$OUT/build.log" 2>&1 ||
  { tail -n 30 "$OUT/build.log" >&2; exit 1; }
lintian --allow-root --fail-on error,warning "$OUT"/agent-gateway_*.changes
rm -rf "$tree"
ls "$OUT"/agent-gateway_*.deb
