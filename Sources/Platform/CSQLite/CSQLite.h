#pragma once
#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <sys/mman.h>

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

// The index of the write-ahead log is a file in memory. SQLite makes it longer by one byte in each 4,096. On a disk with smaller
// blocks the rest gets its room with the first store into it, and on a full disk that store ends the program (SIGBUS).

/// SQLite's own methods for a file with a log, and the same with room for the index.
struct csqlite_file_methods {
    const sqlite3_io_methods *usual;
    sqlite3_io_methods with_room;
    pthread_mutex_t lock;
};

/// Swift takes over no variables of a header, apart from those within a function.
static inline struct csqlite_file_methods *csqlite_file_methods(void) {
    static struct csqlite_file_methods methods = {.lock = PTHREAD_MUTEX_INITIALIZER};
    return &methods;
}

/// Maps a region of the index, and gives it its room. Without room the disk counts as full.
static inline int csqlite_map_with_room(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
    int code = csqlite_file_methods()->usual->xShmMap(file, region, size, extend, memory);
    if (code != SQLITE_OK || !*memory) return code;
    // EFAULT stands for the SIGBUS of a store (man 2 madvise, MADV_POPULATE_WRITE, 23). Kernels before 5.14 do not know it.
    if (madvise((void *)*memory, size, 23) == 0 || errno != EFAULT) return SQLITE_OK;
    *memory = 0;
    return SQLITE_FULL;
}

/// The index of this connection's log has room for all that is stored into it. Call it before the first statement.
static inline void csqlite_give_room(sqlite3 *database) {
    sqlite3_file *file = 0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return;
    struct csqlite_file_methods *methods = csqlite_file_methods();
    pthread_mutex_lock(&methods->lock);
    if (!methods->usual) {
        methods->usual = file->pMethods;
        methods->with_room = *file->pMethods;
        methods->with_room.xShmMap = csqlite_map_with_room;
    }
    if (file->pMethods == methods->usual) file->pMethods = &methods->with_room;
    pthread_mutex_unlock(&methods->lock);
}
