/* SPDX-License-Identifier: MIT
** partial.c -- libFuzzer target: texts of which only the beginning is there, in a real Lua. The first byte selects
** options, the second a beginning and the size of pieces, the rest is the text.
** The beginning of a text that decode accepts gives a value or nothing, and the same below the API and over it; a parser
** shows the same in pieces, in the same table each time, and ends with it. What is complete is what decode returns; what
** partial = true refuses decode refuses too.
** Build: make build/tests/fuzz/partial */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local sets = {\n"
    "  {}, {}, {}, { json5 = true }, { comments = true, trailing_commas = true, bom = true }, { invalid_numbers = 'literal' },\n"
    "  { json5 = true, invalid_utf8 = 'replace' }, { invalid_utf8 = 'pass' }, { invalid_utf8 = 'escape' }, { numeric_keys = true },\n"
    "  { null = 'nil' }, { numbers = 'exact' }, { big_numbers = 'error' }, { arrays = {}, objects = {} },\n"
    "  { duplicates = 'first' }, { duplicates = 'error' }, { order = true, numbers = 'exact' },\n"
    "}\n"
    "local SHOWN = 14\n" /* a parser shows its tables with these */
    "local raw, api = {}, {}\n"
    "for i, set in ipairs(sets) do\n"
    "  raw[i], api[i] = {}, {}\n"
    "  for j, unfinished in ipairs { false, true } do\n"
    "    raw[i][j] = merged(set, { partial = true, unfinished = unfinished })\n"
    "    api[i][j] = merged(raw[i][j], { layout = 'api' })\n"
    "  end\n"
    "end\n"
    "local plain = fleece.new { invalid_utf8 = 'pass', invalid_numbers = 'literal', max_depth = 2000, metamethods = false, sort_keys = true, sparse = 'object' }\n"
    "local function shown(value) return value == nil and 'nothing' or plain.encode(value) end\n"
    "local function must(ok, what, a, b, c)\n"
    "  if not ok then error(('%s: %s / %s / %q'):format(what, tostring(a), tostring(b), tostring(c))) end\n"
    "end\n"
    "local function look(parser, head, unfinished, which, first)\n"
    "  local value, state = parser:peek { unfinished = unfinished }\n"
    "  local wanted, wanted_state = fleece.decode(head, raw[which][unfinished and 2 or 1])\n"
    "  must(shown(value) == shown(wanted), 'peek', shown(value), shown(wanted), head)\n"
    "  must(state == wanted_state, 'state', state, wanted_state, head)\n"
    "  if type(value) ~= 'table' then return first end\n"
    "  must(not first or first == value, 'another table', first, value, head)\n"
    "  return value\n"
    "end\n"
    "local function in_pieces(text, which, size)\n"
    "  local parser, first, strings, part = fleece.parser(sets[which]), nil, 0, ''\n"
    "  local every = size * math.ceil(#text / size / 8)\n" /* each look reads the beginning again */
    "  for at = 1, #text, size do\n"
    "    parser:feed(text:sub(at, at + size - 1))\n"
    "    if at % every == 1 % every then first = look(parser, text:sub(1, at + size - 1), at % 2 == 0, which, first) end\n"
    "    local new, ended = parser:tail()\n"
    "    if new then part = part .. new end\n"
    "    if ended then strings, part = strings + 1, '' end\n"
    "    must(new or part == '', 'a string has no end', part, strings, text)\n"
    "  end\n"
    "  local value = parser:finish()\n"
    "  must(not first or first == value, 'another result', first, value, text)\n"
    "  return value\n"
    "end\n"
    "return function(data)\n"
    "  local first, second, text = data:byte(1) or 0, data:byte(2) or 0, data:sub(3, 400)\n"
    "  local which, j = first % 32 % #sets + 1, math.floor(first / 32) % 2 + 1\n"
    "  local ok, value = pcall(fleece.decode, text, sets[which])\n"
    "  local head = ok and text:sub(1, math.floor(second * (#text + 1) / 256)) or text\n"
    "  local ok1, a, state = pcall(fleece.decode, head, raw[which][j])\n"
    "  local ok2, b, state2 = pcall(fleece.decode, head, api[which][j])\n"
    "  must(ok1 == ok2, 'one accepts', a, b, head)\n"
    "  if ok1 then\n"
    "    must(shown(a) == shown(b), 'other value', shown(a), shown(b), head)\n"
    "    must(state == state2, 'other state', state, state2, head)\n"
    "    if state == 'complete' and ok then must(shown(a) == shown(value), 'complete', shown(a), shown(value), head) end\n"
    "    if state == 'complete' and not head:find '/' and not head:find '[\\128-\\255]' then\n"
    "      must(pcall(fleece.decode, head, sets[which]), 'complete, but wrong', shown(a), '', head)\n"
    "    end\n"
    "  else\n"
    "    must(not ok, 'the beginning of a text is refused', a, '', head)\n"
    "    must(a == b, 'other message', a, b, head)\n"
    "  end\n"
    "  if not ok or which > SHOWN then return end\n"
    "  local part = in_pieces(text, which, second % 8 + 1)\n"
    "  must(shown(part) == shown(value), 'in pieces', shown(part), shown(value), text)\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 2 };

#include "lua_target.h"
