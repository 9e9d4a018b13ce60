/* SPDX-License-Identifier: MIT
** documents.h -- documents(source): iterates over the values of a stream.
** Must hold: only the current document and one piece are in memory; a string is not copied. The memory is userdata that
** the iterator keeps. An error, also in the source, leaves it consistent. */
#pragma once

#include "../json/grammar/split.h"
#include "../decode/face/decode.h"
#include "../files/file.h"
#include "../encode/face/sink.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
#endif

/* The functions of fleece.safe return readers in place of iterators. In a `for` an iterator that returns nil and a
** message looks as if it had ended, so a reader raises its errors there; reader:next() returns them, and passes the
** address of this to the iterator. The iterator is one closure, because its upvalues change. */
FL_IDENTITY mod_reader_key = 0;

/* In an iterator, before it changes the stack: returns whether it must return its errors. */
FL_INLINE int mod_reader_returns_errors(lua_State *L) { return lua_touserdata(L, 1) == (const void *)&mod_reader_key; }

/* Ends a function that makes an iterator, with the closure on top: returns that, or for fleece.safe a reader. */
FL_PRIVATE int mod_return_reader(lua_State *L, int safe);

/* Upvalues of an iterator, after those of all functions. */
enum { MOD_DOCUMENTS = MOD_UPVALUES + 1, MOD_SOURCE, MOD_BUFFER, MOD_ITERATOR_UPVALUES = MOD_BUFFER };

enum mod_source { MOD_SOURCE_STRING, MOD_SOURCE_FILE, MOD_SOURCE_FUNCTION };

/* Of a source function: ENDED: it need not be called again; FAILED: its message is in its place. */
enum mod_source_state { MOD_SOURCE_OPEN, MOD_SOURCE_ENDED, MOD_SOURCE_FAILED };

struct mod_documents {
  struct json_to_lua_options o; /* with flags instead of indices */
  enum mod_source source;
  enum mod_source_state state;
  int ended; /* the source has no more pieces */
  int done;  /* the iterator is at its end, or has failed */
  int begun; /* a byte order mark was looked for */
  struct json_split split;
  const char *text; /* [text, text + length) and a 0 after it: the string, or the buffer */
  size_t length, room;
  size_t most;                     /* of the stream so many bytes are read; 0: all */
  int full;                        /* they were, and more follows: an error, unless they have one */
  size_t taken;                    /* bytes of the text that were consumed */
  size_t last;                     /* bytes of the document before; 0: there was none */
  struct mod_stream_position base; /* of text[0] in the stream */
  int error;                       /* of json/tokens/tokens.h */
  const char *at;                  /* its position in the text; NULL: in the comment below */
  /* A comment between documents that continues after the text, which was consumed: */
  size_t comment;             /* where it begins in the stream */
  size_t comment_byte, words; /* the error if it has no end: its position, and the length of */
  char message[MOD_MESSAGE];
};

/* The FILE of a source, or an error: it may have been closed meanwhile. */
FL_PRIVATE FILE *mod_source_file(lua_State *L, int index);

/* Pushes why a file cannot be read, from errno. */
FL_PRIVATE void mod_push_read_error(lua_State *L);

/* Calls the source function at the index, and leaves the piece on the stack; n is 0 at the end. NULL: the source has
** returned nil and a message, which is on the stack, and what it returned with that was read. `closed`: the message
** "closed" is the end. */
FL_PRIVATE const char *mod_call_source(lua_State *L, int index, const char *name, int closed,
                                       enum mod_source_state *state, size_t *n);

/* The text ends after n bytes, because more are not allowed. */
FL_PRIVATE_NOINLINE void mod_documents_cut_(lua_State *L, struct mod_documents *s, size_t n);

/* Adds the next piece to the text. False: it cannot be read, and the message is on the stack, or s->error is set. */
FL_PRIVATE int mod_documents_read_piece(lua_State *L, struct mod_documents *s);

FL_INLINE int mod_documents_fail(struct mod_documents *s, int error, const char *at) {
  s->error = error;
  s->at = at;
  return 0;
}

/* Notes a comment at text[start] that continues after the text. */
FL_PRIVATE_NOINLINE void mod_documents_note_comment_(lua_State *L, struct mod_documents *s, size_t start);

/* The document at p is longer than max_bytes: finds its first error, which is that or one before it. Returns NULL. */
FL_PRIVATE_NOINLINE const char *mod_documents_long_(struct mod_decode *d, const char *p, struct json_scan *failed);

/* Ends a call that has failed. */
FL_PRIVATE_NOINLINE int mod_documents_error_(struct mod_decode *d, const struct mod_documents *s);

/* Reads pieces until the end of the document is found, or the source ends. *end is the byte after the document. False:
** s->error is set, or a message is on the stack. */
FL_PRIVATE int mod_documents_find_end(lua_State *L, struct mod_documents *s, const char **end);

/* At the beginning of the stream: consumes a byte order mark if the grammar allows it. */
FL_PRIVATE int mod_documents_skip_bom(lua_State *L, struct mod_documents *s);

/* Returns whether to try to decode the value at p, in the text, before its end is looked for. In most streams many
** documents are in the text, and an attempt that succeeds saves the search. One that fails costs no more than the text
** that is there: a value that the text does not hold whole, or another error. */
FL_INLINE int mod_documents_may_try(const struct mod_documents *s, const char *p) {
  const size_t rest = s->length - (size_t)(p - s->text);
  return rest > 0 && (*p == '"' || (*p | 0x20) == '{') && !s->o.max_bytes && (s->ended || rest >= s->last);
}

/* Replaces nil on top, which null became, by fleece.null: nil would end a `for`. */
FL_INLINE void mod_documents_replace_nil(lua_State *L) {
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  lua_pushlightuserdata(L, NULL);
}

/* Prepares *s to read the string, file or function that is argument 1. */
FL_PRIVATE void mod_documents_open(lua_State *L, struct mod_documents *s, const struct json_to_lua_options *o);

/* Pushes the upvalues that an iterator shares with all functions; its values are those at `values`. */
FL_PRIVATE void mod_documents_push_upvalues(lua_State *L, int values);

/* Begins a call of the iterator, the decode of the next value. False: it is at its end. */
FL_INLINE int mod_documents_begin(lua_State *L, struct mod_documents *s, struct mod_decode *d) {
  const int safe = mod_reader_returns_errors(L);
  lua_settop(L, 0);
  if (s->done) return 0;
  s->done = 1; /* until this call has succeeded */
  d->L = L;
  d->state = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  d->o = s->o;
  d->o.safe = (unsigned)safe & 1u;
  d->of = MOD_OF_DOCUMENTS;
  d->several = MOD_SEVERAL_NOTHING;
  mod_settle_decode(d, lua_upvalueindex(MOD_VALUES));
  return 1;
}
