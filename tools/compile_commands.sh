#!/usr/bin/env bash
# compile_commands.sh -- prints compile_commands.json, which tells editors (clangd) how each file is compiled:
# `compile_commands.sh RUNTIME`. Each header has its own entry, because each compiles alone.
set -eu
cd "$(dirname "$0")/.."
runtime=${1:-lua5.4}
inc=$(tools/where.sh include "$runtime")
case $inc in /*) ;; *) inc=$PWD/$inc ;; esac
case $runtime in luajit) number=501 ;; *) number=${runtime#lua} number=${number/./0} ;; esac

comma=
find src tests/c fuzz -name '*.[ch]' 2>/dev/null | sort | while read -r f; do
  [ -f "$f" ] || continue
  case $f in
    *.h) more="\"-x\", \"c\", \"-DFLEECE_LUA_VERSION=$number\", " ;;
    *) more= ;;
  esac
  printf '%s\n  {"directory": "%s", "file": "%s", "arguments": ["cc", %s"-std=gnu99", "-DFLEECE_ASSERT", "-Wall", "-Wextra", "-Isrc", "-I%s", "-c", "%s"]}' \
    "${comma:-[}" "$PWD" "$f" "$more" "$inc" "$f"
  comma=,
done
echo
echo ']'
