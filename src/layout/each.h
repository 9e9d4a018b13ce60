/* SPDX-License-Identifier: MIT
** each.h -- template: includes another template once for each layout of this build, with LAYOUT as its name.
** Must hold: layouts.h was included.
**
** Parameter, undefined at the end:
**   PASTE   the other template, in quotes, from this folder */

#ifdef LAYOUT_1
#define LAYOUT LAYOUT_1
#include PASTE
#undef LAYOUT
#endif
#ifdef LAYOUT_2
#define LAYOUT LAYOUT_2
#include PASTE
#undef LAYOUT
#endif
#ifdef LAYOUT_3
#define LAYOUT LAYOUT_3
#include PASTE
#undef LAYOUT
#endif
#undef PASTE
