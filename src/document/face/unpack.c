/* SPDX-License-Identifier: MIT */
#include "binary.h"
#include "mutable.h"

FL_PRIVATE_NOINLINE int mod_may_be_json(const uint8_t *p, const uint8_t *end) {
  enum { LOOK_AT = 4096 };
  const uint8_t *q = p;
  if (end - p > LOOK_AT) end = p + LOOK_AT;
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) p++;
  if (end - p < 2 || !*p || !strchr("{[\"-0123456789tfn", *p)) return 0;
  for (; q < end; q++)
    if (*q < ' ' && *q != '\t' && *q != '\n' && *q != '\r') return 0;
  return 1;
}

/* Ends a call with an invalid document: raises the message, or returns nil, message and failure. */
FL_NOINLINE int mod_unpack_error_(struct mod_decode *d, const char *what, enum fl_kind kind, const uint8_t *at,
                                  const char *hint) {
  const uint8_t *begin = (const uint8_t *)d->begin;
  const uint64_t byte = at >= begin && at <= (const uint8_t *)d->end ? (uint64_t)(at - begin) + 1
                                                                     : 0; /* the error is in a base */
  char text[NUM_ROOM];
  *num_write_u64(text, byte) = 0;
  if (byte) lua_pushfstring(d->L, "%s at byte %s%s", what, text, hint);
  else lua_pushstring(d->L, what);
  return mod_raise_at(d->L, d->o.safe, kind, (size_t)byte);
}

FL_PRIVATE int mod_is_within_max_values(lua_State *L, const struct mod_binary *b, const struct bin_doc *doc,
                                        bin_value v, enum bin_error *error) {
  struct bin_check c;
  struct bin_doc copy = *doc;
  if (!b->counts) return 1;
  c.alloc = lua_getallocf(L, &c.alloc_ud);
  c.max_depth = UINT32_MAX;
  c.max_values = b->max_values;
  c.utf8 = 0;
  c.codes = 1;
  if (bin_check_value(&c, &copy, v)) return 1;
  *error = c.error;
  return 0;
}

/* Checks the document; if out of memory, again after a collection. */
FL_NOINLINE enum bin_error mod_check_binary_(lua_State *L, const struct mod_binary *b, struct bin_doc *doc,
                                             const uint8_t **where) {
  struct bin_check c;
  for (int tries = 0; !mod_check_doc(L, b, doc, &c) && c.error == BIN_ERROR_MEMORY && tries == 0; tries++)
    lua_gc(L, LUA_GCCOLLECT, 0);
  *where = c.where;
  return c.error;
}

/* Pushes the value v of a checked document. `owner`: its pinned document, which is unpinned here, or NULL. `max_bytes`:
** limit for the result, 0 for the default. Returns the number of results: the value, or the error. */
static int mod_unpack_value(struct mod_decode *d, const struct bin_doc *doc, bin_value v, const struct mod_doc *owner,
                            size_t max_bytes) {
  lua_State *L = d->L;
  struct json_to_lua k;
  struct binary_to_lua b;
  int fine;
  FL_ASSERT(!owner || owner->pins > 0);
  lua_pushnil(L); /* slot for the table of long strings */
  unpack_init(&b, &k, doc, lua_gettop(L));
  b.push_data = view_push_data_of_;
  b.left = max_bytes ? max_bytes : bin_default_bytes(bin_doc_bytes(doc));
  mod_begin_tables(d, &k);
  if (b.recent_n) {
    /* Only now: LuaJIT's collector shrinks a stack that is not yet used. */
    compat_need_stack(L, UNPACK_RECENT + JSON_TO_LUA_FIRST_SLOTS + JSON_TO_LUA_MARGIN + 8);
    lua_settop(L, (k.region += UNPACK_RECENT) - 1);
  }
  if (FL_LIKELY(k.decoder != NULL)) {
    k.decoder->take(&k);
    fine = d->state->document->unpack(&b, v);
    k.decoder->give(&k);
  } else {
    fine = json_to_lua_api_unpack(&b, v);
  }
  if (owner) view_unpin(owner);
  if (FL_UNLIKELY(!fine))
    return b.error ? mod_unpack_error_(d, bin_message((int)b.error), bin_kind((int)b.error), b.where, "")
                   : mod_unpack_error_(d, json_check_message(k.scan.error), json_check_kind(k.scan.error), b.where, "");
  lua_replace(L, b.strings);
  lua_settop(L, b.strings);
  return 1;
}

static int mod_unpack_bytes(struct mod_decode *d, const struct mod_binary *b) {
  lua_State *L = d->L;
  struct bin_doc doc, base;
  const struct mod_doc *owner = NULL;
  const uint8_t *where;
  if (lua_type(L, 1) != LUA_TSTRING) mod_type_error(L, 1, "bytes, document or view");
  mod_set_text(d, 1);
  if (FL_UNLIKELY(d->o.max_bytes) && (size_t)(d->end - d->begin) > d->o.max_bytes)
    return mod_unpack_error_(d, json_check_message(JSON_CHECK_LENGTH), FL_KIND_LENGTH,
                             (const uint8_t *)d->begin + d->o.max_bytes, "");
  mod_doc_of_string(L, 1, b, &doc);
  d->begin = (const char *)doc.begin;
  d->end = (const char *)doc.end;
  if (doc.base) {
    owner = view_test_doc(L, b->base);
    view_pin(owner);
    base = owner->doc;
    doc.base = &base;
  }
  if (FL_UNLIKELY(b->is.trusted) && doc.end - doc.begin >= 2) {
    doc.root = bin_root(&doc);
  } else {
    const enum bin_error error = mod_check_binary_(L, b, &doc, &where);
    if (FL_UNLIKELY(error)) {
      if (owner) view_unpin(owner);
      return mod_unpack_error_(d, bin_message((int)error), bin_kind((int)error), where,
                               mod_may_be_json(doc.begin, doc.end) ? MOD_JSON_HINT : "");
    }
  }
  return mod_unpack_value(d, &doc, doc.root, owner, b->max_bytes);
}

FL_PRIVATE int mod_unpack(lua_State *L) {
  struct mod_decode d;
  struct mod_binary b;
  const struct mod_doc *owner;
  enum bin_error error;
  bin_value v;
  if (lua_isnone(L, 1)) mod_type_error(L, 1, "bytes, document or view");
  lua_settop(L, 2);
  mod_begin_decode(&d, L, 2, MOD_OF_UNPACK);
  d.o.order = d.o.exact = 0; /* may be set by a codec */
  d.o.force_api = d.o.layout_api;
  mod_read_binary_options(L, 2, &b, MOD_OF_UNPACK);
  const int packed = mutable_to_bytes(L, 1);
  if (packed < 0) return 3;
  if (packed) b.keys = b.base = 0, b.is.trusted = !b.counts;
  if (!view_value_at(L, 1, &owner, &v)) return mod_unpack_bytes(&d, &b);
  struct bin_doc doc = owner->doc;
  d.begin = (const char *)doc.begin;
  d.end = (const char *)doc.end;
  if (!mod_is_within_max_values(L, &b, &doc, v, &error))
    return mod_unpack_error_(&d, bin_message((int)error), bin_kind((int)error), v, "");
  view_pin(owner);
  return mod_unpack_value(&d, &doc, v, owner, b.max_bytes);
}
