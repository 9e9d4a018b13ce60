/* SPDX-License-Identifier: MIT
** patch.c -- libFuzzer target: JSON Patch and JSON Merge Patch, in a real Lua. The first byte selects options and a function, the rest is two
** texts with a zero byte between them.
** The difference of two texts, applied to the first, gives the second, as texts and as tables. The second text as a patch,
** or as a merge patch, has the same result for a text and for the table that it is.
** Build: make build/tests/fuzz/patch */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local codecs = { fleece, fleece.new { layout = 'api' }, fleece.new { comments = true, trailing_commas = true } }\n"
    "local function same(a, b, what)\n" /* texts of the third codec keep their comments */
    "  local difference = codecs[3].json_diff(a, b)\n"
    "  if difference ~= '[]' then error(what .. ': ' .. a .. ' / ' .. b .. ' / ' .. difference) end\n"
    "end\n"
    "local function value_of(text)\n"
    "  local ok, v = pcall(fleece.decode, text)\n"
    "  if ok and type(v) == 'string' then v = fleece.raw(text) end\n"
    "  return ok, v\n"
    "end\n"
    /* A table has what a double has; and a copied value can be very long. */
    "local function is_plain(text) return not text:find '%d%d%d%d%d%d%d%d%d%d' and not text:find '[eE]' end\n"
    "local function both(f, a, b, what)\n"
    "  local fine_a, va = value_of(a)\n"
    "  local fine_b, vb = value_of(b)\n"
    "  local ok, text = pcall(f, a, b)\n"
    "  if not fine_a or not fine_b then return ok and text end\n"
    "  local before = fleece.encode(va, { sort_keys = true })\n"
    "  for _, patch in ipairs { b, vb } do\n"
    "    local fine, v = pcall(f, va, patch)\n"
    "    if pcall(fleece.json_diff, a, b) and is_plain(a .. b) and fine ~= ok then\n"
    "      error(what .. ': ' .. a .. ' / ' .. b .. ' / ' .. tostring(text) .. ' / ' .. tostring(v))\n"
    "    end\n"
    "    if fine and ok and is_plain(a .. b) and pcall(fleece.json_diff, text, text) then\n"
    "      same(fleece.encode(v), text, what)\n"
    "    end\n"
    "  end\n"
    "  if fleece.encode(va, { sort_keys = true }) ~= before then error('changed: ' .. a) end\n"
    "  return ok and text\n"
    "end\n"
    "local function valid(text) fleece.edit(text, {}, { max_depth = 100000 }) end\n"
    "return function(data)\n"
    "  local option = data:byte(1) or 0\n"
    "  local zero = data:find('\\0', 2, true) or #data + 1\n"
    "  local a, b = data:sub(2, zero - 1), data:sub(zero + 1)\n"
    "  local codec, what, test = codecs[option % 3 + 1], math.floor(option / 16) % 4, { test = option >= 128 }\n"
    "  if what == 0 then\n"
    "    local _, copies = b:gsub('copy', '')\n"
    "    local text = copies < 8 and both(codec.json_patch, a, b, 'patch')\n"
    "    if text and option % 3 ~= 2 then valid(text) end\n"
    "  elseif what == 1 then\n"
    "    local text = both(codec.merge_patch, a, b, 'merge')\n"
    "    if text and option % 3 ~= 2 then valid(text) end\n"
    "  elseif what == 2 then\n"
    "    local ok, difference = pcall(codec.json_diff, a, b, test)\n"
    "    if not ok then return end\n"
    "    same(codec.json_patch(a, difference), b, 'difference')\n"
    "    local fine, merge = pcall(codec.merge_diff, a, b)\n"
    "    if fine then same(codec.merge_patch(a, merge), b, 'merge difference')\n"
    "    elseif not merge:find('set a member to null', 1, true) then error(merge) end\n"
    "  elseif is_plain(a .. b) and pcall(codec.json_diff, a, b) then\n"
    "    local fine_a, va = value_of(a)\n"
    "    local fine_b, vb = value_of(b)\n"
    "    if fine_a and fine_b then\n"
    "      same(fleece.encode(fleece.json_patch(va, codec.json_diff(va, vb, test))), b, 'tables')\n"
    "    end\n"
    "  end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 1 };

#include "lua_target.h"
