// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

/// For the whole process, before its first connection; later it changes nothing. SQLite counts the memory that it has taken under
/// one lock, at each of its allocations: a read made 2.6 system calls to wait for the other threads' reads, and makes 0.2. (Swift
/// calls no function that takes any number of arguments.)
static inline int landfall_sqlite_counts_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
