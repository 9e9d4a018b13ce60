/* SPDX-License-Identifier: MIT
** document.c -- lua-rapidjson's Document: a JSON value that is read and changed by JSON Pointers; its SchemaDocument
** and SchemaValidator.
** Must hold: a tree's block is a userdata that the document's environment or the stack keeps alive. Any allocation
** may run a finalizer that changes the document, so its tree is read again after each one. A SchemaDocument and a
** SchemaValidator keep a schema (schema/face/schema.h), which checks the text of a document. */
#include "../../lua/state.h"
#include "../../module/library.h"
#include "tree/tree.h"
#include "rapidjson.h"
#if PART_HAS_schema
#include "../../schema/face/schema.h"
#endif

FL_IDENTITY rapidjson_document_key = 0; /* keys of the registry */
#if PART_HAS_schema
FL_IDENTITY rapidjson_schema_key = 0, rapidjson_validator_key = 0;
#endif

struct rapidjson_document {
  struct tree tree;
  size_t settled;
};

/* A tree that has grown to more than twice `settled` bytes plus this slack is rebuilt, which drops replaced values. */
enum { RAPIDJSON_SLACK = 64 * 1024 };

static struct tree_value *rapidjson_root(const struct rapidjson_document *doc) {
  return (struct tree_value *)(void *)doc->tree.begin;
}

/* ------------------------------------------------------------------------------------- memory */

struct rapidjson_memory {
  lua_State *L;
  int slot; /* of the first block; the others follow it */
};

/* tree_grow of a reader. */
static void *rapidjson_grow(void *owner, int which, const void *block, size_t used, size_t room) {
  const struct rapidjson_memory *m = (const struct rapidjson_memory *)owner;
  void *to = lua_newuserdata(m->L, room);
  if (used) memcpy(to, block, used);
  lua_replace(m->L, m->slot + which);
  return to;
}

static char *rapidjson_scratch(void *owner, size_t n) {
  return (char *)rapidjson_grow(owner, TREE_SCRATCH, NULL, 0, n);
}

/* Pops the block on top and makes it the block of the document at `index`. */
static void rapidjson_adopt(lua_State *L, int index, struct rapidjson_document *doc, const struct tree *tree) {
  mod_push_env(L, index);
  lua_insert(L, -2);
  lua_rawseti(L, -2, 1); /* item 1 exists, so no memory is needed */
  lua_pop(L, 1);
  doc->tree = *tree;
}

/* Pushes the document's block, which keeps it alive. */
static void rapidjson_hold(lua_State *L, int index) {
  mod_push_env(L, index);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
}

/* Pushes a block with the value null. */
static void rapidjson_push_null(lua_State *L, struct tree *tree) {
  tree->begin = (char *)lua_newuserdata(L, TREE_FIRST_ROOM);
  tree->room = TREE_FIRST_ROOM;
  tree->used = TREE_VALUE;
  memset(tree->begin, 0, TREE_VALUE);
}

/* Pushes a new document with the value null. */
static struct rapidjson_document *rapidjson_push_document(lua_State *L) {
  struct rapidjson_document *doc;
  struct tree tree;
  compat_need_stack(L, 12);
  doc = (struct rapidjson_document *)lua_newuserdata(L, sizeof *doc);
  memset(doc, 0, sizeof *doc);
  lua_createtable(L, 1, 0);
  rapidjson_push_null(L, &tree);
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, 1);
  lua_insert(L, -2);
  mod_set_env(L, -3);
  doc->tree = tree;
  doc->settled = tree.used;
  lua_pop(L, 1);
  compat_registry_get(L, &rapidjson_document_key);
  lua_setmetatable(L, -2);
  return doc;
}

/* Returns the object at `index`, which must have the metatable at `key`; `name` is for the error. */
static void *rapidjson_check(lua_State *L, int index, const void *key, const char *name) {
  void *p = lua_touserdata(L, index);
  int is_one = 0;
  if (p && lua_getmetatable(L, index)) {
    compat_registry_get(L, key);
    is_one = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
  }
  if (!is_one) luaL_argerror(L, index, lua_pushfstring(L, "%s expected, got %s", name, luaL_typename(L, index)));
  return p;
}

static struct rapidjson_document *rapidjson_check_document(lua_State *L, int index) {
  return (struct rapidjson_document *)rapidjson_check(L, index, &rapidjson_document_key, "rapidjson.Document");
}

/* Reads d's text into a tree. Returns whether it pushed the tree's block. */
static int rapidjson_scan_tree(struct mod_decode *d, struct tree *tree) {
  lua_State *L = d->L;
  const int top = lua_gettop(L);
  struct rapidjson_memory memory;
  struct tree_reader k;
  const char *p;
  compat_need_stack(L, 12);
  lua_settop(L, top + 3);
  memory.L = L;
  memory.slot = top + 1;
  memset(&k.scan, 0, sizeof k.scan);
  mod_begin_scan(d, &k.scan);
  k.scan.utf8 = mod_any_text;
  k.scan.bad_text = d->o.bad_text;
  k.scan.max_depth = d->o.max_depth;
  k.scan.grow = rapidjson_scratch;
  k.scan.owner = &memory;
  (void)tree_begin(&k, rapidjson_grow);
  p = json_read_space(&k.scan, d->begin);
  p = tree_scan(&k, &k.scan, p);
  if (!p || !tree_finish(&k) || json_read_space(&k.scan, p) != d->end) {
    lua_settop(L, top);
    return 0;
  }
  lua_settop(L, top + 1);
  *tree = k.tree;
  return 1;
}

/* Reads d's text into the document at `index`, which does not change if the text is invalid. Pushes true, or nil and
** the message. */
static int rapidjson_parse_into(struct mod_decode *d, int index, struct rapidjson_document *doc, const char *origin) {
  lua_State *L = d->L;
  struct tree tree;
  if (!rapidjson_scan_tree(d, &tree)) return rapidjson_return_fault_(d, origin, "%s (at Offset %s)");
  rapidjson_adopt(L, index, doc, &tree);
  doc->settled = tree.used;
  lua_pushboolean(L, 1);
  return 1;
}

/* Sets the text at `index` without its byte order mark. Returns its first byte. */
static const char *rapidjson_set_text(struct mod_decode *d, int index) {
  const char *origin;
  mod_set_text(d, index);
  origin = d->begin;
  if (d->end - d->begin >= 3 && memcmp(d->begin, "\xef\xbb\xbf", 3) == 0) d->begin += 3;
  return origin;
}

/* document:parse(text) -> true; or nil, message */
static int rapidjson_parse(lua_State *L) {
  struct rapidjson_document *doc = rapidjson_check_document(L, 1);
  struct mod_decode d;
  const char *origin;
  rapidjson_begin_decode(&d, L);
  origin = rapidjson_set_text(&d, 2);
  return rapidjson_parse_into(&d, 1, doc, origin);
}

/* document:parseFile(path) -> true; or nil, message */
static int rapidjson_parse_file(lua_State *L) {
  struct rapidjson_document *doc = rapidjson_check_document(L, 1);
  const char *path = luaL_checkstring(L, 2), *origin;
  struct mod_decode d;
  int there;
  rapidjson_begin_decode(&d, L);
  origin = rapidjson_read_file(&d, path, &there);
  return origin ? rapidjson_parse_into(&d, 1, doc, origin) : 2;
}

/* Encodes the Lua value at `value`, reads the text into a tree, and pushes the tree's block. */
static void rapidjson_push_tree(lua_State *L, int value, struct tree *tree) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_call call;
  struct mod_decode d;
  rapidjson_begin_decode(&d, L);
  rapidjson_begin(&call, L, lua_gettop(L) + 1);
  call.options = &codec->json;
  call.value = value;
  mod_run(&call);
  mod_set_text(&d, lua_gettop(L));
  if (rapidjson_scan_tree(&d, tree)) return;
  (void)rapidjson_return_fault_(&d, d.begin, "%s");
  mod_raise(L, 0);
}

/* ------------------------------------------------------------------------------------- text */

/* Pushes the text of a value. Its document's block must be on the stack. */
static void rapidjson_push_text(lua_State *L, const struct mod_options *o, const struct tree_value *v) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_state *m = codec->state;
  struct encode_state *c = mod_encode_state_for_call(L, m);
  struct mod_call call;
  char *end = NULL;
  memset(&call, 0, sizeof call);
  call.L = L;
  call.state = m;
  call.options = o;
  if (mod_make_ready(&call, c)) {
    c->out.style = &o->style;
    c->out.error = FL_ERROR_NONE;
    end = tree_write(&c->out, c->out.buffer.begin, v);
  }
  if (!end) {
    mod_free_encode_state(c);
    luaL_error(L, "not enough memory");
    return;
  }
  (void)mod_finish(&call, c, end);
}

/* Pushes the text of the document at `index`. `options`: index of its options, or 0. */
static void rapidjson_push_document_text(lua_State *L, int index, int options) {
  const struct rapidjson_document *doc = (const struct rapidjson_document *)lua_touserdata(L, index);
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_options own = codec->json;
  compat_need_stack(L, 12);
  if (options && !lua_isnone(L, options)) {
    luaL_checktype(L, options, LUA_TTABLE);
    if (rapidjson_flag(L, options, "pretty")) rapidjson_indent(&own);
  }
  mod_settle_options(&own);
  rapidjson_hold(L, index);
  rapidjson_push_text(L, &own, rapidjson_root(doc));
}

/* document:stringify([options]) -> text */
static int rapidjson_stringify(lua_State *L) {
  (void)rapidjson_check_document(L, 1);
  rapidjson_push_document_text(L, 1, 2);
  return 1;
}

/* document:save(path [, options]) */
static int rapidjson_save(lua_State *L) {
  const char *path;
  (void)rapidjson_check_document(L, 1);
  path = luaL_checkstring(L, 2);
  rapidjson_push_document_text(L, 1, 3);
  return rapidjson_write_file(L, path);
}

/* ------------------------------------------------------------------------------------- get, set */

/* Reads the JSON Pointer at `index`. Pushes a userdata with its tokens. */
static const struct json_token *rapidjson_pointer(lua_State *L, int index, size_t *count) {
  struct json_token *tokens;
  size_t n, most;
  const char *s = luaL_checklstring(L, index, &n);
  compat_need_stack(L, 12);
  if (n > JSON_POINTER_LONGEST) luaL_argerror(L, index, "JSON Pointer too long");
  most = json_pointer_tokens(s, n);
  tokens = (struct json_token *)lua_newuserdata(L, most * sizeof *tokens + n + 1);
  if (!json_read_pointer(s, n, tokens, (char *)(tokens + most), count))
    luaL_argerror(L, index, "JSON Pointer expected");
  return tokens;
}

/* Pushes a value as a Lua value; containers are decoded from their text. Its document's block must be on the stack. */
static void rapidjson_push_value(lua_State *L, const struct tree_value *v) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_decode d;
  struct json_scan scan;
  switch (tree_type(v)) {
  case TREE_NULL: lua_pushlightuserdata(L, NULL); return;
  case TREE_FALSE:
  case TREE_TRUE: lua_pushboolean(L, tree_type(v) == TREE_TRUE); return;
  case TREE_UNSIGNED: lua_pushnumber(L, (lua_Number)v->as.u); return;
  case TREE_DOUBLE: lua_pushnumber(L, v->as.d); return;
  case TREE_STRING: lua_pushlstring(L, tree_bytes(v), tree_length(v)); return;
  case TREE_INTEGER: compat_push_integer(L, v->as.i); return;
  default: break;
  }
  rapidjson_begin_decode(&d, L);
  rapidjson_push_text(L, &codec->json, v);
  mod_set_text(&d, lua_gettop(L));
  if (!mod_scan_whole(&d, &scan)) luaL_error(L, "not enough memory");
}

/* document:get(pointer [, default]) -> value */
static int rapidjson_get(lua_State *L) {
  struct rapidjson_document *doc = rapidjson_check_document(L, 1);
  const struct json_token *tokens;
  const struct tree_value *v;
  size_t count;
  luaL_checkstring(L, 2); /* this check's error says "no value" if the argument is missing */
  lua_settop(L, 3);
  tokens = rapidjson_pointer(L, 2, &count);
  rapidjson_hold(L, 1);
  v = tree_find(rapidjson_root(doc), tokens, count);
  if (v) rapidjson_push_value(L, v);
  else lua_pushvalue(L, 3);
  return 1;
}

/* Rebuilds the tree if replaced values may take more than half of it. */
static void rapidjson_settle(lua_State *L, struct rapidjson_document *doc) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_decode d;
  struct tree tree, before = doc->tree;
  if (doc->tree.used / 2 <= doc->settled + RAPIDJSON_SLACK / 2) return;
  rapidjson_hold(L, 1);
  rapidjson_begin_decode(&d, L);
  rapidjson_push_text(L, &codec->json, rapidjson_root(doc));
  mod_set_text(&d, lua_gettop(L));
  if (!rapidjson_scan_tree(&d, &tree)) luaL_error(L, "not enough memory");
  if (memcmp(&before, &doc->tree, sizeof before) != 0) return;
  rapidjson_adopt(L, 1, doc, &tree);
  doc->settled = tree.used;
}

/* Makes room in the document for the values that the pointer creates and `more` bytes. */
static void rapidjson_make_room(lua_State *L, struct rapidjson_document *doc, const struct json_token *tokens,
                                size_t count, size_t more) {
  for (;;) {
    struct tree tree = doc->tree;
    size_t need = tree_create_room(rapidjson_root(doc), tokens, count), room;
    if (need > SIZE_MAX / 8) luaL_argerror(L, 2, "the array would be too long");
    need += more;
    if (need <= tree.room - tree.used) return;
    room = tree.used + need > 2 * tree.room ? tree.used + need : 2 * tree.room;
    tree.begin = (char *)lua_newuserdata(L, room);
    if (doc->tree.used != tree.used || doc->tree.room != tree.room) { /* a finalizer changed it */
      lua_pop(L, 1);
      continue;
    }
    memcpy(tree.begin, doc->tree.begin, tree.used);
    tree.room = room;
    rapidjson_adopt(L, 1, doc, &tree);
  }
}

/* document:set(pointer, value) */
static int rapidjson_set(lua_State *L) {
  struct rapidjson_document *doc = rapidjson_check_document(L, 1);
  const struct json_token *tokens;
  struct tree tree;
  size_t count;
  luaL_checkstring(L, 2); /* if both arguments are invalid, the error names the first */
  if (lua_isnone(L, 3)) return luaL_error(L, "value type no value is not a valid json value");
  lua_settop(L, 3);
  tokens = rapidjson_pointer(L, 2, &count);
  rapidjson_push_tree(L, 3, &tree);
  rapidjson_settle(L, doc);
  rapidjson_make_room(L, doc, tokens, count, tree.used);
  {
    struct tree_value *to = tree_create(&doc->tree, tokens, count);
    char *copy = tree_take(&doc->tree, tree.used);
    memcpy(copy, tree.begin, tree.used);
    tree_move(to, (const struct tree_value *)(void *)copy);
  }
  return 0;
}

static int rapidjson_document_tostring(lua_State *L) {
  lua_pushfstring(L, "rapidjson.Document (%p)", (void *)rapidjson_check_document(L, 1));
  return 1;
}

FL_PRIVATE int rapidjson_document(lua_State *L) {
  const int type = lua_type(L, 1);
  struct rapidjson_document *doc;
  struct mod_decode d;
  struct tree tree;
  if (type != LUA_TNONE && type != LUA_TSTRING && type != LUA_TTABLE)
    return luaL_argerror(L, 1, lua_pushfstring(L, "none, string or table expected, got %s", luaL_typename(L, 1)));
  if (type == LUA_TNONE) lua_pushnil(L);
  lua_settop(L, 1);
  doc = rapidjson_push_document(L);
  if (type == LUA_TSTRING) {
    rapidjson_begin_decode(&d, L);
    (void)rapidjson_set_text(&d, 1);
    (void)rapidjson_parse_into(&d, 2, doc, d.begin);
  } else if (type == LUA_TTABLE) {
    rapidjson_push_tree(L, 1, &tree);
    rapidjson_adopt(L, 2, doc, &tree);
    doc->settled = tree.used;
  }
  lua_settop(L, 2);
  return 1;
}

/* ------------------------------------------------------------------------------------- schemas */

#if PART_HAS_schema
/* Pushes an object of a class that keeps the value on top. */
static int rapidjson_push_keeper(lua_State *L, const void *key) {
  const int kept = lua_gettop(L);
  compat_need_stack(L, 8);
  lua_newuserdata(L, 1);
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, kept);
  lua_rawseti(L, -2, 1);
  mod_set_env(L, -2);
  compat_registry_get(L, key);
  lua_setmetatable(L, -2);
  return 1;
}

FL_PRIVATE int rapidjson_schema(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct tree tree;
  struct mod_decode d;
  const char *origin;
  tree.begin = NULL;
  switch (lua_type(L, 1)) {
  case LUA_TNONE: lua_pushliteral(L, "null"); break;
  case LUA_TTABLE: rapidjson_push_tree(L, 1, &tree); break;
  case LUA_TSTRING:
    rapidjson_begin_decode(&d, L);
    origin = rapidjson_set_text(&d, 1);
    if (rapidjson_scan_tree(&d, &tree)) break;
    (void)rapidjson_return_fault_(&d, origin, "%s (at Offset %s)");
    return luaL_error(L, "fleece.rapidjson: the schema is not JSON: %s", lua_tostring(L, -1));
  default:
    (void)rapidjson_check(L, 1, &rapidjson_document_key, "none, string, table or rapidjson.Document");
    rapidjson_push_document_text(L, 1, 0);
  }
  if (tree.begin) rapidjson_push_text(L, &codec->json, (const struct tree_value *)(const void *)tree.begin);
  lua_insert(L, 1);
  lua_settop(L, 1);
  (void)mod_schema_make(L, 1);
  return rapidjson_push_keeper(L, &rapidjson_schema_key);
}

FL_PRIVATE int rapidjson_validator(lua_State *L) {
  (void)rapidjson_check(L, 1, &rapidjson_schema_key, "rapidjson.SchemaDocument");
  rapidjson_hold(L, 1);
  return rapidjson_push_keeper(L, &rapidjson_validator_key);
}

/* Adds the JSON Pointer of a failure as a URI fragment. */
static void rapidjson_add_pointer(luaL_Buffer *b, const char *s, size_t n) {
  static const char hex[] = "0123456789ABCDEF";
  luaL_addchar(b, '#');
  for (; n > 0; s++, n--) {
    const unsigned char c = (unsigned char)*s;
    if (c == '/' || json_is_unreserved(*s)) {
      luaL_addchar(b, *s);
      continue;
    }
    luaL_addchar(b, '%');
    luaL_addchar(b, hex[c >> 4]);
    luaL_addchar(b, hex[c & 15]);
  }
}

/* validator:validate(document) -> true; or false, message */
static int rapidjson_validate(lua_State *L) {
  const char *keyword, *pointer;
  luaL_Buffer b;
  size_t n;
  (void)rapidjson_check(L, 1, &rapidjson_validator_key, "rapidjson.SchemaValidator");
  (void)rapidjson_check_document(L, 2);
  lua_settop(L, 2);
  rapidjson_hold(L, 1);
  rapidjson_push_document_text(L, 2, 0);
  lua_replace(L, 4);
  lua_settop(L, 4);
  lua_call(L, 1, 3);
  if (lua_toboolean(L, 3)) return lua_settop(L, 3), 1;
  lua_getfield(L, 5, "keyword");
  lua_getfield(L, 5, "instance");
  keyword = lua_tostring(L, 6);
  pointer = lua_tolstring(L, 7, &n);
  lua_pushboolean(L, 0);
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "invalid \"");
  luaL_addstring(&b, strcmp(keyword, "additionalItems") == 0 ? "items" : keyword);
  luaL_addstring(&b, "\" in document at pointer \"");
  rapidjson_add_pointer(&b, pointer, n);
  luaL_addchar(&b, '"');
  luaL_pushresult(&b);
  return 2;
}
#else
FL_PRIVATE int rapidjson_schema(lua_State *L) { return luaL_error(L, "built without schema (FLEECE_PARTS)"); }

FL_PRIVATE int rapidjson_validator(lua_State *L) { return rapidjson_schema(L); }
#endif

/* ------------------------------------------------------------------------------------- the classes */

/* Creates the metatable of a class, and registers it at `key`; only the first call does. */
static void rapidjson_open_class(lua_State *L, const void *key, const char *name, const luaL_Reg *methods, int base) {
  compat_registry_get(L, key);
  if (lua_isnil(L, -1)) {
    mod_push_library(L, base, methods);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    mod_set_string(L, "__name", name);
    compat_registry_set(L, key);
  }
  lua_pop(L, 1);
}

FL_PRIVATE void rapidjson_open_classes(lua_State *L, int base) {
#if PART_HAS_schema
  static const luaL_Reg none[] = {{NULL, NULL}};
  static const luaL_Reg validator[] = {{"validate", rapidjson_validate}, {NULL, NULL}};
#endif
  static const luaL_Reg document[] = {
      {"parse", rapidjson_parse},
      {"parseFile", rapidjson_parse_file},
      {"get", rapidjson_get},
      {"set", rapidjson_set},
      {"stringify", rapidjson_stringify},
      {"save", rapidjson_save},
      {"__tostring", rapidjson_document_tostring},
      {NULL, NULL},
  };
  rapidjson_open_class(L, &rapidjson_document_key, "rapidjson.Document", document, base);
#if PART_HAS_schema
  rapidjson_open_class(L, &rapidjson_schema_key, "rapidjson.SchemaDocument", none, base);
  rapidjson_open_class(L, &rapidjson_validator_key, "rapidjson.SchemaValidator", validator, base);
#endif
}
