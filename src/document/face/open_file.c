/* SPDX-License-Identifier: MIT
** open_file.c -- open_file: documents of files, with frames or without.
** Must hold: a file with frames is used up to the end of its last whole part. A writer may truncate the rest at any
** moment, so it is never read from a mapping. */
#include "binary.h"
#include "../../files/map.h"
#include "views.h"

enum { MOD_FRAME_TRIES = 3 }; /* a reader may see a frame half written */

/* A file that is being opened. */
struct mod_opening {
  lua_State *L;
  const char *path;
  const struct mod_codec *codec;
  struct mod_binary *b;
  struct mod_doc *doc;
  FILE *file;
  uint64_t id[2], size; /* size: of the file, if known */
  struct bin_frames frames;
  int is_framed, knows_size;
};

/* Maps the file. The collector does not know the size of mappings, so unused documents would pile up. Therefore it runs
** whenever their number has doubled, and when the system refuses one. */
static void mod_map_file(lua_State *L, struct mod_doc *d, FILE *file) {
  struct mod_state *m = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  if (m->document->maps_most > MOD_MAPS && m->document->maps < m->document->maps_most / 4) m->document->maps_most /= 2;
  if (m->document->maps >= m->document->maps_most) {
    lua_gc(L, LUA_GCCOLLECT, 0);
    m->document->maps_most = m->document->maps > MOD_MAPS / 2 ? 2 * m->document->maps : MOD_MAPS;
  }
  d->map = map_file(file, &d->map_bytes);
  if (!d->map && errno == ENOMEM) {
    lua_gc(L, LUA_GCCOLLECT, 0);
    d->map = map_file(file, &d->map_bytes);
  }
  if (!d->map) return;
  d->maps = &m->document->maps;
  m->document->maps++;
}

/* Maps or reads the file into the document. Leaves the file and the bytes that were read above its environment. Returns
** 0 with errno set if it failed. */
static int mod_load_file(lua_State *L, struct mod_doc *d, FILE *file, int in_memory) {
  size_t n = 0;
  errno = 0;
  if (!in_memory) mod_map_file(L, d, file);
  if (!d->map && errno) return 0;
  n = d->map_bytes;
  const void *bytes = d->map ? d->map : mod_read_rest(L, file, &n);
  if (!bytes) return 0;
  d->doc.begin = (const uint8_t *)bytes;
  d->doc.end = d->doc.begin + n;
  return 1;
}

/* Reads the frames of a regular file before it is mapped. Returns 0 with errno set if it failed. */
static int mod_walk_file(struct mod_opening *o, uint64_t limit) {
  uint8_t head[BIN_FRAME_MAGIC];
  const long size = append_size(o->file);
  if (fseek(o->file, 0, SEEK_SET) != 0 || size <= 0) return errno = 0, 1;
  const size_t n = file_read(o->file, head, sizeof head);
  if (ferror(o->file)) return 0;
  o->is_framed = bin_frame_begins(head, n);
  o->size = (uint64_t)size;
  o->knows_size = 1;
  for (int tries = 0; o->is_framed && tries < MOD_FRAME_TRIES; tries++) {
    bin_frames_init(&o->frames, o->codec->state->cpu);
    if (!append_read_frames(o->file, &o->frames, limit)) return 0;
    if (!o->frames.error) break;
  }
  return fseek(o->file, 0, SEEK_SET) == 0;
}

/* Tests the parts that are in memory now. o->frames tells whether more follows in the file. */
static void mod_test_frames(struct mod_opening *o) {
  const struct bin_doc *d = &o->doc->doc;
  const size_t n = (size_t)(d->end - d->begin);
  struct bin_frames f, *known = &o->frames;
  if (o->knows_size && known->parts == 0) return;
  bin_frames_init(&f, o->codec->state->cpu);
  if (!o->knows_size) o->size = n;
  (void)bin_frames_find(&f, d->begin,
                        !o->knows_size   ? n
                        : known->end < n ? (size_t)known->end
                                         : n,
                        !o->b->is.unverified);
  if (o->knows_size && !f.error && f.end == known->end) return;
  if (!f.error && o->knows_size) f.error = BIN_FRAME_ERROR_CUT, f.where = n; /* the file has become shorter meanwhile */
  *known = f;
}

/* Pushes "MESSAGE at byte N" for the error, or a message about an unfinished amendment. */
static void mod_push_frame_error(lua_State *L, const struct bin_frames *f) {
  char number[24];
  char *end = num_write_u64(number, f->where + 1);
  if (!f->error) lua_pushliteral(L, "an amendment that was not finished");
  else {
    lua_pushstring(L, bin_frame_message(f->error));
    lua_pushliteral(L, " at byte ");
    lua_pushlstring(L, number, (size_t)(end - number));
    lua_concat(L, 3);
  }
}

static int mod_frame_error_(struct mod_opening *o) {
  lua_State *L = o->L;
  if (o->frames.error == BIN_FRAME_ERROR_NONE) lua_pushstring(L, bin_frame_message(BIN_FRAME_ERROR_NONE));
  else mod_push_frame_error(L, &o->frames);
  return mod_raise_at(L, o->codec->decode.safe, FL_KIND_SYNTAX, (size_t)o->frames.where + 1);
}

/* Pushes the keys whose names are in the file, and moves them below the document and its environment. Returns 0 if the
** list is invalid. */
static int mod_load_names(struct mod_opening *o, const uint8_t *file) {
  lua_State *L = o->L;
  struct mod_keys *k = view_push_keys(L);
  struct bin_check c;
  struct mod_binary plain = {0};
  struct bin_doc names = {0};
  plain.max_depth = MOD_DEPTH;
  names.begin = file + o->frames.names;
  names.end = names.begin + o->frames.names_n;
  lua_insert(L, -3);
  if (mod_check_doc(L, &plain, &names, &c) && bin_frame_load_names(&names, &k->keys)) return 1;
  if (c.error == BIN_ERROR_MEMORY) lua_pushstring(L, bin_message(BIN_ERROR_MEMORY)), lua_error(L);
  return 0;
}

/* Returns whether the keys have all names of the file with the same codes. */
static int mod_has_names(const struct bin_keys *k, const struct bin_keys *file) {
  if (file->count > k->count) return 0;
  for (unsigned i = 0; i < file->count; i++)
    if (bin_keys_find(k, file->key[i].text, file->key[i].length) != (int)i) return 0;
  return 1;
}

/* Sets the shared keys of a file with names. On top are the document and its environment. Returns NULL or an error
** message. */
static const char *mod_attach_names(struct mod_opening *o, const uint8_t *file, unsigned *count) {
  lua_State *L = o->L;
  const int at = lua_gettop(L) - 1;
  if (o->frames.names_n == 0 || o->b->is.codes) return NULL;
  if (!mod_load_names(o, file)) return "the list of shared keys in the file is damaged";
  *count = view_test_keys(L, at)->keys.count;
  if (!o->b->keys) o->b->keys = at;
  else if (!mod_has_names(&view_test_keys(L, o->b->keys)->keys, &view_test_keys(L, at)->keys))
    return "the option 'keys' has other names than the file";
  return NULL;
}

/* Stores in the environment, which is on top, what append needs. */
static void mod_store_place(struct mod_opening *o, unsigned names) {
  lua_State *L = o->L;
  const size_t n = strlen(o->path) + 1;
  struct mod_stored *s = (struct mod_stored *)lua_newuserdata(L, sizeof *s + n);
  memcpy(s->at.id, o->id, sizeof s->at.id);
  s->at.frames = o->frames;
  s->names = names;
  s->is_damaged = o->frames.error != BIN_FRAME_ERROR_FINE;
  s->in_memory = o->b->is.in_memory;
  memcpy(s + 1, o->path, n);
  view_put_env(L, -2, VIEW_ENV_FILE);
}

/* Makes the whole parts the document. On top are the document and its environment. Returns 0, or the number of results
** of an error. */
static int mod_use_frames(struct mod_opening *o) {
  lua_State *L = o->L;
  struct bin_doc *d = &o->doc->doc;
  const uint8_t *file = d->begin;
  unsigned names = 0;
  mod_test_frames(o);
  if (o->frames.parts == 0 || (o->frames.error && !o->b->is.recover)) {
    view_free_bytes(o->doc);
    return mod_frame_error_(o);
  }
  d->begin = file + o->frames.begin;
  d->end = file + o->frames.end;
  const char *wrong = mod_attach_names(o, file, &names);
  if (wrong) {
    view_free_bytes(o->doc);
    lua_pushstring(L, wrong);
    return mod_raise_kind(L, o->codec->decode.safe, FL_KIND_KEYS);
  }
  mod_store_place(o, names);
  return 0;
}

/* Pushes what was left out of the document, which is on top. */
static int mod_push_dropped(struct mod_opening *o) {
  lua_State *L = o->L;
  char number[24];
  const uint64_t dropped = o->size > o->frames.end ? o->size - o->frames.end : 0;
  if (!dropped) return 1;
  lua_pushlstring(L, number, (size_t)(num_write_u64(number, dropped) - number));
  lua_pushliteral(L, " bytes at the end were left out: ");
  mod_push_frame_error(L, &o->frames);
  lua_concat(L, 3);
  lua_pushinteger(L, (lua_Integer)dropped);
  return 3;
}

FL_PRIVATE int mod_open_stream(lua_State *L, const char *path, FILE **file, struct mod_binary *b, uint64_t limit) {
  int top, results, fine;
  struct mod_opening o = {0};
  compat_need_stack(L, 16);
  o.codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  o.L = L, o.path = path, o.b = b;
  o.doc = mod_push_doc(L, MOD_NEEDS_END);
  top = lua_gettop(L);
  o.file = *file;
  (void)append_identity(*file, o.id);
  fine = mod_walk_file(&o, limit) && mod_load_file(L, o.doc, *file, b->is.in_memory);
  mod_close_file(file);
  if (!fine) return mod_file_error(L, NULL, path, o.codec->decode.safe);
  if (!o.doc->map) view_put_env(L, top, VIEW_ENV_BYTES);
  lua_settop(L, top);
  if (!o.knows_size) o.is_framed = bin_frame_begins(o.doc->doc.begin, (size_t)(o.doc->doc.end - o.doc->doc.begin));
  if (o.is_framed && (results = mod_use_frames(&o)) != 0) return results;
  if (!o.is_framed && b->is.framed) {
    view_free_bytes(o.doc);
    o.frames.error = BIN_FRAME_ERROR_NONE;
    return mod_frame_error_(&o);
  }
  if (FL_UNLIKELY(b->base || b->keys)) mod_attach_base_and_keys_(L, o.doc, b);
  results = mod_finish_doc(L, o.doc, b);
  return results == 1 && o.is_framed && b->is.recover ? mod_push_dropped(&o) : results;
}

FL_PRIVATE int mod_open_named(lua_State *L, const char *path, struct mod_binary *b) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  FILE **file = mod_push_file(L);
  errno = 0;
  *file = file_open(path, "rb");
  if (!*file) return mod_file_error(L, NULL, path, codec->decode.safe);
  (void)setvbuf(*file, NULL, _IONBF, 0); /* unbuffered, because the frames must be current */
  return mod_open_stream(L, path, file, b, UINT64_MAX);
}

/* (path, options): the part of open_file whose errors do not name the file. */
static int mod_open_read(lua_State *L) {
  struct mod_binary b;
  mod_read_open_options(L, 2, &b, MOD_OF_OPEN_FILE);
  return mod_open_named(L, lua_tostring(L, 1), &b);
}

FL_PRIVATE int mod_open_file(lua_State *L) {
  const char *path = mod_check_file_name(L);
  struct mod_binary b;
  lua_settop(L, 2);
  mod_read_open_options(L, 2, &b, MOD_OF_OPEN_FILE); /* its errors name the argument */
  lua_settop(L, 2);
  mod_push_sibling(L, mod_open_read);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  return mod_file_results(L, mod_call_for_file(L, 2, "open", path));
}
