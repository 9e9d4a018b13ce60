/* SPDX-License-Identifier: MIT */
#include "feed.h"

/* Returns whether the byte may stand here, between two tokens. */
FL_INLINE int mod_feed_is_space(const struct mod_feed *f, char c) {
  return c == 0x1e ? f->separators && !f->inside : json_split_is_space(c);
}

FL_PRIVATE char *mod_feed_grow(void *owner, size_t n) {
  lua_State *L = ((struct mod_feed *)owner)->L;
  char *block = (char *)lua_newuserdata(L, n);
  lua_replace(L, lua_upvalueindex(MOD_FEED_SCRATCH));
  return block;
}

FL_PRIVATE_NOINLINE int mod_feed_error_(const struct mod_feed *f, struct mod_decode *d, const struct json_scan *scan) {
  if (!scan->error) return mod_documents_error_(d, &f->s);
  d->begin = f->s.text;
  d->end = f->s.text + f->s.length;
  d->base = f->s.base;
  return mod_decode_error_(d, scan->error, scan->at);
}

FL_PRIVATE void mod_feed_shift(struct mod_feed *f, size_t n) {
  f->looked = f->looked > n ? f->looked - n : 0;
  f->safe = f->safe > n ? f->safe - n : 0;
  if (f->looked == 0) memset(&f->part, 0, sizeof f->part);
}

FL_PRIVATE void mod_feed_consume(struct mod_feed *f, size_t n) {
  f->s.taken += n;
  FL_ASSERT(f->s.taken <= f->s.length);
  mod_feed_shift(f, n);
}

FL_PRIVATE int mod_feed_look_ahead(struct mod_feed *f) {
  const struct mod_documents *s = &f->s;
  const char *begin = s->text + s->taken, *p = begin + f->looked, *end = s->text + s->length, *q;
  f->looked = (size_t)(end - begin);
  if (!mod_feed_is_wide(f)) return json_token_end(&f->part, p, end) != NULL;
  while ((q = json_safe_end(&f->part, p, end, (f->scan->grammar & JSON_JSON5) != 0)) != NULL) {
    f->safe = (size_t)(q - begin);
    p = q;
  }
  return f->safe > 0;
}

/* Between tokens, in grammars with comments: consumes white space and comments. The text must not end in a comment. */
static void mod_feed_drop_space(struct mod_feed *f) {
  struct mod_documents *s = &f->s;
  struct json_scan *j = f->scan;
  const char *begin = s->text + s->taken, *next = begin, *p;
  j->end = s->text + s->length;
  do {
    p = next;
    while (p < j->end && mod_feed_is_space(f, *p)) p++;
    next = json_read_space(j, p);
  } while (next && next != p);
  mod_feed_consume(f, (size_t)(p - begin));
}

/* Between tokens, in grammars with comments: returns whether the text ends inside a comment. */
FL_INLINE int mod_feed_ends_in_comment(const struct mod_feed *f) { return f->part.in >= PART_LINE; }

/* Consumes the text, which ends in that comment. Returns 0 if the comment exceeds max_bytes. */
static int mod_feed_consume_comment(struct mod_documents *s) {
  if (s->o.max_bytes && s->base.bytes + s->length - s->comment > s->o.max_bytes)
    return mod_documents_fail(s, JSON_CHECK_LENGTH, s->text + (s->comment + s->o.max_bytes - s->base.bytes));
  s->taken = s->length;
  return 1;
}

/* The text ends in a comment, and is complete before it: ends the text at the comment, by replacing its first bytes by
** a blank and a 0. */
static void mod_feed_end_at_comment(struct mod_feed *f) {
  struct mod_documents *s = &f->s;
  struct json_scan *j = f->scan;
  const int json5 = (j->grammar & JSON_JSON5) != 0;
  char *begin = (char *)(uintptr_t)s->text + s->taken, *end = (char *)(uintptr_t)s->text + s->length, *p,
       *slash = begin;
  struct json_part part = {0};
  for (p = begin; p < end; p++) {
    (void)json_safe_end(&part, p, p + 1, json5);
    if (part.in == PART_SLASH) slash = p;
  }
  mod_documents_note_comment_(f->L, s, (size_t)(slash - s->text));
  f->in_comment = 1;
  f->skip = f->part;
  slash[0] = ' ', slash[1] = 0;
  j->begin = s->text;
  j->end = slash + 1;
  j->stop = j->end + 1;
  j->whole = 0;
}

/* After the text before the comment was read: restores the text and consumes it. */
static void mod_feed_leave_comment(struct mod_feed *f) {
  char *slash = (char *)(uintptr_t)f->scan->end - 1;
  slash[0] = '/', slash[1] = f->skip.in == PART_LINE ? '/' : '*';
  f->s.taken = f->s.length;
  f->scan->end = NULL; /* the text may move before the scan gets a new end */
}

/* Consumes the rest of a comment that began before the text. Returns 0 after an error. */
static int mod_feed_skip_comment(struct mod_feed *f) {
  struct mod_documents *s = &f->s;
  const char *begin = s->text + s->taken, *end = s->text + s->length;
  const char *p = json_comment_end(&f->skip, begin, end, (f->scan->grammar & JSON_JSON5) != 0);
  f->looked = f->safe = 0;
  memset(&f->part, 0, sizeof f->part);
  if (!p && s->ended && f->skip.in != PART_LINE) return mod_documents_fail(s, JSON_CHECK_COMMENT, NULL);
  if (!p) return mod_feed_consume_comment(s);
  s->taken = (size_t)(p - s->text);
  f->in_comment = 0;
  return 1;
}

FL_PRIVATE int mod_feed_load_text(struct mod_feed *f) {
  struct mod_documents *s = &f->s;
  struct json_scan *j = f->scan;
  const int wide = mod_feed_is_wide(f);
  int ready = s->ended || (s->full ? !j->cut : wide ? !f->in_comment && mod_feed_look_ahead(f) : !f->waits);
  j->error = s->error = JSON_CHECK_OK;
  if (f->in_comment && j->end) {
    if (s->text + s->taken < j->end) return 1; /* in the list tokens are read one by one */
    mod_feed_leave_comment(f);                 /* the text before the comment was read */
  }
  while (!ready || f->in_comment) {
    if (f->in_comment) {
      if (s->ended ? !mod_feed_skip_comment(f) : !mod_feed_consume_comment(s)) return 0;
    } else if (wide && mod_feed_ends_in_comment(f)) {
      return mod_feed_end_at_comment(f), 1;
    } else if (wide) {
      mod_feed_drop_space(f);
    }
    if (s->ended) break;
    j->error = JSON_CHECK_OK;
    if (s->o.max_bytes && !s->full && s->length - s->taken > s->o.max_bytes) {
      mod_documents_cut_(f->L, s, s->taken + s->o.max_bytes);
    } else {
      if (!mod_documents_read_piece(f->L, s)) return 0;
      if (f->in_comment && !mod_feed_skip_comment(f)) return 0;
    }
    ready = s->ended || s->full || (!f->in_comment && mod_feed_look_ahead(f));
  }
  if (s->full) j->grammar |= JSON_OPEN_END;
  j->begin = s->text;
  j->end = s->text + s->length;
  j->whole = s->ended != 0;
  j->stop = s->ended || s->full || !mod_feed_is_wide(f) ? j->end + 1 : s->text + s->taken + f->safe;
  if (!mod_feed_is_wide(f)) f->looked = 0, memset(&f->part, 0, sizeof f->part);
  f->waits = 0;
  return 1;
}

FL_PRIVATE int mod_feed_begin_document(struct mod_feed *f) {
  struct mod_documents *s = &f->s;
  struct json_scan *j = f->scan;
  const char *begin = s->text + s->taken, *p = begin;
  if (s->base.bytes == 0 && p == s->text && j->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
    return json_scan_error(j, JSON_CHECK_BOM, p) != NULL;
  for (;;) {
    const char *blank = p;
    while (p < j->end && mod_feed_is_space(f, *p)) p++;
    if ((s->ended || mod_feed_is_wide(f)) && !(p = json_read_space(j, p))) {
      if (!s->full) return 0;
      p = j->end, j->error = JSON_CHECK_OK; /* a comment that is incomplete at the end */
    }
    if (p == blank) break;
  }
  mod_feed_consume(f, (size_t)(p - begin));
  f->inside = p < j->end;
  f->waits = j->cut = !f->inside;
  return 1;
}
