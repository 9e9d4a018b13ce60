/* SPDX-License-Identifier: MIT
** version.h -- the version, here and nowhere else in the sources.
** May call: nothing.  Must hold: tests/check compares the rockspec and CHANGELOG with it. */
#ifndef FLEECE_MODULE_CORE_VERSION_H
#define FLEECE_MODULE_CORE_VERSION_H

#define FLEECE_VERSION "0.1.0"

#endif
