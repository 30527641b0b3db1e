// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Whether allocations are counted here: only with glibc.
bool landfall_counts_allocations(void);

/// How often the calling thread has asked for memory so far.
uint64_t landfall_allocations(void);
