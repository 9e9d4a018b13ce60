/* SPDX-License-Identifier: MIT
** blocks_end.h -- template: ends what blocks_template.h began.
** May call: nothing.  Must hold: included after it, before it is included for other vectors. */
#undef TEXT_B
#undef TEXT_BLOCK
#undef TEXT_B_BYTES
#undef TEXT_B_TARGET
#undef text_b_vector
#undef text_b_load
#undef text_b_all
#undef text_b_or
#undef text_b_equal
#undef text_b_is_control
#undef text_b_mask
#undef text_b_odd
#undef text_b_count
#undef text_b_lowest
#undef text_b_lookup
#undef text_b_spaces
#undef text_b_operators
#undef text_b_table
