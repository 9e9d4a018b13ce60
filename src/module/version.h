/* SPDX-License-Identifier: MIT
** version.h -- the only place with the version: others are made from it or compared with it (tests/check/sources.sh).
** Must hold: MAJOR.MINOR.PATCH; the makefiles and CMake read the line of the #define. */
#pragma once

#define FLEECE_VERSION "1.1.0"
