/* SPDX-License-Identifier: MIT
** decode.c -- libFuzzer target: decoding in a real Lua. The first byte selects options, the rest is the text.
** Both decoders must return the same value or the same message. A decoded value must be equal after encoding and
** decoding it again. A text must be accepted as strict if and only if the checker says that it is JSON. Streams of
** documents and items in pieces must give the same results as in one piece.
** Build: clang -std=gnu99 -g -O1 -fsanitize=fuzzer,address,undefined -DFLEECE_ASSERT -Isrc -I(Lua) fuzz/decode.c (liblua) */
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
    "local function stream(next_value)\n"
    "  local list = {}\n"
    "  local ok, message = pcall(function()\n"
    "    for value, place, key in next_value do list[#list + 1] = plain.encode { value } .. place .. (key or '') end\n"
    "  end)\n"
    "  return table.concat(list, ' ') .. (ok and '' or message:gsub(' near .*', ''):gsub('^.-:%d+: ', ''))\n"
    "end\n"
    "return function(data, is_json)\n"
    "  local pick = (data:byte(1) or 0) % #sets + 1\n"
    "  local text, strict = data:sub(2), pick <= 2\n"
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
    "  if #text < 2000 then\n"
    "    local function pieces()\n"
    "      local at, step = 0, #text % 5 + 1\n"
    "      return function()\n"
    "        at = at + step\n"
    "        if at - step < #text then return text:sub(at - step + 1, at) end\n"
    "      end\n"
    "    end\n"
    "    local function compare(cut, whole)\n"
    "      if cut ~= whole then error('other stream: ' .. cut .. ' / ' .. whole) end\n"
    "    end\n"
    "    compare(stream(fleece.documents(pieces(), sets[pick])), stream(fleece.documents(text, sets[pick])))\n"
    "    for _, pointer in ipairs { '', '/a', '/0' } do\n"
    "      local cut = stream(fleece.items(pieces(), pointer, sets[pick]))\n"
    "      if not cut:find('too long', 1, true) then compare(cut, stream(fleece.items(text, pointer, sets[pick]))) end\n"
    "    end\n"
    "  end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 1 };

#include "lua_target.h"
