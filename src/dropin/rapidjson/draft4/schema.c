/* SPDX-License-Identifier: MIT */
#include "schema.h"

enum { SCHEMA_REFERENCES = 100 }; /* how many may follow one another */

/* Reads a byte of the token at *p of a JSON pointer in a fragment; -1: the token ends; -2: it is invalid. */
static int schema_token_byte(const char **p, const char *end) {
  int c;
  if (*p == end || **p == '/') return -1;
  c = json_pointer_byte(p, end, 1);
  if (c != '~') return c < 0 ? -2 : c;
  c = *p < end ? json_pointer_byte(p, end, 1) : -1;
  return c == '0' ? '~' : c == '1' ? '/' : -2;
}

static int schema_is_pointer(const char *p, const char *end) {
  if (p < end && *p != '/') return 0;
  while (p < end) {
    int c;
    for (p++; (c = schema_token_byte(&p, end)) >= 0;) {}
    if (c == -2) return 0;
  }
  return 1;
}

/* Is the token at *p this name? Then *p moves after it. */
static int schema_token_is(const char **p, const char *end, const struct tree_value *name) {
  const char *s = tree_bytes(name), *q = *p;
  size_t i;
  for (i = 0; i < tree_length(name); i++)
    if (schema_token_byte(&q, end) != (unsigned char)s[i]) return 0;
  if (schema_token_byte(&q, end) != -1) return 0;
  *p = q;
  return 1;
}

/* The value that the token at *p leads to; NULL: none. *p moves after the token. */
static const struct tree_value *schema_step(const struct tree_value *v, const char **p, const char *end) {
  const struct tree_value *item, *last;
  char digits[12];
  size_t n = 0;
  int c;
  if (tree_type(v) < TREE_ARRAY) return NULL;
  item = tree_items(v), last = item + tree_count(v);
  if (tree_type(v) == TREE_OBJECT) {
    for (; item < last; item += 2)
      if (schema_token_is(p, end, item)) return item + 1;
    return NULL;
  }
  while ((c = schema_token_byte(p, end)) >= 0)
    if (n < sizeof digits) digits[n++] = (char)c;
  return json_pointer_index(digits, n) < tree_length(v) ? item + json_pointer_index(digits, n) : NULL;
}

/* Follows the references of a schema. NULL: everything fits it. References to other documents are ignored. */
static const struct tree_value *schema_resolve(struct schema_check *k, const struct tree_value *schema) {
  int hops;
  for (hops = 0; schema && tree_type(schema) == TREE_OBJECT; hops++) {
    const struct tree_value *reference = schema_field_of(schema, "$ref", TREE_STRING);
    const char *p = reference ? tree_bytes(reference) : NULL, *end = p ? p + tree_length(reference) : NULL;
    if (!p || p == end || *p != '#' || !schema_is_pointer(p + 1, end)) return schema;
    if (hops == SCHEMA_REFERENCES) {
      k->work.too_deep = 1;
      return NULL;
    }
    schema = schema_root(k);
    for (p++; schema && p < end;) {
      p++;
      schema = schema_step(schema, &p, end);
    }
  }
  return NULL;
}

/* ------------------------------------------------------------------------------------- failures */

/* A byte of a pointer in a fragment. */
static char *schema_put_byte(char *w, unsigned char c) {
  static const char hex[] = "0123456789ABCDEF";
  if (c == '~' || c == '/') {
    w[0] = '~', w[1] = c == '~' ? '0' : '1';
    return w + 2;
  }
  if (json_is_unreserved((char)c)) {
    *w = (char)c;
    return w + 1;
  }
  w[0] = '%', w[1] = hex[c >> 4], w[2] = hex[c & 15];
  return w + 3;
}

/* Appends the path to the text as a JSON pointer; NULL: no memory. */
static char *schema_put_path(struct json_out *out, char *w, const struct schema_path *path) {
  const char *s;
  size_t n, i;
  if (!path->up) return w;
  if (!(w = schema_put_path(out, w, path->up))) return NULL;
  n = path->name ? tree_length(path->name) : 0;
  if (n > SIZE_MAX / 8 || !(w = json_reserve(out, w, 3 * n + JSON_TEXT_ROOM))) return NULL;
  *w++ = '/';
  if (!path->name) return num_write_u64(w, path->index);
  for (s = tree_bytes(path->name), i = 0; i < n; i++) w = schema_put_byte(w, (unsigned char)s[i]);
  return w;
}

/* Reports that the keyword failed for the value at the path, unless there was a failure before. Returns 0. */
static int schema_fail(struct schema_check *k, const struct schema_path *path, const char *keyword) {
  char *w;
  if (k->quiet || k->keyword) return 0;
  k->keyword = keyword;
  if (!(w = json_reserve(k->work.out, k->work.out->buffer.begin, JSON_TEXT_ROOM))) return 0;
  *w++ = '#';
  k->end = schema_put_path(k->work.out, w, path);
  return 0;
}

/* ------------------------------------------------------------------------------------- values */

/* Does the value fit? A failure is not reported. */
static int schema_fits(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                       const struct schema_path *path) {
  int fits;
  FL_ASSERT(k->quiet >= 0);
  k->quiet++;
  fits = schema_value(k, schema, v, path);
  k->quiet--;
  return fits;
}

static int schema_is_type(const struct tree_value *name, const struct tree_value *v) {
  static const char *const names[] = {"null",   "boolean", "boolean", "integer", "integer",
                                      "number", "string",  "array",   "object"};
  const char *is = names[tree_type(v)];
  return tree_is_string(name, is, strlen(is)) || (schema_is_number(v) && tree_is_string(name, "number", 6));
}

static int schema_type_fits(const struct tree_value *type, const struct tree_value *v) {
  size_t i;
  if (!type) return 1;
  if (tree_type(type) != TREE_ARRAY) return schema_is_type(type, v);
  for (i = 0; i < tree_length(type); i++)
    if (schema_is_type(&tree_items(type)[i], v)) return 1;
  return 0;
}

static int schema_is_multiple(const struct tree_value *v, const struct tree_value *of) {
  double a, b, q;
  if (tree_type(v) != TREE_DOUBLE && tree_type(of) != TREE_DOUBLE) {
    const uint64_t n = tree_type(v) == TREE_INTEGER && v->as.i < 0 ? 0 - v->as.u : v->as.u;
    return n % of->as.u == 0; /* it is positive */
  }
  a = schema_double(v), b = schema_double(of);
  if (a < 0) a = -a;
  q = a / b;
  if (q < 0x1p53) q = (double)(int64_t)q;
  return !(a - q * b > 0);
}

static int schema_number(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                         const struct schema_path *path) {
  const struct tree_value *limit = schema_field(schema, "minimum");
  if (limit && schema_is_number(limit) && schema_compare(v, limit) < schema_flag(schema, "exclusiveMinimum"))
    return schema_fail(k, path, "minimum");
  limit = schema_field(schema, "maximum");
  if (limit && schema_is_number(limit) && schema_compare(v, limit) > -schema_flag(schema, "exclusiveMaximum"))
    return schema_fail(k, path, "maximum");
  limit = schema_field(schema, "multipleOf");
  if (limit && schema_is_number(limit) && schema_double(limit) > 0 && !schema_is_multiple(v, limit))
    return schema_fail(k, path, "multipleOf");
  return 1;
}

static int schema_length(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                         const struct schema_path *path) {
  const uint64_t least = schema_count(schema, "minLength", 0), most = schema_count(schema, "maxLength", UINT64_MAX);
  const char *s = tree_bytes(v);
  size_t i, n = tree_length(v), characters = 0;
  if (least == 0 && most == UINT64_MAX) return 1;
  if (k->utf8(s, n) != n) return 1; /* a string that is not UTF-8 has no length in characters */
  for (i = 0; i < n; i++) characters += ((unsigned char)s[i] & 0xc0) != 0x80;
  if (characters < least) return schema_fail(k, path, "minLength");
  return characters <= most || schema_fail(k, path, "maxLength");
}

/* Does the pattern match in the string? A pattern that was not compiled is too deep in the schema. */
static int schema_matches(struct schema_check *k, const struct tree_value *pattern, const struct tree_value *v) {
  const struct regex *regex = schema_regex(k->tree, pattern);
  if (!regex) k->work.too_deep = 1;
  return regex && regex_search(regex, schema_scratch(k->tree), tree_bytes(v), tree_length(v));
}

static int schema_string(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                         const struct schema_path *path) {
  const struct tree_value *pattern = schema_field_of(schema, "pattern", TREE_STRING);
  if (!schema_length(k, schema, v, path)) return 0;
  return !pattern || schema_matches(k, pattern, v) || schema_fail(k, path, "pattern");
}

/* Finds the schema of item i: *of; NULL: every value fits. False: no value does. */
static int schema_of_item(const struct tree_value *schema, size_t i, const struct tree_value **of) {
  const struct tree_value *items = schema_field(schema, "items"), *more;
  *of = NULL;
  if (!items || tree_type(items) < TREE_ARRAY) return 1;
  if (tree_type(items) == TREE_OBJECT) *of = items;
  else if (i < tree_length(items)) *of = tree_items(items) + i;
  else if ((more = schema_field(schema, "additionalItems")) != NULL) *of = more;
  return !*of || tree_type(*of) != TREE_FALSE || (tree_type(items) == TREE_ARRAY && i < tree_length(items));
}

static int schema_array(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                        const struct schema_path *up) {
  const struct tree_value *items = tree_items(v), *of;
  const int unique = schema_flag(schema, "uniqueItems");
  struct schema_path path;
  const size_t n = tree_length(v), repeated = unique ? schema_repeated(&k->work, v, k->depth) : n;
  size_t i;
  path.up = up, path.name = NULL;
  for (i = 0; i < n; i++) {
    path.index = i;
    if (!schema_of_item(schema, i, &of)) return schema_fail(k, &path, "items");
    if (of && !schema_value(k, of, &items[i], &path)) return 0;
    if (i == repeated) return schema_fail(k, &path, "uniqueItems");
  }
  if (n < schema_count(schema, "minItems", 0)) return schema_fail(k, up, "minItems");
  return n <= schema_count(schema, "maxItems", UINT64_MAX) || schema_fail(k, up, "maxItems");
}

/* Do `required` or `dependencies` contain the name? Then the member is not an additional one. */
static int schema_knows(const struct tree_value *schema, const struct tree_value *name) {
  const struct tree_value *dependencies = schema_field_of(schema, "dependencies", TREE_OBJECT);
  size_t i, n = dependencies ? tree_count(dependencies) : 0;
  if (schema_lists(schema_field(schema, "required"), name)) return 1;
  for (i = 0; i < n; i += 2) {
    const struct tree_value *source = tree_items(dependencies) + i;
    if (tree_is_string(source, tree_bytes(name), tree_length(name)) || schema_lists(source + 1, name)) return 1;
  }
  return 0;
}

/* Does the member fit the schemas of all patterns that its name matches? *matched: does it match any? */
static int schema_patterns_fit(struct schema_check *k, const struct tree_value *schema, const struct tree_value *name,
                               const struct schema_path *path, int *matched) {
  const struct tree_value *patterns = schema_field_of(schema, "patternProperties", TREE_OBJECT);
  const struct tree_value *pattern = patterns ? tree_items(patterns) : NULL;
  const struct tree_value *end = patterns ? pattern + tree_count(patterns) : NULL;
  int fits = 1;
  for (*matched = 0; pattern < end; pattern += 2) {
    if (!schema_matches(k, pattern, name)) continue;
    *matched = 1;
    fits = fits && schema_fits(k, pattern + 1, name + 1, path);
  }
  return fits;
}

/* A member whose name matches a pattern is not an additional one. If it fails its own schema too, that is reported as
** patternProperties. */
static int schema_member(struct schema_check *k, const struct tree_value *schema, const struct tree_value *name,
                         const struct schema_path *up) {
  const struct tree_value *properties = schema_field_of(schema, "properties", TREE_OBJECT), *of;
  struct schema_path path;
  int fits, matched;
  path.up = up, path.name = name, path.index = 0;
  of = properties ? tree_member(properties, tree_bytes(name), tree_length(name)) : NULL;
  fits = schema_patterns_fit(k, schema, name, &path, &matched);
  if (matched) {
    fits = fits && (!of || schema_fits(k, of, name + 1, &path));
    return fits || schema_fail(k, &path, "patternProperties");
  }
  if (!of && schema_knows(schema, name)) return 1;
  if (!of && (of = schema_field(schema, "additionalProperties")) != NULL && tree_type(of) == TREE_FALSE)
    return schema_fail(k, &path, "additionalProperties");
  return !of || schema_value(k, of, name + 1, &path);
}

/* A required member may be missing if the default in its schema is a string that is not empty. */
static int schema_has_required(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v) {
  const struct tree_value *required = schema_field_of(schema, "required", TREE_ARRAY), *name, *of, *initial;
  const struct tree_value *properties = schema_field_of(schema, "properties", TREE_OBJECT);
  size_t i;
  for (i = 0; required && i < tree_length(required); i++) {
    name = &tree_items(required)[i];
    if (tree_type(name) != TREE_STRING || tree_member(v, tree_bytes(name), tree_length(name))) continue;
    of = properties ? schema_resolve(k, tree_member(properties, tree_bytes(name), tree_length(name))) : NULL;
    initial = of ? schema_field_of(of, "default", TREE_STRING) : NULL;
    if (!initial || tree_length(initial) == 0) return 0;
  }
  return 1;
}

static int schema_has_dependencies(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                                   const struct schema_path *path) {
  const struct tree_value *dependencies = schema_field_of(schema, "dependencies", TREE_OBJECT);
  size_t i, j, n = dependencies ? tree_count(dependencies) : 0;
  for (i = 0; i < n; i += 2) {
    const struct tree_value *source = tree_items(dependencies) + i, *what = source + 1;
    if (!tree_member(v, tree_bytes(source), tree_length(source))) continue;
    if (tree_type(what) == TREE_OBJECT && !schema_fits(k, what, v, path)) return 0;
    for (j = 0; tree_type(what) == TREE_ARRAY && j < tree_length(what); j++) {
      const struct tree_value *name = &tree_items(what)[j];
      if (tree_type(name) == TREE_STRING && !tree_member(v, tree_bytes(name), tree_length(name))) return 0;
    }
  }
  return 1;
}

static int schema_object(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                         const struct schema_path *path) {
  const struct tree_value *name = tree_items(v), *end = name + tree_count(v);
  for (; name < end; name += 2)
    if (!schema_member(k, schema, name, path)) return 0;
  if (!schema_has_required(k, schema, v)) return schema_fail(k, path, "required");
  if (tree_length(v) < schema_count(schema, "minProperties", 0)) return schema_fail(k, path, "minProperties");
  if (tree_length(v) > schema_count(schema, "maxProperties", UINT64_MAX)) return schema_fail(k, path, "maxProperties");
  return schema_has_dependencies(k, schema, v, path) || schema_fail(k, path, "dependencies");
}

/* How many schemas in the list of that keyword does the value fit? *of: how many there are. Both count up to 2. */
static int schema_fitting(struct schema_check *k, const struct tree_value *schema, const char *keyword,
                          const struct tree_value *v, const struct schema_path *path, int *of) {
  const struct tree_value *list = schema_field_of(schema, keyword, TREE_ARRAY);
  size_t i, n = list ? tree_length(list) : 0;
  int fitting = 0;
  for (i = 0; i < n; i++) fitting += schema_fits(k, &tree_items(list)[i], v, path) && fitting < 2;
  *of = n < 2 ? (int)n : 2;
  return fitting;
}

/* Checks enum, allOf, anyOf, oneOf, not. */
static int schema_combined(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                           const struct schema_path *path) {
  const struct tree_value *list = schema_field_of(schema, "enum", TREE_ARRAY), *not_one;
  size_t i, n = list ? tree_length(list) : 0;
  int of, fitting;
  for (i = 0; i < n && !schema_equal(&k->work, v, &tree_items(list)[i], k->depth); i++) {}
  if (n > 0 && i == n) return schema_fail(k, path, "enum");
  list = schema_field_of(schema, "allOf", TREE_ARRAY);
  for (i = 0, n = list ? tree_length(list) : 0; i < n; i++)
    if (!schema_fits(k, &tree_items(list)[i], v, path)) return schema_fail(k, path, "allOf");
  if (schema_fitting(k, schema, "anyOf", v, path, &of) == 0 && of > 0) return schema_fail(k, path, "anyOf");
  fitting = schema_fitting(k, schema, "oneOf", v, path, &of);
  if (of > 0 && fitting != 1) return schema_fail(k, path, "oneOf");
  not_one = schema_field_of(schema, "not", TREE_OBJECT);
  return !not_one || !schema_fits(k, not_one, v, path) || schema_fail(k, path, "not");
}

/* Does the value fit this schema, an object without a reference? */
static int schema_value_fits(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                             const struct schema_path *path) {
  int fits;
  FL_ASSERT(tree_type(schema) == TREE_OBJECT && k->depth <= SCHEMA_DEPTH);
  if (k->depth == SCHEMA_DEPTH) k->work.too_deep = 1;
  if (k->work.too_deep || k->work.no_memory) return 0;
  if (!schema_type_fits(schema_field(schema, "type"), v)) return schema_fail(k, path, "type");
  k->depth++;
  fits = tree_type(v) == TREE_OBJECT   ? schema_object(k, schema, v, path)
         : tree_type(v) == TREE_ARRAY  ? schema_array(k, schema, v, path)
         : tree_type(v) == TREE_STRING ? schema_string(k, schema, v, path)
         : schema_is_number(v)         ? schema_number(k, schema, v, path)
                                       : 1;
  fits = fits && schema_combined(k, schema, v, path);
  k->depth--;
  return fits;
}

FL_PRIVATE int schema_value(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                            const struct schema_path *path) {
  const struct tree_value *of = schema_resolve(k, schema);
  int fits;
  if (!of) return !k->work.too_deep;
  if (of == schema || !k->quiet) return schema_value_fits(k, of, v, path);
  if ((fits = schema_recall(&k->memory, of, v)) >= 0) return fits;
  fits = schema_value_fits(k, of, v, path);
  schema_remember(&k->work, &k->memory, of, v, fits);
  return fits;
}
