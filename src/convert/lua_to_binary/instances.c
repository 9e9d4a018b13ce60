/* SPDX-License-Identifier: MIT */
#include "instances.h"
#include "../lua_to_json/raw/paste.h"

#define PASTE "../convert/lua_to_binary/raw.h"
#include "../../layout/each.h"

#define PASTE "../convert/lua_to_binary/raw_fast.h"
#include "../../layout/each.h"

FL_PRIVATE pack_raw pack_of_layout(const struct lay_facts *facts) { return LAYOUT_PICK(facts, pack); }

FL_PRIVATE pack_raw pack_fast_of_layout(const struct lay_facts *facts) { return LAYOUT_PICK(facts, pack_fast); }
