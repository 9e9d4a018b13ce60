/* SPDX-License-Identifier: MIT
** roads.c -- the raw encoder and decoder do by themselves what they are for. All that they leave to the public API comes
** out the same, so other tests see no difference if they leave too much to it: only the time. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#include "decode/face/decode.h"
#include "decode/shapes.h"
#include "encode/face/encode.h"

int luaopen_fleece(lua_State *L);

static lua_State *open_module(void) {
  lua_State *L = luaL_newstate();
  assert_non_null(L);
  luaL_openlibs(L);
  lua_pushcfunction(L, luaopen_fleece);
  lua_call(L, 0, 1);
  return L;
}

/* Runs a chunk that gets the module, which is at index 1. */
static void run(lua_State *L, const char *chunk, int results) {
  if (luaL_loadstring(L, chunk)) fail_msg("%s", lua_tostring(L, -1));
  lua_pushvalue(L, 1);
  if (lua_pcall(L, 1, results, 0)) fail_msg("%s: %s", chunk, lua_tostring(L, -1));
}

static struct mod_state *state_of(lua_State *L) {
  struct mod_state *m;
  lua_getfield(L, 1, "encode");
  lua_getupvalue(L, -1, MOD_STATE);
  m = (struct mod_state *)lua_touserdata(L, -1);
  lua_pop(L, 2);
  assert_non_null(m);
  return m;
}

/* ------------------------------------------------------------------------------------- encode */

/* What the raw encoder says of a value that an encode with these options gets. *written: how many bytes it wrote. */
static enum encode_result encoded(lua_State *L, const char *value, const char *with, size_t *written) {
  char chunk[1024];
  struct mod_call call;
  struct mod_state *m = state_of(L);
  const struct mod_codec *codec;
  struct encode_state *c;
  enum encode_result result;
  snprintf(chunk, sizeof chunk, "local fleece = ... return fleece.new{%s}.encode, %s", with, value);
  run(L, chunk, 2);
  assert_non_null(lua_getupvalue(L, -2, MOD_CODEC));
  codec = (const struct mod_codec *)lua_touserdata(L, -1);
  mod_start_call(&call, L, m, &codec->encode, lua_gettop(L) - 1);
  c = mod_encode_state_for_call(L, m);
  assert_true(mod_make_ready(&call, c));
  result = mod_encode_raw(&call, c);
  assert_true(!c->finish || c->finish >= c->out.buffer.begin);
  *written = c->finish ? (size_t)(c->finish - c->out.buffer.begin) : 0;
  if (result == ENCODE_DONE) assert_int_equal(c->list_length, 0); /* also after a walk that came to no end */
  lua_settop(L, 1);
  return result;
}

/* Values without a function of Lua to call, which no option forbids. The tables within one walk use the same memory. */
static const char *const plain[] = {
    "{}",
    "{1, -2, 2.5, 'text', true, false, fleece.null}",
    "{{}, {{{}}, {}}, {a = {b = {c = {}}}}}",
    "{name = 'x', list = {1, 2, 3}, [''] = {n = 1}}",
    "{[1] = 'a', [2] = 'b', [3] = {}}",
    "{nil, nil, 3}",
    "{'a', nil, {}}",
    "{[3] = 'c', [1] = 'a'}",
    "{1, 2, x = 3}",
    "{[0] = 'zero', [-1] = 'less', [2.5] = 'more'}",
    "{[10] = 1, [9] = 2, ['1'] = 3}",
    "{{[-1] = 1, [2] = 2}, {['2'] = 1}}",
    "setmetatable({}, fleece.array_mt)",
    "setmetatable({}, fleece.object_mt)",
    "setmetatable({1, 2}, fleece.array_mt)",
    "setmetatable({a = 1, [1] = 2}, fleece.object_mt)",
    "{setmetatable({1, 2}, fleece.object_mt), setmetatable({}, fleece.object_mt)}",
    "{('\\1\"\\\\/\\195\\169'):rep(50), [('long'):rep(100)] = ('x'):rep(5000)}",
    "(function() local t = {} for i = 1, 300 do t = {t, i, k = 1} t.k = nil end return t end)()",
    "(function() local t = {} for i = 1, 300 do t[i] = {[i] = i, name = i} end return t end)()",
    "(function() local t = {} for i = 1, 40 do t = {a = t} end return {t, t} end)()",
    "(function() local s, t = {{{1}}}, {} for i = 1, 40 do t = {s, t, s[1], s[1][1]} end return t end)()",
    "{[1234567890.5] = 1, ['1234567890'] = 2, ['1234567891'] = {}}",
    "(function() local t = {} for i = 1, 40 do t[i] = i end for i = 1, 39 do t[i] = nil end return {t} end)()",
};

static const char *const options[] = {
    "",
    "indent = 2",
    "indent = '\\t'",
    "sort_keys = true",
    "sort_keys = true, indent = 1",
    "ascii = true",
    "ascii = true, html = true, escape_slash = true",
    "canonical = 'jcs'",
    "empty_table = 'object'",
    "float_integers = true",
    "invalid_numbers = 'null'",
    "invalid_utf8 = 'replace'",
    "layout = 'any-cpu'",
    "layout = 'any-cpu', precision = 14",
    "metamethods = false",
    "precision = 14",
    "skip_unsupported = true",
    "skip_unsupported = true, sort_keys = true, indent = 4",
    "sparse = 'null'",
};

static void plain_values_are_written_raw(void **unused) {
  lua_State *L = open_module();
  size_t i, k, n;
  (void)unused;
  if (state_of(L)->encode->raw == NULL) skip();
  for (i = 0; i < sizeof plain / sizeof *plain; i++)
    for (k = 0; k < sizeof options / sizeof *options; k++)
      if (encoded(L, plain[i], options[k], &n) != ENCODE_DONE) fail_msg("%s with %s", plain[i], options[k]);
  lua_close(L);
}

/* What skip_unsupported leaves out is no reason to leave all to the public API. */
static const char *const skipped[] = {
    "{1, print, {print}}",
    "{a = print, b = {c = print}}",
    "{[print] = 1, [true] = 2, a = 3}",
    "{[3] = print, [1] = 'a', [2] = print}",
    "{print, [3] = 'c', [5] = print}",
    "{print, x = print, y = 1, [0.5] = print}",
};

static void what_is_skipped_is_skipped_raw(void **unused) {
  lua_State *L = open_module();
  size_t i, n;
  (void)unused;
  if (state_of(L)->encode->raw == NULL) skip();
  for (i = 0; i < sizeof skipped / sizeof *skipped; i++)
    if (encoded(L, skipped[i], "skip_unsupported = true", &n) != ENCODE_DONE) fail_msg("%s", skipped[i]);
  lua_close(L);
}

/* What only Lua, or the encoder that words errors, can decide. */
static const char *const left[][2] = {
    {"setmetatable({}, {__tojson = print})", "indent = 2"},
    {"{[print] = 1}", ""},
    {"{[10] = 1, ['10'] = 2}", "canonical = 'jcs'"},
    {"{[10] = 1, ['10'] = 2, a = 3, b = 4}", "canonical = 'jcs'"},
    {"{[1] = 1, [2] = 2, ['30'] = 3, [30] = 4}", "canonical = 'jcs'"},
    {"{[1] = 1, [20] = 2, ['20'] = 3, x = 4}", "canonical = 'jcs'"},
    {"{1, [100] = 2}", "sparse = 'error'"},
    {"{0 / 0}", ""},
    {"{{{}}}", "max_depth = 2"},
    {"(function() local t = {{}} t[1][1] = t return t end)()", ""},
};

static void the_rest_is_left_to_the_api(void **unused) {
  lua_State *L = open_module();
  size_t i, n;
  (void)unused;
  if (state_of(L)->encode->raw == NULL) skip();
  for (i = 0; i < sizeof left / sizeof *left; i++)
    if (encoded(L, left[i][0], left[i][1], &n) != ENCODE_REDO) fail_msg("%s with %s", left[i][0], left[i][1]);
  lua_close(L);
}

/* A value in an open table, in front of which the walk pauses; and what is written by then. */
static const char *const stops[][3] = {
    {"{'text', print}", "", "[\"text\","},
    {"{'text', {setmetatable({}, {__tojson = print})}}", "", "[\"text\",["},
    {"{a = {setmetatable({}, {__pairs = print})}}", "", "{\"a\":["},
    {"{a = io.stdout}", "indent = 1", "{\n \"a\": "},
    {"{a = 1, b = {2, print}}", "sort_keys = true", "{\"a\":1,\"b\":[2,"},
    {"{1, 2, x = {print}}", "", "{\"1\":1,\"2\":2,\"x\":["},
    {"{[3] = print, [1] = 1, [2] = 2}", "", "[1,2,"},
    {"{'a', {b = {1, [100] = 2}}}", "sparse = 'error'", "[\"a\",{\"b\":"},
};

static void the_walk_pauses_at_a_value(void **unused) {
  lua_State *L = open_module();
  struct encode_state *c;
  size_t i, n;
  (void)unused;
  if (state_of(L)->encode->raw == NULL) skip();
  c = &state_of(L)->encode->walk;
  for (i = 0; i < sizeof stops / sizeof *stops; i++) {
    if (encoded(L, stops[i][0], stops[i][1], &n) != ENCODE_PAUSED) fail_msg("%s with %s", stops[i][0], stops[i][1]);
    assert_int_equal(n, strlen(stops[i][2]));
    assert_memory_equal(c->out.buffer.begin, stops[i][2], n);
    assert_int_equal(c->stopped, 1);
  }
  lua_close(L);
}

/* `before` tables lead to a cycle of `length`. A new table is compared with the one at the last power of two of the
** depth: the cycle is found when one of its tables is met that is at such a depth, of at least its length. */
static void cycles_are_found_soon(void **unused) {
  lua_State *L = open_module();
  size_t before, length, power, n;
  (void)unused;
  if (state_of(L)->encode->raw == NULL) skip();
  for (before = 0; before < 20; before++)
    for (length = 1; length < 20; length++) {
      char value[300];
      snprintf(value, sizeof value,
               "(function() local last = {} local t = last for i = 2, %d do t = {t} end last[1] = t "
               "for i = 1, %d do t = {t} end return t end)()",
               (int)length, (int)before);
      for (power = 1; power <= before || power < length; power *= 2) {}
      assert_int_equal(encoded(L, value, "", &n), ENCODE_REDO);
      assert_int_equal(n, power + length - 1); /* the brackets of the tables that it has opened */
      assert_int_equal(encoded(L, "{{1, 2}, {3}}", "", &n), ENCODE_DONE);
      assert_int_equal(n, strlen("[[1,2],[3]]"));
    }
  lua_close(L);
}

/* ------------------------------------------------------------------------------------- decode */

/* How many shapes have ended an object, or, if `learnt`, have their places, too. With `forget` none has ended one. */
static int ended_shapes(lua_State *L, int learnt, int forget) {
  struct shapes *h = state_of(L)->decode->shapes;
  int i, found = 0;
  for (i = 1; i < h->shapes; i++) {
    found += h->shape[i].ended && (!learnt || h->shape[i].members);
    if (forget) h->shape[i].ended = 0;
  }
  return found;
}

/* How many shapes are followed by none that is tried first, although some name has followed. */
static int unlikely_shapes(lua_State *L) {
  const struct shapes *h = state_of(L)->decode->shapes;
  int i, found = 0;
  for (i = 1; i < h->shapes; i++) found += h->shape[h->shape[i].parent].likely == 0;
  return found;
}

/* Objects of 1 to 60 names, of one name each, and of names that follow each other in two orders. */
static const char *const texts =
    "local fleece = ...\n"
    "local list = {'{\"a\":1,\"b\":2}', '{\"b\":1,\"a\":[null,true]}', '{\"a\":{\"x\":1.5}}'}\n"
    "for i = 1, 60 do\n"
    "  local members = {}\n"
    "  for k = 1, i do members[k] = ('\"name %d\":\"%d\"'):format(k, k) end\n"
    "  list[#list + 1] = '{' .. table.concat(members, ',') .. '}'\n"
    "  list[#list + 1] = ('{\"only %d\":%d}'):format(i, i)\n"
    "end\n"
    "return '[' .. table.concat(list, ',') .. ']'";
enum { SHAPES_IN_TEXTS = 3 + 1 + 2 * 60 };

/* What ends an object through the public API notes that its shape has ended one, so that is seen afterwards. The
** collector is stopped, because a table that it has marked black between lua_createtable and its members is filled
** through the API, rightly. */
static void objects_of_known_shapes_are_stored_raw(void **unused) {
  static const char *const with[] = {"", "objects = 'marked'", "arrays = 'marked'", "null = 0", "order = true"};
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof with / sizeof *with; i++) {
    char chunk[200];
    lua_State *L = open_module();
    lua_gc(L, LUA_GCSTOP, 0);
    snprintf(chunk, sizeof chunk, "local fleece, text = ... return fleece.new{%s}.decode", with[i]);
    run(L, chunk, 1);
    run(L, texts, 1); /* at 3 */
#define DECODE() lua_pushvalue(L, 2), lua_pushvalue(L, 3), lua_call(L, 1, 0)
    DECODE();
    if (state_of(L)->decode->decoder == NULL) skip();
    assert_int_equal(ended_shapes(L, 0, 0), SHAPES_IN_TEXTS);
    assert_int_equal(unlikely_shapes(L), 0);
    assert_int_equal(ended_shapes(L, 1, 0), 0); /* not for an object that comes once */
    DECODE();
    assert_int_equal(ended_shapes(L, 1, 1), SHAPES_IN_TEXTS);
    DECODE();
    assert_int_equal(ended_shapes(L, 0, 0), 0);
#undef DECODE
    lua_close(L);
  }
}

/* Kilobytes of what a decode with these options makes. */
static double kept(lua_State *L, const char *with) {
  char chunk[1000];
  double result;
  snprintf(chunk, sizeof chunk,
           "local fleece = ... local decode, text = fleece.new{%s}.decode, (%s)() "
           "for i = 1, 3 do decode(text) end collectgarbage() collectgarbage() "
           "local before = collectgarbage('count') local value = decode(text) collectgarbage() collectgarbage() "
           "return collectgarbage('count') - before, value",
           with,
           "function() local t = {} for i = 1, 500 do t[i] = '{\"id\":1,\"list\":[1,2,3],\"of\":{\"a\":[]}}' end "
           "return '[' .. table.concat(t, ',') .. ']' end");
  run(L, chunk, 2);
  result = lua_tonumber(L, -2);
  lua_settop(L, 1);
  return result;
}

static void raw_tables_are_no_larger(void **unused) {
  lua_State *L = open_module();
  double raw;
  (void)unused;
  raw = kept(L, "");
  assert_true(raw > 100 && raw <= kept(L, "layout = 'api'") + 2);
  lua_close(L);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_values_are_written_raw), cmocka_unit_test(what_is_skipped_is_skipped_raw),
      cmocka_unit_test(the_rest_is_left_to_the_api),  cmocka_unit_test(the_walk_pauses_at_a_value),
      cmocka_unit_test(cycles_are_found_soon),        cmocka_unit_test(objects_of_known_shapes_are_stored_raw),
      cmocka_unit_test(raw_tables_are_no_larger),
  };
  return cmocka_run_group_tests_name("roads", tests, NULL, NULL);
}
