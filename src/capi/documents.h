/* SPDX-License-Identifier: MIT
** documents.h -- checks bytes, opens and closes documents; shared keys.
** May call: base, binary, module, stdio.
** Must hold: an open document has its bytes and its root. */
#ifndef FLEECE_CAPI_DOCUMENTS_H
#define FLEECE_CAPI_DOCUMENTS_H

#include <stdio.h>
#include "../binary/check/check.h"
#include "capi.h"

/* ------------------------------------------------------------------------------------- checking */

FL_PRIVATE void capi_set_doc(struct bin_doc *d, const void *bytes, size_t n, const fleece_options *o);

#endif
