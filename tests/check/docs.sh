#!/usr/bin/env bash
# docs.sh -- every block of code in the documents is run by a test or says why not; links and make's goals are there;
# the table of docs/rivals.md, the tables and the picture of docs/about are what the recorded results give. What it has
# caught: a link that led nowhere (b12c5ad4), classes and entries of options that told other options than the code (b49d5383).
. "$(dirname "$0")/support/lib.sh"
documents=$(printf '%s\n' {README,CHANGELOG,CONTRIBUTING,SECURITY}.md docs/*.md docs/*/*.md {bench,fuzz,site,tests,src}/README.md \
  src/*/README.md src/*/*/README.md)

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
      README.md:lua) by=tests/lua/module/test_docs.lua text='run_programs "README.md"' ;;
      docs/*/*.md:lua)
        case $note in "<!-- not run: "*) continue ;; esac
        by=tests/lua/module/test_docs.lua text='run_programs("docs/" .. page)' ;;
      docs/*/*.md:console) by=tests/cli/cli.py text='/docs/*/*.md' ;;
      docs/format.md:*|docs/patch.md:lua) by=tests/lua/module/test_docs.lua text=$f ;;
      docs/c.md:*|docs/c-texts.md:*) by=tests/check/library.sh text=$f ;;
      docs/cli.md:*) by=tests/cli/cli.py text=$f ;;
      docs/jq.md:*) by=tests/cli/jq.py text=$f ;;
      # Their blocks are excerpts of the examples, or named; check_guide looks at each.
      docs/haproxy.md:*|docs/nginx.md:*|docs/tarantool.md:*) by=tests/hosts/$(basename "$f" .md).py text=check_guide ;;
      *)
        name=${note#<!-- test: } name=${name% -->}
        case $note in
          "<!-- not run: "*) continue ;;
          "<!-- test: make -->") by=tests/check/build.sh text=$f ;;
          "<!-- test: "*)
            by=tests/hosts/${name%.conf}.py text="named_block(\"$f\", \"$name\")"
            [ -f "$by" ] || by=tests/hosts/large/${name%.conf}.py ;;
          # test_docs.lua names the pages of docs/ whose blocks it runs.
          *) by=; [ "$language" != lua ] || by=tests/lua/module/test_docs.lua text=$f ;;
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

# Two headings with the same text have the same link.
wrong=
for f in $documents; do
  wrong=$wrong$(awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); if (n[$0]++) print FILENAME ": " $0 }' "$f")
done
verdict "headings are unique in their page" "$wrong"

# The pages of the site: an entry in its navigation for each, and an entry in the reference for each option. (The
# functions: tests/lua/module/test_docs.lua.)
wrong=
for f in docs/*.md docs/*/*.md; do
  grep -qE "(- |: )${f#docs/}\$" site/mkdocs.yml || wrong="$wrong$f"$'\n'
done
verdict "site/mkdocs.yml has an entry for each page" "${wrong%$'\n'}"

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

# The types for editors: a class ...Options holds options; each is described.
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
verdict "types/fleece.lua and docs/reference/options.md have what is in the table of options" \
  "$(python3 tests/check/support/options.py 2>&1)"

# Sizes, times, ratios and counts in the pages that a newcomer reads first come from results (between marker lines) or are
# compared below; this names what would stand by hand.
wrong=$(for f in README.md CONTRIBUTING.md docs/packages.md; do
  awk -v f="$f" '/<!-- (worst: begin|times) -->/ { made = 1 } /<!-- (worst: end|end of times) -->/ { made = 0 }
    !made && /[0-9] ?(×|%|[kKMG]i?B|ms|us|ns|seconds|minutes|hours|times|tests|cases|recipes|lines)([^A-Za-z]|$)/ { print f ": " $0 }' "$f"
done | grep -vE 'the object has about [0-9.]+ MB \([0-9.]+ MB for 5.1 and LuaJIT\)' | grep -vE "lua-cjson's about [0-9]+ KB")
verdict "no figure stands by hand in README.md, CONTRIBUTING.md, docs/packages.md" "$wrong"

# The other pages have times, ratios and measured sizes (with a decimal point, or "about": limits have neither) in results
# alone; rivals.md quotes what others say of themselves.
wrong=$(find docs -name '*.md' ! -name rivals.md -exec awk '
  FNR == 1 { made = code = 0 } /begin -->/ { made = 1 } /end -->/ { made = 0 } /^ *```/ { code = !code }
  !made && !code && /[0-9] ?(×|ms|us|µs|ns|microseconds|milliseconds)([^A-Za-z]|$)|[0-9] times (as (long|fast|slow)|the time)|[0-9][.][0-9]+ ?(s|seconds|[kKMG]i?B)([^A-Za-z]|$)|[0-9] ?[KM]iB|about [0-9]+ ?[kKMG]B/ {
    print FILENAME ": " $0 }' {} + | grep -v 'without it, up to 200 ms later') # a pause of HAProxy
verdict "no time, ratio or measured size stands by hand in the pages" "$wrong"

# close_to NAME FIGURE BYTES UNIT: the page's figure is at most a tenth away from what was built.
close_to() {
  awk -v said="$2" -v is="$3" -v unit="$4" 'BEGIN { d = said * unit / is; exit !(said > 0 && d > 0.9 && d < 1.1) }' ||
    echo "README.md says $2 of $1, which has $3 bytes"
}
if [ -f build/lua5.4/fleece.so ] && [ -f build/luajit/fleece.so ] && command -v size >/dev/null; then
  bytes() { size "$1" | awk 'NR == 2 { print $4 }'; }
  said() { sed -nE "s/.*$1.*/\1/p" README.md; }
  cjson=$(find /usr/lib -name cjson.so -path '*5.4*' 2>/dev/null | head -n 1)
  verdict "README.md has the sizes of the objects" "$(
    close_to fleece.so "$(said 'the object has about ([0-9.]+) MB')" "$(bytes build/lua5.4/fleece.so)" 1e6
    close_to "LuaJIT's fleece.so" "$(said '\(([0-9.]+) MB for 5.1')" "$(bytes build/luajit/fleece.so)" 1e6
    [ -z "$cjson" ] || close_to cjson.so "$(said "lua-cjson's about ([0-9]+) KB")" "$(wc -c <"$cjson")" 1e3)"
else
  skipped "README.md has the sizes of the objects" "not installed: two objects, or size"
fi

name="the documents have the recorded figures"
lua=$(tools/where.sh lua lua5.4 || tools/where.sh lua lua5.1) || { skipped "$name" "not installed: no Lua"; exit 0; }
pages="README.md bench/README.md docs/rivals.md docs/about/benchmarks.md docs/about/speed.svg $(grep -rl '<!-- recorded: ' docs | tr '\n' ' ')"
renewed=$(mktemp -d)
# shellcheck disable=SC2086  # pages are words
tar cf - bench $pages | tar xf - -C "$renewed"
wrong=$(LUA=$lua "$renewed/bench/report/figures.sh" 2>&1) || wrong="bench/report/figures.sh failed: $wrong"
for page in $pages; do wrong=$wrong$(diff "$page" "$renewed/$page"); done
verdict "$name" "$wrong"
rm -rf "$renewed"
