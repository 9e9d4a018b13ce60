/* SPDX-License-Identifier: MIT
** text.c -- libFuzzer target: the first byte is a set of options, the rest is text. The escaping copy that they choose
** must write the same as the byte-wise one, within the guaranteed space. Both UTF-8 checks must agree with a reader by
** value. Text in pieces must be escaped to the same as in one piece. Read as the inside of a string of JSON, blocks and
** bytes must agree.
** Build: make build/tests/fuzz/text */
#include <stdlib.h>

#include "text/general.h"
#include "text/quote.h"
#include "text/unescape.h"
#include "text/utf8.h"
#include "../tests/c/support/utf8.h"

typedef char *(*escape_fn)(char *w, const char *s, size_t n, unsigned *high);
/* clang-format off */
static const struct { escape_fn fast; unsigned set; } escapes[] = {
#define ENTRY(name, set) { text_escape_##name, set },
  TEXT_ESCAPES(ENTRY)
#undef ENTRY
};
/* clang-format on */

static void require(int ok) {
  if (!ok) abort();
}

/* s[n] is 0. */
static void read_string(const char *s, size_t n, char *got, char *want) {
  uint64_t high = 0;
  const char *end = s + n, *close = text_string_end_bytes(s, end, &high), *at = s, *at2 = s;
  size_t m;
  require(text_string_end(s, end, &high) == close);
  require(text_check_escapes(s, end, &high) == text_check_escapes_bytes(s, end, &high));
  if (*close != '"') return;
  m = (size_t)(text_unescape_bytes(want, &at, close) - want);
  require((size_t)(text_unescape(got, &at2, close, end, text_cpu()) - got) == m && at == at2 &&
          memcmp(got, want, m) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct text_style style = {.invalid = TEXT_INVALID_PASS};
  unsigned i, high, high2, options;
  size_t n, at, m, room, limit, good;
  char *want, *got, *s, *w;
  if (size < 1) return 0;
  options = data[0];
  n = size - 1 < TEXT_PIECE_MAX ? size - 1 : TEXT_PIECE_MAX;
  room = 6 * n + 64;
  want = malloc(room), got = malloc(room), s = malloc(n + 2);
  require(want && got && s);
  memmove(s + 1, data + 1, n); /* an odd address */
  s++;
  i = options % (sizeof escapes / sizeof escapes[0]);
  high = high2 = 0;
  m = (size_t)(text_escape_bytes(want, s, n, &high, escapes[i].set) - want);
  require((size_t)(escapes[i].fast(got, s, n, &high2) - got) == m && memcmp(got, want, m) == 0 && !high == !high2);
  for (good = 0; good < n && (at = utf8_character((const unsigned char *)s + good, n - good)) != 0;) good += at;
  require(text_utf8_valid(s, n) == good && text_utf8_pick(text_cpu())(s, n) == good);
  /* The general escape must equal e4 with the same options, and pieces must equal the whole. */
  style.slash = style.del = 1;
  m = (size_t)(text_escape_bytes(want, s, n, &high, TEXT_SET_e4) - want);
  require((size_t)(text_escape_general(got, s, n, &style, text_cpu()) - got) == m && memcmp(got, want, m) == 0);
  style.slash = options & 1, style.del = options >> 1 & 1, style.ascii = options >> 2 & 1,
  style.html = options >> 3 & 1;
  style.invalid = (options >> 4) % 4;
  if (good < n && style.invalid == TEXT_INVALID_ERROR) style.invalid = TEXT_INVALID_REPLACE;
  m = (size_t)(text_escape_general(want, s, n, &style, text_cpu()) - want);
  require((size_t)(text_escape_general_portable(got, s, n, &style) - got) == m && memcmp(got, want, m) == 0);
  if (style.invalid != TEXT_INVALID_PASS) require(text_utf8_valid(want, m) == m);
  for (limit = 4 + (options >> 5) * 7, at = 0, w = got; at < n; at += i) {
    i = (unsigned)text_cut(s + at, n - at, limit);
    require(i > 0 && i <= limit);
    if ((size_t)(w - got) + 6 * i + 64 > room) break;
    w = text_escape_general(w, s + at, i, &style, text_cpu());
  }
  require(memcmp(got, want, (size_t)(w - got)) == 0 && (at < n || (size_t)(w - got) == m));
  s[n] = 0;
  read_string(s, n, got, want);
  free(want), free(got), free(s - 1);
  return 0;
}
