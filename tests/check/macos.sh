#!/usr/bin/env bash
# macos.sh -- the module and the C libraries are compiled and linked for macOS on both CPUs, without a warning.
# Nothing is run: that needs a Mac. The compiler is Zig's, with Apple's symbols (tools/install.sh zig puts it into
# build/zig). What it has caught: conversions of enums (0f791afe), a double compared with an enum (c0007224).
. "$(dirname "$0")/support/lib.sh"
zig=$(zig_program) || { skipped "macOS" "not installed: no zig (tools/install.sh zig)"; exit 0; }
lua=$PWD/build/sources/lupa/third-party
[ -f "$lua/lua54/lua.h" ] || { skipped "macOS" "not installed: the sources of Lua are not in build/sources (tools/runtimes.sh fetches them)"; exit 0; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export ZIG_LOCAL_CACHE_DIR=$tmp/cache ZIG_GLOBAL_CACHE_DIR=$tmp/cache
warn="-Wall -Wextra -Wshadow -Wconversion -Werror"
problem() { "$@" >"$tmp/log" 2>&1 || { head -n 8 "$tmp/log"; echo "exit code not 0"; }; }
# Zig instruments what it does not optimise, unless told otherwise; its own run-time library, which nothing here needs,
# would take half a minute to compile.
compile() { problem "$zig" cc -target "$cpu-macos" -std=gnu99 -O0 -fno-sanitize=undefined -DNDEBUG -fPIC -Isrc -Iinclude "$@"; }
link() { problem "$zig" cc -target "$cpu-macos" -nostdlib "$@" -lSystem; }
# is WHAT FILE: is it that kind of Mach-O file, for this CPU?
is() {
  python3 - "$cpu" "$@" <<'PY'
import struct, sys
cpu, kind, path = sys.argv[1:]
kinds, cpus = {"program": 2, "library": 6}, {"x86_64": 0x1000007, "aarch64": 0x100000C}
with open(path, "rb") as f:
    magic, found_cpu, _, found_kind = struct.unpack("<4I", f.read(16))
if (magic, found_cpu, found_kind) != (0xFEEDFACF, cpus[cpu], kinds[kind]):
    print("%s: magic %x, CPU %x, kind %d" % (path, magic, found_cpu, found_kind))
PY
}

for cpu in aarch64 x86_64; do
  # On each CPU another Lua: one with integers, and one without, whose structures are others.
  case $cpu in aarch64) v=51 include=$lua/lua51/src ;; *) v=54 include=$lua/lua54 ;; esac
  # shellcheck disable=SC2086  # words
  said=$(compile $warn "-I$include" -c -o "$tmp/fleece.o" src/fleece.c)
  [ -n "$said" ] || said=$(link -shared -undefined dynamic_lookup -o "$tmp/fleece.so" "$tmp/fleece.o")
  [ -n "$said" ] || said=$(is library "$tmp/fleece.so")
  verdict "$cpu: the module for Lua 5.${v#5} is compiled and linked" "$said"

  # shellcheck disable=SC2086
  said=$(compile $warn -c -o "$tmp/library.o" src/library.c)
  [ -n "$said" ] || said=$(link -shared -o "$tmp/libfleece.1.dylib" "$tmp/library.o" -Wl,-install_name,@rpath/libfleece.1.dylib)
  [ -n "$said" ] || said=$(is library "$tmp/libfleece.1.dylib")
  [ -n "$said" ] || said=$(compile -c -o "$tmp/binary.o" examples/embed/binary.c)
  [ -n "$said" ] || said=$(link -o "$tmp/binary" "$tmp/binary.o" "$tmp/libfleece.1.dylib")
  [ -n "$said" ] || said=$(is program "$tmp/binary")
  verdict "$cpu: the C library, and a program with it" "$said"
done

# Nothing but Lua and the system is missing in the module: an interpreter that contains it has all symbols.
said=$(compile "-I$lua/lua54" -DMAKE_LUA -c -o "$tmp/lua.o" "$lua/lua54/onelua.c")
[ -n "$said" ] || said=$(link -o "$tmp/lua" "$tmp/lua.o" "$tmp/fleece.o")
[ -n "$said" ] || said=$(is program "$tmp/lua")
verdict "$cpu: an interpreter with the module in it" "$said"
