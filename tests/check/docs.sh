#!/usr/bin/env bash
# docs.sh -- every block of code in the documents is run by a test or says why not; links and make's goals are there;
# the table of docs/rivals.md is what the recorded results give.
. "$(dirname "$0")/lib.sh"
documents=$(ls README.md CHANGELOG.md docs/*.md bench/README.md)

# Lines "language note", the note being the comment above the block, for each block of a document.
blocks() {
  awk '
    /^```/ && inside { inside = 0; note = ""; next }
    /^```/           { inside = 1; print substr($0, 4), note; next }
    inside || /^$/   { next }
                     { note = /^<!-- (test|not run): .* -->$/ ? $0 : "" }' "$1"
}

wrong=
for f in $documents; do
  while read -r language note; do
    [ -n "$language" ] || continue # a drawing
    case $f:$language in
      README.md:lua|docs/binary.md:lua|docs/files.md:lua|docs/manual.md:lua|docs/lossless.md:lua|docs/canonical.md:lua|docs/unfinished.md:lua|docs/events.md:lua|docs/luajson.md:lua|docs/json4lua.md:lua|docs/format.md:*) by=tests/lua/module/test_docs.lua text=$f ;;
      docs/c.md:*) by=tests/check/library.sh text=$f ;;
      docs/cli.md:*) by=tests/cli/cli.py text=$f ;;
      # Their blocks are excerpts of the examples, or named; check_guide looks at each.
      docs/haproxy.md:*|docs/nginx.md:*) by=tests/hosts/$(basename "$f" .md).py text=check_guide ;;
      *)
        name=${note#<!-- test: } name=${name% -->}
        case $note in
          "<!-- not run: "*) continue ;;
          "<!-- test: make -->") by=tests/check/build.sh text=$f ;;
          "<!-- test: "*) by=tests/hosts/${name%.conf}.py text="named_block(\"$f\", \"$name\")" ;;
          *) by=; ;;
        esac ;;
    esac
    if [ -z "$by" ]; then wrong="$wrong$f: a block of '$language' that nobody runs"$'\n'
    elif ! grep -qF "$text" "$by"; then wrong="$wrong$f: $by does not run the block $note"$'\n'; fi
  done < <(blocks "$f")
done
verdict "each block of code is run, or says why not" "${wrong%$'\n'}"

wrong=
for f in $documents; do
  while read -r link; do
    [ -e "$(dirname "$f")/${link%%#*}" ] || wrong="$wrong$f: $link"$'\n'
  done < <(grep -oE '\]\([^)]+\)' "$f" | sed 's/^](//; s/)$//' | grep -vE '^(https?:|#|mailto:)')
done
verdict "links lead somewhere" "${wrong%$'\n'}"

wrong=
# shellcheck disable=SC2086  # documents are words
while IFS=: read -r f goal; do
  grep -qE "^([a-z-]+ )*$goal( [a-z-]+)*:" Makefile tools/*.mk || wrong="$wrong$f: make $goal"$'\n'
done < <(grep -oE '(^    |`)make [a-z][a-z-]+' $documents | sed 's/:.*make /:/' | sort -u)
verdict "make knows the goals that are named" "${wrong%$'\n'}"

# A wrong word must not start twenty minutes of work.
wrong=
[ "$(timeout 20 bench/run.sh --quick --help | grep -c 'bench/run.sh \[')" = 1 ] || wrong="--help is not answered"
for option in --quik people --only; do
  timeout 20 bench/run.sh --quick $option >/dev/null 2>&1
  [ $? = 2 ] || wrong="$wrong $option is taken"
done
verdict "bench/run.sh knows its options" "$wrong"

# The types for editors: a class ...Options holds options; each is described, and each that the sources read is there.
# tables FILE: lines "class option description"
tables() {
  awk '/^---@class / { class = $2; sub(/:$/, "", class) } !/^---/ { class = "" }
    class ~ /Options$/ && /^---@field / {
      option = $2; sub(/\?$/, "", option); text = $0; sub(/^---@field [^ ]+ /, "", text)
      if (text ~ /^fun\(/) { sub(/^fun\([^)]*\)(: [^ ]+)?/, "", text) } else sub(/^[^ ]+/, "", text)
      print class, option text }' "$1"
}
typed=$(tables types/fleece.lua)
verdict "types/fleece.lua describes each option" "$(awk 'NF < 3' <<<"$typed"
  [ "$(wc -l <<<"$typed")" -ge 60 ] || echo "options are not found")"
names=$(awk '/-- words/ { exit } /^[^\/*#]|define MOD/' src/module/options/option_names.h | grep -oE '"[a-z0-9_|]+"' | tr -d '"' | tr '|' '\n' | grep . | sort -u)
verdict "types/fleece.lua has each option of the sources" "$(awk '{print $2}' <<<"$typed" | sort -u | comm -13 - <(echo "$names")
  [ "$(wc -l <<<"$names")" -ge 40 ] || echo "the options of the sources are not found")"

name="docs/rivals.md has the recorded figures"
lua=$(tools/where.sh lua lua5.4 || tools/where.sh lua lua5.1) || { skipped "$name" "no Lua"; exit 0; }
results=$(grep -oE 'bench/results/[^)]*\.csv' docs/rivals.md | head -n 1)
renewed=$(mktemp)
cp docs/rivals.md "$renewed"
"$lua" bench/report/rivals.lua "$results" "$renewed" || echo "bench/report/rivals.lua failed" >"$renewed"
verdict "$name" "$(diff docs/rivals.md "$renewed")"
rm -f "$renewed"
