/* SPDX-License-Identifier: MIT
** documents.h -- documents(source): iterates over the values of a stream.
** Must hold: only the current document and one piece are in memory; a string is not copied. The memory is userdata
** that the iterator keeps alive. An error, even in the source, leaves it consistent. */
#pragma once

#include "../json/grammar/split.h"
#include "../decode/face/decode.h"
#include "../files/file.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
#endif

/* In fleece.safe the functions return readers instead of iterators. In a `for` an iterator that returns nil and a
** message seems to have ended, so there a reader raises its errors; reader:next() returns them, by passing the address
** of this to the iterator. The iterator is one closure, because its upvalues change. */
FL_IDENTITY mod_reader_key = 0;

/* In an iterator, before it changes the stack: returns whether it must return its errors. */
FL_INLINE int mod_reader_returns_errors(lua_State *L) { return lua_touserdata(L, 1) == (const void *)&mod_reader_key; }

/* Ends a function that makes an iterator, with the closure on top: returns that, or, for fleece.safe, a reader. */
FL_PRIVATE int mod_return_reader(lua_State *L, int safe);

/* The same for an iterator that is fed: a reader with the methods feed and finish. */
FL_PRIVATE int mod_return_fed(lua_State *L, int safe);

/* Returns whether the arguments of a function that makes an iterator ask for one that is fed: there is no source, but
** options or nothing, and then at most `more` arguments. Afterwards nil is in the place of the source. */
FL_PRIVATE int mod_is_fed(lua_State *L, int more);

/* Like mod_read_decode_options for a reader, which may be fed. */
FL_PRIVATE int mod_read_reader_options(lua_State *L, int arg, struct json_to_lua_options *o, enum mod_taker of,
                                       int is_fed);

/* Upvalues of an iterator, after those of all functions. */
enum { MOD_DOCUMENTS = MOD_UPVALUES + 1, MOD_SOURCE, MOD_BUFFER, MOD_ITERATOR_UPVALUES = MOD_BUFFER };

/* FED: a table of pieces that the caller has given to reader:feed. COPIED: a string whose text must be changed. */
enum mod_source { MOD_SOURCE_STRING, MOD_SOURCE_COPIED, MOD_SOURCE_FILE, MOD_SOURCE_FUNCTION, MOD_SOURCE_FED };

/* What reader:status() says of a reader that is fed. CUT: it was finished within an event or document. */
enum mod_fed_status { MOD_FED_OPEN, MOD_FED_COMPLETE, MOD_FED_CUT, MOD_FED_DONE, MOD_FED_FAILED };

/* The state of a source function. ENDED: it need not be called again; FAILED: its message is in its place. */
enum mod_source_state { MOD_SOURCE_OPEN, MOD_SOURCE_ENDED, MOD_SOURCE_FAILED };

struct mod_documents {
  struct json_to_lua_options o; /* with flags instead of indices */
  enum mod_source source;
  enum mod_source_state state;
  int ended; /* the source has no more pieces */
  int done;  /* the iterator is at its end, or has failed */
  int begun; /* a byte order mark was looked for */
  /* Of a source that is fed: the next piece and the last one in its table; whether no more will come; whether reading
  ** has stopped because the next piece has not come yet. */
  int next_piece, last_piece, is_finished, waits;
  int is_within; /* reading has stopped within a document, or an event */
  int skips;     /* the rest of the line, or event, is passed over */
  enum mod_fed_status status;
  struct json_split split; /* with `lines` only fed: the bytes of the line that were looked at */
  const char *text;        /* [text, text + length) and a 0 after it: the string, or the buffer */
  size_t length, room;
  size_t most;                     /* limit for bytes read from the stream, or 0 */
  int full;                        /* the limit is reached and more follows: an error, if there is no other */
  size_t taken;                    /* consumed bytes of the text */
  size_t last;                     /* length of the previous document, or 0 */
  struct mod_stream_position base; /* of text[0] in the stream */
  int error;                       /* of json/tokens/tokens.h */
  const char *at;                  /* its position in the text, or NULL: in the comment below */
  /* A comment between documents that continues after the text, which was consumed: */
  size_t comment;                     /* where it begins in the stream */
  struct mod_failure comment_failure; /* the error if it has no end, */
  size_t words;                       /* and the length of its text */
  char message[MOD_MESSAGE];
};

/* Returns the FILE of a source, or raises an error, since it may have been closed meanwhile. */
FL_PRIVATE FILE *mod_source_file(lua_State *L, int index);

/* Pushes why a file cannot be read, from errno. */
FL_PRIVATE void mod_push_read_error(lua_State *L);

/* Calls the source function at the index, and leaves the piece on the stack; n is 0 at the end. NULL if the source
** returned nil and a message, which is on the stack, after what it read before was used. `closed`: the message "closed"
** means the end. */
FL_PRIVATE const char *mod_call_source(lua_State *L, int index, const char *name, int closed,
                                       enum mod_source_state *state, size_t *n);

/* Ends the text after n bytes, because more are not allowed. */
FL_PRIVATE_NOINLINE void mod_documents_cut_(lua_State *L, struct mod_documents *s, size_t n);

/* Appends the next piece to the text. Returns 0 if it cannot be read, with the message on the stack or s->error set. */
FL_PRIVATE int mod_documents_read_piece(lua_State *L, struct mod_documents *s);

FL_INLINE int mod_documents_fail(struct mod_documents *s, int error, const char *at) {
  s->error = error;
  s->at = at;
  return 0;
}

/* Records a comment at text[start] that continues after the text. */
FL_PRIVATE_NOINLINE void mod_documents_note_comment_(lua_State *L, struct mod_documents *s, size_t start);

/* The document at p is longer than max_bytes: finds its first error, which is that or an earlier one. Returns NULL. */
FL_PRIVATE_NOINLINE const char *mod_documents_long_(struct mod_decode *d, const char *p, struct json_scan *failed);

/* Ends a call that has failed. */
FL_PRIVATE_NOINLINE int mod_documents_error_(struct mod_decode *d, const struct mod_documents *s);

/* Makes p the beginning of the text. Errors are located from there on, so that many of them take linear time. */
FL_PRIVATE void mod_documents_forget(struct mod_documents *s, const char *p);

/* Ends a call with the error on top, in this text of n bytes. Returns 0 if on_error got it: then all that was found is
** consumed, and the next call of mod_documents_begin goes on. */
FL_PRIVATE_NOINLINE int mod_documents_refuse_(struct mod_decode *d, struct mod_documents *s, const char *text, size_t n,
                                              const struct mod_failure *failure);

/* Reads pieces until the end of the document is found, or the source ends. Sets *end to the byte after the document.
** Returns 0 with s->error set, or a message on the stack. */
FL_PRIVATE int mod_documents_find_end(lua_State *L, struct mod_documents *s, const char **end);

/* At the beginning of the stream: consumes a byte order mark if the grammar allows it. */
FL_PRIVATE int mod_documents_skip_bom(lua_State *L, struct mod_documents *s);

/* Returns whether to try to decode the value at p before its end is searched for. In most streams many documents are in
** the text, and a successful attempt saves the search. One that fails, because the value is incomplete or invalid,
** costs no more than the text that is there. */
FL_INLINE int mod_documents_may_try(const struct mod_documents *s, const char *p) {
  const size_t rest = s->length - (size_t)(p - s->text);
  return rest > 0 && (*p == '"' || (*p | 0x20) == '{') && !s->o.max_bytes && (s->ended || rest >= s->last);
}

/* Replaces nil on top, decoded from null, by fleece.null, because nil would end a `for`. */
FL_INLINE void mod_documents_replace_nil(lua_State *L) {
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  lua_pushlightuserdata(L, NULL);
}

/* Prepares *s to read the string, file or function that is argument 1, or what is fed. */
FL_PRIVATE void mod_documents_open(lua_State *L, struct mod_documents *s, const struct json_to_lua_options *o,
                                   int is_fed);

/* Pushes the upvalues that an iterator shares with all functions; its values are those at `values`. */
FL_PRIVATE void mod_documents_push_upvalues(lua_State *L, int values);

/* Ends a call that stopped because the next piece has not come yet: returns nil, and the next call goes on. */
FL_FUNC int mod_documents_wait(lua_State *L, struct mod_documents *s) {
  s->done = s->waits = 0;
  return lua_pushnil(L), 1;
}

/* Ends the stream. */
FL_FUNC int mod_documents_end(lua_State *L, struct mod_documents *s, enum mod_fed_status status) {
  s->status = status;
  return lua_pushnil(L), 1;
}

/* Begins a call of the iterator, the decode of the next value. Returns 0 at its end. */
FL_INLINE int mod_documents_begin(lua_State *L, struct mod_documents *s, struct mod_decode *d) {
  const int safe = mod_reader_returns_errors(L);
  lua_settop(L, 0);
  if (s->done) return 0;
  s->done = 1; /* until this call has succeeded */
  s->status = MOD_FED_FAILED;
  d->L = L;
  d->state = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  d->o = s->o;
  d->o.safe = (unsigned)safe & 1u;
  d->of = MOD_OF_DOCUMENTS;
  d->several = MOD_SEVERAL_NOTHING;
  mod_settle_decode(d, lua_upvalueindex(MOD_VALUES));
  return 1;
}
