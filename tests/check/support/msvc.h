/* msvc.h -- included before all else where clang compiles as Visual C does (windows.sh). Microsoft's headers cannot be
** had, and MinGW's expect GNU C in a few places: what they hide from Visual C is shown again or emptied. */
#include <_mingw.h>
#undef __attribute__
#undef __MINGW_ATTRIB_NORETURN
#define __MINGW_ATTRIB_NORETURN
#undef __MINGW_ATTRIB_DEPRECATED
#define __MINGW_ATTRIB_DEPRECATED
#define _setjmp mingw_setjmp /* <intrin.h> has another */
#include <setjmp.h>
#undef _setjmp
