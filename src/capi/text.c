/* SPDX-License-Identifier: MIT
** text.c -- memory for a call; testing and searching texts; fleece_text_check; paths as steps.
** Must hold: as text.h. The names of the steps are in the path's block. */
#include "text.h"
#include "../binary/read/path.h"
#include "../json/index/steps.h"

enum { CAPI_ALIGN = 16, CAPI_CHECK_ROOM = 1024 };

struct capi_block {
  struct capi_block *next;
  size_t size;
};

FL_STATIC_ASSERT(sizeof(struct capi_block) <= CAPI_ALIGN, a_block_has_room_for_its_head);

/* Uses memory as far as it is aligned to CAPI_ALIGN. */
static void capi_room_use(struct capi_room *room, char *first, size_t n) {
  const size_t skip = (size_t)(0 - (uintptr_t)first) % CAPI_ALIGN;
  room->free = room->limit = first;
  if (n < skip) return;
  room->free = first + skip;
  room->limit = room->free + (n - skip) / CAPI_ALIGN * CAPI_ALIGN;
}

FL_PRIVATE void capi_room_begin(struct capi_room *room, void *first, size_t n, fleece_bytes *scratch,
                                const fleece_allocator *memory) {
  room->blocks = NULL;
  room->allocated = 0;
  room->first = n;
  room->scratch = scratch;
  room->scratch_is_used = !scratch || !scratch->data;
  room->memory = capi_memory(scratch ? &scratch->allocator : memory);
  if (scratch) scratch->size = 0;
  capi_room_use(room, (char *)first, n);
}

FL_PRIVATE void *capi_room_take(struct capi_room *room, size_t n) {
  if (n > SIZE_MAX / 4) return NULL;
  n = (n + CAPI_ALIGN - 1) / CAPI_ALIGN * CAPI_ALIGN;
  if (n > (size_t)(room->limit - room->free) && !room->scratch_is_used && room->scratch->room >= n + CAPI_ALIGN) {
    capi_room_use(room, room->scratch->data, room->scratch->room);
    room->scratch_is_used = 1;
  }
  if (n <= (size_t)(room->limit - room->free)) {
    char *taken = room->free;
    room->free += n;
    return taken;
  }
  struct capi_block *block = (struct capi_block *)room->memory.alloc(room->memory.ud, NULL, 0, n + CAPI_ALIGN);
  if (!block) return NULL;
  block->next = room->blocks;
  block->size = n + CAPI_ALIGN;
  room->blocks = block;
  room->allocated += block->size;
  return (char *)block + CAPI_ALIGN;
}

FL_PRIVATE void capi_room_end(struct capi_room *room) {
  const fleece_allocator *memory = &room->memory;
  fleece_bytes *scratch = room->scratch;
  char *data;
  while (room->blocks) {
    struct capi_block *block = room->blocks;
    room->blocks = block->next;
    capi_free(memory, block, block->size);
  }
  if (!scratch) return;
  /* a call that goes over to the scratch earlier leaves more of the stack's memory unused */
  const size_t wanted = scratch->room + room->allocated + room->first + CAPI_ALIGN;
  if (room->allocated && wanted <= SIZE_MAX / 2 && (data = (char *)memory->alloc(memory->ud, NULL, 0, wanted))) {
    capi_free(memory, scratch->data, scratch->room);
    scratch->data = data;
    scratch->room = wanted;
  }
  if (scratch->data) *scratch->data = 0;
}

/* json_scan.grow, with the room as owner. */
static char *capi_room_grow(void *owner, size_t n) { return (char *)capi_room_take((struct capi_room *)owner, n); }

FL_PRIVATE int capi_text_begin(struct capi_text *t, const char *text, size_t n, const fleece_options *o, unsigned cpu,
                               struct capi_room *room, fleece_error *error) {
  if (!text && n > 0) return capi_bad_argument(error, "there is no text"), 0;
  if (!text) text = "";
  else if (o->flags & FLEECE_TERMINATED && text[n] != 0)
    return capi_bad_argument(error, "the text must end with a zero byte"), 0;
  t->room = room;
  t->begin = t->given = text;
  t->end = text + n;
  t->flags = n ? o->flags : o->flags | FLEECE_TERMINATED;
  if (!n) t->begin = t->end = "";
  t->max_depth = o->max_depth;
  t->cpu = cpu;
  memset(&t->scan, 0, sizeof t->scan);
  return 1;
}

FL_PRIVATE unsigned capi_grammar(uint32_t flags) {
  unsigned grammar = 0;
  if (flags & FLEECE_COMMENTS) grammar |= JSON_COMMENTS;
  if (flags & FLEECE_TRAILING_COMMAS) grammar |= JSON_TRAILING_COMMAS;
  if (flags & FLEECE_BOM) grammar |= JSON_BOM;
  if (flags & FLEECE_JSON5) grammar |= JSON_JSON5 | JSON_COMMENTS | JSON_TRAILING_COMMAS | JSON_NAN_LITERALS | JSON_BOM;
  return grammar;
}

FL_INLINE int capi_text_has_mark(const struct capi_text *t) {
  return t->end - t->begin >= 3 && memcmp(t->begin, "\xef\xbb\xbf", 3) == 0;
}

FL_PRIVATE const char *capi_text_start(const struct capi_text *t) {
  return t->flags & (FLEECE_BOM | FLEECE_JSON5) && capi_text_has_mark(t) ? t->begin + 3 : t->begin;
}

FL_PRIVATE unsigned char *capi_text_containers(const struct capi_text *t, uint32_t *max_depth) {
  const size_t n = (size_t)(t->end - t->begin);
  *max_depth = n < t->max_depth ? (uint32_t)n : t->max_depth;
  return (unsigned char *)capi_room_take(t->room, JSON_CONTAINERS(*max_depth));
}

FL_PRIVATE int capi_text_terminate(struct capi_text *t) {
  const size_t n = (size_t)(t->end - t->begin);
  char *copy;
  if (t->flags & FLEECE_TERMINATED) return 1;
  if (!(copy = (char *)capi_room_take(t->room, n + 1))) return 0;
  memcpy(copy, t->begin, n);
  copy[n] = 0;
  t->begin = copy;
  t->end = copy + n;
  t->flags |= FLEECE_TERMINATED;
  return 1;
}

FL_PRIVATE void capi_text_set_scan(struct capi_text *t) {
  struct json_scan *j = &t->scan;
  memset(j, 0, sizeof *j);
  j->begin = t->begin;
  j->end = t->end;
  j->grammar = capi_grammar(t->flags);
  j->bad_text = t->flags & FLEECE_REPLACE_UTF8 ? JSON_BAD_REPLACE : JSON_BAD_ERROR;
  j->utf8 = text_utf8_pick(t->cpu);
  j->max_depth = t->max_depth;
  j->scratch = t->scratch;
  j->room = sizeof t->scratch;
  j->grow = capi_room_grow;
  j->owner = t->room;
}

FL_PRIVATE const char *capi_text_first(struct capi_text *t) {
  struct json_scan *j = &t->scan;
  const char *p = capi_text_start(t);
  if (p == t->begin && FL_UNLIKELY(capi_text_has_mark(t))) return json_scan_error(j, JSON_CHECK_BOM, p);
  p = json_read_space(j, p);
  return p && p == t->end ? json_scan_error(j, JSON_CHECK_EMPTY, p) : p;
}

FL_PRIVATE int capi_text_read(struct capi_text *t, const struct json_goal *goals, uint32_t count, unsigned flags,
                              struct json_slice *found) {
  const size_t n = (size_t)(t->end - t->begin);
  struct json_pick k;
  const char *p;
  FL_ASSERT(*t->end == 0);
  capi_text_set_scan(t);
  k.memory = capi_room_take(t->room, json_pick_bytes(count, n < t->max_depth ? (uint32_t)n : t->max_depth));
  if (!k.memory) return json_scan_error(&t->scan, JSON_CHECK_MEMORY, t->begin) != NULL;
  if (!(p = capi_text_first(t))) return 0;
  k.scan = t->scan;
  k.goals = goals;
  k.count = count;
  k.flags = flags;
  k.found = found;
  p = json_pick(&k, p);
  if (p && !(flags & JSON_PICK_STOP)) {
    p = json_read_space(&k.scan, p);
    if (p && p != t->end) p = json_scan_error(&k.scan, JSON_CHECK_AFTER, p);
  }
  t->scan = k.scan;
  return p != NULL;
}

FL_PRIVATE int capi_text_fail(const struct capi_text *t, fleece_error *error) {
  if (t->scan.error == JSON_CHECK_MEMORY) return capi_no_memory(error);
  return capi_json_error(error, t->scan.error, t->begin, t->end, t->scan.at);
}

/* The brackets of a strict text end it: nothing after them is read. */
FL_PRIVATE int capi_text_whole(struct capi_text *t, unsigned flags, struct json_slice *value, fleece_error *error) {
  uint32_t max_depth;
  unsigned char *containers = capi_text_containers(t, &max_depth);
  value->begin = capi_text_start(t);
  if (!containers) return capi_no_memory(error);
  if (json_is_text(value->begin, (size_t)(t->end - value->begin), max_depth, containers, t->cpu)) {
    while (json_is_blank(*value->begin)) value->begin++;
    for (value->end = t->end; json_is_blank(value->end[-1]);) value->end--;
    return FLEECE_OK;
  }
  struct json_goal whole = {0};
  if (!capi_text_terminate(t)) return capi_no_memory(error);
  return capi_text_read(t, &whole, 1, flags, value) ? FLEECE_OK : capi_text_fail(t, error);
}

int fleece_text_check(const char *text, size_t n, const fleece_options *options, fleece_bytes *scratch,
                      fleece_error *error) {
  int64_t first[CAPI_CHECK_ROOM / sizeof(int64_t)];
  struct json_slice value;
  struct capi_room room;
  struct capi_text t;
  fleece_options o;
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  capi_room_begin(&room, first, sizeof first, scratch, o.allocator);
  if (!capi_text_begin(&t, text, n, &o, capi_cpu(n), &room, error)) return FLEECE_ERROR_ARGUMENT;
  const int status = capi_text_whole(&t, 0, &value, error);
  if (status == FLEECE_OK) capi_ok(error);
  capi_room_end(&room);
  return status;
}

/* Returns memory for `count` steps, as many tokens or steps of `size` bytes, and n bytes. */
static struct json_step *capi_need_steps(struct capi_path *p, size_t count, size_t size, size_t n) {
  const size_t bytes = count * (sizeof(struct json_step) + size) + n;
  if (bytes > p->bytes || !p->block) {
    p->bytes = bytes + bytes / 2;
    p->block = capi_room_take(p->room, p->bytes);
  }
  return p->steps = (struct json_step *)p->block;
}

static int capi_read_pointer(struct capi_path *p, const char *s, size_t n, int64_t after, fleece_error *error) {
  const size_t most = json_pointer_tokens(s, n);
  struct json_step *steps = capi_need_steps(p, most, sizeof(struct json_token), n);
  if (!steps) return capi_no_memory(error);
  if (!json_pointer_steps(s, n, after, steps, most, &p->count))
    return capi_error(error, FLEECE_ERROR_PATH, "not a JSON pointer", FLEECE_NOWHERE);
  return FLEECE_OK;
}

static int capi_read_key_path(struct capi_path *p, const char *s, size_t n, fleece_error *error) {
  struct json_step *steps = capi_need_steps(p, n + 1, sizeof(struct bin_step), n);
  size_t where = 0, i;
  if (!steps) return capi_no_memory(error);
  struct bin_step *compiled = (struct bin_step *)(void *)(steps + n + 1);
  const ptrdiff_t count = bin_path_compile(s, n, p->most_wildcards > 0, compiled, (char *)(compiled + n + 1), &where);
  if (count < 0) return capi_error(error, FLEECE_ERROR_PATH, "not a path", where);
  p->count = (size_t)count;
  for (i = 0; i < p->count; i++) {
    const enum bin_each each = compiled[i].each;
    json_set_step(&steps[i], compiled[i].name, compiled[i].n, compiled[i].index, !compiled[i].name && !each);
    if (!each) continue;
    steps[i].each = each == BIN_EACH_ITEM ? '[' : '{';
    p->wildcards++;
  }
  if (p->wildcards > p->most_wildcards)
    return capi_error(error, FLEECE_ERROR_PATH, "more than 16 wildcards", FLEECE_NOWHERE);
  return FLEECE_OK;
}

FL_PRIVATE int capi_read_path(struct capi_path *p, const char *s, size_t n, int64_t after, fleece_error *error) {
  p->steps = NULL;
  p->count = p->wildcards = 0;
  if (!s && n > 0) return capi_bad_argument(error, "there is no path");
  if (n > JSON_POINTER_LONGEST / 4) return capi_no_memory(error);
  if (n == 0) return FLEECE_OK;
  return *s == '/' ? capi_read_pointer(p, s, n, after, error) : capi_read_key_path(p, s, n, error);
}
