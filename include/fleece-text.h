/* SPDX-License-Identifier: MIT
** fleece-text.h -- the part of fleece.h about JSON texts that are not converted: their values by path, changes of them,
** JSON Patch and JSON Merge Patch, JSON Schema. fleece.h includes it, and has the rules for all functions. */
#ifndef FLEECE_TEXT_H
#define FLEECE_TEXT_H

#include "fleece.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- texts in place */

/* These functions read and change JSON texts without converting them. What a text may contain is as for
** fleece_from_json (options: COMMENTS, TRAILING_COMMAS, JSON5, BOM, REPLACE_UTF8, max_depth), except that JSON5 may
** have NaN. A strict text that is an array or object is read where it is, and is read fastest. Any other text,
** and with PARTIAL also one that is edited, is copied unless it is TERMINATED.
**
** `scratch` is memory that a function may use, and enlarges so that the next call with it allocates nothing; its
** contents are lost. It must not be in use by another call, and must not be `out`. NULL: memory that is needed is
** allocated, and freed before the function returns. Without it texts and changes of ordinary size allocate nothing:
** up to 32 paths and their steps, 1024 levels.
**
** A path is a C string, or has a length. If it is empty or begins with a slash it is a JSON pointer, else a path as
** fleece_path takes it. */

/* Part of a JSON text: a value as it is written there, without white space around it. It is valid as long as the text
** is in memory and is not changed. Missing: `at` is NULL (all bits 0); all functions accept it. */
typedef struct fleece_text {
  const char *at;
  size_t size;
} fleece_text;

/* Checks that text[0..n) is JSON. Status: JSON, LIMIT (max_depth), MEMORY, ARGUMENT. */
FLEECE_API int fleece_text_check(const char *text, size_t n, const fleece_options *options, fleece_bytes *scratch,
                                 fleece_error *error);

/* Compiles `count` paths. `lengths` NULL: they are C strings. A path with a wildcard, as fleece_text_edit has,
** leads to many values, which fleece_text_query finds: PATH; ["*"] is the member of that name. NULL: PATH (`index`
** tells which, `offset` where, but of a wildcard), MEMORY, ARGUMENT. Options: those of texts, FIRST, PARTIAL,
** allocator. The allocator also gives the memory that a call without scratch needs. Many threads may use one picker at
** once, each with a scratch of its own, or with an allocator that is thread-safe. */
FLEECE_API fleece_picker *fleece_text_picker_new(const char *const *paths, const size_t *lengths, size_t count,
                                                 const fleece_options *options, fleece_error *error);
FLEECE_API void fleece_text_picker_free(fleece_picker *p); /* NULL is allowed */

/* Finds the value of each path in a text, in one pass: found[i] is that of path i, or missing. The whole text is
** checked. With PARTIAL the first of several members with the same name counts, only the values that are found and
** what leads to them are tested, and reading stops when all are found. After an error all are missing. Status: as
** fleece_text_check. */
FLEECE_API int fleece_text_pick(const fleece_picker *p, const char *text, size_t n, fleece_text *found,
                                fleece_bytes *scratch, fleece_error *error);

/* What a value is, of enum fleece_type, and what it means: as fleece_boolean and its relatives. */
FLEECE_API int fleece_text_type(fleece_text v);
FLEECE_API int fleece_text_boolean(fleece_text v, int otherwise);
FLEECE_API int64_t fleece_text_int64(fleece_text v, int64_t otherwise);
FLEECE_API uint64_t fleece_text_uint64(fleece_text v, uint64_t otherwise);
FLEECE_API double fleece_text_double(fleece_text v, double otherwise);

/* The bytes that a string means, and their number in *n: in the text if it has no escapes, else in the scratch, where
** the next use replaces them. Invalid UTF-8, which only REPLACE_UTF8 has let pass, becomes U+FFFD. NULL, and *n is 0:
** VALUE (not a string), MEMORY, ARGUMENT (there are escapes and no scratch). */
FLEECE_API const char *fleece_text_string(fleece_text v, size_t *n, fleece_bytes *scratch, fleece_error *error);

enum fleece_operation {
  FLEECE_SET,    /* replaces a value, or adds a member or an item at the end */
  FLEECE_INSERT, /* adds an item before another one or at the end; or a member that must not exist */
  FLEECE_APPEND, /* adds an item to the array at the path */
  FLEECE_REMOVE, /* removes what must exist */
  FLEECE_DISCARD /* removes what is at the path, if anything is */
};

/* A change of a text. The last step of the path may be "-" in a pointer: after the last item. */
typedef struct fleece_change {
  int operation; /* of enum fleece_operation */
  const char *path;
  size_t path_size;
  const char *value; /* strict JSON, written as it is; not used by REMOVE and DISCARD */
  size_t value_size;
} fleece_change;

/* Writes the text with all changes made, or none. Each change sees the result of those before it. Bytes that no change
** touches stay as they are; new members and items get the white space of their neighbours. Paths lead to what exists,
** except for the last step. They may have wildcards, at most 16: a[*].b is member b of each item, a.* each member of a;
** the change is made wherever they lead, in the order of the text, and where they lead to nothing there is nothing to
** do. With PARTIAL only containers on the way are tested, as far as needed. Options: those of
** texts; ASCII, ESCAPE_SLASH, HTML for new names; PARTIAL. Status, with `index` if it concerns a change: PATH (`offset`
** in the path), VALUE (not JSON: `offset` in the value; a name that is not UTF-8), CHANGE (`offset` in the text: the
** container or value that the message is about); JSON, LIMIT, MEMORY, ARGUMENT. Uses the allocator of `out`. */
FLEECE_API int fleece_text_edit(const char *text, size_t n, const fleece_change *changes, size_t count,
                                const fleece_options *options, fleece_bytes *out, fleece_bytes *scratch,
                                fleece_error *error);

/* ------------------------------------------------------------------------------------- JSONPath */

/* Compiles a JSONPath query (RFC 9535; docs/query.md). NULL: PATH (`offset` in the query), MEMORY, ARGUMENT. Options:
** TERMINATED, COMMENTS, TRAILING_COMMAS, BOM, max_depth of the texts; PATHS; max_values: how many visits to values a
** search may take (0: 50,000,000, some seconds); allocator, as in fleece_text_picker_new. Many threads may use one
** query at once, each with a scratch of its own. */
FLEECE_API fleece_query *fleece_query_new(const char *query, size_t n, const fleece_options *options,
                                          fleece_error *error);
FLEECE_API void fleece_query_free(fleece_query *q); /* NULL is allowed */

/* Gets a value that was found: its text, and with PATHS its normalized path, such as $['a'][0], which all functions
** take that take a path; else NULL. The path is valid until the function returns. Returning 0 ends the search. */
typedef int (*fleece_query_found)(void *ud, fleece_text value, const char *path, size_t path_size);

/* Passes all values that the query finds in a text, in its order. The whole text is tested first. A search that was
** ended by `found` is OK. Some values may have been passed before an error. Status: JSON; LIMIT (max_depth, max_values,
** a text of 2 GB); VALUE (an object has a name twice, where it matters which one counts); MEMORY, ARGUMENT. It takes up
** to 24 bytes for each value of the text, but only for those on levels and of names that the query can look at. */
FLEECE_API int fleece_text_query(const fleece_query *q, const char *text, size_t n, fleece_query_found found, void *ud,
                                 fleece_bytes *scratch, fleece_error *error);

/* ------------------------------------------------------------------------------------- patches of texts */

/* These functions change a text, and find what differs between two texts. A patch, and a text that is compared, is
** strict JSON in which no object has a name twice; with BOM a byte order mark may stand before it. TERMINATED is about
** all texts of a call. Numbers are compared by value, exactly. The scratch is as above.
**
** Both standards: docs/patch.md. These are not fleece_patch and fleece_diff, which have a format of their own. */

/* Applies a JSON Patch (RFC 6902): writes the text after all operations, or nothing. All other bytes stay as they are,
** as in fleece_text_edit. Options: those of texts; max_bytes of copies (0: 64 MB and 64 times the text). Status, with
** `index` if it concerns an operation: VALUE (the patch is none: `offset` in the patch), CHANGE (an operation leads
** nowhere: `offset` in the text, if what the message is about is there), INVALID (a test has failed), LIMIT (max_depth;
** copies); JSON, MEMORY, ARGUMENT. Uses the allocator of `out`. */
FLEECE_API int fleece_text_json_patch(const char *text, size_t n, const char *patch, size_t patch_size,
                                      const fleece_options *options, fleece_bytes *out, fleece_bytes *scratch,
                                      fleece_error *error);

/* Applies a JSON Merge Patch (RFC 7396) in the same way: its members replace those of the text, objects are merged, and
** null removes. Status: VALUE (`offset` in the patch), CHANGE (`offset` in the text: an object has the name twice);
** JSON, LIMIT, MEMORY, ARGUMENT. */
FLEECE_API int fleece_text_merge_patch(const char *text, size_t n, const char *patch, size_t patch_size,
                                       const fleece_options *options, fleece_bytes *out, fleece_bytes *scratch,
                                       fleece_error *error);

/* Writes a JSON Patch that makes the value of text b of that of text a; it is never longer than one that replaces the
** whole value. The items of arrays are paired: those that stay are not in the patch. Time is linear, times log n at
** most. It takes about 112 bytes for each value of both texts. Options: BOM, TERMINATED, TESTS, max_depth. Status: JSON
** and LIMIT, with `index` 0 for text a and 1 for text b; MEMORY, ARGUMENT. Uses the allocator of `out`. */
FLEECE_API int fleece_text_json_diff(const char *a, size_t a_size, const char *b, size_t b_size,
                                     const fleece_options *options, fleece_bytes *out, fleece_bytes *scratch,
                                     fleece_error *error);

/* Writes the JSON Merge Patch that makes b of a. It has arrays as a whole, and cannot set a member to null. Status
** also: VALUE (`offset` in text b: a null that would be needed). */
FLEECE_API int fleece_text_merge_diff(const char *a, size_t a_size, const char *b, size_t b_size,
                                      const fleece_options *options, fleece_bytes *out, fleece_bytes *scratch,
                                      fleece_error *error);

/* ------------------------------------------------------------------------------------- JSON Schema */

typedef struct fleece_schema fleece_schema; /* a compiled schema; docs/schema.md says what can be relied on */

enum fleece_draft {
  FLEECE_DRAFT_2020_12,
  FLEECE_DRAFT_2019_09,
  FLEECE_DRAFT_7,
  FLEECE_DRAFT_6,
  FLEECE_DRAFT_4,
  FLEECE_DRAFT_OPENAPI_31,
  FLEECE_DRAFT_OPENAPI_30
};

enum fleece_schema_flags {
  FLEECE_SCHEMA_FORMATS = 0x1,    /* `format` is tested, not only a note */
  FLEECE_SCHEMA_CONTENTS = 0x2,   /* so are `contentEncoding` and `contentMediaType`: base64 and JSON */
  FLEECE_SCHEMA_STRICT = 0x4,     /* unknown keywords and other likely mistakes are errors of the schema */
  FLEECE_SCHEMA_HIDE_VALUES = 0x8 /* messages do not tell values that were found, which may be secret */
};

/* Finds the schema with this URI, which has no fragment, for a reference: sets *schema to its text, which is copied.
** Returning 0: there is none. The metaschemas of the drafts are built in, and it is not asked for them. */
typedef int (*fleece_schema_find)(void *ud, const char *uri, size_t n, fleece_text *schema);

typedef struct fleece_schema_options {
  uint32_t flags;          /* of enum fleece_schema_flags */
  uint32_t reading;        /* of the texts that are checked: TERMINATED, COMMENTS, TRAILING_COMMAS, BOM */
  int draft;               /* of enum fleece_draft: what counts where $schema says nothing */
  uint32_t max_depth;      /* levels of schemas and texts; 0: 1000 */
  uint64_t max_steps;      /* the most work of a check; 0: 100,000,000, which takes seconds */
  const char *at;          /* a JSON pointer to the schema in its text, such as "/components/schemas/Pet"; NULL: root */
  const char *uri;         /* where the schema comes from: references are relative to it; NULL: unknown */
  fleece_schema_find find; /* other schemas; NULL: there are none */
  void *ud;                /* of `find` */
  const fleece_allocator *allocator; /* NULL: realloc and free */
  const void *reserved[2];           /* NULL */
} fleece_schema_options;

#define FLEECE_SCHEMA_OPTIONS_INIT                              \
  {                                                             \
    0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, { NULL, NULL } \
  }

/* Why a text or schema is wrong. Strings end with a 0; they and causes are in the scratch until its next use. */
typedef struct fleece_failure {
  const char *message;  /* "at /age: expected a number of at least 0, found -1" */
  const char *instance; /* a JSON pointer to the value: "/age" */
  const char *keyword;  /* "minimum" */
  const char *schema;   /* a JSON pointer to the keyword in its schema: "/properties/age/minimum" */
  const char *absolute; /* the URI of the keyword, as far as it is known; "" if a schema is wrong */
  size_t message_size, instance_size, schema_size, absolute_size;
  size_t offset;       /* of the value in the text, or of the keyword in the schema; FLEECE_NOWHERE: in another one */
  size_t line, column; /* of the offset, as in fleece_error */
  const struct fleece_failure *causes; /* of anyOf, oneOf and others: why their branches failed */
  size_t cause_count;
} fleece_failure;

/* Compiles the schema text[0..n), strict JSON. A wrong one is an error now, never later: an invalid pattern, a
** reference that leads nowhere. NULL: SCHEMA, JSON, LIMIT (too large), MEMORY, ARGUMENT. `failure` (or NULL) then says
** more, and needs the scratch. Many threads may check texts with it at once, if its allocator is thread-safe. */
FLEECE_API fleece_schema *fleece_schema_compile(const char *text, size_t n, const fleece_schema_options *options,
                                                fleece_failure *failure, fleece_bytes *scratch, fleece_error *error);
FLEECE_API void fleece_schema_free(fleece_schema *s); /* NULL is allowed */

/* Is text[0..n) as the schema says? FLEECE_OK: it is. INVALID: it is not; then `failures` gets at most *count failures,
** and *count becomes their number. NULL or 0: only the status, which is faster. Failures need the scratch. Status also:
** JSON, LIMIT (max_depth, max_steps), VALUE (an object has a name twice, where it matters which one counts), MEMORY,
** ARGUMENT; *count is 0 then. */
FLEECE_API int fleece_schema_check(const fleece_schema *s, const char *text, size_t n, fleece_failure *failures,
                                   size_t *count, fleece_bytes *scratch, fleece_error *error);

#ifdef __cplusplus
}
#endif

#endif
