/* SPDX-License-Identifier: MIT
** page_ends.c -- nothing is read or written after the end of memory: each block of the Lua state ends, to 8 bytes,
** where a page ends, and the page after it cannot be touched. Strings of each length, in texts and in values; and tables
** that move while they are written.
** Build: cc -std=gnu99 -Isrc -I<lua headers> tests/c/module/page_ends.c src/fleece.c -l<lua> -lm -ldl -o page_ends */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

int luaopen_fleece(lua_State *L);

static size_t page;

static size_t pages(size_t n) { return (n + page - 1) / page * page; }

/* A lua_Alloc. A block is in pages of its own, before one that is protected. */
static void *at_page_end(void *ud, void *old, size_t old_size, size_t size) {
  char *block = NULL;
  (void)ud;
  if (size) {
    char *start = mmap(NULL, pages(size) + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + pages(size), page, PROT_NONE) != 0) return NULL;
    block = start + pages(size) - ((size + 7) & ~(size_t)7);
    if (old) memcpy(block, old, size < old_size ? size : old_size);
  }
  if (old) munmap((void *)((uintptr_t)old / page * page), pages(old_size) + page);
  return block;
}

static const char script[] =
    "local fleece = ...\n"
    "local function same(a, b, what)\n"
    "  if a ~= b then error(what .. ': ' .. tostring(a) .. ', not ' .. tostring(b)) end\n"
    "end\n"
    /* names and values that are the last of a text; the second object has a shape that is known */
    "for n = 0, 40 do\n"
    "  local x, space = ('x'):rep(n), (' '):rep(n)\n"
    "  for _, last in ipairs { '1}', '-1.5}', 'true}', 'null}', '[]}', '\"' .. x .. '\"}', '1' .. space .. '}' } do\n"
    "    local text = '{\"' .. x .. '\":' .. last\n"
    "    for _, many in ipairs { text, '[' .. text .. ',' .. text .. ',' .. text .. ']' } do\n"
    "      local value = fleece.decode(many)\n"
    "      local object = value[3] or value\n"
    "      same(fleece.encode(object[x]), (last:gsub('%s*}$', '')), many)\n"
    "      same(fleece.decode(many, { layout = 'api' }) ~= nil, true, many)\n"
    "    end\n"
    "  end\n"
    "end\n"
    /* values that wait on a stack that is small at first: of arrays, of records, and of objects that are none at last */
    "for n = 1, 80 do\n"
    "  local items, members = {}, {}\n"
    "  for i = 1, n do items[i], members[i] = i, ('\"k%d\":%d'):format(i, i) end\n"
    "  items, members = table.concat(items, ','), table.concat(members, ',')\n"
    "  for _, text in ipairs { '[' .. items .. ']', '{' .. members .. '}', '{' .. members .. ',\"\\\\u0061\":1}' } do\n"
    "    local value = coroutine.wrap(function() return fleece.decode(text) end)()\n"
    "    same(value[n] or value['k' .. n], n, text)\n"
    "    same(value.k1 == nil or value.k1 == 1 and (value.a or 1) == 1, true, text)\n"
    "  end\n"
    "end\n"
    /* A stack that may grow no more (5.2 to 5.5: LUAI_MAXSTACK): the values before an object make room for its names.
    ** Only if there is hardly room for the call itself may there be an error. */
    "local unpack, empty = table.unpack, {}\n"
    "local function above(slots, f) return (function(...) return (f()) end)(unpack(empty, 1, slots)) end\n"
    "local function far_above(n, f)\n"
    "  if n == 0 then return (f()) end\n"
    "  return (above(5000, function() return (far_above(n - 1, f)) end))\n"
    "end\n"
    "for n = _VERSION == 'Lua 5.1' and 99 or 4, 64, 20 do\n"
    "  local members, fits, errors = {}, {}, 0\n"
    "  for i = 1, n do members[i] = ('\"%d.%d\":%d'):format(n, i, i) end\n"
    "  local text = '[' .. ('0,'):rep(600) .. '{' .. table.concat(members, ',') .. ',\"' .. ('n'):rep(50) .. '\":1}]'\n"
    "  coroutine.wrap(far_above)(199, function()\n"
    "    for slots = 4600, 2000, -17 do\n"
    "      fits[slots] = pcall(above, slots, function() return (fleece.decode '[]') end)\n"
    "      local ok, value = pcall(above, slots, function() return (fleece.decode(text)) end)\n"
    "      if ok then\n"
    "        same(#value, 601, text)\n"
    "        for i = 1, n do same(value[601][n .. '.' .. i], i, text) end\n"
    "      else\n"
    "        errors = errors + 1\n"
    "        if fits[slots + 153] then error('room for a call, but not for ' .. n .. ' names: ' .. value) end\n"
    "      end\n"
    "    end\n"
    "  end)\n"
    "  same(errors > 0, true, 'the stack is full')\n"
    "end\n"
    /* strings with one byte that is escaped, or none */
    "local odd = { [''] = '', ['\"'] = '\\\\\"', ['\\n'] = '\\\\n', ['\\1'] = '\\\\u0001' }\n"
    "odd['\\195\\169'] = '\\195\\169'\n"
    "for n = 0, 140 do\n"
    "  for byte, escaped in pairs(odd) do\n"
    "    local s, text = ('y'):rep(n) .. byte, '\"' .. ('y'):rep(n) .. escaped .. '\"'\n"
    "    same(fleece.encode { s }, '[' .. text .. ']', 'encode')\n"
    "    same(fleece.encode({ s }, { layout = 'api' }), '[' .. text .. ']', 'encode')\n"
    "    same(fleece.encode { [s] = 1 }, '{' .. text .. ':1}', 'encode')\n"
    "    same(fleece.decode(text), s, 'decode')\n"
    "    same(fleece.format('[' .. text .. ']'), '[' .. text .. ']', 'format')\n"
    "    same(fleece.pick('/0')('[' .. text .. ']'), s, 'pick')\n"
    "    same(fleece.unpack(fleece.pack { s })[1], s, 'pack')\n"
    "  end\n"
    "  collectgarbage()\n"
    "end\n"
    /* tables whose pairs are put in order: the memory for them has just the size that it needs */
    "for _, n in ipairs { 1, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256 } do\n"
    "  local list, map, numbers, values = {}, {}, {}, {}\n"
    "  for i = n, 1, -1 do list[i], map['k' .. 100 + i], numbers[i + 100.5], values[i] = i, i, i, i end\n"
    "  local members, keys = {}, {}\n"
    "  for i = 1, n do members[i] = ('\"k%d\":%d'):format(100 + i, i) end\n"
    "  for i = 1, n do keys[i] = ('\"%d.5\":%d'):format(100 + i, i) end\n"
    "  same(fleece.encode(list), '[' .. table.concat(values, ',') .. ']', n)\n"
    "  same(fleece.encode(map, { sort_keys = true }), '{' .. table.concat(members, ',') .. '}', n)\n"
    "  same(fleece.encode(numbers, { sort_keys = true }), '{' .. table.concat(keys, ',') .. '}', n)\n"
    "  same(fleece.encode(map, { canonical = 'jcs' }), '{' .. table.concat(members, ',') .. '}', n)\n"
    "  local ordered = fleece.decode('{' .. table.concat(members, ',') .. '}', { order = true })\n"
    "  ordered.k101, ordered.z, ordered.y = nil, 2, 1\n"
    "  members = table.concat(members, ',', 2) .. (n > 1 and ',' or '')\n"
    "  same(fleece.encode(ordered), '{' .. members .. '\"y\":1,\"z\":2}', n)\n"
    "end\n"
    /* tables that move between two pieces of their text: what is still to be written is read where it is now */
    "local item, list, map = ('i'):rep(300), {}, {}\n"
    "for i = 1, 4000 do list[i], map[i + 0.5] = item, item end\n"
    "for _, t in ipairs { list, map } do\n"
    "  local text = {}\n"
    "  fleece.write(function(piece)\n"
    "    text[#text + 1] = piece\n"
    "    if #text > 1 then return end\n"
    "    for k in next, t do t[k] = 'moved' end\n"
    "    for k in next, t == list and map or list do t[k] = 'moved' end\n"
    "  end, t)\n"
    "  text = table.concat(text)\n"
    "  fleece.decode(text, { duplicates = 'last' })\n"
    "  same(text:find(item, -1000, true), nil, 'an item of before')\n"
    "  same(text:find('moved', -1000, true) ~= nil, true, 'an item that was moved')\n"
    "end\n";

int main(void) {
  lua_State *L;
  page = (size_t)sysconf(_SC_PAGESIZE);
#if LUA_VERSION_NUM >= 505
  L = lua_newstate(at_page_end, NULL, 1);
#else
  L = lua_newstate(at_page_end, NULL);
#endif
  if (!L) return 77; /* a LuaJIT that takes no allocator */
  luaL_openlibs(L);
  lua_pushcfunction(L, luaopen_fleece);
  if (lua_pcall(L, 0, 1, 0) || luaL_loadstring(L, script)) lua_error(L);
  lua_insert(L, -2);
  if (lua_pcall(L, 1, 0, 0)) {
    fprintf(stderr, "page_ends: %s\n", lua_tostring(L, -1));
    return 1;
  }
  lua_close(L);
  puts("ok - no byte after the end of a block");
  return 0;
}
