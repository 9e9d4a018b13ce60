/* SPDX-License-Identifier: MIT
** test_sse.c -- the lines of server-sent events, cut at every place: cases from the text of WHATWG HTML, section 9.2.6.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/text/test_sse.c -lcmocka; also with sanitizers: each piece has memory of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "text/sse.h"

/* A stream, and what is in it: NAME[VALUE] for a field, a closing bracket if its line has ended; | for an empty line; `?`
** for a field without a meaning. In VALUE a NUL is written 0. */
struct stream {
  const char *text;
  size_t n;
  const char *wanted;
};

#define STREAM(text, wanted) \
  { text, sizeof text - 1, wanted }

/* clang-format off */
static const struct stream streams[] = {
  /* the examples of section 9.2.6 */
  STREAM("data: YHOO\ndata: +2\ndata: 10\n\n", "data[YHOO]data[+2]data[10]|"),
  STREAM(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
         "|data[first event]id[1]|data[second event]id[]|data[ third event]"),
  STREAM("data\n\ndata\ndata\n\ndata:", "data[]|data[]data[]|data["),
  STREAM("data:test\n\ndata: test\n\n", "data[test]|data[test]|"),
  /* and of section 9.2.1 */
  STREAM("event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
         "event[add]data[73857293]|event[remove]data[2153]|"),
  /* end-of-line = ( cr lf / cr / lf ) */
  STREAM("data: a\r\ndata: b\rdata: c\n\r\n\r\r\n\n\r", "data[a]data[b]data[c]|||||"),
  STREAM("\r", "|"), STREAM("\n", "|"), STREAM("\r\n", "|"), STREAM("\n\r", "||"), STREAM("\r\r", "||"),
  STREAM("\r\r\n", "||"), STREAM("\r\n\n", "||"), STREAM("\r\n\r\n", "||"), STREAM("\n\r\n", "||"), STREAM("", ""),
  STREAM("data\r\n\rdata:\r\rdata: \r\n", "data[]|data[]|data[]"),
  /* stream = [ bom ] *event: one mark alone is dropped, and only at the beginning */
  STREAM("\xef\xbb\xbf" "data: a\n", "data[a]"), STREAM("\xef\xbb\xbf", ""), STREAM("\xef\xbb\xbf\n", "|"),
  STREAM("\xef\xbb\xbf:x\ndata\n", "data[]"), STREAM("\xef\xbb\xbf\xef\xbb\xbf" "data: a\n", "?[a]"),
  STREAM("data: a\n\xef\xbb\xbf" "data: b\n", "data[a]?[b]"), STREAM("data: \xef\xbb\xbf\n", "data[\xef\xbb\xbf]"),
  STREAM("\xef\xbb" "data: a\ndata: b\n", "?[a]data[b]"), STREAM("\xef" "data: a\n", "?[a]"),
  STREAM("\xef\xbb\n\n", "?[]|"), STREAM("\xef:\n", "?[]"), STREAM("\xef\xbb\xbe" "data: a\n", "?[a]"),
  /* comment = colon *any-char end-of-line */
  STREAM(":\n", ""), STREAM(":\n\n", "|"), STREAM(":data: a\n", ""), STREAM(": data\r\n: x\rdata:y\n", "data[y]"),
  STREAM("::\ndata: a\n:", "data[a]"), STREAM(":\0\n\n", "|"), STREAM(":long comment without an end", ""),
  /* field = 1*name-char [ colon [ space ] *any-char ] end-of-line; names are compared byte by byte */
  STREAM("data:a\ndata: a\ndata:  a\ndata:\ta\n", "data[a]data[a]data[ a]data[\ta]"),
  STREAM("data: \ndata:  \ndata::\ndata: a: b\n", "data[]data[ ]data[:]data[a: b]"),
  STREAM("Data: a\nDATA: a\ndat: a\ndataa: a\n data: a\ndata : a\n", "?[a]?[a]?[a]?[a]?[a]?[a]"),
  STREAM("i: a\nidd: a\nevents: a\neven: a\nretr: a\nretryy: a\n", "?[a]?[a]?[a]?[a]?[a]?[a]"),
  STREAM("de: a\nevid: a\ndetry: a\nrata: a\n", "?[a]?[a]?[a]?[a]"),
  STREAM("a name that is longer than those that mean something: a\ndata: a\n", "?[a]data[a]"),
  STREAM("d\0ta: a\ndata\0: a\n", "?[a]?[a]"),
  STREAM("data\nevent\nid\nretry\nother\n", "data[]event[]id[]retry[]?[]"),
  /* who reads the events ignores an id with a NUL and a time that is no number: here both are what they are */
  STREAM("id: a\0b\nid:\0\ndata: a\0b\n", "id[a0b]id[0]data[a0b]"),
  STREAM("retry: 1000\nretry:5x\nretry: \nretry:\n", "retry[1000]retry[5x]retry[]retry[]"),
  STREAM("event:  a \nid: \xc3\xa9\n", "event[ a ]id[\xc3\xa9]"),
  /* what has not ended */
  STREAM("data: a\n\ndata: b", "data[a]|data[b"), STREAM("data", ""), STREAM("data:", "data["), STREAM("data: ", "data["),
  STREAM("data: a\r", "data[a]"),
};
/* clang-format on */
enum { STREAMS = sizeof streams / sizeof *streams, ROOM = 1000 };

struct reading {
  struct text_sse t;
  char log[ROOM];
  size_t n;
};

static void note(struct reading *r, const char *s, size_t n) {
  size_t i;
  assert_true(r->n + n < ROOM);
  for (i = 0; i < n; i++) r->log[r->n++] = s[i] ? s[i] : '0';
  r->log[r->n] = 0;
}

static void note_word(struct reading *r, const char *word) { note(r, word, strlen(word)); }

/* Reads one piece, from memory that ends with it. */
static void read_piece(struct reading *r, const char *piece, size_t size) {
  static const char *const names[] = {"data", "event", "id", "retry", "?"};
  char *copy = (char *)malloc(size ? size : 1);
  const char *p = copy, *end = copy + size, *s = NULL;
  size_t n = 0;
  enum text_sse_kind kind;
  assert_non_null(copy);
  memcpy(copy, piece, size);
  while ((kind = text_sse_next(&r->t, &p, end, &s, &n)) != TEXT_SSE_NOTHING) {
    if (kind == TEXT_SSE_BEGIN) note_word(r, names[r->t.field]), note_word(r, "[");
    if (kind == TEXT_SSE_PART) assert_true(n > 0 && s >= copy && s + n <= p), note(r, s, n);
    if (kind == TEXT_SSE_END) note_word(r, "]");
    if (kind == TEXT_SSE_BLANK) note_word(r, "|");
  }
  assert_ptr_equal(p, end);
  free(copy);
}

static void begin(struct reading *r) { memset(r, 0, sizeof *r); }

static void test_whole(void **unused) {
  size_t i;
  for (i = 0; i < STREAMS; i++) {
    struct reading r;
    begin(&r);
    read_piece(&r, streams[i].text, streams[i].n);
    assert_string_equal(r.log, streams[i].wanted);
  }
  (void)unused;
}

/* In three pieces, cut at each two places; empty pieces are among them. */
static void test_cuts(void **unused) {
  size_t i, a, b;
  for (i = 0; i < STREAMS; i++) {
    const struct stream *s = &streams[i];
    for (a = 0; a <= s->n; a++)
      for (b = a; b <= s->n; b++) {
        struct reading r;
        begin(&r);
        read_piece(&r, s->text, a);
        read_piece(&r, s->text + a, b - a);
        read_piece(&r, s->text + b, s->n - b);
        assert_string_equal(r.log, s->wanted);
      }
  }
  (void)unused;
}

static void test_bytes(void **unused) {
  size_t i, at;
  for (i = 0; i < STREAMS; i++) {
    struct reading r;
    begin(&r);
    for (at = 0; at < streams[i].n; at++) read_piece(&r, streams[i].text + at, 1);
    assert_string_equal(r.log, streams[i].wanted);
  }
  (void)unused;
}

/* A value that ends at each place of the blocks in which its end is looked for. */
static void test_lengths(void **unused) {
  static const char *const ends[] = {"\n", "\r", "\r\n"};
  size_t length, e, cut;
  for (length = 0; length < 300; length++)
    for (e = 0; e < 3; e++) {
      char text[ROOM], wanted[ROOM];
      struct reading r;
      char value[301];
      size_t n;
      memset(value, 'v', length);
      value[length] = 0;
      n = (size_t)snprintf(text, sizeof text, "data: %s%s:%s%sid:1%s", value, ends[e], value, ends[e], ends[e]);
      (void)snprintf(wanted, sizeof wanted, "data[%s]id[1]", value);
      for (cut = 0; cut <= n; cut += 1 + n / 40) {
        begin(&r);
        read_piece(&r, text, cut);
        read_piece(&r, text + cut, n - cut);
        assert_string_equal(r.log, wanted);
      }
    }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_cuts),
                                     cmocka_unit_test(test_bytes), cmocka_unit_test(test_lengths)};
  return cmocka_run_group_tests_name("sse", tests, NULL, NULL);
}
