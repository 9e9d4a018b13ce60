/* SPDX-License-Identifier: MIT
** format.h -- format, format_stream: JSON text in another layout, from a string or from pieces.
** Must hold: all memory is userdata on the Lua stack, that of the output belongs to a holder. So the source and the
** sink, which may be Lua functions, may raise and may call any of our functions. */
#pragma once

#include "../json_to_json.h"
#include "../../json/index/locate.h"
#include "../../stream/documents.h"
#include "../../encode/face/width.h"

struct mod_format {
  struct mod_decode d;
  struct mod_options own;
  struct json_to_json k;
  struct mod_options lines; /* with `width`: the options; `own` writes everything in one line then */
  struct mod_width width;   /* its L is NULL without that option */
  struct encode_state *walk;
  int slots; /* stack index of the first of REFORMAT_MEMORIES */
  /* for a stream: */
  struct mod_sink sink;
  int text;            /* stack index of the text's memory */
  size_t length, room; /* length of the text, and size of its memory */
  size_t again;        /* bytes that may be read again */
  int ended;           /* the source has no more pieces */
  int full;            /* max_bytes were read, and more follows: an error, if there is no other */
  int from_file;
  enum mod_source_state state;
  /* The end of a line of NDJSON in document number cut_document, which continues in the next line. */
  struct mod_stream_position cut;
  size_t cut_document;
  struct json_part in; /* the token in which the text ends, if more of it changes nothing; else PART_BEGIN */
};

/* format(text [, options]) -> text */
FL_PRIVATE int mod_format(lua_State *L);

/* format_stream(source, sink [, options]) -> the number of documents. Sources: as of `documents`; sinks: as of `write`,
** or nil. */
FL_PRIVATE int mod_format_stream(lua_State *L);
