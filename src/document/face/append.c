/* SPDX-License-Identifier: MIT */
#include "append.h"
#include "views.h"

/* Stack indices. */
enum { MOD_APPEND_DOC = 1, MOD_APPEND_FN, MOD_APPEND_OPTIONS };

/* The amendment as a part of the file: a frame, whose names are those of the keys if the file has fewer. */
struct mod_addition {
  uint8_t *frame;
  size_t frame_n, body_n;
  const char *body;
};

/* Pushes the saved state of the document's keys if they have names that the file does not have, or nil; and their
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

/* Pushes what is written: the frame stands before the values, whose pointers count across it, so its size must be known
** first; and writing may add names, of which the frame has the list. Then all is written once more. */
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
  to->body += to->frame_n;
  to->body_n = n - to->frame_n;
  to->frame = (uint8_t *)lua_newuserdata(L, to->frame_n);
  memset(to->frame, 0, to->frame_n);
  if (names_n) memcpy(to->frame + BIN_FRAME_HEAD, names, names_n);
  bin_frame_write(codec->state->cpu, to->frame, names_n, to->body, to->body_n, &s->at.frames);
}

/* Writes the addition. NULL: it is in the file, which is still open. */
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

/* (document, file, mod_stored, mod_addition): opens the state that was written. Its bytes were checked as far as those
** of the document before. */
static int mod_open_appended(lua_State *L) {
  FILE **file = (FILE **)lua_touserdata(L, 2);
  const struct mod_stored *s = (const struct mod_stored *)lua_touserdata(L, 3);
  const struct mod_addition *a = (const struct mod_addition *)lua_touserdata(L, 4);
  struct mod_binary b;
  memset(&b, 0, sizeof b);
  b.max_depth = MOD_DEPTH;
  b.is.trusted = b.is.unverified = 1;
  b.is.in_memory = (unsigned)s->in_memory & 1u;
  view_push_doc_env(L, MOD_APPEND_DOC);
  view_get_env(L, -1, VIEW_ENV_KEYS);
  if (view_test_keys(L, -1)) b.keys = lua_gettop(L);
  return mod_open_stream(L, (const char *)(s + 1), file, &b, s->at.frames.end + a->frame_n + a->body_n);
}

FL_PRIVATE int view_doc_append(lua_State *L) {
  const struct mod_doc *d = view_test_doc(L, MOD_APPEND_DOC);
  const struct mod_stored *s;
  struct mod_saving *saving;
  struct mutable_amendment a;
  struct mod_addition addition;
  struct mod_binary b;
  const char *wrong;
  FILE **file;
  if (!d) return mod_type_error(L, MOD_APPEND_DOC, "document");
  mod_check_type(L, MOD_APPEND_FN, LUA_TFUNCTION);
  lua_settop(L, MOD_APPEND_OPTIONS);
  memset(&b, 0, sizeof b);
  b.is = ((const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC)))->binary;
  mutable_read_options(L, MOD_APPEND_OPTIONS, MOD_OF_APPEND, &a);
  if (!lua_isnil(L, MOD_APPEND_OPTIONS)) mod_read_binary_table_(L, MOD_APPEND_OPTIONS, &b, MOD_OF_APPEND);
  lua_settop(L, MOD_APPEND_FN);
  if (!d->doc.begin) return view_closed_(L);
  view_push_doc_env(L, MOD_APPEND_DOC);
  view_get_env(L, -1, VIEW_ENV_FILE);
  s = (const struct mod_stored *)lua_touserdata(L, -1);
  if (!s) return luaL_error(L, "cannot append: the document was not opened from a file with a frame: see fleece.save");
  if (s->is_damaged) {
    return luaL_error(L,
                      "cannot append to '%s': the part after its last whole state is damaged: see fleece.compact and "
                      "its option 'recover'",
                      (const char *)(s + 1));
  }
  if (!mutable_call(L)->layer->is_changed) return lua_settop(L, MOD_APPEND_DOC), 1;
  mod_push_addition(L, lua_gettop(L), s, &a, &addition);
  file = mod_push_file(L);
  saving = mod_push_saving(L);
  wrong = mod_add_to_file(saving, file, s, &addition, &b);
  if (wrong) mod_close_file(file); /* before it is garbage: Windows replaces no file that is open */
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
