/* SPDX-License-Identifier: MIT
** test_library_lua.c -- the C interface for hosts that embed Lua: registration, encode, decode. No call of it is
** protected by the test, so that whatever escapes ends the program; memory ends at each allocation.
** Build: make build/tests/plain/lua5.4/test_library_lua */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#include "../../../include/fleece-lua.h"

static int panic(lua_State *L) {
  fprintf(stderr, "an error has escaped: %s\n", lua_tostring(L, -1));
  abort();
}

struct heap {
  long requests, fail_at; /* from then on, all that grow; 0: never */
};

static void *allocate(void *ud, void *block, size_t old_size, size_t new_size) {
  struct heap *h = ud;
  if (new_size == 0) return free(block), NULL;
  if ((!block || new_size > old_size) && ++h->requests >= h->fail_at && h->fail_at) return NULL;
  return realloc(block, new_size);
}

static lua_State *new_state(struct heap *h) {
  lua_State *L;
  memset(h, 0, sizeof *h);
#if LUA_VERSION_NUM >= 505
  L = lua_newstate(allocate, h, 1);
#else
  L = lua_newstate(allocate, h);
#endif
  assert_non_null(L);
  luaL_openlibs(L);
  lua_atpanic(L, panic);
  return L;
}

/* Pushes what a chunk returns. */
static void push(lua_State *L, const char *chunk) {
  if (luaL_loadstring(L, chunk) || lua_pcall(L, 0, 1, 0)) fail_msg("%s", lua_tostring(L, -1));
}

static void assert_encodes(lua_State *L, int index, int options, const char *wanted) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  const int top = lua_gettop(L);
  const int status = fleece_encode(L, index, options, &out);
  if (status) fail_msg("%s: %s", wanted, lua_tostring(L, -1));
  assert_string_equal(out.data, wanted);
  assert_int_equal(out.size, strlen(wanted));
  assert_int_equal(lua_gettop(L), top);
  free(out.data);
}

/* An error of this status, whose message begins so. */
static void assert_fails(lua_State *L, int status, int wanted, int top, const char *message) {
  assert_int_equal(status, wanted);
  assert_int_equal(lua_gettop(L), top + 1);
  if (strncmp(lua_tostring(L, -1), message, strlen(message)) != 0) fail_msg("%s", lua_tostring(L, -1));
  lua_pop(L, 1);
}

static void test_register(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  (void)unused;
  assert_int_equal(fleece_register(L), FLEECE_OK);
  assert_int_equal(lua_gettop(L), 0);
  push(L, "package.path, package.cpath = '', ''\n"
          "assert(require('fleece').encode {1} == '[1]')\n"
          "assert(select('#', require('fleece.safe').decode 'x') == 3)\n"
          "assert(require('fleece.cjson').encode '/' == '\"\\\\/\"')\n"
          "assert(require('fleece.cjson.safe').decode 'x' == nil)\n"
          "assert(require('fleece.dkjson').version == 'dkjson 2.6' or require('fleece.dkjson').encode)\n");
  lua_settop(L, 0);
  assert_int_equal(fleece_register(L), FLEECE_OK);
  lua_close(L);
}

/* Without the package library: Lua 5.2 and later keep the table for it. */
static void test_register_bare(void **unused) {
  lua_State *L = luaL_newstate();
  const int status = fleece_register(L);
  (void)unused;
#if LUA_VERSION_NUM >= 502
  assert_int_equal(status, FLEECE_OK);
  luaL_requiref(L, "package", luaopen_package, 1);
  luaL_requiref(L, "_G", luaopen_base, 1);
  push(L, "return require('fleece').encode {}");
  assert_string_equal(lua_tostring(L, -1), "[]");
#else
  assert_fails(L, status, FLEECE_ERROR_ARGUMENT, 0, "the package library is not open");
#endif
  lua_close(L);
}

static void test_encode(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  (void)unused;
  push(L, "return {1, 'x', {a = true}}");
  push(L, "return {sort_keys = true, indent = 2}");
  push(L, "return {b = 1, a = {}}");
  assert_encodes(L, 1, 0, "[1,\"x\",{\"a\":true}]");
  assert_encodes(L, -3, 0, "[1,\"x\",{\"a\":true}]");
  assert_encodes(L, 3, 2, "{\n  \"a\": [],\n  \"b\": 1\n}");
  assert_encodes(L, -1, -2, "{\n  \"a\": [],\n  \"b\": 1\n}");
  lua_settop(L, 0);
  lua_pushlstring(L, "a\0b", 3);
  assert_encodes(L, 1, 0, "\"a\\u0000b\"");
  lua_pushnil(L);
  assert_encodes(L, -1, 0, "null");
  lua_close(L);
}

static void test_codec(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  const char *names[] = {"fleece", "fleece.safe"};
  int i;
  (void)unused;
  assert_int_equal(fleece_register(L), FLEECE_OK);
  for (i = 0; i < 2; i++) {
    lua_settop(L, 0);
    lua_getglobal(L, "require");
    lua_pushstring(L, names[i]);
    assert_int_equal(lua_pcall(L, 1, 1, 0), 0);
    lua_getfield(L, 1, "new");
    push(L, "return {key_order = {'z', 'a'}, null = 'nil', indent = 1, on_error = function() return 'bad' end}");
    assert_int_equal(lua_pcall(L, 1, 1, 0), 0);
    push(L, "return {a = 1, z = {print}}");
    assert_encodes(L, 3, 2, "{\n \"z\": [\n  \"bad\"\n ],\n \"a\": 1\n}");
    assert_int_equal(fleece_decode(L, "null", 4, 2, 0), FLEECE_OK);
    assert_true(lua_isnil(L, -1));
    lua_pop(L, 1);
    assert_int_equal(fleece_decode(L, "null", 4, 1, 0), FLEECE_OK);
    assert_true(lua_islightuserdata(L, -1));
  }
  lua_close(L);
}

static void test_encode_errors(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  fleece_bytes out = FLEECE_BYTES_INIT;
  (void)unused;
  push(L, "return {a = {1, print}}");
  push(L, "return {nonsense = 1}");
  push(L, "return {setmetatable({}, {__tojson = function() error({}) end})}");
  push(L, "return {setmetatable({}, {__tojson = function() error('oops', 0) end})}");
  assert_fails(L, fleece_encode(L, 1, 0, &out), FLEECE_ERROR_VALUE, 4, "cannot encode a function at .a[2]");
  assert_int_equal(out.size, 0);
  assert_fails(L, fleece_encode(L, 1, 2, &out), FLEECE_ERROR_ARGUMENT, 4, "bad argument");
  assert_fails(L, fleece_encode(L, 1, 1, &out), FLEECE_ERROR_ARGUMENT, 4, "bad argument");
  assert_int_equal(fleece_encode(L, 3, 0, &out), FLEECE_ERROR_VALUE);
  lua_pop(L, 1);
  assert_fails(L, fleece_encode(L, 4, 0, &out), FLEECE_ERROR_VALUE, 4, "oops");
  lua_pushinteger(L, 5);
  assert_fails(L, fleece_encode(L, 1, 5, &out), FLEECE_ERROR_ARGUMENT, 5, "bad argument");
  assert_encodes(L, 5, 0, "5");
  assert_fails(L, fleece_encode_to(L, 5, 0, NULL, NULL), FLEECE_ERROR_ARGUMENT, 5, "there is no writer");
  assert_fails(L, fleece_encode(L, 6, 0, &out), FLEECE_ERROR_ARGUMENT, 5, "there is no value at the index");
  assert_fails(L, fleece_encode(L, -6, 0, &out), FLEECE_ERROR_ARGUMENT, 5, "there is no value at the index");
  assert_fails(L, fleece_encode(L, 1, 99, &out), FLEECE_ERROR_ARGUMENT, 5, "there are no options at the index");
  free(out.data);
  lua_close(L);
}

struct pieces {
  int left, calls;
  size_t n;
  char *text;
};

static int take(void *ud, const char *bytes, size_t n) {
  struct pieces *p = ud;
  p->calls++;
  if (p->left-- == 0) return 0;
  p->text = realloc(p->text, p->n + n);
  memcpy(p->text + p->n, bytes, n);
  p->n += n;
  return 1;
}

/* Refuses the first piece alone. */
static int refuse_once(void *ud, const char *bytes, size_t n) {
  (void)bytes, (void)n;
  return (*(int *)ud)++ > 0;
}

/* Bytes of at most 10000: a larger block is refused, a smaller one after it is not. */
static void *refuse_large(void *ud, void *block, size_t old_size, size_t new_size) {
  (void)ud, (void)old_size;
  if (new_size > 10000) return NULL;
  return new_size ? realloc(block, new_size) : (free(block), NULL);
}

/* A string by itself, longer than a piece: what was refused must not be left out of what follows. */
static void refused_string(lua_State *L) {
  int top = lua_gettop(L), calls = 0;
  fleece_bytes out = FLEECE_BYTES_INIT;
  out.allocator.alloc = refuse_large;
  push(L, "return ('x'):rep(40000)");
  assert_fails(L, fleece_encode_to(L, -1, 0, refuse_once, &calls), FLEECE_ERROR_WRITER, top + 1,
               "the writer has refused");
  assert_int_equal(calls, 1);
  lua_settop(L, top + 1);
  assert_fails(L, fleece_encode(L, -1, 0, &out), FLEECE_ERROR_MEMORY, top + 1, "not enough memory");
  free(out.data);
  lua_settop(L, top);
}

/* Changes the first item once the raw walk has written it, as a finalizer may between that walk and the next. (A writer
** must not call Lua. This one puts a number where a number was, so that no table changes its shape under the walk.) */
struct changing {
  lua_State *L;
  size_t n;
};

static int change(void *ud, const char *bytes, size_t n) {
  struct changing *c = (struct changing *)ud;
  (void)bytes;
  c->n += n;
  lua_getglobal(c->L, "changing");
  lua_pushinteger(c->L, 22);
  lua_rawseti(c->L, -2, 1);
  lua_pop(c->L, 1);
  return 1;
}

static void test_changed_between_walks(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  struct changing c = {L, 0};
  fleece_bytes out = FLEECE_BYTES_INIT;
  int status;
  (void)unused;
  push(L, "local t = {1} for i = 2, 20000 do t[i] = 'text ' .. i end\n"
          "t[20001] = setmetatable({}, {__tojson = function() return 'true' end}) changing = t return t");
  assert_int_equal(fleece_encode(L, 1, 0, &out), FLEECE_OK);
  status = fleece_encode_to(L, 1, 0, change, &c);
  if (status == FLEECE_OK) assert_int_equal(c.n, out.size); /* the public API walked alone, once */
  else assert_fails(L, status, FLEECE_ERROR_WRITER, 1, "the value has changed while it was written");
  free(out.data);
  lua_close(L);
}

static void test_pieces(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  struct pieces p = {1000, 0, 0, NULL};
  fleece_bytes out = FLEECE_BYTES_INIT;
  (void)unused;
  push(L, "local t = {} for i = 1, 20000 do t[i] = {i, 'text ' .. i} end return t");
  push(L,
       "local t = {} for i = 1, 20000 do t[i] = {i, 'text ' .. i} end\n" /* the raw walk gives up after some went out */
       "t[20001] = setmetatable({}, {__tojson = function() return 'true' end}) return t");
  assert_int_equal(fleece_encode_to(L, 1, 0, take, &p), FLEECE_OK);
  assert_int_equal(fleece_encode(L, 1, 0, &out), FLEECE_OK);
  assert_true(p.calls > 5 && p.n == out.size && memcmp(p.text, out.data, p.n) == 0);
  p.n = 0;
  assert_int_equal(fleece_encode_to(L, 2, 0, take, &p), FLEECE_OK);
  assert_int_equal(fleece_encode(L, 2, 0, &out), FLEECE_OK);
  assert_true(p.n == out.size && memcmp(p.text, out.data, p.n) == 0);
  assert_memory_equal(p.text + p.n - 6, ",true]", 6);
  p.left = 2, p.n = 0;
  assert_fails(L, fleece_encode_to(L, 1, 0, take, &p), FLEECE_ERROR_WRITER, 2, "the writer has refused");
  p.left = 0, p.n = 0;
  lua_pushinteger(L, 1);
  assert_fails(L, fleece_encode_to(L, -1, 0, take, &p), FLEECE_ERROR_WRITER, 3, "the writer has refused");
  refused_string(L);
  free(p.text), free(out.data);
  lua_close(L);
}

static void test_decode(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  static const char text[] = "{\"a\":[1,2,{\"b\":\"x\\n\"}]} !";
  size_t n;
  (void)unused;
  assert_int_equal(fleece_decode(L, text, sizeof text - 3, 0, 0), FLEECE_OK); /* what is behind it is not looked at */
  assert_encodes(L, 1, 0, "{\"a\":[1,2,{\"b\":\"x\\n\"}]}");
  lua_settop(L, 0);
  assert_fails(L, fleece_decode(L, text, sizeof text - 1, 0, FLEECE_TERMINATED), FLEECE_ERROR_JSON, 0,
               "text after the value at line 1, column 25, byte 25");
  assert_fails(L, fleece_decode(L, "[1,\n", 4, 0, 0), FLEECE_ERROR_JSON, 0, "unexpected end at line 2");
  assert_fails(L, fleece_decode(L, "", 0, 0, 0), FLEECE_ERROR_JSON, 0, "empty text");
  assert_fails(L, fleece_decode(L, NULL, 0, 0, 0), FLEECE_ERROR_JSON, 0, "empty text");
  assert_fails(L, fleece_decode(L, NULL, 0, 0, FLEECE_TERMINATED), FLEECE_ERROR_JSON, 0, "empty text");
  assert_fails(L, fleece_decode(L, NULL, 5, 0, 0), FLEECE_ERROR_ARGUMENT, 0, "there is no text");
  assert_fails(L, fleece_decode(L, NULL, 5, 0, FLEECE_TERMINATED), FLEECE_ERROR_ARGUMENT, 0, "there is no text");
  for (n = SIZE_MAX; n > SIZE_MAX / 4; n = n > SIZE_MAX - 64 ? n - 1 : n / 2 + 1)
    assert_fails(L, fleece_decode(L, text, n, 0, 0), FLEECE_ERROR_MEMORY, 0, "not enough memory");
  assert_fails(L, fleece_decode(L, "12", 1, 0, FLEECE_TERMINATED), FLEECE_ERROR_ARGUMENT, 0,
               "the text must end with a zero byte");
  assert_fails(L, fleece_decode(L, "12", 2, 0, FLEECE_COMMENTS), FLEECE_ERROR_ARGUMENT, 0, "unknown flags");
  push(L, "return {comments = true, null = 'nil'}");
  assert_int_equal(fleece_decode(L, "[1/**/]", 7, 1, FLEECE_TERMINATED), FLEECE_OK);
  assert_encodes(L, -1, 0, "[1]");
  lua_settop(L, 1);
  assert_int_equal(fleece_decode(L, "null", 4, -1, 0), FLEECE_OK);
  assert_true(lua_gettop(L) == 2 && lua_isnil(L, 2));
  lua_pushboolean(L, 1);
  assert_fails(L, fleece_decode(L, "1", 1, -1, 0), FLEECE_ERROR_ARGUMENT, 3, "bad argument");
  lua_close(L);
}

/* Called by Lua, with the value and the options as upvalues; and in a hook, inside another encode. */
static int encode_upvalue(lua_State *L) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  const int status = fleece_encode(L, lua_upvalueindex(1), lua_upvalueindex(2), &out);
  if (status == FLEECE_OK) lua_pushlstring(L, out.data, out.size);
  free(out.data);
  return 1;
}

static void test_inside(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  (void)unused;
  push(L, "return {b = 1, a = 2}");
  push(L, "return {sort_keys = true}");
  lua_pushcclosure(L, encode_upvalue, 2);
  lua_setglobal(L, "f");
  push(L, "return f()");
  assert_string_equal(lua_tostring(L, -1), "{\"a\":2,\"b\":1}");
  push(L, "return {setmetatable({}, {__tojson = f}), 3}");
  assert_encodes(L, -1, 0, "[{\"a\":2,\"b\":1},3]");
  lua_close(L);
}

/* An error before the first instruction of a call. */
static void raise_error(lua_State *L, lua_Debug *d) {
  (void)d;
  lua_sethook(L, NULL, 0, 0);
  lua_pushliteral(L, "raised by a hook");
  lua_error(L);
}

static void test_debug_hook(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  fleece_bytes out = FLEECE_BYTES_INIT;
  int opened;
  (void)unused;
  lua_pushinteger(L, 7);
  for (opened = 0; opened < 2; opened++) {
    lua_sethook(L, raise_error, LUA_MASKCALL, 0);
    assert_fails(L, fleece_encode(L, 1, 0, &out), FLEECE_ERROR_LUA, 1, "raised by a hook");
    assert_encodes(L, 1, 0, "7");
  }
  lua_sethook(L, raise_error, LUA_MASKCALL, 0);
  assert_int_equal(fleece_register(L), FLEECE_ERROR_ARGUMENT);
  lua_close(L);
}

/* ------------------------------------------------------------------------------------- allocations that fail */

static int everything(lua_State *L, fleece_bytes *out) {
  static const char text[] = "[{\"name\":\"some text that needs memory\",\"list\":[1,2,3,[],{}]},\"\\u00e9\"]";
  int status = fleece_register(L);
  if (status) return status;
  status = fleece_decode(L, text, sizeof text - 1, 0, 0);
  if (status) return status;
  status = fleece_encode(L, -1, 0, out);
  return status ? status : fleece_encode(L, -1, 1, out);
}

static void test_memory(void **unused) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  long fail_at;
  int failures = 0, done = 0;
  (void)unused;
  for (fail_at = 1; !done; fail_at++) {
    struct heap h;
    lua_State *L = new_state(&h);
    int status;
    push(L, "return {key_order = {'list', 'name'}}");
    lua_gc(L, LUA_GCCOLLECT, 0);
    h.requests = 0, h.fail_at = fail_at;
    status = everything(L, &out);
    done = h.requests < fail_at;
    if (status) {
      failures++;
      assert_int_equal(status, FLEECE_ERROR_MEMORY);
      assert_string_equal(lua_tostring(L, -1), "not enough memory");
      lua_settop(L, 1);
      h.fail_at = 0;
      assert_int_equal(everything(L, &out), FLEECE_OK);
    }
    assert_string_equal(out.data, "[{\"list\":[1,2,3,[],{}],\"name\":\"some text that needs memory\"},\"\xc3\xa9\"]");
    assert_int_equal(lua_gettop(L), 2);
    lua_close(L);
  }
  assert_true(failures > 20);
  free(out.data);
}

/* The memory of the bytes is not Lua's. */
static void *refuse(void *ud, void *block, size_t old_size, size_t new_size) {
  (void)ud, (void)old_size, (void)new_size;
  return new_size ? NULL : (free(block), NULL);
}

static void test_bytes(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  fleece_bytes out = FLEECE_BYTES_INIT;
  (void)unused;
  out.allocator.alloc = refuse;
  lua_pushinteger(L, 1);
  assert_fails(L, fleece_encode(L, 1, 0, &out), FLEECE_ERROR_MEMORY, 1, "not enough memory");
  assert_null(out.data);
  lua_close(L);
}

/* ------------------------------------------------------------------------------------- documents */

/* {"a":1} as tests/c/capi/test_library.c has it */
static const unsigned char document[] __attribute__((aligned(2))) = "\x70\x01\x41\x61\x00\x01\x80\x03";
enum { DOCUMENT = sizeof document - 1 };

static void count_release(void *ud) { ++*(int *)ud; }

static void push_document(lua_State *L, int *released) {
  const int status = fleece_push_bytes(L, document, DOCUMENT, 0, 0, count_release, released);
  if (status) fail_msg("%s", lua_tostring(L, -1));
}

static void test_documents(void **unused) {
  struct heap h;
  lua_State *L = new_state(&h);
  int released = 0, closed = 0, late = 0;
  size_t n = 1;
  (void)unused;
  assert_int_equal(fleece_register(L), FLEECE_OK);
  push_document(L, &released);
  assert_int_equal(lua_gettop(L), 1);
  assert_ptr_equal(fleece_to_bytes(L, -1, &n), document); /* not a copy */
  assert_int_equal(n, DOCUMENT);
  lua_setglobal(L, "doc");
  push(L, "local fleece = require 'fleece'; return fleece.to_json(doc)");
  assert_string_equal(lua_tostring(L, -1), "{\"a\":1}");
  push(L, "view = doc.root; return view");
  assert_ptr_equal(fleece_to_bytes(L, 2, &n), document); /* of a view the document's */
  push(L, "return view.a");
  assert_int_equal((int)lua_tointeger(L, -1), 1);
  assert_int_equal(released, 0);
  push(L, "doc:close(); return doc");
  assert_int_equal(released, 1);
  assert_null(fleece_to_bytes(L, -1, &n));
  assert_int_equal(n, 0);
  push(L, "return pcall(function() return view.a end)");
  lua_settop(L, 0);
  /* collected; and what is open when the state ends */
  push_document(L, &closed);
  lua_settop(L, 0);
  push(L, "doc, view = nil; collectgarbage(); collectgarbage()");
  assert_int_equal(closed, 1);
  push_document(L, &late);
  lua_setglobal(L, "late");
  /* what is no document */
  lua_pushliteral(L, "text");
  assert_null(fleece_to_bytes(L, -1, &n));
  assert_null(fleece_to_bytes(L, 99, &n));
  lua_close(L);
  assert_int_equal(late, 1);
  assert_int_equal(released, 1);
}

static void test_documents_errors(void **unused) {
  static const unsigned char wrong[] __attribute__((aligned(2))) = "\x70\x02xx";
  struct heap h;
  lua_State *L = new_state(&h);
  int released = 0;
  (void)unused;
  assert_fails(L, fleece_push_bytes(L, wrong, 4, 0, 0, count_release, &released), FLEECE_ERROR_BINARY, 0, "");
  assert_int_equal(released, 1);
  assert_fails(L, fleece_push_bytes(L, NULL, 0, 0, 0, count_release, &released), FLEECE_ERROR_ARGUMENT, 0, "there are");
  assert_int_equal(released, 2);
  assert_fails(L, fleece_push_bytes(L, document + 1, 2, 0, 0, count_release, &released), FLEECE_ERROR_ARGUMENT, 0,
               "the bytes are at an odd address");
  assert_int_equal(released, 3);
  assert_fails(L, fleece_push_bytes(L, document, DOCUMENT, 0, 1, count_release, &released), FLEECE_ERROR_ARGUMENT, 0,
               "unknown flags");
  assert_int_equal(released, 4);
  fleece_options options = FLEECE_OPTIONS_INIT; /* the names of its members are in the keys alone */
  options.keys = fleece_keys_new(NULL);
  fleece_bytes bytes = FLEECE_BYTES_INIT;
  assert_int_equal(fleece_from_json("{\"abc\":1}", 9, &options, &bytes, NULL), FLEECE_OK);
  assert_fails(L, fleece_push(L, fleece_open(bytes.data, bytes.size, &options, NULL)), FLEECE_ERROR_ARGUMENT, 0,
               "there are");
  fleece_bytes_free(&bytes);
  fleece_keys_free(options.keys);
  push(L, "return { such = 1 }");
  assert_fails(L, fleece_push_bytes(L, document, DOCUMENT, 1, 0, count_release, &released), FLEECE_ERROR_ARGUMENT, 1,
               "");
  assert_int_equal(released, 5);
  push(L, "return { max_depth = 10 }");
  assert_int_equal(fleece_push_bytes(L, document, DOCUMENT, 2, FLEECE_TRUSTED, NULL, NULL), FLEECE_OK);
  lua_close(L);
  assert_int_equal(released, 5);
}

/* Whichever allocation fails, the bytes are released once. */
static void test_documents_memory(void **unused) {
  long fail_at, failed = 0;
  int status;
  (void)unused;
  for (fail_at = 1;; fail_at++) {
    struct heap h;
    lua_State *L = new_state(&h);
    int released = 0, done;
    h.requests = 0, h.fail_at = fail_at;
    status = fleece_push_bytes(L, document, DOCUMENT, 0, 0, count_release, &released);
    done = h.requests < fail_at;
    h.fail_at = 0;
    if (status) assert_int_equal(status, FLEECE_ERROR_MEMORY), failed++;
    lua_close(L);
    assert_int_equal(released, 1);
    if (done) break;
  }
  assert_int_equal(status, FLEECE_OK);
  assert_true(failed > 3);
}

int main(void) {
  /* clang-format off */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_register), cmocka_unit_test(test_register_bare), cmocka_unit_test(test_encode),
      cmocka_unit_test(test_codec), cmocka_unit_test(test_encode_errors), cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_changed_between_walks),
      cmocka_unit_test(test_decode), cmocka_unit_test(test_inside), cmocka_unit_test(test_debug_hook),
      cmocka_unit_test(test_memory), cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_documents), cmocka_unit_test(test_documents_errors), cmocka_unit_test(test_documents_memory),
  };
  /* clang-format on */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
