/* SPDX-License-Identifier: MIT
** parts.h -- the parts of this build, chosen by the macro FLEECE_PARTS, as in -DFLEECE_PARTS=core+query; all without
** it. Drop-ins are chosen separately, in dropin/list.h.
** Must hold: a function of a part that is left out exists, and raises. Of the core only module/, which builds the
** table of functions, includes headers of other parts. */
#pragma once

#include "../base/def.h"

#ifndef FLEECE_PARTS
/* clang-format off */
#define FLEECE_PARTS core+document+query+schema+program
/* clang-format on */
#endif

/* The words of FLEECE_PARTS are bits in the conditions below, and text elsewhere. */
#define core 1
#define document 2
#define query 4
#define schema 8
#define program 16

#if (FLEECE_PARTS) & core
#define PART_HAS_core 1
#else
#error "FLEECE_PARTS: all builds have core"
#endif
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
#if (FLEECE_PARTS) & schema
#define PART_HAS_schema 1
#else
#define PART_HAS_schema 0
#endif
#if (FLEECE_PARTS) & program
#define PART_HAS_program 1
#else
#define PART_HAS_program 0
#endif

#undef core
#undef document
#undef query
#undef schema
#undef program

/* `x` if the build has the part, else `y`. */
#define PART_CHOOSE(part, x, y) FL_PASTE(PART_CHOOSE, PART_HAS_##part)(x, y)
#define PART_CHOOSE_1(x, y) x
#define PART_CHOOSE_0(x, y) y

/* An unknown word counts as 0 in a condition: then the text is longer than the words that were found. */
#define PART_TEXT_OF(words) #words
#define PART_TEXT_(words) PART_TEXT_OF(words)
#define PART_LENGTH(part) (PART_HAS_##part * sizeof #part)
FL_STATIC_ASSERT(sizeof PART_TEXT_(FLEECE_PARTS) == PART_LENGTH(core) + PART_LENGTH(document) + PART_LENGTH(query) +
                                                        PART_LENGTH(schema) + PART_LENGTH(program),
                 FLEECE_PARTS_has_known_words_joined_by_plus);
#if PART_HAS_program && !PART_HAS_document
#error "FLEECE_PARTS: program needs document"
#endif

#if PART_HAS_schema && !PART_HAS_query
#error "FLEECE_PARTS: schema needs query"
#endif

#ifdef FLEECE_BUILD /* the C library leaves signals to its host */
#undef PART_HAS_program
#define PART_HAS_program 0
#endif
