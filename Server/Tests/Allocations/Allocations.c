// SPDX-License-Identifier: Apache-2.0
#include "Allocations.h"
#include <errno.h>
#include <stdlib.h>

// A program's own functions take the place of the library's, for all code of the process. Memory is given back to the library's `free`.
#if defined(__GLIBC__)

static __thread uint64_t count;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count++;
    void *new = __libc_memalign(alignment, size);
    if (!new) return ENOMEM;
    *memory = new;
    return 0;
}

bool landfall_counts_allocations(void) { return true; }

uint64_t landfall_allocations(void) { return count; }

#else

bool landfall_counts_allocations(void) { return false; }

uint64_t landfall_allocations(void) { return 0; }

#endif
