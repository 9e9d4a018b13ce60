/* SPDX-License-Identifier: MIT
** general.h -- the escape copy with every option; and cutting long strings.
** Must hold: w has room for 6n + 64 bytes; outside s[0..n) only its page is read. */
#pragma once

#include "escape_table.h"
#include "utf8.h"

/* What to do with bytes that are not UTF-8. */
enum {
  TEXT_INVALID_ERROR,   /* refuse the string: the caller has validated it before */
  TEXT_INVALID_REPLACE, /* write U+FFFD for each maximal ill-formed subpart */
  TEXT_INVALID_ESCAPE,  /* write \u00xx for each byte: the Latin-1 character of that number */
  TEXT_INVALID_PASS     /* copy them; with `ascii` as ESCAPE, because the copy would not be ASCII */
};

/* '"', '\\' and 0..31 are always escaped. */
struct text_style {
  unsigned char slash; /* '/' as \/ */
  unsigned char ascii; /* everything above 127 as \uxxxx, in pairs above U+FFFF */
  unsigned char html;  /* < > & and U+2028 U+2029 as \uxxxx: safe inside <script> */
  unsigned del : 1;    /* 127 as \u007f */
  unsigned unseen : 1; /* invisible characters as \uxxxx; only with TEXT_INVALID_PASS */
  unsigned invalid;    /* TEXT_INVALID_* */
};

/* Returns whether s[0..n) contains an invisible character. */
FL_PRIVATE int text_has_unseen(const char *s, size_t n);

/* Writes s[0..n) at w, escaped in the given style, without quotes. Returns the end. A byte becomes at most 6 bytes, by
** \u00xx or by U+FFFD as \ufffd. `cpu`: the TEXT_CPU_ bits to use. */
FL_PRIVATE char *text_escape_general(char *w, const char *s, size_t n, const struct text_style *style, unsigned cpu);

/* Copies s[0..n) to w, which has room for 64 bytes, and returns the end, if it is short, ASCII, and nothing in it is
** escaped; else NULL. */
FL_PRIVATE char *text_copy_plain(char *w, const char *s, size_t n, const struct text_style *style);

/* text_escape_general byte by byte, for testing the other. */
FL_PRIVATE char *text_escape_general_portable(char *w, const char *s, size_t n, const struct text_style *style);

/* Writes s[0..n) at w, which has room for 3n bytes, as readers of the escaped text get it: with what is not UTF-8
** replaced. Returns the end. */
FL_PRIVATE char *text_mend(char *w, const char *s, size_t n, const struct text_style *style);

/* Writes s[0..n) at w, which has room for 4n bytes, with quotes, backslashes and control characters as in a Lua string.
** Returns the end. */
FL_PRIVATE char *text_show(char *w, const char *s, size_t n);

/* Returns where to cut s[0..n), so that the piece has at most `limit` bytes and no character is split: n if it is short
** enough, else limit or up to 3 less. Ill-formed text is cut so that the pieces, escaped one by one, give the same as
** the whole. limit >= 4, or some texts give an empty piece. */
FL_PRIVATE size_t text_cut(const char *s, size_t n, size_t limit);
