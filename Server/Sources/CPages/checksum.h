// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CPages.h"

// What belongs into the last bytes of a page.
uint64_t page_checksum(const uint8_t *page, size_t size, uint32_t number);

// What is there.
uint64_t page_stamp(const uint8_t *page, size_t size);
