/* SPDX-License-Identifier: MIT */
#include "read.h"
#include "../json/events.h"

/* No token is longer (two escapes that make one character are 12 bytes, -Infinity 9) except for strings, comments and
** numbers; these fail with JSON_CHECK_END or JSON_CHECK_COMMENT. */
enum { REFORMAT_LONGEST = 16 };

/* Did the scan fail only because the piece ends inside a token? */
static int reformat_may_be_cut(const struct json_to_json *k) {
  const struct json_scan *j = &k->scan;
  return k->more && !k->out->error && j->error != JSON_CHECK_MEMORY && j->error != JSON_CHECK_DEPTH &&
         (j->error == JSON_CHECK_END || j->error == JSON_CHECK_COMMENT || j->end - j->at < REFORMAT_LONGEST);
}

/* Goes back to the last value that ended, or to the beginning of the document, which may really be a comment. */
static const char *reformat_rewind(struct json_to_json *k) {
  k->w = k->out->buffer.begin + k->checkpoint.written;
  k->scan.depth = k->checkpoint.depth;
  k->scan.error = 0;
  k->strict = 0;
  k->member_count = k->checkpoint.members;
  k->first = k->checkpoint.first;
  if (k->scan.depth == 0) k->where = REFORMAT_BETWEEN;
  return k->checkpoint.p;
}

/* Skips white space and the record separators of RFC 7464. */
static const char *reformat_skip_between(struct json_to_json *k, const char *p) {
  while ((p = json_read_space(&k->scan, p)) != NULL && *p == 0x1e && k->lines) p++;
  return p;
}

/* Has the value before p ended? A number or word must be followed by white space, a bracket or a quote; in a lenient
** grammar also by a comment, other white space or a single quote. */
static int reformat_is_separated(struct json_to_json *k, const char *p) {
  if (p == k->scan.end || json_value_is_closed(p)) return 1;
  switch (*p) {
  case ' ':
  case '\t':
  case '\n':
  case '\r':
  case 0x1e:
  case '[':
  case '{':
  case '"': return 1;
  case '\'': return (k->scan.grammar & JSON_JSON5) != 0;
  default: return json_read_space(&k->scan, p) != p; /* a comment without an end is the next document's error */
  }
}

/* Skips a byte order mark at the beginning of the text. */
static const char *reformat_skip_mark(struct json_to_json *k, const char *p) {
  const size_t n = (size_t)(k->scan.end - p);
  if (n < 3 && k->more && memcmp(p, "\xef\xbb\xbf", n) == 0) return p;
  k->where = REFORMAT_BETWEEN;
  if (n < 3 || memcmp(p, "\xef\xbb\xbf", 3) != 0) return p;
  return k->scan.grammar & JSON_BOM ? p + 3 : json_scan_error(&k->scan, JSON_CHECK_BOM, p);
}

/* Skips to the beginning of the next document. NULL: an error. k->where does not change if there is none yet. */
static const char *reformat_begin_document(struct json_to_json *k, const char *p) {
  const char *q = reformat_skip_between(k, p);
  if (q == k->scan.end) return k->more && (k->scan.grammar & JSON_WIDE_SPACE) ? p : q;
  if (q && k->documents > 0 && !k->lines) q = json_scan_error(&k->scan, JSON_CHECK_AFTER, q);
  if (!q) return reformat_may_be_cut(k) ? p : NULL; /* perhaps the beginning of a comment or of wide space */
  k->where = REFORMAT_INSIDE;
  k->document = q;
  return reformat_set_checkpoint(k, q) ? q : NULL;
}

/* Ends a document. */
static const char *reformat_end_document(struct json_to_json *k, const char *p) {
  if (!reformat_is_separated(k, p)) return json_scan_error(&k->scan, JSON_CHECK_AFTER, p);
  k->documents++;
  k->where = REFORMAT_BETWEEN;
  if (k->lines) k->w[-1] = '\n';
  else k->w--;
  return reformat_set_checkpoint(k, p) ? p : NULL;
}

FL_PRIVATE const char *reformat_read(struct json_to_json *k, const char *p) {
  const int fancy = k->out->style->indent_length || k->colors || k->sorts;
  if (k->where == REFORMAT_BEGIN && (!(p = reformat_skip_mark(k, p)) || k->where == REFORMAT_BEGIN)) return p;
  if (k->where == REFORMAT_INSIDE) k->checkpoint.p = p;
  for (;;) {
    const char *q;
    if (k->where == REFORMAT_BETWEEN && (!(p = reformat_begin_document(k, p)) || k->where == REFORMAT_BETWEEN)) break;
    q = fancy ? reformat_scan_fancy(k, &k->scan, p) : reformat_scan_plain(k, &k->scan, p);
    if (!q) return reformat_may_be_cut(k) ? reformat_rewind(k) : NULL;
    if (!(p = reformat_end_document(k, q))) return NULL;
  }
  if (p && !k->more && k->documents == 0 && !k->lines) return json_scan_error(&k->scan, JSON_CHECK_EMPTY, p);
  return p;
}

FL_PRIVATE_NOINLINE int reformat_is_right(struct json_to_json *k, const char *p) {
  struct json_scan *j = &k->scan;
  struct json_events e;
  if (k->where == REFORMAT_BEGIN) return 1;
  if (k->where == REFORMAT_BETWEEN) {
    if (!(p = reformat_skip_between(k, p)) || p == j->end || json_is_cut_space(j, p, j->end)) return 1;
    if (k->documents > 0 && !k->lines) return json_scan_error(j, JSON_CHECK_AFTER, p) != NULL;
  }
  e.scan = *j;
  e.objects = k->objects;
  e.scan.grammar |= JSON_OPEN_END;
  e.scan.whole = 0;
  e.scan.in = j->depth == 0 ? SCAN_ROOT : fl_bit(k->objects, j->depth - 1) ? SCAN_OBJECT : SCAN_ARRAY;
  e.scan.expected = j->depth == 0 ? JSON_EXPECT_VALUE : JSON_EXPECT_NEXT;
  e.scan.at = p;
  do e.scan.stop = e.scan.at + JSON_EVENT_BYTES;
  while (!json_events_scan(&e, e.scan.at) && !e.scan.error && !e.scan.cut);
  return !e.scan.error || json_scan_error(j, e.scan.error, e.scan.at) != NULL;
}
