#!/usr/bin/env bash
# rooms.sh -- the order of the rooms and the form of files, which no compiler knows. What it has caught: json/ included
# dropin/ (5d064f20), format/, places/ and lua/ rooms above them (9f020adc, f427ec5b), folders of document/ and encode/
# each other (7f53074d); headers above 600 lines (07fa2fc2); files without their subject, functions without their prefix
# (7980824c, c06e14ee); lists of instances that named yesterday's files (8ea9e4eb).
. "$(dirname "$0")/support/lib.sh"

# A room includes itself and rooms of lower rank.
rank() {
  case $1 in
    base|include) echo 0 ;; number|text) echo 1 ;; regex) echo 2 ;; json|binary) echo 3 ;; layout) echo 4 ;; lua) echo 5 ;;
    encode|files) echo 6 ;; decode|values) echo 7 ;; stream) echo 8 ;; format|places) echo 9 ;; document) echo 10 ;;
    query|patch|schema) echo 11 ;; module) echo 12 ;; dropin|program) echo 13 ;; parts) echo 14 ;; capi) echo 15 ;; *) echo 16 ;;
  esac
}

# Lines "file:line file that it includes". The compiler has proven that the files are there.
found=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src |
  sed -E 's/^([^:]*:[0-9]+):[^"]*"([^"]*)".*/\1 \2/' | while read -r where name; do
    path=${where%/*}/$name
    [ -f "$path" ] || path=src/$name
    echo "$where $path"
  done)
includes=$(paste -d ' ' <(cut -d ' ' -f 1 <<<"$found") <(cut -d ' ' -f 2 <<<"$found" | xargs realpath -ms --relative-to=.))
verdict "includes go down" "$(sed -nE 's,^(src/([^/ ]+)/[^ ]*) src/([^/ ]+)/.*,\2 \3 \1,p' <<<"$includes" |
  awk '$1 != $2' | sort -u -k 1,2 | while read -r room to where; do
    [ "$(rank "$to")" -lt "$(rank "$room")" ] || echo "$where: $room includes $to"
  done)"

# Folders of a room go down, too, its own files among them as a folder. The variants of a CPU are no folders of this kind.
verdict "no two folders of a room include each other" "$(sed -nE \
  's,^src/([^/]+)((/[^/]+)*)/[^/ ]* src/\1((/[^/]+)*)/[^/]*$,\1\2 \1\4,p' <<<"$includes" |
  awk '$1 != $2 && !/^(text|layout)/' | sort -u | tsort 2>&1 >/dev/null | sed 's/^tsort: //')"

generated=$(c_files | while read -r f; do ! is_generated "$f" || echo "$f"; done)
# shellcheck disable=SC2046  # files are words
verdict "no file above 600 lines, none of C above 120 columns" "$(awk -v skip=" ${generated//$'\n'/ } " '
  index(skip, " " FILENAME " ") { next }
  length > 120 && FILENAME ~ /^(src|include).*\.[ch]$/ { print FILENAME ":" FNR ": " length " columns" }
  FNR == 601 { print FILENAME ": more than 600 lines" }' $(find src include tests tools bench fuzz lua bin docs examples \
  -type f \( -name '*.[ch]' -o -name '*.lua' -o -name '*.sh' -o -name '*.py' -o -name '*.md' \) 2>/dev/null))"

# The header of the same name speaks for a .c, too; what such a .c says itself comes after the licence. fleece.c is a list.
# shellcheck disable=SC2046
verdict "every source opens with its licence and its subject" "$(awk '
  FNR == 1 && !/SPDX-License-Identifier: MIT/ { print FILENAME ": no licence" }
  FNR <= 12 { name = FILENAME; sub(/.*\//, "", name); if (index($0, name " --")) told[FILENAME] = 1 }
  FNR == 1 { all[FILENAME] = 1 }
  END { for (f in all) { h = f; sub(/c$/, "h", h); if (!told[f] && (h == f || !(h in all)) && f != "src/fleece.c") print f } }
  ' $(c_files))"

# No search finds who calls a sink of the scanner: the template's head lists its instances.
verdict "the scanner's template lists its instances" "$(grep -rE '#define SCAN_NAME ' src tests/c --include='*.[ch]' |
  grep -v '^src/json/grammar/scan_template.h' | sed 's/:.*SCAN_NAME  */ /; s/LAY(\(.*\))/LAYOUT_\1/' | while read -r f name; do
    grep -q "^\*\*.*\b$name\b" src/json/grammar/scan_template.h || echo "$f: $name"
  done)"

if command -v python3 >/dev/null 2>&1; then verdict "names begin with a prefix of their folder" "$(python3 tests/check/support/prefixes.py 2>&1)"
else skipped "names begin with a prefix of their folder" "not installed: python3"; fi
