/* SPDX-License-Identifier: MIT
** general.h -- the escape copy with every option, character by character; and cutting long strings.
** May call: utf8.h, escape_table.h.  Must hold: w has room for 6n + 64 bytes, no read outside s[0..n). */
#ifndef FLEECE_TEXT_GENERAL_H
#define FLEECE_TEXT_GENERAL_H

#include "escape_table.h"
#include "utf8.h"

/* What to do with bytes that are not UTF-8. */
enum {
  TEXT_INVALID_ERROR,   /* cannot happen here: the caller has validated, and refused */
  TEXT_INVALID_REPLACE, /* U+FFFD for each maximal ill-formed subpart */
  TEXT_INVALID_ESCAPE,  /* \u00xx for each byte: the Latin-1 character of that number */
  TEXT_INVALID_PASS     /* verbatim; with `ascii` as ESCAPE, since verbatim would not be ASCII */
};

/* '"', '\\' and 0..31 are always escaped. */
struct text_style {
  unsigned slash : 1;  /* '/' as \/ */
  unsigned del : 1;    /* 127 as \u007f */
  unsigned ascii : 1;  /* everything above 127 as \uxxxx, in pairs above U+FFFF */
  unsigned html : 1;   /* < > & and U+2028 U+2029 as \uxxxx: safe inside <script> */
  unsigned unseen : 1; /* the characters of text_unseen as \uxxxx; not together with another policy than PASS */
  unsigned invalid;    /* TEXT_INVALID_* */
};

FL_PRIVATE int text_has_unseen(const char *s, size_t n);

/* Writes s[0..n) at w, escaped in the given style, without quotes; returns the end. A byte becomes at most
** 6 bytes, by \u00xx or by one U+FFFD in ASCII. */
FL_PRIVATE char *text_escape_general(char *w, const char *s, size_t n, const struct text_style *style);

/* Is the byte in the set, of a bit each? */
FL_INLINE int text_in_set(const unsigned char *set, char c) {
  return set[(unsigned char)c / 8] >> ((unsigned char)c & 7) & 1;
}

/* The same for the bytes of a set, one by one, but those that LuaJSON has no escape for: \xXX or \u00XX with digits
** A-F where there is no shorter one. With `x` a vertical tab has one: no escape of JSON is asked for then. */
FL_PRIVATE char *text_escape_set(char *w, const char *s, size_t n, const unsigned char *set, int x);

/* Where to cut s[0..n) so that the piece has at most `limit` bytes and no character is cut through:
** n if that is short enough, else limit or up to 3 less. Ill-formed text is cut so that pieces, escaped one
** by one, give the same as the whole. Needs limit >= 4 to advance in every text. */
FL_PRIVATE size_t text_cut(const char *s, size_t n, size_t limit);

#endif
