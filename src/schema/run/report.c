/* SPDX-License-Identifier: MIT */
#include "report.h"
#include "../compile/compile.h"
#include "../../number/integer.h"
#include "../../number/shortest.h"
#include "../../number/plain.h"
#include "../../text/utf8.h"

enum { SCHEMA_SHOWN = 40, SCHEMA_SHOWN_NAME = 60, SCHEMA_SHOWN_WORDS = 200, SCHEMA_SHOWN_VALUES = 8 };

/* Makes room for n more bytes. */
static char *schema_need_text(struct schema_run *r, size_t n) {
  struct schema_report *to = r->report;
  const size_t need = to->length + n;
  if (need > to->text_room) {
    const size_t room = 2 * need + 256;
    char *text = (char *)value_reserve(r->walk, SCHEMA_BLOCK_TEXT, room, to->length);
    if (!text) return NULL;
    to->text = text;
    to->text_room = room;
  }
  return to->text + to->length;
}

static void schema_say_bytes(struct schema_run *r, const char *s, size_t n) {
  char *w = schema_need_text(r, n);
  if (!w) return;
  if (n) memcpy(w, s, n);
  r->report->length += n;
}

static void schema_say(struct schema_run *r, const char *s) { schema_say_bytes(r, s, strlen(s)); }

static void schema_say_count(struct schema_run *r, uint64_t n, const char *one, const char *more) {
  char room[NUM_ROOM];
  schema_say_bytes(r, room, (size_t)(num_write_u64(room, n) - room));
  schema_say(r, n == 1 ? one : more);
}

/* Adds at most `most` bytes of a text, whole characters, as one line. */
static void schema_say_cut(struct schema_run *r, const char *s, size_t n, size_t most) {
  const size_t shown = n > most ? most : n;
  size_t end = shown, i;
  char *w;
  if (n > most)
    while (end > 0 && (s[end] & 0xc0) == 0x80) end--;
  if (!(w = schema_need_text(r, end + 3))) return;
  for (i = 0; i < end; i++) w[i] = (unsigned char)s[i] < ' ' || s[i] == 0x7f ? ' ' : s[i];
  if (n > most) memcpy(w + end, "...", 3);
  r->report->length += end + (n > most ? 3 : 0);
}

static void schema_say_quoted(struct schema_run *r, const char *s, size_t n) {
  schema_say(r, "\"");
  schema_say_cut(r, s, n, SCHEMA_SHOWN);
  schema_say(r, "\"");
}

static void schema_say_number(struct schema_run *r, const struct num_any *x) {
  char room[NUM_ROOM];
  char *end;
  if (x->form == NUM_IS_TEXT) {
    schema_say_cut(r, x->text, x->n, SCHEMA_SHOWN);
    return;
  }
  if (x->form == NUM_IS_DOUBLE) {
    if (x->is.d < 1e15 && x->is.d > -1e15 && x->is.d == (double)(int64_t)x->is.d)
      end = num_write_i64(room, (int64_t)x->is.d);
    else end = num_write_double(room, x->is.d, 0);
  } else {
    end = x->form == NUM_IS_INTEGER ? num_write_i64(room, x->is.i) : num_write_u64(room, x->is.u);
  }
  schema_say_bytes(r, room, (size_t)(end - room));
}

static void schema_say_literal(struct schema_run *r, uint32_t number) {
  const struct schema_literal *l = &r->program->literals[number];
  const char *s = r->program->bytes + l->at;
  switch (l->type) {
  case VALUE_NULL: schema_say(r, "null"); return;
  case VALUE_FALSE: schema_say(r, "false"); return;
  case VALUE_TRUE: schema_say(r, "true"); return;
  case VALUE_STRING: schema_say_quoted(r, s, l->length); return;
  default: schema_say_cut(r, s, l->length, SCHEMA_SHOWN);
  }
}

/* Adds types as in "a string or a number". */
static void schema_say_types(struct schema_run *r, unsigned types) {
  static const char *const names[] = {"null",     "a boolean", "an integer", "a number",
                                      "a string", "an array",  "an object"};
  unsigned left, i;
  if (types & SCHEMA_NUMBER) types &= ~(unsigned)SCHEMA_INTEGER;
  for (i = 0, left = types; left; i++, left >>= 1) {
    if (!(left & 1)) continue;
    schema_say(r, names[i]);
    if (left >> 1) schema_say(r, (left >> 1) & ((left >> 1) - 1) ? ", " : " or ");
  }
}

/* Adds what was found: a scalar is quoted unless values are hidden. */
static void schema_say_found(struct schema_run *r, const struct schema_found *found) {
  const struct value *v = found->value;
  schema_say(r, ", found ");
  if (found->types & SCHEMA_ARRAY) {
    schema_say(r, "an array of ");
    schema_say_count(r, found->count, " item", " items");
  } else if (found->types & SCHEMA_OBJECT) {
    schema_say(r, "an object of ");
    schema_say_count(r, found->count, " member", " members");
  } else if (r->report->hides_values) {
    schema_say_types(r, found->types);
  } else {
    switch (v->type) {
    case VALUE_NULL: schema_say(r, "null"); break;
    case VALUE_FALSE: schema_say(r, "false"); break;
    case VALUE_TRUE: schema_say(r, "true"); break;
    case VALUE_STRING: schema_say_quoted(r, v->s, v->n); break;
    case VALUE_NUMBER: schema_say_number(r, &v->number); break;
    default: schema_say(r, "no JSON value");
    }
  }
}

static void schema_say_name(struct schema_run *r, const char *s, size_t n) {
  schema_say_cut(r, s, n, SCHEMA_SHOWN_NAME);
}

/* ------------------------------------------------------------------------------------- messages */

static void schema_say_enum(struct schema_run *r, const struct schema_op *op) {
  uint32_t i;
  schema_say(r, op->b == 1 ? "expected " : "expected one of ");
  for (i = 0; i < op->b && i < SCHEMA_SHOWN_VALUES; i++) {
    if (i) schema_say(r, ", ");
    schema_say_literal(r, op->a + i);
  }
  if (i < op->b) schema_say(r, ", ...");
}

static void schema_say_least(struct schema_run *r, const char *bound, uint64_t n, const char *one, const char *more) {
  schema_say(r, "expected ");
  schema_say(r, bound);
  schema_say(r, " ");
  schema_say_count(r, n, one, more);
}

static void schema_say_bound(struct schema_run *r, const char *bound, uint32_t literal) {
  schema_say(r, "expected a number ");
  schema_say(r, bound);
  schema_say(r, " ");
  schema_say_literal(r, literal);
}

static void schema_say_pattern(struct schema_run *r, uint32_t regex) {
  const struct schema_regex *x = &r->program->regexes[regex];
  schema_say(r, "expected a match of ");
  schema_say_cut(r, r->program->bytes + x->text, x->length, SCHEMA_SHOWN_NAME);
}

/* Adds the keyword's name, or its value if that is a string. */
static void schema_say_keyword(struct schema_run *r, const struct schema_found *found, int value) {
  const struct value_texts *texts = &r->program->sources[r->program->units[found->unit].source]->texts;
  const struct value_place *place = &texts->places[found->op->place];
  if (value) schema_say_name(r, value_texts_bytes(texts, place->bytes), place->n);
  else schema_say_name(r, value_texts_bytes(texts, place->name), place->name_length);
}

/* Adds why an operation refuses a value. Returns whether to add what was found. */
static int schema_say_reason(struct schema_run *r, const struct schema_found *found) {
  const struct schema_op *op = found->op;
  const struct schema_program *p = r->program;
  if (r->said && (op->code == SCHEMA_OP_CUSTOM || (op->code == SCHEMA_OP_FORMAT && op->b))) {
    schema_say_cut(r, r->said, r->said_length, SCHEMA_SHOWN_WORDS);
    return 0;
  }
  switch (op->code) {
  case SCHEMA_OP_TYPE:
    schema_say(r, "expected ");
    schema_say_types(r, op->a);
    return 1;
  case SCHEMA_OP_CONST:
    schema_say(r, "expected ");
    schema_say_literal(r, op->a);
    return 1;
  case SCHEMA_OP_ENUM: schema_say_enum(r, op); return 1;
  case SCHEMA_OP_MINIMUM: schema_say_bound(r, "of at least", op->a); return 1;
  case SCHEMA_OP_EXCLUSIVE_MINIMUM: schema_say_bound(r, "above", op->a); return 1;
  case SCHEMA_OP_MAXIMUM: schema_say_bound(r, "of at most", op->a); return 1;
  case SCHEMA_OP_EXCLUSIVE_MAXIMUM: schema_say_bound(r, "below", op->a); return 1;
  case SCHEMA_OP_MULTIPLE_OF: schema_say_bound(r, "that is a multiple of", op->a); return 1;
  case SCHEMA_OP_MIN_LENGTH:
  case SCHEMA_OP_MAX_LENGTH:
    schema_say_least(r, op->code == SCHEMA_OP_MIN_LENGTH ? "at least" : "at most", op->a, " character", " characters");
    schema_say(r, ", found ");
    schema_say_count(r, schema_count_characters(found->value->s, found->value->n), "", "");
    return 0;
  case SCHEMA_OP_PATTERN: schema_say_pattern(r, op->a); return 1;
  case SCHEMA_OP_FORMAT:
    schema_say(r, "expected the format ");
    schema_say_keyword(r, found, 1);
    return 1;
  case SCHEMA_OP_CUSTOM:
    schema_say(r, "expected a value as `");
    schema_say_keyword(r, found, 0);
    schema_say(r, "` says");
    return 1;
  case SCHEMA_OP_CONTENT: schema_say(r, op->a ? "expected base64" : "expected JSON"); return 1;
  case SCHEMA_OP_MIN_ITEMS:
  case SCHEMA_OP_MAX_ITEMS:
    schema_say_least(r, op->code == SCHEMA_OP_MIN_ITEMS ? "at least" : "at most", op->a, " item", " items");
    schema_say(r, ", found ");
    schema_say_count(r, found->count, "", "");
    return 0;
  case SCHEMA_OP_MIN_PROPERTIES:
  case SCHEMA_OP_MAX_PROPERTIES:
    schema_say_least(r, op->code == SCHEMA_OP_MIN_PROPERTIES ? "at least" : "at most", op->a, " member", " members");
    schema_say(r, ", found ");
    schema_say_count(r, found->count, "", "");
    return 0;
  case SCHEMA_OP_UNIQUE_ITEMS:
    schema_say(r, "the items ");
    schema_say_count(r, r->first, " and ", " and ");
    schema_say_count(r, r->second, " are equal", " are equal");
    return 0;
  case SCHEMA_OP_CONTAINS:
    if (found->keyword == SCHEMA_KEYWORD_MAX_CONTAINS)
      schema_say_least(r, "at most", p->contains[op->a].most, " item as `contains` says", " items as `contains` says");
    else
      schema_say_least(r, "at least", p->contains[op->a].least, " item as `contains` says",
                       " items as `contains` says");
    schema_say(r, found->keyword == SCHEMA_KEYWORD_MAX_CONTAINS ? ", found more" : ", found ");
    if (found->keyword != SCHEMA_KEYWORD_MAX_CONTAINS) schema_say_count(r, found->fitting, "", "");
    return 0;
  case SCHEMA_OP_ANY_OF:
    if (op->keyword == SCHEMA_KEYWORD_ENUM) schema_say(r, "expected one of the values of `enum`");
    else schema_say(r, "expected a value as one of `anyOf` says");
    return 1;
  case SCHEMA_OP_ONE_OF:
    if (found->fitting == 0) schema_say(r, "expected a value as one of `oneOf` says");
    else {
      schema_say(r, "expected a value that one of `oneOf` allows, not both ");
      schema_say_count(r, r->first, " and ", " and ");
      schema_say_count(r, r->second, "", "");
    }
    return 1;
  case SCHEMA_OP_NOT: schema_say(r, "expected a value other than `not` says"); return 1;
  case SCHEMA_OP_CALL: schema_say(r, "expected the value of `const`"); return 1;
  default: schema_say(r, "not valid"); return 1;
  }
}

/* Adds the message of a failure without its place. */
static void schema_say_words(struct schema_run *r, const struct schema_found *found) {
  const struct schema_op *op = found->op;
  const struct schema_program *p = r->program;
  if (!op) {
    if (found->types == 0) schema_say(r, "not a JSON value");
    else if (found->keyword == SCHEMA_KEYWORD_ADDITIONAL_PROPERTIES ||
             found->keyword == SCHEMA_KEYWORD_UNEVALUATED_PROPERTIES)
      schema_say(r, "this member is not allowed");
    else if (found->keyword == SCHEMA_KEYWORD_ADDITIONAL_ITEMS || found->keyword == SCHEMA_KEYWORD_ITEMS ||
             found->keyword == SCHEMA_KEYWORD_UNEVALUATED_ITEMS)
      schema_say(r, "this item is not allowed");
    else schema_say(r, "no value is allowed");
    return;
  }
  if (found->keyword == SCHEMA_KEYWORD_PROPERTY_NAMES) {
    schema_say(r, "the name ");
    schema_say_quoted(r, found->name, found->name_length);
    schema_say(r, " is not allowed");
    return;
  }
  if (found->name) {
    schema_say(r, "the member ");
    schema_say_name(r, found->name, found->name_length);
    schema_say(r, " is required");
    if (op->code == SCHEMA_OP_DEPENDENT_REQUIRED) {
      schema_say(r, " beside ");
      schema_say_name(r, p->bytes + p->names[op->a].at, p->names[op->a].length);
    }
    return;
  }
  if (schema_say_reason(r, found)) schema_say_found(r, found);
}

/* ------------------------------------------------------------------------------------- paths */

FL_PRIVATE void schema_begin_path(struct schema_run *r) {
  struct schema_report *to = r->report;
  void *failures = to->failures;
  if (to->count == to->room) {
    if (!value_grow(r->walk, SCHEMA_BLOCK_FAILURES, &failures, &to->room, to->count, sizeof *to->failures)) return;
    to->failures = (struct schema_failure *)failures;
  }
  to->failures[to->count].path = to->length;
}

/* RFC 6901, section 3. */
FL_PRIVATE int schema_put_step(struct schema_run *r, const char *name, size_t n, uint64_t index) {
  char room[NUM_ROOM];
  char *w, *begin;
  size_t i;
  if (r->walk->error || n > SIZE_MAX / 4) return 0;
  if (!name) {
    n = (size_t)(num_write_u64(room, index) - room);
    name = room;
  }
  w = begin = schema_need_text(r, 2 * n + 1);
  if (!w) return 0;
  *w++ = '/';
  for (i = 0; i < n; i++) {
    if (name[i] == '~' || name[i] == '/') {
      *w++ = '~';
      *w++ = name[i] == '~' ? '0' : '1';
    } else {
      *w++ = name[i];
    }
  }
  r->report->length += (size_t)(w - begin);
  return value_spend(r->walk, n / VALUE_BYTES_PER_STEP);
}

/* ------------------------------------------------------------------------------------- failures */

/* Returns whether both failures are about the type or constants of the value at the same place. */
static int schema_is_alike(const struct schema_run *r, const struct schema_failure *a, const struct schema_failure *b) {
  const struct schema_report *from = r->report;
  const struct schema_op *x, *y;
  if (a->op >= r->program->op_count || b->op >= r->program->op_count) return 0;
  x = &r->program->ops[a->op], y = &r->program->ops[b->op];
  if (a->path_length != b->path_length || memcmp(from->text + a->path, from->text + b->path, a->path_length) != 0)
    return 0;
  if (x->code == SCHEMA_OP_TYPE) return y->code == SCHEMA_OP_TYPE;
  return (x->code == SCHEMA_OP_CONST || x->code == SCHEMA_OP_ENUM) &&
         (y->code == SCHEMA_OP_CONST || y->code == SCHEMA_OP_ENUM);
}

/* If all branches failed for type or constants at one place, lists what they allow. Returns 0 if not. */
static int schema_say_all(struct schema_run *r, const struct schema_found *found) {
  struct schema_report *from = r->report;
  const size_t nearest = found->nearest - 1;
  const struct schema_failure *x = &from->failures[nearest], *y;
  size_t i, shown = 0;
  uint32_t alike = 0, j;
  unsigned types = 0;
  const char *tail;
  int is_type;
  for (i = from->count; i > found->mark; i -= 1 + from->failures[i - 1].causes)
    alike += (uint32_t)schema_is_alike(r, x, &from->failures[i - 1]);
  if (alike < found->op->b || alike < 2) return 0;
  is_type = r->program->ops[x->op].code == SCHEMA_OP_TYPE;
  if (x->path_length) {
    if (!schema_need_text(r, x->path_length + 8)) return 1;
    schema_say(r, "at ");
    schema_say_cut(r, from->text + x->path, x->path_length, 200);
    schema_say(r, ": ");
  }
  schema_say(r, is_type ? "expected " : "expected one of ");
  for (i = found->mark; i < from->count && shown <= SCHEMA_SHOWN_VALUES; i++) {
    const struct schema_op *op;
    y = &from->failures[i];
    if (!schema_is_alike(r, &from->failures[nearest], y)) continue;
    op = &r->program->ops[y->op];
    if (is_type) types |= op->a;
    for (j = 0; !is_type && j < (op->code == SCHEMA_OP_ENUM ? op->b : 1) && shown <= SCHEMA_SHOWN_VALUES; j++) {
      if (shown) schema_say(r, ", ");
      if (shown++ == SCHEMA_SHOWN_VALUES) schema_say(r, "...");
      else schema_say_literal(r, op->a + j);
    }
  }
  if (is_type) schema_say_types(r, types);
  x = &from->failures[nearest];
  if (!schema_need_text(r, x->message_length + 1)) return 1;
  from->text[from->length] = 0;
  for (i = x->message_length; i > 8; i--) { /* the message ends with what was found */
    tail = from->text + x->message + i - 8;
    if (memcmp(tail, ", found ", 8) == 0) {
      schema_say_bytes(r, tail, x->message_length + 8 - i);
      break;
    }
  }
  return 1;
}

FL_PRIVATE int schema_add_failure(struct schema_run *r, const struct schema_found *found) {
  struct schema_report *to = r->report;
  struct schema_failure *x;
  size_t path, length;
  if (r->walk->error) return 0;
  if (found->op && found->op->code == SCHEMA_OP_UNIQUE_ITEMS && found->op->a && !schema_put_step(r, NULL, 0, r->second))
    return 0;
  x = &to->failures[to->count];
  path = x->path, length = to->length - path;
  if (r->is_full || to->count >= SCHEMA_MOST_FAILURES) return to->length = path, 1;
  x->path_length = length;
  x->message = to->length;
  x->unit = found->unit;
  x->place = found->place;
  x->op = found->op ? (uint32_t)(found->op - r->program->ops) : SCHEMA_NONE;
  x->keyword = found->keyword;
  x->causes = (uint32_t)(to->count - found->mark);
  x->at = found->at;
  x->told = path, x->told_length = length;
  if (found->nearest) {
    const struct schema_failure *nearest = &to->failures[found->nearest - 1];
    x->at = nearest->at;
    x->told = nearest->told, x->told_length = nearest->told_length;
  }
  if (found->nearest && (found->is_named || !schema_say_all(r, found))) {
    const struct schema_failure *nearest = &to->failures[found->nearest - 1];
    const size_t n = nearest->message_length, from = nearest->message;
    char *w = schema_need_text(r, n);
    if (!w) return 0;
    memcpy(w, to->text + from, n);
    to->length += n;
  } else if (!found->nearest) {
    if (length) {
      if (!schema_need_text(r, length + 8)) return 0;
      schema_say(r, "at ");
      schema_say_cut(r, to->text + path, length, 200);
      schema_say(r, ": ");
    }
    schema_say_words(r, found);
  }
  if (r->walk->error) return 0;
  x = &to->failures[to->count++];
  x->message_length = to->length - x->message;
  if (r->branches == 0 && ++to->roots >= to->wanted) r->is_full = 1;
  return 1;
}

FL_PRIVATE int schema_add_fill(struct schema_run *r, uint32_t unit, uint32_t place) {
  struct schema_report *to = r->report;
  struct schema_failure *x = &to->failures[to->count];
  if (r->walk->error) return 0;
  x->path_length = to->length - x->path;
  x->unit = unit;
  x->place = place;
  to->count++;
  return 1;
}

FL_PRIVATE uint32_t schema_find_default(struct schema_run *r, uint32_t *unit) {
  const struct schema_program *p = r->program;
  uint32_t units[SCHEMA_SHOWN], count = 0, i = 0, initial;
  const struct schema_op *op;
  units[count++] = *unit;
  for (; i < count && value_spend(r->walk, 1); i++) {
    const struct schema_unit *u = &p->units[units[i]];
    if (units[i] < SCHEMA_UNITS) continue;
    if (value_texts_find_member(&p->sources[u->source]->texts, u->place, "default", 7, &initial))
      return *unit = units[i], initial;
    for (op = p->ops + u->first; op->code != SCHEMA_OP_END && count < SCHEMA_SHOWN; op++)
      if (op->code == SCHEMA_OP_CALL && !op->is_branch) units[count++] = op->a;
  }
  return SCHEMA_NONE;
}

FL_PRIVATE void schema_drop_failures(struct schema_run *r, size_t n) {
  struct schema_report *to = r->report;
  if (n >= to->count) return;
  to->length = to->failures[n].path;
  to->count = n;
}

/* OpenAPI 3.1, 4.8.25: `mapping` maps the value to a reference, or the value is the schema's name. */
FL_PRIVATE int schema_is_branch_named(const struct schema_run *r, uint32_t unit, uint32_t branch,
                                      const struct value *v) {
  const struct schema_unit *u = &r->program->units[unit], *b = &r->program->units[branch];
  struct value_texts *k = &r->program->sources[u->source]->texts;
  const char *s = v->s, *reference;
  size_t n = v->n, length;
  uint32_t place;
  if (v->type != VALUE_STRING || branch < SCHEMA_UNITS ||
      !value_texts_find_member(k, u->place, "discriminator", 13, &place))
    return 0;
  if (value_texts_find_member(k, place, "mapping", 7, &place) && value_texts_find_member(k, place, s, n, &place) &&
      value_texts_first(k, place) == '"')
    s = value_texts_bytes(k, k->places[place].bytes), n = k->places[place].n;
  if (!value_texts_find_member(k, b->place, "$ref", 4, &place) || value_texts_first(k, place) != '"') return 0;
  reference = value_texts_bytes(k, k->places[place].bytes);
  length = k->places[place].n;
  if (n == 0 || length < n || (length > n && reference[length - n - 1] != '/')) return 0;
  return memcmp(reference + length - n, s, n) == 0;
}

static uint64_t schema_steps_of(const struct schema_report *from, const struct schema_failure *x) {
  uint64_t n = 0;
  size_t i;
  for (i = 0; i < x->path_length; i++) n += from->text[x->path + i] == '/';
  return n;
}

/* A branch that the value's type or a constant excludes is far, and that is what to tell of it. Of the others the one
** with deeper and fewer failures is nearer, because more was right. */
FL_PRIVATE uint64_t schema_rate_branch(const struct schema_run *r, size_t first, uint64_t depth, size_t *top) {
  const struct schema_report *from = r->report;
  uint64_t deepest = 0, least = UINT64_MAX, roots = 0;
  size_t i = from->count, excludes = 0;
  *top = 0;
  while (i > first) {
    const struct schema_failure *x = &from->failures[i - 1];
    const uint64_t steps = schema_steps_of(from, x);
    if (steps > deepest) deepest = steps;
    if (steps <= least) least = steps, *top = i;
    if ((x->keyword == SCHEMA_KEYWORD_TYPE && steps == depth) ||
        ((x->keyword == SCHEMA_KEYWORD_CONST || x->keyword == SCHEMA_KEYWORD_ENUM) && steps <= depth + 1))
      excludes = i;
    roots++;
    i -= 1 + x->causes;
  }
  if (roots > 0xffff) roots = 0xffff;
  if (deepest > 0xffffff) deepest = 0xffffff;
  if (excludes) *top = excludes;
  return (uint64_t)!excludes << 62 | deepest << 24 | (0xffff - roots);
}

FL_PRIVATE void schema_move_line(struct schema_line *last, const char *s, size_t n, size_t at) {
  struct json_where where;
  size_t lines, columns;
  if (at < last->at) memset(last, 0, sizeof *last);
  if (json_count_lines(s + last->at, s + at, &lines, &columns)) {
    last->column = lines ? columns : last->column + columns;
    last->line += lines;
  } else {
    json_where(s, s + n, s + at, &where);
    last->line = where.line - 1;
    last->column = where.column - 1;
  }
  last->at = at;
}
