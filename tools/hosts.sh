#!/usr/bin/env bash
# hosts.sh -- fetches servers for the tests that must not be installed: `hosts.sh nginx` makes build/hosts/nginx.
#
# Debian's nginx module for Lua comes with OpenResty's LuaJIT, which replaces the package of the plain one: installing
# it would take away the LuaJIT that the other tests run on. So the packages are unpacked into a folder, nothing is
# installed, and nginx runs from there. Quiet when it is there; what cannot be had it says, and exits with 0.
set -u
cd "$(dirname "$0")/.." || exit 1

NGINX="nginx nginx-common libnginx-mod-http-lua libnginx-mod-http-ndk lua-resty-core lua-resty-lrucache
  libluajit2-5.1-2 libluajit2-5.1-common libpcre3"

nginx() {
  local place=build/hosts/nginx new log=build/hosts/nginx.log deb package
  [ -x $place/usr/sbin/nginx ] && return 0
  if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-deb >/dev/null 2>&1; then
    echo "hosts.sh: SKIPPED nginx: needs apt-get and dpkg-deb to fetch Debian's packages"; return 0
  fi
  mkdir -p build/hosts
  new=$(mktemp -d "$PWD/build/hosts/.new.XXXXXX") || return 0
  echo "hosts.sh: unpacking nginx and its Lua module into $place"
  # Package by package: a library that another release does without must not stop the others.
  (cd "$new" && for package in $NGINX; do apt-get download -q "$package" </dev/null; done) >$log 2>&1
  for deb in "$new"/*.deb; do
    [ -f "$deb" ] && dpkg-deb -x "$deb" "$new/root" >>$log 2>&1
  done
  if [ -x "$new/root/usr/sbin/nginx" ] && [ -f "$new/root/usr/lib/nginx/modules/ngx_http_lua_module.so" ]; then
    rm -rf $place && mv "$new/root" $place
  else
    echo "hosts.sh: SKIPPED nginx: the packages could not be fetched, see $log: $(tail -n 1 $log)"
  fi
  rm -rf "$new"
}

for name in "$@"; do
  case $name in
    nginx) nginx ;;
    *) echo "usage: $0 nginx" >&2; exit 2 ;;
  esac
done
