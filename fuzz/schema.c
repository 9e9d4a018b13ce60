/* SPDX-License-Identifier: MIT
** schema.c -- libFuzzer target: JSON Schema, in a real Lua. The first byte selects the draft and a form of the value, the
** rest of the first line is a schema, and what follows is a JSON text.
** A text, its table below the API and by it, and its document get the same verdict; a value is valid if it has no failures;
** each failure is at a place that is there, but for members that are missing; what is decoded is what decode makes, and
** nothing else is decoded.
** Build: make build/tests/fuzz/schema */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local drafts = { '2020-12', '2019-09', '7', '6', '4', 'openapi-3.0', '2020-12', '7' }\n"
    "local exact, sorted = { numbers = 'exact', max_depth = 100 }, { sort_keys = true }\n"
    "local function is_limit(message) return message:find 'max_steps' or message:find 'deeper' end\n"
    "return function(data)\n"
    "  local schema, json = data:match '^.([^\\n]*)\\n(.*)$'\n"
    "  if not schema then return end\n"
    "  local first = data:byte(1)\n"
    "  local options = { draft = drafts[math.floor(first / 32) + 1], empty = 'array', max_steps = 20000, max_depth = 100,\n"
    "    formats = first % 2 == 1, contents = first % 2 == 1 }\n"
    "  local fine, s = pcall(fleece.schema, schema, options)\n"
    "  if not fine then\n"
    "    if not tostring(s):find 'not a JSON Schema' then error(s) end\n"
    "    return\n"
    "  end\n"
    "  local ok, value = pcall(fleece.decode, json, exact)\n"
    "  local done, wanted = pcall(s, json)\n"
    "  if not done and not is_limit(wanted) then error(wanted) end\n"
    "  if not ok then\n"
    "    if wanted == true or pcall(s.decode, s, json) and s:decode(json) ~= nil then error 'what is not JSON is valid' end\n"
    "    return\n"
    "  end\n"
    "  local plain, decoded = pcall(fleece.decode, json)\n"
    "  local read, got_value, said = pcall(s.decode, s, json)\n"
    "  if not read and not is_limit(got_value) then error(got_value) end\n"
    "  if done and read then\n"
    "    local _, message = s(json)\n"
    "    if wanted and plain then\n"
    "      if said or fleece.encode(got_value, sorted) ~= fleece.encode(decoded, sorted) then error(schema .. ': decoded otherwise: ' .. tostring(said)) end\n"
    "    elseif got_value ~= nil or not wanted and said ~= message then error(schema .. ': ' .. tostring(message) .. ', decoded: ' .. tostring(said)) end\n"
    "  end\n"
    "  local which = math.floor(first / 2) % 4\n"
    "  local form = value\n"
    "  if type(value) ~= 'table' then which = 3 end\n"
    "  if which == 1 then options.layout = 'api' s = fleece.schema(schema, options) end\n"
    "  if which == 2 then\n"
    "    local short = not json:find '%d%d%d%d%d%d%d%d%d%d' and not json:find '%d[eE]'\n"
    "    if not short then return end\n"
    "    form = fleece.open(fleece.from_json(json))\n"
    "  end\n"
    "  if which == 3 then\n"
    "    local listed, failures = pcall(s.errors, s, json)\n"
    "    if not listed then if not is_limit(failures) then error(failures) end return end\n"
    "    if done and (#failures == 0) ~= wanted then error(schema .. ': failures ' .. #failures) end\n"
    "    for i = 1, math.min(#failures, 3) do\n"
    "      local f = failures[i]\n"
    "      if #f.message == 0 then error 'a message is missing' end\n"
    "      if f.keyword ~= '' and #f.instance < 1000 and not pcall(fleece.pick, f.instance) then error(f.instance) end\n"
    "    end\n"
    "    return\n"
    "  end\n"
    "  local done2, got, message = pcall(s, form)\n"
    "  if not done2 and not is_limit(got) then error(got) end\n"
    "  if done and done2 and got ~= wanted then error(which .. ': ' .. schema .. '\\n' .. tostring(wanted) .. ', ' .. tostring(message)) end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 1 };

#include "lua_target.h"
