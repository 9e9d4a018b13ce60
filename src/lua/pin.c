/* SPDX-License-Identifier: MIT
** When Lua 5.1 and LuaJIT close a state, they unload shared objects before the last finalizers run: those of values
** that are older than the `require`. A finalizer that calls this module would then jump to unmapped memory. Later
** versions unload last. Keeping the object until the process ends costs nothing. */
#include "pin.h"

#if FLEECE_LUA_VERSION == 501 && defined(__GNUC__) && (defined(__ELF__) || defined(__APPLE__))
#include <dlfcn.h>
/* glibc declares dladdr only if _GNU_SOURCE is defined before its first header. */
#if defined(__APPLE__) || (defined(__GLIBC__) ? defined(__USE_GNU) : defined(_GNU_SOURCE))
#define MOD_PINS 1
#ifdef __ELF__ /* a static host may lack them */
#pragma weak dladdr
#pragma weak dlopen
#pragma weak dlclose
#endif
#endif
#endif

FL_PRIVATE void mod_pin(void) {
#ifdef MOD_PINS
  static const char here = 0;
  Dl_info object;
  void *handle;
#ifdef __ELF__
  if (!dladdr || !dlopen || !dlclose) return;
#endif
  if (!dladdr(&here, &object) || !object.dli_fname) return;
  handle = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (handle) dlclose(handle);
#endif
}
