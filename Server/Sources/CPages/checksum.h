// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CPages.h"

// What belongs into the last bytes of a page.
uint64_t page_checksum(const uint8_t *page, size_t size, uint32_t number);

// What is there.
uint64_t page_stamp(const uint8_t *page, size_t size);

// SQLite's checksum of a log: continues both sums with a multiple of eight bytes. See "WAL File Format" of SQLite's file format.
void log_checksum_add(const uint8_t *bytes, size_t count, int is_big_endian, uint32_t *first, uint32_t *second);
