/* SPDX-License-Identifier: MIT
** checksum.h -- CRC-32C (Castagnoli's polynomial, as in iSCSI, RFC 3720), which finds cut and changed bytes.
** Must hold: every variant gives the same number. It is no protection against who changes bytes on purpose. */
#pragma once

#include "../../text/cpu.h"
#include "../read/read.h"

/* The checksum of n more bytes after those that `sum` is of; 0: none so far. cpu: the TEXT_CPU_ bits of this CPU. */
FL_PRIVATE uint32_t bin_checksum(unsigned cpu, uint32_t sum, const void *bytes, size_t n);
