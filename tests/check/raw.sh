#!/usr/bin/env bash
# raw.sh -- while raw pointers into Lua's structures are alive nobody calls Lua: the linker builds the raw walks, and all
# that they call, without Lua; the compiler refuses Lua's functions in the layouts, whose functions other files inline.
# It has caught nothing so far; a call would be a crash that depends on the collector, which tests meet by luck.
. "$(dirname "$0")/support/lib.sh"
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
walks="src/encode/raw/instances.c src/encode/raw/empty_slots.c src/encode/state.c src/encode/sort.c src/document/from_lua/instances.c src/document/from_lua/fast.c"
compile=("${CC:-cc}" -std=gnu99 -fPIC -DFLEECE_APART -Isrc)
for f in text json index binary; do "${compile[@]}" -O0 -c -o "$tmp/$f.o" src/parts/$f.c || exit 1; done
layouts=
for r in lua5.4 lua5.1 luajit; do
  inc=$(tools/where.sh include $r) || { skipped "$r: the raw walks link without Lua" "not installed: no $r"; continue; }
  with=(-include src/parts/lua_version.h -I"$inc")
  if [ "$(uname -s)" = Linux ]; then
    # shellcheck disable=SC2086  # files are words
    verdict "$r: the raw walks link without Lua" "$("${compile[@]}" "${with[@]}" -O0 -shared -Wl,-z,defs -o "$tmp/raw.so" \
      $walks "$tmp"/*.o 2>&1 | grep -oE "undefined reference to .*|.*error.*" | sort -u)"
  else
    skipped "$r: the raw walks link without Lua" "this system: its linker takes what is missing from the host"
  fi
  [ -z "$layouts" ] || continue
  { printf '#include <%s>\n' lua.h lauxlib.h lualib.h
    grep -ohE '(\(|define[[:space:]]+)(lua|luaL)_[a-zA-Z_]+\)? *\(' "$inc"/{lua,lauxlib}.h | grep -oE 'luaL?_[a-zA-Z_]+' | sort -u |
      sed 's/^/#pragma GCC poison /'
  } >"$tmp/no_calls.h"
  for f in src/layout/lua5?.h src/layout/luajit_now.h src/layout/luajit_early.h; do
    layouts="$layouts$("${compile[@]}" "${with[@]}" -include "$tmp/no_calls.h" -fsyntax-only -w -x c "$f" 2>&1 |
      grep -m 3 error)"$'\n'
  done
  verdict "layouts call no lua_*" "$(grep . <<<"$layouts")"
  layouts=seen
done
