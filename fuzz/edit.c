/* SPDX-License-Identifier: MIT
** edit.c -- libFuzzer target: a JSON text with some values changed, in a real Lua. The first byte selects options and
** how many of the changes are made that the next eight are; the rest is the text.
** A strict text is accepted as the checker says. The changes made one call after the other give the same text as in one
** call, but for the kind of line ends: new ones are as the first of the text that a call gets. The same text as in one call
** come from the public API and, if the text is valid, with test = "read". The result must be valid in the same grammar; a
** removed value that is set again is found by decode.
** Build: make build/tests/fuzz/edit */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local sets = {\n"
    "  {}, { max_depth = 3 }, { indent = 2 }, { json5 = true }, { comments = true, trailing_commas = true, bom = true },\n"
    "  { comments = true, indent = 1 }, { json5 = true, invalid_utf8 = 'replace' }, { trailing_commas = true },\n"
    "}\n"
    "local paths = { '', '/0', '/1', '/-', 'a', 'b', '/a/b', '/a/0', '[-1]', '/0/a', 'a.a', '/1/0', '[-1][-1]', 'a[-1]', '/', '/0/0' }\n"
    "local words = { 'set', 'insert', 'append', 'remove', 'discard' }\n"
    "local values = { 1, 'x', { 1, 2 }, { a = { b = 1 } } }\n"
    "local function api_of(test)\n"
    "  local list = {}\n"
    "  for i, set in ipairs(sets) do\n"
    "    list[i] = { test = test, layout = 'api' }\n"
    "    for k, v in pairs(set) do list[i][k] = v end\n"
    "  end\n"
    "  return list\n"
    "end\n"
    "local all_of, read_of = api_of 'all', api_of 'read'\n"
    "local function one_line_end(text) return (text:gsub('\\r\\n?', '\\n')) end\n"
    "return function(data, is_json)\n"
    "  local first, text = data:byte(1) or 0, data:sub(10)\n"
    "  local number = first % 8 + 1\n"
    "  local options, changes = sets[number], {}\n"
    "  for i = 2, math.floor(first / 16) % 8 + 2 do\n"
    "    local byte = data:byte(i) or 0\n"
    "    local word = words[byte % 5 + 1]\n"
    "    changes[#changes + 1] = { word, paths[math.floor(byte / 4) % 16 + 1], values[math.floor(byte / 64) + 1] }\n"
    "  end\n"
    "  local ok, same = pcall(fleece.edit, text, {}, options)\n"
    "  if number == 1 and ok ~= is_json then error('checker: ' .. tostring(same)) end\n"
    "  if ok and same ~= text then error('changed by nothing: ' .. text) end\n"
    "  if not ok then return pcall(fleece.edit, text, changes, read_of[number]) end\n"
    "  local done, step = {}, text\n"
    "  for _, change in ipairs(changes) do\n"
    "    local fine, after = pcall(fleece.edit, step, { change }, options)\n"
    "    if fine then\n"
    "      done[#done + 1] = change\n"
    "      step = after\n"
    "    end\n"
    "  end\n"
    "  fleece.edit(step, {}, options)\n"
    "  local all = fleece.edit(text, done, options)\n"
    "  if one_line_end(all) ~= one_line_end(step) then error('in one call: ' .. all .. ' / ' .. step) end\n"
    "  if fleece.edit(text, done, all_of[number]) ~= all then error('by the API: ' .. all) end\n"
    "  if fleece.edit(text, done, read_of[number]) ~= all then error('read: ' .. all) end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 9 };

#include "lua_target.h"
