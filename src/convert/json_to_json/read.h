/* SPDX-License-Identifier: MIT
** read.h -- the documents of a text that may come in pieces, cut anywhere.
** May call: json/grammar/scan.h, convert/json_to_json/json_to_json.h.
** Must hold: where a piece ends inside a document, reading goes back to the last value that ended, and goes on from
** there when there is more text: so only one string or number, and what was opened since, has to be kept. An error is
** one only where no further text could mend it. */
#ifndef FLEECE_CONVERT_JSON_TO_JSON_READ_H
#define FLEECE_CONVERT_JSON_TO_JSON_READ_H

#include "json_to_json.h"

/* No token but strings, comments and numbers, which announce themselves by JSON_CHECK_END or COMMENT, is longer: two
** escapes that make one character are 12 bytes, -Infinity 9. */
enum { REFORMAT_LONGEST = 16 };

/* May the error be due to the cut? */
FL_FUNC int reformat_is_cut(const struct json_to_json *k) {
  const struct json_scan *j = &k->scan;
  return k->more && !k->out->error && j->error != JSON_CHECK_MEMORY && j->error != JSON_CHECK_DEPTH &&
         (j->error == JSON_CHECK_END || j->error == JSON_CHECK_COMMENT || j->end - j->at < REFORMAT_LONGEST);
}

/* Back to the last value that ended, or to the beginning of the document, which may turn out to be a comment's. */
FL_FUNC const char *reformat_go_back(struct json_to_json *k) {
  k->w = k->out->buffer.begin + k->part.written;
  k->scan.depth = k->part.depth;
  k->scan.error = 0;
  k->strict = 0;
  k->member_count = k->part.members;
  k->first = k->part.first;
  if (k->scan.depth == 0) k->where = REFORMAT_BETWEEN;
  return k->part.p;
}

/* Past white space and the record separators of RFC 7464, to a document or the end. */
FL_FUNC const char *reformat_skip_between(struct json_to_json *k, const char *p) {
  while ((p = json_skip_space(&k->scan, p)) != NULL && *p == 0x1e && k->lines) p++;
  return p;
}

/* Behind a number or word something must show that it has ended: of a lenient grammar a comment too, other white
** space or another quote. */
FL_FUNC int reformat_is_apart(struct json_to_json *k, const char *p) {
  if (p == k->scan.end || reformat_is_closed(p)) return 1;
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
  default: return json_skip_space(&k->scan, p) != p; /* a comment without an end is the next document's error */
  }
}

/* Before the text: a byte order mark that may be there. */
FL_FUNC const char *reformat_skip_mark(struct json_to_json *k, const char *p) {
  const size_t n = (size_t)(k->scan.end - p);
  if (n < 3 && k->more && memcmp(p, "\xef\xbb\xbf", n) == 0) return p;
  k->where = REFORMAT_BETWEEN;
  if (n < 3 || memcmp(p, "\xef\xbb\xbf", 3) != 0) return p;
  return k->scan.grammar & JSON_BOM ? p + 3 : json_scan_error(&k->scan, JSON_CHECK_BOM, p);
}

/* Between documents, at p: to the beginning of the next one. NULL: an error. k->where stays what it is where none
** begins yet. */
FL_FUNC const char *reformat_begin_document(struct json_to_json *k, const char *p) {
  const char *q = reformat_skip_between(k, p);
  if (q == k->scan.end) return k->more && (k->scan.grammar & JSON_WIDE_SPACE) ? p : q;
  if (q && k->documents > 0 && !k->lines) q = json_scan_error(&k->scan, JSON_CHECK_AFTER, q);
  if (!q) return reformat_is_cut(k) ? p : NULL; /* the beginning of a comment or of wide space, maybe */
  k->where = REFORMAT_INSIDE;
  k->document = q;
  return reformat_set_part(k, q) ? q : NULL;
}

/* The value that ended is a document. */
FL_FUNC const char *reformat_end_document(struct json_to_json *k, const char *p) {
  if (!reformat_is_apart(k, p)) return json_scan_error(&k->scan, JSON_CHECK_AFTER, p);
  k->documents++;
  k->where = REFORMAT_BETWEEN;
  if (k->lines) k->w[-1] = '\n';
  else k->w--;
  return reformat_set_part(k, p) ? p : NULL;
}

/* Reads [p, scan.end): answers how far, and the text from there on has to come again, with more behind it. What comes
** is set by the caller: k->more. NULL: an error, in scan or out. */
FL_FUNC const char *reformat_read(struct json_to_json *k, const char *p) {
  const int fancy = k->out->style->indent_length || k->colors || k->sorts;
  if (k->where == REFORMAT_BEGIN && (!(p = reformat_skip_mark(k, p)) || k->where == REFORMAT_BEGIN)) return p;
  if (k->where == REFORMAT_INSIDE) k->part.p = p;
  for (;;) {
    const char *q;
    if (k->where == REFORMAT_BETWEEN && (!(p = reformat_begin_document(k, p)) || k->where == REFORMAT_BETWEEN)) break;
    q = fancy ? reformat_scan_fancy(k, &k->scan, p) : reformat_scan_plain(k, &k->scan, p);
    if (!q) return reformat_is_cut(k) ? reformat_go_back(k) : NULL;
    if (!(p = reformat_end_document(k, q))) return NULL;
  }
  if (p && !k->more && k->documents == 0 && !k->lines) return json_scan_error(&k->scan, JSON_CHECK_EMPTY, p);
  return p;
}

#endif
