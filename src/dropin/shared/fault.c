/* SPDX-License-Identifier: MIT */
#include "fault.h"

FL_PRIVATE void dropin_fault_begin(struct dropin_fault *f, const struct dropin_fault_rules *rules, const char *end,
                                   unsigned grammar, uint32_t max_depth) {
  memset(f, 0, sizeof *f);
  f->rules = rules;
  f->end = end;
  f->grammar = grammar;
  f->max_depth = max_depth;
}

FL_PRIVATE const char *dropin_fault_is(struct dropin_fault *f, enum dropin_fault_cause cause, const char *p) {
  const unsigned char place = f->rules->place[cause];
  FL_ASSERT(f->rules->texts[cause]);
  f->cause = cause;
  f->at = place == DROPIN_FAULT_TOKEN ? f->token : p + (place == DROPIN_FAULT_NEXT_BYTE);
  return NULL;
}

/* Skips white space and comments. Returns the next token, or NULL with the fault. */
static const char *dropin_fault_space(struct dropin_fault *f, const char *p) {
  for (;;) {
    p = json_skip_blanks(p);
    if (!(f->grammar & JSON_COMMENTS) || *p != '/' || (p[1] != '/' && p[1] != '*')) return p;
    if (p[1] == '/') {
      while (p < f->end && *p != '\n') p++;
    } else {
      if (!(p = json_comment_close(p + 2, f->end))) return dropin_fault_is(f, DROPIN_FAULT_COMMENT, f->end);
    }
  }
}

/* Reads the \u escape at p, or two of them, a surrogate pair. Returns the byte after it, or NULL with the fault. */
static const char *dropin_fault_unicode(struct dropin_fault *f, const char *p) {
  int unit = json_check_hex(p + 2, f->end);
  if (unit < 0) return dropin_fault_is(f, DROPIN_FAULT_HEX, p);
  if ((unit & 0xfc00) == 0xdc00 && f->rules->texts[DROPIN_FAULT_LOW]) return dropin_fault_is(f, DROPIN_FAULT_LOW, p);
  if ((unit & 0xfc00) != 0xd800 || !f->rules->texts[DROPIN_FAULT_PAIR]) return p + 6;
  if (p[6] != '\\' || p[7] != 'u') return dropin_fault_is(f, DROPIN_FAULT_PAIR, p);
  unit = json_check_hex(p + 8, f->end);
  if (unit < 0) return dropin_fault_is(f, DROPIN_FAULT_HEX, p);
  return (unit & 0xfc00) == 0xdc00 ? p + 12 : dropin_fault_is(f, DROPIN_FAULT_PAIR, p);
}

FL_PRIVATE const char *dropin_fault_string(struct dropin_fault *f, const char *p) {
  p++;
  while (*p != '"') {
    if (*p == 0) return dropin_fault_is(f, p == f->end ? DROPIN_FAULT_UNCLOSED : DROPIN_FAULT_ZERO, p);
    if ((unsigned char)*p < 0x20 && f->rules->texts[DROPIN_FAULT_CONTROL])
      return dropin_fault_is(f, DROPIN_FAULT_CONTROL, p);
    if (*p != '\\') p++;
    else if (text_short_escape(p[1])) p += 2;
    else if (p[1] != 'u') return dropin_fault_is(f, DROPIN_FAULT_ESCAPE, p);
    else if (!(p = dropin_fault_unicode(f, p))) return NULL;
  }
  return p + 1;
}

/* Moves *p to the next token, where `due` is expected. Returns 0 with the fault: a comment has no end. */
static int dropin_fault_expect(struct dropin_fault *f, const char **p, enum dropin_fault_cause due) {
  f->due = due;
  f->token = f->end;
  if (!(*p = dropin_fault_space(f, *p))) return 0;
  f->token = *p;
  return 1;
}

FL_PRIVATE int dropin_read_fault(struct dropin_fault *f, const char *p, unsigned char *arrays) {
  size_t depth = 0;
  int in_array = 0;

value:
  if (!dropin_fault_expect(f, &p, depth ? DROPIN_FAULT_VALUE : DROPIN_FAULT_ROOT)) return 1;
  if (*p == '{' || *p == '[') {
    if (depth == f->max_depth) return !dropin_fault_is(f, DROPIN_FAULT_DEPTH, p);
    fl_set_bit(arrays, depth, in_array);
    depth++;
    in_array = *p++ == '[';
    goto item_or_end;
  }
  if (!(p = *p == '"' ? dropin_fault_string(f, p) : f->rules->scalar(f, p))) return 1;

next:
  if (!dropin_fault_expect(f, &p, !depth ? DROPIN_FAULT_END : in_array ? DROPIN_FAULT_ARRAY : DROPIN_FAULT_OBJECT))
    return 1;
  if (!depth) return p != f->end && !dropin_fault_is(f, DROPIN_FAULT_END, p);
  if (*p == (in_array ? ']' : '}')) goto close;
  if (*p++ != ',') return !dropin_fault_is(f, f->due, p - 1);
  if (f->grammar & JSON_TRAILING_COMMAS) goto item_or_end;

item:
  if (in_array) goto value;
  if (!dropin_fault_expect(f, &p, DROPIN_FAULT_NAME)) return 1;
  if (*p != '"') return !dropin_fault_is(f, DROPIN_FAULT_NAME, p);
  if (!(p = dropin_fault_string(f, p))) return 1;
  if (!dropin_fault_expect(f, &p, DROPIN_FAULT_COLON)) return 1;
  if (*p++ != ':') return !dropin_fault_is(f, DROPIN_FAULT_COLON, p - 1);
  goto value;

item_or_end:
  if (!dropin_fault_expect(f, &p, in_array ? DROPIN_FAULT_VALUE : DROPIN_FAULT_NAME)) return 1;
  if (*p != (in_array ? ']' : '}')) goto item;

close:
  FL_ASSERT(depth > 0);
  p++;
  depth--;
  in_array = fl_bit(arrays, depth);
  goto next;
}
