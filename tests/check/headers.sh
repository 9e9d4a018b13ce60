#!/usr/bin/env bash
# headers.sh -- each header compiles alone, without a warning, with every compiler at hand.
. "$(dirname "$0")/lib.sh"
flags="-std=gnu99 -O1 -Wall -Wextra -Wshadow -Wundef -Wpointer-arith -Wwrite-strings -Wstrict-prototypes -Werror -Isrc"
inc=
for r in lua5.4 lua5.3 lua5.2 lua5.1 lua5.5 luajit; do inc=$(tools/where.sh include "$r") && break; done

compilers=
for c in "${CC:-cc}" gcc clang; do
  command -v "$c" >/dev/null 2>&1 || continue
  id=$("$c" --version 2>/dev/null | head -n 1 | sed 's/^[^ ]* //')
  case "$compilers" in *"|$id|"*) ;; *) compilers="$compilers|$id|" ; list="${list:-} $c" ;; esac
done

tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
for c in $list; do
  wrong='' left='' foreign=''
  for h in $(c_files); do
    is_template "$h" && continue
    if is_foreign "$h"; then foreign="$foreign ${h#src/}"; continue; fi
    uses='' ; $c -Isrc -MM -MG "$h" 2>/dev/null | grep -qE '(^|[ /])(lua|lauxlib|lualib)\.h' && uses=yes
    if [ -n "$uses" ] && [ -z "$inc" ]; then left="$left ${h#src/}"; continue; fi
    # A header that is included twice must stand that too.
    printf '#include "%s"\n#include "%s"\n' "${h#src/}" "${h#src/}" >"$tmp/one.c"
    case $h in *.c) printf '#include "%s"\n' "${h#src/}" >"$tmp/one.c" ;; esac
    # shellcheck disable=SC2086  # flags are words
    said=$($c $flags -Wno-unused-function ${inc:+-I$inc} -fsyntax-only "$tmp/one.c" 2>&1) ||
      wrong="$wrong$h: $(echo "$said" | grep -m 3 -E 'error|warning')"$'\n'
  done
  verdict "each header compiles alone with $c" "${wrong%$'\n'}"
  [ -z "$foreign" ] || skipped "headers of another CPU, with $c" "$(uname -m):$foreign"
  [ -z "$left" ] || skipped "headers that need Lua's, with $c" "no Lua headers:$left"
done

# The whole library, in the strictest words the project promises, and as C11 and C17 too.
if [ ! -f src/fleece.c ]; then skipped "the library compiles without a warning" "src/fleece.c is not there"
elif [ -z "$inc" ]; then skipped "the library compiles without a warning" "no Lua headers"
else
  for c in $list; do
    wrong=
    for r in lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit; do
      i=$(tools/where.sh include $r) || continue
      for more in "-O2" "-O2 -std=gnu11 -DFLEECE_NO_SIMD -DFLEECE_ASSERT" "-O0 -std=gnu17 -DFLEECE_STRICT_READS=1"; do
        # shellcheck disable=SC2086
        said=$($c $flags $more "-I$i" -fPIC -c -o /dev/null src/fleece.c 2>&1) ||
          wrong="$wrong$r $more: $(echo "$said" | grep -m 3 -E 'error|warning')"$'\n'
      done
    done
    verdict "the library compiles without a warning with $c" "${wrong%$'\n'}"
  done
fi
