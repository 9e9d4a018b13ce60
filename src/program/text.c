/* SPDX-License-Identifier: MIT
** text.c -- texts that the program holds completely, read or mapped, and the places of values in them.
** Must hold: a text grows in one block of Lua's allocator, so that it is in memory once; or it is a mapped file, of
** which only what is being read is in memory. Its userdata owns it. The byte after the text is 0. Positions are
** those of Lua: from 1, including the last byte. */
#include "../json/tokens/tokens.h"
#include "../json/index/quoted.h"
#include "../json/index/locate.h"
#include "../document/face/builder.h"
#include "../encode/face/sink.h"
#include "../text/utf16.h"
#include "program.h"
#include "text.h"

#define PROGRAM_TEXT "fleece.program.text"

enum { PROGRAM_TEXT_FIRST = 4096, PROGRAM_RELEASE = 512 * 1024 };
enum { PROGRAM_NAMES_MOST = 32 };         /* names of an object that are compared with each other */
enum { PROGRAM_OTHERS_MOST = 64 * 1024 }; /* bytes of values that pick_lines decodes at once, or one line */

FL_PRIVATE int program_resize_text(lua_State *L, struct program_text *t, size_t room) {
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  char *block = (char *)alloc(ud, t->block, t->room, room);
  if (!block && room > 0) return 0;
  t->block = block;
  t->room = room;
  return 1;
}

/* Raises the same error as Lua. */
static int program_no_memory(lua_State *L) {
  lua_pushliteral(L, "not enough memory");
  return lua_error(L);
}

FL_PRIVATE size_t program_check_size(lua_State *L, int index) {
  const lua_Number n = luaL_checknumber(L, index);
  if (!(n >= 0 && n < (lua_Number)(SIZE_MAX / 4))) luaL_argerror(L, index, "a size expected");
  return (size_t)n;
}

FL_PRIVATE struct program_text *program_push_text(lua_State *L) {
  struct program_text *t = (struct program_text *)lua_newuserdata(L, sizeof *t);
  memset(t, 0, sizeof *t);
  luaL_getmetatable(L, PROGRAM_TEXT);
  lua_setmetatable(L, -2);
  return t;
}

FL_PRIVATE int program_text(lua_State *L) {
  const size_t size = lua_isnoneornil(L, 1) ? PROGRAM_TEXT_FIRST : program_check_size(L, 1);
  struct program_text *t = program_push_text(L);
  if (!program_resize_text(L, t, size + 2)) return program_no_memory(L); /* one for the 0, one to notice the end */
  *t->block = 0;
  return 1;
}

FL_PRIVATE int program_map(lua_State *L) {
  FILE *file = mod_to_file(L, 1);
  struct program_text *t = program_push_text(L);
  if (!file) luaL_argerror(L, 1, "a file expected");
  if (!map_text(file, &t->map)) return lua_pushnil(L), 1;
  t->n = t->map.n;
  return 1;
}

static struct program_text *program_check_text(lua_State *L, int index) {
  return (struct program_text *)luaL_checkudata(L, index, PROGRAM_TEXT);
}

/* Like program_check_text, for a text that is in a block, and can change. */
static struct program_text *program_check_block(lua_State *L, int index) {
  struct program_text *t = program_check_text(L, index);
  if (t->map.s) luaL_argerror(L, index, "a mapped text cannot change");
  return t;
}

static int program_text_free(lua_State *L) {
  struct program_text *t = program_check_text(L, 1);
  if (t->block) program_resize_text(L, t, 0);
  map_text_free(&t->map);
  t->n = 0;
  return 0;
}

static int program_text_read(lua_State *L) {
  struct program_text *t = program_check_block(L, 1);
  FILE *file = mod_to_file(L, 2);
  size_t most = program_check_size(L, 3), n;
  if (!file) luaL_argerror(L, 2, "a file expected");
  if (t->room - t->n < 2) {
    const size_t more = t->n > most ? t->n : most;
    if (more > SIZE_MAX / 4 || !program_resize_text(L, t, t->n + more + 2)) return program_no_memory(L);
  }
  if (most > t->room - t->n - 1) most = t->room - t->n - 1;
  errno = 0;
  n = file_read(file, t->block + t->n, most);
  t->n += n;
  t->block[t->n] = 0;
  if (n == 0 && ferror(file)) return program_failed(L, NULL);
  lua_pushnumber(L, (lua_Number)n);
  return 1;
}

FL_PRIVATE int program_read(lua_State *L) {
  FILE *file = mod_to_file(L, 1);
  const size_t most = program_check_size(L, 2);
  int c = 0;
  if (!file) luaL_argerror(L, 1, "a file expected");
  lua_settop(L, 3);
  char *block = (char *)lua_newuserdata(L, most + 1);
  errno = 0;
  const size_t n = file_read(file, block, most);
  lua_pushlstring(L, block, n);
  if (lua_toboolean(L, 3) && n == most && (n == 0 || block[n - 1] != '\n')) {
    luaL_Buffer rest;
    luaL_buffinit(L, &rest);
    while (c != '\n') {
      c = getc(file);
      if (c != EOF) luaL_addchar(&rest, (char)c);
      else if (!file_interrupted(file)) break;
    }
    luaL_pushresult(&rest);
    lua_concat(L, 2);
  }
  if (ferror(file)) return program_failed(L, NULL);
  if (lua_rawlen(L, -1) == 0) lua_pushnil(L);
  return 1;
}

FL_PRIVATE struct mod_pick_text program_to_text(lua_State *L, int index) {
  struct mod_pick_text its = {NULL, 0, NULL};
  if (lua_type(L, index) == LUA_TSTRING) {
    its.s = lua_tolstring(L, index, &its.n);
    return its;
  }
  const struct program_text *t = program_check_text(L, index);
  if (!t->block && !t->map.s) luaL_argerror(L, index, "the text was freed");
  its.s = t->map.s ? t->map.s : t->block;
  its.n = t->n;
  if (t->map.s) its.release = map_release;
  return its;
}

FL_PRIVATE void program_pass(lua_State *L, int index, size_t at) {
  struct program_text *t = (struct program_text *)lua_touserdata(L, index);
  if (lua_type(L, index) == LUA_TSTRING || !t->map.s) return;
  if (at >= t->passed && at - t->passed < PROGRAM_RELEASE) return;
  if (at > t->passed) map_release(t->map.s + t->passed, t->map.s + at);
  t->passed = at;
}

static int program_text_length(lua_State *L) {
  lua_pushnumber(L, (lua_Number)program_check_text(L, 1)->n);
  return 1;
}

static int program_text_sub(lua_State *L) {
  const struct mod_pick_text t = program_to_text(L, 1);
  size_t first = program_check_size(L, 2), last = program_check_size(L, 3);
  if (first < 1) first = 1;
  if (last > t.n) last = t.n;
  if (first > last) first = 1, last = 0;
  lua_pushlstring(L, t.s + first - 1, last - (first - 1));
  program_pass(L, 1, last);
  return 1;
}

FL_PRIVATE int program_is_strict(lua_State *L) {
  const struct mod_pick_text t = program_to_text(L, 2);
  const struct mod_pick *k = mod_pick_check(L, 1);
  lua_pushboolean(L, mod_pick_is_strict(L, k, mod_pick_push_memory(L, k), &t));
  return 1;
}

FL_PRIVATE int program_find(lua_State *L) {
  const struct mod_pick_text t = program_to_text(L, 2);
  const struct mod_pick *k = mod_pick_check(L, 1);
  const struct json_slice *found = mod_pick_places(L, k, mod_pick_push_memory(L, k), &t);
  if (!found) return 3;
  compat_need_stack(L, 2 * (int)k->paths + 1);
  lua_pushboolean(L, 1);
  for (uint32_t i = 0; i < k->paths; i++) {
    const struct json_slice *its = &found[k->places[i].goal];
    FL_ASSERT(!its->begin || (its->begin < its->end && its->end <= t.s + t.n));
    lua_pushnumber(L, its->begin ? (lua_Number)(its->begin - t.s + 1) : 0);
    lua_pushnumber(L, its->begin ? (lua_Number)(its->end - t.s) : 0);
  }
  return 2 * (int)k->paths + 1;
}

FL_PRIVATE void program_reserve_text(lua_State *L, struct program_text *t, size_t n) {
  if (t->room - t->n > n) return;
  if (t->n > SIZE_MAX / 8 || n > SIZE_MAX / 8 || !program_resize_text(L, t, 2 * (t->n + n) + PROGRAM_TEXT_FIRST))
    program_no_memory(L);
}

FL_PRIVATE void program_append(lua_State *L, struct program_text *to, const void *bytes, size_t n) {
  program_reserve_text(L, to, n);
  memcpy(to->block + to->n, bytes, n);
  to->n += n;
}

/* text:set(string): replaces its bytes by the string's */
static int program_text_set(lua_State *L) {
  struct program_text *t = program_check_block(L, 1);
  size_t n;
  const char *s = luaL_checklstring(L, 2, &n);
  t->n = 0;
  program_reserve_text(L, t, n);
  memcpy(t->block, s, n);
  t->block[t->n = n] = 0;
  return 0;
}

/* What is written of a value. */
enum program_form { PROGRAM_VALUE, PROGRAM_RAW, PROGRAM_ENCODED, PROGRAM_KEYS, PROGRAM_LENGTH };
static const char *const program_forms[] = {"value", "raw", "encoded", "keys", "length", NULL};

/* Appends the value. Returns 0 if its bytes must change. */
static int program_put_value(lua_State *L, struct program_text *to, const struct json_slice *value, int raw) {
  const int quote = raw && *value->begin == '"';
  const size_t n = (size_t)(value->end - value->begin) - 2 * (size_t)quote;
  if (quote && memchr(value->begin, '\\', n)) return 0;
  if (*value->begin == '{' || *value->begin == '[')
    for (const char *p = value->begin; p < value->end; p++)
      if (json_is_blank(*p)) return 0;
  program_append(L, to, value->begin + quote, n);
  return 1;
}

static void program_append_number(lua_State *L, struct program_text *to, size_t n) {
  char digits[NUM_ROOM];
  program_append(L, to, digits, (size_t)(num_write_u64(digits, n) - digits));
}

static const char *program_skip_blank(const char *p) {
  while (json_is_blank(*p)) p++;
  return p;
}

/* Appends the name, unless it has an escape or is one of those before it. */
static int program_put_name(lua_State *L, struct program_text *to, struct json_slice *names, size_t count, int length) {
  const struct json_slice *name = &names[count];
  const size_t n = (size_t)(name->end - name->begin);
  if (memchr(name->begin, '\\', n)) return 0;
  for (size_t i = 0; i < count; i++)
    if ((size_t)(names[i].end - names[i].begin) == n && memcmp(names[i].begin, name->begin, n) == 0) return 0;
  if (!length) program_append(L, to, name->begin, n);
  return 1;
}

/* Appends the keys of an array or object, or their number. Returns 0 if it is not simple. */
static int program_put_members(lua_State *L, struct program_text *to, const struct json_slice *value, int length,
                               unsigned cpu, json_release_fn release) {
  struct json_slice names[PROGRAM_NAMES_MOST];
  const char *p = value->begin, *end = value->end;
  const int in_object = *p == '{';
  size_t count = 0;
  if (!length) program_append(L, to, "[", 1);
  for (;;) {
    p = program_skip_blank(p + 1);
    if (p >= end - 1) break;
    if (!length && count > 0) program_append(L, to, ",", 1);
    if (in_object) {
      if (count == PROGRAM_NAMES_MOST) return 0;
      names[count].begin = p;
      names[count].end = p = json_after_string(p, end);
      if (!program_put_name(L, to, names, count, length)) return 0;
      p = program_skip_blank(program_skip_blank(p) + 1);
    } else if (!length) {
      program_append_number(L, to, count);
    }
    count++;
    p = program_skip_blank(json_after_value(p, end, cpu, release));
    if (*p != ',') break;
  }
  if (length) program_append_number(L, to, count);
  else program_append(L, to, "]", 1);
  return 1;
}

/* Appends what is wanted of the value. Returns 0 if it is not simple; something may have been appended. */
static int program_put(lua_State *L, struct program_text *to, const struct json_slice *value, enum program_form form,
                       unsigned cpu, json_release_fn release) {
  if (form == PROGRAM_ENCODED) return program_put_encoded(L, to, value, cpu);
  if (form < PROGRAM_KEYS) return program_put_value(L, to, value, form == PROGRAM_RAW);
  if (*value->begin == '[' || *value->begin == '{')
    return program_put_members(L, to, value, form == PROGRAM_LENGTH, cpu, release);
  if (*value->begin != '"' || form == PROGRAM_KEYS) {
    program_append(L, to, "null", 4);
    return 1;
  }
  size_t characters = 0;
  for (const char *p = value->begin + 1; p < value->end - 1; p++) {
    if (*p == '\\') return 0;
    characters += ((unsigned char)*p & 0xc0) != 0x80;
  }
  program_append_number(L, to, characters);
  return 1;
}

FL_PRIVATE int program_keys(lua_State *L) {
  const struct mod_pick_text t = program_to_text(L, 1);
  const unsigned cpu = (unsigned)lua_tointeger(L, lua_upvalueindex(1));
  const size_t first = program_check_size(L, 2), last = program_check_size(L, 3);
  const int form = luaL_checkoption(L, 4, NULL, program_forms);
  if (first < 1 || first > last || last > t.n) luaL_argerror(L, 2, "outside the text");
  const struct json_slice value = {t.s + first - 1, t.s + last};
  lua_settop(L, 1);
  struct program_text *to = program_push_text(L);
  if (!program_put(L, to, &value, (enum program_form)form, cpu, t.release)) return 0;
  lua_pushlstring(L, to->block, to->n);
  return 1;
}

/* Appends what is found in one line. Returns -1, and appends nothing, if the line is invalid, or not simple. */
static int program_get_line(lua_State *L, const struct mod_pick *k, void *memory, char *line, size_t n,
                            struct program_text *to, enum program_form form) {
  const struct mod_pick_text t = {line, n, NULL};
  const unsigned cpu = (unsigned)lua_tointeger(L, lua_upvalueindex(1));
  const char after = line[n];
  const int top = lua_gettop(L);
  const size_t before = to->n;
  int count = 0;
  line[n] = 0;
  const struct json_slice *found = mod_pick_places(L, k, memory, &t);
  line[n] = after;
  lua_settop(L, top);
  if (!found) return -1;
  for (uint32_t i = 0; i < k->paths; i++) {
    const struct json_slice *its = &found[k->places[i].goal];
    if (!its->begin) continue;
    if (!program_put(L, to, its, form, cpu, NULL)) {
      to->n = before;
      return -1;
    }
    program_append(L, to, "\n", 1);
    count++;
  }
  return count;
}

FL_PRIVATE int program_get_lines(lua_State *L) {
  const struct mod_pick *k = mod_pick_check(L, 1);
  struct program_text *from = program_check_block(L, 2), *to = program_check_block(L, 4);
  size_t at = program_check_size(L, 3), lines = 0, values = 0;
  const int form = luaL_checkoption(L, 5, "value", program_forms);
  if (at < 1 || from == to || !from->block) luaL_argerror(L, 3, "outside the text");
  lua_settop(L, 5);
  compat_need_stack(L, 32);
  void *memory = mod_pick_push_memory(L, k);
  for (at--; at < from->n; lines++) {
    char *line = from->block + at, *end = (char *)memchr(line, '\n', from->n - at);
    const size_t n = end ? (size_t)(end - line) : from->n - at;
    const int count = program_get_line(L, k, memory, line, n, to, (enum program_form)form);
    if (count < 0) break;
    values += (size_t)count;
    at += n + (end != NULL);
  }
  lua_pushnumber(L, (lua_Number)(at + 1));
  lua_pushnumber(L, (lua_Number)lines);
  lua_pushnumber(L, (lua_Number)values);
  return 3;
}

/* The values of lines that decode must read: their texts, each after a comma, and where they go. */
struct program_others {
  struct program_text *texts, *slots;
};

static void program_add_others(lua_State *L, const struct program_others *to, const struct mod_pick *k,
                               const struct json_slice *found, uint32_t others, int slot) {
  for (uint32_t i = 0; i < k->paths; i++) {
    const struct json_slice *its = &found[k->places[i].goal];
    const int to_slot = slot + (int)i + 1;
    if (!(others >> i & 1)) continue;
    program_append(L, to->texts, ",", 1);
    program_append(L, to->texts, its->begin, (size_t)(its->end - its->begin));
    program_append(L, to->slots, &to_slot, sizeof to_slot);
  }
}

/* Stores what decode, at the index, makes of the texts into the table. Returns 0 if it fails. */
static int program_decode_others(lua_State *L, const struct program_others *from, int decode, int table) {
  const int top = lua_gettop(L);
  int slot;
  if (from->texts->n == 0) return 1;
  program_append(L, from->texts, "]", 1);
  *from->texts->block = '[';
  lua_pushvalue(L, decode);
  lua_pushlstring(L, from->texts->block, from->texts->n);
  lua_call(L, 1, 1);
  const int fine = lua_istable(L, -1);
  for (size_t i = 0; fine && i < from->slots->n / sizeof slot; i++) {
    memcpy(&slot, from->slots->block + i * sizeof slot, sizeof slot);
    lua_rawgeti(L, -1, (int)i + 1);
    lua_rawseti(L, table, slot);
  }
  lua_settop(L, top);
  return fine;
}

FL_PRIVATE int program_pick_lines(lua_State *L) {
  const struct mod_pick *k = mod_pick_check(L, 1);
  struct program_text *from = program_check_block(L, 2);
  const size_t start = program_check_size(L, 3), most = program_check_size(L, 5);
  const int paths = (int)k->paths;
  size_t at = start - 1, lines = 0;
  uint32_t others;
  int slot = 0;
  luaL_checktype(L, 4, LUA_TTABLE);
  luaL_checktype(L, 6, LUA_TFUNCTION);
  if (start < 1 || !from->block) luaL_argerror(L, 3, "outside the text");
  if (paths > 32) luaL_argerror(L, 1, "too many paths");
  if (most > (size_t)(INT32_MAX / (paths + 2))) luaL_argerror(L, 5, "too many lines");
  lua_settop(L, 6);
  compat_need_stack(L, paths + JSON_TO_LUA_MARGIN + 8);
  const struct program_others to = {program_push_text(L), program_push_text(L)};
  void *memory = mod_pick_push_memory(L, k);
  for (; at < from->n && lines < most && to.texts->n < PROGRAM_OTHERS_MOST; lines++) {
    char *line = from->block + at, *end = (char *)memchr(line, '\n', from->n - at);
    const struct mod_pick_text t = {line, end ? (size_t)(end - line) : from->n - at, NULL};
    line[t.n] = 0;
    const struct json_slice *found = mod_pick_push_simple(L, k, memory, &t, &others);
    if (end) *end = '\n';
    if (!found) break;
    for (int i = paths; i > 0; i--) lua_rawseti(L, 4, slot + i);
    if (others) program_add_others(L, &to, k, found, others, slot);
    lua_pushnumber(L, (lua_Number)(at + 1));
    lua_rawseti(L, 4, slot + paths + 1);
    lua_pushnumber(L, (lua_Number)(at + t.n));
    lua_rawseti(L, 4, slot += paths + 2);
    at += t.n + (end != NULL);
  }
  if (!program_decode_others(L, &to, 6, 4)) at = start - 1, lines = 0;
  program_resize_text(L, to.texts, 0);
  lua_pushnumber(L, (lua_Number)(at + 1));
  lua_pushnumber(L, (lua_Number)lines);
  const size_t decoded = to.slots->n / sizeof slot;
  lua_pushnumber(L, (lua_Number)decoded);
  return 3;
}

/* The text at 2 that an encoder reads, and a function at 3 that is told how much was read. */
struct program_reading {
  lua_State *L;
  const char *begin, *told;
};

static void program_read_to(void *ud, const char *p) {
  struct program_reading *r = (struct program_reading *)ud;
  program_pass(r->L, 2, (size_t)(p - r->begin));
  lua_pushvalue(r->L, 3);
  lua_pushnumber(r->L, (lua_Number)(p - r->told));
  r->told = p;
  if (lua_pcall(r->L, 1, 0, 0) != 0) lua_pop(r->L, 1);
}

FL_PRIVATE int program_pack(lua_State *L) {
  const struct mod_pick_text t = program_to_text(L, 2);
  struct program_reading r = {L, t.s, t.s};
  const struct json_to_binary_pass pass = {program_read_to, &r};
  luaL_checktype(L, 3, LUA_TFUNCTION);
  lua_settop(L, 3);
  compat_need_stack(L, LUA_MINSTACK);
  return builder_read(L, t.s, t.n, &pass);
}

FL_PRIVATE int program_next_value(const struct mod_pick_text *t, size_t at, int in_object, unsigned cpu,
                                  struct json_slice *value) {
  const char *p = t->s + at, *end = t->s + t->n, *last;
  while (json_is_blank(*p)) p++; /* the byte at the end is 0 */
  if (*p != ',' && *p != '[' && *p != '{') return 0;
  p++;
  while (json_is_blank(*p)) p++;
  if (p < end && in_object && *p == '"') {
    p = json_after_string(p, end);
    while (json_is_blank(*p)) p++;
    if (*p != ':') return 0;
    p++;
    while (json_is_blank(*p)) p++;
  }
  if (p >= end || *p == ']' || *p == '}') return 0;
  last = json_after_value(p, end, cpu, t->release);
  if (last <= p || last > end) return 0;
  value->begin = p, value->end = last;
  return 1;
}

FL_PRIVATE int program_next(lua_State *L) {
  const struct mod_pick_text t = program_to_text(L, 1);
  const unsigned cpu = (unsigned)lua_tointeger(L, lua_upvalueindex(1));
  const size_t at = program_check_size(L, 2);
  struct json_slice value;
  if (at < 1 || at > t.n) return 0;
  program_pass(L, 1, at);
  if (!program_next_value(&t, at - 1, lua_toboolean(L, 3), cpu, &value)) return 0;
  lua_pushnumber(L, (lua_Number)(value.begin - t.s + 1));
  lua_pushnumber(L, (lua_Number)(value.end - t.s));
  return 2;
}

FL_PRIVATE int program_item_lines(lua_State *L) {
  const unsigned cpu = (unsigned)lua_tointeger(L, lua_upvalueindex(1));
  size_t n;
  const char *text = luaL_checklstring(L, 1, &n), *end = text + n;
  char *lines = (char *)lua_newuserdata(L, n + 1);
  if (n < 2 || *text != '[' || end[-1] != ']') luaL_argerror(L, 1, "an array expected");
  memcpy(lines, text, n);
  for (const char *p = text + 1; p < end - 1; p++) {
    p = json_after_value(p, end, cpu, NULL);
    if (p >= end) break;
    lines[p - text] = '\n';
  }
  lua_pushlstring(L, lines + 1, n > 2 ? n - 1 : 0);
  return 1;
}

FL_PRIVATE int program_count_lines(lua_State *L) {
  size_t n;
  const char *text = luaL_checklstring(L, 1, &n);
  const size_t first = program_check_size(L, 2), last = program_check_size(L, 3);
  lua_Number lines = 0;
  if (first < 1 || last > n) luaL_argerror(L, 2, "outside the text");
  for (const char *p = text + first - 1, *end = text + last; p < end; lines++) {
    p = (const char *)memchr(p, '\n', (size_t)(end - p));
    if (!p++) break;
  }
  lua_pushnumber(L, lines);
  return 1;
}

FL_PRIVATE int program_foreign_form(lua_State *L) {
  size_t n;
  int mark;
  const char *text = luaL_checklstring(L, 1, &n);
  lua_pushstring(L, text_foreign_form(text, n, &mark)); /* nil if it is NULL */
  lua_pushboolean(L, mark);
  return 2;
}

FL_PRIVATE void program_push_text_class(lua_State *L) {
  static const luaL_Reg methods[] = {{"read", program_text_read},
                                     {"sub", program_text_sub},
                                     {"set", program_text_set},
                                     {"close", program_text_free},
                                     {"__len", program_text_length},
                                     {"__gc", program_text_free},
                                     {NULL, NULL}};
  program_push_class(L, PROGRAM_TEXT, methods);
}
