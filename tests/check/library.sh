#!/usr/bin/env bash
# library.sh -- the C library as its users meet it: headers in strict C and C++, symbols, install and uninstall, the
# examples and the code of docs/c.md, built by pkg-config from where it was installed. What it has caught: a function
# of glibc that the list of imports lacked (32adebe0).
. "$(dirname "$0")/support/lib.sh"
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS LUA_PATH LUA_CPATH LUA_INIT
cc=${CC:-cc}
strict="-Wall -Wextra -pedantic -Wshadow -Wundef -Werror"
r=lua5.4 lua_inc=$(tools/where.sh include lua5.4) && lua_lib=$(tools/where.sh lib lua5.4) || r=none

# ---- the headers, without Lua's
for language in c:c99 c:c11 c:c17 c++:c++98 c++:c++11 c++:c++17; do
  case $language in c:*) compiler=$cc ;; *) compiler=${CXX:-c++} ;; esac
  name="the headers compile as ${language#*:}"
  command -v "$compiler" >/dev/null 2>&1 || { skipped "$name" "not installed: no $compiler"; continue; }
  printf '#include "fleece-text.h"\n#include "fleece-lua.h"\n#include "fleece.h"\nint fleece_user(void);\nint fleece_user(void) {\n%s\n}\n' \
    'fleece_bytes b = FLEECE_BYTES_INIT; fleece_options o = FLEECE_OPTIONS_INIT; return (int)b.size + (int)o.flags;' \
    >"$tmp/one.c"
  # shellcheck disable=SC2086
  verdict "$name" "$($compiler -x "${language%:*}" -std="${language#*:}" $strict -Iinclude -fsyntax-only "$tmp/one.c" 2>&1)"
done

# Each function of the headers says what it does: a comment stands before it, or before the group it is in.
wrong=$(awk '/^$/ {said = 0} /^(\/\*|\*\*)/ {said = 1} /^FLEECE_API/ && !said {print FILENAME ": " $0}' include/*.h)
verdict "each function in the headers is documented" "$wrong"
verdict "the headers are no wider than 120" "$(awk 'length > 120 {print FILENAME ":" FNR}' include/*.h)"

# ---- the libraries
said=$(make RUNTIME=$r lib 2>&1) || { verdict "make lib" "$(echo "$said" | tail -n 5)"; exit 0; }
declared() { sed -n 's/^FLEECE_API.*[ *]\([a-z0-9_]*\)(.*/\1/p' "$@" | sort; }
major=$(sed -n 's/^#define FLEECE_VERSION "\([0-9]*\).*/\1/p' src/module/version.h)
for pair in "fleece:include/fleece.h include/fleece-text.h" fleece-lua5.4:include/fleece-lua.h; do
  lib=${pair%%:*}
  read -ra headers <<<"${pair#*:}"
  [ "$lib" = fleece ] || [ $r != none ] || continue
  so=$(find build/lib -name "lib$lib.so.$major" -o -name "lib$lib.$major.dylib" | head -n 1)
  case $(uname -s) in Darwin) dynamic="nm -gU" ;; *) dynamic="nm -D --defined-only" ;; esac
  verdict "lib$lib exports what ${headers[*]} declare, nothing else" \
    "$($dynamic "$so" | awk '{sub(/^_/, "", $3); print $3}' | grep -vxE '_init|_fini|_edata|_end|__bss_start' | sort | diff - <(declared "${headers[@]}"))"
  if command -v objdump >/dev/null 2>&1; then
    verdict "lib$lib keeps no writable statics" "$(objdump -t "$so" | awk '$2 == "O" || $3 == "O" {print $(NF-2), $NF}' |
      grep -E '^\.(data|bss|tdata|tbss) ' | grep -vE ' (completed\.[0-9]+|__dso_handle|__TMC_END__)$')"
  fi
done
# memory; reading files, and writing them so that they survive: temporary names, locks, the disk
needs='mem(cpy|move|set|cmp|chr)|str(len|chr|cmp)|strncmp|realloc|free|open|close|mmap|munmap|madvise|__errno_location|_?_?error'
needs="$needs|f(open|read|close|error|ileno|stat|chmod|chown|dopen|flush|lock|seek|sync|tell|truncate|write)|setvbuf|clearerr"
needs="$needs|access|read|write|lseek|lstat|readlink|realpath|rename|unlink|clock|time|nanosleep"
needs="$needs|__stack_chk_fail|__mem(cpy|move|set)_chk|_GLOBAL_OFFSET_TABLE_|__x86_get_cpuid_feature_leaf"
verdict "libfleece needs of the C library memory and files, and no Lua" \
  "$(nm -u build/lib/libfleece.a | awk 'NF == 2 {print $2}' | sed 's/@.*//' | grep -vxE "_?($needs)")"
if [ $r != none ]; then
  ${CC:-cc} -E -P -Isrc -I"$(tools/where.sh include $r)" src/library_lua.c >"$tmp/all.c"
  verdict "every module that is exported can be registered" \
    "$(declared include/fleece-lua.h | sed -n 's/^luaopen_//p' | tr _ . | while read -r m; do grep -q "{\"$m\", luaopen_" "$tmp/all.c" || echo "$m"; done
       grep -oE 'int luaopen_[a-z0-9_]*\(lua_State \*L\) \{' "$tmp/all.c" | sed 's/int \(.*\)(.*/\1/' |
         while read -r f; do grep -q "$f(" include/fleece-lua.h || echo "$f is not declared"; done)"
fi
# fleece.program takes signals, which are the host's: the C library has nothing of it.
verdict "the C library leaves signals alone" "$(nm -u build/lib/*.a 2>/dev/null | grep -wE 'sigaction|signal|raise')"

# ---- installed somewhere, and used from there
at=(DESTDIR="$tmp/root" PREFIX=/opt/fleece LIBDIR=/opt/fleece/lib64)
said=$(make "${at[@]}" install-lib 2>&1) && said=
verdict "make install-lib" "$said"
export PKG_CONFIG_SYSROOT_DIR=$tmp/root PKG_CONFIG_LIBDIR=$tmp/root/opt/fleece/lib64/pkgconfig
export LD_LIBRARY_PATH=$tmp/root/opt/fleece/lib64 DYLD_LIBRARY_PATH=$tmp/root/opt/fleece/lib64
if ! command -v pkg-config >/dev/null 2>&1; then skipped "programs by pkg-config" "not installed: no pkg-config"; exit 0; fi
verdict "pkg-config knows the version" "$(pkg-config --exact-version="$(sed -n 's/#define FLEECE_VERSION "\(.*\)"/\1/p' include/fleece.h)" fleece 2>&1 || echo another)"

# program NAME SOURCE LIBRARY STATIC WANTED: compiled by one line, and run.
program() {
  local flags libs lua= wrong
  flags=$(pkg-config --cflags "$3") libs=$(pkg-config --libs "$3")
  case $3 in *-lua*) lua="$lua_lib -lm -ldl" flags="$flags -I$lua_inc" ;; esac
  case $4 in
    static) libs=$(echo "$libs" | sed "s| *-L\([^ ]*\)||; s|-l\([^ ]*\)|$tmp/root/opt/fleece/lib64/lib\1.a|g") ;;
    *) case $3 in *-lua*) lua="-Wl,-E $lua" ;; esac ;;
  esac
  # shellcheck disable=SC2086
  wrong=$($cc -std=c99 $strict -O1 -o "$tmp/program" "$2" $flags $libs $lua 2>&1)
  if [ -z "$wrong" ] && ! "$tmp/program" >"$tmp/output" 2>&1; then wrong="exit code $?: $(cat "$tmp/output")"; fi
  [ -n "$wrong" ] || [ -z "$5" ] || wrong=$(diff <(echo "$5") "$tmp/output")
  verdict "$1, $4" "$wrong"
}
binary='the last one is Alan
Ada (1815), Alan (1912)
a delta of SIZE bytes to SIZE
{"people":[{"born":1815,"name":"Ada"},{"born":1912,"name":"Alan"},{"born":1906,"name":"Grace"}],"source":"https://example.org/people"}'
host='{"id":"x1","none":[],"sum":42}
cannot encode a function at the root'
for how in shared static; do
  program "examples/embed/binary.c" examples/embed/binary.c fleece $how ''
  said=$(sed 's/delta of [0-9]* bytes to [0-9]*/delta of SIZE bytes to SIZE/' "$tmp/output" | diff <(echo "$binary") -)
  verdict "it prints what it should, $how" "$said"
  if [ $r = none ]; then skipped "examples/embed/host.c, $how" "not installed: no Lua 5.4"
  else program "examples/embed/host.c" examples/embed/host.c fleece-lua5.4 $how "$host"; fi
done

# ---- docs/c.md, docs/c-texts.md: a block with main is a program, whose output is the block behind it; others are declarations
awk -v to="$tmp/block" '/^```c$/ {n++; file = sprintf("%s%02d.c", to, n); next} /^```text$/ && file2 {file = file2; next}
  /^```/ {file2 = file ~ /c$/ ? file ".out" : ""; if (file) close(file); file = ""; next} file {print >file}' docs/c.md docs/c-texts.md
blocks=0
for f in "$tmp"/block*.c; do
  [ -f "$f" ] || break
  blocks=$((blocks + 1)) lib=fleece
  grep -q 'lua_State' "$f" && lib=fleece-lua5.4
  [ $lib = fleece ] || [ $r != none ] || continue
  if grep -q '^int main' "$f"; then
    program "docs/c.md, block $blocks" "$f" $lib static "$(cat "$f.out" 2>/dev/null)"
  else
    printf '#include <fleece-lua.h>\n#include <fleece.h>\n#include <stdio.h>\n#include <stdlib.h>\n%s\n' "$([ $lib = fleece ] || echo '#include <lua.h>')" |
      cat - "$f" >"$tmp/one.c"
    # shellcheck disable=SC2086,SC2046
    verdict "docs/c.md, block $blocks" "$($cc -std=c99 $strict -Wno-unused-function -fsyntax-only ${lua_inc:+-I$lua_inc} $(pkg-config --cflags fleece) "$tmp/one.c" 2>&1)"
  fi
done
verdict "docs/c.md has the signature of each function" "$(sed -n '/^## Signatures/,/^## What/p' docs/c.md >"$tmp/signatures"
  grep -ohE '^FLEECE_API .*\bfleece_[a-z0-9_]+\(' include/*.h | grep -oE 'fleece_[a-z0-9_]+\(' | sort -u |
    while read -r f; do grep -qF " $f" "$tmp/signatures" || grep -qF "*$f" "$tmp/signatures" || echo "$f"; done)"
verdict "docs/c.md has its blocks" "$([ $blocks -ge 6 ] || echo "only $blocks")"
missing=$(cat include/*.h | sed -n 's/^FLEECE_API.*[ *]\(fleece_[a-z0-9_]*\)(.*/\1/p' | while read -r f; do grep -q "\`$f\`\|$f(" docs/c.md docs/c-texts.md || echo "$f"; done)
verdict "docs/c.md names each function" "$missing"

said=$(make "${at[@]}" uninstall-lib 2>&1) && said=$(find "$tmp/root" -type f -o -type l)
verdict "make uninstall-lib leaves nothing" "$said"
