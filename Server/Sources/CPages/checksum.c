// SPDX-License-Identifier: Apache-2.0
// XXH64 as its specification says, for the sizes that pages have: four sums take eight bytes each in turn, so that a processor computes them
// beside each other.
#include "checksum.h"

#include <string.h>

static const uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F, prime3 = 0x165667B19E3779F9;
static const uint64_t prime4 = 0x85EBCA77C2B2AE63, prime5 = 0x27D4EB2F165667C5;

static inline uint64_t turned(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static inline uint64_t lowest_first(uint64_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(value);
#else
    return value;
#endif
}

static inline uint64_t eight(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return lowest_first(value);
}

static inline uint64_t with(uint64_t sum, uint64_t value) { return turned(sum + value * prime2, 31) * prime1; }

static inline uint64_t merged(uint64_t hash, uint64_t sum) { return (hash ^ with(0, sum)) * prime1 + prime4; }

uint64_t landfall_page_hash(const uint8_t *bytes, size_t count, uint64_t seed) {
    const uint8_t *end = bytes + count;
    uint64_t hash;
    if (count >= 32) {
        uint64_t a = seed + prime1 + prime2, b = seed + prime2, c = seed, d = seed - prime1;
        for (; end - bytes >= 32; bytes += 32) {
            a = with(a, eight(bytes));
            b = with(b, eight(bytes + 8));
            c = with(c, eight(bytes + 16));
            d = with(d, eight(bytes + 24));
        }
        hash = turned(a, 1) + turned(b, 7) + turned(c, 12) + turned(d, 18);
        hash = merged(merged(merged(merged(hash, a), b), c), d);
    } else {
        hash = seed + prime5;
    }
    hash += count;
    for (; end - bytes >= 8; bytes += 8) hash = turned(hash ^ with(0, eight(bytes)), 27) * prime1 + prime4;
    if (end - bytes >= 4) {
        uint64_t four = (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24;
        hash = turned(hash ^ four * prime1, 23) * prime2 + prime3;
        bytes += 4;
    }
    for (; bytes < end; bytes += 1) hash = turned(hash ^ *bytes * prime5, 11) * prime1;
    hash = (hash ^ hash >> 33) * prime2;
    hash = (hash ^ hash >> 29) * prime3;
    return hash ^ hash >> 32;
}

uint64_t page_checksum(const uint8_t *page, size_t size, uint32_t number) {
    uint64_t hash = landfall_page_hash(page, size - landfall_page_reserve, number);
    return hash == 0 ? 1 : hash;
}

uint64_t page_stamp(const uint8_t *page, size_t size) { return eight(page + size - landfall_page_reserve); }

void landfall_page_stamp(uint8_t *page, size_t size, uint32_t number) {
    uint64_t sum = lowest_first(page_checksum(page, size, number));
    memcpy(page + size - landfall_page_reserve, &sum, sizeof sum);
}

// The sums feed each other: no processor computes them beside each other, whatever is written here.
static inline void add_words(const uint8_t *bytes, size_t count, int is_swapped, uint32_t *first, uint32_t *second) {
    uint32_t one = *first, two = *second;
    for (size_t place = 0; place < count; place += 8) {
        uint32_t left, right;
        memcpy(&left, bytes + place, sizeof left);
        memcpy(&right, bytes + place + 4, sizeof right);
        one += (is_swapped ? __builtin_bswap32(left) : left) + two;
        two += (is_swapped ? __builtin_bswap32(right) : right) + one;
    }
    *first = one;
    *second = two;
}

void landfall_log_checksum(const uint8_t *bytes, size_t count, int is_big_endian, uint32_t *first, uint32_t *second) {
    int is_swapped = is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    if (is_swapped) add_words(bytes, count, 1, first, second);
    else add_words(bytes, count, 0, first, second);
}
