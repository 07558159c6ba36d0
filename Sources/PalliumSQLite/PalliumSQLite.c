#include "PalliumSQLite.h"

#if defined(__APPLE__)
int palliumSQLiteConfigure(sqlite3 *database, int option, int isOn) {
    return sqlite3_db_config(database, option, isOn, (int *)0);
}
#else
#include <dlfcn.h>
#include <pthread.h>

// The functions of the library, as X(type, name, parameters, arguments).
#define FUNCTIONS(X) \
    X(int, sqlite3_close_v2, (sqlite3 *database), (database)) \
    X(int, sqlite3_busy_timeout, (sqlite3 *database, int milliseconds), (database, milliseconds)) \
    X(int, sqlite3_extended_errcode, (sqlite3 *database), (database)) \
    X(const char *, sqlite3_errmsg, (sqlite3 *database), (database)) \
    X(const char *, sqlite3_errstr, (int code), (code)) \
    X(int, sqlite3_changes, (sqlite3 *database), (database)) \
    X(int, sqlite3_total_changes, (sqlite3 *database), (database)) \
    X(int, sqlite3_get_autocommit, (sqlite3 *database), (database)) \
    X(int, sqlite3_prepare_v3, \
        (sqlite3 *database, const char *text, int bytes, unsigned int flags, sqlite3_stmt **statement, \
            const char **tail), \
        (database, text, bytes, flags, statement, tail)) \
    X(int, sqlite3_step, (sqlite3_stmt *statement), (statement)) \
    X(int, sqlite3_reset, (sqlite3_stmt *statement), (statement)) \
    X(int, sqlite3_clear_bindings, (sqlite3_stmt *statement), (statement)) \
    X(int, sqlite3_finalize, (sqlite3_stmt *statement), (statement)) \
    X(int, sqlite3_bind_int64, (sqlite3_stmt *statement, int index, sqlite3_int64 value), (statement, index, value)) \
    X(int, sqlite3_bind_double, (sqlite3_stmt *statement, int index, double value), (statement, index, value)) \
    X(int, sqlite3_bind_null, (sqlite3_stmt *statement, int index), (statement, index)) \
    X(int, sqlite3_bind_text, (sqlite3_stmt *statement, int index, const char *text, int bytes, void (*release)(void *)), (statement, index, text, bytes, release)) \
    X(int, sqlite3_column_type, (sqlite3_stmt *statement, int column), (statement, column)) \
    X(sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt *statement, int column), (statement, column)) \
    X(double, sqlite3_column_double, (sqlite3_stmt *statement, int column), (statement, column)) \
    X(const unsigned char *, sqlite3_column_text, (sqlite3_stmt *statement, int column), (statement, column)) \
    X(int, sqlite3_column_bytes, (sqlite3_stmt *statement, int column), (statement, column)) \
    X(int, sqlite3_create_function_v2, \
        (sqlite3 *database, const char *name, int argumentCount, int flags, void *data, \
            void (*function)(sqlite3_context *, int, sqlite3_value **), \
            void (*step)(sqlite3_context *, int, sqlite3_value **), void (*final)(sqlite3_context *), \
            void (*release)(void *)), \
        (database, name, argumentCount, flags, data, function, step, final, release)) \
    X(void *, sqlite3_user_data, (sqlite3_context *context), (context)) \
    X(int, sqlite3_value_type, (sqlite3_value *value), (value)) \
    X(sqlite3_int64, sqlite3_value_int64, (sqlite3_value *value), (value)) \
    X(double, sqlite3_value_double, (sqlite3_value *value), (value)) \
    X(const unsigned char *, sqlite3_value_text, (sqlite3_value *value), (value)) \
    X(int, sqlite3_value_bytes, (sqlite3_value *value), (value)) \
    X(void, sqlite3_result_null, (sqlite3_context *context), (context)) \
    X(void, sqlite3_result_int64, (sqlite3_context *context, sqlite3_int64 value), (context, value)) \
    X(void, sqlite3_result_double, (sqlite3_context *context, double value), (context, value)) \
    X(void, sqlite3_result_text, (sqlite3_context *context, const char *text, int bytes, void (*release)(void *)), (context, text, bytes, release)) \
    X(void, sqlite3_result_error_code, (sqlite3_context *context, int code), (context, code))

#define POINTER(type, name, parameters, arguments) static type(*loaded_##name) parameters;
FUNCTIONS(POINTER)
static int (*loaded_sqlite3_libversion_number)(void);
static int (*loaded_sqlite3_open_v2)(const char *filename, sqlite3 **database, int flags, const char *vfs);
static int (*loaded_sqlite3_db_config)(sqlite3 *database, int option, ...);

static int isLoaded = 0;

static void load(void) {
    // It is never unloaded: connections may last as long as the process.
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define LOAD(type, name, parameters, arguments) \
    if (!(*(void **)&loaded_##name = dlsym(library, #name))) return;
    FUNCTIONS(LOAD)
    LOAD(int, sqlite3_libversion_number, (), ())
    LOAD(int, sqlite3_open_v2, (), ())
    LOAD(int, sqlite3_db_config, (), ())
    isLoaded = 1;
}

static int canCall(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return isLoaded;
}

// These two come before all others.
int sqlite3_libversion_number(void) { return canCall() ? loaded_sqlite3_libversion_number() : 0; }

int sqlite3_open_v2(const char *filename, sqlite3 **database, int flags, const char *vfs) {
    if (canCall()) return loaded_sqlite3_open_v2(filename, database, flags, vfs);
    *database = 0;
    return 14;  // SQLITE_CANTOPEN
}

#define FORWARD(type, name, parameters, arguments) \
    type name parameters { return loaded_##name arguments; }
FUNCTIONS(FORWARD)

int palliumSQLiteConfigure(sqlite3 *database, int option, int isOn) {
    return loaded_sqlite3_db_config(database, option, isOn, (int *)0);
}
#endif
