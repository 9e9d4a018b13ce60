#!/usr/bin/env bash
# where.sh -- finds the files of one Lua: `where.sh include|lua|lib RUNTIME` prints a path or fails. `where.sh is RUNTIME
# PROGRAM` succeeds if the program is that Lua.
#
# RUNTIME is lua5.1 .. lua5.5 or luajit. It searches build/runtimes, then pkg-config, then the usual places of
# Linux distributions, Homebrew, MacPorts and the BSDs. A header directory is used only if its lua.h has the
# requested version, because plain /usr/include is a different Lua on every system.
set -u
cd "$(dirname "$0")/.." || exit 1
what=${1:-} runtime=${2:-}
case $runtime in
  none) exit 1 ;;
  lua5.[1-5]) v=${runtime#lua} n=${v%.*}${v#*.} ;;
  luajit) v=5.1 n=51 ;;
  *) echo "usage: $0 include|lua|lib|is lua5.1|lua5.2|lua5.3|lua5.4|lua5.5|luajit" >&2; exit 2 ;;
esac
ours=build/runtimes/$runtime

header_fits() {
  [ -f "$1/lua.h" ] || return 1
  if [ "$runtime" = luajit ]; then [ -f "$1/luajit.h" ]; return; fi
  [ -f "$1/luajit.h" ] && return 1
  # 5.5 defines its number by these two; older versions have a single literal.
  grep -Eq "define[[:space:]]+LUA_VERSION_NUM[[:space:]]+50${v#*.}" "$1/lua.h" && return 0
  grep -Eq "define[[:space:]]+LUA_VERSION_MINOR_N[[:space:]]+${v#*.}\b" "$1/lua.h"
}

include_candidates() {
  echo "$ours/include"
  if command -v pkg-config >/dev/null 2>&1; then
    for name in "$runtime" "lua-$v" "lua$n"; do
      [ "$runtime" = luajit ] && [ "$name" != luajit ] && continue
      pkg-config --cflags-only-I "$name" 2>/dev/null | tr ' ' '\n' | sed -n 's/^-I//p'
    done
  fi
  for root in /usr /usr/local /opt/homebrew /opt/local /usr/pkg; do
    if [ "$runtime" = luajit ]; then
      printf '%s\n' "$root/include/luajit-2.1" "$root/include/luajit" "$root/opt/luajit/include/luajit-2.1"
    else
      printf '%s\n' "$root/include/lua$v" "$root/include/lua$n" "$root/include/lua-$v" "$root/include/lua/$v" \
        "$root/opt/lua@$v/include/lua$v" "$root/opt/lua/include/lua$v" "$root/include/lua" "$root/include"
    fi
  done
}

lib_candidates() {
  echo "$ours/lib/liblua.a"
  for d in /usr/lib/*-linux-* /usr/lib /usr/lib64 /usr/local/lib /opt/homebrew/lib /opt/local/lib /usr/pkg/lib; do
    if [ "$runtime" = luajit ]; then echo "$d/libluajit-5.1.a"
    else printf '%s\n' "$d/liblua$v.a" "$d/liblua-$v.a" "$d/liblua$n.a" "$d/lua/$v/liblua.a"; fi
  done
}

# By what -v says, without input: Debian's alternatives can make `lua` a Tarantool, which waits for ever after a script that fails.
is_version() {
  "$1" -v </dev/null 2>&1 | grep -q "^$([ "$runtime" = luajit ] && echo LuaJIT || echo "Lua $v")[^0-9]"
}

case $what in
  is) is_version "$3"; exit ;;
  include) while read -r d; do header_fits "$d" && { echo "$d"; exit 0; }; done < <(include_candidates) ;;
  lib) while read -r f; do [ -f "$f" ] && { echo "$f"; exit 0; }; done < <(lib_candidates) ;;
  lua)
    for name in "$ours/bin/$runtime" "$runtime" "lua$n" "lua-$v" lua; do
      path=$(command -v "$name") && is_version "$path" && { echo "$path"; exit 0; }
    done ;;
esac
exit 1
