#!/usr/bin/env bash
# parts.sh [RUNTIME] -- FLEECE_PARTS: builds, loads and uses sets of parts: all, the core alone, the core with one other
# part, all but one (program needs document). A function of a part that was left out says so.
# FLEECE_TEST_LONG=1: the tests in Lua for each set, not for the core alone. CC, LUA and INCLUDE name another compiler,
# interpreter and folder of headers.
# What it has caught: a test that needed documents in a build without them (7d9200fe).
. "$(dirname "$0")/support/lib.sh"

sets="core core+document core+query core+query+schema core+document+program core+document+query core+document+query+program
  core+document+query+schema+program"

wrong=
for choice in query core+schem core+core 1 all core+program core+schema; do
  "${CC:-cc}" -fsyntax-only -Isrc "-DFLEECE_PARTS=$choice" -x c src/lua/parts.h 2>/dev/null && wrong="$wrong$choice"$'\n'
done
for choice in query "core schem"; do
  make -n "FLEECE_PARTS=$choice" all >/dev/null 2>&1 && wrong="${wrong}make takes $choice"$'\n'
done
verdict "unknown parts, and sets that cannot be, are refused" "${wrong%$'\n'}"

r=${1:-lua5.4}
inc=${INCLUDE:-$(tools/where.sh include "$r")} && lua=${LUA:-$(tools/where.sh lua "$r")} || {
  skipped "sets of parts" "not installed: no $r"
  exit 0
}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
unset LUA_INIT FLEECE_LAYOUT
for v in 5_2 5_3 5_4 5_5; do unset LUA_PATH_$v LUA_CPATH_$v LUA_INIT_$v; done
folder_of() { find /usr/share/lua /usr/local/share/lua -name "$1" -printf "%h/?.lua" -quit 2>/dev/null; }  # for any Lua
unit=$(folder_of luaunit.lua) LUA_PATH="lua/?.lua;tests/lua/support/?.lua;$unit;$(folder_of argparse.lua)"
export LUA_PATH FLEECE_RUNTIME=$r FLEECE_TEST_ROUNDS=0.1

compile() { "${CC:-cc}" -std=gnu99 -Wall -Wextra -Werror=implicit-function-declaration -fPIC -Isrc -I"$inc" "$@" 2>&1; }
apart() { compile -O0 -DFLEECE_ASSERT -DFLEECE_APART "$@"; }

# The parts are compiled once, but for those that ask which parts there are.
grep -vE '"../module/(module|library).c"' src/parts/core.c | sed 's|"\.\./|"|; s|"lua_version|"parts/lua_version|' >"$tmp/core.c"
said=$(apart -c -o "$tmp/core.o" "$tmp/core.c"
  for file in text json index binary files convert query_engine schema_engine raw encode decode pack document program; do
    apart -c -o "$tmp/$file.o" "src/parts/$file.c"
  done
  for file in query schema; do
    apart -c -o "$tmp/${file}_document.o" "src/parts/$file.c"
    apart -DFLEECE_PARTS=core+query+schema -c -o "$tmp/$file.o" "src/parts/$file.c"
  done
  apart -c -o "$tmp/dropin_schema.o" src/parts/dropin.c
  apart -DFLEECE_PARTS=core -c -o "$tmp/dropin.o" src/parts/dropin.c)
verdict "each part compiles" "$said"

# ours FILE: functions of Fleece that it lacks. Those of the C library have a version, but for musl.
ours() {
  nm -D "$1" | grep -q '@GLIBC' && nm -D --undefined-only "$1" | grep -vE ' (w .*|U (luaL?_[A-Za-z_]+|.*@.*))$'
}

# Of the tests in Lua those of the core that take seconds at most; a test that asks for another part is skipped.
tests="test_decode test_decode_lenient test_decode_options test_decode_order test_exact_numbers test_flags test_hooks
  test_marks test_numbers test_options test_order test_paths test_values test_builder test_events test_readers test_tokens
  test_writer test_edit test_pick test_utf8 test_info"
[ -z "${FLEECE_TEST_LONG:-}" ] || tests="$tests test_binary test_binary_encoder test_pack test_unpack test_delta
  test_binary_views test_mutable test_text_views test_files test_query test_query_tables test_json_patch test_json_diff"
for set in $sets; do
  words=${set//+/ } folder=$tmp/$set
  mkdir "$folder"
  # One source file warns of functions that nothing uses; what a set of three parts uses, one of two does, too.
  said=$(case $set in core+*+*) ;; *) compile -fsyntax-only "-DFLEECE_PARTS=$set" src/fleece.c ;; esac
    for file in module library; do apart "-DFLEECE_PARTS=$set" -c -o "$folder/$file.o" "src/module/$file.c"; done)
  objects=
  for part in $words; do
    case $part:$words in
      core:*) part="core files raw encode decode" ;;
      document:*) part="document pack convert" ;;
      query:*document*) part="query_document query_engine" ;;
      query:*) part="query query_engine" ;;
      schema:*document*) part="schema_document schema_engine" ;;
      schema:*) part="schema schema_engine" ;;
    esac
    for file in $part; do objects="$objects $tmp/$file.o"; done
  done
  case $words in *schema*) objects="$objects $tmp/dropin_schema.o" ;; *) objects="$objects $tmp/dropin.o" ;; esac
  # shellcheck disable=SC2086  # words
  [ -n "$said" ] || said=$("${CC:-cc}" $MODULE_FLAGS -o "$folder/fleece.so" $objects "$tmp"/{text,json,index,binary}.o "$folder"/*.o 2>&1)
  [ -n "$said" ] || [ "$(uname -s)" != Linux ] || said=$(ours "$folder/fleece.so")
  export LUA_CPATH="$folder/?.so"
  [ -n "$said" ] || said=$("$lua" tests/check/support/use_parts.lua "$words" 2>&1)
  verdict "FLEECE_PARTS=$set works" "$said"
  [ "$set" = core ] || [ -n "${FLEECE_TEST_LONG:-}" ] || continue
  if [ -z "$unit" ]; then
    skipped "FLEECE_PARTS=$set passes its tests" "not installed: LuaUnit (Debian: lua-unit)"
    continue
  fi
  # shellcheck disable=SC2086  # words
  said=$("$lua" tests/lua/run.lua $tests 2>&1) && said=$(echo "$said" | grep '^Ran ') && echo "# $set: $said" && said=
  verdict "FLEECE_PARTS=$set passes its tests" "$(echo "$said" | grep -v "^SKIPPED: " | tail -n 20)"
done

# The command: COMMAND SET TEXT: it ends with 2 and a message that has the text.
refused() {
  local said
  # shellcheck disable=SC2086  # words
  said=$(echo '{"a":1}' | LUA_CPATH="$tmp/$2/?.so;" "$lua" bin/fleece $1 2>&1)
  [ $? = 2 ] && [[ $said == "fleece: "*"$3"* ]] || echo "fleece $1 without parts of $2: $said"
}
verdict "the command without program" "$(refused fmt core+query "built without program (FLEECE_PARTS)")"
verdict "the command without query" "$(refused 'get $..a' core+document+program "built without query (FLEECE_PARTS)")"

# In a tree of its own: make keeps the choice. It finds the Luas of this one.
mkdir -p "$tmp/tree/build" && cp -r Makefile tools src "$tmp/tree" && ln -s "$PWD/build/runtimes" "$tmp/tree/build"
# parts_of TARGET NAMES: which files or folders of src/ make compiles for it, told core and query.
parts_of() {
  make -n -C "$tmp/tree" "$1" FLEECE_PARTS="core query" 2>/dev/null |
    sed -nE "s,.*DFLEECE_PARTS=core\+query .* src/($2)[/.].*,\1,p" | sort -u | xargs
}
said=$(parts_of "build/$r/fleece.so" 'parts/[a-z_]*')
[ "$said" = "parts/binary parts/core parts/decode parts/dropin parts/encode parts/files parts/index parts/json parts/query parts/query_engine parts/raw parts/text" ] && said= || said="it compiles: $said"
verdict "make compiles the parts that are named" "$said"
said=$(parts_of "build/dev/$r/fleece.so" 'document|query|patch|program|encode')
[ "$said" = "encode patch query" ] && said= || said="it compiles: $said"
verdict "make dev compiles their rooms" "$said"
if command -v cmake >/dev/null 2>&1; then
  said=$(cmake -S . -B "$tmp/cmake" "-DLUA_INCLUDE_DIR=$inc" "-DFLEECE_PARTS=core;query" 2>&1) && said=
  [ -n "$said" ] || grep -rqF "FLEECE_PARTS=core+query" "$tmp/cmake/CMakeFiles" || said="the definition is not there"
  verdict "CMake takes a list" "$said"
else
  skipped "CMake takes a list" "not installed: no cmake"
fi
