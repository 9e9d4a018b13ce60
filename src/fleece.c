/* SPDX-License-Identifier: MIT
** fleece.c -- the whole library as one translation unit: what users build. Read it from the leaves up. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* dladdr */
#endif
#include <lua.h>
#ifndef FLEECE_LUA_VERSION
#define FLEECE_LUA_VERSION LUA_VERSION_NUM
#endif

#include "dropin/list.h" /* which stand-ins for other libraries there are */

/* A development build compiles the files apart (FLEECE_APART); then this one has the luaopen functions alone. */
#ifndef FLEECE_APART
#include "base/buffer.c" /* growing output */

#include "number/decimal.c"   /* decimals to doubles, exact: the slow cases */
#include "number/parse.c"     /* text to numbers */
#include "number/integer.c"   /* integers to digits */
#include "number/digits.c"    /* digits to text */
#include "number/shortest.c"  /* doubles to the fewest digits */
#include "number/precision.c" /* doubles to N digits */
#include "number/canonical.c" /* doubles as ECMAScript writes them */
#include "number/index.c"     /* which array index is a number? */
#include "number/compare.c"   /* numbers by their texts */

#include "text/cpu.c"      /* what vectors this CPU has */
#include "text/utf8.c"     /* validation */
#include "text/utf16.c"    /* UTF-16 to UTF-8 */
#include "text/sse.c"      /* server-sent events */
#include "text/general.c"  /* escaping by every option */
#include "text/unescape.c" /* escapes to text */

#include "json/write/write.c"          /* text, piece by piece */
#include "json/write/fold.c"           /* lines */
#include "json/grammar/characters.c"   /* bytes, white space, literals */
#include "json/grammar/check_string.c" /* escapes; what can be wrong */
#include "json/grammar/state.c"        /* a text that is read */
#include "json/grammar/unescape.c"     /* escapes to text */
#include "json/grammar/scan.c"         /* strings, numbers and space, as the grammar's template reads them */
#include "json/lenient/json5.c"        /* what JSON5 adds */
#include "json/lenient/lenient.c"      /* what a reader may allow beyond JSON */
#include "json/grammar/parts.c"        /* a text that comes in pieces */
#include "json/write/build.c"          /* text, value by value */
#include "json/events.c"               /* tokens, a portion at a time */
#include "json/grammar/split.c"        /* where documents end */
#include "json/grammar/count.c"        /* items of an array, ahead of time */
#include "json/grammar/where.c"        /* line and column of a fault */
#include "json/grammar/check.c"        /* is a text JSON? */
#include "json/pointer.c"              /* JSON Pointers */
#include "json/index/steps.c"          /* JSON pointers as steps */
#include "json/index/quoted.c"         /* strings of a text in place */
#include "json/index/members.c"        /* the members of a short text */
#include "json/index/reader.c"         /* what is done with tokens on the way to values */
#include "json/index/locate.c"         /* values of a text, by vectors; is it valid? */
#include "json/index/seek.c"           /* one of a text that comes in pieces */
#include "json/index/goals.c"          /* paths to several, as a tree */
#include "json/index/pick.c"           /* several values of a text of any grammar */
#include "json/edit/tree.c"            /* sequences whose items are inserted anywhere */
#include "json/edit/state.c"           /* what an edit knows of a text */
#include "json/edit/items.c"           /* the items of a container, one by one */
#include "json/edit/names.c"           /* members by name */
#include "json/edit/places.c"          /* values that were found beforehand, as pieces */
#include "json/edit/lists.c"           /* containers that changes go through */
#include "json/edit/space.c"           /* white space and comments around items */
#include "json/edit/edit.c"            /* changes */
#include "json/edit/result.c"          /* the text after them */

#include "patch/value.c"    /* values of a text, equal or not */
#include "patch/ids.c"      /* numbers for them */
#include "patch/sequence.c" /* what two arrays have in common */
#include "patch/diff.c"     /* what makes one value of another */
#include "patch/write.c"    /* that as JSON Patch */
#include "patch/apply.c"    /* its operations */
#include "patch/merge.c"    /* the same by JSON Merge Patch */

#include "binary/read/read.c"   /* values where they lie */
#include "binary/read/work.c"   /* a bound on what a document may cost */
#include "binary/read/format.c" /* headers and pointers */
#include "binary/read/path.c"   /* ways to values */
#include "binary/read/equal.c"  /* equal values */
#include "binary/read/dates.c"  /* times and their text */

#include "binary/check/state.c"  /* what is known of a document while it is looked at */
#include "binary/check/keys.c"   /* its keys */
#include "binary/check/values.c" /* its values */
#include "binary/check/check.c"  /* may it be read? */

#include "binary/frame/checksum.c" /* CRC-32C */
#include "binary/frame/frame.c"    /* lengths and checksums of a file's parts */

#include "binary/encode/pool.c"    /* values that were written already */
#include "binary/encode/keys.c"    /* shared keys */
#include "binary/encode/members.c" /* pairs in order */
#include "binary/encode/encode.c"  /* values, bottom-up */
#include "binary/encode/end.c"     /* collections */
#include "binary/encode/copy.c"    /* values of other documents */

#include "binary/delta/errors.c"  /* messages */
#include "binary/delta/text.c"    /* differences of strings */
#include "binary/delta/delta.c"   /* differences of documents */
#include "binary/delta/apply.c"   /* a document and its difference */
#include "binary/delta/mutable.c" /* documents that change */
#include "binary/delta/amend.c"   /* their changes appended */

#include "convert/json_to_binary/names.c"          /* names that a reader has met */
#include "convert/json_to_binary/json_to_binary.c" /* text to a document */
#include "convert/binary_to_json/binary_to_json.c" /* a document to text */
#include "convert/binary_to_json/delta.c"          /* a difference of documents to text */
#include "convert/json_to_json/sort.c"             /* names in order */
#include "convert/json_to_json/read.c"             /* what of a text is kept */
#include "convert/json_to_json/json_to_json.c"     /* text in another form */

#include "regex/characters.c" /* classes of characters */
#include "regex/categories.c" /* those of Unicode */
#include "regex/compile.c"    /* expressions to instructions */
#include "regex/iregexp.c"    /* the same for another syntax */
#include "regex/regex.c"      /* the search */

#include "query/literals.c" /* strings and numbers of a query */
#include "query/filter.c"   /* its filters */
#include "query/compile.c"  /* its text to a program */
#include "query/run.c"      /* what all evaluations share */

#if DROPIN_USES_TREE
#include "tree/tree.c"  /* documents that keep their order */
#include "tree/read.c"  /* text to tree */
#include "tree/write.c" /* tree to text */
#include "tree/path.c"  /* JSON pointers into one */
#endif

#if DROPIN_USES_SCHEMA
#include "schema/memory.c"   /* the block of a check */
#include "schema/equal.c"    /* equal values, unique items */
#include "schema/parts.c"    /* references and their places */
#include "schema/patterns.c" /* regular expressions of a schema */
#include "schema/schema.c"   /* does a document satisfy a schema? */
#endif

#include "layout/lua_compat/api.c" /* the public API under one set of names */
#include "layout/arena.c"          /* the memory that a layout is proven in */
#include "layout/probe.c"          /* which layout the Lua at hand has */
#include "layout/copy.c"           /* whole tables */

#include "convert/lua_to_json/state.c"         /* what an encoder keeps */
#include "convert/lua_to_json/sort.c"          /* names in order */
#include "convert/lua_to_json/raw/instances.c" /* the raw encoders, one for each layout */
#include "convert/lossless/exact.c"            /* numbers with the digits of their text */
#include "convert/lossless/order.c"            /* the order of members beside their tables */
#include "convert/lua_to_json/api/state.c"     /* the public-API encoder: what it keeps, */
#include "convert/lua_to_json/api/levels.c"    /* the tables that it is in, */
#include "convert/lua_to_json/api/errors.c"    /* errors with the path to the value, */
#include "convert/lua_to_json/api/hooks.c"     /* metatables and their functions, */
#include "convert/lua_to_json/api/open.c"      /* array or object? */
#include "convert/lua_to_json/api/values.c"    /* values that are not plain data, */
#include "convert/lua_to_json/api/tables.c"    /* tables, */
#include "convert/lua_to_json/api/walk.c"      /* and the loop */
#include "convert/lua_to_json/api/parts.c"     /* the same in parts */
#include "convert/lua_to_binary/fast.c"        /* what the fast mode remembers of records */
#include "convert/lua_to_binary/instances.c"   /* the raw walks to a document, one for each layout */
#include "convert/lua_to_binary/api/walk.c"    /* the public-API walk to a document */

#include "convert/json_to_lua/shapes.c"    /* objects with the names of one before */
#include "convert/json_to_lua/parts.c"     /* values that come in pieces */
#include "convert/json_to_lua/api.c"       /* values over the public API */
#include "convert/json_to_lua/live.c"      /* tables that can be seen while they are filled */
#include "convert/json_to_lua/lossless.c"  /* the same with their order and digits */
#include "convert/binary_to_lua/api.c"     /* the same from documents */
#include "convert/json_to_lua/instances.c" /* the decoders, one for each layout */
#endif

#include "module/core/module.h" /* the face */
#ifndef FLEECE_APART
#include "module/core/state.c"           /* what a Lua state keeps of the module */
#include "module/core/heap.c"            /* memory from Lua's allocator, also while it closes */
#include "module/core/marks.c"           /* metatables that the module gives */
#include "module/core/foreign_marks.c"   /* those of other libraries that encode knows */
#include "module/core/library.c"         /* tables of functions */
#include "module/core/pin.c"             /* the object stays loaded */
#include "module/options/option_names.c" /* options by their names */
#include "module/options/arguments.c"    /* errors of arguments */
#include "module/options/options.c"      /* options of encode */
#include "module/core/results.c"         /* what calls return */
#include "module/options/hints.c"        /* what errors suggest */
#include "module/files/map.c"            /* files in memory */
#include "module/files/file.c"           /* files of the caller */
#include "module/files/replace.c"        /* files that are written whole or not at all */
#include "module/files/lock.c"           /* one writer at a time */
#include "module/files/append.c"         /* amendments at the end of a file */
#include "module/files/saving.c"         /* those that Lua replaces */
#include "module/core/way.c"             /* paths */
#include "module/core/module.c"          /* the module's tables */

#include "module/json/sink.c"           /* where text goes */
#include "module/json/width.c"          /* lines that hold short containers */
#include "module/json/pieces.c"         /* text to functions, in pieces */
#include "module/json/encode.c"         /* encode, json, size, write */
#include "module/json/lossless.c"       /* exact numbers, and pairs in order */
#include "module/json/decode_options.c" /* options of decode */
#include "module/json/decode.c"         /* decode and its relatives */
#include "module/json/partial.c"        /* texts of which only the beginning is there */
#include "module/json/steps.c"          /* work in steps */
#include "module/json/format.c"         /* text to text */

#include "module/stream/reader.c"    /* iterators of fleece.safe */
#include "module/stream/documents.c" /* texts with many documents */
#include "module/stream/feed.c"      /* their pieces, for scans in parts */
#include "module/stream/items.c"     /* the items of an array, one by one */
#include "module/stream/tokens.c"    /* their tokens, one by one */
#include "module/stream/parser.c"    /* text that comes in pieces */
#include "module/stream/build.c"     /* text that is written value by value */
#include "module/stream/peek.c"      /* what such a text holds so far */
#include "module/stream/events.c"    /* server-sent events */
#include "module/stream/writer.c"    /* text that goes in pieces */

#include "module/text/pick.c"   /* paths compiled for texts */
#include "module/text/picker.c" /* their values in a text */
#include "module/text/paths.c"  /* paths of arguments */
#include "module/text/edit.c"   /* a text with some values changed */

#include "module/query/tables.c"    /* a query over tables */
#include "module/query/raw.c"       /* over tables below the API */
#include "module/query/documents.c" /* over documents */
#include "module/query/query.c"     /* queries as values of Lua */
#include "module/patch/arguments.c" /* texts and values as arguments */
#include "module/patch/copy.c"      /* arrays and objects, copied */
#include "module/patch/patch.c"     /* JSON Patch and JSON Merge Patch */
#include "module/patch/items.c"     /* items of an array, added and removed */
#include "module/patch/tables.c"    /* the first, of tables */
#include "module/patch/merge.c"     /* the second */
#include "module/patch/diff.c"      /* what leads from one value to another */

#include "module/view/view.c"    /* a value of a document, in Lua */
#include "module/view/read.c"    /* reading from one */
#include "module/view/text.c"    /* views of a text */
#include "module/view/walk.c"    /* all that one holds */
#include "module/view/step.c"    /* the same in steps */
#include "module/view/json.c"    /* text of one */
#include "module/view/put.c"     /* Lua values into documents */
#include "module/view/mutable.c" /* documents that change */
#include "module/view/splice.c"  /* texts of those that were texts */
#include "module/view/views.c"   /* their methods */

#include "module/binary/options.c"   /* options of the binary functions */
#include "module/binary/binary.c"    /* from_json, to_json, check and open */
#include "module/binary/open_file.c" /* documents of files */
#include "module/binary/pack.c"      /* Lua to documents */
#include "module/binary/unpack.c"    /* documents to Lua */
#include "module/binary/delta.c"     /* differences */
#include "module/binary/builder.c"   /* documents, value by value */
#include "module/binary/dump.c"      /* what a document holds, in words */
#include "module/binary/save.c"      /* files that are replaced */
#include "module/binary/append.c"    /* files that get amendments */
#include "module/binary/lazy.c"      /* texts that are read where it is asked for */
#endif
#include "dropin/modules.h"         /* what stands in for other libraries */
#ifndef FLEECE_BUILD                /* the C library leaves signals to its host */
#include "module/program/program.h" /* what bin/fleece has besides */
#ifndef FLEECE_APART
#include "module/program/count.c"
#include "module/program/output.c"
#include "module/program/text.c"
#include "module/program/program.c"
#endif
#endif

FLEECE_EXPORT int luaopen_fleece(lua_State *L);
FLEECE_EXPORT int luaopen_fleece_safe(lua_State *L);
#ifndef FLEECE_BUILD
FLEECE_EXPORT int luaopen_fleece_program(lua_State *L);
#endif

/* require "fleece": data errors raise. */
int luaopen_fleece(lua_State *L) { return mod_open(L, 0); }

/* require "fleece.safe": data errors return nil, message. */
int luaopen_fleece_safe(lua_State *L) { return mod_open(L, 1); }

#ifndef FLEECE_BUILD
/* require "fleece.program": for the program bin/fleece alone. It takes signals; no module of the library does. */
int luaopen_fleece_program(lua_State *L) { return program_open(L); }
#endif
