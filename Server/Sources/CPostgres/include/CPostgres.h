// SPDX-License-Identifier: Apache-2.0
// The part of libpq 14 and newer that the driver calls. The library is loaded when it is first needed, so neither a build nor a
// server with the embedded store needs it. Its interface has been stable since version 5 of the library; the values below are
// part of that interface.
#ifndef LANDFALL_CPOSTGRES_H
#define LANDFALL_CPOSTGRES_H

typedef struct landfall_pg_conn landfall_pg_conn;
typedef struct landfall_pg_result landfall_pg_result;
typedef struct landfall_pg_cancel landfall_pg_cancel;
typedef unsigned int landfall_pg_oid;

enum { landfall_pg_connection_bad = 1 };

enum { landfall_pg_polling_failed = 0, landfall_pg_polling_reading = 1, landfall_pg_polling_writing = 2, landfall_pg_polling_ok = 3 };

enum {
    landfall_pg_command_ok = 1,
    landfall_pg_tuples_ok = 2,
    landfall_pg_fatal_error = 7,
    landfall_pg_pipeline_sync = 10,
};

enum { landfall_pg_errors_default = 1, landfall_pg_errors_verbose = 2 };

enum { landfall_pg_diag_sqlstate = 'C', landfall_pg_diag_message_primary = 'M' };

// The functions of libpq, under their names without PQ.
typedef struct landfall_libpq {
    landfall_pg_conn *_Nullable (*_Nonnull connectStartParams)(
        const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values, int expand_dbname);
    int (*_Nonnull connectPoll)(landfall_pg_conn *_Nonnull);
    int (*_Nonnull status)(const landfall_pg_conn *_Nonnull);
    int (*_Nonnull connectionNeedsPassword)(const landfall_pg_conn *_Nonnull);
    int (*_Nonnull setErrorVerbosity)(landfall_pg_conn *_Nonnull, int);
    char *_Nonnull (*_Nonnull errorMessage)(const landfall_pg_conn *_Nonnull);
    void (*_Nonnull finish)(landfall_pg_conn *_Nonnull);
    int (*_Nonnull socket)(const landfall_pg_conn *_Nonnull);
    int (*_Nonnull serverVersion)(const landfall_pg_conn *_Nonnull);
    int (*_Nonnull backendPID)(const landfall_pg_conn *_Nonnull);
    int (*_Nonnull setnonblocking)(landfall_pg_conn *_Nonnull, int);
    int (*_Nonnull enterPipelineMode)(landfall_pg_conn *_Nonnull);
    int (*_Nonnull pipelineSync)(landfall_pg_conn *_Nonnull);
    int (*_Nonnull sendPrepare)(
        landfall_pg_conn *_Nonnull, const char *_Nonnull name, const char *_Nonnull text, int, const landfall_pg_oid *_Nullable);
    int (*_Nonnull sendDescribePrepared)(landfall_pg_conn *_Nonnull, const char *_Nonnull name);
    int (*_Nonnull sendQueryPrepared)(
        landfall_pg_conn *_Nonnull, const char *_Nonnull name, int, const char *_Nullable const *_Nullable values,
        const int *_Nullable lengths, const int *_Nullable formats, int result_format);
    int (*_Nonnull sendQueryParams)(
        landfall_pg_conn *_Nonnull, const char *_Nonnull text, int, const landfall_pg_oid *_Nullable types,
        const char *_Nullable const *_Nullable values, const int *_Nullable lengths, const int *_Nullable formats, int result_format);
    int (*_Nonnull sendFlushRequest)(landfall_pg_conn *_Nonnull);
    int (*_Nonnull flush)(landfall_pg_conn *_Nonnull);
    int (*_Nonnull consumeInput)(landfall_pg_conn *_Nonnull);
    int (*_Nonnull isBusy)(landfall_pg_conn *_Nonnull);
    landfall_pg_result *_Nullable (*_Nonnull getResult)(landfall_pg_conn *_Nonnull);
    int (*_Nonnull resultStatus)(const landfall_pg_result *_Nonnull);
    char *_Nullable (*_Nonnull resultErrorField)(const landfall_pg_result *_Nonnull, int field);
    char *_Nonnull (*_Nonnull cmdTuples)(landfall_pg_result *_Nonnull);
    char *_Nonnull (*_Nonnull cmdStatus)(landfall_pg_result *_Nonnull);
    int (*_Nonnull ntuples)(const landfall_pg_result *_Nonnull);
    int (*_Nonnull nfields)(const landfall_pg_result *_Nonnull);
    char *_Nullable (*_Nonnull fname)(const landfall_pg_result *_Nonnull, int column);
    landfall_pg_oid (*_Nonnull ftype)(const landfall_pg_result *_Nonnull, int column);
    int (*_Nonnull nparams)(const landfall_pg_result *_Nonnull);
    landfall_pg_oid (*_Nonnull paramtype)(const landfall_pg_result *_Nonnull, int number);
    int (*_Nonnull getisnull)(const landfall_pg_result *_Nonnull, int row, int column);
    int (*_Nonnull getlength)(const landfall_pg_result *_Nonnull, int row, int column);
    char *_Nonnull (*_Nonnull getvalue)(const landfall_pg_result *_Nonnull, int row, int column);
    void (*_Nonnull clear)(landfall_pg_result *_Nonnull);
    landfall_pg_cancel *_Nullable (*_Nonnull getCancel)(landfall_pg_conn *_Nonnull);
    void (*_Nonnull freeCancel)(landfall_pg_cancel *_Nonnull);
    int (*_Nonnull cancel)(landfall_pg_cancel *_Nonnull, char *_Nonnull reason, int size);
    void *_Nullable (*_Nonnull setNoticeReceiver)(
        landfall_pg_conn *_Nonnull, void (*_Nullable receiver)(void *_Nullable, const landfall_pg_result *_Nullable), void *_Nullable);
} landfall_libpq;

// Looks the functions up in the library of this name. It stays loaded.
// Returns null, or why it cannot be used, valid until the next call on the same thread.
const char *_Nullable landfall_libpq_load(const char *_Nonnull library, landfall_libpq *_Nonnull functions);

// Notices are for people at a terminal; by default the library writes them to standard error.
void landfall_pg_drop_notices(const landfall_libpq *_Nonnull, landfall_pg_conn *_Nonnull);

#endif
