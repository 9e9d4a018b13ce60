#!/usr/bin/env bash
# hosts.sh -- downloads programs for the tests that are not installed: `hosts.sh [NAME ...]` creates build/hosts/NAME.
#
# Debian's packages, and their missing dependencies, are unpacked into a folder and run from there. If they were
# installed, they would start servers or replace other packages: nginx's module for Lua depends on OpenResty's LuaJIT,
# which replaces the package of plain LuaJIT, which other tests need. About 100 MB are downloaded, most of them for
# mpv; `hosts.sh large` fetches what `make test-hosts` needs, another 125 MB. Prints nothing if everything is there;
# reports what is not available, and exits with 0.
set -u
cd "$(dirname "$0")/.." || exit 1

NAMES="nginx neovim mpv lighttpd apache nmap dnsdist tarantool prosody uwsgi kresd recursor rspamd"
LARGE="pandoc luatex tshark love conky awesome vlc xvfb"

packages_of() {
  case $1 in
    nginx) echo nginx libnginx-mod-http-lua lua-resty-core ;;
    lighttpd) echo lighttpd lighttpd-modules-lua ;;
    apache) echo apache2-bin ;;
    nmap) echo nmap nmap-common ;;
    neovim) echo neovim neovim-runtime ;;
    uwsgi) echo uwsgi-core uwsgi-plugin-lua5.1 ;;
    kresd) echo knot-resolver ;;
    recursor) echo pdns-recursor ;;
    luatex) echo texlive-binaries ;;
    conky) echo conky-std ;;
    vlc) echo vlc-bin vlc-plugin-base ;;
    mpv|dnsdist|tarantool|prosody|rspamd|pandoc|tshark|love|awesome|xvfb) echo "$1" ;;
    *) echo "usage: $0 [large | $NAMES $LARGE]" >&2; return 1 ;;
  esac
}

# unpack NAME PACKAGE ...
unpack() {
  local name=$1 place=build/hosts/$1 log=build/hosts/$1.log new deb all
  shift
  [ -d "$place" ] && return 0
  if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-deb >/dev/null 2>&1; then
    echo "hosts.sh: SKIPPED $name: needs apt-get and dpkg-deb to fetch Debian's packages"; return 0
  fi
  mkdir -p build/hosts
  new=$(mktemp -d "$PWD/build/hosts/.new.XXXXXX") || return 0
  echo "hosts.sh: unpacking $name into $place"
  all=$(apt-get -s install --no-install-recommends "$@" </dev/null 2>"$log" | awk '/^Inst / {print $2}')
  # Installed packages are not in that list, but the program itself must be unpacked even then.
  # shellcheck disable=SC2086  # a list of package names
  (cd "$new" && apt-get download -q "$@" $all </dev/null) >>"$log" 2>&1
  for deb in "$new"/*.deb; do
    [ -f "$deb" ] && dpkg-deb -x "$deb" "$new/root" >>"$log" 2>&1
  done
  for deb in "$@"; do
    [ -d "$new/root/usr/share/doc/$deb" ] && continue
    echo "hosts.sh: SKIPPED $name: no $deb, see $log: $(tail -n 1 "$log")"
    rm -rf "$new"
    return 0
  done
  mv "$new/root" "$place"
  rm -rf "$new"
}

# shellcheck disable=SC2086  # a list of names
[ $# -gt 0 ] || set -- $NAMES
# shellcheck disable=SC2086  # a list of names
[ "$1" = large ] && set -- $LARGE
for name in "$@"; do
  packages=$(packages_of "$name") || exit 2
  # shellcheck disable=SC2086  # a list of package names
  unpack "$name" $packages
done
