#pragma once
#include <sqlite3.h>

// Macros and variadic functions that Swift does not import.

/// SQLite copies the bytes before the call returns.
static const sqlite3_destructor_type csqlite_transient = SQLITE_TRANSIENT;

/// Whether the write-ahead log stays beside the file when this connection is closed.
static inline int csqlite_keep_log_on_close(sqlite3 *database, int keep) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

/// Keeps the database's own definitions from calling functions with side effects, and statements from writing its structure.
static inline int csqlite_distrust(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    return code ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
