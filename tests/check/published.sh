#!/usr/bin/env bash
# published.sh -- the table in docs/binary.md that stands beside the published one: it is complete, its sizes are
# those of today, and bench/binary/published.lua renews it. It has caught nothing so far; sizes of documents change
# without an error elsewhere.
. "$(dirname "$0")/support/lib.sh"
begin='<!-- published: begin -->' end='<!-- published: end -->'
rows() { sed -n "/^$begin/,/^$end/p" "$1" | grep -E '^\| [A-Z]'; }

# Row names with the published figures, then three figures of ours. JSON is not converted.
wrong=
while IFS='|' read -r name json fleece; do
  row=$(rows docs/binary.md | grep -F "| $name | $json | $fleece |")
  ours='( [0-9.,]+ \|){3}$'
  [ "$json" != – ] || ours='( – \|){2} [0-9,]+ \|$'
  [[ $row =~ $ours ]] || wrong="$wrong$name: ${row:-no row}"$'\n'
done <<'ROWS'
Data size, bytes|1,303,317|911,920
Convert JSON to Fleece, µs|–|6,400
Parse, µs|17,000|750
Parse trusted, µs|17,000|0.6
Look up one name, ns|960|49
ROWS
verdict "docs/binary.md has all rows of the published table" "${wrong%$'\n'}"

name="bench/binary/published.lua renews the table, whose sizes are those of today"
for r in lua5.4 lua5.3 lua5.1 luajit lua5.2 lua5.5; do
  [ -z "${ONLY_RUNTIME:-}" ] || [ "$r" = "$ONLY_RUNTIME" ] || continue
  { [ -f "build/$r/fleece.so" ] && lua=$(tools/where.sh lua "$r"); } || continue
  copy=$(mktemp) && trap 'rm -f "$copy"' EXIT
  printf '%s\n' before "$begin" gone "$end" after >"$copy"
  said=$(LUA_CPATH="build/$r/?.so;;" "$lua" bench/binary/published.lua --quick "$copy" 2>&1)
  [ -n "$said" ] || [ "$(sed -n '1p;$p' "$copy" | xargs)" = "before after" ] || said="what is around the table changed"
  ! grep -q gone "$copy" || said="what was there stays"
  [ "$(rows "$copy" | wc -l)" = 5 ] || said="$said no five rows"
  # lua-cjson's cells are empty where it is missing: our own two sizes
  size() { rows "$1" | head -n 1 | cut -d '|' -f 6,7; }
  [ "$(size "$copy")" = "$(size docs/binary.md)" ] || said="$said sizes: $(size "$copy"), not $(size docs/binary.md)"
  verdict "$name" "$said"
  exit 0
done
skipped "$name" "not installed: nothing is built"
