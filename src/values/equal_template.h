/* SPDX-License-Identifier: MIT
** equal_template.h -- template: compares two values of one form: numbers by value, members in any order.
** Must hold: each compared value costs steps. Levels are in the block VALUE_BLOCK_PAIRS, without recursion.
** Parameters: VALUE(name), see value.h, with all words except `equal`, which this defines; VALUE_EQUAL, its storage
** class; VALUE_EQUAL_SOON(k, a, b), optional: whether two scalars are seen to be equal without reading them. */
#ifndef VALUE_EQUAL_SOON
#define VALUE_EQUAL_SOON(k, a, b) 0
#endif

/* Two arrays or objects being compared: visits the children of `b`, and looks them up in `a`. */
struct VALUE(pair) {
  VALUE(node) a, b;
  VALUE(cursor) cursor;
};

/* Begins to compare two arrays or objects of one type; b must be above a and above all other nodes. Returns 0 if they
** differ, or after an error. */
static int VALUE(open_pair)(VALUE(form) * k, size_t depth, enum value_type type, VALUE(node) a, VALUE(node) b) {
  struct VALUE(pair) * pair;
  uint64_t n, m;
  if (depth > k->walk.max_depth) return value_fail(&k->walk, VALUE_ERROR_DEPTH);
  if (type == VALUE_OBJECT ? VALUE(members)(k, a) != VALUE(members)(k, b)
                           : !VALUE(length)(k, a, &n) || !VALUE(length)(k, b, &m) || n != m)
    return 0;
  if (depth == k->walk.pairs_room &&
      !value_grow(&k->walk, VALUE_BLOCK_PAIRS, &k->walk.pairs, &k->walk.pairs_room, depth, sizeof *pair))
    return 0;
  pair = (struct VALUE(pair) *)k->walk.pairs + depth;
  pair->a = a;
  pair->b = VALUE(hold)(k, b);
  VALUE(open)(k, pair->b, &pair->cursor);
  return !k->walk.error;
}

/* Returns 0 also after an error. */
VALUE_EQUAL int VALUE(equal)(VALUE(form) * k, VALUE(node) a, VALUE(node) b) {
  const int mark = VALUE(mark)(k);
  size_t depth = 0;
  int equal, more;
  a = VALUE(copy)(k, a);
  b = VALUE(copy)(k, b);
  do {
    struct VALUE(pair) * pair;
    struct value x, y;
    if (VALUE_EQUAL_SOON(k, a, b)) {
      equal = 1;
    } else {
      VALUE(read)(k, a, &x);
      VALUE(read)(k, b, &y);
      equal = x.type == y.type && !k->walk.error;
      if (equal && x.type < VALUE_ARRAY) {
        equal = value_order(&k->walk, &x, &y) == 0;
      } else if (equal && (k->walk.is_strict || !VALUE(same)(k, a, b))) {
        equal = x.type != VALUE_OTHER && VALUE(open_pair)(k, depth, x.type, a, b);
        depth++;
      }
    }
    for (more = 0; equal && depth > 0 && !more; depth -= !more) {
      pair = (struct VALUE(pair) *)k->walk.pairs + depth - 1;
      equal = value_spend(&k->walk, 1);
      more = VALUE(next)(k, pair->b, &pair->cursor, &a);
    }
    if (more) equal &= VALUE(twin)(k, pair->b, &pair->cursor, pair->a, &b);
  } while (equal && more);
  VALUE(trim)(k, mark);
  return equal && !k->walk.error;
}

#undef VALUE_EQUAL
#undef VALUE_EQUAL_SOON
