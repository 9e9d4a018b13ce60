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

#include "document/from_json/names.c"          /* names that a reader has met */
#include "document/from_json/json_to_binary.c" /* text to a document */
#include "document/to_json/binary_to_json.c" /* a document to text */
#include "document/to_json/delta.c"          /* a difference of documents to text */
#include "format/sort.c"             /* names in order */
#include "format/read.c"             /* what of a text is kept */
#include "format/json_to_json.c"     /* text in another form */

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
#include "schema/tree/tree.c"  /* documents that keep their order */
#include "schema/tree/read.c"  /* text to tree */
#include "schema/tree/write.c" /* tree to text */
#include "schema/tree/path.c"  /* JSON pointers into one */
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

#include "encode/state.c"         /* what an encoder keeps */
#include "encode/sort.c"          /* names in order */
#include "encode/raw/instances.c" /* the raw encoders, one for each layout */
#include "lua/lossless/exact.c"            /* numbers with the digits of their text */
#include "lua/lossless/order.c"            /* the order of members beside their tables */
#include "encode/api/state.c"     /* the public-API encoder: what it keeps, */
#include "encode/api/levels.c"    /* the tables that it is in, */
#include "encode/api/errors.c"    /* errors with the path to the value, */
#include "encode/api/hooks.c"     /* metatables and their functions, */
#include "encode/api/open.c"      /* array or object? */
#include "encode/api/values.c"    /* values that are not plain data, */
#include "encode/api/tables.c"    /* tables, */
#include "encode/api/walk.c"      /* and the loop */
#include "encode/api/parts.c"     /* the same in parts */
#include "document/from_lua/fast.c"        /* what the fast mode remembers of records */
#include "document/from_lua/instances.c"   /* the raw walks to a document, one for each layout */
#include "document/from_lua/api/walk.c"    /* the public-API walk to a document */

#include "decode/shapes.c"    /* objects with the names of one before */
#include "decode/parts.c"     /* values that come in pieces */
#include "decode/api.c"       /* values over the public API */
#include "decode/live.c"      /* tables that can be seen while they are filled */
#include "decode/lossless.c"  /* the same with their order and digits */
#include "document/to_lua/api.c"     /* the same from documents */
#include "decode/instances.c" /* the decoders, one for each layout */
#endif

#include "module/module.h" /* the face */
#ifndef FLEECE_APART
#include "lua/state.c"           /* what a Lua state keeps of the module */
#include "lua/heap.c"            /* memory from Lua's allocator, also while it closes */
#include "lua/marks.c"           /* metatables that the module gives */
#include "lua/foreign_marks.c"   /* those of other libraries that encode knows */
#include "module/library.c"         /* tables of functions */
#include "lua/guard.c"           /* limits of the host, for fleece.safe */
#include "lua/pin.c"             /* the object stays loaded */
#include "lua/options/option_names.c" /* options by their names */
#include "lua/options/arguments.c"    /* errors of arguments */
#include "lua/options/options.c"      /* options of encode */
#include "lua/results.c"         /* what calls return */
#include "lua/options/hints.c"        /* what errors suggest */
#include "files/map.c"            /* files in memory */
#include "files/file.c"           /* files of the caller */
#include "files/replace.c"        /* files that are written whole or not at all */
#include "files/lock.c"           /* one writer at a time */
#include "files/append.c"         /* amendments at the end of a file */
#include "files/saving.c"         /* those that Lua replaces */
#include "document/view/way.c"             /* paths */
#include "module/module.c"          /* the module's tables */

#include "encode/face/sink.c"           /* where text goes */
#include "format/face/width.c"          /* lines that hold short containers */
#include "encode/face/pieces.c"         /* text to functions, in pieces */
#include "encode/face/encode.c"         /* encode, json, size, write */
#include "encode/face/lossless.c"       /* exact numbers, and pairs in order */
#include "decode/face/decode_options.c" /* options of decode */
#include "decode/face/decode.c"         /* decode and its relatives */
#include "decode/face/partial.c"        /* texts of which only the beginning is there */
#include "encode/face/steps.c"          /* work in steps */
#include "format/face/format.c"         /* text to text */

#include "stream/reader.c"    /* iterators of fleece.safe */
#include "stream/documents.c" /* texts with many documents */
#include "stream/feed.c"      /* their pieces, for scans in parts */
#include "stream/items.c"     /* the items of an array, one by one */
#include "stream/tokens.c"    /* their tokens, one by one */
#include "stream/parser.c"    /* text that comes in pieces */
#include "stream/build.c"     /* text that is written value by value */
#include "stream/peek.c"      /* what such a text holds so far */
#include "stream/events.c"    /* server-sent events */
#include "stream/writer.c"    /* text that goes in pieces */

#include "places/pick.c"   /* paths compiled for texts */
#include "places/picker.c" /* their values in a text */
#include "places/paths.c"  /* paths of arguments */
#include "places/edit.c"   /* a text with some values changed */

#include "query/face/tables.c"    /* a query over tables */
#include "query/face/raw.c"       /* over tables below the API */
#include "query/face/documents.c" /* over documents */
#include "query/face/query.c"     /* queries as values of Lua */
#include "patch/face/arguments.c" /* texts and values as arguments */
#include "patch/face/copy.c"      /* arrays and objects, copied */
#include "patch/face/patch.c"     /* JSON Patch and JSON Merge Patch */
#include "patch/face/items.c"     /* items of an array, added and removed */
#include "patch/face/tables.c"    /* the first, of tables */
#include "patch/face/merge.c"     /* the second */
#include "patch/face/diff.c"      /* what leads from one value to another */

#include "document/view/view.c"    /* a value of a document, in Lua */
#include "document/view/read.c"    /* reading from one */
#include "document/view/text.c"    /* views of a text */
#include "document/view/walk.c"    /* all that one holds */
#include "document/view/step.c"    /* the same in steps */
#include "document/view/json.c"    /* text of one */
#include "document/view/put.c"     /* Lua values into documents */
#include "document/view/mutable.c" /* documents that change */
#include "document/view/splice.c"  /* texts of those that were texts */
#include "module/views.c"   /* their methods */

#include "document/options.c"   /* options of the binary functions */
#include "document/binary.c"    /* from_json, to_json, check and open */
#include "document/open_file.c" /* documents of files */
#include "document/pack.c"      /* Lua to documents */
#include "document/unpack.c"    /* documents to Lua */
#include "document/delta.c"     /* differences */
#include "document/builder.c"   /* documents, value by value */
#include "document/dump.c"      /* what a document holds, in words */
#include "document/save.c"      /* files that are replaced */
#include "document/append.c"    /* files that get amendments */
#include "document/lazy.c"      /* texts that are read where it is asked for */
#endif
#include "dropin/modules.h"         /* what stands in for other libraries */
#ifndef FLEECE_BUILD                /* the C library leaves signals to its host */
#include "program/program.h" /* what bin/fleece has besides */
#ifndef FLEECE_APART
#include "program/count.c"
#include "program/output.c"
#include "program/text.c"
#include "program/program.c"
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
