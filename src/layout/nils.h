/* SPDX-License-Identifier: MIT
** nils.h -- passes the empty slots of an array that has lost most of its items, by wide vectors.
** Must hold: slots have 16 bytes, a value and then a tag whose low four bits are 0 for nil alone, as PUC Lua up to 5.4
** has them.
**
** An array keeps its size when items are removed, and a removed item cannot be told from a hole before another one, so
** every tag has to be read: 16 KB for 1,000 slots. Four tags are in a line of the cache; four loads of a line that is
** not in the first cache yet cost more than one. */
#pragma once

#include "../base/def.h"
#include "../text/cpu.h"

enum { LAY_NILS_LEAST = 32 }; /* with fewer slots a call does not pay */

/* Returns a number from i on, at most `size`, before which all slots from i on are nil; the caller tests the next ones.
** `cpu`: the TEXT_CPU_ bits to use. */
FL_PRIVATE size_t lay_skip_nils(const char *array, size_t i, size_t size, unsigned cpu);
