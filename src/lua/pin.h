/* SPDX-License-Identifier: MIT
** pin.h -- keeps this shared object in the process once it is loaded.
** May call: dladdr, dlopen, if the process has them.
** Must hold: without them nothing else changes. */
#ifndef FLEECE_MODULE_CORE_PIN_H
#define FLEECE_MODULE_CORE_PIN_H

#include "../base/def.h"

FL_PRIVATE void mod_pin(void);

#endif
