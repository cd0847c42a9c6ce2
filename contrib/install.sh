#!/bin/sh
# install.sh install|uninstall: what `make install` and `make uninstall` do. The Makefile says by environment variables
# where: DESTDIR, BUILT, PROGRAMS, PREFIX, LIBDIR, SYSCONFDIR, LOCALSTATEDIR, RUNSTATEDIR, UNITDIR, CONTACT.
#
# What is installed stands in LIBDIR/manifest with its hash, so that the next version can remove what it does not have any
# more. A file in SYSCONFDIR that the operator has changed is left alone. A package gets no manifest: it has its own.
set -eu

MANIFEST=$DESTDIR$LIBDIR/manifest
SBIN="agentctl gateway gateway-setup keyctl schema-migrate"

main() {
  case $1 in
    install) install_all ;;
    uninstall) uninstall_all ;;
  esac
}

install_all() {
  new=$(mktemp)
  trap 'rm -f "$new"' EXIT
  programs
  samples
  system_files
  manuals
  documents
  settings
  remove_former
  [ -n "$DESTDIR" ] || install -m 644 "$new" "$MANIFEST"
}

# ---- What goes where ----

programs() {
  for program in $PROGRAMS; do put 755 "$BUILT$program" "$LIBDIR/$program"; done
  put_text 755 jobs/gateway-setup "$LIBDIR/jobs/gateway-setup"
  for name in $SBIN; do
    target=jobs/$name
    [ "$name" != gateway ] || target=fcgi/$name
    put_link "$LIBDIR/$target" "$PREFIX/sbin/$name"
  done
  put_link "$LIBDIR/contrib/cli/gw" "$PREFIX/bin/gw"
  put 644 contrib/cli/gw.bash "$PREFIX/share/bash-completion/completions/gw"
}

samples() {
  for file in sql/*.sql; do put 644 "$file" "$LIBDIR/$file"; done
  for file in conf/*; do [ -d "$file" ] || put_text "$(mode_of "$file")" "$file" "$LIBDIR/$file"; done
  for file in contrib/console/*; do put 644 "$file" "$LIBDIR/$file"; done
  # What is compiled into the programs is for PREFIX=/usr/local.
  paths=$(mktemp)
  grep -E '^[a-z_]+ = /(etc|run|usr|var)/.*agent-gateway' conf/gateway.conf >"$paths"
  put_text 644 "$paths" "$LIBDIR/paths.conf"
  rm -f "$paths"
}

system_files() {
  for unit in conf/systemd/*; do put_text 644 "$unit" "$UNITDIR/${unit##*/}"; done
  put_text 644 conf/sysusers.conf "$PREFIX/lib/sysusers.d/agent-gateway.conf"
  put_text 644 conf/tmpfiles.conf "$PREFIX/lib/tmpfiles.d/agent-gateway.conf"
  put_text 644 conf/logrotate "$SYSCONFDIR/logrotate.d/agent-gateway"
  put_text 644 conf/lighttpd-debian.conf "$SYSCONFDIR/lighttpd/conf-available/60-agent-gateway.conf"
  put_text 644 conf/lighttpd-tls.conf "$SYSCONFDIR/lighttpd/conf-available/61-agent-gateway-tls.conf"
  put_text 644 conf/apache-debian.conf "$SYSCONFDIR/apache2/conf-available/agent-gateway.conf"
  put_text 644 conf/apache-tls.conf "$SYSCONFDIR/apache2/sites-available/agent-gateway-tls.conf"
}

manuals() {
  for page in contrib/docs/man/*.[158]; do
    put_text 644 "$page" "$PREFIX/share/man/man${page##*.}/${page##*/}"
  done
}

# With the owner's contact. A package has the place of CHANGELOG.md for its own.
documents() {
  text_with=$(mktemp)
  for document in contrib/docs/*.md; do
    contact "$document" >"$text_with"
    [ "${document##*/}" = CHANGELOG.md ] || put 644 "$text_with" "$PREFIX/share/doc/agent-gateway/${document##*/}"
  done
  rm -f "$text_with"
}

# In place of the one that the sources have.
contact() {
  CONTACT=$CONTACT awk -v sample="Agent DeFi Gateway maintainers <maintainers@gateway.example>" '{
    while ((i = index($0, sample)) > 0) {
      printf "%s%s", substr($0, 1, i - 1), ENVIRON["CONTACT"]
      $0 = substr($0, i + length(sample))
    }
    print }' "$1"
}

settings() {
  install -d -m 755 "$DESTDIR$SYSCONFDIR/agent-gateway"
  install -d -m 751 "$DESTDIR$LOCALSTATEDIR/lib/agent-gateway"
  install -d -m 750 "$DESTDIR$LOCALSTATEDIR/log/agent-gateway"
  [ -e "$DESTDIR$SYSCONFDIR/agent-gateway/gateway.conf" ] ||
    install -m 640 "$DESTDIR$LIBDIR/conf/gateway.conf" "$DESTDIR$SYSCONFDIR/agent-gateway/"
  put_link "$SYSCONFDIR/agent-gateway/gateway.conf" "$LIBDIR/gateway.conf"
}

# ---- How ----

# conf/ has the paths of PREFIX=/usr/local.
adapted() {
  sed -e "s|/usr/local/lib/agent-gateway|$LIBDIR|g" -e "s|/usr/local/sbin|$PREFIX/sbin|g" \
    -e "s|/usr/local/lib/systemd/system|$UNITDIR|g" \
    -e "s|/etc/agent-gateway|$SYSCONFDIR/agent-gateway|g" \
    -e "s|/var/lib/agent-gateway|$LOCALSTATEDIR/lib/agent-gateway|g" \
    -e "s|/var/log/agent-gateway|$LOCALSTATEDIR/log/agent-gateway|g" \
    -e "s|/run/agent-gateway|$RUNSTATEDIR/agent-gateway|g" "$1"
}

mode_of() {
  if [ -x "$1" ]; then echo 755; else echo 644; fi
}

# put MODE FILE PLACE
put() {
  if changed_by_operator "$3"; then
    echo "kept as it is: $3"
    echo "$(known_hash "$3")  $3" >>"$new"
    return 0
  fi
  install -D -m "$1" "$2" "$DESTDIR$3"
  echo "$(hash_of "$DESTDIR$3")  $3" >>"$new"
}

# put_text MODE FILE PLACE: with its paths adapted.
put_text() {
  text=$(mktemp)
  adapted "$2" >"$text"
  put "$1" "$text" "$3"
  rm -f "$text"
}

# put_link TARGET PLACE
put_link() {
  install -d "$(dirname "$DESTDIR$2")"
  ln -sfn "$1" "$DESTDIR$2"
  echo "link  $2" >>"$new"
}

hash_of() {
  sha256sum <"$1" | cut -d ' ' -f 1
}

# What a file had when it was installed.
known_hash() {
  awk -v place="$1" '$2 == place { print $1 }' "$MANIFEST"
}

changed_by_operator() {
  case $1 in "$SYSCONFDIR"/*) ;; *) return 1 ;; esac
  [ -e "$DESTDIR$1" ] && [ -e "$MANIFEST" ] || return 1
  former=$(known_hash "$1")
  [ -n "$former" ] && [ "$former" != "$(hash_of "$DESTDIR$1")" ]
}

# ---- Removing ----

# Below LIBDIR nothing but this is installed, by versions that wrote no manifest either.
remove_former() {
  { find "$DESTDIR$LIBDIR" ! -type d ! -path "$MANIFEST" | sed "s|^$DESTDIR||"; in_manifest; } | while read -r place; do
    cut -d ' ' -f 3- "$new" | grep -qxF "$place" || remove "$place"
  done
  remove_empty
}

in_manifest() {
  [ ! -e "$MANIFEST" ] || cut -d ' ' -f 3- "$MANIFEST"
}

uninstall_all() {
  if [ -z "$DESTDIR" ] && [ -x "$LIBDIR/jobs/gateway-setup" ]; then "$LIBDIR/jobs/gateway-setup" --stop; fi
  in_manifest | while read -r place; do remove "$place"; done
  rm -rf "$DESTDIR${LIBDIR:?}"
  remove_empty
  echo "Settings and keys are still in $SYSCONFDIR/agent-gateway, state in $LOCALSTATEDIR/lib/agent-gateway and" \
    "$LOCALSTATEDIR/log/agent-gateway; the database is as it was."
}

remove() {
  if changed_by_operator "$1"; then echo "kept, since it was changed: $1"; else rm -f "$DESTDIR$1"; fi
}

# Folders that only the gateway uses.
remove_empty() {
  rmdir "$DESTDIR$PREFIX/share/doc/agent-gateway" 2>/dev/null || true
  [ ! -d "$DESTDIR$LIBDIR" ] || find "$DESTDIR$LIBDIR" -depth -type d -empty -exec rmdir {} +
}

main "$@"
