/* SPDX-License-Identifier: MIT
** find_fault.h -- the fault of the text of a decode that has failed.
** Must hold: as in fault.h. */
#pragma once

#include "../../decode/face/decode.h"
#include "fault.h"

/* Finds the fault of d's text; the memory for that is left on the stack. False: there is no fault. */
FL_PRIVATE int dropin_find_fault(const struct mod_decode *d, const struct dropin_fault_rules *rules,
                                 struct dropin_fault *f);
