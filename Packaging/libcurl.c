// SPDX-License-Identifier: Apache-2.0
// What Foundation's URLSession calls of libcurl, for programs that are linked with Foundation itself (script/release). The server never
// makes such a session: only `landfall demo` and the simulators do. So a released program loads libcurl when one of them needs it, as
// it loads libpq, and a machine that only serves has neither.
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

// The argument of a setting is a long, a pointer, a function or a 64-bit offset: each goes on as a pointer.
_Static_assert(sizeof(void *) == 8 && sizeof(long) == 8, "an argument of libcurl is larger than a pointer");

#pragma GCC visibility push(hidden)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;

static void load(void) { library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL); }

static void *loaded(const char *name) {
    pthread_once(&once, load);
    void *function = library == NULL ? NULL : dlsym(library, name);
    if (function != NULL) return function;
    fprintf(stderr, "landfall: the demo and the simulators need libcurl, which is not on this machine (%s).\n", dlerror());
    fputs("On Debian and Ubuntu: apt-get install libcurl4. A server does not need it.\n", stderr);
    exit(1);
}

#define FORWARD(result, name, declared, given, ...) \
    result name declared { return ((result(*)(__VA_ARGS__))loaded(#name)) given; }
#define FORWARD_VARIADIC(result, name, key)                         \
    result name(void *handle, key which, ...) {                     \
        va_list rest;                                               \
        va_start(rest, which);                                      \
        void *value = va_arg(rest, void *);                         \
        va_end(rest);                                               \
        return ((result(*)(void *, key, ...))loaded(#name))(handle, which, value); \
    }

FORWARD(int, curl_global_init, (long flags), (flags), long)
FORWARD(char *, curl_version, (void), (), void)
FORWARD(void *, curl_version_info, (int age), (age), int)
FORWARD(void *, curl_easy_init, (void), (), void)
FORWARD(void, curl_easy_cleanup, (void *handle), (handle), void *)
FORWARD(int, curl_easy_pause, (void *handle, int bits), (handle, bits), void *, int)
FORWARD(const char *, curl_easy_strerror, (int code), (code), int)
FORWARD_VARIADIC(int, curl_easy_setopt, int)
FORWARD_VARIADIC(int, curl_easy_getinfo, int)
FORWARD(void, curl_free, (void *text), (text), void *)
FORWARD(void *, curl_multi_init, (void), (), void)
FORWARD(int, curl_multi_cleanup, (void *multi), (multi), void *)
FORWARD(int, curl_multi_add_handle, (void *multi, void *handle), (multi, handle), void *, void *)
FORWARD(int, curl_multi_remove_handle, (void *multi, void *handle), (multi, handle), void *, void *)
FORWARD(int, curl_multi_assign, (void *multi, int socket, void *value), (multi, socket, value), void *, int, void *)
FORWARD(void *, curl_multi_info_read, (void *multi, int *left), (multi, left), void *, int *)
FORWARD(int, curl_multi_socket_action, (void *multi, int socket, int events, int *running), (multi, socket, events, running), void *, int, int, int *)
FORWARD_VARIADIC(int, curl_multi_setopt, int)
FORWARD(void *, curl_slist_append, (void *list, const char *text), (list, text), void *, const char *)
FORWARD(void, curl_slist_free_all, (void *list), (list), void *)
FORWARD(void *, curl_url, (void), (), void)
FORWARD(int, curl_url_get, (void *url, int part, char **text, unsigned flags), (url, part, text, flags), void *, int, char **, unsigned)
FORWARD(int, curl_url_set, (void *url, int part, const char *text, unsigned flags), (url, part, text, flags), void *, int, const char *, unsigned)

#pragma GCC visibility pop
