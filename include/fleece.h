/* SPDX-License-Identifier: MIT
** fleece.h -- the C interface: JSON text and the Fleece binary format, without Lua. C99 and C++. The chapter is
** docs/c.md; the format, docs/format.md. Hosts that embed Lua find what they need besides in fleece-lua.h.
**
** What holds for all functions:
** - A status is FLEECE_OK (0) or a FLEECE_ERROR_x. An `error` argument may be NULL; else it is filled, also when all
**   is well. Objects are returned as pointers; NULL: it failed, and the error tells why.
** - Strings are bytes and a length, and need no 0 behind them; what is returned has none, unless it says so. Lengths,
**   offsets and sizes are in bytes, indices count from 0.
** - Where options are NULL, or zero, the defaults hold. One options struct serves all functions; each takes from it
**   what it knows.
** - No function keeps state of its own: different objects may be used by different threads at the same time. One
**   document may be read by many threads at once; everything else, by one at a time. A document of which others are
**   a base, and keys, must not be changed or closed while those are used. Reading can take memory of the document's
**   allocator (fleece_equal; long paths and pointers): where many threads read it, that must be safe with threads.
** - Nothing aborts, prints or asks for the locale. Running out of memory is FLEECE_ERROR_MEMORY. */
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

#define FLEECE_VERSION "0.1.0"
#define FLEECE_VERSION_NUMBER 100 /* 10000 * major + 100 * minor + patch */

/* Of the library that runs, in the same words. Before 1.0 another minor version is another ABI. */
FLEECE_API const char *fleece_version(void);
FLEECE_API int fleece_version_number(void);

/* ------------------------------------------------------------------------------------- errors */

enum fleece_status {
  FLEECE_OK = 0,
  FLEECE_ERROR_MEMORY,   /* the allocator has no more */
  FLEECE_ERROR_ARGUMENT, /* a pointer that must not be NULL, an unknown flag, an option out of its range */
  FLEECE_ERROR_JSON,     /* the text is not JSON */
  FLEECE_ERROR_BINARY,   /* the bytes are not a document */
  FLEECE_ERROR_LIMIT,    /* nested too deep, too long, or values shared too often */
  FLEECE_ERROR_VALUE,    /* a value cannot be written: NaN, a string that is not UTF-8 */
  FLEECE_ERROR_KEYS,     /* the document needs its shared keys */
  FLEECE_ERROR_ORDER,    /* calls of an encoder that make no document */
  FLEECE_ERROR_DELTA,    /* the delta does not fit the value */
  FLEECE_ERROR_PATH,     /* not a path, or not a JSON pointer */
  FLEECE_ERROR_FILE,     /* see `system` */
  FLEECE_ERROR_WRITER,   /* the writer has refused */
  FLEECE_ERROR_LUA       /* fleece-lua.h only: Lua code has raised an error */
};

#define FLEECE_NOWHERE ((size_t)-1)

typedef struct fleece_error {
  int status;          /* of enum fleece_status */
  int system;          /* FLEECE_ERROR_FILE: errno; else 0 */
  const char *message; /* in English, static, never NULL; "" with FLEECE_OK */
  size_t offset;       /* of the fault in the text, bytes or path; FLEECE_NOWHERE: nowhere in particular */
  size_t line, column; /* of what is wrong in a JSON text: from 1, in lines and characters; else 0 */
  size_t reserved[2];
} fleece_error;

/* ------------------------------------------------------------------------------------- memory */

/* As lua_Alloc: gives the block (NULL: a new one) of old_size bytes new_size bytes, aligned for any object, and
** answers where it lies now, or NULL: there is no memory, and the block stays as it was. new_size 0 frees, and
** answers NULL. */
typedef void *(*fleece_alloc)(void *ud, void *block, size_t old_size, size_t new_size);

/* `alloc` NULL: realloc and free. A copy is kept by what is made with it; `ud` must live as long. */
typedef struct fleece_allocator {
  fleece_alloc alloc;
  void *ud;
} fleece_allocator;

/* Bytes that a function has written: `data`, `size`, with one 0 behind them. Begin with FLEECE_BYTES_INIT (or all
** bits 0), or give `allocator` before the first use; the other fields are the library's. The next function that
** writes here uses the memory again: no open document may lie in it, nor a text that the function reads. After an
** error `size` is 0. */
typedef struct fleece_bytes {
  char *data;
  size_t size;
  size_t room; /* bytes of memory */
  fleece_allocator allocator;
} fleece_bytes;

#define FLEECE_BYTES_INIT      \
  {                            \
    NULL, 0, 0, { NULL, NULL } \
  }

/* Gives the memory back; the bytes are empty then and can be used again. */
FLEECE_API void fleece_bytes_free(fleece_bytes *b);

/* Gives back the memory beyond the bytes (there may be as much again). If there is no memory to do so, nothing
** changes. */
FLEECE_API void fleece_bytes_fit(fleece_bytes *b);

/* ------------------------------------------------------------------------------------- options */

typedef struct fleece_keys fleece_keys;       /* shared keys */
typedef struct fleece_doc fleece_doc;         /* a document that is open for reading */
typedef struct fleece_encoder fleece_encoder; /* writes a document value by value */
typedef struct fleece_edit fleece_edit;       /* changes to a document */

enum fleece_flags {
  /* reading JSON: strict RFC 8259, unless */
  FLEECE_TERMINATED = 0x1,      /* text[n] may be read and is 0: saves a copy of the text */
  FLEECE_COMMENTS = 0x2,        /* both kinds are skipped */
  FLEECE_TRAILING_COMMAS = 0x4, /* [1,] and {"a":1,} */
  FLEECE_JSON5 = 0x8,           /* JSON5 1.0.0 */
  FLEECE_BOM = 0x10,            /* a byte order mark may come first */
  FLEECE_REPLACE_UTF8 = 0x20,   /* what is not UTF-8 becomes U+FFFD, when writing JSON too; else it is an error */
  /* writing binary */
  FLEECE_COMPATIBLE = 0x100, /* byte for byte what the reference writes; else compact */
  /* opening */
  FLEECE_CODES = 0x200,       /* keys that are codes may have no names; else such a document needs its keys (KEYS) */
  FLEECE_TRUSTED = 0x1000,    /* the bytes are not checked: wrong ones crash the program */
  FLEECE_COPY = 0x2000,       /* the document gets a copy of the bytes */
  FLEECE_CHECK_UTF8 = 0x4000, /* strings are looked at too */
  FLEECE_READ = 0x8000,       /* open_file reads the file instead of mapping it, as with COPY */
  /* writing JSON: one line, members in the document's order, data as Base64, unless */
  FLEECE_CANONICAL = 0x10000,     /* members in the order of their names' bytes */
  FLEECE_JSON5_NAMES = 0x20000,   /* names without quotes where JSON5 allows it; that is no JSON */
  FLEECE_ASCII = 0x40000,         /* \uXXXX for all that is not ASCII */
  FLEECE_ESCAPE_SLASH = 0x80000,  /* \/ */
  FLEECE_HTML = 0x100000,         /* <, > and & as \uXXXX, U+2028 and U+2029 too */
  FLEECE_NULL_NUMBERS = 0x200000, /* infinite numbers become null; else they are an error */
  /* editing */
  FLEECE_REUSE_STRINGS = 0x1000000, /* strings of the base document are pointed to */
  FLEECE_EXTERN = 0x2000000,        /* the delta is a document that is opened with `base`, wherever that lies */
  FLEECE_WHOLE = 0x4000000          /* no delta, but a document of its own */
};

typedef struct fleece_options {
  uint32_t flags;         /* of enum fleece_flags */
  uint32_t max_depth;     /* reading, checking: collections in collections, 1 .. 10,000,000; 0: 1000 */
  fleece_keys *keys;      /* of the documents; they must live as long as those are open. Writing adds to them */
  const fleece_doc *base; /* opening: the document that this is a delta to; it must stay open as long */
  const char *indent;     /* writing JSON: one level, white space that ends with 0, below 64 bytes; NULL: one line */
  const fleece_allocator *allocator; /* of what is made; NULL: realloc and free */
  size_t max_values; /* opening, checking: values, a shared one as often as it is pointed to; 0: as many as the document
                       ** has bytes, at least 1,000,000 */
  size_t max_bytes;  /* fleece_to_json: of the text; 0: 64 times the document, at least 64 MB. fleece_write_json: of
                       ** what the writer gets; 0: any number */
  const void *reserved[1]; /* NULL */
} fleece_options;

#define FLEECE_OPTIONS_INIT                      \
  {                                              \
    0, 0, NULL, NULL, NULL, NULL, 0, 0, { NULL } \
  }

/* ------------------------------------------------------------------------------------- JSON to binary and back */

/* A place in a document: two words, to be copied as a number is. It is good as long as its document is open. What no
** value stands under is a value too, of type FLEECE_TYPE_NONE (all bits 0): every function takes it, so look-ups can
** be chained. */
typedef struct fleece_value {
  const void *at; /* NULL: none */
  const fleece_doc *doc;
} fleece_value;

/* Called with each piece of the output, at least one byte; 0 ends the writing with FLEECE_ERROR_WRITER. */
typedef int (*fleece_writer)(void *ud, const char *bytes, size_t n);

/* Makes the JSON text[0..n) a binary document. Of equal names the last one counts. With COMPATIBLE all are written;
** strings are taken as they are, UTF-8 or not (REPLACE_UTF8 is for unpaired surrogates then); and the text may be 100
** levels deep, with an empty collection inside, whatever max_depth says. Status: JSON, LIMIT, VALUE (NaN), MEMORY,
** ARGUMENT. Memory is that of `out`. */
FLEECE_API int fleece_from_json(const char *text, size_t n, const fleece_options *options, fleece_bytes *out,
                                fleece_error *error);

/* Writes a value as JSON text. Status: VALUE (a string that is not UTF-8, an infinite number), KEYS, LIMIT (max_bytes),
** MEMORY, ARGUMENT (there is no value). Memory is that of `out`. */
FLEECE_API int fleece_to_json(fleece_value v, const fleece_options *options, fleece_bytes *out, fleece_error *error);

/* The same in pieces of about 16 KiB, to a writer. After an error some pieces may have gone out. Status also:
** WRITER. */
FLEECE_API int fleece_write_json(fleece_value v, const fleece_options *options, fleece_writer writer, void *ud,
                                 fleece_error *error);

/* ------------------------------------------------------------------------------------- documents */

/* Is this a document that can be read where it lies? At an odd address it cannot (BINARY). Takes time in proportion
** to n, whatever the bytes are. Status: BINARY, LIMIT, KEYS (a code without a name; CODES lets pass
** those of documents that are opened without keys), MEMORY, ARGUMENT.
** Options: keys, base, max_depth, CHECK_UTF8. */
FLEECE_API int fleece_check(const void *bytes, size_t n, const fleece_options *options, fleece_error *error);

/* Opens a document; it is checked, unless TRUSTED. The bytes are the caller's: they must stay, unchanged, until it is
** closed; with COPY, or at an odd address, the document has a copy, at an even one. NULL: as fleece_check of that. */
FLEECE_API fleece_doc *fleece_open(const void *bytes, size_t n, const fleece_options *options, fleece_error *error);

/* The same of a file, which is mapped where the system can. Others must not make a mapped file shorter: the system
** would end the program. With READ or COPY it is read instead, and so are pipes and all that tells no size. NULL:
** also FILE. */
FLEECE_API fleece_doc *fleece_open_file(const char *path, const fleece_options *options, fleece_error *error);

/* Gives everything back. NULL is fine. */
FLEECE_API void fleece_close(fleece_doc *doc);

/* The value that the document is; none of NULL. */
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

/* 1 or 0; `otherwise` if it is no boolean. */
FLEECE_API int fleece_boolean(fleece_value v, int otherwise);

/* A number, integer or floating point, whose value is one of the type; else `otherwise`. */
FLEECE_API int64_t fleece_int64(fleece_value v, int64_t otherwise);
FLEECE_API uint64_t fleece_uint64(fleece_value v, uint64_t otherwise);

/* Any number; integers beyond 2^53 are rounded. `otherwise` if it is no number. */
FLEECE_API double fleece_double(fleece_value v, double otherwise);

/* The bytes of a string, or of data, in the document, and how many in *n (which must not be NULL); NULL and 0 if it
** is none. */
FLEECE_API const char *fleece_string(fleece_value v, size_t *n);
FLEECE_API const void *fleece_data(fleece_value v, size_t *n);

/* How many items or members; 0 of other values. Constant time, so that members that are undefined count, though
** fleece_next leaves them out; but a changed dict of a delta is gone through, and they do not. */
FLEECE_API size_t fleece_count(fleece_value v);

/* Equal by what they hold, whatever the documents and their form: 1, 0; -1: an error (MEMORY, which is taken from the
** allocator of the document of `a`; LIMIT for values that are shared very often). Numbers are equal by value. None
** equals none. */
FLEECE_API int fleece_equal(fleece_value a, fleece_value b, fleece_error *error);

/* ------------------------------------------------------------------------------------- look-up */

/* What a dict has under a name; none if it is no dict, has no such member, or its value is undefined. */
FLEECE_API fleece_value fleece_get_n(fleece_value dict, const char *name, size_t n);
static inline fleece_value fleece_get(fleece_value dict, const char *name) {
  return fleece_get_n(dict, name, strlen(name));
}

/* Item number i of an array; none if it is no array, or there is no such item. */
FLEECE_API fleece_value fleece_at(fleece_value array, size_t i);

/* Where a path leads, such as people[122].name or .a[-1] (the last): docs/binary.md. None: nowhere; with status PATH:
** it is no path, wherever it begins; MEMORY: paths beyond 64 bytes take some from the document's allocator. */
FLEECE_API fleece_value fleece_path(fleece_value from, const char *path, size_t n, fleece_error *error);

/* The same of a JSON pointer (RFC 6901), such as /people/122/name; those beyond 256 bytes take memory. */
FLEECE_API fleece_value fleece_pointer(fleece_value from, const char *pointer, size_t n, fleece_error *error);

/* ------------------------------------------------------------------------------------- iteration */

/* What fleece_next has found; the rest is the library's. It owns nothing. */
typedef struct fleece_iterator {
  const char *name; /* of a dict's member, in the document or its keys; NULL: an item of an array; or a shared key */
  size_t name_size; /* that the document was opened without, whose number is name_size */
  size_t index;     /* from 0 */
  fleece_value value;
  uint64_t opaque[64];
} fleece_iterator;

/* Begins at a collection; in any other value there is nothing to find. */
FLEECE_API void fleece_iterate(fleece_iterator *i, fleece_value collection);

/* 1: the next item, or member in the order of keys, is in *i; 0: there are no more. Members that are undefined are
** left out. */
FLEECE_API int fleece_next(fleece_iterator *i);

/* ------------------------------------------------------------------------------------- writing value by value */

/* NULL: MEMORY, ARGUMENT. Options: COMPATIBLE, keys, allocator. */
FLEECE_API fleece_encoder *fleece_encoder_new(const fleece_options *options, fleece_error *error);
FLEECE_API void fleece_encoder_free(fleece_encoder *e); /* NULL is fine */

/* Each writes the next value: the root; an item of the array, or behind a key the member of the dict, that is open.
** The first error stays: all calls answer it until fleece_finish tells it, or fleece_encoder_reset. Status: ORDER,
** VALUE, LIMIT, MEMORY. */
FLEECE_API int fleece_put_null(fleece_encoder *e);
FLEECE_API int fleece_put_undefined(fleece_encoder *e);
FLEECE_API int fleece_put_boolean(fleece_encoder *e, int b);
FLEECE_API int fleece_put_int64(fleece_encoder *e, int64_t i);
FLEECE_API int fleece_put_uint64(fleece_encoder *e, uint64_t u);
FLEECE_API int fleece_put_double(fleece_encoder *e, double d); /* VALUE: it is NaN */
FLEECE_API int fleece_put_float(fleece_encoder *e, float f);
FLEECE_API int fleece_put_string(fleece_encoder *e, const char *s, size_t n); /* UTF-8, if it is to be JSON */
FLEECE_API int fleece_put_data(fleece_encoder *e, const void *s, size_t n);
FLEECE_API int fleece_put_value(fleece_encoder *e, fleece_value v); /* a copy; ORDER also: there is none */
FLEECE_API int fleece_put_array(fleece_encoder *e);                 /* opens it */
FLEECE_API int fleece_put_dict(fleece_encoder *e);
FLEECE_API int fleece_put_key(fleece_encoder *e, const char *name, size_t n); /* of the next value in a dict */
FLEECE_API int fleece_put_end(fleece_encoder *e);                             /* ends what was opened last */

/* Writes the value of a JSON text. It is the whole document: nothing may have been written before (ORDER, which
** stays as above). Options: as fleece_from_json, but mode and keys are the encoder's. After any other error the
** encoder is as it was. */
FLEECE_API int fleece_put_json(fleece_encoder *e, const char *text, size_t n, const fleece_options *options,
                               fleece_error *error);

/* Ends the document. In any case the encoder is empty then, and keeps memory for the next one. With the same
** allocator the bytes are handed over, not copied. Status: what failed first. */
FLEECE_API int fleece_finish(fleece_encoder *e, fleece_bytes *out, fleece_error *error);

/* Forgets what was written, and its error. */
FLEECE_API void fleece_encoder_reset(fleece_encoder *e);

/* ------------------------------------------------------------------------------------- shared keys */

/* A list of names that documents write as numbers from 0 on. It only grows. A document can only be read with the
** keys that it was written with, or the same names in the same order. At most 2048 names of at most 16 bytes; takes
** 40 KB. */
FLEECE_API fleece_keys *fleece_keys_new(const fleece_allocator *allocator); /* NULL: no memory */
FLEECE_API void fleece_keys_free(fleece_keys *k);                           /* NULL is fine */
FLEECE_API size_t fleece_keys_count(const fleece_keys *k);

/* The number of a name; fleece_keys_add gives a new one the next. -1: it is not there, or cannot be (letters, digits,
** '_' and '-' only), or the list is full. */
FLEECE_API int fleece_keys_add(fleece_keys *k, const char *name, size_t n);
FLEECE_API int fleece_keys_find(const fleece_keys *k, const char *name, size_t n);

/* The name with a number; NULL: there is none. */
FLEECE_API const char *fleece_keys_name(const fleece_keys *k, size_t number, size_t *n);

/* ------------------------------------------------------------------------------------- JSON deltas */

/* The JSON delta that turns `from` into `to`, as text. Status: MEMORY, LIMIT, VALUE, KEYS, ARGUMENT. */
FLEECE_API int fleece_diff(fleece_value from, fleece_value to, fleece_bytes *out, fleece_error *error);

/* What a delta makes of a value, as a document. The delta is a value, or JSON text. Options: COMPATIBLE, keys; for
** the text those of fleece_from_json. Status: DELTA, JSON, MEMORY, LIMIT, KEYS, ARGUMENT. */
FLEECE_API int fleece_patch(fleece_value from, fleece_value delta, const fleece_options *options, fleece_bytes *out,
                            fleece_error *error);
FLEECE_API int fleece_patch_json(fleece_value from, const char *delta, size_t n, const fleece_options *options,
                                 fleece_bytes *out, fleece_error *error);

/* ------------------------------------------------------------------------------------- editing */

/* Changes to a collection are kept in layers above it; the document stays as it is. All documents whose values are
** used must stay open until the edit is freed. */

/* A collection that can be changed: none (all bits 0), or good until the edit is freed. */
typedef struct fleece_mutable {
  fleece_edit *edit;
  void *layer;
} fleece_mutable;

/* Begins with a collection (else ARGUMENT). NULL: MEMORY, ARGUMENT. Options: allocator. */
FLEECE_API fleece_edit *fleece_edit_new(fleece_value collection, const fleece_options *options, fleece_error *error);
FLEECE_API void fleece_edit_free(fleece_edit *e); /* NULL is fine */
FLEECE_API fleece_mutable fleece_edit_root(fleece_edit *e);

/* A new value from JSON text, to be put somewhere; it lives as long as the edit. None: as fleece_from_json. */
FLEECE_API fleece_value fleece_edit_json(fleece_edit *e, const char *text, size_t n, const fleece_options *options,
                                         fleece_error *error);

/* FLEECE_TYPE_ARRAY, FLEECE_TYPE_DICT or FLEECE_TYPE_NONE; how many items an array has, 0 of a dict. */
FLEECE_API int fleece_mutable_type(fleece_mutable m);
FLEECE_API size_t fleece_mutable_count(fleece_mutable m);

/* What is there now; none also where a collection has been opened: see fleece_mutable_open. */
FLEECE_API fleece_value fleece_mutable_get(fleece_mutable dict, const char *name, size_t n);
FLEECE_API fleece_value fleece_mutable_at(fleece_mutable array, size_t i);

/* Opens the collection that is there, to be changed too; the same one each time. None: there is none, or no
** memory. */
FLEECE_API fleece_mutable fleece_mutable_open(fleece_mutable dict, const char *name, size_t n);
FLEECE_API fleece_mutable fleece_mutable_open_at(fleece_mutable array, size_t i);

/* Changes. Index i of set_at and insert_at may be the one behind the last. Status: ARGUMENT (of the other kind, an
** index outside, no value), MEMORY. */
FLEECE_API int fleece_mutable_set(fleece_mutable dict, const char *name, size_t n, fleece_value v);
FLEECE_API int fleece_mutable_remove(fleece_mutable dict, const char *name, size_t n);
FLEECE_API int fleece_mutable_set_at(fleece_mutable array, size_t i, fleece_value v);
FLEECE_API int fleece_mutable_insert_at(fleece_mutable array, size_t i, fleece_value v);
FLEECE_API int fleece_mutable_remove_at(fleece_mutable array, size_t i);

/* Writes the changed collection. As it is: bytes that belong behind those of the document; together they are the
** changed document, which shares what has not changed. With EXTERN: a delta, a document of its own that is opened
** with `base`. With WHOLE: a document that needs no other. Both deltas are to the root of a document (else ARGUMENT)
** and have its keys. Values of the document that were put in are pointed to: if they hold so much, so often, that
** fleece_open would refuse the delta, that is LIMIT, and a document with WHOLE has copies. Options: REUSE_STRINGS,
** EXTERN, WHOLE; COMPATIBLE and keys with WHOLE. Status: MEMORY, LIMIT, KEYS, ARGUMENT. */
FLEECE_API int fleece_edit_write(fleece_edit *e, const fleece_options *options, fleece_bytes *out, fleece_error *error);

#ifdef __cplusplus
}
#endif

#endif
