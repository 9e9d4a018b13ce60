/* SPDX-License-Identifier: MIT
** sizes.h -- the fixed texts of an operation, and lengths of what is written.
** Must hold: write.c writes nothing else. */
#pragma once

#include "../base/def.h"

#define PATCH_TEXT_OP "{\"op\":\""
#define PATCH_TEXT_PATH "\",\"path\":\""
#define PATCH_TEXT_VALUE ",\"value\":"

/* Bytes of an operation without its word, pointer and value: the two texts, quote, bracket and comma. */
enum { PATCH_OPERATION = sizeof PATCH_TEXT_OP + sizeof PATCH_TEXT_PATH - 2 + 3 };

/* Bytes that a name needs in a JSON string, or in a pointer within one. */
FL_PRIVATE size_t patch_escaped_length(const char *s, size_t n, int in_pointer);
