/* SPDX-License-Identifier: MIT
** fleece.h -- the C interface: JSON text and the Fleece binary format, without Lua. C99 and C++. docs/c.md explains how
** to use it, docs/format.md describes the format. fleece-text.h, which this header includes, has what is done with
** texts: values by their paths, changes, patches, JSON Schema. fleece-lua.h is for hosts that embed Lua.
**
** Rules for all functions:
** - A status is FLEECE_OK (0) or a FLEECE_ERROR_x. An `error` argument may be NULL; otherwise it is filled, also on
**   success. Functions that return objects return a pointer, or NULL on failure; `error` has the reason.
** - Pointers: `error`, `options`, `scratch`, `ud`, a `size_t *n` that gets a length, and what is said to be optional
**   may be NULL. NULL with the length 0 is an empty string, text or list of bytes. Any other NULL is
**   FLEECE_ERROR_ARGUMENT where there is a status or an error, else it is as an empty object: the result is none, 0,
**   -1 or NULL, and nothing happens.
** - Strings are bytes and a length, and need no terminating 0. Returned strings have none, unless documented. Lengths,
**   offsets and sizes are in bytes; indices count from 0.
** - Options that are NULL or zero are the defaults. All functions take the same options struct; each reads only the
**   options that apply to it.
** - There is no global state: different threads may use different objects at the same time. Many threads may read one
**   document at once; any other object may be used by one thread at a time. Keys, and a document that is the base of
**   others, must not be changed or closed while those are in use. Reading can allocate from the document's allocator
**   (fleece_equal; long paths and pointers): if many threads read a document, that allocator must be thread-safe.
** - No function aborts, prints or depends on the locale. Running out of memory is FLEECE_ERROR_MEMORY. */
#ifndef FLEECE_H
#define FLEECE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_WIN32) && defined(FLEECE_BUILD)
#define FLEECE_API __declspec(dllexport)
#elif defined(_WIN32) && defined(FLEECE_DLL)
#define FLEECE_API __declspec(dllimport)
#elif defined(__GNUC__)
#define FLEECE_API __attribute__((visibility("default")))
#else
#define FLEECE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- version */

#define FLEECE_VERSION "1.1.0"
#define FLEECE_VERSION_NUMBER 10100 /* 10000 * major + 100 * minor + patch */

/* The version of the loaded library, in the same form. The ABI is that of the major version. */
FLEECE_API const char *fleece_version(void);
FLEECE_API int fleece_version_number(void);

/* ------------------------------------------------------------------------------------- errors */

enum fleece_status {
  FLEECE_OK = 0,
  FLEECE_ERROR_MEMORY,   /* the allocator failed */
  FLEECE_ERROR_ARGUMENT, /* a NULL pointer that is not allowed, an unknown flag, an option out of range */
  FLEECE_ERROR_JSON,     /* the text is not JSON */
  FLEECE_ERROR_BINARY,   /* the bytes are not a document */
  FLEECE_ERROR_LIMIT,    /* nested too deep, too long, or values shared too often */
  FLEECE_ERROR_VALUE,    /* a value cannot be written: NaN, a string that is not UTF-8 */
  FLEECE_ERROR_KEYS,     /* the document needs its shared keys */
  FLEECE_ERROR_ORDER,    /* encoder calls in an invalid order */
  FLEECE_ERROR_DELTA,    /* the delta does not fit the value */
  FLEECE_ERROR_PATH,     /* not a path, or not a JSON pointer */
  FLEECE_ERROR_FILE,     /* see `system` */
  FLEECE_ERROR_WRITER,   /* the writer returned 0 */
  FLEECE_ERROR_LUA,      /* fleece-lua.h only: Lua code raised an error */
  FLEECE_ERROR_CHANGE,   /* a change of a text leads nowhere */
  FLEECE_ERROR_SCHEMA,   /* the text is JSON, but no JSON Schema */
  FLEECE_ERROR_INVALID   /* the text is not as the schema says, or a test of a JSON Patch */
};

/* What kind of error it is, in finer steps: docs/guide/decode.md#kinds-of-errors. Kinds keep their numbers and names;
** others may be added. */
enum fleece_kind {
  FLEECE_KIND_NONE = 0,
  FLEECE_KIND_SYNTAX,    /* not JSON, not a document, not a path or query */
  FLEECE_KIND_UTF8,      /* not UTF-8, or half a surrogate pair */
  FLEECE_KIND_NUMBER,    /* a number that is too large, NaN, or not exact */
  FLEECE_KIND_DUPLICATE, /* a name occurs twice */
  FLEECE_KIND_DEPTH,     /* nested too deep */
  FLEECE_KIND_LENGTH,    /* too long */
  FLEECE_KIND_LIMIT,     /* another limit */
  FLEECE_KIND_MEMORY,    /* the allocator failed */
  FLEECE_KIND_TYPE,      /* a value that cannot be written */
  FLEECE_KIND_CYCLE,     /* in Lua: a table that contains itself */
  FLEECE_KIND_CHANGE,    /* a path, change or delta does not fit the value */
  FLEECE_KIND_KEYS,      /* the document needs its shared keys */
  FLEECE_KIND_SCHEMA,    /* not a JSON Schema */
  FLEECE_KIND_INVALID,   /* not as the schema says */
  FLEECE_KIND_ARGUMENT,  /* a wrong call: an argument, or the order of calls */
  FLEECE_KIND_IO,        /* a file, a reader or a writer failed */
  FLEECE_KIND_HOOK       /* Lua code raised an error */
};

#define FLEECE_NOWHERE ((size_t)-1)

typedef struct fleece_error {
  int status;          /* of enum fleece_status */
  int system;          /* FLEECE_ERROR_FILE: errno; else 0 */
  const char *message; /* in English, static, never NULL; "" with FLEECE_OK */
  size_t offset;       /* of the error in the text, bytes or path; FLEECE_NOWHERE: no position */
  size_t line, column; /* of the error in a JSON text: from 1, in lines and characters; else 0 */
  size_t index;        /* of several paths or changes the one that is wrong, from 0; else FLEECE_NOWHERE */
  int kind;            /* of enum fleece_kind */
} fleece_error;

/* Returns the name of a kind, such as "syntax", as Lua has it; "" for NONE and unknown ones. */
FLEECE_API const char *fleece_kind_name(int kind);

/* ------------------------------------------------------------------------------------- memory */

/* Works as lua_Alloc: resizes the block (NULL: allocates a new one) from old_size to new_size bytes, aligned for any
** object. Returns the new address, or NULL if there is no memory; the block is unchanged then. new_size 0 frees the
** block and returns NULL. */
typedef void *(*fleece_alloc)(void *ud, void *block, size_t old_size, size_t new_size);

/* `alloc` NULL: realloc and free. Objects keep a copy of this struct; `ud` must live as long as they do. */
typedef struct fleece_allocator {
  fleece_alloc alloc;
  void *ud;
} fleece_allocator;

/* A buffer for results: `data` and `size`, followed by one 0 byte. Initialize it with FLEECE_BYTES_INIT (or all bits
** 0); you may set `allocator` before the first use. The other fields belong to the library. The next function that
** writes to it reuses the memory: it must not contain an open document, nor a text that the function reads. After an
** error `size` is 0. */
typedef struct fleece_bytes {
  char *data;
  size_t size;
  size_t room; /* allocated bytes */
  fleece_allocator allocator;
} fleece_bytes;

#define FLEECE_BYTES_INIT      \
  {                            \
    NULL, 0, 0, { NULL, NULL } \
  }

/* Frees the memory; the buffer is empty then and can be used again. */
FLEECE_API void fleece_bytes_free(fleece_bytes *b);

/* Frees the unused part of the memory, which can be as large as the used part. If that fails, nothing changes. */
FLEECE_API void fleece_bytes_fit(fleece_bytes *b);

/* ------------------------------------------------------------------------------------- options */

typedef struct fleece_keys fleece_keys;       /* shared keys */
typedef struct fleece_doc fleece_doc;         /* an open document */
typedef struct fleece_encoder fleece_encoder; /* writes a document value by value */
typedef struct fleece_edit fleece_edit;       /* changes to a document */
typedef struct fleece_picker fleece_picker;   /* paths that are looked up in texts */
typedef struct fleece_query fleece_query;     /* a JSONPath query of texts */

enum fleece_flags {
  /* reading JSON; default: strict RFC 8259 */
  FLEECE_TERMINATED = 0x1,      /* text[n] may be read and is 0: saves a copy of the text */
  FLEECE_COMMENTS = 0x2,        /* comments of both kinds are skipped */
  FLEECE_TRAILING_COMMAS = 0x4, /* [1,] and {"a":1,} */
  FLEECE_JSON5 = 0x8,           /* JSON5 1.0.0 */
  FLEECE_BOM = 0x10,            /* a byte order mark may come first */
  FLEECE_REPLACE_UTF8 = 0x20,   /* invalid UTF-8 becomes U+FFFD, also when writing JSON; else it is an error */
  /* writing binary */
  FLEECE_COMPATIBLE = 0x100, /* the same bytes as the reference encoder; else compact */
  FLEECE_FAST = 0x400,       /* with less work: only names are shared */
  /* opening */
  FLEECE_CODES = 0x200,         /* codes without names are allowed; else such a document needs its keys (KEYS) */
  FLEECE_TRUSTED = 0x1000,      /* the bytes are not checked: invalid ones crash the program */
  FLEECE_COPY = 0x2000,         /* the document copies the bytes */
  FLEECE_CHECK_UTF8 = 0x4000,   /* strings are checked too */
  FLEECE_READ = 0x8000,         /* open_file reads the file instead of mapping it, as with COPY */
  FLEECE_FRAMED = 0x800,        /* open_file: a file without a frame is an error */
  FLEECE_UNVERIFIED = 0x400000, /* open_file: checksums of documents are not tested, frames and lengths are */
  FLEECE_RECOVER = 0x800000,    /* open_file: a damaged end is left out; the last whole state is opened */
  /* writing JSON; default: one line, members in the document's order, data as Base64 */
  FLEECE_CANONICAL = 0x10000,     /* members in byte order of their names */
  FLEECE_JSON5_NAMES = 0x20000,   /* names without quotes where JSON5 allows it; this is not JSON */
  FLEECE_ASCII = 0x40000,         /* \uXXXX for characters beyond ASCII */
  FLEECE_ESCAPE_SLASH = 0x80000,  /* \/ */
  FLEECE_HTML = 0x100000,         /* <, >, &, U+2028 and U+2029 as \uXXXX */
  FLEECE_NULL_NUMBERS = 0x200000, /* infinite numbers become null; else they are an error */
  /* editing */
  FLEECE_REUSE_STRINGS = 0x1000000, /* point to strings of the base document */
  FLEECE_EXTERN = 0x2000000,        /* the delta is a separate document that is opened with `base` */
  FLEECE_WHOLE = 0x4000000,         /* a complete document instead of a delta */
  /* texts in place */
  FLEECE_PATHS = 0x8000000,    /* fleece_text_query: with the normalized path of each value */
  FLEECE_FIRST = 0x10000000,   /* the first of several members with the same name counts; else the last */
  FLEECE_PARTIAL = 0x20000000, /* only what lies on the way is tested; else the whole text */
  FLEECE_TESTS = 0x40000000    /* fleece_text_json_diff: a test before each value that is removed or replaced */
};

typedef struct fleece_options {
  uint32_t flags;         /* of enum fleece_flags */
  uint32_t max_depth;     /* reading, checking: levels of nesting, 1 .. 10,000,000; 0: 1000 */
  fleece_keys *keys;      /* shared keys; they must live as long as the documents are open. Writing adds to them */
  const fleece_doc *base; /* opening: the document that this is a delta to; it must stay open longer */
  const char *indent;     /* writing JSON: white space of one level, a C string below 64 bytes; NULL: one line */
  const fleece_allocator *allocator; /* of created objects; NULL: realloc and free */
  size_t max_values; /* opening, checking: number of values, a shared one counted each time it is pointed to; 0: as many
                       ** as the document has bytes, at least 1,000,000. fleece_text_query: of its visits to values */
  size_t max_bytes;  /* fleece_to_json: of the text; 0: 64 times the document, at least 64 MB. fleece_write_json: of
                       ** all pieces; 0: no limit. fleece_text_json_patch: of what its copies copy */
  const void *reserved[1]; /* NULL */
} fleece_options;

#define FLEECE_OPTIONS_INIT                      \
  {                                              \
    0, 0, NULL, NULL, NULL, NULL, 0, 0, { NULL } \
  }

/* ------------------------------------------------------------------------------------- JSON to binary and back */

/* A value of a document: two words, passed by value. It is valid as long as its document is open. A missing value is a
** valid fleece_value of type FLEECE_TYPE_NONE (all bits 0); every function accepts it, so look-ups can be chained.
** Below, "none" means this value. */
typedef struct fleece_value {
  const void *at; /* NULL: none */
  const fleece_doc *doc;
} fleece_value;

/* Called with each piece of the output, at least one byte. Returning 0 stops the writing with FLEECE_ERROR_WRITER. */
typedef int (*fleece_writer)(void *ud, const char *bytes, size_t n);

/* Converts the JSON text[0..n) to a binary document. The last of several members with the same name counts. With
** COMPATIBLE all of them are written; strings need not be UTF-8 (REPLACE_UTF8 applies to unpaired surrogates then); and
** the text may be 100 levels deep, plus an empty collection, whatever max_depth is. Status: JSON, LIMIT, VALUE (NaN),
** MEMORY, ARGUMENT. Uses the allocator of `out`. */
FLEECE_API int fleece_from_json(const char *text, size_t n, const fleece_options *options, fleece_bytes *out,
                                fleece_error *error);

/* Writes a value as JSON text. Status: VALUE (a string that is not UTF-8, an infinite number), KEYS, LIMIT (max_bytes),
** MEMORY, ARGUMENT (v is none). Uses the allocator of `out`. */
FLEECE_API int fleece_to_json(fleece_value v, const fleece_options *options, fleece_bytes *out, fleece_error *error);

/* The same in pieces of about 16 KiB, passed to a writer. Some pieces may have been passed before an error. Status
** also: WRITER. */
FLEECE_API int fleece_write_json(fleece_value v, const fleece_options *options, fleece_writer writer, void *ud,
                                 fleece_error *error);

/* ------------------------------------------------------------------------------------- documents */

/* Checks that the bytes are a document that can be read in place. At an odd address they cannot (BINARY). The time is
** proportional to n, for any bytes. Status: BINARY, LIMIT, KEYS (a code without a name; CODES allows it in documents
** that are opened without keys), MEMORY, ARGUMENT.
** Options: keys, base, max_depth, CHECK_UTF8. */
FLEECE_API int fleece_check(const void *bytes, size_t n, const fleece_options *options, fleece_error *error);

/* Opens a document and checks it, unless TRUSTED. The bytes belong to the caller: they must not change or be freed
** until the document is closed. With COPY, or if they are at an odd address, the document uses a copy at an even
** address. NULL: the errors of fleece_check. */
FLEECE_API fleece_doc *fleece_open(const void *bytes, size_t n, const fleece_options *options, fleece_error *error);

/* Opens a file, which is mapped if the system supports it. Nobody may make a mapped file shorter: the system would
** terminate the program. With READ or COPY the file is read instead; pipes and other files of unknown size are always
** read. A file with frames (docs/files.md) is tested, and gives the document its shared keys, unless `keys` has them.
** NULL: also FILE; BINARY if the file was cut or changed. */
FLEECE_API fleece_doc *fleece_open_file(const char *path, const fleece_options *options, fleece_error *error);

/* Writes a document to a file, with a frame before it: length, checksum, and the names of the option `keys`. The bytes
** are checked, unless TRUSTED. The file is the old or the new one at every moment: it is written beside its name,
** brought to the disk, and renamed, under a lock that fleece.save of Lua takes, too. Status: as fleece_check; FILE. */
FLEECE_API int fleece_save(const char *path, const void *bytes, size_t n, const fleece_options *options,
                           fleece_error *error);

/* Writes the document of a file anew, without the history of its amendments, as fleece_save writes it; the names of its
** shared keys stay. A file without a frame gets one. With RECOVER a damaged end is left out. Other options: as
** fleece_open_file; COMPATIBLE, FAST. Status: as fleece_open_file and fleece_save. */
FLEECE_API int fleece_compact(const char *path, const fleece_options *options, fleece_error *error);

/* Closes a document and frees its memory. NULL is allowed. */
FLEECE_API void fleece_close(fleece_doc *doc);

/* The bytes of a document, and their number in *n: those that fleece_open got, or its copy of them; of a file with
** frames those between them. They are valid until it is closed. NULL, and *n is 0: it has a base or shared keys,
** without which its bytes are no document. */
FLEECE_API const void *fleece_doc_bytes(const fleece_doc *doc, size_t *n);

/* The root value; none if `doc` is NULL. */
FLEECE_API fleece_value fleece_root(const fleece_doc *doc);

/* ------------------------------------------------------------------------------------- values */

enum fleece_type {
  FLEECE_TYPE_NONE = 0,
  FLEECE_TYPE_NULL,
  FLEECE_TYPE_UNDEFINED,
  FLEECE_TYPE_BOOLEAN,
  FLEECE_TYPE_INTEGER, /* from -2^63 to 2^64 - 1 */
  FLEECE_TYPE_DOUBLE,  /* floating point */
  FLEECE_TYPE_STRING,
  FLEECE_TYPE_DATA,
  FLEECE_TYPE_ARRAY,
  FLEECE_TYPE_DICT
};

/* One of enum fleece_type. */
FLEECE_API int fleece_type_of(fleece_value v);

/* 1 or 0; `otherwise` if v is not a boolean. */
FLEECE_API int fleece_boolean(fleece_value v, int otherwise);

/* A number, integer or floating point, whose value is an integer in the range of the type; else `otherwise`. */
FLEECE_API int64_t fleece_int64(fleece_value v, int64_t otherwise);
FLEECE_API uint64_t fleece_uint64(fleece_value v, uint64_t otherwise);

/* Any number; integers beyond 2^53 are rounded. `otherwise` if v is not a number. */
FLEECE_API double fleece_double(fleece_value v, double otherwise);

/* A pointer to the bytes of a string, or of data, in the document, and their number in *n; NULL and 0 for other
** values. */
FLEECE_API const char *fleece_string(fleece_value v, size_t *n);
FLEECE_API const void *fleece_data(fleece_value v, size_t *n);

/* The number of items or members; 0 for other values. Takes constant time, therefore members that are undefined count,
** although fleece_next skips them. A changed dict of a delta is iterated over instead, and they do not count. */
FLEECE_API size_t fleece_count(fleece_value v);

/* Compares the content of two values, which can be of different documents and forms: 1 equal, 0 different, -1 an error
** (MEMORY, from the allocator of the document of `a`; LIMIT for values that are shared very often). Numbers are
** compared by value. None equals none. */
FLEECE_API int fleece_equal(fleece_value a, fleece_value b, fleece_error *error);

/* ------------------------------------------------------------------------------------- look-up */

/* The member of a dict; none if v is not a dict, has no such member, or the member is undefined. */
FLEECE_API fleece_value fleece_get_n(fleece_value dict, const char *name, size_t n);
static inline fleece_value fleece_get(fleece_value dict, const char *name) {
  return fleece_get_n(dict, name, name ? strlen(name) : 1);
}

/* Item number i of an array; none if v is not an array, or has no such item. */
FLEECE_API fleece_value fleece_at(fleece_value array, size_t i);

/* The value at a path, such as people[122].name or .a[-1] (the last item): docs/binary.md. None: there is no such
** value; with status PATH: the path is invalid, or has a wildcard (see fleece_path_each); MEMORY: paths longer than 64
** bytes use the document's allocator. */
FLEECE_API fleece_value fleece_path(fleece_value from, const char *path, size_t n, fleece_error *error);

/* Gets a value that a path leads to. Returning 0 ends the search. */
typedef int (*fleece_path_found)(void *ud, fleece_value value);

/* Passes all values that a path with wildcards leads to, at most 16, in the order of fleece_next: a[*].b is member b of
** each item, a.* each member of a. What is missing is left out. Status: OK (also if the function ended it), PATH,
** MEMORY, ARGUMENT (there is no function). */
FLEECE_API int fleece_path_each(fleece_value from, const char *path, size_t n, fleece_path_found found, void *ud,
                                fleece_error *error);

/* The same as fleece_path with a JSON pointer (RFC 6901), such as /people/122/name; those longer than 256 bytes
** allocate. */
FLEECE_API fleece_value fleece_pointer(fleece_value from, const char *pointer, size_t n, fleece_error *error);

/* ------------------------------------------------------------------------------------- iteration */

/* The result of fleece_next; `opaque` belongs to the library. It owns nothing. */
typedef struct fleece_iterator {
  const char *name; /* of a dict's member, in the document or its keys; NULL: an item of an array, or a code without */
  size_t name_size; /* a name (the document was opened without keys); name_size is the code then */
  size_t index;     /* from 0 */
  fleece_value value;
  uint64_t opaque[64];
} fleece_iterator;

/* Starts an iteration over a collection; for any other value it is empty. */
FLEECE_API void fleece_iterate(fleece_iterator *i, fleece_value collection);

/* 1: the next item, or the next member in the order of keys, is in *i; 0: there are no more. Members that are undefined
** are skipped. */
FLEECE_API int fleece_next(fleece_iterator *i);

/* ------------------------------------------------------------------------------------- writing value by value */

/* NULL: MEMORY, ARGUMENT. Options: COMPATIBLE, FAST, keys, allocator. */
FLEECE_API fleece_encoder *fleece_encoder_new(const fleece_options *options, fleece_error *error);
FLEECE_API void fleece_encoder_free(fleece_encoder *e); /* NULL is allowed */

/* Each writes the next value: the root, the next item of the open array, or, after a key, the member of the open dict.
** The first error is kept: all calls return it until fleece_finish or fleece_encoder_reset. Status: ORDER, VALUE,
** LIMIT, MEMORY; ARGUMENT, which is not kept. */
FLEECE_API int fleece_put_null(fleece_encoder *e);
FLEECE_API int fleece_put_undefined(fleece_encoder *e);
FLEECE_API int fleece_put_boolean(fleece_encoder *e, int b);
FLEECE_API int fleece_put_int64(fleece_encoder *e, int64_t i);
FLEECE_API int fleece_put_uint64(fleece_encoder *e, uint64_t u);
FLEECE_API int fleece_put_double(fleece_encoder *e, double d); /* VALUE: d is NaN */
FLEECE_API int fleece_put_float(fleece_encoder *e, float f);
FLEECE_API int fleece_put_string(fleece_encoder *e, const char *s, size_t n); /* must be UTF-8 to become JSON */
FLEECE_API int fleece_put_data(fleece_encoder *e, const void *s, size_t n);
FLEECE_API int fleece_put_value(fleece_encoder *e, fleece_value v); /* a copy; ORDER also: v is none */
FLEECE_API int fleece_put_array(fleece_encoder *e);                 /* opens an array */
FLEECE_API int fleece_put_dict(fleece_encoder *e);
FLEECE_API int fleece_put_key(fleece_encoder *e, const char *name, size_t n); /* of the next value in a dict */
FLEECE_API int fleece_put_end(fleece_encoder *e);                             /* closes the innermost collection */

/* Writes the value of a JSON text as the whole document: nothing may have been written before (ORDER, which is kept as
** above). Options: as fleece_from_json, except that mode and keys are those of the encoder. After any other error the
** encoder is unchanged. */
FLEECE_API int fleece_put_json(fleece_encoder *e, const char *text, size_t n, const fleece_options *options,
                               fleece_error *error);

/* Ends the document. The encoder is empty afterwards in any case, and keeps memory for the next document. If both have
** the same allocator, the bytes are moved, not copied. Status: the first error. */
FLEECE_API int fleece_finish(fleece_encoder *e, fleece_bytes *out, fleece_error *error);

/* Discards the written values and the error. */
FLEECE_API void fleece_encoder_reset(fleece_encoder *e);

/* ------------------------------------------------------------------------------------- shared keys */

/* A list of names that documents write as numbers from 0. It only grows. A document can be read only with the keys that
** it was written with, or with the same names in the same order. It has at most 2048 names of at most 16 bytes, and
** uses 40 KB. */
FLEECE_API fleece_keys *fleece_keys_new(const fleece_allocator *allocator); /* NULL: no memory */
FLEECE_API void fleece_keys_free(fleece_keys *k);                           /* NULL is allowed */
FLEECE_API size_t fleece_keys_count(const fleece_keys *k);

/* The number of a name; fleece_keys_add assigns the next number to a new name. -1: the name is not in the list, is not
** allowed (letters, digits, '_' and '-' only), or the list is full. */
FLEECE_API int fleece_keys_add(fleece_keys *k, const char *name, size_t n);
FLEECE_API int fleece_keys_find(const fleece_keys *k, const char *name, size_t n);

/* The name with this number; NULL if there is none. */
FLEECE_API const char *fleece_keys_name(const fleece_keys *k, size_t number, size_t *n);

/* ------------------------------------------------------------------------------------- JSON deltas */

/* The JSON delta that turns `from` into `to`, as text. Status: MEMORY, LIMIT, VALUE, KEYS, ARGUMENT. */
FLEECE_API int fleece_diff(fleece_value from, fleece_value to, fleece_bytes *out, fleece_error *error);

/* Applies a delta to a value and writes the result as a document. The delta is a value, or JSON text. Options:
** COMPATIBLE, keys; for the text those of fleece_from_json. Status: DELTA, JSON, MEMORY, LIMIT, KEYS, ARGUMENT. */
FLEECE_API int fleece_patch(fleece_value from, fleece_value delta, const fleece_options *options, fleece_bytes *out,
                            fleece_error *error);
FLEECE_API int fleece_patch_json(fleece_value from, const char *delta, size_t n, const fleece_options *options,
                                 fleece_bytes *out, fleece_error *error);

/* ------------------------------------------------------------------------------------- editing */

/* Changes to a collection are kept in layers above it; the document does not change. All documents whose values are
** used must stay open until the edit is freed. */

/* A collection that can be changed, valid until the edit is freed; or none (all bits 0). */
typedef struct fleece_mutable {
  fleece_edit *edit;
  void *layer;
} fleece_mutable;

/* Creates an edit of a collection. NULL: MEMORY, ARGUMENT (not a collection). Options: allocator. */
FLEECE_API fleece_edit *fleece_edit_new(fleece_value collection, const fleece_options *options, fleece_error *error);
FLEECE_API void fleece_edit_free(fleece_edit *e); /* NULL is allowed */
FLEECE_API fleece_mutable fleece_edit_root(fleece_edit *e);

/* Creates a value from JSON text, to be used in the edit; it lives as long as the edit. None: as fleece_from_json. */
FLEECE_API fleece_value fleece_edit_json(fleece_edit *e, const char *text, size_t n, const fleece_options *options,
                                         fleece_error *error);

/* FLEECE_TYPE_ARRAY, FLEECE_TYPE_DICT or FLEECE_TYPE_NONE; the number of items of an array, 0 for a dict. */
FLEECE_API int fleece_mutable_type(fleece_mutable m);
FLEECE_API size_t fleece_mutable_count(fleece_mutable m);

/* The current value; none also if it is a collection that was opened: see fleece_mutable_open. */
FLEECE_API fleece_value fleece_mutable_get(fleece_mutable dict, const char *name, size_t n);
FLEECE_API fleece_value fleece_mutable_at(fleece_mutable array, size_t i);

/* Opens an inner collection so that it can be changed; returns the same one each time. None: there is no collection, or
** no memory. */
FLEECE_API fleece_mutable fleece_mutable_open(fleece_mutable dict, const char *name, size_t n);
FLEECE_API fleece_mutable fleece_mutable_open_at(fleece_mutable array, size_t i);

/* Change a collection. Index i of set_at and insert_at may be one after the last. Status: ARGUMENT (wrong type of
** collection, index out of range, v is none), MEMORY. */
FLEECE_API int fleece_mutable_set(fleece_mutable dict, const char *name, size_t n, fleece_value v);
FLEECE_API int fleece_mutable_remove(fleece_mutable dict, const char *name, size_t n);
FLEECE_API int fleece_mutable_set_at(fleece_mutable array, size_t i, fleece_value v);
FLEECE_API int fleece_mutable_insert_at(fleece_mutable array, size_t i, fleece_value v);
FLEECE_API int fleece_mutable_remove_at(fleece_mutable array, size_t i);

/* Writes the changed collection. By default: bytes to be appended to those of the document; together they are the
** changed document, which shares unchanged values. With EXTERN: a delta, a separate document that is opened with
** `base`. With WHOLE: a complete document. The first two are deltas to the root of a document (else ARGUMENT) and use
** its keys. Values of the document that were inserted are pointed to. If this shares so much that fleece_open would
** reject the delta, the status is LIMIT, and a document with WHOLE has copies instead. Options: REUSE_STRINGS,
** EXTERN, WHOLE; COMPATIBLE and keys with WHOLE. Status: MEMORY, LIMIT, KEYS, ARGUMENT. */
FLEECE_API int fleece_edit_write(fleece_edit *e, const fleece_options *options, fleece_bytes *out, fleece_error *error);

/* Appends the changes of an edit to the file that its document was opened from by fleece_open_file; the file must have
** frames. When it returns, the new state is on the disk: a file that is opened has it. The document stays as it is, and
** so do those of others who have the file open. One writer at a time has the lock of the file. Options: REUSE_STRINGS,
** allocator, max_values. Status: as fleece_edit_write; FILE, also if it is another file or was changed since it was
** opened; ARGUMENT: the document was not opened from a file with a frame. After an error the file has its old state. */
FLEECE_API int fleece_append(fleece_edit *e, const char *path, const fleece_options *options, fleece_error *error);

#ifdef __cplusplus
}
#endif

#include "fleece-text.h"

#endif
