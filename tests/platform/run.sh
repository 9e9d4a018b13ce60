#!/usr/bin/env bash
# run.sh -- the tests on another CPU (emulated) or C library; prints TAP. Run by tests/run.py platform/s390x and so on.
#
# s390x has the other byte order, arm64 other vectors, i386 and armhf pointers of 32 bits; musl is Alpine's C library.
# It builds the C tests that do not need Lua, with a small replacement for cmocka, the fuzz target of the binary format
# with its corpus, and Lua 5.4 with the module for the Lua tests that depend on the platform.
# FLEECE_TEST_PLATFORM=all runs all Lua tests, on arm64 in all Luas.
#
# Needs a cross compiler with its C library and, except for i386 on x86-64 and musl, an emulator. Debian:
# gcc-s390x-linux-gnu libc6-dev-s390x-cross, gcc-aarch64-linux-gnu libc6-dev-arm64-cross, gcc-arm-linux-gnueabihf
# libc6-dev-armhf-cross, gcc-i686-linux-gnu libc6-dev-i386-cross; qemu-user; musl-tools. And the sources of Lua in
# build/sources (tools/runtimes.sh).
set -u
cd "$(dirname "$0")/../.." || exit 1
out=$PWD/build/platform/$1 sources=$PWD/build/sources/lupa/third-party
unset LUA_PATH LUA_INIT FLEECE_LAYOUT
for v in 5_2 5_3 5_4 5_5; do unset LUA_PATH_$v LUA_CPATH_$v LUA_INIT_$v; done
export FLEECE_TEST_ROUNDS=${FLEECE_TEST_ROUNDS:-0.1} FLEECE_TEST_COUNT=5000
RUNTIMES=lua5.4
# The compiler takes longer than the tests: always for the module, and for the C tests where nothing is emulated.
case $1:${FLEECE_TEST_PLATFORM:-} in *:all) optimize=-O1 ;; i386:*|musl:*) optimize=-O0 ;; *) optimize=-O1 ;; esac
if [ "${FLEECE_TEST_PLATFORM:-}" = all ]; then sparse='' module=-O1
else sparse=-DFLEECE_TEST_SPARSE module=-O0; fi # sparse: as with slow checkers

case $1 in
  s390x) target=s390x-linux-gnu qemu=qemu-s390x layout=api ;;
  arm64) target=aarch64-linux-gnu qemu=qemu-aarch64 layout=
         [ "${FLEECE_TEST_PLATFORM:-}" = all ] && RUNTIMES="lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit" ;;
  armhf) target=arm-linux-gnueabihf qemu=qemu-arm layout=api ;;
  i386)  target=i686-linux-gnu qemu=qemu-i386 layout=api ;;
  musl)  target=musl qemu= layout= ;;
  *)     echo "usage: $0 s390x | arm64 | armhf | i386 | musl" >&2; exit 2 ;;
esac
# x86-64 runs i386 programs without an emulator.
[ "$1 $(uname -m)" = "i386 x86_64" ] && qemu=/usr/$target/lib/ld-linux.so.2

skipped() { echo "ok - $1 # SKIP $2"; exit 0; }
command -v $target-gcc >/dev/null || skipped "the tests on $1" "not installed: no $target-gcc"
[ -z "$qemu" ] || command -v "$qemu" >/dev/null || skipped "the tests on $1" "not installed: no ${qemu##*/}"
rm -rf "$out" && mkdir -p "$out"

# compile PROGRAM SOURCES AND FLAGS: an error of the compiler is one failed test.
compile() {
  local exe=$1 said
  shift
  said=$($target-gcc -std=gnu99 $optimize "$@" -o "$exe" -lm -ldl -lpthread 2>&1) && return
  echo "not ok - $exe is built"
  printf '%s\n' "$said" | tail -n 5 | sed 's/^/#   /'
  return 1
}

# wrapped PROGRAM: makes a script PROGRAM that runs PROGRAM.real under the emulator, with its own name as argv[0].
wrapped() {
  case $qemu in
    '') echo "exec $1.real \"\$@\"" ;;
    /*) echo "exec $qemu --library-path /usr/$target/lib --argv0 $1 $1.real \"\$@\"" ;;
    *)  echo "exec $qemu -L /usr/$target -0 $1 $1.real \"\$@\"" ;;
  esac | cat <(echo '#!/bin/sh') - >"$1" && chmod +x "$1"
}

# run NAME PROGRAM ARGUMENTS: prints its TAP, and a failure if it fails without having reported one; false if it fails.
run() {
  local name=$1 said code
  shift
  said=$("$@" 2>&1)
  code=$?
  printf '%s\n' "$said" | grep -aE '^(ok|not ok|#)' | grep -av '^# Started'
  [ $code = 0 ] && return
  grep -q '^not ok' <<<"$said" && return 1
  echo "not ok - $name ends with $code"
  printf '%s\n' "$said" | tail -n 5 | sed 's/^/#   /'
  return 1
}

# ---- C tests without Lua ------------------------------------------------------------------------------------------

# The tests need the code of src/ that does not use Lua (tests/programs.mk).
make -s --no-print-directory build/tests/core.c || exit 1
compile "$out/code.o" -DFLEECE_ASSERT -DFLEECE_APART -Isrc -c build/tests/core.c
for f in tests/c/*/test_*.c; do
  name=$(basename "$f" .c)
  grep -Eq '^#[[:space:]]*include[[:space:]]+[<"](lua|.*fleece\.c)' "$f" && continue
  # shellcheck disable=SC2086  # one flag or none
  compile "$out/$name.real" $sparse -DFLEECE_ASSERT -DFLEECE_APART -Isrc -Itests/c/support/plain "$f" "$out/code.o" &&
    wrapped "$out/$name" && run "$name" "$out/$name"
done
compile "$out/fuzz.real" -DFLEECE_ASSERT -DFLEECE_APART -Isrc fuzz/binary.c fuzz/drive.c "$out/code.o" &&
  wrapped "$out/fuzz" &&
  run "the fuzz corpus" "$out/fuzz" -r 500 fuzz/corpus/binary && echo "ok - the fuzz corpus of the binary format"

# ---- the module ---------------------------------------------------------------------------------------------------

[ -f "$sources/lua54/lua.c" ] || skipped "the module on $1" "not installed: the sources of Lua are not in build/sources (tools/runtimes.sh)"
[ -n "${LUAUNIT:-}" ] || skipped "the module on $1" "not installed: LuaUnit is not installed, or this was not run by tests/run.py"

build_lua() {
  local dir=$out/$1 from=$sources/lua${1#lua}
  from=${from/5./5}
  mkdir -p "$dir"
  if [ "$1" = luajit ]; then
    cp -r "$sources/luajit21" "$dir/src"
    make -C "$dir/src/src" -j2 HOST_CC="${CC:-cc}" CROSS=$target- TARGET_SYS=Linux BUILDMODE=static luajit >"$dir/log" 2>&1 ||
      { echo "not ok - LuaJIT is built for $target"; return 1; }
    from=$dir/src/src
    cp "$from/luajit" "$dir/lua.real"
  else
    [ -d "$from/src" ] && from=$from/src
    # shellcheck disable=SC2046  # a list of files
    compile "$dir/lua.real" -DLUA_USE_POSIX -DLUA_USE_DLOPEN -DLUA_COMPAT_5_3 -Wl,-E -I"$from" \
      $(find "$from" -maxdepth 1 -name '*.c' | grep -vE '/(luac|onelua|ltests|print)\.c$') || return 1
  fi
  compile "$dir/fleece.so" $module -DFLEECE_ASSERT -Isrc -I"$from" -shared -fPIC src/fleece.c && wrapped "$dir/lua"
}

tests="test_values test_numbers test_utf8 test_flags test_options test_write test_decode test_decode_options test_decode_lenient
  test_decode_tables test_info test_binary test_binary_documents test_binary_views test_binary_encoder test_pack test_pack_keys
  test_mutable test_cjson test_dkjson test_rxi test_rapidjson test_rapidjson_schema test_luajson
  test_json4lua test_any_arguments"
# Emulated, all of them take minutes: those that show the order of bytes, vectors and the layout; `make soak` runs all.
case $qemu in
  qemu-*) tests="test_values test_numbers test_utf8 test_flags test_decode test_info test_binary test_binary_documents
    test_binary_encoder test_pack test_mutable" ;;
esac
[ "${FLEECE_TEST_PLATFORM:-}" = all ] && tests=
[ -n "$layout" ] && export FLEECE_EXPECT_LAYOUT=$layout
for r in $RUNTIMES; do
  build_lua "$r" || continue
  export LUA_CPATH="$out/$r/?.so" LUA_PATH="lua/?.lua;tests/lua/support/?.lua;$LUAUNIT"
  [ "$1:${FLEECE_TEST_PLATFORM:-}" != musl:all ] ||
    CC=$target-gcc LUA=$out/$r/lua INCLUDE=$sources/lua54 FLEECE_TEST_LONG=1 bash tests/check/parts.sh "$r"
  # shellcheck disable=SC2086  # a list of names
  run "the module in $r" "$out/$r/lua" tests/lua/run.lua $tests -o tap | sed "s/^\(not ok\|ok\)[[:space:]]*[0-9]*/\1 - $r/"
done
