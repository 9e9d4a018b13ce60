/* SPDX-License-Identifier: MIT
** luajit_now.h -- LuaJIT 2.1 since June 2020, whose strings have an identifier: the length is after it and the hash.
** Must hold: see luajit.h, which this file instantiates. */
#pragma once

#define luajit_version 0
#define LAYOUT luajit
#define LUAJIT_LENGTH 20
#include "luajit.h"
