#!/usr/bin/env bash
# may_call.sh -- what a source's head says that it may call is what it uses; the rule is in support/may_call.py.
. "$(dirname "$0")/support/lib.sh"
if ! command -v python3 >/dev/null 2>&1; then skipped "\"May call\" is true" "not installed: python3"; exit; fi

verdict "\"May call\" is true" "$(python3 tests/check/support/may_call.py 2>&1)"

# The check sees a room that is used and not named, one that is named and not used, a file that is not there.
check=$PWD/tests/check/support/may_call.py
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/src/text" "$tmp/src/number"
printf '/* May call: nothing.  Must hold: nothing. */\nFL_FUNC int text_a(int x) { return x; }\n' >"$tmp/src/text/a.h"
printf '/* May call: text/a.h, json.  Must hold: nothing. */\n#include "../text/a.h"\n' >"$tmp/src/number/b.h"
printf '/* May call: gone.h.  Must hold: nothing. */\nFL_FUNC int num_c(int x) { return text_a(x); }\n' >"$tmp/src/number/c.h"
printf '/* May call: text.  Must hold: nothing. */\nint num_d(int x);\n' >"$tmp/src/number/d.h"
printf '/* The head is that of d.h. */\nint num_d(int x) { return text_a(x); }\n' >"$tmp/src/number/d.c"
printf '/* May call: nothing.  Must hold: nothing. */\nint num_e(int x);\n' >"$tmp/src/number/e.h"
printf '/* The head is that of e.h. */\nint num_e(int x) { return text_a(x); }\n' >"$tmp/src/number/e.c"
verdict "a lie in \"May call\" is seen" "$(cd "$tmp" && python3 "$check" | sort | diff - <(
  echo "src/number/b.h: says json and uses nothing of it"
  echo "src/number/c.h: says gone.h, which is not there"
  echo "src/number/c.h: uses text (text_a) and does not say so"
  echo "src/number/e.h: uses text (text_a) and does not say so"
))"
