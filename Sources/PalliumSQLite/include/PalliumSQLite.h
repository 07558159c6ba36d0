// The few functions of SQLite's stable C interface that the store calls.
//
// Apple's platforms have a module for SQLite. Elsewhere these are prototypes of our own, so that a build needs the library
// that every system has, but neither its header nor its development package.
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

int sqlite3_libversion_number(void);
int sqlite3_open_v2(const char *filename, sqlite3 **database, int flags, const char *vfs);
int sqlite3_close_v2(sqlite3 *database);
int sqlite3_db_config(sqlite3 *database, int option, ...);
int sqlite3_busy_timeout(sqlite3 *database, int milliseconds);
int sqlite3_extended_errcode(sqlite3 *database);
const char *sqlite3_errmsg(sqlite3 *database);
const char *sqlite3_errstr(int code);
int sqlite3_changes(sqlite3 *database);
int sqlite3_total_changes(sqlite3 *database);
int sqlite3_get_autocommit(sqlite3 *database);
int sqlite3_prepare_v3(
    sqlite3 *database, const char *text, int bytes, unsigned int flags, sqlite3_stmt **statement, const char **tail);
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_reset(sqlite3_stmt *statement);
int sqlite3_clear_bindings(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);
int sqlite3_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 value);
int sqlite3_bind_double(sqlite3_stmt *statement, int index, double value);
int sqlite3_bind_null(sqlite3_stmt *statement, int index);
int sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes, void (*release)(void *));
int sqlite3_column_type(sqlite3_stmt *statement, int column);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *statement, int column);
double sqlite3_column_double(sqlite3_stmt *statement, int column);
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column);
int sqlite3_create_function_v2(
    sqlite3 *database, const char *name, int argumentCount, int flags, void *data,
    void (*function)(sqlite3_context *, int, sqlite3_value **), void (*step)(sqlite3_context *, int, sqlite3_value **),
    void (*final)(sqlite3_context *), void (*release)(void *));
void *sqlite3_user_data(sqlite3_context *context);
int sqlite3_value_type(sqlite3_value *value);
sqlite3_int64 sqlite3_value_int64(sqlite3_value *value);
double sqlite3_value_double(sqlite3_value *value);
const unsigned char *sqlite3_value_text(sqlite3_value *value);
int sqlite3_value_bytes(sqlite3_value *value);
void sqlite3_result_null(sqlite3_context *context);
void sqlite3_result_int64(sqlite3_context *context, sqlite3_int64 value);
void sqlite3_result_double(sqlite3_context *context, double value);
void sqlite3_result_text(sqlite3_context *context, const char *text, int bytes, void (*release)(void *));
void sqlite3_result_error_code(sqlite3_context *context, int code);
#endif

// Swift calls no functions with a variable number of arguments.
static inline int palliumSQLiteConfigure(sqlite3 *database, int option, int isOn) {
    return sqlite3_db_config(database, option, isOn, (int *)0);
}
