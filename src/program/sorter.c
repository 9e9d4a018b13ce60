/* SPDX-License-Identifier: MIT
** sorter.c -- items ordered by keys: what sort and group of the program do.
** Must hold: a key is made of bytes whose order by memcmp is that of docs/cli.md, and none begins with all bytes of
** another. The texts of items stay where they are, and the sorter's table of texts keeps them alive; with the forms
** that want only one item of each key, the item, or what is counted, is copied, and equal keys are merged whenever
** the list is full. All memory is the sorter's. No recursion. */
#include "../json/tokens/tokens.h"
#include "../number/compare.h"
#include "../text/unescape.h"
#include "program.h"
#include "text.h"

#define PROGRAM_SORTER "fleece.program.sorter"

enum program_sort_form { PROGRAM_SORT, PROGRAM_GROUP, PROGRAM_UNIQUE, PROGRAM_COUNT }; /* from UNIQUE on: merged */

/* The first bytes of keys. */
enum {
  PROGRAM_KEY_NULL = 1,
  PROGRAM_KEY_FALSE,
  PROGRAM_KEY_TRUE,
  PROGRAM_KEY_NAN,
  PROGRAM_KEY_LEAST, /* -Infinity */
  PROGRAM_KEY_NUMBER,
  PROGRAM_KEY_MOST,
  PROGRAM_KEY_STRING, /* its bytes and a 0; in it \0 is \1\1 and \1 is \1\2. Arrays: command/order.lua */
};

enum { PROGRAM_SORT_ROOM = 1 << 16, PROGRAM_SORT_PIECE = 1 << 18, PROGRAM_SORT_RUN = 12 };

struct program_entry {
  uint64_t prefix; /* some bytes of the key, the first one highest; inverted if the largest comes first */
  size_t at;       /* its item in items.block */
};

/* The bytes of the key follow it, and if items are merged n bytes of text. */
struct program_item {
  union {
    const char *begin;
    size_t count; /* if they are merged */
  } is;
  size_t n, key;
};

/* The rest of some entries that are ordered by the prefixes they have. */
struct program_run {
  size_t next, end;
};

struct program_sorter {
  enum program_sort_form form;
  int is_list, reverse, ordered, ended;
  unsigned cpu;
  size_t added, next, most; /* most: entries before equal ones are merged */
  struct program_text entries, others, items, old, line, runs;
};

#define PROGRAM_ENTRIES(t) ((struct program_entry *)(void *)(t).block)
#define PROGRAM_COUNT_OF(t, type) ((t).n / sizeof(struct type))

static struct program_sorter *program_check_sorter(lua_State *L) {
  struct program_sorter *s = (struct program_sorter *)luaL_checkudata(L, 1, PROGRAM_SORTER);
  if (s->ordered) luaL_argerror(L, 1, "already in order");
  return s;
}

FL_PRIVATE int program_sorter(lua_State *L) {
  static const char *const forms[] = {"sort", "group", "unique", "count", NULL};
  const int form = luaL_checkoption(L, 1, NULL, forms), is_list = lua_toboolean(L, 2), reverse = lua_toboolean(L, 3);
  struct program_sorter *s = (struct program_sorter *)mod_new_userdata(L, sizeof *s);
  memset(s, 0, sizeof *s);
  s->form = (enum program_sort_form)form;
  s->is_list = is_list, s->reverse = reverse;
  s->cpu = (unsigned)lua_tointeger(L, lua_upvalueindex(1));
  s->most = PROGRAM_SORT_ROOM;
  lua_newtable(L);
  mod_set_env(L, -2);
  luaL_getmetatable(L, PROGRAM_SORTER);
  lua_setmetatable(L, -2);
  return 1;
}

static int program_sorter_free(lua_State *L) {
  struct program_sorter *s = (struct program_sorter *)luaL_checkudata(L, 1, PROGRAM_SORTER);
  struct program_text *const blocks[] = {&s->entries, &s->others, &s->items, &s->old, &s->line, &s->runs, NULL};
  for (size_t i = 0; blocks[i]; i++)
    if (blocks[i]->block) program_resize_text(L, blocks[i], 0);
  return 0;
}

/* ---- keys ---- */

static struct program_item *program_item_at(const struct program_text *items, size_t at) {
  return (struct program_item *)(void *)(items->block + at);
}

FL_INLINE const char *program_key_of(const struct program_item *item) { return (const char *)(item + 1); }

static uint64_t program_prefix(const struct program_sorter *s, size_t at, size_t from) {
  const struct program_item *item = program_item_at(&s->items, at);
  uint64_t prefix = 0;
  memcpy(&prefix, program_key_of(item) + from, item->key - from < sizeof prefix ? item->key - from : sizeof prefix);
#if !FLEECE_BIG_ENDIAN
  prefix = __builtin_bswap64(prefix);
#endif
  return s->reverse ? ~prefix : prefix;
}

static int program_same_key(const struct program_item *a, const struct program_item *b) {
  return a->key == b->key && memcmp(program_key_of(a), program_key_of(b), a->key) == 0;
}

/* Appends the bytes for a valid value, or for a missing one. Returns 0 if it is not simple. */
static int program_add_key(lua_State *L, struct program_text *to, const char *p, const char *end, unsigned cpu) {
  const size_t n = p ? (size_t)(end - p) : 0;
  program_reserve_text(L, to, n + NUM_SORT_ROOM + TEXT_UNESCAPE_MARGIN);
  char *w = to->block + to->n;
  switch (p ? *p : 'n') {
  case 'n': *w++ = PROGRAM_KEY_NULL; break;
  case 'f': *w++ = PROGRAM_KEY_FALSE; break;
  case 't': *w++ = PROGRAM_KEY_TRUE; break;
  case 'N': *w++ = PROGRAM_KEY_NAN; break;
  case 'I': *w++ = PROGRAM_KEY_MOST; break;
  case '[':
  case '{': return 0;
  case '"':
    *w++ = PROGRAM_KEY_STRING;
    if (!memchr(p, '\\', n)) {
      memcpy(w, p + 1, n - 2);
      w += n - 2;
    } else {
      const char *at = p + 1;
      char *text = w;
      w = text_unescape(w, &at, end - 1, end, cpu);
      if (at != end - 1 || memchr(text, 0, (size_t)(w - text)) || memchr(text, 1, (size_t)(w - text))) return 0;
    }
    *w++ = 0;
    break;
  default:
    if (*p == '-' && p[1] == 'I') {
      *w++ = PROGRAM_KEY_LEAST;
      break;
    }
    *w++ = PROGRAM_KEY_NUMBER;
    w = (char *)num_write_sort_key((unsigned char *)w, p, n);
  }
  to->n = (size_t)(w - to->block);
  return 1;
}

FL_PRIVATE int program_sort_key(lua_State *L) {
  const struct mod_pick_text t = program_to_text(L, 1);
  const unsigned cpu = (unsigned)lua_tointeger(L, lua_upvalueindex(1));
  lua_settop(L, 1);
  struct program_text *to = program_push_text(L);
  if (t.n == 0 || *t.s == '"' || !program_add_key(L, to, t.s, t.s + t.n, cpu)) return 0;
  lua_pushlstring(L, to->block, to->n);
  return 1;
}

/* ---- the order ---- */

/* Orders entries by their prefixes; equal ones keep their order. */
static void program_sort_prefixes(lua_State *L, struct program_sorter *s, size_t first, size_t n) {
  struct program_entry *a = PROGRAM_ENTRIES(s->entries) + first, *b;
  for (size_t i = 0; i < n; i += PROGRAM_SORT_RUN) {
    for (size_t j = i + 1; j < n && j < i + PROGRAM_SORT_RUN; j++) {
      const struct program_entry e = a[j];
      size_t k = j;
      for (; k > i && a[k - 1].prefix > e.prefix; k--) a[k] = a[k - 1];
      a[k] = e;
    }
  }
  if (n <= PROGRAM_SORT_RUN) return;
  s->others.n = 0;
  program_reserve_text(L, &s->others, n * sizeof *a);
  b = PROGRAM_ENTRIES(s->others);
  for (size_t width = PROGRAM_SORT_RUN; width < n; width *= 2) {
    struct program_entry *swap = a;
    for (size_t i = 0; i < n; i += 2 * width) {
      const size_t middle = n - i < width ? n : i + width, end = n - i < 2 * width ? n : i + 2 * width;
      size_t l = i, r = middle, w = i;
      while (l < middle && r < end) b[w++] = a[l].prefix <= a[r].prefix ? a[l++] : a[r++];
      memcpy(b + w, a + l, (middle - l) * sizeof *a);
      memcpy(b + w + (middle - l), a + r, (end - r) * sizeof *a);
    }
    a = b, b = swap;
  }
  if (a != PROGRAM_ENTRIES(s->entries) + first) memcpy(b, a, n * sizeof *a);
}

static void program_push_run(lua_State *L, struct program_sorter *s, size_t first, size_t n) {
  const struct program_run run = {first, first + n};
  program_sort_prefixes(L, s, first, n);
  program_append(L, &s->runs, &run, sizeof run);
}

/* Orders all entries. Those with equal prefixes are ordered by the next bytes of their keys, and so on. */
static void program_sort_all(lua_State *L, struct program_sorter *s) {
  struct program_entry *e = PROGRAM_ENTRIES(s->entries);
  s->runs.n = 0;
  program_push_run(L, s, 0, PROGRAM_COUNT_OF(s->entries, program_entry));
  while (s->runs.n > 0) {
    const size_t depth = PROGRAM_COUNT_OF(s->runs, program_run) * sizeof e->prefix;
    struct program_run *run = (struct program_run *)(void *)(s->runs.block + s->runs.n) - 1;
    const size_t first = run->next;
    size_t last = first + 1;
    if (first >= run->end) {
      s->runs.n -= sizeof *run;
      continue;
    }
    while (last < run->end && e[last].prefix == e[first].prefix) last++;
    run->next = last;
    if (last - first == 1 || program_item_at(&s->items, e[first].at)->key <= depth) continue;
    for (size_t i = first; i < last; i++) e[i].prefix = program_prefix(s, e[i].at, depth);
    program_push_run(L, s, first, last - first);
  }
}

/* Adds an item, whose key is complete, to the entries. */
static void program_add_entry(lua_State *L, struct program_sorter *s, size_t at) {
  const struct program_entry e = {program_prefix(s, at, 0), at};
  program_append(L, &s->entries, &e, sizeof e);
}

/* Orders all entries, and leaves only the first of those with equal keys. */
static void program_merge(lua_State *L, struct program_sorter *s) {
  struct program_item *last = NULL;
  program_sort_all(L, s);
  const struct program_text items = s->items;
  const size_t n = PROGRAM_COUNT_OF(s->entries, program_entry);
  s->items = s->old, s->old = items;
  s->items.n = s->entries.n = 0;
  for (size_t i = 0; i < n; i++) {
    const struct program_item *item = program_item_at(&s->old, PROGRAM_ENTRIES(s->entries)[i].at);
    const size_t at = s->items.n, bytes = sizeof *item + item->key + item->n;
    if (last && program_same_key(last, item)) {
      last->is.count += item->is.count;
      continue;
    }
    program_append(L, &s->items, item, bytes + (0 - bytes) % sizeof(size_t));
    last = program_item_at(&s->items, at);
    program_add_entry(L, s, at);
  }
  program_resize_text(L, &s->old, 0);
  memset(&s->old, 0, sizeof s->old);
  while (2 * PROGRAM_COUNT_OF(s->entries, program_entry) > s->most) s->most *= 2;
}

/* ---- items ---- */

/* Begins an item. Returns where it is. */
static size_t program_begin_item(lua_State *L, struct program_sorter *s) {
  const size_t at = s->items.n;
  program_reserve_text(L, &s->items, sizeof(struct program_item));
  s->items.n += sizeof(struct program_item);
  return at;
}

/* Ends it. `text` is the item, or the value if items are counted. */
static void program_end_item(lua_State *L, struct program_sorter *s, size_t at, const struct json_slice *text) {
  const size_t key = s->items.n - at - sizeof(struct program_item), n = (size_t)(text->end - text->begin);
  const int is_merged = s->form >= PROGRAM_UNIQUE;
  program_reserve_text(L, &s->items, (is_merged ? n : 0) + sizeof(struct program_item));
  struct program_item *item = program_item_at(&s->items, at);
  item->n = n, item->key = key;
  if (is_merged) {
    memcpy(s->items.block + s->items.n, text->begin, n);
    s->items.n += n;
    item->is.count = 1;
  } else {
    item->is.begin = text->begin;
  }
  s->items.n += (0 - s->items.n) % sizeof(size_t);
  s->added++;
  program_add_entry(L, s, at);
  if (is_merged && PROGRAM_COUNT_OF(s->entries, program_entry) >= s->most) program_merge(L, s);
}

static struct json_slice program_value_or_null(const struct json_slice *value) {
  static const char null[] = "null";
  const struct json_slice missing = {null, null + sizeof null - 1};
  return value->begin ? *value : missing;
}

/* Adds an item. Returns 0 if it is invalid or its key is not simple. */
static int program_add_simple(lua_State *L, struct program_sorter *s, const struct mod_pick *k, void *memory,
                              struct json_slice text) {
  const size_t n = (size_t)(text.end - text.begin);
  const int top = lua_gettop(L);
  s->line.n = 0;
  program_append(L, &s->line, text.begin, n);
  s->line.block[n] = 0;
  const struct mod_pick_text t = {s->line.block, n, NULL};
  const struct json_slice *found = mod_pick_places(L, k, memory, &t);
  lua_settop(L, top);
  if (!found) return 0;
  const size_t at = program_begin_item(L, s);
  for (uint32_t i = 0; i < k->paths; i++) {
    const struct json_slice *value = &found[k->places[i].goal];
    if (program_add_key(L, &s->items, value->begin, value->end, s->cpu)) continue;
    s->items.n = at;
    return 0;
  }
  if (s->form == PROGRAM_COUNT) text = program_value_or_null(&found[k->places[0].goal]);
  program_end_item(L, s, at, &text);
  return 1;
}

/* Keeps the text at the index alive, if the sorter's entries lead into it. */
static void program_keep_text(lua_State *L, const struct program_sorter *s, int index) {
  if (s->form >= PROGRAM_UNIQUE) return;
  mod_push_env(L, 1);
  const int n = (int)lua_rawlen(L, -1);
  lua_rawgeti(L, -1, n);
  if (!lua_rawequal(L, -1, index)) {
    lua_pushvalue(L, index);
    lua_rawseti(L, -3, n + 1);
  }
  lua_pop(L, 2);
}

static int program_sorter_lines(lua_State *L) {
  struct program_sorter *s = program_check_sorter(L);
  const struct mod_pick *k = mod_pick_check(L, 2);
  const struct mod_pick_text t = program_to_text(L, 3);
  size_t at = program_check_size(L, 4), lines = 0;
  const size_t last = program_check_size(L, 5);
  if (at < 1 || last > t.n) luaL_argerror(L, 4, "outside the text");
  lua_settop(L, 5);
  compat_need_stack(L, 32);
  program_keep_text(L, s, 3);
  void *memory = mod_pick_push_memory(L, k);
  size_t stop = last;
  for (at--; at < last; lines++, at = stop + 1) {
    const char *line = t.s + at, *end = (const char *)memchr(line, '\n', last - at);
    stop = end ? (size_t)(end - t.s) : last;
    const struct json_slice text = {line, t.s + stop};
    if (!program_add_simple(L, s, k, memory, text)) break;
  }
  lua_pushnumber(L, (lua_Number)(at + 1));
  lua_pushnumber(L, (lua_Number)lines);
  lua_pushnumber(L, (lua_Number)stop);
  return 3;
}

static int program_sorter_items(lua_State *L) {
  struct program_sorter *s = program_check_sorter(L);
  const struct mod_pick *k = mod_pick_check(L, 2);
  const struct mod_pick_text t = program_to_text(L, 3);
  size_t at = program_check_size(L, 4);
  struct json_slice value;
  if (at < 1 || at > t.n + 1) luaL_argerror(L, 4, "outside the text");
  lua_settop(L, 4);
  compat_need_stack(L, 32);
  program_keep_text(L, s, 3);
  void *memory = mod_pick_push_memory(L, k);
  if (--at == 0) {
    while (json_is_blank(t.s[at])) at++;
    if (t.s[at] != '[') return 0;
  }
  int more;
  while ((more = program_next_value(&t, at, 0, s->cpu, &value)) != 0 && program_add_simple(L, s, k, memory, value)) {
    at = (size_t)(value.end - t.s);
    program_pass(L, 3, at);
  }
  lua_pushnumber(L, (lua_Number)(at + 1));
  lua_pushboolean(L, more);
  return 2;
}

static int program_sorter_add(lua_State *L) {
  struct program_sorter *s = program_check_sorter(L);
  const struct mod_pick_text t = program_to_text(L, 2);
  const size_t first = program_check_size(L, 3), last = program_check_size(L, 4);
  size_t key, n;
  const char *bytes = luaL_checklstring(L, 5, &key), *value = luaL_optlstring(L, 6, "null", &n);
  if (first < 1 || first > last + 1 || last > t.n) luaL_argerror(L, 3, "outside the text");
  const struct json_slice item = {t.s + first - 1, t.s + last}, of = {value, value + n};
  program_keep_text(L, s, 2);
  const size_t at = program_begin_item(L, s);
  program_append(L, &s->items, bytes, key);
  program_end_item(L, s, at, s->form == PROGRAM_COUNT ? &of : &item);
  return 0;
}

static int program_sorter_length(lua_State *L) {
  lua_pushnumber(L, (lua_Number)((struct program_sorter *)luaL_checkudata(L, 1, PROGRAM_SORTER))->added);
  return 1;
}

/* ---- output ---- */

/* Adds what the entry contributes: its item, or the end of a group and the begin of another. */
static void program_put_entry(const struct program_sorter *s, size_t i, luaL_Buffer *to) {
  const struct program_entry *e = PROGRAM_ENTRIES(s->entries) + i;
  const struct program_item *item = program_item_at(&s->items, e->at);
  const int is_merged = s->form >= PROGRAM_UNIQUE;
  const char *text = is_merged ? program_key_of(item) + item->key : item->is.begin;
  if (s->form == PROGRAM_GROUP) {
    const int is_new = i == 0 || !program_same_key(program_item_at(&s->items, e[-1].at), item);
    if (i > 0 && is_new) luaL_addchar(to, ']');
    if (i > 0) luaL_addchar(to, s->is_list || !is_new ? ',' : '\n');
    if (is_new) luaL_addchar(to, '[');
  } else if (i > 0) {
    luaL_addchar(to, s->is_list ? ',' : '\n');
  }
  if (s->form != PROGRAM_COUNT) {
    luaL_addlstring(to, text, item->n);
    return;
  }
  char count[NUM_ROOM];
  const size_t n = (size_t)(num_write_u64(count, item->is.count) - count);
  luaL_addstring(to, "{\"key\":");
  luaL_addlstring(to, text, item->n);
  luaL_addstring(to, ",\"count\":");
  luaL_addlstring(to, count, n);
  luaL_addchar(to, '}');
}

static int program_sorter_piece(lua_State *L) {
  struct program_sorter *s = (struct program_sorter *)luaL_checkudata(L, 1, PROGRAM_SORTER);
  luaL_Buffer b;
  if (!s->ordered) {
    if (s->form >= PROGRAM_UNIQUE) program_merge(L, s);
    else program_sort_all(L, s);
    s->ordered = 1;
  }
  const size_t count = PROGRAM_COUNT_OF(s->entries, program_entry);
  if (s->ended) return 0;
  lua_settop(L, 1);
  luaL_buffinit(L, &b);
  if (s->next == 0 && s->is_list) luaL_addchar(&b, '[');
  for (size_t bytes = 0; s->next < count && bytes < PROGRAM_SORT_PIECE; s->next++) {
    bytes += program_item_at(&s->items, PROGRAM_ENTRIES(s->entries)[s->next].at)->n + 1;
    program_put_entry(s, s->next, &b);
  }
  if (s->next == count) {
    s->ended = 1;
    if (s->form == PROGRAM_GROUP && count > 0) luaL_addchar(&b, ']');
    if (s->is_list) luaL_addchar(&b, ']');
    luaL_addchar(&b, '\n');
  }
  luaL_pushresult(&b);
  return 1;
}

FL_PRIVATE void program_push_sorter_class(lua_State *L) {
  static const luaL_Reg methods[] = {{"lines", program_sorter_lines},
                                     {"items", program_sorter_items},
                                     {"add", program_sorter_add},
                                     {"piece", program_sorter_piece},
                                     {"__len", program_sorter_length},
                                     {"__gc", program_sorter_free},
                                     {NULL, NULL}};
  program_push_class(L, PROGRAM_SORTER, methods);
}
