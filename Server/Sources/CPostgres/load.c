// SPDX-License-Identifier: Apache-2.0
#include "CPostgres.h"

#include <dlfcn.h>
#include <stddef.h>

// In the order of the struct, which has nothing but function pointers.
static const char *const names[] = {
    "PQconnectStartParams", "PQconnectPoll", "PQstatus", "PQconnectionNeedsPassword", "PQsetErrorVerbosity",
    "PQerrorMessage", "PQfinish", "PQsocket", "PQserverVersion", "PQbackendPID",
    "PQsetnonblocking", "PQenterPipelineMode", "PQpipelineSync", "PQsendPrepare", "PQsendDescribePrepared", "PQsendQueryPrepared",
    "PQsendQueryParams", "PQsendFlushRequest", "PQflush", "PQconsumeInput", "PQisBusy", "PQgetResult", "PQresultStatus", "PQresultErrorField", "PQcmdTuples",
    "PQcmdStatus", "PQntuples", "PQnfields", "PQfname", "PQftype", "PQnparams", "PQparamtype", "PQgetisnull", "PQgetlength",
    "PQgetvalue", "PQclear", "PQgetCancel", "PQfreeCancel", "PQcancel", "PQsetNoticeReceiver",
};

_Static_assert(
    sizeof(landfall_libpq) == sizeof(names) / sizeof(names[0]) * sizeof(void *), "a function has no name, or a name no function");

const char *landfall_libpq_load(const char *library, landfall_libpq *functions) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return dlerror();
    void **places = (void **)functions;
    for (size_t place = 0; place < sizeof(names) / sizeof(names[0]); place += 1) {
        places[place] = dlsym(handle, names[place]);
        // Pipelines came with version 14.
        if (places[place] == NULL) return dlerror();
    }
    return NULL;
}

static void drop(void *argument, const landfall_pg_result *notice) {}

void landfall_pg_drop_notices(const landfall_libpq *functions, landfall_pg_conn *connection) {
    functions->setNoticeReceiver(connection, drop, NULL);
}
