/* SPDX-License-Identifier: MIT */
#include "save.h"
#include "../../encode/face/encode.h"
#include "views.h"
#include "pack.h"

FL_PRIVATE int mod_sync_of(const struct mod_binary *b) {
  static const int syncs[] = {REPLACE_SYNC_FILE, REPLACE_SYNC_ALL, REPLACE_NO_SYNC};
  FL_ASSERT(b->is.sync < sizeof syncs / sizeof *syncs);
  return syncs[b->is.sync];
}

FL_PRIVATE unsigned mod_wait_of(const struct mod_binary *b) { return b->is.wait ? b->is.wait - 1 : MOD_WAIT; }

/* The bytes of a file: pieces that are on the stack. */
struct mod_contents {
  const char *piece[2];
  size_t n[2];
};

static int mod_write_contents(FILE *file, const struct mod_contents *c) {
  int i;
  for (i = 0; i < 2; i++)
    if (c->n[i] > 0 && !file_write(file, c->piece[i], c->n[i])) return 0;
  return 1;
}

/* Writes the file that `s` has the lock of. False: errno tells. */
static int mod_replace_file(struct mod_saving *s, const struct mod_contents *c, int sync) {
  errno = 0;
  return mod_saving_open(s) && mod_write_contents(s->file.file, c) && mod_saving_commit(s, sync);
}

/* Pushes a userdata with a frame for the document `bytes`, with the names of the keys at the index `keys`, or 0. */
static void mod_push_frame(lua_State *L, int keys, const char *bytes, size_t n, struct mod_contents *c) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  const char *names = NULL;
  size_t names_n = 0, frame_n;
  uint8_t *frame;
  if (keys && view_test_keys(L, keys)->keys.count > 0) {
    mod_push_sibling(L, view_keys_save);
    lua_pushvalue(L, keys);
    lua_call(L, 1, 1);
    names = lua_tolstring(L, -1, &names_n);
  }
  frame_n = bin_frame_size(names_n);
  frame = (uint8_t *)lua_newuserdata(L, frame_n);
  memset(frame, 0, frame_n);
  if (names_n) memcpy(frame + BIN_FRAME_HEAD, names, names_n);
  bin_frame_write(codec->state->cpu, frame, names_n, bytes, n, NULL);
  c->piece[0] = (const char *)frame, c->n[0] = frame_n;
  c->piece[1] = bytes, c->n[1] = n;
  if (names) lua_remove(L, -2);
}

/* Pushes pack or encode, the value at 2, and those of the options at 3 that it takes. */
static void mod_push_writer(lua_State *L, lua_CFunction function, enum mod_taker of) {
  mod_push_sibling(L, function);
  lua_pushvalue(L, 2);
  mod_push_options_of(L, 3, of);
}

/* (path, bytes, options): checks the bytes of a document, and returns them. */
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
  return mod_raise(L, ((const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC)))->decode.safe);
}

/* The second half of save and write_file: the contents are on the stack. `hint`: where the file cannot be replaced. */
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
  if (!lua_isnil(L, 3)) mod_read_pack_options(L, 3, &pack, MOD_OF_SAVE); /* its errors are those of arguments */
  b.is.in_place = 0; /* a codec may have it: documents are mapped, so their bytes never change */
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

FL_PRIVATE int mod_write_file(lua_State *L) {
  const char *path = mod_check_file_name(L);
  struct mod_options own = ((const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC)))->encode;
  struct mod_binary b;
  struct mod_contents c;
  int results;
  mod_check_any(L, 2);
  lua_settop(L, 3);
  mod_read_binary_options(L, 3, &b, MOD_OF_WRITE_FILE);
  if (!lua_isnil(L, 3)) mod_read_options(L, 3, &own, MOD_OF_WRITE_FILE); /* its errors are those of arguments */
  mod_push_writer(L, mod_encode, MOD_OF_ENCODE);
  results = mod_call_for_file(L, 2, "write", path);
  if (results <= 0) return mod_file_results(L, results);
  c.piece[0] = lua_tolstring(L, -1, &c.n[0]);
  c.n[1] = 0;
  return mod_write_to(L, path, &c, &b, b.is.in_place ? NULL : " (in_place = true writes the file itself)");
}

/* ------------------------------------------------------------------------------------- compact */

/* Packs the document at the index, with its own keys, and pushes the bytes. *keys: the index of these keys, or 0.
** False: the results of an error are on top. */
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
  lua_call(L, 2, 2);
  if (lua_isnil(L, -2)) return 0;
  lua_pop(L, 1);
  return 1;
}

/* The part of compact that may raise. It runs protected, while the lock is taken: (path, options) -> document, bytes
** and frame of the new file; or the results of an error. */
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
  if (!mod_pack_document(L, doc, &b, &keys)) return 2;
  bytes = lua_tolstring(L, -1, &n);
  lua_pushvalue(L, doc);
  lua_insert(L, -2);
  mod_push_frame(L, keys, bytes, n, &c);
  return 3;
}

static uint64_t mod_size_of_file(const struct mod_doc *d) {
  return d->map ? d->map_bytes : (uint64_t)(d->doc.end - d->doc.begin);
}

/* Writes what mod_compact_read has returned, which is on top. As mod_replace_file. */
static int mod_compact_write(lua_State *L, struct mod_saving *s, const struct mod_binary *b, uint64_t *now,
                             uint64_t *before) {
  struct mod_doc *d = view_test_doc(L, -3);
  struct mod_contents c;
  c.piece[0] = (const char *)lua_touserdata(L, -1);
  c.n[0] = (size_t)lua_rawlen(L, -1);
  c.piece[1] = lua_tolstring(L, -2, &c.n[1]);
  *before = mod_size_of_file(d);
  *now = c.n[0] + c.n[1];
  view_free_bytes(d); /* Windows replaces no file that is mapped */
  return mod_replace_file(s, &c, mod_sync_of(b));
}

FL_PRIVATE int mod_compact(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  const char *path = mod_check_file_name(L);
  struct mod_binary b;
  struct mod_saving *s;
  uint64_t now, before;
  int fine, top;
  lua_settop(L, 2);
  mod_read_binary_options(L, 2, &b, MOD_OF_COMPACT);
  s = mod_push_saving(L);
  top = lua_gettop(L);
  mod_push_sibling(L, mod_compact_read);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  errno = 0;
  fine = mod_saving_lock(s, path, mod_wait_of(&b));
  if (fine && !s->file.exists) fine = 0, errno = s->file.temporary[0] ? ENOENT : EINVAL; /* EINVAL: a device */
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
