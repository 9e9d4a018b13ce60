/* SPDX-License-Identifier: MIT
** ranks.h -- the names of the option key_order and their ranks, for raw walks.
** Must hold: no lua.h here. Names are found by the address of their text, so each must be an interned string. The
** owner of the options keeps them alive. */
#pragma once

#include "order_slots.h"

struct encode_rank {
  const char *name; /* NULL if unused */
  uint64_t rank;    /* from 1 */
};

struct encode_ranks {
  size_t mask;     /* of the places, of which at most a quarter is used */
  size_t count;    /* number of names, which follow the places in their order */
  int has_numbers; /* a name may be the text of a number */
  int is_raw;      /* every name can be found by its address */
  struct encode_rank places[];
};

/* Returns the rank of the name at this address, or 0. */
FL_INLINE uint64_t encode_rank_of(const struct encode_ranks *ranks, const char *name) {
  size_t i = order_hash(name) & ranks->mask;
  while (ranks->places[i].name && ranks->places[i].name != name) i = (i + 1) & ranks->mask;
  return ranks->places[i].rank;
}

/* Returns the number of places for so many names. */
FL_INLINE size_t encode_rank_places(size_t names) {
  size_t places = 4;
  while (places < 4 * names) places *= 2;
  return places;
}

FL_INLINE size_t encode_ranks_size(size_t names) {
  return sizeof(struct encode_ranks) + encode_rank_places(names) * sizeof(struct encode_rank) + names * sizeof(char *);
}

FL_INLINE void encode_begin_ranks(struct encode_ranks *ranks, size_t names) {
  memset(ranks, 0, encode_ranks_size(names));
  ranks->mask = encode_rank_places(names) - 1;
  ranks->count = names;
  ranks->is_raw = 1;
}

FL_INLINE const char **encode_ranks_names(const struct encode_ranks *ranks) {
  return (const char **)(uintptr_t)(ranks->places + ranks->mask + 1);
}

/* Sets the name of a rank, from 1 on. A name that is there already keeps its rank. */
FL_INLINE void encode_set_rank(struct encode_ranks *ranks, size_t rank, const char *name) {
  size_t i = order_hash(name) & ranks->mask;
  while (ranks->places[i].name && ranks->places[i].name != name) i = (i + 1) & ranks->mask;
  encode_ranks_names(ranks)[rank - 1] = name;
  ranks->has_numbers |= *name == '-' || (*name >= '0' && *name <= '9');
  if (ranks->places[i].name) return;
  ranks->places[i].name = name;
  ranks->places[i].rank = rank;
}
