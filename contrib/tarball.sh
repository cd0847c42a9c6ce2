#!/bin/sh
# tarball.sh: what `make tarball` does: build/agent-gateway-VERSION-MACHINE.tar.gz, a tree that runs wherever it is
# unpacked, for hosts without compiler and libraries. It brings all libraries but the C library, which has to be as new as
# the one here; `gateway-setup --home` does the rest. The Makefile says MAKE and PROGRAMS.
set -eu

ROOT=$(cd "$(dirname "$0")/.." && pwd)
TREE=$ROOT/build/tarball/agent-gateway
LIB=$TREE/lib/agent-gateway
# Of the C library, which cannot be brought along without its loader.
SYSTEM="libc|libm|libdl|libpthread|librt|libresolv|ld-linux-x86-64|ld-linux-aarch64"

cd "$ROOT"
release=$(sed -n 's/^#define GATEWAY_VERSION "\(.*\)"/\1/p' lib/base/program.h)
archive=$ROOT/build/agent-gateway-$release-$(uname -m).tar.gz

rm -rf "$TREE"
# Again, to look for libraries beside themselves.
"$MAKE" -s install PREFIX="$TREE" BUILT=build/relocatable/
cd "$TREE"
rm -rf etc var bin sbin lib/systemd lib/sysusers.d lib/tmpfiles.d lib/agent-gateway/manifest lib/agent-gateway/paths.conf \
  lib/agent-gateway/gateway.conf
cd "$ROOT"
# With the paths of the samples, which gateway-setup replaces.
for file in conf/*; do [ -d "$file" ] || cp "$file" "$LIB/$file"; done
cp jobs/gateway-setup "$LIB/jobs/"
mkdir -p "$LIB/lib/plugin"
for program in $PROGRAMS; do
  strip --strip-debug "$LIB/$program"
  ldd "$LIB/$program"
done | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u | grep -vE "/($SYSTEM)\.so" | while read -r library; do
  cp -L "$library" "$LIB/lib/"
done
# What logs in to MySQL by its newer ways.
cp "$(pkg-config --variable=libdir libmariadb)"/libmariadb3/plugin/*.so "$LIB/lib/plugin/"
tar -C "$TREE/.." --owner=0 --group=0 -czf "$archive" agent-gateway
echo "$archive"
