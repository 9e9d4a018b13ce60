/* SPDX-License-Identifier: MIT
** check.c -- libFuzzer target: compares the JSON checker, and the test by vectors for each CPU, with the grammar of
** RFC 8259, implemented rule by rule. The vectors take arrays and objects, and may refuse large numbers.
** Build: clang -std=gnu99 -g -O1 -fsanitize=fuzzer,address,undefined -DFLEECE_ASSERT -Isrc fuzz/check.c */
#include <stdlib.h>

#include "json/grammar/check.h"
#include "json/index/locate.h"
#include "text/cpu.h"

enum { DEEPEST = 20 };
static const unsigned char *s, *end; /* the remaining text; after a failed rule s is undefined */

static int is(int c) { return s < end && *s == c ? s++, 1 : 0; }
static int range(int low, int high) { return s < end && *s >= low && *s <= high ? s++, 1 : 0; }
static int word(const char *w) {
  while (*w)
    if (!is(*w++)) return 0;
  return 1;
}
static void space(void) {
  while (is(' ') || is('\t') || is('\n') || is('\r')) {}
}
static int digits(void) {
  int n = 0;
  while (range('0', '9')) n++;
  return n > 0;
}
static int hex(void) { return range('0', '9') || range('a', 'f') || range('A', 'F'); }
static int tail(void) { return range(0x80, 0xbf); }

/* The ABNF of RFC 3629, section 4. */
static int utf8(void) {
  if (range(0xc2, 0xdf)) return tail();
  if (is(0xe0)) return range(0xa0, 0xbf) && tail();
  if (range(0xe1, 0xec) || range(0xee, 0xef)) return tail() && tail();
  if (is(0xed)) return range(0x80, 0x9f) && tail();
  if (is(0xf0)) return range(0x90, 0xbf) && tail() && tail();
  if (range(0xf1, 0xf3)) return tail() && tail() && tail();
  return is(0xf4) && range(0x80, 0x8f) && tail() && tail();
}

static int escape(void) {
  if (is('"') || is('\\') || is('/') || is('b') || is('f') || is('n') || is('r') || is('t')) return 1;
  if (!is('u')) return 0;
  if (!is('d') && !is('D')) return hex() && hex() && hex() && hex();
  if (range('0', '7')) return hex() && hex();
  return (is('8') || is('9') || is('a') || is('b') || is('A') || is('B')) && hex() && hex() && is('\\') && is('u') &&
         (is('d') || is('D')) && (range('c', 'f') || range('C', 'F')) && hex() && hex();
}

static int string(void) {
  if (!is('"')) return 0;
  while (!is('"'))
    if (is('\\') ? !escape() : !range(0x20, 0x7f) && !utf8()) return 0;
  return 1;
}

static int number(void) {
  is('-');
  if (!is('0') && !(range('1', '9') && (digits(), 1))) return 0;
  if (is('.') && !digits()) return 0;
  return is('e') || is('E') ? (void)(is('+') || is('-')), digits() : 1;
}

static int value(int depth);
static int item(int depth, int named) {
  return named && (space(), !string() || (space(), !is(':'))) ? 0 : value(depth);
}
static int value(int depth) {
  int object, ok = 1;
  space();
  if ((object = is('{')) || is('[')) {
    if (depth == DEEPEST) return 0;
    space();
    if (!is(object ? '}' : ']')) {
      while ((ok = item(depth + 1, object)) && is(',')) {}
      ok = ok && is(object ? '}' : ']');
    }
  } else if (s < end && *s == '"') ok = string();
  else ok = is('t') ? word("rue") : is('f') ? word("alse") : is('n') ? word("ull") : number();
  space();
  return ok;
}

/* May the test by vectors refuse a valid text? Then it is a scalar, or has an exponent or more than 200 digits. */
static int may_refuse(const char *text, size_t n) {
  const char *p = text;
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
  if ((*p != '[' && *p != '{') || n > 200) return 1;
  for (p++; p < text + n; p++)
    if ((*p == 'e' || *p == 'E') && p[-1] >= '0' && p[-1] <= '9') return 1;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t where = size + 1;
  char *text = malloc(size + 1); /* ends with 0, as Lua strings do */
  unsigned char containers[JSON_CONTAINERS(DEEPEST)];
  const unsigned all = text_cpu(),
                 cpus[] = {all, all & ~(unsigned)TEXT_CPU_WIDEST, 0, JSON_INDEX_WORDS, JSON_INDEX_BLOCKS};
  int error, ok, i;
  if (!text) abort();
  memcpy(text, data, size);
  text[size] = 0;
  error = json_check(text, size, DEEPEST, &where);
  for (i = 0; i < 4; i++)
    if (json_is_text(text, size, DEEPEST, containers, cpus[i]) ? error != 0 : !error && !may_refuse(text, size))
      abort();
  free(text);
  s = data, end = data + size;
  ok = value(0) && s == end;
  if (ok != (error == 0) || (error && (where > size || !json_check_message(error)))) abort();
  return 0;
}
