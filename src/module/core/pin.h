/* SPDX-License-Identifier: MIT
** pin.h -- keeps this object in the process once it was loaded.
** May call: dladdr, dlopen, where the process has them.
** Must hold: without them all goes on as before.
**
** The package library of Lua 5.1 and LuaJIT unloads its objects while a state is closed, and runs the finalizers of
** what is older than the `require` behind that. One that calls this module would jump to where no code is any more.
** Later versions unload last. Once a process has had a Lua it costs nothing to keep the object, until it ends. */
#ifndef FLEECE_MODULE_CORE_PIN_H
#define FLEECE_MODULE_CORE_PIN_H

#include "../../base/def.h"

#if FLEECE_LUA_VERSION == 501 && defined(__GNUC__) && (defined(__ELF__) || defined(__APPLE__))
#include <dlfcn.h>
/* glibc declares dladdr where _GNU_SOURCE stood before its first header, others where it stands at all. */
#if defined(__APPLE__) || (defined(__GLIBC__) ? defined(__USE_GNU) : defined(_GNU_SOURCE))
#define MOD_PINS 1
#ifdef __ELF__ /* a static host may lack them */
#pragma weak dladdr
#pragma weak dlopen
#pragma weak dlclose
#endif
#endif
#endif

FL_FUNC void mod_pin(void) {
#ifdef MOD_PINS
  static const char here = 0;
  Dl_info object;
  void *handle;
  if (!dladdr || !dlopen || !dlclose || !dladdr(&here, &object) || !object.dli_fname) return;
  handle = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (handle) dlclose(handle);
#endif
}

#endif
