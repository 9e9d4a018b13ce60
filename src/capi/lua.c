/* SPDX-License-Identifier: MIT
** lua.c -- the C interface for hosts that embed Lua: registration, encode, decode; no Lua error escapes.
** Must hold: outside lua_pcall and lua_cpcall only those Lua functions are called that neither allocate nor raise.
** Closures in the registry, with the upvalues of fleece.safe, do the work; the first use creates them. */
#include "../lua/guard.h"
#include "../../include/fleece-lua.h"
#include "../dropin/list.h"
#include "../lua/parts.h"
#if PART_HAS_document
#include "../document/face/binary.h"
#endif
#include "../module/module.h"
#include "capi.h"

/* The arguments and the result of a call, on both sides of lua_pcall. */
struct capi_call {
  const char *text; /* for decode; the bytes of a document */
  size_t n;
  uint32_t flags;
  buf_drain drain; /* for encode: receives the text */
  void *drain_ud;
  fleece_release release; /* of the bytes, with drain_ud, as long as no document has them */
  const char *refused;    /* the message if the drain fails */
  const char *wrong;      /* with the arguments, or NULL */
  int status;             /* of an error that is raised now; at the end, the result */
};

/* Addresses serve as registry keys. */
static const char capi_encode_key = 0, capi_decode_key = 0, capi_document_key = 0;

/* Pushes `f` with the upvalues of the codec at `index`. Returns 0, and pushes nothing, if it is not a codec. */
static int capi_push_like(lua_State *L, int index, lua_CFunction f) {
  if (!lua_istable(L, index)) return 0;
  compat_need_stack(L, MOD_UPVALUES + 5);
  compat_get_field(L, index, "encode");
  if (mod_push_unguarded(L, -1) != mod_encode) return lua_pop(L, 2), 0;
  lua_remove(L, -2);
  for (int i = 1; i <= MOD_UPVALUES; i++) (void)lua_getupvalue(L, -i, i);
  lua_pushcclosure(L, f, MOD_UPVALUES);
  lua_remove(L, -2);
  return 1;
}

/* If the options at 3 are a codec, calls the function again with the upvalues of that codec. */
static int capi_as_codec(lua_State *L, lua_CFunction f) {
  if (!capi_push_like(L, 3, f)) return 0;
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 1);
  return 1;
}

static int capi_is_memory(lua_State *L) {
  const char *s = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  return s && strcmp(s, encode_message(FL_ERROR_MEMORY)) == 0;
}

/* (call, value, options) -> nil, or the message */
static int capi_encode_inside(lua_State *L) {
  struct capi_call *c = (struct capi_call *)lua_touserdata(L, 1);
  struct mod_call call;
  lua_settop(L, 3);
  c->status = FLEECE_ERROR_ARGUMENT;
  if (c->wrong) return luaL_error(L, "%s", c->wrong);
  if (capi_as_codec(L, capi_encode_inside)) return 1;
  mod_begin(&call, L, 2, 3);
  call.own = *call.options;
  call.own.safe = 1;
  mod_settle_options(&call.own);
  call.options = &call.own;
  struct mod_sink sink = {0};
  sink.kind = MOD_SINK_HOST;
  sink.raw = 1;
  sink.calls = &call.state->encode->shared.calls;
  sink.host = c->drain;
  sink.host_ud = c->drain_ud;
  sink.host_error = c->refused;
  call.sink = &sink;
  c->status = FLEECE_ERROR_LUA;
  if (mod_run(&call) == 1) return c->status = FLEECE_OK, 0;
  lua_pop(L, 1); /* the failure, above the message */
  c->status = capi_is_memory(L) ? FLEECE_ERROR_MEMORY : sink.error ? FLEECE_ERROR_WRITER : FLEECE_ERROR_VALUE;
  return 1;
}

/* (call, nil, options) -> the value, or the message */
static int capi_decode_inside(lua_State *L) {
  struct capi_call *c = (struct capi_call *)lua_touserdata(L, 1);
  struct mod_decode d;
  lua_settop(L, 3);
  c->status = FLEECE_ERROR_ARGUMENT;
  if (c->wrong) return luaL_error(L, "%s", c->wrong);
  if (capi_as_codec(L, capi_decode_inside)) return 1;
  mod_begin_decode(&d, L, 3, MOD_OF_PREFIX);
  if (!c->text && c->n) return luaL_error(L, "there is no text");
  if (c->flags & ~(uint32_t)FLEECE_TERMINATED) return luaL_error(L, "unknown flags");
  if (c->flags && c->text && c->text[c->n] != 0) return luaL_error(L, "the text must end with a zero byte");
  d.o.safe = 1;
  c->status = FLEECE_ERROR_LUA;
  if (!c->flags || !c->text) {
    if (c->n > SIZE_MAX / 4) return c->status = FLEECE_ERROR_MEMORY, luaL_error(L, "not enough memory");
    char *copy = (char *)lua_newuserdata(L, c->n + 1);
    if (c->n) memcpy(copy, c->text, c->n);
    copy[c->n] = 0;
    d.begin = copy;
  } else {
    d.begin = c->text;
  }
  d.end = d.begin + c->n;
  if (mod_decode_whole(&d) == 1) return c->status = FLEECE_OK, 1;
  lua_pop(L, 1); /* the failure, above the message */
  c->status = FLEECE_ERROR_JSON;
  return 1;
}

#if PART_HAS_document
/* (call, nil, options) -> the document, or the message */
static int capi_document_inside(lua_State *L) {
  struct capi_call *c = (struct capi_call *)lua_touserdata(L, 1);
  struct mod_binary b;
  lua_settop(L, 3);
  c->status = FLEECE_ERROR_ARGUMENT;
  if (c->wrong) return luaL_error(L, "%s", c->wrong);
  if (capi_as_codec(L, capi_document_inside)) return 1;
  if (!c->text) return luaL_error(L, "there are no bytes");
  if ((uintptr_t)c->text % 2) return luaL_error(L, "the bytes are at an odd address");
  if (c->flags & ~(uint32_t)FLEECE_TRUSTED) return luaL_error(L, "unknown flags");
  mod_read_open_options(L, 3, &b, MOD_OF_OPEN);
  if (b.base) return luaL_error(L, "bytes of the host cannot have a base");
  if (c->flags) b.is.trusted = 1;
  c->status = FLEECE_ERROR_LUA;
  struct mod_doc *d = mod_push_doc(L, MOD_NEEDS_END);
  d->doc.begin = (const uint8_t *)c->text;
  d->doc.end = d->doc.begin + c->n;
  d->release = c->release;
  d->release_ud = c->drain_ud;
  c->release = NULL;
  if (b.keys) mod_attach_base_and_keys_(L, d, &b);
  c->status = FLEECE_ERROR_BINARY;
  const int results = mod_finish_doc(L, d, &b);
  if (results == 1) return c->status = FLEECE_OK, 1;
  lua_pop(L, results - 2); /* the position, above the message */
  return 1;
}
#else
static int capi_document_inside(lua_State *L) { return luaL_error(L, "built without document (FLEECE_PARTS)"); }
#endif

/* Creates the functions unless they exist. The one for decode is stored last. */
static int capi_open_inside(lua_State *L) {
  lua_settop(L, 0);
  compat_registry_get(L, &capi_encode_key);
  compat_registry_get(L, &capi_decode_key);
  if (!lua_isnil(L, -1)) return 0;
  lua_settop(L, 0);
  mod_open(L, 1);
  lua_replace(L, 1);
  lua_settop(L, 1);
  (void)capi_push_like(L, 1, capi_encode_inside);
  compat_registry_set(L, &capi_encode_key);
  (void)capi_push_like(L, 1, capi_document_inside);
  compat_registry_set(L, &capi_document_key);
  (void)capi_push_like(L, 1, capi_decode_inside);
  compat_registry_set(L, &capi_decode_key);
  return 0;
}

#define X(library, name, symbol, open) {name, luaopen_##symbol},
#define F(name, symbol) {name, luaopen_##symbol},
static const luaL_Reg capi_modules[] = {
    {"fleece", luaopen_fleece}, {"fleece.safe", luaopen_fleece_safe}, DROPIN_MODULES(X) DROPIN_FILES(F){NULL, NULL}};
#undef F
#undef X

static int capi_register_inside(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "_PRELOAD");
#else
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  if (lua_istable(L, -1)) compat_get_field(L, -1, "package");
  if (lua_istable(L, -1)) compat_get_field(L, -1, "preload");
  if (lua_gettop(L) < 4 || !lua_istable(L, -1)) {
    lua_pushliteral(L, "the package library is not open");
    return lua_error(L);
  }
#endif
  compat_set_functions(L, capi_modules);
  return 0;
}

/* Returns the status for the error on top: out of memory if Lua says so, or our own message does (compat_no_stack_). */
static int capi_status(lua_State *L, int status, int otherwise) {
  return status == LUA_ERRMEM || capi_is_memory(L) ? FLEECE_ERROR_MEMORY : otherwise;
}

/* Calls a C function without results under protection. Returns 0, or the status of lua_pcall with the error on top. */
static int capi_protect(lua_State *L, lua_CFunction f, void *argument) {
#if LUA_VERSION_NUM >= 502
  lua_pushcfunction(L, f); /* without upvalues it allocates nothing */
  lua_pushlightuserdata(L, argument);
  return lua_pcall(L, 1, 0, 0);
#else
  return lua_cpcall(L, f, argument);
#endif
}

/* Pushes the function under a key of the registry. Returns like capi_protect. LuaJIT keeps a table of the high bits of
** all light userdata, which grows when new ones are pushed, so the key and *c must be pushed under protection first. */
FL_INLINE int capi_push_function(lua_State *L, const void *key, struct capi_call *c) {
  int status;
#if LUA_VERSION_NUM >= 502
  compat_registry_get(L, key);
  if (FL_LIKELY(!lua_isnil(L, -1))) return 0;
  lua_pop(L, 1);
#endif
  status = capi_protect(L, capi_open_inside, c);
  if (status) return status;
  compat_registry_get(L, key);
  return 0;
}

/* Sets the positive index, or that of an upvalue or the registry. Returns 0 if it is none of the stack. */
static int capi_find_index(lua_State *L, int *index) {
  const int top = lua_gettop(L);
  if (*index <= LUA_REGISTRYINDEX) return 1;
  if (*index > top || *index < -top) return 0;
  if (*index < 0) *index += top + 1;
  return 1;
}

/* Calls the function under a key of the registry with the value and options at the indices (0 for none). Pushes its
** result or the error. */
static int capi_run(lua_State *L, const void *key, struct capi_call *c, int index, int options) {
  if (!capi_find_index(L, &index)) c->wrong = "there is no value at the index", index = 0;
  if (!capi_find_index(L, &options)) c->wrong = "there are no options at the index", options = 0;
  int status = capi_push_function(L, key, c);
  if (FL_UNLIKELY(status)) return capi_status(L, status, FLEECE_ERROR_LUA);
  c->status = FLEECE_ERROR_LUA; /* if the call does not even begin */
  lua_pushlightuserdata(L, c);
  if (index) lua_pushvalue(L, index);
  else lua_pushnil(L);
  if (options) lua_pushvalue(L, options);
  else lua_pushnil(L);
  status = lua_pcall(L, 3, 1, 0);
  return status ? capi_status(L, status, c->status) : c->status;
}

static int capi_encode(lua_State *L, int index, int options, buf_drain drain, void *ud, const char *refused) {
  struct capi_call c = {0};
  c.drain = drain;
  c.drain_ud = ud;
  c.refused = refused;
  if (!drain) c.wrong = "there is no writer";
  const int status = capi_run(L, &capi_encode_key, &c, index, options);
  if (status == FLEECE_OK) lua_pop(L, 1);
  return status;
}

/* Appends pieces to a buffer, with room for a 0 after them. */
struct capi_collector {
  struct buffer b;
  char *w;
};

static int capi_collect(void *ud, const char *bytes, size_t n) {
  struct capi_collector *c = (struct capi_collector *)ud;
  char *w = buf_reserve(&c->b, c->w, n + 1);
  if (!w) return 0;
  memcpy(w, bytes, n);
  c->w = w + n;
  return 1;
}

int fleece_encode(lua_State *L, int index, int options, fleece_bytes *out) {
  struct capi_collector c = {0};
  if (!out) return capi_encode(L, index, options, NULL, NULL, "");
  capi_borrow_buffer(out, &c.b);
  c.w = c.b.begin;
  const int status = capi_encode(L, index, options, capi_collect, &c, encode_message(FL_ERROR_MEMORY));
  (void)capi_return_buffer(out, &c.b, status == FLEECE_OK ? c.w : NULL);
  return status;
}

struct capi_lua_writer {
  fleece_writer writer;
  void *ud;
};

static int capi_write(void *ud, const char *bytes, size_t n) {
  const struct capi_lua_writer *w = (const struct capi_lua_writer *)ud;
  return w->writer(w->ud, bytes, n) != 0;
}

int fleece_encode_to(lua_State *L, int index, int options, fleece_writer writer, void *ud) {
  struct capi_lua_writer w;
  w.writer = writer;
  w.ud = ud;
  return capi_encode(L, index, options, writer ? capi_write : NULL, &w, "the writer has refused");
}

int fleece_decode(lua_State *L, const char *text, size_t n, int options, uint32_t flags) {
  struct capi_call c = {0};
  c.text = text;
  c.n = n;
  c.flags = flags;
  return capi_run(L, &capi_decode_key, &c, 0, options);
}

int fleece_push_bytes(lua_State *L, const void *bytes, size_t n, int options, uint32_t flags, fleece_release release,
                      void *ud) {
  struct capi_call c = {0};
  c.text = (const char *)bytes;
  c.n = n;
  c.flags = flags;
  c.release = release;
  c.drain_ud = ud;
  const int status = capi_run(L, &capi_document_key, &c, 0, options);
  if (c.release) c.release(ud);
  return status;
}

const void *fleece_to_bytes(lua_State *L, int index, size_t *n) {
  size_t unused;
  if (!n) n = &unused;
  *n = 0;
#if PART_HAS_document
  const struct mod_view *v = view_test(L, index);
  const struct mod_doc *d = v ? v->owner : view_test_doc(L, index);
  if (!d || d->doc.base || d->doc.keys || !d->doc.begin) return NULL;
  *n = (size_t)(d->doc.end - d->doc.begin);
  return d->doc.begin;
#else
  return (void)L, (void)index, NULL;
#endif
}

int fleece_register(lua_State *L) {
  const int status = capi_protect(L, capi_register_inside, NULL);
  return status ? capi_status(L, status, FLEECE_ERROR_ARGUMENT) : FLEECE_OK;
}
