/* SPDX-License-Identifier: MIT
** host_names.c -- names of hosts, also internationalized ones: IDNA 2008 (RFC 5890 to 5893), Punycode (RFC 3492). */
#include "../../text/utf8.h"
#include "formats.h"
#include "idna_table.h"

enum { IDNA_LONGEST_LABEL = 63, IDNA_LONGEST_NAME = 253 };

/* Bits for kinds of characters, as tools/idna_table.py writes them. 0: not allowed. */
enum idna_kind {
  IDNA_DIRECTION = 7, /* mask of idna_direction */
  IDNA_MARK = 8,      /* general category M */
  IDNA_VIRAMA = 16,
  IDNA_JOINS_NEXT = 32, /* Joining_Type L or D */
  IDNA_JOINS_LAST = 64, /* Joining_Type R or D */
  IDNA_TRANSPARENT = 128,
  IDNA_SCRIPT = 3 << 8, /* mask of idna_script */
};

/* Bidi_Class, as far as the rules need it: R stands for AL, too, NEUTRAL for all others. */
enum idna_direction { IDNA_L = 1, IDNA_R, IDNA_AN, IDNA_EN, IDNA_NSM, IDNA_NEUTRAL };
enum idna_script { IDNA_GREEK = 1 << 8, IDNA_HEBREW = 2 << 8, IDNA_EAST_ASIAN = 3 << 8 };

struct idna_label {
  uint32_t c[IDNA_LONGEST_LABEL + 1];
  uint16_t kind[IDNA_LONGEST_LABEL + 1];
  int n;
  int ascii_length; /* length of the A-label */
};

static unsigned idna_kind_of(uint32_t c) {
  unsigned low = 0, high = sizeof idna_marks / sizeof *idna_marks;
  const unsigned char *p;
  uint32_t at;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (idna_marks[middle].first <= c) low = middle;
    else high = middle;
  }
  at = idna_marks[low].first;
  for (p = idna_runs + idna_marks[low].at; p < idna_runs + sizeof idna_runs; p++) {
    uint32_t x = 0, shift = 0;
    for (; *p & 128; p++, shift += 7) x |= (*p & 127u) << shift;
    x |= (uint32_t)*p << shift;
    at += x >> 5;
    if (c < at) return idna_kinds[x & 31];
  }
  return 0;
}

/* RFC 3492, section 5. */
enum {
  PUNY_BASE = 36,
  PUNY_T_MIN = 1,
  PUNY_T_MAX = 26,
  PUNY_SKEW = 38,
  PUNY_DAMP = 700,
  PUNY_FIRST = 128,
  PUNY_BIAS = 72
};

/* Section 6.1. */
static uint32_t puny_adapt(uint32_t delta, uint32_t count, int is_first) {
  uint32_t k = 0;
  delta = is_first ? delta / PUNY_DAMP : delta / 2;
  for (delta += delta / count; delta > (PUNY_BASE - PUNY_T_MIN) * PUNY_T_MAX / 2; k += PUNY_BASE)
    delta /= PUNY_BASE - PUNY_T_MIN;
  return k + (PUNY_BASE - PUNY_T_MIN + 1) * delta / (delta + PUNY_SKEW);
}

static uint32_t puny_threshold(uint32_t k, uint32_t bias) {
  return k <= bias ? PUNY_T_MIN : k >= bias + PUNY_T_MAX ? PUNY_T_MAX : k - bias;
}

static char puny_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c; }

/* Section 6.2: decodes the part after "xn--" to the label. Returns 0 if it is invalid. */
static int puny_decode(const char *s, size_t n, struct idna_label *to) {
  uint32_t c = PUNY_FIRST, i = 0, bias = PUNY_BIAS;
  size_t at = n;
  to->n = 0;
  while (at > 0 && s[at - 1] != '-') at--;
  if (at > 0)
    for (; to->n < (int)at - 1; to->n++) to->c[to->n] = (unsigned char)puny_lower(s[to->n]);
  while (at < n) {
    const uint32_t before = i;
    uint32_t weight = 1, k, count = (uint32_t)to->n + 1;
    for (k = PUNY_BASE;; k += PUNY_BASE) {
      const char x = at < n ? puny_lower(s[at++]) : 0;
      const uint32_t digit = x >= 'a' && x <= 'z'   ? (uint32_t)(x - 'a')
                             : x >= '0' && x <= '9' ? (uint32_t)(x - '0' + 26)
                                                    : 36;
      const uint32_t t = puny_threshold(k, bias);
      if (digit == 36 || digit > (UINT32_MAX - i) / weight) return 0;
      i += digit * weight;
      if (digit < t) break;
      if (weight > UINT32_MAX / (PUNY_BASE - t)) return 0;
      weight *= PUNY_BASE - t;
    }
    bias = puny_adapt(i - before, count, before == 0);
    if (i / count > 0x10ffff - c) return 0;
    c += i / count;
    i %= count;
    if (to->n == IDNA_LONGEST_LABEL) return 0;
    memmove(to->c + i + 1, to->c + i, ((size_t)to->n - i) * sizeof *to->c);
    to->c[i++] = c;
    to->n++;
  }
  return 1;
}

/* Section 6.3: writes the label as "xn--" and Punycode to `w`. Returns its length, or more than IDNA_LONGEST_LABEL if
** it is too long. One character at least must not be ASCII. */
static int puny_encode(const struct idna_label *of, char w[IDNA_LONGEST_LABEL + 1]) {
  uint32_t c = PUNY_FIRST, delta = 0, bias = PUNY_BIAS, done = 0, basic;
  int n = 4, i;
  memcpy(w, "xn--", 4);
  for (i = 0; i < of->n; i++)
    if (of->c[i] < PUNY_FIRST && n < IDNA_LONGEST_LABEL) w[n++] = (char)of->c[i], done++;
  if ((basic = done) > 0) w[n++] = '-';
  while (done < (uint32_t)of->n) {
    uint32_t next = UINT32_MAX;
    for (i = 0; i < of->n; i++)
      if (of->c[i] >= c && of->c[i] < next) next = of->c[i];
    delta += (next - c) * (done + 1); /* below 2^21 * 2^6 */
    c = next;
    for (i = 0; i < of->n; i++) {
      uint32_t q, k;
      delta += of->c[i] < c;
      if (of->c[i] != c) continue;
      for (q = delta, k = PUNY_BASE;; k += PUNY_BASE) {
        const uint32_t t = puny_threshold(k, bias), digit = q < t ? q : t + (q - t) % (PUNY_BASE - t);
        if (n > IDNA_LONGEST_LABEL) return n;
        w[n++] = (char)(digit < 26 ? 'a' + digit : '0' + digit - 26);
        if (q < t) break;
        q = (q - t) / (PUNY_BASE - t);
      }
      bias = puny_adapt(delta, done + 1, done == basic);
      delta = 0;
      done++;
    }
    delta++, c++;
  }
  return n;
}

/* ------------------------------------------------------------------------------------- labels */

/* RFC 5892, appendix A.1: returns whether the joiner at i follows a virama or stands between letters that join. */
static int idna_may_join(const struct idna_label *l, int i) {
  int before = i - 1, after = i + 1;
  if (before >= 0 && (l->kind[before] & IDNA_VIRAMA)) return 1;
  if (l->c[i] == 0x200d) return 0; /* A.2 */
  while (before >= 0 && (l->kind[before] & IDNA_TRANSPARENT)) before--;
  while (after < l->n && (l->kind[after] & IDNA_TRANSPARENT)) after++;
  return before >= 0 && after < l->n && (l->kind[before] & IDNA_JOINS_NEXT) && (l->kind[after] & IDNA_JOINS_LAST);
}

static int idna_has(const struct idna_label *l, uint32_t from, uint32_t to) {
  int i;
  for (i = 0; i < l->n; i++)
    if (l->c[i] >= from && l->c[i] <= to) return 1;
  return 0;
}

static int idna_has_east_asian(const struct idna_label *l) {
  int i;
  for (i = 0; i < l->n; i++)
    if ((l->kind[i] & IDNA_SCRIPT) == IDNA_EAST_ASIAN && l->c[i] != 0x30fb) return 1;
  return 0;
}

/* RFC 5892, appendix A: rules for characters that are allowed only in some contexts. */
static int idna_fits_context(const struct idna_label *l, int i) {
  const int script_before = i > 0 ? l->kind[i - 1] & IDNA_SCRIPT : 0;
  switch (l->c[i]) {
  case 0x200c:
  case 0x200d: return idna_may_join(l, i);
  case 0xb7: return i > 0 && i + 1 < l->n && l->c[i - 1] == 'l' && l->c[i + 1] == 'l';
  case 0x375: return i + 1 < l->n && (l->kind[i + 1] & IDNA_SCRIPT) == IDNA_GREEK;
  case 0x5f3:
  case 0x5f4: return script_before == IDNA_HEBREW;
  case 0x30fb: return idna_has_east_asian(l);
  default: return l->c[i] < 0x660 || l->c[i] > 0x669 || !idna_has(l, 0x6f0, 0x6f9); /* kinds of digits must not mix */
  }
}

static void idna_find_kinds(struct idna_label *l) {
  int i;
  for (i = 0; i < l->n; i++) l->kind[i] = (uint16_t)idna_kind_of(l->c[i]);
}

/* RFC 5891, section 4.2.3: returns whether the label is a U-label, apart from the Bidi rule. */
static int idna_is_u_label(const struct idna_label *l) {
  int i;
  if (l->c[0] == '-' || l->c[l->n - 1] == '-' || (l->n > 3 && l->c[2] == '-' && l->c[3] == '-')) return 0;
  if (l->kind[0] & IDNA_MARK) return 0;
  for (i = 0; i < l->n; i++)
    if (!l->kind[i] || !idna_fits_context(l, i)) return 0;
  return 1;
}

static int idna_is_right_to_left(const struct idna_label *l) {
  int i;
  for (i = 0; i < l->n; i++)
    if ((l->kind[i] & IDNA_DIRECTION) == IDNA_R || (l->kind[i] & IDNA_DIRECTION) == IDNA_AN) return 1;
  return 0;
}

/* RFC 5893, section 2. */
static int idna_fits_bidi(const struct idna_label *l) {
  const unsigned first = l->kind[0] & IDNA_DIRECTION, right = first == IDNA_R;
  unsigned found = 0, last = 0;
  int i;
  if (first != IDNA_L && !right) return 0;
  for (i = 0; i < l->n; i++) {
    const unsigned is = l->kind[i] & IDNA_DIRECTION;
    found |= 1u << is;
    if (is != IDNA_NSM) last = is;
  }
  if (!right) return !(found & (1u << IDNA_R | 1u << IDNA_AN)) && (last == IDNA_L || last == IDNA_EN);
  if (found & 1u << IDNA_L) return 0;
  if ((found & 1u << IDNA_EN) && (found & 1u << IDNA_AN)) return 0;
  return last == IDNA_R || last == IDNA_EN || last == IDNA_AN;
}

/* RFC 1123: reads letters, digits and hyphens, in lower case. */
static int idna_read_plain(const char *s, size_t n, struct idna_label *l) {
  for (l->n = 0; (size_t)l->n < n; l->n++) {
    const char c = puny_lower(s[l->n]);
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-') return 0;
    l->c[l->n] = (unsigned char)c;
  }
  return s[0] != '-' && s[n - 1] != '-';
}

/* Reads an A-label, which must be what its U-label encodes to (RFC 5891, section 5.4). */
static int idna_read_a_label(const char *s, size_t n, struct idna_label *l) {
  char again[IDNA_LONGEST_LABEL + 1];
  size_t i;
  if (!puny_decode(s + 4, n - 4, l) || l->n == 0) return 0;
  for (i = 0; i < (size_t)l->n && l->c[i] < 0x80; i++) {}
  if (i == (size_t)l->n || puny_encode(l, again) != (int)n) return 0;
  for (i = 0; i < n; i++)
    if (puny_lower(s[i]) != again[i]) return 0;
  idna_find_kinds(l);
  return idna_is_u_label(l);
}

/* Reads a label with characters beyond ASCII. */
static int idna_read_u_label(const char *s, size_t n, struct idna_label *l) {
  char as_ascii[IDNA_LONGEST_LABEL + 1];
  for (l->n = 0; n > 0; l->n++) {
    const int length = l->n == IDNA_LONGEST_LABEL ? 0 : text_utf8_next(s, n, &l->c[l->n]);
    if (length <= 0) return 0;
    s += length, n -= (size_t)length;
  }
  idna_find_kinds(l);
  l->ascii_length = puny_encode(l, as_ascii);
  return l->ascii_length <= IDNA_LONGEST_LABEL && idna_is_u_label(l);
}

/* Reads a label and the kinds of its characters. */
static int idna_read_label(const char *s, size_t n, int international, struct idna_label *l) {
  size_t i;
  if (n == 0) return 0;
  for (i = 0; i < n && (unsigned char)s[i] < 0x80; i++) {}
  if (i < n) return international && idna_read_u_label(s, n, l);
  if (n > IDNA_LONGEST_LABEL || !idna_read_plain(s, n, l)) return 0;
  l->ascii_length = (int)n;
  if (n > 3 && s[2] == '-' && s[3] == '-') {
    if (puny_lower(s[0]) == 'x' && puny_lower(s[1]) == 'n') return idna_read_a_label(s, n, l);
    if (international) return 0; /* reserved: RFC 5890, section 2.3.1 */
  }
  idna_find_kinds(l);
  return 1;
}

/* ------------------------------------------------------------------------------------- names */

/* Returns the end of the label at s, and sets *next to the byte after its dot, or to NULL after the last label. RFC
** 3490, section 3.1 adds three other dots. */
static const char *idna_end_of_label(const char *s, const char *end, int international, const char **next) {
  for (; s < end; s++) {
    *next = s + 1;
    if (*s == '.') return s;
    *next = s + 3;
    if (international && end - s > 2 &&
        (memcmp(s, "\xe3\x80\x82", 3) == 0 || memcmp(s, "\xef\xbc\x8e", 3) == 0 || memcmp(s, "\xef\xbd\xa1", 3) == 0))
      return s;
  }
  *next = NULL;
  return s;
}

/* Returns whether all labels are valid; with `bidi` they must also satisfy the Bidi rule. Sets *is_bidi if a label is
** written from right to left, since then all labels must satisfy it. */
static int idna_are_labels(const char *s, const char *end, int international, int bidi, int *is_bidi) {
  struct idna_label label;
  int length = -1;
  while (s) {
    const char *next, *last = idna_end_of_label(s, end, international, &next);
    if (!idna_read_label(s, (size_t)(last - s), international, &label)) return 0;
    if (bidi && !idna_fits_bidi(&label)) return 0;
    *is_bidi |= idna_is_right_to_left(&label);
    length += 1 + label.ascii_length;
    if (length > IDNA_LONGEST_NAME) return 0;
    s = next;
  }
  return 1;
}

static int schema_is_name(const char *s, size_t n, int international) {
  int is_bidi = 0;
  return idna_are_labels(s, s + n, international, 0, &is_bidi) &&
         (!is_bidi || idna_are_labels(s, s + n, international, 1, &is_bidi));
}

FL_PRIVATE int schema_is_hostname(const char *s, size_t n) { return schema_is_name(s, n, 0); }
FL_PRIVATE int schema_is_idn_hostname(const char *s, size_t n) { return schema_is_name(s, n, 1); }
