/* SPDX-License-Identifier: MIT
** lua53.h -- the tables and values of PUC Lua 5.3 (5.3.1 to 5.3.6; 5.3.0 fails the probe).
** Must hold: see puc.h, which this file instantiates.
**
**   Table   0 next  8 tt  9 marked  10 flags  11 lsizenode  12 sizearray (32 bits)  16 array
**           24 node  32 lastfree  40 metatable  48 gclist                                 56 bytes
**   Node    0 value  8 tag (32 bits)  16 key  24 key tag  28 next (in nodes)              32 bytes
**   String  8 tt  11 short length  16 long length  24 bytes
*/
#pragma once

#define lua53_version 503
#define LAYOUT lua53
#define PUC_NAME "lua5.3"
#define PUC_VERSION 503
#define PUC_TAG_BYTES 4
#define PUC_FLOAT 3
#define PUC_INTEGER 0x13
#define PUC_TABLE_BYTES 56
#define PUC_ARRAY_SIZE 12
#define PUC_ARRAY 16
#define PUC_NODES 24
#define PUC_METATABLE 40
#define PUC_NODE_BYTES 32
#define PUC_KEY 16
#define PUC_KEY_TAG 24
#include "puc.h"
