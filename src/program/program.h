/* SPDX-License-Identifier: MIT
** program.h -- fleece.program: C functions for the program bin/fleece only.
** Must hold: modules of the library do not include this: signals and standard streams belong to the program. */
#pragma once

#include "../files/file.h"
#include "../layout/lua_compat/api.h"

/* text([size]) -> an empty text, with room for `size` bytes. text:read(file, most) appends up to so many bytes of the
** file and returns how many, 0 at its end; or nil, reason. #text, text:sub(first, last): as for strings;
** text:set(string) replaces all bytes. */
FL_PRIVATE int program_text(lua_State *L);

/* read(file, most [, by_line]) -> up to so many bytes, and with by_line also the rest of the last line; nil at the end;
** nil, reason. Unlike Lua's own, it continues after a signal. */
FL_PRIVATE int program_read(lua_State *L);

/* map(file) -> the file as a text, which cannot change; nil if it must be read */
FL_PRIVATE int program_map(lua_State *L);

/* is_strict(picker, text) -> whether the text holds one valid array or object of strict JSON, with the picker's limit
** of depth. If not, only a reader with all options can tell. */
FL_PRIVATE int program_is_strict(lua_State *L);

/* find(picker, text) -> true, first, last, first, last, ...: where the values of the picker's paths are, 0 for a
** missing one; or false, message, byte. The text may be a string. */
FL_PRIVATE int program_find(lua_State *L);

/* get_lines(picker, text, at, output [, form]) -> at, lines, values: appends to the output, a text, what is found in
** each line from `at` on, one value a line; form: "raw", strings without quotes; "encoded", as decode with `order` and
** encode would write it; "keys" or "length", as of keys. It stops before a line that is not valid JSON, or has a value
** that is not simple, or whose bytes must change. Returns where that is, and how many lines and values came before. */
FL_PRIVATE int program_get_lines(lua_State *L);

/* keys(text, first, last, form) -> the names of the object in text[first, last], or the indexes of an array, as JSON;
** with the form "length" how many there are, or characters of a string; "null" for others; nil if it is not simple: too
** many names, equal ones, or escapes. */
FL_PRIVATE int program_keys(lua_State *L);

/* pick_lines(picker, text, at, values, most, decode) -> at, lines, decoded: puts into the table, for each line from
** `at` on, up to `most` or some KB, the values of the paths, and the positions of its first and last byte. decode(text)
** makes the list of the arrays, objects and others in a text, once for all lines. At most 32 paths. It stops before a
** line that is not valid JSON, or takes none if decode returns nil. Returns where that is, how many lines came before,
** and how many values were decoded. */
FL_PRIVATE int program_pick_lines(lua_State *L);

/* pack(encoder, text, progress) -> the encoder; nil, message, failure; or nil, reason if the output could not be
** written: encoder:json(text), which calls progress(n) after about each megabyte. */
FL_PRIVATE int program_pack(lua_State *L);

/* next(text, at, in_object) -> first, last: the next value of the array or object in a valid text. `at`: the position
** of its bracket, or of the byte after the previous value. Returns nothing if there is no further value. */
FL_PRIVATE int program_next(lua_State *L);

/* item_lines(text) -> the items of an array that encode has written, each in one line */
FL_PRIVATE int program_item_lines(lua_State *L);

/* order(value, names): gives each object in the value that has no order yet (encode/order.h) that of the list of names.
** What has a name is an object. In the state something was decoded with `order`. */
FL_PRIVATE int program_order(lua_State *L);

/* sorter(form, is_list, is_reverse) -> an empty list of items that have keys; form: "sort", "unique", "group" or
** "count". Where an item's key is not simple, has an array, an object or an odd escape, it must be added alone.
** sorter:lines(picker, text, at, last) -> at, lines, stop: adds the lines in text[at, last], with the values of the
** paths as keys; stops before one that is invalid or not simple, which ends at `stop`.
** sorter:items(picker, text, at) -> at, more: adds the items of the array in a valid text; `at` is as of next. nil if
** it is no array. `more`: it stops before an item that is not simple.
** sorter:add(text, first, last, key, value): adds one item. `value`: the text of what the first path leads to.
** sorter:piece() -> the next piece of the items in their order, as text; nil at the end. Nothing may be added then.
** #sorter: how many items were added.
** sort_key(text) -> the bytes by which the JSON text of a null, boolean or number is ordered, nil for others */
FL_PRIVATE int program_sorter(lua_State *L);
FL_PRIVATE int program_sort_key(lua_State *L);
FL_PRIVATE void program_push_sorter_class(lua_State *L);

/* count_lines(text, first, last) -> how many line feeds are there */
FL_PRIVATE int program_count_lines(lua_State *L);

/* foreign_form(text) -> the name of the text's form if that is UTF-16 or UTF-32, or nil; and whether it has a mark. */
FL_PRIVATE int program_foreign_form(lua_State *L);

/* counter(document) -> a function that continues counting at each call */
FL_PRIVATE int program_counter(lua_State *L);

/* Pushes nil and why the file could not be written, from errno; with `file` NULL only the reason. Returns 2. */
FL_PRIVATE int program_failed(lua_State *L, const struct replace *file);

/* Pushes the metatable of that name with the methods, which the first call creates. */
FL_PRIVATE void program_push_class(lua_State *L, const char *name, const luaL_Reg *methods);
FL_PRIVATE void program_push_text_class(lua_State *L);
