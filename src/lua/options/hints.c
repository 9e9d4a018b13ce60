/* SPDX-License-Identifier: MIT */
#include "hints.h"

FL_PRIVATE void mod_pass_before(struct mod_before *before, const char *begin, const char *at) {
  int line_end = 0;
  for (; at > begin && json_is_blank(at[-1]); at--) line_end |= at[-1] == '\n';
  if (at > begin) before->byte = at[-1], before->has_line_end = line_end;
  else before->has_line_end |= line_end;
}

/* What may follow in other grammars; tried in texts whose next bytes are not there yet. */
static const char *const mod_option_tokens[] = {"//", "NaN", "Infinity", "-Infinity", "''",
                                                "+0", ".0",  "x0",       "X0",        "\\u0061"};

/* A text on which options are tried. */
struct mod_trial {
  struct json_scan scan;
  const char *at, *number; /* position of the error; beginning of the number before it, or the same */
  char pieces[64], scratch[256];
};

static char *mod_no_memory(void *owner, size_t n) {
  (void)owner, (void)n;
  return NULL;
}

static int mod_is_in_number(char c) { return json_is_digit(c) || (c && strchr("+-.eE", c)); }

static void mod_begin_trial(struct mod_trial *t, const struct mod_fault *f) {
  size_t i, kept = 0, n = (size_t)(f->at - f->begin);
  memset(t, 0, sizeof *t);
  t->scan.begin = f->begin, t->scan.end = f->end;
  t->scan.scratch = t->scratch, t->scan.room = sizeof t->scratch;
  t->scan.grow = mod_no_memory;
  t->at = f->at;
  if (f->in_pieces) {
    if (n > JSON_WHERE_BEFORE) n = JSON_WHERE_BEFORE;
    else kept = f->kept < JSON_WHERE_BEFORE - n ? f->kept : JSON_WHERE_BEFORE - n;
    memcpy(t->pieces, f->line + f->kept - kept, kept);
    memcpy(t->pieces + kept, f->at - n, n);
    t->scan.begin = t->pieces;
    t->at = t->scan.end = t->pieces + kept + n;
    if (f->at < f->end) t->pieces[kept + n] = *f->at;
    for (i = 0; f->at < f->end && i < sizeof mod_option_tokens / sizeof *mod_option_tokens; i++)
      if (*mod_option_tokens[i] == *f->at)
        memcpy(t->pieces + kept + n, mod_option_tokens[i], strlen(mod_option_tokens[i]));
    t->scan.end += strlen(t->scan.end);
  }
  t->number = t->at;
  while (t->number > t->scan.begin && mod_is_in_number(t->number[-1])) t->number--;
}

static int mod_allows_escape(unsigned grammar, const char *p, const char *end) {
  if (!(grammar & JSON_JSON5) || end - p < 2 || p[1] == 'u') return 0;
  if (p[1] == 'x') return end - p >= 4 && text_hex_digit(p[2]) >= 0 && text_hex_digit(p[3]) >= 0;
  return !json_is_digit(p[1]) || (p[1] == '0' && !(end - p > 2 && json_is_digit(p[2])));
}

enum mod_allowed { MOD_REFUSED, MOD_ALLOWED, MOD_PERHAPS };

/* Returns whether this grammar allows what is at the error. */
static enum mod_allowed mod_try_grammar(struct mod_trial *t, const struct mod_fault *f, unsigned grammar) {
  const enum mod_allowed passed = f->in_pieces ? MOD_PERHAPS : MOD_ALLOWED;
  const char c = f->at < f->end ? *f->at : 0, *p = NULL;
  struct json_scan *j = &t->scan;
  struct json_lenient_value value;
  struct json_string name;
  struct mod_before before = *f->before;
  j->grammar = grammar;
  j->error = JSON_CHECK_OK;
  switch (f->error) {
  case JSON_CHECK_BOM: return grammar & JSON_BOM ? MOD_ALLOWED : MOD_REFUSED;
  case JSON_CHECK_CONTROL: return grammar & JSON_JSON5 && c != '\n' && c != '\r' ? MOD_ALLOWED : MOD_REFUSED;
  case JSON_CHECK_ESCAPE:
    if (f->in_pieces) return grammar & JSON_JSON5 ? MOD_PERHAPS : MOD_REFUSED;
    return mod_allows_escape(grammar, f->at, f->end) ? MOD_ALLOWED : MOD_REFUSED;
  case JSON_CHECK_VALUE:
  case JSON_CHECK_NAME:
    mod_pass_before(&before, f->begin, f->at);
    if (c == (f->error == JSON_CHECK_VALUE ? ']' : '}') && before.byte == ',' && grammar & JSON_TRAILING_COMMAS)
      return MOD_ALLOWED;
    break;
  case JSON_CHECK_NUMBER:
  case JSON_CHECK_COLON:
  case JSON_CHECK_OBJECT:
  case JSON_CHECK_ARRAY:
  case JSON_CHECK_AFTER: break;
  default: return MOD_REFUSED;
  }
  if (!c && f->error != JSON_CHECK_NUMBER) return MOD_REFUSED;
  p = f->error == JSON_CHECK_NUMBER ? NULL : json_lenient_space(j, t->at);
  if (p && p > t->at) return passed;
  if (f->error == JSON_CHECK_NAME) p = json_lenient_name(j, t->at, &name);
  else if (f->error == JSON_CHECK_VALUE || (f->error == JSON_CHECK_NUMBER && t->number == t->at)) /* -NaN */
    p = json_lenient_value(j, t->at, &value);
  else if (t->number < t->at) {
    p = json_lenient_value(j, t->number, &value);
    if (p == t->at && f->error == JSON_CHECK_NUMBER && !json_is_letter(c) && !mod_is_in_number(c)) return passed;
    return p && p > t->at ? passed : MOD_REFUSED;
  }
  if (!p) return j->error == JSON_CHECK_MEMORY ? passed : MOD_REFUSED; /* a string that is longer than the scratch */
  return p > t->at ? passed : MOD_REFUSED;
}

static char *mod_put(char *w, const char *s) {
  const size_t n = strlen(s);
  memcpy(w, s, n);
  return w + n;
}

/* Writes which function or option reads several values, if the text has several. */
static char *mod_put_several(char *w, const struct mod_fault *f) {
  struct mod_before here = *f->before;
  if (f->error != JSON_CHECK_AFTER || f->several == MOD_SEVERAL_NOTHING || f->at == f->end) return w;
  mod_pass_before(&here, f->begin, f->at);
  if (!here.has_line_end || !*f->at || !strchr("{[\"", *f->at)) return w;
  return mod_put(w, f->several == MOD_SEVERAL_LINES ? " (lines = true reads several values)"
                                                    : " (fleece.documents reads several values)");
}

enum { MOD_FORM_FOUND = 5 }; /* the error of a text in another encoding is before this byte */

/* Writes the encoding of the whole text, if it is not UTF-8. */
static char *mod_put_form(char *w, const struct mod_fault *f) {
  int mark;
  const char *form = f->in_pieces || f->at - f->begin >= MOD_FORM_FOUND
                         ? NULL
                         : text_foreign_form(f->begin, (size_t)(f->end - f->begin), &mark);
  if (!form) return w;
  w = mod_put(mod_put(w, " (the text is "), form);
  w = mod_put(w, "; JSON is UTF-8 (RFC 8259, 8.1); convert with iconv -f ");
  if (mark) w = mod_put(w, form[4] == '1' ? "UTF-16" : "UTF-32"); /* iconv removes the mark */
  else w = mod_put(w, form);
  return mod_put(w, " -t UTF-8)");
}

FL_PRIVATE char *mod_put_hint(char *w, const struct mod_fault *f, const char **option) {
  struct mod_trial t;
  enum mod_allowed allowed;
  int known = 0; /* 1: the grammar allows what is there, so the error is about something that follows */
  char *after = mod_put_form(w, f);
  *option = NULL;
  if (after > w) return after;
  mod_begin_trial(&t, f);
  if (f->in_pieces && (f->error != JSON_CHECK_NUMBER || t.number < t.at)) /* else a number that is refused as a whole */
    known = mod_try_grammar(&t, f, mod_settle_grammar(f->grammar)) != MOD_REFUSED;
  for (const struct mod_option_name *o = mod_option_names(); o->name && f->of; o++) {
    const unsigned grammar = f->grammar | o->grammar;
    if (o->errors & 1u << f->error) allowed = MOD_ALLOWED;
    else if (grammar != f->grammar && !known) allowed = mod_try_grammar(&t, f, mod_settle_grammar(grammar));
    else continue;
    if (allowed == MOD_REFUSED) continue;
    if (!(o->takers >> f->of & 1)) break; /* like json5 for NaN, which canonical JSON lacks both ways */
    w = mod_put(mod_put(w, " ("), *option = o->name);
    if (o->value) w = mod_put(mod_put(w, " = "), o->value);
    w = mod_put(w, allowed == MOD_PERHAPS ? " may allow it)" : o->value ? " allows it)" : " allows more)");
    return w;
  }
  return mod_put_several(w, f);
}

/* Returns whether [p, end) is one complete array or object, followed only by white space. */
static int mod_is_whole(const char *p, const char *end, unsigned grammar) {
  struct json_split split = {0};
  p = json_split(&split, p, end, (grammar & JSON_JSON5) != 0, (grammar & (JSON_JSON5 | JSON_COMMENTS)) != 0);
  while (p && p < end && json_is_blank(*p)) p++;
  return p == end;
}

FL_INLINE const char *mod_line_end(const char *p, const char *end) {
  const char *line = (const char *)memchr(p, '\n', (size_t)(end - p));
  return line ? line : end;
}

FL_PRIVATE const char *mod_cut_line(const char *document, const char *at, const char *end, unsigned grammar) {
  if (*document != '{' && *document != '[') return NULL;
  const char *line = mod_line_end(document, end);
  if (line >= at || line + 1 >= end) return NULL;
  const char *next = mod_line_end(line + 1, end);
  const char *behind = next + 1;
  if (next - document > MOD_LINES_LONGEST) return NULL;
  if (line[1] != *document || !mod_is_whole(line + 1, next, grammar) || mod_is_whole(document, line, grammar))
    return NULL;
  while (json_is_blank(line[-1])) line--;
  if (line[-1] == '[' || (behind < end && strchr("]},", *behind))) return NULL;
  return line;
}

FL_PRIVATE int mod_cut_line_is_open(const char *document, const char *at, const char *end) {
  if ((*document != '{' && *document != '[') || end - document > MOD_LINES_LONGEST) return 0;
  const char *line = mod_line_end(document, end);
  if (line >= at) return 0;
  return line + 1 >= end || (line[1] == *document && mod_line_end(line + 1, end) + 1 >= end);
}
