/* SPDX-License-Identifier: MIT
** lua51.h -- the tables and values of PUC Lua 5.1 (5.1.0 to 5.1.5).
** Must hold: see puc.h, which this file instantiates.
**
**   Table   0 next  8 tt  9 marked  10 flags  11 lsizenode  16 metatable  24 array  32 node
**           40 lastfree  48 gclist  56 sizearray (32 bits)                               64 bytes
**   Node    0 value  8 tag (32 bits)  16 key  24 key tag  32 next (pointer)               40 bytes
**   String  8 tt  16 length  24 bytes
*/
#pragma once

#define lua51_version 501
#define LAYOUT lua51
#define PUC_NAME "lua5.1"
#define PUC_VERSION 501
#define PUC_TAG_BYTES 4
#define PUC_FLOAT 3
#define PUC_INTEGER -1
#define PUC_TABLE_BYTES 64
#define PUC_ARRAY_SIZE 56
#define PUC_ARRAY 24
#define PUC_NODES 32
#define PUC_METATABLE 16
#define PUC_NODE_BYTES 40
#define PUC_KEY 16
#define PUC_KEY_TAG 24
#include "puc.h"
