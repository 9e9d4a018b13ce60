/* SPDX-License-Identifier: MIT
** plain_nodes.h -- template: the words about the life of nodes, for forms whose nodes live as long as the walk.
** Parameters: VALUE(name), see value.h; VALUE_NO_NODE, the initial contents of a slot, if the form is for queries. */

FL_INLINE VALUE(node) VALUE(hold)(VALUE(form) * k, VALUE(node) v) { return (void)k, v; }
FL_INLINE VALUE(node) VALUE(copy)(VALUE(form) * k, VALUE(node) v) { return (void)k, v; }
FL_INLINE void VALUE(reset)(VALUE(form) * k, VALUE(node) v) { (void)k, (void)v; }
FL_INLINE int VALUE(mark)(VALUE(form) * k) { return (void)k, 0; }
FL_INLINE void VALUE(trim)(VALUE(form) * k, int mark) { (void)k, (void)mark; }

#ifdef VALUE_NO_NODE
FL_INLINE void VALUE(replace)(VALUE(form) * k, VALUE(node) * v, VALUE(node) child) { (void)k, *v = child; }
FL_INLINE VALUE(node) VALUE(slot)(VALUE(form) * k) { return (void)k, VALUE_NO_NODE; }
FL_INLINE void VALUE(keep)(VALUE(form) * k, VALUE(node) * slot, VALUE(node) v) { (void)k, *slot = v; }
FL_INLINE void VALUE(remember)(VALUE(form) * k, uint32_t number, VALUE(node) * v) { (void)k, (void)number, (void)v; }
#undef VALUE_NO_NODE
#endif
