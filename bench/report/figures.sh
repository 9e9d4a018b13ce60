#!/bin/sh
# SPDX-License-Identifier: MIT
# figures.sh -- puts the results of the benchmark into the documents: tables, the picture, links to the file. `make
# figures`; check/docs compares the documents with it.
#
#   bench/report/figures.sh [FILE.csv]      default: the newest file in bench/results; LUA: the interpreter
set -e
cd "$(dirname "$0")/../.."
lua=${LUA:-$(tools/where.sh lua lua5.4 || tools/where.sh lua lua5.1)}
csv=${1:-}
[ -n "$csv" ] || for csv in bench/results/*.csv; do :; done
name=${csv##*/}

for page in bench/README.md docs/rivals.md docs/about/benchmarks.md; do
  sed -i "s,[0-9]*-[0-9]*-[0-9]*-[A-Za-z0-9-]*\.csv,$name,g" "$page"
done
"$lua" bench/report/rivals.lua "$csv" docs/rivals.md
"$lua" bench/report/table.lua "$csv" docs/about/benchmarks.md
"$lua" bench/binary/table.lua "$csv" docs/about/benchmarks.md
"$lua" bench/report/worst.lua "$csv" docs/about/benchmarks.md
"$lua" bench/report/worst.lua "$csv" README.md lua5.4
for recorded in bench/results/*.md; do
  name=${recorded##*/}
  name=${name%.md}
  page=$(grep -rl "<!-- recorded: $name: begin -->" docs)
  "$lua" bench/report/insert.lua "$recorded" "$name" "$page"
done
"$lua" bench/report/bars.lua "$csv" >docs/about/speed.svg
