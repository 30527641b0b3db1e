// SPDX-License-Identifier: Apache-2.0
// The write-ahead log: SQLite gives each frame a checksum, and compares it only when it opens a log that a process has left. Here it is compared
// whenever a frame's page is read, also before it is moved into the store's own file. Nothing is changed.
//
// A frame's checksum continues that of the frame before, so that one small read more says whether the page is as it was written. In a log it
// cannot be a page of another place: the checksum has it and everything before.
#include "files.h"

#include <string.h>

enum { log_header = 32, frame_header = 24, log_sum_place = 24, frame_sum_place = 16 };

static const uint32_t log_mark = 0x377F0682;
static const int64_t nowhere = INT64_MAX;

// What the log's first bytes say; false if they are not those of a log.
static int learn_from(page_file *file, const uint8_t *header) {
    uint32_t mark = highest_first(header), size = highest_first(header + 8);
    if ((mark & ~1u) != log_mark || !is_page_size(size)) return 0;
    file->is_big_endian = mark & 1;
    file->log_page_size = size;
    return 1;
}

static int learn(page_file *file) {
    uint8_t header[log_header];
    return read_real(file, header, log_header, 0) == SQLITE_OK && learn_from(file, header);
}

// Where the header of the frame begins whose page is there; -1 if no page of that size is.
static int64_t frame_of(int64_t size, int64_t place) {
    int64_t header = place - frame_header;
    return header >= log_header && (header - log_header) % (size + frame_header) == 0 ? header : -1;
}

// Reads a frame, and compares it. Its header is read with it: two calls of the system, not three.
static int read_frame(page_file *file, uint8_t *page, int size, int64_t header) {
    uint8_t *frame = own_room(file, (uint32_t)size + frame_header), before[8];
    if (frame == NULL) return SQLITE_IOERR_NOMEM;
    int status = read_real(file, frame, size + frame_header, header);
    memcpy(page, frame + frame_header, (size_t)size);
    if (status != SQLITE_OK) return status;
    status = read_real(file, before, sizeof before, header == log_header ? log_sum_place : header - size - frame_header + frame_sum_place);
    if (status != SQLITE_OK) return status;
    uint32_t first = highest_first(before), second = highest_first(before + 4);
    landfall_log_checksum(frame, 8, file->is_big_endian, &first, &second);
    landfall_log_checksum(page, (size_t)size, file->is_big_endian, &first, &second);
    int is_whole = first == highest_first(frame + frame_sum_place) && second == highest_first(frame + frame_sum_place + 4);
    return is_whole ? SQLITE_OK : SQLITE_CORRUPT;
}

int log_read(sqlite3_file *base, void *buffer, int count, sqlite3_int64 place) {
    page_file *file = (page_file *)base;
    int64_t header = is_page_size(count) ? frame_of(count, place) : -1;
    if (header < 0 || header >= file->stale_from) return read_real(file, buffer, count, place);
    // A connection that does not know the size of the pages yet reads some bytes of the first one.
    int is_known = (int)file->log_page_size == count || learn(file);
    if (is_known && (int)file->log_page_size != count) return read_real(file, buffer, count, place);
    int status = is_known ? read_frame(file, buffer, count, header) : SQLITE_CORRUPT;
    // Once more, with the log's beginning: a log that another connection has begun anew may have another.
    if (status == SQLITE_CORRUPT && learn(file) && (int)file->log_page_size == count) status = read_frame(file, buffer, count, header);
    if (status == SQLITE_CORRUPT && file->of != NULL) ((page_file *)file->of)->damaged = -((header - log_header) / (count + frame_header) + 1);
    return status;
}

// A transaction that needs a page again that it had already written to the log writes over it. From there on the checksums do not fit until
// SQLite writes the headers again, one after the other, before the transaction ends; new frames have zeros for a checksum meanwhile.
//
// SQLite (3.40) begins that at the first frame that was written over, also where a savepoint was undone before and frames with zeros are in front
// of it: then the transaction is committed, and lost if the process ends before it is moved. Here such a frame is refused, which undoes the
// transaction.
// Returns false for that frame.
static int heed(page_file *file, const uint8_t *bytes, int count, int64_t place) {
    if (place == 0) {
        if (count == log_header) learn_from(file, bytes);
        file->stale_from = nowhere;
        file->end = count;
        return 1;
    }
    int64_t size = file->log_page_size;
    if (count == frame_header && size > 0 && (place - log_header) % (size + frame_header) == 0) {
        int is_unsummed = is_zero(bytes + 8, frame_header - 8);
        if (is_unsummed && place < file->stale_from) return 0;
        file->last_header = place;
        if (!is_unsummed && place < file->stale_from) {
            // The transaction before was undone, and this one begins in front of it; or nothing is stale.
            if (file->stale_from != nowhere) file->end = place;
            file->stale_from = nowhere;
        } else if (!is_unsummed && place == file->stale_from) {
            file->stale_from += size + frame_header;
            if (file->stale_from >= file->end) file->stale_from = nowhere;
        }
    } else if (count == size && frame_of(size, place) >= 0) {
        // Without its header before it, it is written over.
        if (file->last_header != place - frame_header && place - frame_header < file->stale_from) file->stale_from = place - frame_header;
        file->last_header = -1;
    }
    if (place + count > file->end) file->end = place + count;
    return 1;
}

int log_write(sqlite3_file *base, const void *buffer, int count, sqlite3_int64 place) {
    page_file *file = (page_file *)base;
    if (place != 0 && file->log_page_size == 0) learn(file);
    return heed(file, buffer, count, place) ? write_real(file, buffer, count, place) : SQLITE_FULL;
}
