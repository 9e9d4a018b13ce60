/* SPDX-License-Identifier: MIT
** pick.c -- libFuzzer target: values picked from a JSON text, in a real Lua. The first byte selects options and the
** kind of picker, the next four the paths, the rest is the text.
** A picker accepts what decode accepts, with the same message for what it does not, by vectors and without. Its values
** are those that a look-up finds in the decoded value, and with raw = true texts that decode to them. Of a valid text
** test = "read" finds what duplicates = "first" finds; any other text must not crash it.
** Build: make build/tests/fuzz/pick */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local array, object, null = {}, {}, {}\n"
    "local sets = {\n"
    "  {}, {}, { duplicates = 'first' }, { duplicates = 'error' }, { comments = true, trailing_commas = true, bom = true },\n"
    "  { json5 = true }, { invalid_numbers = 'literal' }, { invalid_utf8 = 'replace' }, { invalid_utf8 = 'pass', json5 = true },\n"
    "  { max_depth = 3, max_bytes = 100 }, { big_numbers = 'string' }, { big_numbers = 'error' }, { duplicates = 'error', json5 = true },\n"
    "  { max_depth = 2, duplicates = 'error' }, { bom = true, duplicates = 'first' }, { big_numbers = 'error', duplicates = 'error' },\n"
    "}\n"
    "local firsts = {}\n"
    "for i, set in ipairs(sets) do\n"
    "  sets[i] = merged(set, { null = null, arrays = array, objects = object })\n"
    "  firsts[i] = merged(sets[i], { duplicates = 'first' })\n"
    "end\n"
    /* each path, and its steps: names, indices of key paths, and tokens of pointers, which are one or the other */
    "local function token(s) return { name = s, index = s:find('^[1-9]?%d$') and tonumber(s) } end\n"
    "local paths = {\n"
    "  { '' }, { 'a', { name = 'a' } }, { 'b', { name = 'b' } }, { 'a.b', { name = 'a' }, { name = 'b' } }, { '[0]', { index = 0 } },\n"
    "  { '[-1]', { index = -1 } }, { 'a[1]', { name = 'a' }, { index = 1 } }, { 'a[-1]', { name = 'a' }, { index = -1 } },\n"
    "  { '[-2][-1]', { index = -2 }, { index = -1 } }, { '[1].a', { index = 1 }, { name = 'a' } }, { '/0', token '0' }, { '/a/0', token 'a', token '0' },\n"
    "  { '/', token '' }, { '/1/b', token '1', token 'b' }, { '/-', token '-' }, { '/a/a/a', token 'a', token 'a', token 'a' },\n"
    "}\n"
    "local function look_up(value, path)\n"
    "  for i = 2, #path do\n"
    "    local step, kind = path[i], getmetatable(value)\n"
    "    local key = nil\n"
    "    if kind == object then key = step.name\n"
    "    elseif kind == array and step.index then key = step.index < 0 and #value + 1 + step.index or step.index + 1 end\n"
    "    if type(value) ~= 'table' or key == nil then return nil end\n"
    "    value = rawget(value, key)\n"
    "  end\n"
    "  return value\n"
    "end\n"
    "local function same(a, b)\n"
    "  if type(a) ~= 'table' or type(b) ~= 'table' or a == null or b == null then\n"
    "    return (a == b or a ~= a and b ~= b) and math.type(a) == math.type(b) and (a ~= 0 or 1 / a == 1 / b)\n"
    "  end\n"
    "  if getmetatable(a) ~= getmetatable(b) then return false end\n"
    "  for key, value in next, a do if not same(value, b[key]) then return false end end\n"
    "  for key in next, b do if a[key] == nil then return false end end\n"
    "  return true\n"
    "end\n"
    "local kinds = { { test = 'read' }, {}, { layout = 'api' }, { raw = true }, { layout = 'any-cpu', raw = true } }\n"
    "local function must(ok, what, a, b) if not ok then error(what .. ': ' .. tostring(a) .. ' / ' .. tostring(b)) end end\n"
    "return function(data)\n"
    "  local byte, list = data:byte(1) or 0, {}\n"
    "  local which, kind = byte % 16 + 1, kinds[math.floor(byte / 16) % #kinds + 1]\n"
    "  for i = 1, 4 do list[i] = paths[(data:byte(i + 1) or 0) % #paths + 1] end\n"
    "  local text, options = data:sub(6), sets[which]\n"
    "  if kind.test and options.duplicates == 'error' then kind = kinds[2] end\n"
    "  local pick = fleece.pick(list[1][1], list[2][1], list[3][1], list[4][1], merged(options, kind))\n"
    "  local ok, value = pcall(fleece.decode, text, kind.test and firsts[which] or options)\n"
    "  local got = table.pack(pcall(pick, text))\n"
    "  if not ok then return must(kind.test or not got[1] and got[2] == value, 'other message', value, got[2]) end\n"
    "  must(got[1], 'refused', got[2])\n"
    "  for i = 1, 4 do\n"
    "    local part = got[i + 1]\n"
    "    if kind.raw and part ~= nil then\n"
    "      must(text:find(part, 1, true), 'no part of the text', part)\n"
    "      part = fleece.decode(part, options)\n"
    "    end\n"
    "    must(same(part, look_up(value, list[i])), 'other value', list[i][1], part)\n"
    "  end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 5 };

#include "lua_target.h"
