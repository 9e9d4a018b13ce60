/* SPDX-License-Identifier: MIT
** save.c -- save, write_file and compact replace a file completely or not at all; doc:append adds an amendment to the
** document's file.
** Must hold: the lock is taken before the old file is read. After an error the old file is unchanged and no temporary
** one is left. A file is appended to only if it is known to be in the document's state. */
#include "../../encode/face/encode.h"
#include "../../format/face/format.h"
#include "binary.h"
#include "mutable.h"
#include "pack.h"
#include "views.h"

static int mod_sync_of(const struct mod_binary *b) {
  static const int syncs[] = {REPLACE_SYNC_FILE, REPLACE_SYNC_ALL, REPLACE_NO_SYNC};
  FL_ASSERT(b->is.sync < sizeof syncs / sizeof *syncs);
  return syncs[b->is.sync];
}

static unsigned mod_wait_of(const struct mod_binary *b) { return b->is.wait ? b->is.wait - 1 : MOD_WAIT; }

/* The new bytes of a file: pieces that are on the stack. */
struct mod_contents {
  const char *piece[2];
  size_t n[2];
};

static int mod_write_contents(FILE *file, const struct mod_contents *c) {
  for (int i = 0; i < 2; i++)
    if (c->n[i] > 0 && !file_write(file, c->piece[i], c->n[i])) return 0;
  return 1;
}

/* Writes the file locked by `s`. Returns 0 with errno set if it failed. */
static int mod_replace_file(struct mod_saving *s, const struct mod_contents *c, int sync) {
  errno = 0;
  return mod_saving_open(s) && mod_write_contents(s->file.file, c) && mod_saving_commit(s, sync);
}

/* Pushes a userdata with a frame for the document `bytes`, with the names of the keys at index `keys`, if not 0. */
static void mod_push_frame(lua_State *L, int keys, const char *bytes, size_t n, struct mod_contents *c) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  const char *names = NULL;
  size_t names_n = 0, frame_n;
  if (keys && view_test_keys(L, keys)->keys.count > 0) {
    mod_push_sibling(L, view_keys_save);
    lua_pushvalue(L, keys);
    lua_call(L, 1, 1);
    names = lua_tolstring(L, -1, &names_n);
  }
  frame_n = bin_frame_size(names_n);
  uint8_t *frame = (uint8_t *)lua_newuserdata(L, frame_n);
  memset(frame, 0, frame_n);
  if (names_n) memcpy(frame + BIN_FRAME_HEAD, names, names_n);
  bin_frame_write(codec->state->cpu, frame, names_n, bytes, n, NULL);
  c->piece[0] = (const char *)frame, c->n[0] = frame_n;
  c->piece[1] = bytes, c->n[1] = n;
  if (names) lua_remove(L, -2);
}

/* Pushes pack or encode with the value at 2 and the options at 3 that it knows. */
static void mod_push_writer(lua_State *L, lua_CFunction function, enum mod_taker of) {
  mod_push_sibling(L, function);
  lua_pushvalue(L, 2);
  mod_push_options_of(L, 3, of);
}

/* (path, bytes, options) -> bytes: checks the bytes of a document. */
static int mod_check_given_bytes(lua_State *L) {
  struct mod_binary b;
  const struct bin_doc *doc;
  struct bin_doc room;
  bin_value value;
  int results;
  mod_read_binary_options(L, 3, &b, MOD_OF_SAVE);
  if (!mod_binary_argument(L, 2, &b, &room, &doc, &value, &results)) return results;
  lua_pushvalue(L, 2);
  if (room.end - room.begin >= 2 && (room.end - room.begin) % 2 == 0) return 1;
  lua_pushstring(L, bin_message(BIN_ERROR_SIZE));
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  return mod_raise_kind(L, codec->decode.safe, bin_kind(BIN_ERROR_SIZE));
}

/* Writes the contents, which are on the stack: the second half of save and write_file. `hint` goes into the message if
** the file cannot be replaced. */
static int mod_write_to(lua_State *L, const char *path, const struct mod_contents *c, const struct mod_binary *b,
                        const char *hint) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_saving *s = mod_push_saving(L);
  const int locked = b->is.in_place ? mod_saving_lock_in_place(s, path, mod_wait_of(b))
                                    : mod_saving_lock(s, path, mod_wait_of(b));
  const int fine = locked && mod_replace_file(s, c, mod_sync_of(b));
  mod_saving_end(s);
  s->hint = hint;
  if (!fine) return mod_saving_error(L, s, "write", path, codec->decode.safe);
  lua_pushboolean(L, 1);
  return 1;
}

FL_PRIVATE int mod_save(lua_State *L) {
  const char *path = mod_check_file_name(L), *bytes;
  struct mod_pack pack;
  struct mod_binary b;
  struct mod_contents c;
  size_t n;
  int results;
  mod_check_any(L, 2);
  lua_settop(L, 3);
  mod_read_binary_options(L, 3, &b, MOD_OF_SAVE);
  pack.call.own = ((const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC)))->encode;
  if (!lua_isnil(L, 3)) mod_read_pack_options(L, 3, &pack, MOD_OF_SAVE); /* its errors name the argument */
  b.is.in_place = 0; /* may be set by a codec; but documents are mapped, so a file's bytes must never change */
  if (lua_type(L, 2) == LUA_TSTRING) {
    mod_push_sibling(L, mod_check_given_bytes);
    for (results = 1; results <= 3; results++) lua_pushvalue(L, results);
    results = mod_call_for_file(L, 3, "write", path);
  } else {
    mod_push_writer(L, mod_pack, MOD_OF_PACK);
    results = mod_call_for_file(L, 2, "write", path);
  }
  if (results <= 0) return mod_file_results(L, results);
  bytes = lua_tolstring(L, -1, &n);
  mod_push_frame(L, b.keys, bytes, n, &c);
  return mod_write_to(L, path, &c, &b, NULL);
}

/* (path, text, options) -> text: tests that the text is JSON as the options allow it. */
static int mod_check_given_text(lua_State *L) {
  mod_push_sibling(L, mod_format_stream);
  lua_pushvalue(L, 2);
  lua_pushnil(L);
  mod_push_options_of(L, 3, MOD_OF_FORMAT_STREAM);
  lua_call(L, 3, 3);
  if (lua_isnil(L, -3)) return 3;
  lua_pushvalue(L, 2);
  return 1;
}

/* Returns whether write_file is given a text to write as it is. */
static int mod_writes_text(lua_State *L, const struct mod_codec *codec) {
  struct json_to_lua_options o = codec->decode;
  const unsigned grammar = o.grammar;
  if (!lua_isnil(L, 3)) (void)mod_read_decode_options(L, 3, &o, MOD_OF_WRITE_FILE);
  if (!o.raw && o.grammar != grammar)
    mod_argument_error(L, 3, "options 'comments', 'trailing_commas', 'json5' and 'bom' need 'raw'");
  if (o.raw) mod_check_type(L, 2, LUA_TSTRING);
  return o.raw;
}

FL_PRIVATE int mod_write_file(lua_State *L) {
  const char *path = mod_check_file_name(L);
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_options own = codec->encode;
  struct mod_binary b;
  struct mod_contents c;
  int results;
  mod_check_any(L, 2);
  lua_settop(L, 3);
  mod_read_binary_options(L, 3, &b, MOD_OF_WRITE_FILE);
  if (!lua_isnil(L, 3)) mod_read_options(L, 3, &own, MOD_OF_WRITE_FILE); /* its errors name the argument */
  if (mod_writes_text(L, codec)) {
    mod_push_sibling(L, mod_check_given_text);
    for (int i = 1; i <= 3; i++) lua_pushvalue(L, i);
    results = mod_call_for_file(L, 3, "write", path);
  } else {
    mod_push_writer(L, mod_encode, MOD_OF_ENCODE);
    results = mod_call_for_file(L, 2, "write", path);
  }
  if (results <= 0) return mod_file_results(L, results);
  c.piece[0] = lua_tolstring(L, -1, &c.n[0]);
  c.n[1] = 0;
  return mod_write_to(L, path, &c, &b, b.is.in_place ? NULL : " (in_place = true writes the file itself)");
}

/* Packs the document at index `doc` with its own keys, and pushes the bytes. Sets *keys to the index of the keys, or to
** 0. Returns 0 if it pushed the results of an error. */
static int mod_pack_document(lua_State *L, int doc, const struct mod_binary *b, int *keys) {
  static const char *const modes[] = {"compact", "compatible", "fast"};
  view_push_doc_env(L, doc);
  view_get_env(L, -1, VIEW_ENV_KEYS);
  *keys = lua_gettop(L);
  if (!view_test_keys(L, *keys)) *keys = 0;
  lua_createtable(L, 0, 3);
  lua_pushstring(L, modes[mod_mode_of(&b->is)]);
  lua_setfield(L, -2, "mode");
  lua_pushinteger(L, MOD_DEPTH_LIMIT);
  lua_setfield(L, -2, "max_depth");
  if (*keys) {
    lua_pushvalue(L, *keys);
    lua_setfield(L, -2, "keys");
  }
  mod_push_sibling(L, mod_pack);
  lua_insert(L, -2);
  lua_pushvalue(L, doc);
  lua_insert(L, -2);
  lua_call(L, 2, 3);
  if (lua_isnil(L, -3)) return 0;
  lua_pop(L, 2);
  return 1;
}

/* The part of compact that may raise; runs protected while the lock is held. (path, options) -> document, bytes and
** frame of the new file, or the results of an error. */
static int mod_compact_read(lua_State *L) {
  const char *path = mod_check_file_name(L), *bytes;
  struct mod_binary b;
  struct mod_contents c;
  size_t n;
  int results, keys, doc;
  mod_read_binary_options(L, 2, &b, MOD_OF_COMPACT);
  results = mod_open_named(L, path, &b);
  if (lua_isnil(L, -results)) return results;
  doc = lua_gettop(L) - results + 1;
  if (!mod_pack_document(L, doc, &b, &keys)) return 3;
  bytes = lua_tolstring(L, -1, &n);
  lua_pushvalue(L, doc);
  lua_insert(L, -2);
  mod_push_frame(L, keys, bytes, n, &c);
  return 3;
}

static uint64_t mod_size_of_file(const struct mod_doc *d) {
  return d->map ? d->map_bytes : (uint64_t)(d->doc.end - d->doc.begin);
}

/* Writes the results of mod_compact_read, which are on top. Returns 0 with errno set if it failed. */
static int mod_compact_write(lua_State *L, struct mod_saving *s, const struct mod_binary *b, uint64_t *now,
                             uint64_t *before) {
  struct mod_doc *d = view_test_doc(L, -3);
  struct mod_contents c;
  c.piece[0] = (const char *)lua_touserdata(L, -1);
  c.n[0] = (size_t)lua_rawlen(L, -1);
  c.piece[1] = lua_tolstring(L, -2, &c.n[1]);
  *before = mod_size_of_file(d);
  *now = c.n[0] + c.n[1];
  view_free_bytes(d); /* Windows cannot replace a mapped file */
  return mod_replace_file(s, &c, mod_sync_of(b));
}

FL_PRIVATE int mod_compact(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  const char *path = mod_check_file_name(L);
  struct mod_binary b;
  uint64_t now, before;
  lua_settop(L, 2);
  mod_read_binary_options(L, 2, &b, MOD_OF_COMPACT);
  struct mod_saving *s = mod_push_saving(L);
  const int top = lua_gettop(L);
  mod_push_sibling(L, mod_compact_read);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  errno = 0;
  int fine = mod_saving_lock(s, path, mod_wait_of(&b));
  if (fine && !s->file.exists) fine = 0, errno = s->file.temporary[0] ? ENOENT : EINVAL; /* EINVAL for a device */
  if (fine) {
    const int raised = lua_pcall(L, 2, LUA_MULTRET, 0);
    if (raised || lua_isnil(L, top + 1)) {
      mod_saving_end(s);
      return mod_file_results(L, mod_name_file(L, top, raised, "compact", path));
    }
    fine = mod_compact_write(L, s, &b, &now, &before);
  }
  mod_saving_end(s);
  if (!fine) return mod_saving_error(L, s, "compact", path, codec->decode.safe);
  lua_pushinteger(L, (lua_Integer)now);
  lua_pushinteger(L, (lua_Integer)before);
  return 2;
}

/* Stack indices. */
enum { MOD_APPEND_DOC = 1, MOD_APPEND_FN, MOD_APPEND_OPTIONS };

/* An amendment as a part of a file: a frame, which includes the names of the keys if the file lacks some, and bytes. */
struct mod_addition {
  uint8_t *frame;
  size_t frame_n, body_n;
  const char *body;
  uint64_t values; /* of the document with it, or more */
};

/* Pushes the saved state of the document's keys if they have names that the file lacks, else nil. Returns their
** number. */
static unsigned mod_push_new_names(lua_State *L, const struct mod_doc *d, const struct mod_stored *s) {
  const struct bin_keys *keys = d->doc.keys;
  if (!keys || keys->count <= s->names) return lua_pushnil(L), 0;
  mod_push_sibling(L, view_keys_save);
  view_push_doc_env(L, MOD_APPEND_DOC);
  view_get_env(L, -1, VIEW_ENV_KEYS);
  lua_remove(L, -2);
  if (!view_test_keys(L, -1)) luaL_error(L, "the document has the shared keys of its base");
  lua_call(L, 1, 1);
  return keys->count;
}

/* Pushes what is written. The frame stands before the values, whose pointers count across it, so its size must be known
** first. But writing may add names, which the frame lists; then everything is written once more. */
static void mod_push_addition(lua_State *L, int view, const struct mod_stored *s, struct mutable_amendment *a,
                              struct mod_addition *to) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  const struct mod_doc *d = view_test_doc(L, MOD_APPEND_DOC);
  const int top = lua_gettop(L);
  const char *names;
  size_t names_n, n;
  unsigned count;
  do {
    lua_settop(L, top);
    count = mod_push_new_names(L, d, s);
    names_n = 0;
    names = lua_tolstring(L, -1, &names_n);
    a->front = bin_frame_size(names_n);
    (void)mutable_push_amendment(L, view, a);
  } while (d->doc.keys && d->doc.keys->count > (count > s->names ? count : s->names));
  to->body = lua_tolstring(L, -1, &n);
  FL_ASSERT(n > a->front);
  to->frame_n = a->front;
  to->values = a->values;
  to->body += to->frame_n;
  to->body_n = n - to->frame_n;
  to->frame = (uint8_t *)lua_newuserdata(L, to->frame_n);
  memset(to->frame, 0, to->frame_n);
  if (names_n) memcpy(to->frame + BIN_FRAME_HEAD, names, names_n);
  bin_frame_write(codec->state->cpu, to->frame, names_n, to->body, to->body_n, &s->at.frames);
}

/* Writes the addition. Returns NULL if successful, with the file still open, else a message. */
static const char *mod_add_to_file(struct mod_saving *saving, FILE **file, const struct mod_stored *s,
                                   const struct mod_addition *a, const struct mod_binary *b) {
  const char *path = (const char *)(s + 1), *wrong;
  errno = 0;
  if (!mod_saving_lock(saving, path, mod_wait_of(b))) return "";
  *file = append_open(saving->file.target);
  if (!*file) return "";
  wrong = append_find_change(*file, &s->at);
  if (wrong) return wrong;
  return append_part(*file, &s->at.frames, a->frame, a->frame_n, a->body, a->body_n, mod_sync_of(b)) ? NULL : "";
}

/* (document, file, mod_stored, mod_addition): opens the state just written. Its bytes are not checked again; what they
** hold is known well enough for the next append, which would have to check them otherwise. */
static int mod_open_appended(lua_State *L) {
  FILE **file = (FILE **)lua_touserdata(L, 2);
  const struct mod_stored *s = (const struct mod_stored *)lua_touserdata(L, 3);
  const struct mod_addition *a = (const struct mod_addition *)lua_touserdata(L, 4);
  struct mod_binary b = {0};
  b.max_depth = MOD_DEPTH;
  b.is.trusted = b.is.unverified = 1;
  b.is.in_memory = (unsigned)s->in_memory & 1u;
  view_push_doc_env(L, MOD_APPEND_DOC);
  view_get_env(L, -1, VIEW_ENV_KEYS);
  if (view_test_keys(L, -1)) b.keys = lua_gettop(L);
  b.scalars = view_test_doc(L, MOD_APPEND_DOC)->scalars;
  view_get_env(L, -2, VIEW_ENV_VALUES);
  if (lua_istable(L, -1)) b.values = lua_gettop(L);
  const int results = mod_open_stream(L, (const char *)(s + 1), file, &b, s->at.frames.end + a->frame_n + a->body_n);
  struct mod_doc *d = (struct mod_doc *)(uintptr_t)view_test_doc(L, -results);
  if (d) d->doc.values = a->values;
  return results;
}

FL_PRIVATE int view_doc_append(lua_State *L) {
  const struct mod_doc *d = view_test_doc(L, MOD_APPEND_DOC);
  struct mutable_amendment a;
  struct mod_addition addition;
  if (!d) return mod_type_error(L, MOD_APPEND_DOC, "document");
  mod_check_type(L, MOD_APPEND_FN, LUA_TFUNCTION);
  lua_settop(L, MOD_APPEND_OPTIONS);
  struct mod_binary b = {0};
  b.is = ((const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC)))->binary;
  mutable_read_options(L, MOD_APPEND_OPTIONS, MOD_OF_APPEND, &a);
  if (!lua_isnil(L, MOD_APPEND_OPTIONS)) mod_read_binary_table_(L, MOD_APPEND_OPTIONS, &b, MOD_OF_APPEND);
  lua_settop(L, MOD_APPEND_FN);
  if (!d->doc.begin) return view_closed_(L);
  view_push_doc_env(L, MOD_APPEND_DOC);
  view_get_env(L, -1, VIEW_ENV_FILE);
  const struct mod_stored *s = (const struct mod_stored *)lua_touserdata(L, -1);
  if (!s) return luaL_error(L, "cannot append: the document was not opened from a file with a frame: see fleece.save");
  if (s->is_damaged) {
    return luaL_error(L,
                      "cannot append to '%s': the part after its last whole state is damaged: see fleece.compact and "
                      "its option 'recover'",
                      (const char *)(s + 1));
  }
  if (!mutable_call(L)->layer->is_changed) return lua_settop(L, MOD_APPEND_DOC), 1;
  mod_push_addition(L, lua_gettop(L), s, &a, &addition);
  FILE **file = mod_push_file(L);
  struct mod_saving *saving = mod_push_saving(L);
  const char *wrong = mod_add_to_file(saving, file, s, &addition, &b);
  if (wrong) mod_close_file(file); /* now, not when collected, because Windows cannot replace an open file */
  mod_saving_end(saving);
  if (wrong && *wrong) return luaL_error(L, "cannot append to '%s': %s", (const char *)(s + 1), wrong);
  if (wrong) return mod_saving_error(L, saving, "append to", (const char *)(s + 1), 0);
  mod_push_sibling(L, mod_open_appended);
  lua_pushvalue(L, MOD_APPEND_DOC);
  lua_pushlightuserdata(L, file);
  lua_pushlightuserdata(L, (void *)(uintptr_t)s);
  lua_pushlightuserdata(L, &addition);
  return mod_file_results(L, mod_call_for_file(L, 4, "open", (const char *)(s + 1)));
}
