/* SPDX-License-Identifier: MIT
** rows.h -- the table of options. A row: name, values (MOD_IS_... of options.h), the member that it sets, and who takes
** it. An option that several structs store has a row for each. HINTED: where a text fails, the message names the first
** of these options whose value here, in Lua's spelling (NULL: a higher limit), allows the text. That is found by trying
** the grammar, or by the errors that do not occur with it.
** Must hold: an option has an effect wherever it is taken. fleece.new takes all but those of amending and of schema. */
#pragma once

/* Who takes options, one bit each. PREFIX: decode_prefix, decode_file. FROM_JSON: and
** encoder. BYTES: check, diff, dump, keys. PATCH_TEXT: what a codec allows in the texts of patches and differences,
** which are strict JSON. CANONICAL_TEXT: what format allows beside `canonical`. */
/* clang-format off */
enum mod_taker {
  MOD_OF_NOTHING, MOD_OF_NEW, MOD_OF_ENCODE, MOD_OF_BUILDER, MOD_OF_EDIT, MOD_OF_WRITE_FILE, MOD_OF_PACK, MOD_OF_SAVE,
  MOD_OF_DECODE, MOD_OF_PREFIX, MOD_OF_PARSER, MOD_OF_DOCUMENTS, MOD_OF_ITEMS, MOD_OF_EVENTS, MOD_OF_PICK,
  MOD_OF_QUERY, MOD_OF_TOKENS, MOD_OF_PEEK, MOD_OF_FORMAT, MOD_OF_FORMAT_STREAM, MOD_OF_FROM_JSON, MOD_OF_LAZY,
  MOD_OF_PATCH, MOD_OF_UNPACK, MOD_OF_TO_JSON, MOD_OF_OPEN, MOD_OF_OPEN_FILE, MOD_OF_COMPACT, MOD_OF_WALK,
  MOD_OF_AMEND, MOD_OF_APPEND, MOD_OF_JSON_DIFF, MOD_OF_PATCH_TEXT, MOD_OF_CANONICAL_TEXT, MOD_OF_SCHEMA, MOD_OF_BYTES
};

#define MOD_OF(taker) ((uint64_t)1 << MOD_OF_##taker)
#define MOD_WRITERS (MOD_OF(ENCODE) | MOD_OF(BUILDER) | MOD_OF(EDIT) | MOD_OF(WRITE_FILE))
#define MOD_PACKERS (MOD_OF(PACK) | MOD_OF(SAVE))
#define MOD_FORMATS (MOD_OF(FORMAT) | MOD_OF(FORMAT_STREAM))
#define MOD_TEXTS (MOD_WRITERS | MOD_FORMATS | MOD_OF(TO_JSON))
#define MOD_COMPILED (MOD_OF(QUERY) | MOD_OF(SCHEMA))
#define MOD_LISTS (MOD_OF(DOCUMENTS) | MOD_OF(ITEMS) | MOD_OF(EVENTS))
#define MOD_WHOLES (MOD_OF(DECODE) | MOD_OF(PREFIX) | MOD_LISTS | MOD_OF(PICK) | MOD_COMPILED)
#define MOD_MAKERS (MOD_WHOLES | MOD_OF(PARSER))
#define MOD_CONVERTERS (MOD_OF(FROM_JSON) | MOD_OF(LAZY) | MOD_OF(PATCH))
#define MOD_READERS (MOD_MAKERS | MOD_CONVERTERS | MOD_FORMATS | MOD_OF(TOKENS) | MOD_OF(EDIT))
#define MOD_GRAMMARS (MOD_READERS | MOD_OF(CANONICAL_TEXT) | MOD_OF(WRITE_FILE))
#define MOD_LIMITS (MOD_READERS | MOD_OF(PATCH_TEXT))
#define MOD_OPENED (MOD_OF(OPEN) | MOD_OF(OPEN_FILE))
#define MOD_VIEWS (MOD_OPENED | MOD_OF(LAZY))
#define MOD_OPENERS (MOD_OPENED | MOD_OF(BYTES) | MOD_OF(TO_JSON) | MOD_OF(UNPACK) | MOD_OF(PATCH))
#define MOD_CHECKERS (MOD_OPENERS | MOD_OF(SAVE) | MOD_OF(COMPACT))
#define MOD_FILES (MOD_OF(OPEN_FILE) | MOD_OF(COMPACT))
#define MOD_REPLACERS (MOD_OF(SAVE) | MOD_OF(WRITE_FILE) | MOD_OF(COMPACT) | MOD_OF(APPEND))
#define MOD_ERROR_BIT(error) (1u << JSON_CHECK_##error)

#define MOD_ENCODE_OPTIONS(X) \
  X("indent",           READ(mod_read_indent),              style.indent_length,    MOD_TEXTS) \
  X("width",            INTEGER(0, JSON_FOLD_WIDEST),       style.width,            MOD_TEXTS) \
  X("sort_keys",        FLAG,                               style.sort_keys,        MOD_TEXTS) \
  X("canonical",        READ(mod_read_canonical),           style.canonical,        MOD_TEXTS) \
  X("key_order",        KEPT(0, mod_read_key_order),        order,                  MOD_WRITERS) \
  X("empty_table",      WORDS("array|object"),              style.empty_object,     MOD_WRITERS | MOD_PACKERS) \
  X("null",             KEPT(0, mod_read_null_value),       null,                   MOD_WRITERS | MOD_PACKERS) \
  X("sparse",           WORDS("object|null|error"),         style.sparse,           MOD_WRITERS | MOD_PACKERS) \
  X("sparse_ratio",     INTEGER(1, MOD_RATIO_LIMIT),        style.sparse_ratio,     MOD_WRITERS | MOD_PACKERS) \
  X("precision",        READ(mod_read_precision),           style.precision,        MOD_WRITERS) \
  X("decimals",         READ(mod_read_decimals),            style.decimals,         MOD_TEXTS) \
  X("float32",          FLAG,                               style.float32,          MOD_TEXTS) \
  X("integers",         WORDS("any|safe"),                  style.safe_integers,    MOD_TEXTS) \
  X("on_error",         KEPT(0, mod_read_on_error),         on_error,               MOD_WRITERS | MOD_PACKERS) \
  X("escape_slash",     FLAG,                               style.text.slash,       MOD_WRITERS | MOD_OF(TO_JSON)) \
  X("ascii",            FLAG,                               style.text.ascii,       MOD_WRITERS | MOD_OF(TO_JSON)) \
  X("html",             FLAG,                               style.text.html,        MOD_WRITERS | MOD_OF(TO_JSON)) \
  X("one_line",         FLAG,                               style.one_line,         MOD_WRITERS) \
  X("skip_unsupported", FLAG,                               style.skip_unsupported, MOD_WRITERS | MOD_PACKERS) \
  X("metamethods",      READ(mod_read_metamethods),         policy.rules,           MOD_WRITERS | MOD_PACKERS) \
  X("float_integers",   FLAG,                               style.float_integers,   MOD_WRITERS) \
  X("invalid_numbers",  WORDS("error|null|literal"),        style.invalid_numbers,  MOD_TEXTS) \
  X("invalid_utf8",     WORDS("error|replace|escape|pass"), style.text.invalid,     MOD_TEXTS) \
  X("max_depth",        INTEGER(1, MOD_DEPTH_LIMIT),        style.max_depth,        MOD_TEXTS | MOD_PACKERS) \
  X("layout",           READ(mod_read_layout),              force_api,              MOD_WRITERS | MOD_PACKERS)

#define MOD_DECODE_OPTIONS(X, HINTED) \
  HINTED("trailing_commas", BITS(JSON_TRAILING_COMMAS), grammar, MOD_GRAMMARS, "true", JSON_TRAILING_COMMAS, 0) \
  HINTED("comments",        BITS(JSON_COMMENTS),                grammar,   MOD_GRAMMARS, "true", JSON_COMMENTS, 0) \
  HINTED("bom",             BITS(JSON_BOM), grammar, MOD_GRAMMARS | MOD_LIMITS, "true", JSON_BOM, 0) \
  HINTED("invalid_numbers", WORDS_OF_BITS("error|null|literal", JSON_NAN_NULL, JSON_NAN_LITERALS), grammar, \
                            MOD_READERS, "\"null\"", JSON_NAN_NULL, MOD_ERROR_BIT(NAN)) \
  HINTED("json5",           BITS(JSON_JSON5),                   grammar,   MOD_GRAMMARS, "true", JSON_JSON5, 0) \
  HINTED("invalid_utf8",    WORDS("error|replace|escape|pass"), bad_text, \
                            MOD_LIMITS, "\"replace\"", 0, MOD_ERROR_BIT(UTF8) | MOD_ERROR_BIT(SURROGATE)) \
  HINTED("big_numbers",     READ(mod_read_big_numbers), big, \
                            MOD_MAKERS | MOD_OF(UNPACK), "\"string\"", 0, MOD_ERROR_BIT(HUGE)) \
  X("big_numbers",  READ(mod_read_big_numbers),   big,          MOD_VIEWS) \
  HINTED("max_depth",       INTEGER(1, MOD_DEPTH_LIMIT), max_depth, \
                            MOD_GRAMMARS | MOD_LIMITS | MOD_OF(UNPACK), NULL, 0, MOD_ERROR_BIT(DEPTH)) \
  X("max_bytes",    INTEGER(1, INT32_MAX),        max_bytes,    MOD_LIMITS | MOD_OF(UNPACK)) \
  HINTED("max_values", INTEGER(1, INT32_MAX), max_values, MOD_WHOLES | MOD_OF(EDIT) | \
                       MOD_OF(FROM_JSON) | MOD_OF(FORMAT), NULL, 0, MOD_ERROR_BIT(VALUES)) \
  X("null",         READ(mod_read_null),          null,         MOD_MAKERS | MOD_VIEWS | MOD_OF(UNPACK)) \
  X("arrays",       READ(mod_read_arrays),        arrays,       MOD_MAKERS | MOD_OF(UNPACK)) \
  X("objects",      READ(mod_read_objects),       objects,      MOD_MAKERS | MOD_OF(UNPACK)) \
  X("duplicates",   WORDS("last|first|error"), duplicates, \
                    MOD_MAKERS | MOD_CONVERTERS | MOD_OF(UNPACK) | MOD_OF(BUILDER)) \
  X("numeric_keys", FLAG,                         numeric_keys, MOD_MAKERS | MOD_OF(UNPACK)) \
  X("order",        READ(mod_read_order),         order,        MOD_MAKERS) \
  X("numbers",      READ(mod_read_numbers),       exact,        MOD_MAKERS) \
  X("layout",       READ(mod_read_decode_layout), layout_api,   MOD_MAKERS | MOD_OF(UNPACK) | MOD_OF(EDIT)) \
  X("lines", FLAG, lines, MOD_FORMATS | MOD_OF(FROM_JSON) | MOD_OF(LAZY) | MOD_OF(DOCUMENTS)) \
  X("on_error",     READ(mod_read_reader_on_error), on_error,   MOD_OF(DOCUMENTS) | MOD_OF(EVENTS)) \
  X("colors",       FLAG,                         colors,       MOD_FORMATS) \
  X("partial",      FLAG,                         partial,      MOD_OF(DECODE) | MOD_OF(EVENTS)) \
  X("unfinished",   FLAG,                         unfinished,   MOD_OF(DECODE) | MOD_OF(EVENTS)) \
  X("raw",          FLAG,                         raw,          MOD_OF(EVENTS) | MOD_OF(WRITE_FILE)) \
  X("closed",       FLAG, closed, MOD_LISTS | MOD_OF(TOKENS) | MOD_OF(FORMAT_STREAM)) \
  X("done",         READ(mod_read_done),          null,         MOD_OF(EVENTS)) \
  X("digits",       NO_FLAG,                      no_digits,    MOD_OF(TOKENS)) \
  X("max_steps",    INTEGER(1, INT32_MAX),        max_steps,    MOD_COMPILED)

#define MOD_PICK_OPTIONS(X) \
  X("raw",    FLAG,                       raw,   MOD_OF(PICK)) \
  X("test",   READ(mod_pick_read_test),   read,  MOD_OF(PICK) | MOD_OF(EDIT)) \
  X("layout", READ(mod_pick_read_layout), avoid, MOD_OF(PICK) | MOD_OF(EDIT))

#define MOD_BINARY_OPTIONS(X) \
  X("mode",       WORDS("compact|compatible|fast"), is.mode, MOD_CONVERTERS | MOD_OF(SAVE) | MOD_OF(COMPACT)) \
  X("trusted",    FLAG,                                           is.trusted,    MOD_CHECKERS) \
  X("keys",       KEPT(MOD_VALUE_KEYS, mod_read_keys),            keys,          MOD_CHECKERS | MOD_OF(FROM_JSON)) \
  X("base",       KEPT(MOD_VALUE_BASE, mod_read_base),            base,          MOD_OPENERS) \
  X("null",       READ(mod_note_value),                           tells_values,  MOD_VIEWS) \
  X("big_numbers", READ(mod_note_value),                          tells_values,  MOD_VIEWS) \
  X("check_utf8", FLAG,                                           is.utf8,       MOD_CHECKERS) \
  X("max_depth",  INTEGER(1, MOD_DEPTH_LIMIT), max_depth, MOD_CHECKERS | MOD_CONVERTERS | MOD_OF(WRITE_FILE)) \
  X("max_values", READ(mod_read_max_values),                      max_values,    MOD_CHECKERS | MOD_OF(WALK)) \
  X("canonical",  READ(mod_read_binary_canonical),                is,            MOD_OF(TO_JSON)) \
  X("json5",      FLAG,                                           is.json5,      MOD_OF(TO_JSON)) \
  X("path",       KEPT(MOD_VALUE_PATH, mod_read_path),            path,          MOD_OF(TO_JSON)) \
  X("pointer",    KEPT(MOD_VALUE_POINTER, mod_read_json_pointer), pointer,       MOD_OF(TO_JSON)) \
  X("max_bytes",  AMOUNT,                                         max_bytes,     MOD_OF(TO_JSON) | MOD_OF(UNPACK)) \
  X("map",        NO_FLAG,                                        is.in_memory,  MOD_FILES) \
  X("frame",      WORDS("optional|required"),                     is.framed,     MOD_FILES) \
  X("verify",     NO_FLAG,                                        is.unverified, MOD_FILES) \
  X("recover",    FLAG,                                           is.recover,    MOD_FILES) \
  X("in_place",   FLAG,                                           is.in_place,   MOD_OF(WRITE_FILE)) \
  X("sync",       WORDS("file|folder|none"),                      is.sync,       MOD_REPLACERS) \
  X("wait",       READ(mod_read_wait),                            is.wait,       MOD_REPLACERS)

#define MOD_PACK_OPTIONS(X) \
  X("mode",         WORDS("compact|compatible|fast"), mode, MOD_PACKERS) \
  X("keys",         READ(mod_read_pack_keys),         keys, MOD_PACKERS) \
  X("invalid_utf8", WORDS("error|data"),              data, MOD_PACKERS)

#define MOD_AMEND_OPTIONS(X) \
  X("reuse_strings", FLAG,                        reuse,      MOD_OF(AMEND) | MOD_OF(APPEND)) \
  X("extern",        FLAG,                        is_extern,  MOD_OF(AMEND)) \
  X("max_depth",     INTEGER(1, MOD_DEPTH_LIMIT), max_depth,  MOD_OF(AMEND) | MOD_OF(APPEND)) \
  X("max_values",    AMOUNT,                      max_values, MOD_OF(AMEND) | MOD_OF(APPEND))

#define MOD_PEEK_OPTIONS(X) X("unfinished", FLAG, unfinished, MOD_OF(PEEK))
#define MOD_SCHEMA_OPTIONS(X) \
  X("draft",      WORDS("2020-12|2019-09|7|6|4|openapi-3.1|openapi-3.0"), draft, MOD_OF(SCHEMA)) \
  X("schemas",    READ(mod_schema_read_source),   any,              MOD_OF(SCHEMA)) \
  X("load",       READ(mod_schema_read_function), any,              MOD_OF(SCHEMA)) \
  X("formats",    READ(mod_schema_read_formats),  asserts_formats,  MOD_OF(SCHEMA)) \
  X("contents",   FLAG,                           asserts_contents, MOD_OF(SCHEMA)) \
  X("keywords",   READ(mod_schema_read_checks),   any,              MOD_OF(SCHEMA)) \
  X("skip",       READ(mod_schema_read_names),    any,              MOD_OF(SCHEMA)) \
  X("at",         READ(mod_schema_read_string),   any,              MOD_OF(SCHEMA)) \
  X("uri",        READ(mod_schema_read_string),   any,              MOD_OF(SCHEMA)) \
  X("strict",     FLAG,                           strict,           MOD_OF(SCHEMA)) \
  X("empty",      WORDS("either|both|array|object"), empty, MOD_OF(SCHEMA)) \
  X("values",     NO_FLAG,                        hides_values,     MOD_OF(SCHEMA)) \
  X("max_errors", INTEGER(1, INT32_MAX),          max_errors,       MOD_OF(SCHEMA))
#define MOD_DIFF_OPTIONS(X) X("test", FLAG, tests, MOD_OF(JSON_DIFF))
/* clang-format on */
