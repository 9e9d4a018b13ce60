/* SPDX-License-Identifier: MIT
** decode.c -- libFuzzer target: decoding in a real Lua. The first byte picks options, the rest is the text.
** Both decoders must do the same: the same value, or the same message. What was decoded must come back from its own
** encoding, strict texts must be what the checker says is JSON, and a stream in pieces what it is in one.
** Build: clang -std=gnu99 -g -O1 -fsanitize=fuzzer,address,undefined -DFLEECE_ASSERT -Isrc -I(Lua) fuzz/decode.c (liblua) */
#include <stdio.h>
#include <stdlib.h>

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#include "../src/fleece.c"

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
    "local function stream(source, options)\n"
    "  local list = {}\n"
    "  local ok, message = pcall(function()\n"
    "    for value, place in fleece.documents(source, options) do list[#list + 1] = plain.encode { value } .. place end\n"
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
    "    local at, step = 0, #text % 5 + 1\n"
    "    local pieces = stream(function()\n"
    "      at = at + step\n"
    "      if at - step < #text then return text:sub(at - step + 1, at) end\n"
    "    end, sets[pick])\n"
    "    local whole = stream(text, sets[pick])\n"
    "    if pieces ~= whole then error('other stream: ' .. pieces .. ' / ' .. whole) end\n"
    "  end\n"
    "end\n";

static lua_State *L;

static void start(void) {
  L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "fleece", luaopen_fleece, 0);
  if (luaL_loadbuffer(L, script, sizeof script - 1, "=fuzz") || (lua_insert(L, -2), lua_pcall(L, 1, 1, 0))) {
    fprintf(stderr, "%s\n", lua_tostring(L, -1));
    abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t where;
  if (!L) start();
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  lua_pushlstring(L, (const char *)data, size);
  /* the Lua string: 0 behind its end */
  lua_pushboolean(L, size > 0 && json_check(lua_tostring(L, -1) + 1, size - 1, 1000, &where) == 0);
  if (lua_pcall(L, 2, 0, 0)) {
    fprintf(stderr, "%s\n", lua_tostring(L, -1));
    abort();
  }
  return 0;
}
