// SPDX-License-Identifier: Apache-2.0
// Puts the two kinds of files between SQLite and the system; everything else is the system's.
#include "files.h"

#include <stdint.h>
#include <string.h>

static sqlite3_file *real_file(sqlite3_file *base) { return ((page_file *)base)->real; }

static int file_close(sqlite3_file *base) {
    page_file *file = (page_file *)base;
    sqlite3_free(file->room);
    file->room = NULL;
    return file->real->pMethods->xClose(file->real);
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) { return real_file(base)->pMethods->xTruncate(real_file(base), size); }
static int file_sync(sqlite3_file *base, int flags) { return real_file(base)->pMethods->xSync(real_file(base), flags); }
static int file_size(sqlite3_file *base, sqlite3_int64 *size) { return real_file(base)->pMethods->xFileSize(real_file(base), size); }
static int file_lock(sqlite3_file *base, int lock) { return real_file(base)->pMethods->xLock(real_file(base), lock); }
static int file_unlock(sqlite3_file *base, int lock) { return real_file(base)->pMethods->xUnlock(real_file(base), lock); }
static int file_is_reserved(sqlite3_file *base, int *is) { return real_file(base)->pMethods->xCheckReservedLock(real_file(base), is); }
static int file_control(sqlite3_file *base, int operation, void *argument) {
    return real_file(base)->pMethods->xFileControl(real_file(base), operation, argument);
}
static int file_sector(sqlite3_file *base) { return real_file(base)->pMethods->xSectorSize(real_file(base)); }

static int file_characteristics(sqlite3_file *base) {
    int all = real_file(base)->pMethods->xDeviceCharacteristics(real_file(base));
#ifdef SQLITE_IOCAP_SUBPAGE_READ
    all &= ~SQLITE_IOCAP_SUBPAGE_READ;
#endif
    return all;
}

static int file_map(sqlite3_file *base, int region, int size, int is_extending, void volatile **place) {
    return real_file(base)->pMethods->xShmMap(real_file(base), region, size, is_extending, place);
}
static int file_shared_lock(sqlite3_file *base, int offset, int count, int flags) {
    return real_file(base)->pMethods->xShmLock(real_file(base), offset, count, flags);
}
static void file_barrier(sqlite3_file *base) { real_file(base)->pMethods->xShmBarrier(real_file(base)); }
static int file_unmap(sqlite3_file *base, int is_deleting) { return real_file(base)->pMethods->xShmUnmap(real_file(base), is_deleting); }

// Without the functions of version 3: they give SQLite a map of the file.
#define METHODS(VERSION, READ, WRITE, TRUNCATE, CONTROL)                                                                               \
    {                                                                                                                                  \
        .iVersion = VERSION, .xClose = file_close, .xRead = READ, .xWrite = WRITE, .xTruncate = TRUNCATE, .xSync = file_sync,          \
        .xFileSize = file_size, .xLock = file_lock, .xUnlock = file_unlock, .xCheckReservedLock = file_is_reserved,                    \
        .xFileControl = CONTROL, .xSectorSize = file_sector, .xDeviceCharacteristics = file_characteristics, .xShmMap = file_map,      \
        .xShmLock = file_shared_lock, .xShmBarrier = file_barrier, .xShmUnmap = file_unmap                                             \
    }

// The second of each is for a system whose files have no shared memory.
static const sqlite3_io_methods store_methods[] = {
    METHODS(2, store_read, store_write, store_truncate, store_control), METHODS(1, store_read, store_write, store_truncate, store_control)};
static const sqlite3_io_methods log_methods[] = {
    METHODS(2, log_read, log_write, file_truncate, file_control), METHODS(1, log_read, log_write, file_truncate, file_control)};

static sqlite3_vfs *real_vfs(sqlite3_vfs *vfs) { return vfs->pAppData; }

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *flags_out) {
    sqlite3_vfs *real = real_vfs(vfs);
    // Journals and temporary files are the system's own.
    if ((flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) == 0 || name == NULL) return real->xOpen(real, name, base, flags, flags_out);
    page_file *file = (page_file *)base;
    memset(file, 0, sizeof *file);
    file->real = (sqlite3_file *)(file + 1);
    file->stale_from = INT64_MAX;
    file->last_header = -1;
    int status = real->xOpen(real, name, file->real, flags, flags_out);
    // SQLite closes a file that has methods, also one that could not be opened.
    if (file->real->pMethods == NULL) return status;
    int is_without_memory = file->real->pMethods->iVersion < 2;
    if (flags & SQLITE_OPEN_WAL) {
        file->of = sqlite3_database_file_object(name);
        file->base.pMethods = &log_methods[is_without_memory];
    } else {
        file->base.pMethods = &store_methods[is_without_memory];
    }
    return status;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int is_synced) { return real_vfs(vfs)->xDelete(real_vfs(vfs), name, is_synced); }
static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *is) { return real_vfs(vfs)->xAccess(real_vfs(vfs), name, flags, is); }
static int vfs_full_name(sqlite3_vfs *vfs, const char *name, int count, char *full) {
    return real_vfs(vfs)->xFullPathname(real_vfs(vfs), name, count, full);
}
static int vfs_random(sqlite3_vfs *vfs, int count, char *bytes) { return real_vfs(vfs)->xRandomness(real_vfs(vfs), count, bytes); }
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) { return real_vfs(vfs)->xSleep(real_vfs(vfs), microseconds); }
static int vfs_time(sqlite3_vfs *vfs, double *days) { return real_vfs(vfs)->xCurrentTime(real_vfs(vfs), days); }
static int vfs_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
    return real_vfs(vfs)->xCurrentTimeInt64(real_vfs(vfs), milliseconds);
}
static int vfs_error(sqlite3_vfs *vfs, int count, char *text) {
    return real_vfs(vfs)->xGetLastError == NULL ? 0 : real_vfs(vfs)->xGetLastError(real_vfs(vfs), count, text);
}

// For the rest of the process.
static sqlite3_vfs pages_vfs;

const char *landfall_pages_vfs(void) {
    static const char *const name = "landfall";
    if (sqlite3_initialize() != SQLITE_OK) return NULL;
    if (sqlite3_vfs_find(name) != NULL) return name;
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    if (real == NULL) return NULL;
    pages_vfs = (sqlite3_vfs){
        .iVersion = real->iVersion < 2 ? 1 : 2, .szOsFile = (int)sizeof(page_file) + real->szOsFile, .mxPathname = real->mxPathname, .zName = name,
        .pAppData = real, .xOpen = vfs_open, .xDelete = vfs_delete, .xAccess = vfs_access, .xFullPathname = vfs_full_name,
        .xRandomness = vfs_random, .xSleep = vfs_sleep, .xCurrentTime = vfs_time, .xGetLastError = vfs_error, .xCurrentTimeInt64 = vfs_time_int64,
    };
    // No extension is loaded through it: xDlOpen and its neighbours are missing.
    return sqlite3_vfs_register(&pages_vfs, 0) == SQLITE_OK ? name : NULL;
}
