/* SPDX-License-Identifier: MIT
** luajit_early.h -- LuaJIT 2.1 before June 2020, and Tarantool's: the length of a string is after its hash.
** Must hold: see luajit.h, which this file instantiates. */
#pragma once

#define luajit_early_version 0
#define LAYOUT luajit_early
#define LUAJIT_LENGTH 16
#include "luajit.h"
