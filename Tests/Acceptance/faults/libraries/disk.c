/* SPDX-License-Identifier: Apache-2.0
   A disk of a process's own. Every change of a file below DISK_ROOT is written to DISK_RECORD too, in its order, so that disk.py can say what
   a power cut at any moment leaves. The first bytes of DISK_SWITCH, which may change at any time, make it fail: 'R' read-only, 'F' full,
   'I' I/O errors, 'H' syncs wait; and the second byte 'S': syncs succeed and do nothing. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FILES = 65536, OURS = 900 };
struct head { uint64_t kind, inode, place, length; };

static uint64_t inodes[FILES];
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static char *root;
static const volatile char *state;
static int record = -1;
static uint64_t syncs;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("DISK_RECORD"), *lever = getenv("DISK_SWITCH");
    /* A copy: PostgreSQL writes its title over the environment. */
    if (getenv("DISK_ROOT")) root = strdup(getenv("DISK_ROOT"));
    if (path) {
        int opened = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        record = fcntl(opened, F_DUPFD_CLOEXEC, OURS);
        syscall(SYS_close, opened);
    }
    if (lever) {
        int opened = (int)syscall(SYS_openat, AT_FDCWD, lever, O_RDONLY | O_CLOEXEC);
        void *page = opened < 0 ? MAP_FAILED : mmap(NULL, 2, PROT_READ, MAP_SHARED, opened, 0);
        if (page != MAP_FAILED) state = page;
        if (opened >= 0) syscall(SYS_close, opened);
    }
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), part = strlen(end);
    return length >= part && strcmp(text + length - part, end) == 0;
}

/* From the root of all files, in `place`, which has 4096 bytes. */
static const char *whole(const char *path, char *place) {
    if (path[0] == '/' || syscall(SYS_getcwd, place, 2048) < 0) return path;
    size_t length = strlen(place);
    snprintf(place + length, 4096 - length, "/%s", path);
    return place;
}

/* The index of the log is in shared memory: no crash keeps it. */
static int is_ours(const char *path) {
    char place[4096];
    return root && path && strncmp(whole(path, place), root, strlen(root)) == 0 && !ends_with(path, "-shm");
}

static void note(uint64_t kind, uint64_t inode, uint64_t place, const void *data, size_t length) {
    struct head head = {kind, inode, place, length};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)data, length}};
    if (record >= 0 && syscall(SYS_writev, record, parts, 2) != (long)(sizeof head + length)) abort();
}

static void note_name(uint64_t kind, uint64_t inode, const char *path) {
    char place[4096];
    path = whole(path, place);
    note(kind, inode, 0, path, strlen(path));
}

static void note_names(uint64_t kind, const char *from, const char *to) {
    char names[8193], one[4096], other[4096];
    int length = snprintf(names, sizeof names, "%s%c%s", whole(from, one), 0, whole(to, other));
    note(kind, 0, 0, names, (size_t)length);
}

static int fails(void) {
    switch (state ? state[0] : 0) {
        case 'R': errno = EROFS; return 1;
        case 'F': errno = ENOSPC; return 1;
        case 'I': errno = EIO; return 1;
        default: return 0;
    }
}

static uint64_t inode_of(int file) { return file >= 0 && file < FILES ? inodes[file] : 0; }

static int opening(int at, const char *path, int flags, mode_t mode) {
    if (!is_ours(path)) return (int)syscall(SYS_openat, at, path, flags, mode);
    if ((flags & (O_CREAT | O_TRUNC) || (flags & O_ACCMODE) != O_RDONLY) && fails()) return -1;
    pthread_mutex_lock(&order);
    struct stat facts;
    int is_new = (flags & O_CREAT) && stat(path, &facts) != 0;
    int file = (int)syscall(SYS_openat, at, path, flags, mode), error = errno;
    if (file >= 0 && file < FILES && fstat(file, &facts) == 0) {
        inodes[file] = facts.st_ino;
        if (is_new) note_name('C', facts.st_ino, path);
        else if (flags & O_TRUNC) note('T', facts.st_ino, 0, NULL, 0);
    }
    pthread_mutex_unlock(&order);
    errno = error;
    return file;
}

#define OPEN(name, before, at) \
    int name(before const char *path, int flags, ...) { \
        mode_t mode = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = (mode_t)va_arg(more, int); va_end(more); } \
        return opening(at, path, flags, mode); \
    }
#define NOTHING
#define FOLDER int at,
OPEN(open, NOTHING, AT_FDCWD)
OPEN(open64, NOTHING, AT_FDCWD)
OPEN(openat, FOLDER, at)
OPEN(openat64, FOLDER, at)

int close(int file) {
    if (file == record && record >= 0) return 0;
    if (file >= 0 && file < FILES) inodes[file] = 0;
    return (int)syscall(SYS_close, file);
}

/* In one step with its note: two threads may write one place. */
static ssize_t writing(int file, const void *data, size_t length, off_t place) {
    if (fails()) return -1;
    pthread_mutex_lock(&order);
    struct stat facts;
    off_t here = place;
    if (place < 0) here = (fcntl(file, F_GETFL) & O_APPEND) && fstat(file, &facts) == 0 ? facts.st_size : lseek(file, 0, SEEK_CUR);
    ssize_t done = place < 0 ? syscall(SYS_write, file, data, length) : syscall(SYS_pwrite64, file, data, length, place);
    int error = errno;
    if (done > 0) note('W', inodes[file], (uint64_t)here, data, (size_t)done);
    pthread_mutex_unlock(&order);
    errno = error;
    return done;
}

ssize_t write(int file, const void *data, size_t length) {
    return inode_of(file) ? writing(file, data, length, -1) : syscall(SYS_write, file, data, length);
}

ssize_t pwrite(int file, const void *data, size_t length, off_t place) {
    return inode_of(file) ? writing(file, data, length, place) : syscall(SYS_pwrite64, file, data, length, place);
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t place) { return pwrite(file, data, length, place); }

/* PostgreSQL writes several pages at once. */
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t place) {
    if (!inode_of(file)) return syscall(SYS_pwritev, file, parts, count, place, 0);
    ssize_t all = 0;
    for (int part = 0; part < count; part++) {
        ssize_t done = writing(file, parts[part].iov_base, parts[part].iov_len, place + all);
        if (done < 0) return all ? all : done;
        all += done;
        if ((size_t)done < parts[part].iov_len) break;
    }
    return all;
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t place) { return pwritev(file, parts, count, place); }

int ftruncate(int file, off_t size) {
    uint64_t inode = inode_of(file);
    if (inode && fails()) return -1;
    pthread_mutex_lock(&order);
    int result = (int)syscall(SYS_ftruncate, file, size), error = errno;
    if (inode && result == 0) note('T', inode, (uint64_t)size, NULL, 0);
    pthread_mutex_unlock(&order);
    errno = error;
    return result;
}

int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

/* What is written only changes its size, as a truncation does. */
int posix_fallocate(int file, off_t place, off_t length) {
    struct stat facts;
    if (fstat(file, &facts) != 0) return errno;
    if (facts.st_size >= place + length) return 0;
    return ftruncate(file, place + length) == 0 ? 0 : errno;
}

int posix_fallocate64(int file, off64_t place, off64_t length) { return posix_fallocate(file, place, length); }

/* Only what was written before it begins is sure when it ends. */
static int syncing(long call, int file) {
    uint64_t inode = inode_of(file);
    if (!inode) return (int)syscall(call, file);
    if (state && state[1] == 'S') return 0;
    while (state && state[0] == 'H') usleep(5000);
    if (fails()) return -1;
    uint64_t number = __sync_add_and_fetch(&syncs, 1) | (uint64_t)getpid() << 32;
    note('B', inode, number, NULL, 0);
    int result = (int)syscall(call, file), error = errno;
    if (result == 0) note('E', inode, number, NULL, 0);
    errno = error;
    return result;
}

int fsync(int file) { return syncing(SYS_fsync, file); }
int fdatasync(int file) { return syncing(SYS_fdatasync, file); }

#define CHANGE(ours, call, written) \
    if (!(ours)) return (int)(call); \
    if (fails()) return -1; \
    pthread_mutex_lock(&order); \
    int result = (int)(call), error = errno; \
    if (result == 0) { written; } \
    pthread_mutex_unlock(&order); \
    errno = error; \
    return result;

int unlinkat(int at, const char *path, int flags) {
    CHANGE(is_ours(path), syscall(SYS_unlinkat, at, path, flags), note_name('U', 0, path))
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int rename(const char *from, const char *to) {
    CHANGE(is_ours(from) || is_ours(to), syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), note_names('R', from, to))
}
int link(const char *from, const char *to) {
    CHANGE(is_ours(to), syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0), note_names('L', from, to))
}
int mkdir(const char *path, mode_t mode) {
    struct stat facts;
    CHANGE(is_ours(path), syscall(SYS_mkdirat, AT_FDCWD, path, mode),
           if (stat(path, &facts) == 0) note_name('M', facts.st_ino, path))
}
