/* SPDX-License-Identifier: MIT
** pin.h -- keeps this shared object in the process once it is loaded.
** May call: dladdr, dlopen, if the process has them.
** Must hold: without them nothing else changes. */
#ifndef FLEECE_MODULE_CORE_PIN_H
#define FLEECE_MODULE_CORE_PIN_H

#include "../../base/def.h"

#if FLEECE_LUA_VERSION == 501 && defined(__GNUC__) && (defined(__ELF__) || defined(__APPLE__))
#include <dlfcn.h>
/* glibc declares dladdr only if _GNU_SOURCE is defined before its first header. */
#if defined(__APPLE__) || (defined(__GLIBC__) ? defined(__USE_GNU) : defined(_GNU_SOURCE))
#ifdef __ELF__ /* a static host may lack them */
#pragma weak dladdr
#pragma weak dlopen
#pragma weak dlclose
#endif
#endif
#endif

FL_PRIVATE void mod_pin(void);

#endif
