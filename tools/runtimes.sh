#!/usr/bin/env bash
# runtimes.sh -- builds Luas into build/runtimes/NAME/{bin,include,lib}: `runtimes.sh standard|odd|NAME ...`.
#
#   standard   those of lua5.1 .. lua5.5 and luajit for which this system has no interpreter or headers
#   odd        builds that differ from the Lua that the module was compiled for; used by the mismatch tests
#
# Sources: the Python source distribution `lupa` contains complete Lua 5.1 to 5.5 and LuaJIT 2.0 and 2.1; pip
# downloads it. The Rust crate `luajit-src` is a newer LuaJIT; it needs cargo. OpenResty's LuaJIT is Debian's
# package, unpacked and not installed. Tarantool's, which has strings as before June 2020, is part of Debian's source
# package of Tarantool. What is not available is skipped with a message.
#
# Writes build/runtimes/LIST, one line per available Lua: name, interpreter, Lua version of its C API, and what
# the module must do there: raw (reads tables directly), api (falls back), refuse (does not load).
set -u
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS CFLAGS LDFLAGS LUA_PATH LUA_CPATH
CC=${CC:-cc}
RECIPE=1  # increase it when a build below changes, so that all are built again
JOBS=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
out=$PWD/build/runtimes sources=$PWD/build/sources
LUPA=2.8 LUPA_SHA256=d8022641b9ec8ecf2c5ecbe9f47e5a70e0b87c4b5ae921b92cb02a638e0acd08
CRATE=210.7.4

STANDARD="lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit"
# name, version of the C API, expected result
ODD="lua5.1-redis      5.1 api
lua5.1-float      5.1 refuse
lua5.2-table523   5.2 api
lua5.3-align      5.3 api
lua5.3-32bits     5.3 refuse
lua5.4-new        5.4 raw
lua5.4-assert     5.4 raw
lua5.4-cxx        5.4 raw
lua5.4-layout540  5.4 api
lua5.4-32bits     5.4 refuse
lua5.5-assert     5.5 raw
luajit-new        5.1 raw
luajit-assert     5.1 raw
luajit-dualnum    5.1 raw
luajit-nogc64     5.1 api
luajit-2.0        5.1 api
luajit-openresty  5.1 raw
luajit-tarantool  5.1 raw"

say() { echo "runtimes.sh: $*"; }
skip() { say "SKIPPED $1: $2"; }

# ---- sources ----------------------------------------------------------------------------------------------

# `pip download` needs the metadata of a source distribution, and this one would compile itself to produce it.
# A substitute build backend returns the metadata instead, so no downloaded code is run.
fetch_lupa() {
  [ -f "$sources/lupa/third-party/lua55/lua.c" ] && return 0
  command -v python3 >/dev/null 2>&1 || { why="python3 is missing"; return 1; }
  python3 -m pip --version >/dev/null 2>&1 || { why="pip is missing"; return 1; }
  mkdir -p "$sources/backend/setuptools"
  : >"$sources/backend/setuptools/__init__.py"
  cat >"$sources/backend/setuptools/build_meta.py" <<PY
import os
class Known:
    def get_requires_for_build_wheel(self, settings=None):
        return []
    def prepare_metadata_for_build_wheel(self, folder, settings=None):
        name = "lupa-$LUPA.dist-info"
        os.mkdir(os.path.join(folder, name))
        with open(os.path.join(folder, name, "METADATA"), "w") as f:
            f.write("Metadata-Version: 2.1\nName: lupa\nVersion: $LUPA\n")
        return name
__legacy__ = Known()
PY
  local archive=$sources/lupa-$LUPA.tar.gz
  if [ ! -f "$archive" ]; then
    say "fetching the Lua sources (pip download lupa==$LUPA)"
    PYTHONPATH=$sources/backend python3 -m pip --disable-pip-version-check -q download --no-deps \
      --no-build-isolation --no-binary lupa -d "$sources" "lupa==$LUPA" >"$sources/pip.log" 2>&1 ||
      { why="pip could not fetch lupa: $(grep -E 'ERROR|rror:' "$sources/pip.log" | tail -n 1)"; return 1; }
  fi
  python3 - "$archive" "$LUPA_SHA256" <<'PY' || { why="lupa's checksum is not the expected one"; rm -f "$archive"; return 1; }
import hashlib, sys
sys.exit(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest() != sys.argv[2])
PY
  rm -rf "$sources/lupa" "$sources/lupa-$LUPA"
  if ! tar -xzf "$archive" -C "$sources" || ! mv "$sources/lupa-$LUPA" "$sources/lupa"; then
    why="lupa's archive does not unpack"; return 1
  fi
}

# The newest LuaJIT: the crate if cargo is installed (cargo vendor compiles nothing), else lupa's.
fetch_luajit_new() {
  [ -d "$sources/crates/luajit-src/luajit2" ] && return 0
  command -v cargo >/dev/null 2>&1 || return 1
  mkdir -p "$sources/cargo" && : >"$sources/cargo/lib.rs"
  printf '[package]\nname = "sources"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n[dependencies]\nluajit-src = "=%s"\n' \
    "$CRATE" >"$sources/cargo/Cargo.toml"
  (cd "$sources/cargo" && timeout 120 cargo vendor -q "$sources/crates") >"$sources/cargo.log" 2>&1 ||
    { say "cargo could not fetch luajit-src ($(grep -m 1 -i error "$sources/cargo.log")); lupa's LuaJIT is used"; return 1; }
}

# Tarantool's sources; apt-get checks their signature. The system's lists may have no sources, so these are their copies.
fetch_tarantool() {
  [ -d "$sources/tarantool/third_party/luajit/src" ] && return 0
  local apt=$sources/apt
  rm -rf "$apt" && mkdir -p "$apt/parts" "$apt/lists/partial" || return 1
  sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/*.sources >"$apt/parts/all.sources" 2>/dev/null
  sed 's/^deb /deb-src /' /etc/apt/sources.list /etc/apt/sources.list.d/*.list >"$apt/parts/all.list" 2>/dev/null
  set -- -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/parts" -o Dir::State::lists="$apt/lists"
  (cd "$apt" && apt-get "$@" update && apt-get "$@" --download-only source tarantool) || return 1
  rm -rf "$sources/tarantool" && mkdir "$sources/tarantool" &&
    tar -xzf "$apt"/tarantool_*.orig.tar.gz -C "$sources/tarantool" --strip-components 1
}

# ---- building ---------------------------------------------------------------------------------------------

# edit FILE SED: it is an error if a change does not apply, because otherwise the ordinary Lua would be built.
edit() {
  cp "$1" "$1.before" && sed "$2" "$1.before" >"$1"
  ! cmp -s "$1" "$1.before" || { echo "edit of $1 changed nothing: $2"; return 1; }
}

# puc NAME 5x "flags": compiles a copy of lupa's Lua (edited by change_NAME, if that exists).
puc() {
  local name=$1 n=$2 flags=$3 dir=$new src=$sources/lupa/third-party/lua$2 lua=lua${2%?}.${2#?}
  [ "$n" = 51 ] && src=$src/src
  mkdir -p "$dir/src" "$dir/bin" "$dir/include" "$dir/lib"
  cp "$src"/*.[ch] "$dir/src"
  cd "$dir/src" || return 1
  rm -f luac.c print.c onelua.c ltests.c ltests.h
  if declare -F "change_$name" >/dev/null; then "change_$name" || return 1; fi
  # shellcheck disable=SC2086  # flags are words
  printf '%s\n' *.c | xargs -P "$JOBS" -n 6 $CC -std=gnu99 $OPTIMISE -w -fPIC $flags $SYSTEM -c || return 1
  mv lua.o .. && ar rcs ../lib/liblua.a ./*.o && mv ../lua.o . || return 1
  # shellcheck disable=SC2086
  $CC $EXPORT -o "../bin/$lua" lua.o ../lib/liblua.a -lm $DL || return 1
  cp lua.h luaconf.h lauxlib.h lualib.h ../include
  "../bin/$lua" -e 'assert(#tostring(print) > 0 and ("x"):rep(3) == "xxx")' || return 1
  ln -sf "$lua" ../bin/lua
}
change_lua5.1-redis() {  # Redis adds an int after the flags, which moves everything after it
  edit lobject.h '/typedef struct Table {/,/} Table;/s/lu_byte flags;.*/lu_byte flags; int readonly;/' &&
    edit ltable.c 's/^  t->flags = cast_byte(~0);/&  t->readonly = 0;/'
}
change_lua5.1-float() {
  edit luaconf.h '/^#define LUA_NUMBER_DOUBLE/d; s/^#define LUA_NUMBER[[:space:]]*double/#define LUA_NUMBER float/;
    s/"%lf"/"%f"/; s/"%.14g"/"%.7g"/'
}
change_lua5.2-table523() {  # up to 5.2.3 the metatable was first and the array's size last
  edit lobject.h '/typedef struct Table {/,/} Table;/{
    /int sizearray;/d; /struct Table \*metatable;/d
    s/^  lu_byte lsizenode;.*/&\n  struct Table *metatable;/; s/^  GCObject \*gclist;/&\n  int sizearray;/; }'
}
change_lua5.3-32bits() { edit luaconf.h 's/^\(.*#define LUA_32BITS\)$/\1 1/; s/^\/\* #define LUA_32BITS \*\//#define LUA_32BITS/'; }
change_lua5.4-cxx() { edit luaconf.h 's/^#define LUA_API[[:space:]]*extern$/#define LUA_API extern "C"/'; }
change_lua5.4-32bits() { edit luaconf.h 's/^#define LUA_32BITS[[:space:]]*0/#define LUA_32BITS 1/'; }
change_lua5.4-layout540() {  # 5.4.0 kept "alimit is not the size" in `marked`, and fresh flags were 0xFF
  edit "$(grep -l 'define setrealasize' ./*.h)" '/define.*realasize/s/->flags/->marked/' &&
    edit ltable.c 's/^  t->flags = .*maskflags.*/  t->flags = 0xFF;/'
}

# luajit NAME SOURCE "XCFLAGS" ["make variables"]
luajit() {
  local src=$2 flags=$3 dir=$new
  shift 3
  mkdir -p "$dir/bin" "$dir/include" "$dir/lib"
  cp -R "$src" "$dir/src" && cd "$dir/src" || return 1
  rm -rf .git; rm -f src/luajit_relver.txt
  # 2.1 needs a commit number, which a source archive does not have; the archive's date is used.
  grep -q '^[0-9]' .relver 2>/dev/null || date -r "$src/Makefile" +%s >.relver
  [ -f "$src/../luajit_relver.txt" ] && cp "$src/../luajit_relver.txt" .relver
  make -C src clean >/dev/null 2>&1
  make -C src -j"$JOBS" BUILDMODE=static CC="$CC" CCOPT="$OPTIMISE -fomit-frame-pointer" XCFLAGS="$flags" "$@" luajit || return 1
  cp src/libluajit.a ../lib/liblua.a && cp src/luajit ../bin/luajit || return 1
  cp src/lua.h src/luaconf.h src/lauxlib.h src/lualib.h src/luajit.h ../include || return 1
  ../bin/luajit -e 'assert(jit)' && ln -sf luajit ../bin/lua
}

openresty() {
  local deb lib exe
  mkdir -p "$new/bin" "$new/deb" && cd "$new/deb" || return 1
  apt-get download luajit2 libluajit2-5.1-2 libluajit2-5.1-common || return 1
  for deb in *.deb; do dpkg-deb -x "$deb" "$new/root" || return 1; done
  cd "$new/root" || return 1
  lib=$(find . -name 'libluajit2*.so.2' -o -name 'libluajit-5.1.so.2' | head -n 1)
  exe=$(find ./usr/bin -type f -name 'luajit*' | head -n 1)
  [ -n "$lib" ] && [ -n "$exe" ] || return 1
  cat >"$new/bin/luajit" <<SH
#!/bin/sh
root=\$(cd "\$(dirname "\$0")/../root" && pwd)
LD_LIBRARY_PATH=\$root/$(dirname "$lib") exec "\$root/$exe" "\$@"
SH
  chmod +x "$new/bin/luajit"
  "$new/bin/luajit" -e 'assert(jit)' && ln -sf luajit "$new/bin/lua"
}

case $(uname -s) in
  Darwin) SYSTEM="-DLUA_USE_POSIX -DLUA_USE_DLOPEN" EXPORT='' DL='' ;;
  *BSD)   SYSTEM="-DLUA_USE_POSIX -DLUA_USE_DLOPEN" EXPORT=-Wl,-E DL='' ;;
  *)      SYSTEM="-DLUA_USE_POSIX -DLUA_USE_DLOPEN" EXPORT=-Wl,-E DL=-ldl ;;
esac

build() {
  local lj=$sources/lupa/third-party/luajit21 OPTIMISE=-O2
  case $1 in *-*) OPTIMISE=-O1 ;; esac  # the odd ones are not measured
  case $1 in
    lua5.1)           puc "$1" 51 "" ;;
    lua5.2)           puc "$1" 52 -DLUA_COMPAT_ALL ;;
    lua5.3)           puc "$1" 53 -DLUA_COMPAT_5_2 ;;
    lua5.4)           puc "$1" 54 -DLUA_COMPAT_5_3 ;;
    lua5.5)           puc "$1" 55 -DLUA_COMPAT_5_4 ;;
    luajit)           luajit "$1" "$lj" "" ;;
    lua5.1-*)         puc "$1" 51 "" ;;
    lua5.2-*)         puc "$1" 52 -DLUA_COMPAT_ALL ;;
    lua5.3-align)     puc "$1" 53 "-DLUA_COMPAT_5_2 -DLUAI_USER_ALIGNMENT_T=__int128" ;;
    lua5.3-*)         puc "$1" 53 -DLUA_COMPAT_5_2 ;;
    lua5.4-assert)    puc "$1" 54 "-DLUAI_ASSERT -DLUA_USE_APICHECK" ;;
    lua5.5-assert)    puc "$1" 55 "-DLUAI_ASSERT -DLUA_USE_APICHECK" ;;
    # Compiled as C++, where errors are exceptions that pass through the module.
    lua5.4-cxx)       DL="$DL -lstdc++"; puc "$1" 54 "-x c++ -std=gnu++11" ;;
    lua5.4-*)         puc "$1" 54 -DLUA_COMPAT_5_3 ;;
    luajit-new)       fetch_luajit_new && lj=$sources/crates/luajit-src/luajit2; luajit "$1" "$lj" "" ;;
    # With the system's malloc every Lua object is a separate block for sanitizers.
    luajit-assert)    luajit "$1" "$lj" "-DLUA_USE_ASSERT -DLUA_USE_APICHECK -DLUAJIT_USE_SYSMALLOC" ;;
    luajit-dualnum)   luajit "$1" "$lj" "-DLUAJIT_NUMMODE=2" ;;
    luajit-nogc64)    luajit "$1" "$lj" "-DLUAJIT_DISABLE_GC64" ;;
    luajit-2.0)       luajit "$1" "$sources/lupa/third-party/luajit20" "" ;;
    luajit-openresty) openresty ;;
    luajit-tarantool) fetch_tarantool && luajit "$1" "$sources/tarantool/third_party/luajit" -DLUAJIT_ENABLE_GC64 ;;
    *)                echo "no such runtime: $1"; return 1 ;;
  esac
}

# one NAME: builds it, unless this version of the script has built it before.
one() {
  local name=$1 stamp=$out/$1/.built now="$RECIPE $LUPA $CRATE" why='' new=$out/.new.$1.$$
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$now" ] && return 0
  case $name in
    luajit-openresty|luajit-tarantool)
      if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-deb >/dev/null 2>&1; then
        skip "$name" "needs apt-get and dpkg-deb"; return 0
      fi ;;
    luajit-nogc64|luajit-2.0|luajit-dualnum)
      [ "$(uname -m)" = x86_64 ] || { skip "$name" "built on x86-64 only"; return 0; } ;;
  esac
  case $name in
    luajit-openresty|luajit-tarantool) ;;
    *) fetch_lupa || { skip "$name" "$why"; return 0; } ;;
  esac
  say "building $name"
  rm -rf "$new"; mkdir -p "$new"
  if (build "$name") >"$out/$name.log" 2>&1; then
    rm -rf "$new/src" "$new/deb"
    echo "$now" >"$new/.built"
    rm -rf "${out:?}/$name" && mv "$new" "$out/$name"
  else
    rm -rf "$new"
    skip "$name" "the build failed, see build/runtimes/$name.log: $(tail -n 1 "$out/$name.log")"
  fi
}

write_list() {
  {
    echo "# name  interpreter  Lua version of the C interface  what the module must do there"
    for r in $STANDARD; do
      lua=$(tools/where.sh lua "$r") || continue
      v=${r#lua}; [ "$r" = luajit ] && v=5.1
      case $lua in /*) ;; *) lua=$PWD/$lua ;; esac
      echo "$r $lua $v raw"
    done
    echo "$ODD" | while read -r name v verdict; do
      [ ! -f "$out/$name/.built" ] || echo "$name $out/$name/bin/lua $v $verdict"
    done
  } >"$out/LIST.new" && mv "$out/LIST.new" "$out/LIST"
}

mkdir -p "$out" "$sources"
for asked in "${@:-standard}"; do
  case $asked in
    standard)
      for r in $STANDARD; do
        if ! tools/where.sh lua "$r" >/dev/null || ! tools/where.sh include "$r" >/dev/null; then one "$r"; fi
      done ;;
    odd) for r in $(echo "$ODD" | awk '{print $1}'); do one "$r"; done ;;
    *) one "$asked" ;;
  esac
done
write_list
