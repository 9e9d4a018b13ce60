/* SPDX-License-Identifier: MIT
** pin.h -- keeps this shared object in the process once it is loaded.
** Must hold: without them nothing else changes. */
#pragma once

#include "../base/def.h"

FL_PRIVATE void mod_pin(void);
