/* SPDX-License-Identifier: MIT
** escape_table.h -- the class of each byte, and its escape text.
** Must hold: an entry has 8 bytes, so that one store writes the text and one addition skips it. */
#pragma once

#include "../base/def.h"

/* Which characters a routine escapes. */
#define TEXT_QUOTE 1u   /* '"' and '\\': RFC 8259, section 7 */
#define TEXT_CONTROL 2u /* 0..31: RFC 8259, section 7 */
#define TEXT_SLASH 4u   /* '/' */
#define TEXT_DEL 8u     /* 127 */
#define TEXT_HTML 16u   /* '<' '>' '&' */
#define TEXT_STAR 64u   /* with TEXT_QUOTE: a TEXT_PURGE_CHAR replaces each of them */
#define TEXT_HIGH 128u  /* a class, but never escaped: 0x80 and above */

/* What TEXT_STAR writes. A build may set another character that needs no escape: -DFLEECE_PURGE_CHAR=95. */
#ifndef FLEECE_PURGE_CHAR
#define FLEECE_PURGE_CHAR '*'
#endif
enum { TEXT_PURGE_CHAR = FLEECE_PURGE_CHAR };
FL_STATIC_ASSERT(TEXT_PURGE_CHAR >= 32 && TEXT_PURGE_CHAR < 127 && TEXT_PURGE_CHAR != '"' && TEXT_PURGE_CHAR != '\\',
                 purge_char_needs_no_escape);

/* Every byte has an escape text, in bytes 0..5 of its entry, with the length in byte 7. It is the two-character form of
** RFC 8259 if there is one, else \u00xx with lower-case digits: for 0x80 and above the Latin-1 character. */
#define TEXT_U(h, l) \
  { '\\', 'u', '0', '0', h, l, 0, 6 }
#define TEXT_C(c) \
  { '\\', c, 0, 0, 0, 0, 0, 2 }
/* clang-format off */
#define TEXT_U8(h) TEXT_U(h, '0'), TEXT_U(h, '1'), TEXT_U(h, '2'), TEXT_U(h, '3'), \
  TEXT_U(h, '4'), TEXT_U(h, '5'), TEXT_U(h, '6'), TEXT_U(h, '7')
#define TEXT_U16(h) TEXT_U8(h), TEXT_U(h, '8'), TEXT_U(h, '9'), TEXT_U(h, 'a'), TEXT_U(h, 'b'), \
  TEXT_U(h, 'c'), TEXT_U(h, 'd'), TEXT_U(h, 'e'), TEXT_U(h, 'f')
/* clang-format on */

FL_ONE_OBJECT const char text_escape_text[256][8]
#if defined(__GNUC__)
    __attribute__((aligned(64), unused))
#endif
    = {
        TEXT_U8('0'),     TEXT_C('b'),      TEXT_C('t'),      TEXT_C('n'),      TEXT_U('0', 'b'), TEXT_C('f'),
        TEXT_C('r'),      TEXT_U('0', 'e'), TEXT_U('0', 'f'), TEXT_U16('1'),    TEXT_U('2', '0'), TEXT_U('2', '1'),
        TEXT_C('"'),      TEXT_U('2', '3'), TEXT_U('2', '4'), TEXT_U('2', '5'), TEXT_U('2', '6'), TEXT_U('2', '7'),
        TEXT_U('2', '8'), TEXT_U('2', '9'), TEXT_U('2', 'a'), TEXT_U('2', 'b'), TEXT_U('2', 'c'), TEXT_U('2', 'd'),
        TEXT_U('2', 'e'), TEXT_C('/'),      TEXT_U16('3'),    TEXT_U16('4'),    TEXT_U8('5'),     TEXT_U('5', '8'),
        TEXT_U('5', '9'), TEXT_U('5', 'a'), TEXT_U('5', 'b'), TEXT_C('\\'),     TEXT_U('5', 'd'), TEXT_U('5', 'e'),
        TEXT_U('5', 'f'), TEXT_U16('6'),    TEXT_U16('7'),    TEXT_U16('8'),    TEXT_U16('9'),    TEXT_U16('a'),
        TEXT_U16('b'),    TEXT_U16('c'),    TEXT_U16('d'),    TEXT_U16('e'),    TEXT_U16('f'),
};

#undef TEXT_U16
#undef TEXT_U8
#undef TEXT_C
#undef TEXT_U

/* Returns the class of a byte. For a constant set of flags the compiler reduces it to few compares; a table would take
** space in the cache. */
FL_INLINE unsigned text_class(unsigned char c) {
  return c < 32                             ? TEXT_CONTROL
         : c >= 128                         ? TEXT_HIGH
         : c == '"' || c == '\\'            ? TEXT_QUOTE
         : c == '/'                         ? TEXT_SLASH
         : c == 127                         ? TEXT_DEL
         : c == '<' || c == '>' || c == '&' ? TEXT_HTML
                                            : 0u;
}

/* Writes the escape text of c at w and returns its end; 8 bytes are overwritten. */
FL_INLINE char *text_put_escape(char *w, unsigned char c) {
  const char *text = text_escape_text[c];
  memcpy(w, text, 8);
  return w + text[7];
}
