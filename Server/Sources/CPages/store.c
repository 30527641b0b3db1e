// SPDX-License-Identifier: Apache-2.0
// The store's own file: pages get their checksums when they are written, and are compared when they are read.
#include "files.h"

#include <string.h>

static const char beginning[16] = "SQLite format 3";
// Where the header has the size of the pages, and how many bytes of each are reserved.
enum { size_place = 16, reserve_place = 20 };
// SQLite locks bytes of the page at this place and writes nothing there.
static const int64_t locked_place = 0x40000000;

// The size of the pages by a header; 0 if it is none.
static uint32_t page_size_of(const uint8_t *header) {
    if (memcmp(header, beginning, sizeof beginning) != 0) return 0;
    uint32_t size = (uint32_t)header[size_place] << 8 | header[size_place + 1];
    // 65,536 does not fit.
    if (size == 1) size = largest_page;
    return is_page_size(size) ? size : 0;
}

// What a header that was read says. A file whose pages have checksums stays one while it is open: whatever its header says later, its first page
// is compared.
static void learn_from(page_file *file, const uint8_t *header) {
    uint32_t size = page_size_of(header);
    if (size == 0) return;
    if (header[reserve_place] == landfall_page_reserve) file->state = pages_stamped;
    else if (file->state == pages_stamped) return;
    else file->state = pages_bare;
    file->page_size = size;
}

static int has_checksums(const page_file *file) { return file->state == pages_stamped || (file->state == pages_expected && file->has_stamped); }

static void learn(page_file *file) {
    uint8_t header[header_bytes];
    if (read_real(file, header, header_bytes, 0) == SQLITE_OK) learn_from(file, header);
}

// Compares a page of a file with checksums. Another program that moves the log's pages into the file leaves zeros where the checksum belongs,
// because SQLite got zeros from here. A page of nothing but zeros is one that was lost.
static int is_whole(page_file *file, const uint8_t *page, uint32_t number) {
    uint32_t size = file->page_size;
    uint64_t stamp = page_stamp(page, size);
    if (stamp != 0) return stamp == page_checksum(page, size, number);
    if (is_zero(page, size)) return 0;
    file->bare += 1;
    return 1;
}

// Of a first page that reserves nothing: whether it would be whole with checksums. Then the byte that says so has changed.
static int has_lost_mark(page_file *file, uint8_t *page) {
    if (page_stamp(page, file->page_size) == 0) return 0;
    uint8_t reserve = page[reserve_place];
    page[reserve_place] = landfall_page_reserve;
    int is_stamped = page_stamp(page, file->page_size) == page_checksum(page, file->page_size, 1);
    page[reserve_place] = reserve;
    return is_stamped;
}

static int damaged(page_file *file, uint32_t number) {
    file->damaged = number;
    return SQLITE_CORRUPT;
}

// Reads a page of a file with checksums. SQLite gets zeros for the checksum.
static int read_page(page_file *file, uint8_t *page, int64_t place) {
    uint32_t size = file->page_size, number = (uint32_t)(place / size) + 1;
    for (int is_last = 0;; is_last = 1) {
        int status = read_real(file, page, (int)size, place);
        // Behind the end are zeros. Half a page was cut.
        if (status == SQLITE_IOERR_SHORT_READ && !is_zero(page, size)) return damaged(file, number);
        if (status != SQLITE_OK) return status;
        if (is_whole(file, page, number)) break;
        if (is_last) return damaged(file, number);
    }
    memset(page + size - landfall_page_reserve, 0, landfall_page_reserve);
    return SQLITE_OK;
}

static int read_parts(page_file *file, uint8_t *buffer, int count, int64_t place) {
    uint8_t *page = own_room(file, file->page_size);
    if (page == NULL) return SQLITE_IOERR_NOMEM;
    while (count > 0) {
        int64_t inside = place % file->page_size, part = file->page_size - inside;
        if (part > count) part = count;
        int status = read_page(file, page, place - inside);
        if (status == SQLITE_IOERR_SHORT_READ) memset(buffer, 0, (size_t)count);
        if (status != SQLITE_OK) return status;
        memcpy(buffer, page + inside, (size_t)part);
        buffer += part;
        place += part;
        count -= (int)part;
    }
    return SQLITE_OK;
}

// What begins with the header. SQLite reads it alone, also while another connection writes the first page, and then in the size that it takes
// the pages for; with it come the page's size and whether there are checksums.
static int read_beginning(page_file *file, uint8_t *buffer, int count) {
    int status = read_real(file, buffer, count, 0);
    if (status == SQLITE_OK && count >= header_bytes) learn_from(file, buffer);
    if (count != (int)file->page_size) return status;
    if (file->state == pages_stamped) return read_page(file, buffer, 0);
    if (status == SQLITE_OK && file->state == pages_bare && has_lost_mark(file, buffer)) return damaged(file, 1);
    return status;
}

int store_read(sqlite3_file *base, void *buffer, int count, sqlite3_int64 place) {
    page_file *file = (page_file *)base;
    if (place == 0 && count > 0) return read_beginning(file, buffer, count);
    if (!has_checksums(file) && file->state != pages_bare) learn(file);
    if (!has_checksums(file) || place + count <= header_bytes) return read_real(file, buffer, count, place);
    if (count == (int)file->page_size && place % count == 0) return read_page(file, buffer, place);
    return read_parts(file, buffer, count, place);
}

// SQLite may write pages in any order, and some never: pages that nobody has used since they were free. They get the checksum of zeros.
static int fill_gap(page_file *file, uint8_t *page, int64_t place) {
    sqlite3_int64 end = 0;
    int status = file->real->pMethods->xFileSize(file->real, &end);
    if (status != SQLITE_OK || end >= place) return status;
    int64_t size = file->page_size, gap = (end + size - 1) / size * size;
    // The first page is always written.
    for (gap = gap == 0 ? size : gap; gap < place; gap += size) {
        if (gap / size == locked_place / size) continue;
        memset(page, 0, (size_t)size);
        landfall_page_stamp(page, (size_t)size, (uint32_t)(gap / size) + 1);
        status = write_real(file, page, (int)size, gap);
        if (status != SQLITE_OK) return status;
    }
    return SQLITE_OK;
}

// A first page decides whether the file has checksums, unless pages were written otherwise before.
static int adopt(page_file *file, const uint8_t *header, int count) {
    uint32_t size = page_size_of(header);
    if (size == 0) return SQLITE_OK;
    int is_stamped = header[reserve_place] == landfall_page_reserve;
    if (!is_stamped && has_checksums(file)) return SQLITE_IOERR_WRITE;
    // VACUUM gives a file pages of another size by writing it in pages of the former one.
    if (is_stamped && count != (int)size) return SQLITE_IOERR_WRITE;
    if (has_checksums(file) && size != file->page_size) return SQLITE_IOERR_WRITE;
    file->state = is_stamped ? pages_stamped : pages_bare;
    file->page_size = size;
    return SQLITE_OK;
}

int store_write(sqlite3_file *base, const void *buffer, int count, sqlite3_int64 place) {
    page_file *file = (page_file *)base;
    if (file->state == pages_unknown) {
        learn(file);
        if (file->state == pages_unknown) file->state = pages_expected;
    }
    if (place == 0 && count >= header_bytes) {
        int status = adopt(file, buffer, count);
        if (status != SQLITE_OK) return status;
    }
    if (file->state == pages_bare || file->state == pages_expected_bare) return write_real(file, buffer, count, place);
    // SQLite writes whole pages only.
    if (!has_checksums(file) && is_page_size(count)) file->page_size = (uint32_t)count;
    if (count != (int)file->page_size || place % count != 0) return SQLITE_IOERR_WRITE;
    uint8_t *page = own_room(file, file->page_size);
    if (page == NULL) return SQLITE_IOERR_NOMEM;
    int status = fill_gap(file, page, place);
    if (status != SQLITE_OK) return status;
    file->has_stamped = 1;
    // SQLite's own page stays as it is.
    memcpy(page, buffer, (size_t)count);
    landfall_page_stamp(page, (size_t)count, (uint32_t)(place / count) + 1);
    return write_real(file, page, count, place);
}

int store_truncate(sqlite3_file *base, sqlite3_int64 size) {
    page_file *file = (page_file *)base;
    // What comes next may be a file of another kind.
    if (size == 0 && (file->state == pages_stamped || file->state == pages_bare)) file->state = pages_unknown;
    if (size == 0) file->has_stamped = 0;
    return file->real->pMethods->xTruncate(file->real, size);
}

int store_control(sqlite3_file *base, int operation, void *argument) {
    page_file *file = (page_file *)base;
    int64_t *number = argument;
    switch (operation) {
    case landfall_pages_ask:
        if (file->state != pages_stamped && file->state != pages_bare) learn(file);
        *number = file->state == pages_stamped ? 1 : file->state == pages_bare ? 0 : -1;
        return SQLITE_OK;
    case landfall_pages_expect:
        if (file->state == pages_unknown || ((file->state == pages_expected || file->state == pages_expected_bare) && !file->has_stamped))
            file->state = *number == 0 ? pages_expected_bare : pages_expected;
        return SQLITE_OK;
    case landfall_pages_damaged:
        *number = file->damaged;
        return SQLITE_OK;
    case landfall_pages_bare:
        *number = file->bare;
        return SQLITE_OK;
    case SQLITE_FCNTL_MMAP_SIZE:
        // A page of a map would be used without being compared.
        *(sqlite3_int64 *)argument = 0;
        return SQLITE_OK;
    default: {
        int status = file->real->pMethods->xFileControl(file->real, operation, argument);
        if (operation == SQLITE_FCNTL_VFSNAME && status == SQLITE_OK) *(char **)argument = sqlite3_mprintf("landfall/%z", *(char **)argument);
        return status;
    }
    }
}
