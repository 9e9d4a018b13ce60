/* SPDX-License-Identifier: MIT
** sparse.h -- on a slow CPU (emulated) or under a slow checker one case in SPARSE is enough. */
#ifndef FLEECE_TESTS_SPARSE_H
#define FLEECE_TESTS_SPARSE_H

#if FLEECE_STRICT_READS || defined FLEECE_TEST_SPARSE
enum { SPARSE = 61 };
#else
enum { SPARSE = 1 };
#endif

#endif
