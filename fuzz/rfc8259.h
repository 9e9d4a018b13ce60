/* SPDX-License-Identifier: MIT
** rfc8259.h -- the grammar of RFC 8259, implemented rule by rule, for fuzz targets.
** Must hold: before it, the target defines DEEPEST, the number of levels that are allowed. */
#ifndef FLEECE_FUZZ_RFC8259_H
#define FLEECE_FUZZ_RFC8259_H

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

static int is_json(const void *data, size_t size) {
  s = (const unsigned char *)data, end = s + size;
  return value(0) && s == end;
}

#endif
