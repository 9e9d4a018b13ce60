/* SPDX-License-Identifier: MIT
** format.c -- libFuzzer target: JSON text to JSON text, in a real Lua. The first byte selects options, the second the
** size of the pieces, the rest is the text.
** From 128 on in the second: the text in pieces must give the same text or message as in one piece. Else: a text is
** accepted as strict if and only if the checker says that it is JSON. The output must be JSON that does not change when it
** is formatted again. It must have the same value as the input, if decode accepts the input.
** Build: make build/tests/fuzz/format */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local sets = {\n"
    "  {}, { indent = 2 }, { sort_keys = true }, { sort_keys = true, indent = '\\t', lines = true }, { lines = true },\n"
    "  { json5 = true }, { json5 = true, indent = 1, sort_keys = true }, { comments = true, trailing_commas = true, bom = true },\n"
    "  { invalid_numbers = 'literal', json5 = true }, { max_depth = 3 }, { colors = true, indent = 3 },\n"
    "}\n"
    "local function grammar(o)\n" /* those that decode accepts */
    "  return { json5 = o.json5, comments = o.comments, trailing_commas = o.trailing_commas, bom = o.bom, max_depth = o.max_depth }\n"
    "end\n"
    "local plain = fleece.new { sort_keys = true, max_depth = 2000 }\n"
    "local function stream(text, step, options)\n"
    "  local at, list = 0, {}\n"
    "  local ok, n = pcall(fleece.format_stream, function()\n"
    "    at = at + step\n"
    "    if at - step < #text then return text:sub(at - step + 1, at) end\n"
    "  end, function(piece) list[#list + 1] = piece end, options)\n"
    "  return ok, ok and table.concat(list) or clean(n)\n"
    "end\n"
    "return function(data, is_json)\n"
    "  local pick, step, text = (data:byte(1) or 0) % #sets + 1, (data:byte(2) or 0) % 40 + 1, data:sub(3)\n"
    "  local options = sets[pick]\n"
    "  local ok, a = pcall(fleece.format, text, options)\n"
    "  if pick <= 3 and ok ~= is_json then error('checker: ' .. tostring(a)) end\n"
    "  if (data:byte(2) or 0) >= 128 then\n"
    "    local ok2, b = stream(text, step, options)\n"
    "    if ok ~= ok2 or (ok and a or clean(a)) ~= b then error('in pieces: ' .. tostring(a) .. ' / ' .. tostring(b)) end\n"
    "    return\n"
    "  end\n"
    "  if not ok or options.colors or options.invalid_numbers then return end\n"
    "  local again = fleece.format(a, { indent = options.indent, lines = options.lines, sort_keys = options.sort_keys, max_depth = 2000 })\n"
    "  if again ~= a then error('written again: ' .. a .. ' / ' .. again) end\n"
    "  if options.lines then return end\n"
    "  local fine, value = pcall(fleece.decode, text, grammar(options))\n"
    "  if not fine then\n"
    "    if value:find('too large', 1, true) then return end\n"
    "    error('decode: ' .. value)\n"
    "  end\n"
    "  if plain.encode(fleece.decode(a)) ~= plain.encode(value) then error('another value: ' .. a) end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 2 };

#include "lua_target.h"
