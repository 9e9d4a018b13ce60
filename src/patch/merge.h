/* SPDX-License-Identifier: MIT
** merge.h -- JSON Merge Patch (RFC 7396) for texts: applying one, and finding one.
** Must hold: as value.h. */
#pragma once

#include "../json/edit/edit.h"
#include "value.h"

/* Applies a merge patch to the text of the edit. False: an error, in e->error, which is about *at,
** a value of the patch. */
FL_PRIVATE int patch_merge(struct json_edit *e, const struct patch_value *patch, const struct patch_value **at);

/* The text of the merge patch that makes b of a, in the memory of the edit. False: an error, in e->error; or *null is
** the member that no merge patch can set, because it is null. */
FL_PRIVATE int patch_merge_diff(struct json_edit *e, struct patch_value *a, struct patch_value *b,
                                struct json_slice *text, const struct patch_value **null);
