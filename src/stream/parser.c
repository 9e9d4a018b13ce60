/* SPDX-License-Identifier: MIT */
#include "parser.h"
#include "stream.h"
#include "../lua/guard.h"

enum {
  PARSER_STEP = 64 * 1024, /* in bytes */
  PARSER_SMALL = 512 /* a piece in the list costs as much as some hundred bytes of text: shorter ones are joined */
};

static const char parser_magic = 0, parser_key[2] = {0};

/* Stores the message for an error at a position of the text. */
FL_NOINLINE int parser_fail_(struct mod_parser *p, lua_State *L, int env, int error, const char *at) {
  struct mod_decode d;
  d.L = L;
  d.begin = p->k.scan.begin;
  d.end = p->k.scan.end;
  d.base = p->base;
  d.o.grammar = p->o.grammar;
  d.of = MOD_OF_PARSER;
  d.several = MOD_SEVERAL_DOCUMENTS;
  mod_push_decode_error_(&d, error, at, &p->failure);
  lua_rawseti(L, env, PARSER_ERROR);
  p->steps.status = STEP_FAILED;
  return 0;
}

static void parser_begin_base(struct mod_parser *p) {
  memset(&p->base, 0, sizeof p->base);
  p->base.in_pieces = 1;
}

/* Stores the message for an error at a byte of the pieces from number `from` on, which begin at p->base. */
FL_NOINLINE int parser_fail_at_(struct mod_parser *p, lua_State *L, int env, int error, size_t from, size_t byte) {
  const char *piece = "";
  size_t n = 0;
  lua_rawgeti(L, env, PARSER_PIECES);
  for (;; from++) {
    lua_rawgeti(L, -1, (int)from);
    piece = lua_tolstring(L, -1, &n);
    if (byte - p->base.bytes < n) break;
    mod_advance(&p->base, piece, piece + n);
    lua_pop(L, 1);
  }
  p->k.scan.begin = piece;
  p->k.scan.end = piece + n;
  return parser_fail_(p, L, env, error, piece + (byte - p->base.bytes));
}

/* Stores the message for a duplicate name, which may be in a piece that was read long before. */
FL_NOINLINE int parser_fail_duplicate_(struct mod_parser *p, lua_State *L, int env) {
  parser_begin_base(p);
  return parser_fail_at_(p, L, env, JSON_CHECK_DUPLICATE, 1, p->k.duplicate);
}

/* Ends a call of a parser that has failed. */
FL_PRIVATE_NOINLINE int parser_raise_(struct mod_parser *p, lua_State *L) {
  switch (p->steps.status) {
  case STEP_RUNNING: return mod_error(L, "the parser is in use");
  case STEP_FINISHED: return mod_error(L, "the parser has finished");
  default: break;
  }
  step_forget(L, PARSER_ERROR);
  step_push_error(L, PARSER_ERROR);
  if (p->steps.status == STEP_THREW) return lua_error(L);
  return mod_raise_failure(L, (int)p->flags.safe, &p->failure);
}

static void parser_carry(struct mod_parser *p, lua_State *L, int env, const char *s, size_t n) {
  if (p->room < p->length + n + 2) {
    size_t room = 2 * (p->length + n) + 64;
    char *to = (char *)lua_newuserdata(L, room);
    if (p->length) memcpy(to, p->carry, p->length);
    lua_rawseti(L, env, PARSER_CARRY); /* now the old one may be collected */
    p->carry = to;
    p->room = room;
  }
  FL_ASSERT(p->length + n + 1 < p->room);
  memcpy(p->carry + p->length, s, n);
  p->length += n;
  p->carry[p->length] = 0;
}

/* The position of a duplicate name is known only when its object ends, so all pieces must be kept. */
FL_INLINE int parser_keeps_pieces(const struct mod_parser *p) { return p->flags.duplicates == JSON_TO_LUA_UNIQUE; }

/* Pushes the next piece of the list, and removes it there unless all are kept. */
static void parser_take_piece(struct mod_parser *p, lua_State *L, int env) {
  lua_rawgeti(L, env, PARSER_PIECES);
  lua_rawgeti(L, -1, (int)p->taken + 1);
  if (!parser_keeps_pieces(p)) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, -3, (int)p->taken + 1);
  }
  lua_remove(L, -2);
  p->taken++;
}

FL_INLINE int parser_has_pieces(const struct mod_parser *p) { return p->taken < p->pieces || p->joined > 0; }

/* Makes the next piece of the list, or the joined ones after it, the current one. Returns 0 if all were read. */
static int parser_next_piece(struct mod_parser *p, lua_State *L, int env) {
  size_t n;
  FL_ASSERT(p->taken <= p->pieces);
  if (!parser_has_pieces(p)) return 0;
  if (p->taken < p->pieces) {
    parser_take_piece(p, L, env);
  } else {
    lua_pushlstring(L, p->join, p->joined);
    p->joined = 0;
  }
  p->piece = lua_tolstring(L, -1, &n);
  p->end = p->piece + n;
  p->safe = p->seen = p->piece;
  lua_rawseti(L, env, PARSER_PIECE);
  return 1;
}

/* Adds the string on top to the list. Once most of the pieces were removed the others move down. */
static void parser_add_piece(struct mod_parser *p, lua_State *L) {
  const int top = lua_gettop(L), list = top + 2;
  mod_push_env(L, 1);
  lua_rawgeti(L, -1, PARSER_PIECES);
  if (!parser_keeps_pieces(p) && p->taken >= p->pieces - p->taken) {
    for (size_t i = p->taken + 1; i <= p->pieces; i++) {
      lua_rawgeti(L, list, (int)i);
      lua_rawseti(L, list, (int)(i - p->taken));
    }
    p->pieces -= p->taken;
    p->taken = 0;
  }
  compat_set_item(L, list, (int)p->pieces + 1, top);
  p->pieces++;
  lua_settop(L, top - 1);
}

/* Adds the joined pieces to the list. A finalizer that runs while their string is created may feed more of them. */
static void parser_flush(struct mod_parser *p, lua_State *L) {
  const int top = lua_gettop(L);
  size_t fed;
  do {
    fed = p->fed;
    lua_settop(L, top);
    if (!p->joined) return;
    lua_pushlstring(L, p->join, p->joined);
  } while (p->fed != fed);
  parser_add_piece(p, L);
  p->joined = 0;
}

FL_INLINE int parser_is_last(const struct mod_parser *p) { return p->last && !parser_has_pieces(p); }

/* Returns the end of the carried token in the piece, or NULL if it continues after the piece. */
static const char *parser_token_end(struct mod_parser *p) {
  if (!parser_is_wide(p)) return json_token_end(&p->part, p->piece, p->end);
  p->safe = p->seen = json_safe_end(&p->part, p->seen, p->end, (p->o.grammar & JSON_JSON5) != 0);
  if (!p->safe) p->seen = p->end;
  return p->safe;
}

static void parser_set_text(struct mod_parser *p, const char *begin, const char *end, const char *stop, int whole) {
  struct json_scan *scan = &p->k.scan;
  p->at = scan->begin = begin;
  scan->end = end;
  scan->stop = stop;
  scan->whole = whole != 0;
  p->k.passed = p->base.bytes;
}

/* Completes the carried token and makes it the text. Returns 0 if another piece is needed. */
static int parser_complete(struct mod_parser *p, lua_State *L, int env) {
  const char *end = NULL, *stop;
  while (!end && (p->piece < p->end || parser_next_piece(p, L, env))) {
    end = parser_token_end(p);
    stop = end ? end : p->end;
    parser_carry(p, L, env, p->piece, (size_t)(stop - p->piece));
    p->piece = stop;
  }
  if (!end && !p->last) return 0;
  if (p->told) parser_keep_rest_(p, L, env);
  p->carried = 1;
  p->final = !end;
  stop = p->carry + p->length;
  parser_set_text(p, p->carry, stop, end ? stop : stop + 1, end || !p->full);
  return 1;
}

/* In a text with comments: looks for a complete part of the piece. Returns 0 if there is none. */
static int parser_find_safe(struct mod_parser *p, size_t budget) {
  const char *to = (size_t)(p->end - p->seen) > budget ? p->seen + budget : p->end, *q;
  for (;;) {
    while ((q = json_safe_end(&p->part, p->seen, to, (p->o.grammar & JSON_JSON5) != 0)) != NULL) p->safe = p->seen = q;
    p->seen = to;
    if (p->safe > p->piece) return 1;
    if (to == p->end) return 0;
    to = p->end;
  }
}

/* Carries the rest of the piece, which is incomplete. */
static void parser_cut(struct mod_parser *p, lua_State *L, int env, const char *at) {
  parser_carry(p, L, env, at, (size_t)(p->end - at));
  if (!parser_is_wide(p)) {
    memset(&p->part, 0, sizeof p->part);
    json_token_end(&p->part, at, p->end);
  }
  p->piece = p->end;
}

/* Sets the next text. Returns 0 if another piece is needed. */
static int parser_next_text(struct mod_parser *p, lua_State *L, int env, size_t budget) {
  for (;;) {
    if (p->length) return parser_complete(p, L, env);
    if (p->piece == p->end && !parser_next_piece(p, L, env)) {
      if (!p->last) return 0;
      p->piece = p->end = "";
    }
    p->carried = 0;
    p->final = parser_is_last(p);
    if (!parser_is_wide(p) || p->final) {
      parser_set_text(p, p->piece, p->end, p->end + 1, p->final && !p->full);
      return 1;
    }
    if (parser_find_safe(p, budget)) {
      parser_set_text(p, p->piece, p->end, p->safe, 0);
      return 1;
    }
    parser_cut(p, L, env, p->piece);
  }
}

static void parser_leave_text(struct mod_parser *p, lua_State *L, int env, const char *at) {
  p->at = NULL;
  if (p->carried) {
    p->length = 0;
  } else {
    p->piece = at;
    if (p->k.scan.cut) parser_cut(p, L, env, at);
  }
}

/* Skips white space, and an incomplete white space character where max_bytes ends the text. */
static const char *parser_skip_space(struct mod_parser *p, const char *at) {
  struct json_scan *j = &p->k.scan;
  at = json_read_space(j, at);
  if (!p->full || (at ? !json_is_cut_space(j, at, j->end) : j->error != JSON_CHECK_COMMENT)) return at;
  j->error = JSON_CHECK_OK;
  return j->end;
}

/* Reads the text from `at` on, up to scan.stop. Returns where to continue, or NULL after an error. */
static const char *parser_scan(struct mod_parser *p, const char *at) {
  struct json_to_lua *k = &p->k;
  struct json_scan *j = &k->scan;
  const char *q;
  j->error = JSON_CHECK_OK;
  if (!p->begun) {
    if (j->end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) {
      if (!(j->grammar & JSON_BOM)) return json_scan_error(j, JSON_CHECK_BOM, at);
      at += 3;
    } else if (!j->whole && j->end - at < 3 && memcmp(at, "\xef\xbb\xbf", (size_t)(j->end - at)) == 0) {
      j->cut = 1;
      return at;
    }
    p->begun = 1;
  }
  if (!p->opened) {
    if (!(at = parser_skip_space(p, at))) return NULL;
    if (at == j->end) return p->final && !p->full ? json_scan_error(j, JSON_CHECK_EMPTY, at) : at;
    p->opened = 1;
  }
  if (!p->done) {
    if (!(q = json_to_lua_scan_part(k, at))) return j->error ? NULL : j->at;
    p->done = 1;
    at = q;
  }
  if (at >= j->stop) return at;
  if (!(at = parser_skip_space(p, at))) return NULL;
  return at < j->end ? json_scan_error(j, JSON_CHECK_AFTER, at) : at;
}

FL_PRIVATE int parser_read(struct mod_parser *p, lua_State *L, int env, size_t budget) {
  struct json_scan *j = &p->k.scan;
  while (budget > 0) {
    if (!p->at && !parser_next_text(p, L, env, budget)) return 1;
    const char *from = p->at;
    const char *stop = j->stop;
    if ((size_t)(stop - from) > budget) j->stop = from + budget;
    j->cut = 0;
    const char *at = parser_scan(p, from);
    j->stop = stop;
    if (!at) {
      if (j->error == JSON_CHECK_DUPLICATE) return parser_fail_duplicate_(p, L, env);
      return parser_fail_(p, L, env, j->error, j->at);
    }
    mod_advance(&p->base, from, at);
    p->k.passed = p->base.bytes;
    p->at = j->begin = at;
    budget -= (size_t)(at - from) < budget ? (size_t)(at - from) : budget;
    if (at == j->end || j->cut || at >= stop) {
      int final = p->final;
      parser_leave_text(p, L, env, at);
      if (final) return 1;
    }
  }
  return 1;
}

FL_PRIVATE struct mod_parser *parser_resume(lua_State *L) {
  struct mod_parser *p = (struct mod_parser *)lua_touserdata(L, 1);
  compat_need_stack(L, 10);
  mod_push_env(L, 1);
  p->o = p->flags;
  if (p->o.null | p->o.arrays | p->o.objects | p->o.int64 | p->o.order | p->o.exact) {
    lua_rawgeti(L, 2, PARSER_VALUES);
    mod_position_of_values_(L, &p->o, 3);
    json_to_lua_find_metatables(&p->k, L, SIZE_MAX);
  }
  json_to_lua_unpark(&p->k, L, 2);
  if (p->placed) parser_take_back_(p, L, 2);
  return p;
}

/* Runs one step of the parser at 1, protected. */
static int parser_run_step(lua_State *L) {
  struct mod_parser *p = parser_resume(L);
  const size_t budget = p->budget, least = p->k.waiting - p->k.spilled; /* the cost of unparking */
  if (parser_read(p, L, 2, budget < least ? least : budget)) json_to_lua_park(&p->k, 2);
  return 0;
}

FL_PRIVATE struct mod_parser *parser_check(lua_State *L) {
  struct mod_parser *p = (struct mod_parser *)mod_test_userdata(L, 1, &parser_magic, sizeof *p);
  if (!p) mod_type_error(L, 1, "parser");
  return p;
}

/* Runs a step. Returns 0 if the parser has failed. */
static int parser_step(struct mod_parser *p, lua_State *L, size_t budget) {
  p->budget = budget;
  return step_run(L, &p->steps, parser_run_step, 0, PARSER_ERROR);
}

/* Ends the text: no more will follow. */
static void parser_end(struct mod_parser *p) {
  struct json_scan *j = &p->k.scan;
  p->last = 1;
  if (!p->at || p->carried || !parser_is_last(p)) return;
  p->final = 1; /* the current text is the last one */
  j->whole = !p->full;
  j->stop = j->end + 1;
}

/* Feeds a piece of which max_bytes allows only n bytes. Reports the first error in these, or, if they have none, that
** the text is too long. */
FL_NOINLINE int parser_feed_last_(struct mod_parser *p, lua_State *L, size_t n) {
  parser_flush(p, L);
  lua_pushlstring(L, lua_tostring(L, 2), n);
  if (n > 0) parser_add_piece(p, L);
  p->full = 1;
  p->k.scan.grammar |= JSON_OPEN_END;
  parser_end(p);
  if (parser_step(p, L, SIZE_MAX / 2)) {
    mod_push_env(L, 1);
    parser_fail_(p, L, 2, JSON_CHECK_LENGTH, p->k.scan.end);
  }
  return parser_raise_(p, L);
}

/* parser:feed(piece) -> parser */
static int parser_feed(lua_State *L) {
  struct mod_parser *p = parser_check(L);
  size_t n;
  const char *s = lua_tolstring(L, 2, &n); /* replaces a number by its digits */
  if (!s) return mod_type_error(L, 2, "string");
  if (p->steps.status != STEP_OPEN) return parser_raise_(p, L);
  lua_settop(L, 2);
  if (p->flags.max_bytes && n > p->flags.max_bytes - p->fed)
    return parser_feed_last_(p, L, p->flags.max_bytes - p->fed);
  if (n < PARSER_SMALL && !parser_keeps_pieces(p)) {
    if (n > sizeof p->join - p->joined) parser_flush(p, L);
    memcpy(p->join + p->joined, s, n);
    p->joined += n;
  } else if (n > 0) {
    parser_flush(p, L);
    parser_add_piece(p, L);
  }
  p->fed += n;
  lua_settop(L, 1);
  return 1;
}

/* parser:step([bytes]) -> whether there is more to do */
static int parser_next(lua_State *L) {
  struct mod_parser *p = parser_check(L);
  lua_Number budget = mod_optional_number(L, 2, PARSER_STEP);
  if (!(budget >= 1)) mod_argument_error(L, 2, "a number of bytes expected");
  if (p->steps.status != STEP_OPEN) return parser_raise_(p, L);
  if (!parser_step(p, L, budget < (lua_Number)(SIZE_MAX / 2) ? (size_t)budget : SIZE_MAX / 2))
    return parser_raise_(p, L);
  lua_pushboolean(L, p->at != NULL || p->piece < p->end || parser_has_pieces(p));
  return 1;
}

/* parser:finish() -> value */
static int parser_finish(lua_State *L) {
  struct mod_parser *p = parser_check(L);
  if (p->steps.status != STEP_OPEN) return parser_raise_(p, L);
  parser_end(p);
  if (!parser_step(p, L, SIZE_MAX / 2)) return parser_raise_(p, L);
  p->steps.status = STEP_FINISHED;
  mod_push_env(L, 1);
  lua_rawgeti(L, -1, JSON_TO_LUA_STORE_SPILL);
  lua_rawgeti(L, -1, 1);
  step_forget(L, PARSER_ERROR);
  return 1;
}

FL_PRIVATE const luaL_Reg parser_methods[] = {{"feed", parser_feed}, {"step", parser_next}, {"finish", parser_finish},
                                              {"peek", parser_peek}, {"tail", parser_tail}, {NULL, NULL}};

FL_PRIVATE int mod_parser(lua_State *L) {
  int i, env, values = lua_upvalueindex(MOD_VALUES);
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  lua_settop(L, 1);
  compat_need_stack(L, 20);
  struct mod_parser *p = (struct mod_parser *)mod_new_userdata(L, sizeof *p);
  memset(p, 0, offsetof(struct mod_parser, join));
  p->steps.magic = &parser_magic;
  lua_createtable(L, PARSER_END, 0);
  env = lua_gettop(L);
  lua_pushvalue(L, env);
  mod_set_env(L, 2);
  struct mod_decode d = {0};
  d.L = L;
  d.state = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  d.o = codec->decode;
  if (!lua_isnil(L, 1)) values = mod_read_decode_options(L, 1, &d.o, MOD_OF_PARSER);
  d.o.grammar = mod_settle_grammar(d.o.grammar);
  compat_set_item(L, env, PARSER_VALUES, values);
  compat_set_item(L, env, PARSER_STATE, lua_upvalueindex(MOD_STATE));
  lua_newtable(L);
  lua_rawseti(L, env, PARSER_PIECES);
  p->flags = d.o;
  parser_begin_base(p);
  d.o.objects = d.o.arrays = 0; /* set by each step, in parser_run_step */
  d.begin = d.end = p->piece = p->end = "";
  mod_begin_tables(&d, &p->k);
  p->k.o = &p->o;
  p->k.in_parts = 1;
  p->k.scan.in = SCAN_ROOT;
  p->k.scan.expected = JSON_EXPECT_VALUE;
  for (i = 1; i < JSON_TO_LUA_STORE_END; i++) { compat_set_item(L, env, i, p->k.anchors + i - 1); }
  mod_push_class(L, parser_key, (int)p->flags.safe, "fleece.parser", parser_methods, NULL);
  lua_setmetatable(L, 2);
  lua_settop(L, 2);
  return 1;
}
