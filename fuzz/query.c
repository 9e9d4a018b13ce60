/* SPDX-License-Identifier: MIT
** query.c -- libFuzzer target: JSONPath queries, in a real Lua. The first byte selects a form of the value, the
** rest of the first line is a query, and what follows is a JSON text.
** A query finds the same in the decoded value, in a document that was packed from it, in its text, and in the text
** given; each path that it gives is a query that finds the value alone.
** Build: make build/tests/fuzz/query */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local options, sorted = { max_steps = 2000, max_depth = 100 }, { sort_keys = true }\n"
    "local function text_of(v)\n"
    "  if type(v) == 'userdata' and fleece.type(v) ~= 'null' then v = fleece.decode(fleece.encode(v)) end\n"
    "  return fleece.encode(v, sorted)\n"
    "end\n"
    "local function results(q, value)\n"
    "  local values, paths, pairs_of = q(value), q:paths(value), {}\n"
    "  if #values ~= #paths then error('as many values as paths') end\n"
    "  for i, v in ipairs(values) do pairs_of[i] = paths[i] .. ' ' .. text_of(v) end\n"
    "  table.sort(pairs_of)\n"
    "  return table.concat(pairs_of, '\\n'), values, paths\n"
    "end\n"
    "local function is_limit(message) return message:find 'max_steps' or message:find 'deeper' or message:find 'too large' end\n"
    "return function(data)\n"
    "  local text, json = data:match '^.([^\\n]*)\\n(.*)$'\n"
    "  if not text then return end\n"
    "  local fine, q = pcall(fleece.query, text, options)\n"
    "  if not fine then\n"
    "    local byte = tonumber(q:match ' at byte (%d+)')\n"
    "    if not byte or byte < 1 or byte > #text + 1 then error(q) end\n"
    "    return\n"
    "  end\n"
    "  local ok, value = pcall(fleece.decode, json, options)\n"
    "  if not ok or type(value) ~= 'table' then return end\n"
    "  local again = fleece.encode(value)\n"
    "  local which = math.floor(data:byte(1) / 16) % 3 + 1\n"
    "  local source = data:byte(1) % 2 == 0 and again or json\n"
    "  local form = which == 1 and source or which == 2 and fleece.open(fleece.pack(value)) or fleece.lazy(again)\n"
    "  local done, wanted, all, paths = pcall(results, q, value)\n"
    "  local done2, got = pcall(results, q, form)\n"
    "  if not done and not is_limit(wanted) then error(wanted) end\n"
    "  if not done2 and not is_limit(got) then error(got) end\n"
    "  if not done or not done2 then return end\n"
    "  if got ~= wanted then error(which .. ': ' .. text .. '\\n' .. wanted .. '\\n\\n' .. got) end\n"
    "  for i = 1, #paths, math.ceil(#paths / 3) do\n"
    "    local found = fleece.query(paths[i])(value)\n"
    "    if #found ~= 1 or not rawequal(found[1], all[i]) then error('not the value of ' .. paths[i]) end\n"
    "  end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 1 };

#include "lua_target.h"
