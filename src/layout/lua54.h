/* SPDX-License-Identifier: MIT
** lua54.h -- the tables and values of PUC Lua 5.4 (5.4.1 to 5.4.9; 5.4.0 fails the probe).
** Must hold: see puc.h, which this file instantiates.
**
**   Table   0 next  8 tt  9 marked  10 flags  11 lsizenode  12 alimit (32 bits)  16 array
**           24 node  32 lastfree  40 metatable  48 gclist                                 56 bytes
**   Node    0 value  8 tag (a byte)  9 key tag  12 next  16 key                           24 bytes
**   String  8 tt  11 short length  16 long length  24 bytes
*/
#pragma once

#define lua54_version 504
#define LAYOUT lua54
#define PUC_NAME "lua5.4"
#define PUC_VERSION 504
#define PUC_TAG_BYTES 1
#define PUC_FLOAT 0x13
#define PUC_INTEGER 0x03
#define PUC_TABLE_BYTES 56
#define PUC_ARRAY_SIZE 12
#define PUC_ARRAY 16
#define PUC_NODES 24
#define PUC_METATABLE 40
#define PUC_NODE_BYTES 24
#define PUC_KEY 16
#define PUC_KEY_TAG 9
#include "puc.h"
