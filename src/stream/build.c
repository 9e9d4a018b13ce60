/* SPDX-License-Identifier: MIT
** build.c -- builder(sink, options): writes a JSON text value by value.
** Must hold: the text's memory belongs to the builder's userdata, see lua/state.h. A call that is refused leaves the
** builder unchanged. While the sink or an encoder runs, which may call Lua, no other call is allowed. */
#include "../decode/face/decode.h"
#include "../encode/face/width.h"
#include "../json/write/build.h"
#include "../lua/guard.h"
#include "../lua/state.h"
#include "stream.h"

enum mod_build_status { BUILD_OPEN, BUILD_BUSY, BUILD_FAILED, BUILD_FINISHED };

struct mod_build {
  const char *magic;
  enum mod_build_status status;
  int thrown; /* FAILED: the error object is the sink's own */
  struct json_build b;
  struct encode_state text, lines; /* without line breaks; laid out, with `indent` */
  struct json_fold fold;           /* fold.out is NULL without `indent` */
  struct json_style style;         /* of `lines` */
  struct mod_options o;            /* without line breaks */
  char indent[JSON_INDENT_LIMIT];
  struct mod_codec *codec; /* of the encoder in the environment, which writes values of other types */
  struct mod_state *state;
  struct heap_user user;
  int has_sink, unique;
};

/* Items of the environment. */
enum {
  BUILD_SINK = 1,
  BUILD_ENCODE,  /* encode with the builder's options, */
  BUILD_CODEC,   /* which are in this codec */
  BUILD_OBJECTS, /* the memory of b.objects; */
  BUILD_FOLD,    /* of `fold` */
  BUILD_STATE,
  BUILD_NAMES, /* with `duplicates = "error"`: a list of sets of names, one for each open container */
  BUILD_ERROR, /* of a builder that has failed */
  BUILD_END
};

static const char build_magic = 0, build_key[2] = {0};

static struct mod_build *build_check(lua_State *L) {
  struct mod_build *b = (struct mod_build *)mod_test_userdata(L, 1, &build_magic, sizeof *b);
  if (!b) mod_type_error(L, 1, "builder");
  if (heap_is_dead(L, &b->user)) mod_error(L, "the builder was collected");
  if (FL_LIKELY(b->status == BUILD_OPEN)) return b;
  if (b->status == BUILD_BUSY) mod_error(L, "the builder is in use");
  if (b->status == BUILD_FINISHED) mod_error(L, "the builder has finished");
  return b;
}

/* Ends a call with an error; nothing was written. */
FL_NOINLINE int build_refuse_(struct mod_build *b, lua_State *L, const char *wrong) {
  enum fl_kind kind = FL_KIND_ARGUMENT;
  if (wrong == json_build_failed) {
    wrong = encode_message(b->text.out.error);
    kind = encode_kind(b->text.out.error);
    b->text.out.error = FL_ERROR_NONE;
  }
  lua_pushstring(L, wrong);
  return mod_raise_kind(L, (int)b->o.safe, kind);
}

/* Ends a call of a builder whose sink has failed. */
FL_NOINLINE int build_fail_(struct mod_build *b, lua_State *L) {
  mod_push_env(L, 1);
  lua_rawgeti(L, -1, BUILD_ERROR);
  if (lua_isnil(L, -1)) return mod_raise_memory_(L, (int)b->o.safe);
  return b->thrown ? lua_error(L) : mod_raise_kind(L, (int)b->o.safe, FL_KIND_IO);
}

/* Passes the text of a buffer to the sink. Returns 0 if the builder has failed. */
static int build_pass(struct mod_build *b, lua_State *L, struct buffer *text, const char *end) {
  struct mod_sink s;
  compat_need_stack(L, 12);
  mod_push_env(L, 1);
  const int env = lua_gettop(L);
  lua_rawgeti(L, env, BUILD_SINK);
  mod_check_sink(L, env + 1, &s);
  s.raw = 0;
  s.calls = &b->state->encode->shared.calls;
  b->status = BUILD_BUSY;
  mod_use_heap(b->state);
  const int fine = mod_sink_drain(&s, text->begin, (size_t)(end - text->begin));
  mod_leave_heap(b->state);
  b->status = fine ? BUILD_OPEN : BUILD_FAILED;
  b->thrown = s.thrown;
  if (!fine) {
    mod_push_sink_error(L, &s);
    lua_rawseti(L, env, BUILD_ERROR);
  }
  lua_settop(L, env - 1);
  if (heap_is_dead(L, &b->user)) mod_error(L, "the builder was collected");
  return fine;
}

/* Lays out the text so far, and passes it to the sink if it is long or the last. Returns 0 if the builder has
** failed. */
static int build_flush(struct mod_build *b, lua_State *L, int all) {
  struct buffer *text = &b->text.out.buffer, *lines = &b->lines.out.buffer;
  if (b->fold.out) {
    if (!json_fold_feed(&b->fold, text->begin, b->b.used) || (all && !json_fold_end(&b->fold)))
      return b->status = BUILD_FAILED, 0;
    b->b.used = 0;
    if (!b->has_sink || (!all && b->fold.w - lines->begin < BUF_DRAIN_FROM)) return 1;
    if (!build_pass(b, L, lines, b->fold.w)) return 0;
    b->fold.w = lines->begin;
  } else if (b->has_sink) {
    if (!build_pass(b, L, text, text->begin + b->b.used)) return 0;
    b->b.used = 0;
  }
  return 1;
}

/* Ends a call: returns the builder, so that calls can be chained. */
static int build_return(struct mod_build *b, lua_State *L, const char *wrong) {
  if (FL_UNLIKELY(wrong != NULL)) return build_refuse_(b, L, wrong);
  lua_settop(L, 1);
  if (FL_UNLIKELY(b->b.used >= BUF_DRAIN_FROM) && (b->has_sink || b->fold.out) && !build_flush(b, L, 0))
    return build_fail_(b, L);
  return 1;
}

#define BUILD_CHECK(b)                        \
  struct mod_build *const b = build_check(L); \
  if (FL_UNLIKELY(b->status == BUILD_FAILED)) return build_fail_(b, L)

static int mod_build_array(lua_State *L) {
  BUILD_CHECK(b);
  return build_return(b, L, json_build_open(&b->b, 0));
}

/* builder:object(), builder:array() -> builder */
static int mod_build_object(lua_State *L) {
  BUILD_CHECK(b);
  const char *wrong = json_build_may_put(&b->b);
  if (!wrong && b->unique) {
    lua_settop(L, 1);
    mod_push_env(L, 1);
    lua_rawgeti(L, 2, BUILD_NAMES);
    lua_newtable(L);
    lua_rawseti(L, 3, (int)b->b.depth + 1);
  }
  return build_return(b, L, json_build_open(&b->b, 1));
}

/* Records the name at 2. Returns whether it is new in the innermost object. */
static int build_is_new(struct mod_build *b, lua_State *L) {
  lua_settop(L, 2);
  mod_push_env(L, 1);
  lua_rawgeti(L, 3, BUILD_NAMES);
  lua_rawgeti(L, 4, (int)b->b.depth);
  compat_raw_get(L, 5, 2);
  const int is_new = lua_isnil(L, -1);
  if (is_new) {
    lua_pushvalue(L, 2);
    lua_pushboolean(L, 1);
    lua_rawset(L, 5);
  }
  lua_settop(L, 2);
  return is_new;
}

static int mod_build_key(lua_State *L) {
  BUILD_CHECK(b);
  size_t n;
  if (lua_type(L, 2) != LUA_TSTRING) mod_type_error(L, 2, "string");
  const char *s = lua_tolstring(L, 2, &n);
  const char *wrong = json_build_may_put_key(&b->b);
  if (!wrong && b->unique && !build_is_new(b, L)) wrong = "duplicate name";
  return build_return(b, L, wrong ? wrong : json_build_key(&b->b, s, n));
}

static int mod_build_string(lua_State *L) {
  BUILD_CHECK(b);
  size_t n;
  if (lua_type(L, 2) != LUA_TSTRING) mod_type_error(L, 2, "string");
  const char *s = lua_tolstring(L, 2, &n);
  return build_return(b, L, json_build_string(&b->b, s, n));
}

/* builder:number(x [, digits]): if `digits` are given they are written, and x may be nil */
static int mod_build_number(lua_State *L) {
  BUILD_CHECK(b);
  size_t n;
  if (lua_isnoneornil(L, 3)) {
    if (lua_type(L, 2) != LUA_TNUMBER) mod_type_error(L, 2, "number");
    return build_return(b, L,
                        compat_is_integer(L, 2) ? json_build_integer(&b->b, compat_to_integer(L, 2))
                                                : json_build_double(&b->b, lua_tonumber(L, 2)));
  }
  if (lua_type(L, 2) != LUA_TNUMBER && !lua_isnil(L, 2)) mod_type_error(L, 2, "number");
  if (lua_type(L, 3) != LUA_TSTRING) mod_type_error(L, 3, "string");
  const char *s = lua_tolstring(L, 3, &n);
  if (!json_build_is_number(s, n)) mod_argument_error(L, 3, "the digits of a JSON number expected");
  return build_return(b, L, json_build_text(&b->b, s, n));
}

static int mod_build_boolean(lua_State *L) {
  BUILD_CHECK(b);
  mod_check_type(L, 2, LUA_TBOOLEAN);
  return build_return(b, L, json_build_text(&b->b, lua_toboolean(L, 2) ? "true" : "false", 5u - !!lua_toboolean(L, 2)));
}

static int mod_build_null(lua_State *L) {
  BUILD_CHECK(b);
  return build_return(b, L, json_build_text(&b->b, "null", 4));
}

/* builder:value(v): any value that encode accepts */
static int mod_build_value(lua_State *L) {
  BUILD_CHECK(b);
  const char *wrong = json_build_may_put(&b->b), *s;
  size_t n;
  mod_check_any(L, 2);
  if (wrong) return build_refuse_(b, L, wrong);
  lua_settop(L, 2);
  compat_need_stack(L, 8);
  mod_push_env(L, 1);
  lua_rawgeti(L, 3, BUILD_ENCODE);
  lua_pushvalue(L, 2);
  b->codec->encode.style.max_depth = b->o.style.max_depth - b->b.depth;
  b->status = BUILD_BUSY;
  const int status = lua_pcall(L, 1, 3, 0);
  b->status = BUILD_OPEN;
  if (status) return lua_error(L);
  if (lua_isnil(L, -3)) return 3; /* fleece.safe: nil, message, failure */
  if (heap_is_dead(L, &b->user)) return mod_error(L, "the builder was collected");
  s = lua_tolstring(L, -3, &n);
  return build_return(b, L, json_build_text(&b->b, s, n));
}

/* builder:close() ends the innermost container; close_array and close_object also test its kind */
static int mod_build_close(lua_State *L) {
  BUILD_CHECK(b);
  return build_return(b, L, json_build_close(&b->b, -1));
}

static int mod_build_close_array(lua_State *L) {
  BUILD_CHECK(b);
  return build_return(b, L, json_build_close(&b->b, 0));
}

static int mod_build_close_object(lua_State *L) {
  BUILD_CHECK(b);
  return build_return(b, L, json_build_close(&b->b, 1));
}

static void build_free(struct mod_build *b) {
  mod_free_encode_state(&b->text);
  mod_free_encode_state(&b->lines);
}

/* builder:finish() -> true, or without a sink the text */
static int mod_build_finish(lua_State *L) {
  BUILD_CHECK(b);
  const char *wrong = json_build_finish(&b->b), *begin = b->text.out.buffer.begin, *end;
  if (wrong) return build_refuse_(b, L, wrong);
  lua_settop(L, 1);
  if (!build_flush(b, L, 1)) return build_fail_(b, L);
  if (b->has_sink) {
    lua_pushboolean(L, 1);
  } else {
    end = b->text.out.buffer.begin + b->b.used;
    if (b->fold.out) begin = b->lines.out.buffer.begin, end = b->fold.w;
    b->status = BUILD_FAILED; /* stays if there is no memory for the string */
    lua_pushlstring(L, begin, (size_t)(end - begin));
  }
  b->status = BUILD_FINISHED;
  if (!heap_is_dead(L, &b->user)) build_free(b);
  return 1;
}

static int build_gc(lua_State *L) {
  struct mod_build *b = (struct mod_build *)mod_test_userdata(L, 1, &build_magic, sizeof *b);
  if (b && !heap_is_dead(L, &b->user)) build_free(b);
  return 0;
}

/* Pushes encode with its own codec, which has the options of the builder. Returns the codec. */
static struct mod_codec *build_push_encode(lua_State *L, const struct mod_options *o) {
  compat_need_stack(L, 2 * MOD_UPVALUES + 4);
  for (int i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, lua_upvalueindex(i));
  const int base = lua_gettop(L) - MOD_UPVALUES + 1;
  struct mod_codec *codec = (struct mod_codec *)lua_newuserdata(L, sizeof *codec);
  *codec = *(const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  codec->encode = *o;
  lua_replace(L, base + MOD_CODEC - 1);
  if (o->order) {
    compat_copy(L, o->order, base + MOD_ORDER - 1);
    codec->encode.order = lua_upvalueindex(MOD_ORDER);
  }
  if (o->on_error) {
    compat_copy(L, o->on_error, base + MOD_ON_ERROR - 1);
    codec->encode.on_error = lua_upvalueindex(MOD_ON_ERROR);
  }
  if (o->null) {
    compat_copy(L, o->null, base + MOD_NULL - 1);
    codec->encode.null = lua_upvalueindex(MOD_NULL);
  }
  mod_settle_options(&codec->encode);
  lua_pushvalue(L, base + MOD_CODEC - 1);
  lua_insert(L, base);
  lua_pushcclosure(L, mod_encode, MOD_UPVALUES);
  return codec;
}

/* Prepares the memory of the builder at `at`, whose environment is at `env`. Returns 0 if out of memory. */
static int build_begin(struct mod_build *b, lua_State *L, int env, size_t width) {
  unsigned char *objects = (unsigned char *)lua_newuserdata(L, b->o.style.max_depth / 8 + 1);
  lua_rawseti(L, env, BUILD_OBJECTS);
  if (!buf_resize(&b->text.out.buffer, BUF_FIRST)) return 0;
  b->text.out.style = &b->o.style;
  json_build_begin(&b->b, &b->text.out, objects);
  if (!b->style.indent_length) return 1;
  void *block = lua_newuserdata(L, json_fold_bytes(width));
  lua_rawseti(L, env, BUILD_FOLD);
  if (!buf_resize(&b->lines.out.buffer, BUF_FIRST)) return 0;
  b->lines.out.style = &b->style;
  json_fold_begin(&b->fold, &b->lines.out, width, block);
  return 1;
}

/* clang-format off */
FL_PRIVATE const luaL_Reg mod_build_methods[] = {
    {"object", mod_build_object}, {"array", mod_build_array}, {"key", mod_build_key}, {"string", mod_build_string},
    {"number", mod_build_number}, {"boolean", mod_build_boolean}, {"null", mod_build_null}, {"value", mod_build_value},
    {"close", mod_build_close}, {"close_array", mod_build_close_array}, {"close_object", mod_build_close_object},
    {"finish", mod_build_finish}, {NULL, NULL}};
/* clang-format on */

FL_PRIVATE int mod_builder_new(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct json_to_lua_options d = codec->decode;
  struct mod_sink sink;
  struct mod_options o = codec->encode;
  lua_settop(L, 2);
  compat_need_stack(L, 24);
  if (!lua_isnil(L, 2)) {
    (void)mod_read_decode_options(L, 2, &d, MOD_OF_BUILDER);
    mod_read_options(L, 2, &o, MOD_OF_BUILDER);
  }
  if (o.style.canonical) mod_unfit_option(L, 2, "canonical", "false");
  if (!lua_isnil(L, 1)) mod_check_sink(L, 1, &sink);
  struct mod_build *b = (struct mod_build *)mod_new_userdata(L, sizeof *b);
  memset(b, 0, sizeof *b);
  const int at = lua_gettop(L);
  b->magic = &build_magic;
  b->state = codec->state;
  b->has_sink = !lua_isnil(L, 1);
  b->unique = d.duplicates == JSON_TO_LUA_UNIQUE;
  b->style = o.style;
  memcpy(b->indent, o.indent, sizeof b->indent);
  b->style.indent = b->indent;
  b->o = o;
  mod_options_in_a_row(&b->o);
  heap_begin(L, &b->user, codec->state);
  mod_init_encode_state(L, &b->text, codec->state);
  mod_init_encode_state(L, &b->lines, codec->state);
  b->text.out.buffer.alloc = b->lines.out.buffer.alloc = heap_alloc;
  b->text.out.buffer.alloc_ud = b->lines.out.buffer.alloc_ud = &b->user;
  lua_createtable(L, BUILD_END, 0);
  const int env = lua_gettop(L);
  compat_set_item(L, env, BUILD_SINK, 1);
  compat_set_item(L, env, BUILD_STATE, lua_upvalueindex(MOD_STATE));
  b->codec = build_push_encode(L, &b->o);
  lua_rawseti(L, env, BUILD_ENCODE);
  lua_rawseti(L, env, BUILD_CODEC);
  if (b->unique) {
    lua_newtable(L);
    lua_rawseti(L, env, BUILD_NAMES);
  }
  lua_pushvalue(L, env);
  mod_set_env(L, at);
  lua_pushvalue(L, at);
  mod_push_class(L, build_key, (int)o.safe, "fleece.builder", mod_build_methods, build_gc);
  lua_setmetatable(L, -2);
  if (!build_begin(b, L, env, b->style.width)) return mod_raise_memory_(L, (int)b->o.safe);
  return 1;
}
