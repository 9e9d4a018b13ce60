#!/usr/bin/env bash
# lint.sh -- clang-tidy over the library, shellcheck over the scripts; says which tool is missing.
set -u
cd "$(dirname "$0")/.." || exit 1
code=0
if command -v shellcheck >/dev/null 2>&1; then
  shellcheck -x -P SCRIPTDIR -S warning tools/*.sh tests/check/*.sh tests/mismatch/*.sh bench/*.sh .ci/run || code=1
else echo "SKIPPED: shellcheck is not installed (tools/install.sh lint)"; fi
if command -v clang-tidy >/dev/null 2>&1; then
  for r in lua5.4 luajit; do
    inc=$(tools/where.sh include $r) || continue
    clang-tidy --quiet src/fleece.c -- -std=gnu99 -Isrc "-I$inc" 2>/dev/null || code=1
  done
else echo "SKIPPED: clang-tidy is not installed (tools/install.sh lint)"; fi
exit $code
