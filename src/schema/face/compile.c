/* SPDX-License-Identifier: MIT
** compile.c -- fleece.schema: gets its schemas as texts, reads its options, makes the object.
** Must hold: as in schema.h. One table keeps all that a schema needs while it lives: blocks of memory of the program's
** sources from 1 on, texts by URI. */
#include "schema.h"
#include "../compile/state.h"
#include "../../encode/face/encode.h"
#include "../../encode/face/marks.h"
#include "../../lua/guard.h"
#include "../../lua/options/options.h"
#include "../../lua/state.h"
#if PART_HAS_document
#include "../../document/face/binary.h"
#include "../../document/view/read.h"
#endif

/* The state of compiling a schema. Indices are of the Lua stack. */
struct mod_schema_maker {
  lua_State *L;
  int options; /* a table or nil */
  int blocks;  /* a table of the blocks below SCHEMA_BLOCK_KEPT, by number + 1 */
  int kept;    /* the table of what stays */
};

/* The compiler's value_memory. */
static void *mod_schema_keep(void *owner, unsigned block, size_t n, size_t used) {
  const struct mod_schema_maker *m = (const struct mod_schema_maker *)owner;
  lua_State *L = m->L;
  const int is_kept = block >= SCHEMA_BLOCK_KEPT, table = is_kept ? m->kept : m->blocks;
  const int number = (int)(is_kept ? block - SCHEMA_BLOCK_KEPT : block) + 1;
  void *to;
  compat_need_stack(L, 4);
  to = lua_newuserdata(L, n);
  if (used) {
    lua_rawgeti(L, table, number);
    memcpy(to, lua_touserdata(L, -1), used);
    lua_pop(L, 1);
  }
  lua_rawseti(L, table, number);
  return to;
}

/* The levels that a schema may have. max_depth is for values: a limit for requests must not refuse the schema. */
static uint32_t mod_schema_depth(uint32_t of_values) {
  enum { LEAST = 1000 };
  return of_values > LEAST ? of_values : LEAST;
}

/* Replaces the value on top by the result of calling a function of the module with it. */
static void mod_schema_call_function(lua_State *L, lua_CFunction f) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  int i;
  compat_need_stack(L, MOD_UPVALUES + 4);
  for (i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, lua_upvalueindex(i));
  lua_pushcclosure(L, f, MOD_UPVALUES);
  lua_insert(L, -2);
  if (f == mod_encode) {
    lua_createtable(L, 0, 2);
    lua_pushliteral(L, "object");
    lua_setfield(L, -2, "empty_table");
    lua_pushnumber(L, mod_schema_depth(codec->decode.max_depth));
    lua_setfield(L, -2, "max_depth");
    lua_call(L, 2, 1);
  } else {
    lua_call(L, 1, 1);
  }
}

/* Replaces the schema on top (text, table, boolean, document, view or compiled schema) by its text. Returns 0 for
** anything else. */
static int mod_schema_make_text(lua_State *L) {
  switch (lua_type(L, -1)) {
  case LUA_TSTRING: return 1;
  case LUA_TBOOLEAN:
    if (lua_toboolean(L, -1)) lua_pushliteral(L, "true");
    else lua_pushliteral(L, "false");
    lua_remove(L, -2);
    return 1;
  case LUA_TUSERDATA: {
    const struct mod_schema *s = (const struct mod_schema *)mod_test_userdata(L, -1, &mod_schema_magic, sizeof *s);
    if (s) {
      const struct value_texts *texts = &s->program->sources[0]->texts;
      lua_pushlstring(L, texts->text, texts->length);
      lua_remove(L, -2);
      return 1;
    }
    if (!mod_schema_is_document(L, lua_gettop(L))) return 0;
#if PART_HAS_document
    mod_schema_call_function(L, view_test_doc(L, -1) ? mod_to_json : mod_encode);
#endif
    break;
  }
  case LUA_TTABLE: mod_schema_call_function(L, mod_encode); break;
  default: return 0;
  }
  return lua_type(L, -1) == LUA_TSTRING;
}

/* Pushes the schema with this URI, or nil, from the option, a table or a function to call. Keys of a table may end with
** #, as URIs of older drafts do. Raises the second result of a function instead of nil. */
static int mod_schema_push_from(struct mod_schema_maker *m, const char *option, const char *uri, size_t n) {
  lua_State *L = m->L;
  compat_get_field(L, m->options, option);
  lua_pushlstring(L, uri, n);
  if (lua_isfunction(L, -2)) {
    lua_call(L, 1, 2);
    if (lua_isnil(L, -2) && lua_type(L, -1) == LUA_TSTRING) {
      lua_pushfstring(L, "cannot load the schema %s: %s", uri, lua_tostring(L, -1));
      return mod_raise(L, 0);
    }
    lua_pop(L, 1);
  } else if (lua_istable(L, -2)) {
    lua_rawget(L, -2);
    if (lua_isnil(L, -1)) {
      lua_pushfstring(L, "%s#", uri);
      lua_rawget(L, -3);
      lua_replace(L, -2);
    }
    lua_remove(L, -2);
  } else {
    lua_pop(L, 1);
  }
  if (!lua_isnil(L, -1)) return 1;
  lua_pop(L, 1);
  return 0;
}

/* schema_settings.find */
static int mod_schema_find(void *owner, const char *uri, size_t n, unsigned from, struct schema_text *text) {
  struct mod_schema_maker *m = (struct mod_schema_maker *)owner;
  lua_State *L = m->L;
  compat_need_stack(L, 10);
  if (!(from & SCHEMA_FROM_GIVEN && mod_schema_push_from(m, "schemas", uri, n)) &&
      !(from & SCHEMA_FROM_LOADER && mod_schema_push_from(m, "load", uri, n)))
    return 0;
  if (!mod_schema_make_text(L)) {
    lua_pushfstring(L, "the schema for %s is a %s", uri, luaL_typename(L, -1));
    return mod_raise(L, 0);
  }
  text->s = lua_tolstring(L, -1, &text->n);
  lua_pushliteral(L, "\""); /* a URI may be "formats", too */
  lua_pushlstring(L, uri, n);
  lua_concat(L, 2);
  lua_insert(L, -2);
  lua_rawset(L, m->kept);
  return 1;
}

/* schema_settings.next */
static int mod_schema_next(void *owner, struct schema_text *uri) {
  const struct mod_schema_maker *m = (const struct mod_schema_maker *)owner;
  lua_State *L = m->L;
  const int top = lua_gettop(L);
  int is_found = 0;
  compat_need_stack(L, 6);
  compat_get_field(L, m->options, "schemas");
  lua_getfield(L, m->blocks, "last");
  while (!is_found && lua_istable(L, -2) && lua_next(L, -2)) {
    lua_pop(L, 1);
    is_found = lua_type(L, -1) == LUA_TSTRING;
  }
  if (is_found) {
    uri->s = lua_tolstring(L, -1, &uri->n);
    lua_setfield(L, m->blocks, "last");
  }
  lua_settop(L, top);
  return is_found;
}

/* ------------------------------------------------------------------------------------- options */

/* Returns the names that are keys of the table on top, in kept memory, and pushes the list of their values, which is
** kept as `as`. */
static const struct schema_text *mod_schema_list_names(struct mod_schema_maker *m, const char *as, uint32_t *count) {
  lua_State *L = m->L;
  const int table = lua_gettop(L);
  struct schema_text *names;
  uint32_t n = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) n += lua_type(L, -2) == LUA_TSTRING;
  names = (struct schema_text *)lua_newuserdata(L, (n + 1) * sizeof *names);
  lua_createtable(L, (int)n, 0);
  for (n = 0, lua_pushnil(L); lua_next(L, table);) {
    if (lua_type(L, -2) != LUA_TSTRING || !lua_isfunction(L, -1)) {
      lua_pop(L, 1);
      continue;
    }
    names[n].s = lua_tolstring(L, -2, &names[n].n);
    lua_rawseti(L, table + 2, (int)++n);
  }
  lua_setfield(L, m->kept, as);
  *count = n;
  lua_remove(L, table);
  return names;
}

/* Sets a flag for each keyword to ignore, and lists all names. Those that are no keywords need `strict`. */
static void mod_schema_read_skip(lua_State *L, struct schema_settings *to, uint8_t *skip) {
  const int list = lua_gettop(L);
  const size_t most = (size_t)lua_rawlen(L, list) + 1;
  struct schema_text *names = (struct schema_text *)lua_newuserdata(L, most * sizeof *names);
  uint8_t keywords[SCHEMA_KEYWORD_SLOTS];
  const char *s;
  size_t n;
  schema_list_keywords(keywords);
  memset(skip, 0, SCHEMA_KEYWORDS);
  to->skip = skip;
  to->skipped = names;
  for (;; names[to->skipped_count].s = s, names[to->skipped_count++].n = n) {
    enum schema_keyword keyword;
    lua_rawgeti(L, list, (int)to->skipped_count + 1);
    s = lua_tolstring(L, -1, &n);
    lua_pop(L, 1);
    if (!s) return;
    keyword = schema_keyword_named(keywords, s, n);
    if (keyword == SCHEMA_KEYWORD_NONE && !to->is_strict) {
      lua_pushfstring(L, "option 'skip': there is no keyword %s", s);
      mod_argument_error(L, 2, lua_tostring(L, -1));
    }
    skip[keyword] = 1;
  }
}

/* Reads the settings that are Lua values. `skip` receives SCHEMA_KEYWORDS flags. */
static void mod_schema_read_values(struct mod_schema_maker *m, struct schema_settings *to, uint8_t *skip) {
  lua_State *L = m->L;
  int has_sources;
  compat_get_field(L, m->options, "schemas");
  compat_get_field(L, m->options, "load");
  has_sources = !lua_isnil(L, -1) || !lua_isnil(L, -2);
  lua_pop(L, 2);
  if (has_sources) to->find = mod_schema_find, to->next = mod_schema_next;
  compat_get_field(L, m->options, "draft");
  if (!lua_isnil(L, -1)) to->asks_openapi = 0;
  compat_get_field(L, m->options, "at");
  if (lua_type(L, -1) == LUA_TSTRING) {
    if (*lua_tostring(L, -1) == '/') { /* a pointer becomes a reference */
      lua_pushliteral(L, "#");
      lua_insert(L, -2);
      lua_concat(L, 2);
    }
    to->at.s = lua_tolstring(L, -1, &to->at.n);
  }
  compat_get_field(L, m->options, "uri");
  if (lua_type(L, -1) == LUA_TSTRING) to->uri.s = lua_tolstring(L, -1, &to->uri.n);
  compat_get_field(L, m->options, "skip");
  if (lua_istable(L, -1)) mod_schema_read_skip(L, to, skip);
  compat_get_field(L, m->options, "formats");
  if (lua_istable(L, -1)) to->formats = mod_schema_list_names(m, "formats", &to->format_count);
  compat_get_field(L, m->options, "keywords");
  if (lua_istable(L, -1)) to->customs = mod_schema_list_names(m, "keywords", &to->custom_count);
}

/* ------------------------------------------------------------------------------------- the object */

/* Adds the name of the text at fault, unless it is the main schema. */
static void mod_schema_add_source(luaL_Buffer *b, const struct schema_compiler *c) {
  uint32_t i;
  if (c->error.source == 0 || c->error.source == SCHEMA_NONE) return;
  for (i = 0; i < c->string_count; i++) {
    const struct schema_string *uri = &c->strings[i];
    if (uri->source != c->error.source + 1) continue;
    luaL_addstring(b, "in ");
    luaL_addlstring(b, c->to.bytes + uri->at, uri->length);
    luaL_addstring(b, ": ");
    return;
  }
}

/* Ends the call with the compiler's error. */
static int mod_schema_wrong(lua_State *L, const struct schema_compiler *c, int safe) {
  const struct schema_error *e = &c->error;
  char room[256];
  size_t n = 0;
  luaL_Buffer b;
  if (e->kind == SCHEMA_ERROR_MEMORY) return mod_raise_memory_(L, safe);
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "not a JSON Schema: ");
  mod_schema_add_source(&b, c);
  if (e->kind == SCHEMA_ERROR_SCHEMA && e->source < c->to.source_count) {
    n = schema_write_pointer(&c->to.sources[e->source]->texts, 0, e->place, 0, room, sizeof room);
    if (n > sizeof room) n = sizeof room;
    if (n) {
      luaL_addstring(&b, "at ");
      luaL_addlstring(&b, room, n);
      luaL_addstring(&b, ": ");
    }
  }
  {
    const char *detail = strstr(e->message, "%s");
    luaL_addlstring(&b, e->message, detail ? (size_t)(detail - e->message) : strlen(e->message));
    if (detail) {
      if (e->detail.s) luaL_addlstring(&b, e->detail.s, e->detail.n > 200 ? 200 : e->detail.n);
      luaL_addstring(&b, detail + 2);
    }
    if (e->kind == SCHEMA_ERROR_TEXT) {
      lua_pushfstring(L, ", at byte %d", (int)e->byte + 1);
      luaL_addvalue(&b);
    }
  }
  luaL_pushresult(&b);
  return mod_raise_at(L, safe,
                      e->kind == SCHEMA_ERROR_TEXT    ? FL_KIND_SYNTAX
                      : e->kind == SCHEMA_ERROR_LIMIT ? FL_KIND_LIMIT
                                                      : FL_KIND_SCHEMA,
                      (size_t)e->byte + 1);
}

/* Pushes a table of the program's names by number + 1. */
static void mod_schema_push_names(lua_State *L, const struct schema_program *p) {
  uint32_t i;
  lua_createtable(L, (int)p->name_count, 0);
  for (i = 0; i < p->name_count; i++) {
    lua_pushlstring(L, p->bytes + p->names[i].at, p->names[i].length);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

/* Keeps the values of the user's keywords, each by the index of its operation + 1. */
static void mod_schema_keep_values(lua_State *L, const struct mod_schema *s, int values, int kept) {
  const struct schema_program *p = s->program;
  uint32_t i;
  lua_newtable(L);
  for (i = 0; i < p->op_count; i++) {
    if (p->ops[i].code != SCHEMA_OP_CUSTOM) continue;
    mod_schema_push_value_of(L, s, p->ops[i].b, p->ops[i].place, values);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, kept, "values");
}

FL_PRIVATE int mod_schema_make(lua_State *L, int is_lenient) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  static const uint8_t drafts[] = {SCHEMA_DRAFT_2020, SCHEMA_DRAFT_2019,       SCHEMA_DRAFT_7,         SCHEMA_DRAFT_6,
                                   SCHEMA_DRAFT_4,    SCHEMA_DRAFT_OPENAPI_31, SCHEMA_DRAFT_OPENAPI_30};
  uint8_t skip[SCHEMA_KEYWORDS];
  struct mod_schema_maker maker;
  struct schema_settings settings;
  struct schema_compiler c;
  struct mod_schema head, *s;
  const char *text;
  size_t n, followers, chosen;
  int values = lua_upvalueindex(MOD_VALUES);
  lua_settop(L, 2);
  compat_need_stack(L, MOD_SCHEMA_UPVALUES + 30);
  memset(&head, 0, sizeof head);
  head.magic = &mod_schema_magic;
  head.state = codec->state;
  head.o = codec->decode;
  head.style = codec->encode.style;
  head.own.max_errors = MOD_SCHEMA_ERRORS;
  if (!lua_isnil(L, 2)) {
    values = mod_read_decode_options(L, 2, &head.o, MOD_OF_SCHEMA);
    mod_schema_read_options(L, 2, &head.own);
  }
  if (head.own.empty > SCHEMA_EMPTY_BOTH) head.style.empty_object = head.own.empty == SCHEMA_EMPTY_OBJECT;
  head.max_steps = head.o.max_steps ? head.o.max_steps : MOD_SCHEMA_STEPS;
  lua_pushvalue(L, 1);
  if (!mod_schema_make_text(L)) return mod_type_error(L, 1, "table, text, view or boolean");
  text = lua_tolstring(L, -1, &n);
  lua_createtable(L, SCHEMA_BLOCK_KEPT, 0);
  lua_createtable(L, SCHEMA_BLOCKS_OF_SOURCE, 4);
  maker.L = L;
  maker.options = 2;
  maker.kept = lua_gettop(L);
  maker.blocks = maker.kept - 1;
  lua_pushvalue(L, -3);
  lua_setfield(L, maker.kept, "text");
  lua_newtable(L);
  lua_rawseti(L, maker.kept, MOD_SCHEMA_POINTERS);
  memset(&settings, 0, sizeof settings);
  settings.memory = mod_schema_keep;
  settings.owner = &maker;
  settings.utf8 = is_lenient ? mod_any_text : codec->state->utf8;
  settings.draft = is_lenient ? SCHEMA_DRAFT_4 : (enum schema_draft)drafts[head.own.draft];
  settings.is_lenient = (uint8_t)is_lenient;
  settings.asks_openapi = !is_lenient;
  settings.max_depth = mod_schema_depth(head.o.max_depth);
  settings.asserts_formats = head.own.asserts_formats;
  settings.asserts_contents = head.own.asserts_contents;
  settings.is_strict = head.own.strict;
  if (!lua_isnil(L, 2)) mod_schema_read_values(&maker, &settings, skip);
  if (!schema_compile(&c, &settings, text, n)) return mod_schema_wrong(L, &c, (int)head.o.safe);
  followers = ((size_t)c.to.property_count + c.to.object_count + c.to.name_count + 1) * sizeof *s->following;
  chosen = mod_schema_chosen_size(&c.to);
  s = (struct mod_schema *)lua_newuserdata(L, sizeof *s + 16 + chosen + c.size + followers);
  *s = head;
  s->chosen = (struct mod_schema_chosen *)(((uintptr_t)(s + 1) + 15) & ~(uintptr_t)15);
  s->program = schema_finish(&c, (char *)s->chosen + chosen);
  if (chosen) memset(s->chosen, 0xff, chosen);
  else s->chosen = NULL;
  s->following = (uint32_t *)(void *)((char *)s->program + c.size);
  memset(s->following, 0, followers);
  mod_schema_set_fuses(s);
  if (settings.custom_count) mod_schema_keep_values(L, s, values, maker.kept);
  mod_schema_push_names(L, s->program);
  lua_pushvalue(L, maker.kept);
  mod_push_callable(L, "fleece.schema", mod_schema_methods, values, 2, (int)head.o.safe);
  lua_setmetatable(L, -2);
  return 1;
}

FL_PRIVATE int mod_schema(lua_State *L) { return mod_schema_make(L, 0); }
