/* SPDX-License-Identifier: MIT
** words_template.h -- template: the table of a form's functions for any.c.
** Parameters, undefined at the end: VALUE(name), see value.h; VALUE_IS_HELD, 1 if nodes must be held to live as long as
** the walk. Instances: any.c. */

static void VALUE(any_read)(value_any_form *k, uintptr_t v, struct value *to) {
  VALUE(read)((VALUE(form) *)k, (VALUE(node))v, to);
}

static int VALUE(any_length)(value_any_form *k, uintptr_t v, uint64_t *n) {
  return VALUE(length)((VALUE(form) *)k, (VALUE(node))v, n);
}

static uint64_t VALUE(any_members)(value_any_form *k, uintptr_t v) {
  return VALUE(members)((VALUE(form) *)k, (VALUE(node))v);
}

static int VALUE(any_member)(value_any_form *k, uintptr_t v, const struct value_name *name, uintptr_t *child) {
  VALUE(node) found = 0;
  const int is_there = VALUE(member)((VALUE(form) *)k, (VALUE(node))v, name, &found);
  *child = (uintptr_t)found;
  return is_there;
}

static int VALUE(any_item)(value_any_form *k, uintptr_t v, uint64_t place, uintptr_t *child) {
  VALUE(node) found = 0;
  const int is_there = VALUE(item)((VALUE(form) *)k, (VALUE(node))v, place, &found);
  *child = (uintptr_t)found;
  return is_there;
}

static void VALUE(any_open)(value_any_form *k, uintptr_t v, value_any_cursor *c) {
  VALUE(open)((VALUE(form) *)k, (VALUE(node))v, (VALUE(cursor) *)c);
}

static int VALUE(any_next)(value_any_form *k, uintptr_t v, value_any_cursor *c, uintptr_t *child) {
  VALUE(node) found = 0;
  const int is_there = VALUE(next)((VALUE(form) *)k, (VALUE(node))v, (VALUE(cursor) *)c, &found);
  *child = (uintptr_t)found;
  return is_there;
}

static const char *VALUE(any_step)(value_any_form *k, uintptr_t v, const value_any_cursor *c, char *room, size_t *n) {
  return VALUE(step)((VALUE(form) *)k, (VALUE(node))v, (const VALUE(cursor) *)c, room, n);
}

static int VALUE(any_equal)(value_any_form *k, uintptr_t a, uintptr_t b) {
  return VALUE(equal)((VALUE(form) *)k, (VALUE(node))a, (VALUE(node))b);
}

#if VALUE_IS_HELD
static void VALUE(any_hold)(value_any_form *k, uintptr_t v) { (void)VALUE(hold)((VALUE(form) *)k, (VALUE(node))v); }
static void VALUE(any_reset)(value_any_form *k, uintptr_t v) { VALUE(reset)((VALUE(form) *)k, (VALUE(node))v); }
static int VALUE(any_mark)(value_any_form *k) { return VALUE(mark)((VALUE(form) *)k); }
static void VALUE(any_trim)(value_any_form *k, int mark) { VALUE(trim)((VALUE(form) *)k, mark); }
#define VALUE_LIFE VALUE(any_hold), VALUE(any_reset), VALUE(any_mark), VALUE(any_trim)
#else
#define VALUE_LIFE NULL, NULL, NULL, NULL
#endif

static const struct value_words VALUE(words) = {
    VALUE(any_read), VALUE(any_length), VALUE(any_members), VALUE(any_member), VALUE(any_item),
    VALUE(any_open), VALUE(any_next),   VALUE(any_step),    VALUE(any_equal),  VALUE_LIFE};

#undef VALUE_LIFE
#undef VALUE_IS_HELD
#undef VALUE
