/* SPDX-License-Identifier: MIT
** checksum.h -- CRC-32C (Castagnoli's polynomial, as in iSCSI, RFC 3720), which finds missing and changed bytes.
** Must hold: every variant gives the same number. It does not protect against deliberate changes. */
#pragma once

#include "../../text/cpu.h"
#include "../read/read.h"

/* Returns the checksum after n more bytes; `sum`: of those before, 0 at the beginning. cpu: the TEXT_CPU_ bits of this
** CPU. */
FL_PRIVATE uint32_t bin_checksum(unsigned cpu, uint32_t sum, const void *bytes, size_t n);
