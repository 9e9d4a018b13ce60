/* SPDX-License-Identifier: MIT
** builder.c -- fleece.encoder(): writes a document value by value.
** Must hold: the encoder's memory belongs to its userdata, see lua/state.h. A call in the wrong order raises an
** error and leaves the encoder unchanged. */
#include "../../binary/encode/checked.h"
#include "../../files/spill.h"
#include "../../lua/guard.h"
#include "builder.h"

static const char builder_magic = 0, builder_key[2] = {0};

struct mod_builder {
  const char *magic;
  struct bin_encoder e;
  int has_key; /* the innermost collection is a dict and its last item is a key */
  struct mod_state *state;
  struct heap_user user;
  struct json_to_lua_options decode; /* for encoder:json */
  struct spill spill;                /* the output's memory, if it is in use */
};

static struct mod_builder *builder_check(lua_State *L) {
  struct mod_builder *b = (struct mod_builder *)mod_test_userdata(L, 1, &builder_magic, sizeof *b);
  if (!b) mod_type_error(L, 1, "encoder");
  if (heap_is_dead(L, &b->user)) mod_error(L, "the encoder was collected");
  return b;
}

static int builder_raise(lua_State *L, const struct mod_builder *b, enum bin_error error) {
  lua_pushstring(L, bin_message((int)error));
  return mod_raise_kind(L, (int)b->decode.safe, bin_kind((int)error));
}

/* Ends a method: raises the error unless `fine`, or returns the encoder, so that calls can be chained. */
static int builder_return_self(lua_State *L, int fine) {
  struct mod_builder *b = builder_check(L);
  if (!fine) return builder_raise(L, b, b->e.error);
  b->has_key = 0;
  lua_settop(L, 1);
  return 1;
}

/* Returns nil and why the output could not be written. */
static int builder_not_stored(lua_State *L, int reason) {
  lua_pushnil(L);
  lua_pushstring(L, reason ? strerror(reason) : "unknown reason");
  return 2;
}

/* The body of a method that puts a value: runs `put` on the encoder `b` if a value is allowed now. */
#define BUILDER_PUT(b, put)                                               \
  do {                                                                    \
    struct mod_builder *const b = builder_check(L);                       \
    const enum bin_error unexpected = bin_may_put(&(b)->e, (b)->has_key); \
    if (unexpected) return builder_raise(L, b, unexpected);               \
    return builder_return_self(L, put);                                   \
  } while (0)

static int builder_null(lua_State *L) { BUILDER_PUT(b, bin_put_special(&b->e, BIN_NULL)); }

static int builder_undefined(lua_State *L) { BUILDER_PUT(b, bin_put_special(&b->e, BIN_UNDEFINED)); }

static int builder_boolean(lua_State *L) {
  mod_check_type(L, 2, LUA_TBOOLEAN);
  BUILDER_PUT(b, bin_put_special(&b->e, lua_toboolean(L, 2) ? BIN_TRUE : BIN_FALSE));
}

/* Reads a 64-bit integer at 2: a Lua number or a string of decimal digits. Returns 0 for anything else and if it does
** not fit. */
static int builder_read_integer(lua_State *L, int *negative, uint64_t *magnitude) {
  size_t n;
  if (lua_type(L, 2) == LUA_TNUMBER) {
    if (compat_is_integer(L, 2)) {
      const int64_t i = compat_to_integer(L, 2);
      *negative = i < 0;
      *magnitude = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
      return 1;
    } else {
      const lua_Number d = lua_tonumber(L, 2), a = d < 0 ? -d : d;
      if (!(a < 18446744073709551616.0) || a != (lua_Number)(uint64_t)a) return 0;
      *negative = d < 0;
      *magnitude = (uint64_t)a;
      return 1;
    }
  }
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  const char *s = lua_tolstring(L, 2, &n);
  const char *end = s + n;
  *negative = *s == '-';
  s += *negative;
  *magnitude = 0;
  if (s == end) return 0;
  for (; s < end; s++) {
    if (*s < '0' || *s > '9' || *magnitude > (UINT64_MAX - (uint64_t)(*s - '0')) / 10) return 0;
    *magnitude = 10 * *magnitude + (uint64_t)(*s - '0');
  }
  return 1;
}

/* encoder:integer(n), encoder:unsigned(n): n a number or a string of digits */
static int builder_integer(lua_State *L) {
  int negative;
  uint64_t magnitude;
  const int fits = builder_read_integer(L, &negative, &magnitude) && magnitude <= (UINT64_C(1) << 63) - !negative;
  if (!fits) return mod_argument_error(L, 2, "whole number from -2^63 to 2^63 - 1 expected");
  BUILDER_PUT(b, bin_put_signed(&b->e, (int64_t)(negative ? 0 - magnitude : magnitude)));
}

static int builder_unsigned(lua_State *L) {
  int negative;
  uint64_t magnitude;
  if (!builder_read_integer(L, &negative, &magnitude) || (negative && magnitude > 0))
    return mod_argument_error(L, 2, "whole number from 0 to 2^64 - 1 expected");
  BUILDER_PUT(b, bin_put_unsigned(&b->e, magnitude));
}

static int builder_double(lua_State *L) {
  const lua_Number d = mod_check_number(L, 2);
  if (d != d) return mod_argument_error(L, 2, bin_message(BIN_ERROR_NAN));
  BUILDER_PUT(b, bin_put_double(&b->e, d));
}

/* encoder:float(x): rounds x to 32 bits */
static int builder_float(lua_State *L) {
  const lua_Number d = mod_check_number(L, 2);
  if (d != d) return mod_argument_error(L, 2, bin_message(BIN_ERROR_NAN));
  BUILDER_PUT(b, bin_put_float(&b->e, (float)d));
}

static int builder_string(lua_State *L) {
  size_t n;
  const char *s = mod_check_string(L, 2, &n);
  BUILDER_PUT(b, bin_put_string(&b->e, s, n));
}

static int builder_data(lua_State *L) {
  const struct mod_data *d = view_test_data(L, 2);
  size_t n = d ? d->n : 0;
  const char *s = d ? (const char *)(d + 1) : mod_check_string(L, 2, &n);
  BUILDER_PUT(b, bin_put_data(&b->e, s, n));
}

static int builder_array(lua_State *L) { BUILDER_PUT(b, bin_begin(&b->e, 0)); }

static int builder_dict(lua_State *L) { BUILDER_PUT(b, bin_begin(&b->e, 1)); }

/* encoder:key(name) */
static int builder_put_key(lua_State *L) {
  struct mod_builder *b = builder_check(L);
  size_t n;
  const char *s = mod_check_string(L, 2, &n);
  const enum bin_error error = bin_may_put_key(&b->e, b->has_key);
  if (error) return builder_raise(L, b, error);
  (void)builder_return_self(L, bin_put_key(&b->e, s, n));
  b->has_key = 1;
  return 1;
}

static int builder_end(lua_State *L, int is_dict) {
  struct mod_builder *b = builder_check(L);
  const enum bin_error error = bin_may_end(&b->e, b->has_key, is_dict);
  if (error) return builder_raise(L, b, error);
  return builder_return_self(L, bin_end(&b->e));
}

/* encoder:close() ends the innermost collection; close_array and close_dict also test its kind */
static int builder_close(lua_State *L) { return builder_end(L, -1); }

static int builder_close_array(lua_State *L) { return builder_end(L, 0); }

static int builder_close_dict(lua_State *L) { return builder_end(L, 1); }

/* Puts the data, view, document or mutable view on top. */
static int builder_view(lua_State *L) {
  struct mod_builder *b = builder_check(L);
  int error = (int)bin_may_put(&b->e, b->has_key);
  if (error) return builder_raise(L, b, (enum bin_error)error);
  error = view_put_value(L, &b->e);
  if (error < 0) return view_closed_(L);
  return builder_return_self(L, !error || bin_fail(&b->e, (enum bin_error)error));
}

/* encoder:value(v): a scalar, data, a view, document or mutable view. */
static int builder_put_any(lua_State *L) {
  switch (lua_type(L, 2)) {
  case LUA_TNIL: return builder_undefined(L);
  case LUA_TBOOLEAN: return builder_boolean(L);
  case LUA_TSTRING: return builder_string(L);
  case LUA_TNUMBER:
    if (compat_is_integer(L, 2)) BUILDER_PUT(b, bin_put_integer(&b->e, compat_to_integer(L, 2)));
    if (LUA_VERSION_NUM < 503 && pack_is_integer(lua_tonumber(L, 2)))
      BUILDER_PUT(b, pack_put_integer(&b->e, lua_tonumber(L, 2)));
    return builder_double(L);
  case LUA_TLIGHTUSERDATA:
    if (!lua_touserdata(L, 2)) return builder_null(L);
    break;
  case LUA_TUSERDATA:
    lua_settop(L, 2);
    if (view_is_value(L)) return builder_view(L);
    break;
  default: break;
  }
  return mod_type_error(L, 2, "scalar, data, view or document");
}

FL_PRIVATE int builder_read(lua_State *L, const char *text, size_t n, const struct json_to_binary_pass *pass) {
  struct mod_builder *b = builder_check(L);
  struct mod_write_failure failed;
  struct mod_binary o = {0};
  struct mod_decode d = {0};
  d.L = L;
  d.state = b->state;
  d.o = b->decode;
  d.of = MOD_OF_FROM_JSON;
  d.several = pass ? MOD_SEVERAL_LINES : MOD_SEVERAL_NOTHING;
  d.begin = text;
  d.end = text + n;
  o.is.mode = (unsigned)b->e.mode & 3u;
  o.pass = pass;
  if (d.o.lines && (b->e.depth == 0 || bin_in_dict(&b->e))) {
    lua_pushliteral(L, "with lines an array must be open");
    return mod_raise_kind(L, d.o.safe, FL_KIND_ARGUMENT);
  }
  failed.error = bin_may_put(&b->e, b->has_key);
  if (failed.error) return builder_raise(L, b, failed.error);
  if (mod_scan_into(&d, &o, &b->e, &failed)) return builder_return_self(L, 1);
  bin_fail(&b->e, BIN_ERROR_STATE_TEXT);
  return b->spill.reason ? builder_not_stored(L, b->spill.reason) : mod_write_error_(&d, &failed);
}

/* encoder:json(text): puts the value of a JSON text; with the encoder's option `lines`, all its documents as items of
** the open array. After an error part of the text is written, so the encoder must be reset. */
static int builder_json(lua_State *L) {
  size_t n;
  (void)builder_check(L);
  const char *text = mod_check_string(L, 2, &n);
  return builder_read(L, text, n, NULL);
}

/* encoder:finish() -> bytes; the encoder is empty again */
static int builder_finish(lua_State *L) {
  struct mod_builder *b = builder_check(L);
  struct mod_piece piece;
  if (b->e.error) return builder_raise(L, b, b->e.error);
  lua_pushcfunction(L, mod_push_piece);
  lua_pushlightuserdata(L, &piece);
  if (!bin_finish(&b->e)) {
    const enum bin_error error = b->e.error;
    b->e.error = BIN_ERROR_NONE;
    return builder_raise(L, b, error);
  }
  struct buffer taken = b->e.out; /* a finalizer may use the encoder while the string is created */
  piece.bytes = taken.begin, piece.n = (size_t)(b->e.w - taken.begin);
  b->e.out.begin = b->e.out.end = NULL;
  bin_encoder_reset(&b->e);
  b->has_key = 0;
  mod_use_heap(b->state);
  const int status = lua_pcall(L, 1, 1, 0);
  if (!heap_is_dead(L, &b->user)) {
    if (b->e.out.begin) buf_free(&taken);
    else b->e.out = taken, b->e.w = taken.begin;
  }
  mod_leave_heap(b->state);
  return status ? lua_error(L) : 1;
}

/* Lets the output begin again in the allocator's memory. */
static void builder_drop_spill(struct mod_builder *b) {
  if (!b->spill.begin) return;
  b->e.out.begin = b->e.out.end = b->e.w = NULL;
  b->e.out.extend = NULL;
  spill_free(&b->spill);
}

FL_PRIVATE int builder_spill(lua_State *L, FILE *file) {
  struct mod_builder *b = builder_check(L);
  if (b->e.w != b->e.out.begin || b->spill.begin) return 0;
  if (!spill_begin(&b->spill, file, BIN_WIDE_REACH + BUF_SLACK)) return 0;
  if (b->e.out.begin) buf_free(&b->e.out);
  const size_t room = spill_extend(&b->spill, 0, BUF_FIRST);
  if (!room) return spill_free(&b->spill), b->e.w = NULL, 0;
  b->e.out.begin = b->e.w = b->spill.begin;
  b->e.out.end = b->e.w + room - BUF_SLACK;
  b->e.out.front = 0;
  b->e.out.extend = spill_extend;
  b->e.out.extend_ud = &b->spill;
  return 1;
}

FL_PRIVATE int builder_store(lua_State *L, FILE *file) {
  struct mod_builder *b = builder_check(L);
  const int ended = !b->e.error && bin_finish(&b->e);
  const size_t n = (size_t)(b->e.w - b->e.out.begin);
  if (!ended && !b->spill.reason) return builder_raise(L, b, b->e.error);
  errno = 0;
  const int fine = ended && (b->spill.begin ? spill_finish(&b->spill, n) : file_write(file, b->e.out.begin, n));
  const int reason = b->spill.reason ? b->spill.reason : errno;
  builder_drop_spill(b);
  bin_encoder_reset(&b->e);
  return fine ? builder_return_self(L, 1) : builder_not_stored(L, reason);
}

static int builder_reset(lua_State *L) {
  struct mod_builder *b = builder_check(L);
  builder_drop_spill(b);
  bin_encoder_reset(&b->e);
  return builder_return_self(L, 1);
}

static int builder_gc(lua_State *L) {
  struct mod_builder *b = (struct mod_builder *)mod_test_userdata(L, 1, &builder_magic, sizeof *b);
  if (!b) return 0;
  builder_drop_spill(b);
  if (!heap_is_dead(L, &b->user)) bin_encoder_free(&b->e);
  return 0;
}

/* clang-format off */
FL_PRIVATE const luaL_Reg builder_methods[] = {
    {"null", builder_null}, {"undefined", builder_undefined}, {"boolean", builder_boolean},
    {"integer", builder_integer}, {"unsigned", builder_unsigned}, {"double", builder_double},
    {"float", builder_float}, {"string", builder_string}, {"data", builder_data}, {"array", builder_array},
    {"dict", builder_dict}, {"key", builder_put_key}, {"close", builder_close}, {"close_array", builder_close_array},
    {"close_dict", builder_close_dict}, {"value", builder_put_any}, {"json", builder_json},
    {"finish", builder_finish}, {"reset", builder_reset}, {NULL, NULL}};
/* clang-format on */

FL_PRIVATE int mod_encoder(lua_State *L) {
  struct mod_binary o;
  struct mod_decode d;
  lua_settop(L, 1);
  mod_begin_decode(&d, L, 1, MOD_OF_FROM_JSON);
  mod_check_duplicates(&d, 1);
  mod_read_binary_options(L, 1, &o, MOD_OF_FROM_JSON);
  struct mod_builder *b = (struct mod_builder *)mod_new_userdata(L, sizeof *b);
  b->magic = &builder_magic;
  b->has_key = 0;
  memset(&b->spill, 0, sizeof b->spill);
  b->state = d.state;
  b->decode = d.o;
  heap_begin(L, &b->user, d.state);
  bin_encoder_init(&b->e, heap_alloc, &b->user, mod_mode_of(&o.is));
  b->e.out.front = MOD_FRONT;
  bin_encoder_reset(&b->e);
  if (o.keys) {
    b->e.keys = &view_test_keys(L, o.keys)->keys;
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, o.keys);
    lua_rawseti(L, -2, 1);
    mod_set_env(L, -2);
  }
  mod_push_class(L, builder_key, d.o.safe, "fleece.encoder", builder_methods, builder_gc);
  lua_setmetatable(L, -2);
  return 1;
}
