/* SPDX-License-Identifier: MIT
** version.h -- the version, the one place: others are made from it or compared with it (tests/check/sources.sh).
** May call: nothing.  Must hold: MAJOR.MINOR.PATCH; the makefiles and CMake read the line of the #define. */
#ifndef FLEECE_MODULE_CORE_VERSION_H
#define FLEECE_MODULE_CORE_VERSION_H

#define FLEECE_VERSION "1.0.0"

#endif
