// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "checksum.h"

#include <sqlite3.h>
#include <string.h>

enum { header_bytes = 100, smallest_page = 512, largest_page = 65536 };

// What is known of a store's own file.
typedef enum {
    // Nothing: it was empty when it was looked at.
    pages_unknown,
    // It is being made, and its first page is not there yet. Its pages get checksums.
    pages_expected,
    // It is being made, and its pages get none.
    pages_expected_bare,
    // Its pages have checksums.
    pages_stamped,
    // Its pages have none.
    pages_bare,
} pages_state;

// What SQLite has for a file; the system's own part of it follows in the same memory.
typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    // Of a page, or a frame: taken at the first need, so that no other read or write takes memory.
    uint8_t *room;
    uint32_t room_bytes;

    // Of a store's own file.
    pages_state state;
    uint32_t page_size;
    // Pages with checksums were written.
    int has_stamped;
    int64_t damaged;
    int64_t bare;

    // Of a log: the file that it belongs to, or NULL.
    sqlite3_file *of;
    uint32_t log_page_size;
    int is_big_endian;
    // Where a frame's header was written whose page has not been; -1: nowhere.
    int64_t last_header;
    // How far this connection has written.
    int64_t end;
    // Of the open transaction some frames are written over, and SQLite computes the checksums from here on at its end.
    int64_t stale_from;
} page_file;

static inline int is_page_size(int64_t size) { return size >= smallest_page && size <= largest_page && (size & (size - 1)) == 0; }

static inline uint32_t highest_first(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline int read_real(page_file *file, void *buffer, int count, int64_t place) {
    return file->real->pMethods->xRead(file->real, buffer, count, place);
}

static inline int write_real(page_file *file, const void *buffer, int count, int64_t place) {
    return file->real->pMethods->xWrite(file->real, buffer, count, place);
}

// NULL if there is no memory.
static inline uint8_t *own_room(page_file *file, uint32_t bytes) {
    if (file->room_bytes < bytes) {
        sqlite3_free(file->room);
        file->room = sqlite3_malloc64(bytes);
        file->room_bytes = file->room == NULL ? 0 : bytes;
    }
    return file->room;
}

static inline int is_zero(const uint8_t *bytes, size_t count) { return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0; }

int store_read(sqlite3_file *base, void *buffer, int count, sqlite3_int64 place);
int store_write(sqlite3_file *base, const void *buffer, int count, sqlite3_int64 place);
int store_truncate(sqlite3_file *base, sqlite3_int64 size);
int store_control(sqlite3_file *base, int operation, void *argument);
int log_read(sqlite3_file *base, void *buffer, int count, sqlite3_int64 place);
int log_write(sqlite3_file *base, const void *buffer, int count, sqlite3_int64 place);
