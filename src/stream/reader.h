/* SPDX-License-Identifier: MIT
** reader.h -- what the functions of fleece.safe return in place of iterators. In a `for` an iterator that returns nil
** and a message looks as if it had ended, so a reader raises its errors there; reader:next() returns them.
** Must hold: the iterator is one closure, because its upvalues change. */
#pragma once

#include "../base/def.h"
#include "../layout/lua_compat/api.h"

/* Its address is what reader:next() passes to the iterator. */
FL_IDENTITY mod_reader_key = 0;

/* In an iterator, before it changes the stack: should it return its errors? */
FL_INLINE int mod_reader_returns_errors(lua_State *L) { return lua_touserdata(L, 1) == (const void *)&mod_reader_key; }

/* Ends a function that makes an iterator, with the closure on top: returns that, or for fleece.safe a reader. */
FL_PRIVATE int mod_return_reader(lua_State *L, int safe);
