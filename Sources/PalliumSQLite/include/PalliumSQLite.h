// The few functions of SQLite's stable C interface that the store calls.
//
// Apple's platforms have a module for SQLite. Elsewhere these are prototypes of our own, so that a build needs no package of
// SQLite, and a program needs the library, libsqlite3.so.0, only when it opens a store.
#pragma once

#if defined(__APPLE__)
#include <sqlite3.h>
#else
#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_value sqlite3_value;
typedef int64_t sqlite3_int64;

// Each function is one of this target, which calls that of the library. The names for the linker are its own, so that a
// program may link the library as well. Without the library, the version is 0, and nothing can be opened.
#define PALLIUM_NAME(name) __asm__("pallium_" #name)

int sqlite3_libversion_number(void) PALLIUM_NAME(sqlite3_libversion_number);
int sqlite3_open_v2(
    const char *filename, sqlite3 **database, int flags, const char *vfs)
    PALLIUM_NAME(sqlite3_open_v2);
int sqlite3_close_v2(sqlite3 *database) PALLIUM_NAME(sqlite3_close_v2);
int sqlite3_busy_timeout(sqlite3 *database, int milliseconds) PALLIUM_NAME(sqlite3_busy_timeout);
int sqlite3_extended_errcode(sqlite3 *database) PALLIUM_NAME(sqlite3_extended_errcode);
const char *sqlite3_errmsg(sqlite3 *database) PALLIUM_NAME(sqlite3_errmsg);
const char *sqlite3_errstr(int code) PALLIUM_NAME(sqlite3_errstr);
int sqlite3_changes(sqlite3 *database) PALLIUM_NAME(sqlite3_changes);
int sqlite3_total_changes(sqlite3 *database) PALLIUM_NAME(sqlite3_total_changes);
int sqlite3_get_autocommit(sqlite3 *database) PALLIUM_NAME(sqlite3_get_autocommit);
int sqlite3_prepare_v3(
    sqlite3 *database, const char *text, int bytes, unsigned int flags, sqlite3_stmt **statement,
    const char **tail)
    PALLIUM_NAME(sqlite3_prepare_v3);
int sqlite3_step(sqlite3_stmt *statement) PALLIUM_NAME(sqlite3_step);
int sqlite3_reset(sqlite3_stmt *statement) PALLIUM_NAME(sqlite3_reset);
int sqlite3_clear_bindings(sqlite3_stmt *statement) PALLIUM_NAME(sqlite3_clear_bindings);
int sqlite3_finalize(sqlite3_stmt *statement) PALLIUM_NAME(sqlite3_finalize);
int sqlite3_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 value) PALLIUM_NAME(sqlite3_bind_int64);
int sqlite3_bind_double(sqlite3_stmt *statement, int index, double value) PALLIUM_NAME(sqlite3_bind_double);
int sqlite3_bind_null(sqlite3_stmt *statement, int index) PALLIUM_NAME(sqlite3_bind_null);
int sqlite3_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int bytes, void (*release)(void *))
    PALLIUM_NAME(sqlite3_bind_text);
int sqlite3_column_type(sqlite3_stmt *statement, int column) PALLIUM_NAME(sqlite3_column_type);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *statement, int column) PALLIUM_NAME(sqlite3_column_int64);
double sqlite3_column_double(sqlite3_stmt *statement, int column) PALLIUM_NAME(sqlite3_column_double);
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column) PALLIUM_NAME(sqlite3_column_text);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column) PALLIUM_NAME(sqlite3_column_bytes);
int sqlite3_create_function_v2(
    sqlite3 *database, const char *name, int argumentCount, int flags, void *data,
    void (*function)(sqlite3_context *, int, sqlite3_value **),
    void (*step)(sqlite3_context *, int, sqlite3_value **), void (*final)(sqlite3_context *),
    void (*release)(void *))
    PALLIUM_NAME(sqlite3_create_function_v2);
void *sqlite3_user_data(sqlite3_context *context) PALLIUM_NAME(sqlite3_user_data);
int sqlite3_value_type(sqlite3_value *value) PALLIUM_NAME(sqlite3_value_type);
sqlite3_int64 sqlite3_value_int64(sqlite3_value *value) PALLIUM_NAME(sqlite3_value_int64);
double sqlite3_value_double(sqlite3_value *value) PALLIUM_NAME(sqlite3_value_double);
const unsigned char *sqlite3_value_text(sqlite3_value *value) PALLIUM_NAME(sqlite3_value_text);
int sqlite3_value_bytes(sqlite3_value *value) PALLIUM_NAME(sqlite3_value_bytes);
void sqlite3_result_null(sqlite3_context *context) PALLIUM_NAME(sqlite3_result_null);
void sqlite3_result_int64(sqlite3_context *context, sqlite3_int64 value) PALLIUM_NAME(sqlite3_result_int64);
void sqlite3_result_double(sqlite3_context *context, double value) PALLIUM_NAME(sqlite3_result_double);
void sqlite3_result_text(
    sqlite3_context *context, const char *text, int bytes, void (*release)(void *))
    PALLIUM_NAME(sqlite3_result_text);
void sqlite3_result_error_code(sqlite3_context *context, int code) PALLIUM_NAME(sqlite3_result_error_code);
#endif

// Swift calls no functions with a variable number of arguments.
int palliumSQLiteConfigure(sqlite3 *database, int option, int isOn);
