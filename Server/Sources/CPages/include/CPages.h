// SPDX-License-Identifier: Apache-2.0
// Files of SQLite whose pages have checksums: a layer (a "VFS") between SQLite and the system's files.
//
// Of a store's own file each page ends with eight bytes that SQLite reserves: the XXH64 of everything before them with the page's number as its
// seed, lowest byte first, and 1 where that is 0. They are written with the page and compared when it is read; a page that differs is answered
// as SQLITE_CORRUPT, as SQLite itself answers a page that it did not write. SQLite gets them as zeros, so that zeros mean: not yet written here.
// Of the log beside the file each frame is compared with SQLite's own checksum when its page is read. Nothing in it is changed.
//
// A file whose header reserves another number of bytes is passed through; its log is compared all the same.
#ifndef LANDFALL_CPAGES_H
#define LANDFALL_CPAGES_H

#include <stddef.h>
#include <stdint.h>

enum {
    /// The bytes of a page that its checksum takes.
    landfall_page_reserve = 8,
    /// The size of the number that the operations below give or take.
    landfall_page_number_bytes = 8,
};

/// For sqlite3_file_control: each has an int64_t. Programs have the numbers from 100 on.
enum {
    /// Gives 1 if the file's pages have checksums, 0 if not, -1 if it is empty.
    landfall_pages_ask = 7631,
    /// Of an empty file: takes 0 if the pages that are written next shall have none. They have some otherwise.
    landfall_pages_expect = 7632,
    /// Gives the number of the page that was last found to be damaged; 0: none was; a frame of the log has a negative number.
    landfall_pages_damaged = 7633,
    /// Gives how many pages without a checksum this connection has read from a file whose pages have some: another program has written them.
    landfall_pages_bare = 7634,
};

/// Makes the layer known to SQLite; initialises SQLite.
/// Returns its name for sqlite3_open_v2, or NULL if SQLite cannot be used.
const char *_Nullable landfall_pages_vfs(void);

/// XXH64.
uint64_t landfall_page_hash(const uint8_t *_Nonnull bytes, size_t count, uint64_t seed);

/// Writes the checksum into the last bytes of a page.
void landfall_page_stamp(uint8_t *_Nonnull page, size_t size, uint32_t number);

/// SQLite's checksum of a log: continues both sums with a multiple of eight bytes. See "WAL File Format" of SQLite's file format.
void landfall_log_checksum(
    const uint8_t *_Nonnull bytes, size_t count, int is_big_endian, uint32_t *_Nonnull first, uint32_t *_Nonnull second);

#endif
