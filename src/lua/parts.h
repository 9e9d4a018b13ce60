/* SPDX-License-Identifier: MIT
** parts.h -- which parts this build has: the macro FLEECE_PARTS chooses, -DFLEECE_PARTS=core+query; all without it.
** Drop-ins have a choice of their own, dropin/list.h.
** Must hold: functions of a part that is left out are there, and raise. */
#pragma once

#include "../base/def.h"

#ifndef FLEECE_PARTS
/* clang-format off */
#define FLEECE_PARTS core+document+query+program
/* clang-format on */
#endif

/* The words of FLEECE_PARTS are bits in the conditions below, and text elsewhere. */
#define core 1
#define document 2
#define query 4
#define program 8
#define schema 16
#if (FLEECE_PARTS) & document
#define PART_HAS_document 1
#else
#define PART_HAS_document 0
#endif
#if (FLEECE_PARTS) & query
#define PART_HAS_query 1
#else
#define PART_HAS_query 0
#endif
#if (FLEECE_PARTS) & program
#define PART_HAS_program 1
#else
#define PART_HAS_program 0
#endif
#undef core
#undef document
#undef query
#undef program
#undef schema

#if PART_HAS_program && !PART_HAS_document
#error "FLEECE_PARTS: program needs document"
#endif
