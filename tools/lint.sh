#!/usr/bin/env bash
# lint.sh -- runs checkers on the sources: format, shellcheck, clang-tidy. `tools/lint.sh PART ...` for some.
#
# Each part prints its findings, then one line. The exit status is 1 if anything was found. A part whose tool is not
# installed is skipped and says so (tools/install.sh lint). JOBS processes run in parallel, by default one per core.
set -u
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C
export LC_ALL
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
CLANG_FORMAT=${CLANG_FORMAT:-clang-format} CLANG_TIDY=${CLANG_TIDY:-clang-tidy} SHELLCHECK=${SHELLCHECK:-shellcheck}
code=0

has() { command -v "$1" >/dev/null 2>&1; }
skip() { echo "SKIPPED  $1: $2 is not installed (tools/install.sh lint)"; }

# finish PART OUTPUT STATUS: prints the part's line.
finish() {
  if [ "$3" = 0 ]; then echo "clean    $1"
  else [ -z "$2" ] || printf '%s\n' "$2"; echo "FOUND    $1"; code=1; fi
}

# parallel COMMAND: runs it for each line of the input, with the words of the line as $1, $2 ...; prints failures.
parallel() { xargs -P "$JOBS" -L 1 bash -c "$1" lint; }

c_files() { find src include fuzz tests bench examples -name '*.[ch]' | sort; }
scripts() { find bench debian site tests tools -name '*.sh' | sort; echo .ci/run; echo debian/tests/use; }

format() {
  local version said
  has "$CLANG_FORMAT" || { skip format clang-format; return; }
  # Different versions write different formats.
  version=$("$CLANG_FORMAT" --version | grep -oE 'version [0-9]+')
  [ "$version" = "version 14" ] || { echo "SKIPPED  format: clang-format is of $version, not 14"; return; }
  said=$(c_files | xargs "$CLANG_FORMAT" --dry-run -Werror 2>&1)
  finish "format: clang-format ('clang-format -i FILE' repairs)" "$said" $?
}

shell() {
  local said
  has "$SHELLCHECK" || { skip shell shellcheck; return; }
  said=$(scripts | xargs "$SHELLCHECK" -f gcc 2>&1)
  finish "shell: shellcheck" "$said" $?
}

# One Lua with integers and floats, and one with floats only; tests/check/headers.sh compiles the others for warnings.
# Each takes a minute.
tidy() {
  local i r said
  has "$CLANG_TIDY" || { skip tidy clang-tidy; return; }
  said=$(
    {
      for r in lua5.4 luajit; do
        i=$(tools/where.sh include $r) || { echo "SKIPPED  tidy for $r: no headers of it" >&2; continue; }
        case $r in luajit) echo "src/fleece.c -I$i" ;; *) echo "src/library_lua.c -Iinclude -I$i" ;; esac
      done
      echo "src/library.c -Iinclude"
    } | parallel "said=\$('$CLANG_TIDY' --quiet \"\$1\" -- -std=gnu99 -Isrc \"\${@:2}\" 2>/dev/null) ||
      { echo \"\$*:\"; echo \"\$said\"; exit 1; }"
  )
  finish "tidy: clang-tidy, the module and the C interface" "$said" $?
}

for part in "${@:-all}"; do
  case $part in
    all) format; shell; tidy ;;
    format|shell|tidy) "$part" ;;
    *) echo "usage: $0 [format | shell | tidy] ..." >&2; exit 2 ;;
  esac
done
exit $code
