/* SPDX-License-Identifier: MIT
** tokens.c -- libFuzzer target: the tokens of a text, in pieces, to a builder, and the option `width`, in a real Lua. The
** first byte selects the layout, the second the size of pieces, from 128 on that these are compared; the rest is the text.
** Tokens must be an error if and only if decode finds one, with the same message; but numbers that are too large have
** tokens. A builder must make of them the text that format makes, which tells nothing else apart: the text is formatted
** with its escapes gone. A layout with `width` must be the same from format, from its pieces and from the builder, and
** without white space be that of the text without lines. Lines must not be longer than the width for no reason.
** Build: make build/tests/fuzz/tokens */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local function pieces(text, step)\n"
    "  local at = 1 - step\n"
    "  return function()\n"
    "    at = at + step\n"
    "    if at <= #text then return text:sub(at, at + step - 1) end\n"
    "  end\n"
    "end\n"
    "local function rebuild(source, options)\n"
    "  local list = {}\n"
    "  local b = fleece.builder(function(piece) list[#list + 1] = piece end, options)\n"
    "  for kind, value, _, digits in fleece.tokens(source) do\n"
    "    if kind == 'number' then b:number(value, digits)\n"
    "    elseif kind == 'end' then b:close()\n"
    "    elseif kind == 'key' or kind == 'string' or kind == 'boolean' then b[kind](b, value)\n"
    "    else b[kind](b) end\n"
    "  end\n"
    "  b:finish()\n"
    "  return table.concat(list)\n"
    "end\n"
    "local function stream(text, step, options)\n"
    "  local list = {}\n"
    "  fleece.format_stream(pieces(text, step), function(piece) list[#list + 1] = piece end, options)\n"
    "  return table.concat(list)\n"
    "end\n"
    "return function(data, is_json)\n"
    "  local pick, step, text = data:byte(1) or 0, (data:byte(2) or 0) % 40 + 1, data:sub(3)\n"
    "  local options = { indent = pick % 3 + 1, width = pick }\n"
    "  local fine, value = pcall(fleece.decode, text)\n"
    "  local ok, plain = pcall(rebuild, text)\n"
    "  local too_large = not fine and value:find('number too large', 1, true)\n"
    "  if ok ~= is_json then error('checker: ' .. tostring(plain)) end\n"
    "  if not too_large and (fine ~= ok or (not ok and clean(value) ~= clean(plain))) then\n"
    "    error('decode: ' .. tostring(value) .. ' / ' .. tostring(plain))\n"
    "  end\n"
    "  if (data:byte(2) or 0) >= 128 then\n"
    "    local ok2, again = pcall(rebuild, pieces(text, step))\n"
    "    if ok2 ~= ok or (ok and plain or clean(plain)) ~= (ok and again or clean(again)) then\n"
    "      error('in pieces: ' .. tostring(plain) .. ' / ' .. tostring(again))\n"
    "    end\n"
    "    local lines = ok and fleece.format(plain, options)\n"
    "    if ok and stream(plain, step, options) ~= lines then error('stream: ' .. lines) end\n"
    "    return\n"
    "  end\n"
    "  if not ok then return end\n"
    "  if fleece.format(plain) ~= plain then error('format: ' .. plain) end\n"
    "  if not text:find('\\\\', 1, true) and fleece.format(text) ~= plain then error('another text: ' .. plain) end\n"
    "  local lines = fleece.format(plain, options)\n"
    "  if rebuild(plain, options) ~= lines then error('builder: ' .. lines) end\n"
    "  if fleece.format(lines) ~= plain then error('width: ' .. lines) end\n"
    "  if fleece.format(lines, options) ~= lines then error('again: ' .. lines) end\n"
    "  for line in lines:gmatch('[^\\n]+') do\n"
    "    local bare = line:gsub('\\\\.', 'x'):gsub('\"[^\"]*\"', '\"\"')\n"
    "    local n = #line:gsub('[\\128-\\191]', '')\n"
    "    if pick > 0 and n > pick and bare:find('[%[{][^%]}]') then error('too long: ' .. line) end\n"
    "  end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 2 };

#include "lua_target.h"
