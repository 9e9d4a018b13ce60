/* SPDX-License-Identifier: MIT
** decode.c -- libFuzzer target: decoding in a real Lua. The first byte selects options and which stream is read, the
** rest is the text.
** Both decoders must return the same value or the same message. A decoded value must be equal after encoding and
** decoding it again. A text must be accepted as strict if and only if the checker says that it is JSON. From 128 on:
** streams of documents and items in pieces must give the same results as in one piece.
** Build: make build/tests/fuzz/decode */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local null = {}\n"
    "local sets = {\n"
    "  {}, {}, { comments = true, trailing_commas = true, bom = true }, { json5 = true }, { invalid_numbers = 'literal' },\n"
    "  { invalid_utf8 = 'replace' }, { invalid_utf8 = 'escape', json5 = true }, { invalid_utf8 = 'pass', invalid_numbers = 'null' },\n"
    "  { duplicates = 'first' }, { duplicates = 'error', numeric_keys = true }, { numeric_keys = true }, { big_numbers = 'string' },\n"
    "  { null = 'nil' }, { null = null, arrays = {}, objects = {} }, { max_depth = 3, max_bytes = 100 }, { big_numbers = 'error' },\n"
    "}\n"
    "local api = {}\n"
    "for i, set in ipairs(sets) do\n"
    "  api[i] = { layout = 'api' }\n"
    "  for k, v in pairs(set) do api[i][k] = v end\n"
    "end\n"
    "local plain = fleece.new { sort_keys = true, invalid_utf8 = 'pass', invalid_numbers = 'literal', max_depth = 2000,\n"
    "  metamethods = false, sparse = 'object', skip_unsupported = true }\n"
    "local pointers = { false, '', '/a', '/0' }\n" /* documents, or the items at it */
    "local function stream(next_value)\n"
    "  local list = {}\n"
    "  local ok, message = pcall(function()\n"
    "    for value, place, key in next_value do list[#list + 1] = plain.encode { value } .. place .. (key or '') end\n"
    "  end)\n"
    "  return table.concat(list, ' ') .. (ok and '' or clean(message))\n"
    "end\n"
    "local function in_pieces(text, pointer, options)\n"
    "  local function pieces()\n"
    "    local at, step = 0, #text % 5 + 1\n"
    "    return function()\n"
    "      at = at + step\n"
    "      if at - step < #text then return text:sub(at - step + 1, at) end\n"
    "    end\n"
    "  end\n"
    "  local function read(source)\n"
    "    return stream(pointer and fleece.items(source, pointer, options) or fleece.documents(source, options))\n"
    "  end\n"
    "  local cut, whole = read(pieces()), read(text)\n"
    "  if cut ~= whole and not cut:find('too long', 1, true) then error('other stream: ' .. cut .. ' / ' .. whole) end\n"
    "end\n"
    "return function(data, is_json)\n"
    "  local byte = data:byte(1) or 0\n"
    "  local pick, pointer = byte % 16 + 1, pointers[math.floor(byte / 16) % 4 + 1]\n"
    "  local text, strict = data:sub(2), pick <= 2\n"
    "  if byte >= 128 then return in_pieces(text, pointer, sets[pick]) end\n"
    "  local ok, a = pcall(fleece.decode, text, sets[pick])\n"
    "  local ok2, b = pcall(fleece.decode, text, api[pick])\n"
    "  if ok ~= ok2 then error('one accepts: ' .. tostring(a) .. ' / ' .. tostring(b)) end\n"
    "  if not ok and a ~= b then error('other message: ' .. a .. ' / ' .. b) end\n"
    "  if ok then\n"
    "    local s = plain.encode(a)\n"
    "    if s ~= plain.encode(b) then error('other value: ' .. s) end\n"
    "    if strict and plain.encode(fleece.decode(s)) ~= s then error('does not come back: ' .. s) end\n"
    "  end\n"
    "  if strict and ok ~= is_json and not tostring(a):find('too large', 1, true) then error('checker: ' .. tostring(a)) end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 1 };

#include "lua_target.h"
