/* SPDX-License-Identifier: MIT
** state.h -- what Fleece keeps per Lua state. module/library.c makes it.
** Must hold: one userdata in the registry, shared by fleece and fleece.safe; no mutable statics. */
#pragma once

#include "../base/buffer.h"
#include "../layout/probe.h"
#include "../text/utf8.h"
#include "pin.h"

/* Upvalues of every function of the module. */
enum {
  MOD_STATE = 1,
  MOD_CODEC,
  MOD_ANCHORS, /* a table: the metatables of marks, and what decoding remembers */
  MOD_PUSH,
  MOD_ORDER,
  MOD_ON_ERROR,
  MOD_VALUES,       /* of decoding: see decode/face/decode_options.h */
  MOD_EMPTY_OBJECT, /* the mark that a decoded empty object gets */
  MOD_DOCUMENT,     /* the metatable of documents that hold a string, once there was one */
  MOD_UPVALUES = MOD_DOCUMENT
};

/* In front of each block of heap.h. Its alignment may not be that of long double: LuaJIT's allocator gives multiples of
** 8, and compilers would use instructions that want 16. */
union heap_block {
  struct {
    union heap_block *next, **link;
    size_t size;
  } is;
  double align;
};

/* The items of the table of anchors: the shapes, a holder, the book of orders, the metatable of exact numbers and that
** of views of texts; after them the metatables of marks, each at its number. It has its size from the start. The
** registry's own items would not do: when memory ends while a Lua before 5.4 or LuaJIT makes a table larger, an item
** that was in the hash part is lost. */
enum {
  MOD_ANCHOR_SHAPES = 1,
  MOD_ANCHOR_HOLDER,
  MOD_ANCHOR_BOOK,
  MOD_ANCHOR_EXACT,
  MOD_ANCHOR_TEXTS,
  MOD_ANCHOR_MARKS
};

struct encode_slice;
struct decode_slice;
struct document_slice;

struct mod_state {
  fl_alloc alloc; /* Lua's */
  void *alloc_ud;
  int finalized;          /* its finalizer has run, before those of others, which may still call: nothing is kept */
  union heap_block *heap; /* of heap.h; */
  int heap_users;         /* calls that use some of it while they may run finalizers */
  const luaL_Reg *const *functions; /* lists of the module's, for arguments.h; NULL: it was not opened */
  unsigned cpu;                     /* text_cpu() */
  text_utf8_fn utf8;
  struct probe_verdict verdict;
  /* What rooms keep, in the same block of memory. */
  struct encode_slice *encode;     /* encode/face/state.h */
  struct decode_slice *decode;     /* decode/face/state.h */
  struct document_slice *document; /* document/state.h */
};

/* Addresses serve as registry keys. */
FL_IDENTITY mod_state_key = 0, mod_anchor_key = 0;

/* Frees the blocks of heap.h, unless they are in use: then who uses them does. */
FL_PRIVATE void mod_free_heap(struct mod_state *m);

FL_INLINE void mod_use_heap(struct mod_state *m) { m->heap_users++; }

FL_INLINE void mod_leave_heap(struct mod_state *m) {
  m->heap_users--;
  if (FL_UNLIKELY(m->finalized)) mod_free_heap(m);
}
