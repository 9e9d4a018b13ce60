/* SPDX-License-Identifier: MIT
** lua52.h -- the tables and values of PUC Lua 5.2 (5.2.4; earlier 5.2 fail the probe and take the public API).
** Must hold: see puc.h, which this file instantiates.
**
**   Table   0 next  8 tt  9 marked  10 flags  11 lsizenode  12 sizearray (32 bits)  16 array
**           24 node  32 lastfree  40 metatable  48 gclist                                 56 bytes
**   Node    0 value  8 tag (32 bits)  16 key  24 key tag  32 next (pointer)               40 bytes
**   String  8 tt  16 length  24 bytes; tag 0x44 short, 0x54 long
*/
#pragma once

#define lua52_version 502
#define LAYOUT lua52
#define PUC_NAME "lua5.2"
#define PUC_VERSION 502
#define PUC_TAG_BYTES 4
#define PUC_FLOAT 3
#define PUC_INTEGER -1
#define PUC_TABLE_BYTES 56
#define PUC_ARRAY_SIZE 12
#define PUC_ARRAY 16
#define PUC_NODES 24
#define PUC_METATABLE 40
#define PUC_NODE_BYTES 40
#define PUC_KEY 16
#define PUC_KEY_TAG 24
#include "puc.h"
