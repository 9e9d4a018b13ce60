#!/usr/bin/env bash
# headers.sh -- each file compiles alone, those of the rooms that know no Lua without its headers; the library compiles
# without a warning, with every compiler at hand. What it has caught: headers of x86 that arm64 and musl included
# (558e5b5d), functions that FLEECE_STRICT_READS left without a body (ffa47e1a), conversions (30f27a34).
. "$(dirname "$0")/support/lib.sh"
flags="-std=gnu99 -O1 -Wall -Wextra -Wshadow -Wconversion -Wundef -Wpointer-arith -Wwrite-strings -Wstrict-prototypes -Walloca -Wvla -Werror -Isrc"
inc=
for r in lua5.4 lua5.3 lua5.2 lua5.1 lua5.5 luajit; do inc=$(tools/where.sh include "$r") && break; done
case $r in luajit) inc_v=5.1 ;; *) inc_v=${r#lua} ;; esac

compilers=
for c in "${CC:-cc}" gcc clang; do
  command -v "$c" >/dev/null 2>&1 || continue
  id=$("$c" --version 2>/dev/null | head -n 1 | sed 's/^[^ ]* //')
  case "$compilers" in *"|$id|"*) ;; *) compilers="$compilers|$id|" ; list="${list:-} $c" ;; esac
done

tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
# Compiler runs are most of this check, so they go side by side: each line of the input is a name and the arguments of
# one; what fails is printed under its name.
# shellcheck disable=SC2016  # the inner shell expands it
side_by_side() {
  xargs -P "$jobs" -d '\n' -n 8 bash -c 'for line; do
    name=${line%%|*}
    said=$(eval "${line#*|}" 2>&1) || printf "%s: %s\n" "$name" "$(echo "$said" | grep -m 3 -E "error|warning")"
  done' compile
}

# is_compiled_with FILE HEADER: is it the first that the file includes?
is_compiled_with() { [ -f "$1" ] && [ "$(grep -m 1 '^#include' "$1")" = "#include \"${2##*/}\"" ]; }

first=${list# } first=${first%% *}
alone=
for h in $(c_files); do
  is_template "$h" || is_foreign "$h" || alone="$alone $h"
done
# One compiler tells whether a file includes what it needs. What the others warn of shows in the whole library, below,
# which has all of them.
if [ -z "$inc" ]; then skipped "each file compiles alone with $first" "not installed: no Lua headers"
else
  for f in $alone; do
    # A header that is included twice must stand that too. The header of a .c file, which that includes first, is compiled
    # with it.
    twice= own=${f%.c}.h
    case $f in
      *.h) is_compiled_with "${f%.h}.c" "$f" && continue; twice="-include ${f#src/}" ;;
      *.c) is_compiled_with "$f" "$own" && twice="-include ${own#src/}" ;;
    esac
    lua="-DFLEECE_LUA_VERSION=${inc_v/./0} -I$inc"
    case $f in src/base/*|src/number/*|src/text/*|src/regex/*|src/json/*|src/binary/*) lua= ;; esac
    printf '%s|printf "#include \\"%s\\"\\n" | %s\n' "$f" "${f#src/}" \
      "$first $flags -Wno-unused-function -DFLEECE_APART $lua $twice -fsyntax-only -x c -"
  done >"$tmp/runs"
  verdict "each file compiles alone with $first" "$(side_by_side <"$tmp/runs" | sort)"
fi

# The whole library: every Lua by syntax; what depends on the compiler and on flags in one with integers and one without.
runs_of() {
  local r i more
  echo "library.c|$1 $flags -Iinclude -fPIC -fsyntax-only src/library.c"
  for r in lua5.4 lua5.1 lua5.2 lua5.3 lua5.5 luajit; do
    i=$(tools/where.sh include $r) || continue
    case $1:$r in clang:lua5.4|clang:luajit) ;; clang:*) continue ;; esac
    echo "$r|$1 $flags -I$i -fPIC -fsyntax-only src/fleece.c"
    case $r in lua5.4|luajit) ;; *) continue ;; esac
    echo "library_lua.c $r|$1 $flags -Iinclude -I$i -fPIC -fsyntax-only src/library_lua.c"
    for more in "-std=gnu11 -DFLEECE_NO_SIMD -DFLEECE_ASSERT" "-std=gnu17 -DFLEECE_STRICT_READS=1"; do
      echo "$r $more|$1 $flags $more -I$i -fPIC -fsyntax-only src/fleece.c"
    done
  done
}
if [ -z "$inc" ]; then skipped "the library compiles without a warning" "not installed: no Lua headers"
else
  # Some warnings need the optimizer's view (none of clang's does): those of the objects that users get.
  for said in build/*.o.said build/lua5.?/*.o.said build/luajit/*.o.said; do
    [ ! -f "$said" ] || verdict "the compiler said nothing about ${said%.said}" "$(head -n 5 "$said")"
  done
  for c in $list; do
    verdict "the library compiles without a warning with $c" "$(runs_of "$c" | side_by_side | sort)"
  done
fi

# A function that is called neither here nor where there are no vectors. Those of src/parts are for other parts.
# never_called FLAGS: functions that have a body but no call, as gcc says without "unused" and "inline"; and errors.
never_called() {
  gcc -std=gnu99 -Isrc -I"$inc" -Dunused= -Dinline= -Wunused-function -Wno-attributes "$@" -S -o /dev/null src/fleece.c 2>&1 |
    sed -n "s/.*warning: [^a-z]*\([a-z0-9_]*\).* defined but not used.*/\1/p; /error:/p" | LC_ALL=C sort
}
name="every function is called"
if [ -z "$inc" ] || [ "$(uname -m)" != x86_64 ] || ! gcc --version 2>/dev/null | grep -q 'Free Software'; then
  skipped "$name" "not installed: gcc for x86-64 and Lua headers"
else
  verdict "$name" "$(LC_ALL=C comm -12 <(never_called) <(never_called -DFLEECE_NO_SIMD) | grep -vxE 'mod_without_.*|dropin_missing')"
fi

# Other CPUs, by syntax alone: arm64 for its vectors, s390x for its byte order, i386 for its pointers. This
# system's C headers serve, once the two that ask for this CPU are out of the way.
mkdir -p "$tmp/system/gnu" "$tmp/system/bits" && : >"$tmp/system/gnu/stubs.h"
targets="aarch64 s390x i386"
command -v clang >/dev/null 2>&1 || { skipped "the library compiles for $targets" "not installed: clang"; targets=; }
for target in $targets; do
  case $target in i386) bits=32 ;; *) bits=64 ;; esac
  printf '#define __WORDSIZE %s\n#define __WORDSIZE_TIME64_COMPAT32 0\n' $bits >"$tmp/system/bits/wordsize.h"
  name="the library and its vector headers compile for $target"
  try="clang --target=$target-linux-gnu -isystem $tmp/system -isystem /usr/include/$(${CC:-cc} -print-multiarch 2>/dev/null)"
  try="$try -fsyntax-only -Wno-unused-function -Wno-macro-redefined $flags"
  printf '#include <stdint.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n' >"$tmp/one.c"
  if ! $try "$tmp/one.c" >/dev/null 2>&1; then skipped "$name" "this system: no C headers that fit"; continue; fi
  wrong=
  for h in $(c_files); do
    case $target:$h in aarch64:*/arm/*.h) ;; *:src/fleece.c) [ -n "$inc" ] || continue ;; *) continue ;; esac
    printf '#include "%s"\n' "${h#src/}" >"$tmp/one.c"
    said=$($try ${inc:+-I$inc} "$tmp/one.c" 2>&1) || wrong="$wrong$h: $(echo "$said" | grep -m 3 -E 'error|warning')"$'\n'
  done
  verdict "$name" "${wrong%$'\n'}"
done
