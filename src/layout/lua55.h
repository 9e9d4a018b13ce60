/* SPDX-License-Identifier: MIT
** lua55.h -- the tables and values of PUC Lua 5.5 (5.5.0, 5.5.1).
** Must hold: see puc.h, which this file instantiates.
**
**   Table   0 next  8 tt  9 marked  10 flags  11 lsizenode  12 asize (32 bits)  16 array
**           24 node  32 metatable  40 gclist                                              48 bytes
**   Node    0 value  8 tag (a byte)  9 key tag  12 next  16 key                           24 bytes
**   String  8 tt  11 short length or negative  16 long length  24 short bytes, or pointer to long
*/
#pragma once

#define lua55_version 505
#define LAYOUT lua55
#define PUC_NAME "lua5.5"
#define PUC_VERSION 505
#define PUC_TAG_BYTES 1
#define PUC_FLOAT 0x13
#define PUC_INTEGER 0x03
#define PUC_TABLE_BYTES 48
#define PUC_ARRAY_SIZE 12
#define PUC_ARRAY 16
#define PUC_NODES 24
#define PUC_METATABLE 32
#define PUC_NODE_BYTES 24
#define PUC_KEY 16
#define PUC_KEY_TAG 9
#include "puc.h"
