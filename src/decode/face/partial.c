/* SPDX-License-Identifier: MIT */
#include "partial.h"

struct mod_partial_call {
  struct mod_decode *d;
  struct json_to_lua *k;
  const char *token; /* a string or number that is incomplete, */
  size_t length;     /* and how many of its bytes count, or 0 */
  char *ending;      /* that text, and the missing brackets */
  int home;          /* stack index of the ending's owner, and of the result */
};

/* Returns whether the text ends within a byte order mark. */
static int mod_partial_is_cut_bom(const struct mod_decode *d) {
  const size_t n = (size_t)(d->end - d->begin);
  return (d->o.grammar & JSON_BOM) && n > 0 && n < 3 && memcmp(d->begin, "\xef\xbb\xbf", n) == 0;
}

FL_FUNC int mod_partial_is_string(const char *p) { return *p == '"' || *p == '\''; }

/* Returns how many bytes of the incomplete token at j->at count. */
static size_t mod_partial_token(const struct json_scan *j) {
  const char *p = j->at;
  if (p == j->end || (j->expected != JSON_EXPECT_VALUE && j->expected != JSON_EXPECT_FIRST_ITEM)) return 0;
  if (!mod_partial_is_string(p)) return (size_t)(json_number_so_far(p, j->end) - p);
  return (size_t)(json_string_so_far(p + 1, j->end, (j->grammar & JSON_JSON5) != 0) - p);
}

/* Makes the text that completes the value. */
static void mod_partial_make_ending(struct mod_partial_call *c) {
  struct json_to_lua *k = c->k;
  lua_State *L = c->d->L;
  compat_need_stack(L, 4);
  char *w = c->ending = (char *)lua_newuserdata(L, c->length + (size_t)(k->frame - k->frames) + 2);
  lua_replace(L, c->home);
  if (c->length) {
    memcpy(w, c->token, c->length);
    w += c->length;
    if (mod_partial_is_string(c->token)) *w++ = *c->token;
  }
  for (const struct json_to_lua_frame *f = k->frame; f > k->frames; f--) *w++ = f->kind == SCAN_ARRAY ? ']' : '}';
  *w = 0;
  k->scan.end = w;
}

/* Reads the ending from p on. Returns 0 after an error. */
static int mod_partial_read_ending(struct mod_partial_call *c, const char *p) {
  struct json_to_lua *k = c->k;
  struct json_scan *j = &k->scan;
  j->begin = p;
  j->stop = j->end + 1;
  j->error = JSON_CHECK_OK;
  if (p == c->ending && c->length) return json_to_lua_scan_part(k, p) != NULL;
  if (j->in == SCAN_OBJECT && (j->expected == JSON_EXPECT_COLON || j->expected == JSON_EXPECT_VALUE))
    json_to_lua_drop_name(k);
  j->expected = JSON_EXPECT_NEXT;
  return json_to_lua_scan_part(k, p) != NULL;
}

/* Completes the value at the end of the text. Returns 0 with an error in k->scan. A number that may continue and is too
** large does not count, since an exponent may follow. */
static int mod_partial_end(struct mod_partial_call *c) {
  struct json_scan *j = &c->k->scan;
  c->token = j->at;
  c->length = c->d->o.unfinished ? mod_partial_token(j) : 0;
  if (!c->length && j->in == SCAN_ROOT) return lua_pushnil(c->d->L), 1;
  mod_partial_make_ending(c);
  j->grammar &= ~(unsigned)JSON_OPEN_END;
  j->whole = 1;
  const char *p = c->ending;
  if (mod_partial_read_ending(c, p)) return 1;
  if (!c->length || (j->error != JSON_CHECK_HUGE && j->error != JSON_CHECK_INEXACT)) return 0;
  p += c->length;
  if (j->in == SCAN_ROOT) return lua_pushnil(c->d->L), 1;
  return mod_partial_read_ending(c, p);
}

/* The value has ended at p: returns 0 with the error in *failed if something else follows. */
static int mod_partial_ends(const struct mod_decode *d, const char *p, struct json_scan *failed) {
  mod_begin_scan(d, failed);
  if (!(p = json_read_space(failed, p))) return failed->error == JSON_CHECK_COMMENT;
  return p == d->end || json_is_cut_space(failed, p, d->end) || json_scan_error(failed, JSON_CHECK_AFTER, p);
}

/* Reads the value from p on; returns like mod_push_partial. */
static enum mod_partial mod_partial_read(struct mod_partial_call *c, const char *p, struct json_scan *failed) {
  const struct mod_decode *d = c->d;
  struct json_to_lua *k = c->k;
  struct json_scan *j = &k->scan;
  k->in_parts = 1;
  j->grammar |= JSON_OPEN_END;
  json_to_lua_begin_whole(j);
  j->whole = 0;
  j->error = JSON_CHECK_OK;
  if ((p = json_to_lua_scan_part(k, p)) != NULL)
    return mod_partial_ends(d, p, failed) ? MOD_PARTIAL_COMPLETE : MOD_PARTIAL_FAILED;
  if (!j->error && mod_partial_end(c)) return MOD_PARTIAL_OPEN;
  *failed = *j;
  if (j->error == JSON_CHECK_DUPLICATE) failed->at = d->begin + k->duplicate;
  return MOD_PARTIAL_FAILED;
}

FL_PRIVATE enum mod_partial mod_push_partial(struct mod_decode *d, struct json_scan *failed) {
  lua_State *L = d->L;
  struct json_to_lua k;
  struct mod_partial_call c;
  const char *p;
  mod_begin_scan(d, failed);
  if (!(p = mod_skip_first(d, failed, d->begin)) && failed->error != JSON_CHECK_COMMENT) return MOD_PARTIAL_FAILED;
  lua_pushnil(L);
  if (!p || mod_partial_is_cut_bom(d)) return MOD_PARTIAL_OPEN;
  if (FL_UNLIKELY(d->o.max_values) && !mod_count_values_(d, failed, p)) return lua_pop(L, 1), MOD_PARTIAL_FAILED;
  c.d = d;
  c.k = &k;
  c.home = lua_gettop(L);
  mod_begin_tables(d, &k);
  const enum mod_partial state = mod_partial_read(&c, p, failed);
  if (state != MOD_PARTIAL_FAILED) lua_replace(L, c.home);
  lua_settop(L, state != MOD_PARTIAL_FAILED ? c.home : c.home - 1);
  return state;
}

FL_PRIVATE void mod_push_partial_state(lua_State *L, enum mod_partial state) {
  if (state == MOD_PARTIAL_OPEN) lua_pushliteral(L, "open");
  else lua_pushliteral(L, "complete");
}

FL_PRIVATE_NOINLINE int mod_decode_partial_(struct mod_decode *d) {
  struct json_scan failed;
  if (!d->o.partial) return mod_argument_error(d->L, 2, "option 'unfinished' needs 'partial'");
  const enum mod_partial state = mod_push_partial(d, &failed);
  if (state == MOD_PARTIAL_FAILED) return mod_decode_error_(d, failed.error, failed.at);
  mod_push_partial_state(d->L, state);
  return 2;
}
