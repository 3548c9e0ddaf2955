// A disk that fails and forgets. LD_PRELOADed into a daemon, it is between SQLite or libsystemd and the kernel.
//
// It applies to the files below DISK_FOLDER, and to DISK_FOLDER itself with any suffix after a dot; to every file if
// DISK_FOLDER is /. Calls without a file (sockets, timers, watches) are counted if their kind is in `kinds`. Two variables
// choose what it does:
//
//  - DISK_CONTROL, a file of one `struct control`, shared with the test. Each call of the kinds in `kinds` is counted. The
//    calls numbered from `first` to `last` fail with `error` and do nothing; a sync that fails has synced nothing. If `error`
//    is 0 they wait instead, until their kind is no more in `kinds`.
//  - DISK_LOG, a file to which every change and every byte sent on a socket is appended, in order. From it the test makes the
//    files that a power cut at any point may leave (PowerCut.swift).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <unistd.h>

#define OUT __attribute__((visibility("default")))
#define NEXT(name) static __typeof__(name) *next; if (!next) next = dlsym(RTLD_NEXT, #name)

// As in DiskFaults.Kinds. Opening for writing is both OPENS and CREATES.
enum kind {
    OPENS = 1, READS = 2, WRITES = 4, SYNCS = 8, RENAMES = 16, LOOKS = 32, LOCKS = 64, MAPS = 128, CREATES = 256,
    TRUNCATES = 512, UNLINKS = 1024, LINKS = 2048, FOLDERS = 4096, MODES = 8192, SOCKETS = 16384, ACCEPTS = 32768,
    BINDS = 65536, SOURCES = 131072, WATCHES = 262144, POLLS = 524288, SENDS = 1048576, COPIES = 2097152
};

struct control {
    int64_t calls, first, last, failed;
    int32_t kinds, error;
};

enum record {
    CREATED = 1, OPENED, WROTE, TRUNCATED, SYNCED, SYNC_FAILED, FOLDER_SYNCED, RENAMED, UNLINKED, ACCEPTED, SENT, LINKED,
    FOLDER_MADE
};

struct header {
    uint32_t record, file;
    uint64_t offset, length;
};

enum { FILES = 1024 };

static struct control *control;
static const char *folder;
static int journal = -1;
// For each descriptor: the number of its file, or -1 for a folder; 0 if it is not below DISK_FOLDER.
static int32_t file_of[FILES];
static uint32_t next_file = 1;
static struct { dev_t device; ino_t number; uint32_t file; } known[4 * FILES];
static int known_count;
// Threads open files at the same time: whether a file existed, and its number, belong to one of them.
static pthread_mutex_t opening_one = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    folder = getenv("DISK_FOLDER");
    const char *page = getenv("DISK_CONTROL"), *log = getenv("DISK_LOG");
    if (page) {
        int descriptor = open(page, O_RDWR | O_CLOEXEC);
        control = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        close(descriptor);
        if (control == MAP_FAILED) abort();
    }
    if (log) {
        int descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        journal = fcntl(descriptor, F_DUPFD_CLOEXEC, 800);
        close(descriptor);
        if (journal < 0) abort();
    }
}

static int is_ours(const char *path) {
    size_t length = folder ? strlen(folder) : 0;
    if (length == 1 && path) return path[0] == '/';
    return length && path && !strncmp(path, folder, length) && (path[length] == '/' || path[length] == '.' || !path[length]);
}

static int holds(int descriptor) { return descriptor >= 0 && descriptor < FILES && file_of[descriptor]; }

// True if this call must fail; errno is set.
static int fails(enum kind kind) {
    if (!control || !(control->kinds & kind)) return 0;
    int64_t call = __atomic_add_fetch(&control->calls, 1, __ATOMIC_SEQ_CST);
    if (call < control->first || call > control->last) return 0;
    __atomic_add_fetch(&control->failed, 1, __ATOMIC_SEQ_CST);
    if (!control->error) {
        while (__atomic_load_n(&control->kinds, __ATOMIC_SEQ_CST) & kind) usleep(1000);
        return 0;
    }
    errno = control->error;
    return 1;
}

static void note(enum record record, uint32_t file, uint64_t offset, const void *bytes, uint64_t length) {
    if (journal < 0) return;
    static ssize_t (*put)(int, const void *, size_t);
    if (!put) put = dlsym(RTLD_NEXT, "write");
    int before = errno;
    struct header header = { record, file, offset, length };
    char *whole = malloc(sizeof header + length);
    memcpy(whole, &header, sizeof header);
    if (length) memcpy(whole + sizeof header, bytes, length);
    if (put(journal, whole, sizeof header + length) != (ssize_t)(sizeof header + length)) abort();
    free(whole);
    errno = before;
}

static void note_path(enum record record, uint32_t file, const char *path) { note(record, file, 0, path, strlen(path)); }

static uint32_t number_of(int descriptor, int is_new) {
    struct stat seen;
    static int (*look)(int, struct stat *);
    if (!look) look = dlsym(RTLD_NEXT, "fstat");
    look(descriptor, &seen);
    for (int i = 0; i < known_count; i++)
        if (known[i].device == seen.st_dev && known[i].number == seen.st_ino) {
            if (is_new) known[i].file = next_file++;
            return known[i].file;
        }
    if (known_count == 4 * FILES) abort();
    known[known_count].device = seen.st_dev;
    known[known_count].number = seen.st_ino;
    return known[known_count++].file = next_file++;
}

static void take(int descriptor, const char *path, int flags, int existed) {
    struct stat seen;
    if (descriptor < 0 || descriptor >= FILES || !is_ours(path)) return;
    static int (*look)(int, struct stat *);
    if (!look) look = dlsym(RTLD_NEXT, "fstat");
    look(descriptor, &seen);
    if (S_ISDIR(seen.st_mode)) {
        file_of[descriptor] = -1;
        return;
    }
    // A file without a name, to which linkat may give one.
    int is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    if (is_unnamed) existed = 0;
    // Only the log needs the file's number.
    file_of[descriptor] = journal < 0 ? 1 : number_of(descriptor, !existed);
    note_path(existed ? OPENED : CREATED, file_of[descriptor], is_unnamed ? "" : path);
    if (existed && flags & O_TRUNC) note(TRUNCATED, file_of[descriptor], 0, NULL, 0);
}

static int exists(const char *path) {
    static int (*look)(const char *, int);
    if (!look) look = dlsym(RTLD_NEXT, "access");
    int before = errno, found = look(path, F_OK) == 0;
    errno = before;
    return found;
}

static enum kind opening(int flags) { return flags & (O_CREAT | O_WRONLY | O_RDWR) ? OPENS | CREATES : OPENS; }

static int open_with(int (*next)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    if (!is_ours(path)) return next(path, flags, mode);
    if (fails(opening(flags))) return -1;
    pthread_mutex_lock(&opening_one);
    int existed = exists(path), descriptor = next(path, flags, mode);
    take(descriptor, path, flags, existed);
    pthread_mutex_unlock(&opening_one);
    return descriptor;
}

#define OPEN(name) \
    OUT int name(const char *path, int flags, ...) { \
        NEXT(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return open_with(next, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

// The path of a name in an opened folder.
static const char *path_at(int folder, const char *name, char *room, size_t size) {
    if (folder == AT_FDCWD || name[0] == '/') return name;
    char descriptor[64];
    snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", folder);
    int before = errno;
    ssize_t length = readlink(descriptor, room, size);
    errno = before;
    if (length < 0 || (size_t)length + strlen(name) + 2 > size) return name;
    snprintf(room + length, size - length, "/%s", name);
    return room;
}

#define OPEN_AT(name) \
    OUT int name(int folder, const char *file, int flags, ...) { \
        NEXT(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        char room[4096]; \
        const char *path = path_at(folder, file, room, sizeof room); \
        if (!is_ours(path)) return next(folder, file, flags, mode); \
        if (fails(opening(flags))) return -1; \
        pthread_mutex_lock(&opening_one); \
        int existed = exists(path), descriptor = next(folder, file, flags, mode); \
        take(descriptor, path, flags, existed); \
        pthread_mutex_unlock(&opening_one); \
        return descriptor; \
    }
OPEN_AT(openat)
OPEN_AT(openat64)

OUT int close(int descriptor) {
    NEXT(close);
    if (descriptor >= 0 && descriptor < FILES) file_of[descriptor] = 0;
    return next(descriptor);
}

#define READ(name) \
    OUT ssize_t name(int descriptor, void *bytes, size_t count, off_t offset) { \
        NEXT(name); \
        return holds(descriptor) && fails(READS) ? -1 : next(descriptor, bytes, count, offset); \
    }
READ(pread)
READ(pread64)

OUT ssize_t read(int descriptor, void *bytes, size_t count) {
    NEXT(read);
    return holds(descriptor) && fails(READS) ? -1 : next(descriptor, bytes, count);
}

#define WRITE(name) \
    OUT ssize_t name(int descriptor, const void *bytes, size_t count, off_t offset) { \
        NEXT(name); \
        if (!holds(descriptor)) return next(descriptor, bytes, count, offset); \
        if (fails(WRITES)) return -1; \
        ssize_t written = next(descriptor, bytes, count, offset); \
        if (written > 0) note(WROTE, file_of[descriptor], offset, bytes, written); \
        return written; \
    }
WRITE(pwrite)
WRITE(pwrite64)

OUT ssize_t write(int descriptor, const void *bytes, size_t count) {
    NEXT(write);
    if (!holds(descriptor)) return next(descriptor, bytes, count);
    if (fails(WRITES)) return -1;
    off_t offset = lseek(descriptor, 0, SEEK_CUR);
    ssize_t written = next(descriptor, bytes, count);
    if (written > 0) note(WROTE, file_of[descriptor], offset, bytes, written);
    return written;
}

#define TRUNCATE(name) \
    OUT int name(int descriptor, off_t size) { \
        NEXT(name); \
        if (!holds(descriptor)) return next(descriptor, size); \
        if (fails(TRUNCATES)) return -1; \
        int result = next(descriptor, size); \
        if (!result) note(TRUNCATED, file_of[descriptor], size, NULL, 0); \
        return result; \
    }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

// The path of a descriptor's file.
static const char *path_of(int descriptor, char *room, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    int before = errno;
    ssize_t length = readlink(link, room, size - 1);
    errno = before;
    room[length < 0 ? 0 : length] = 0;
    return room;
}

static void note_sync(int descriptor) {
    char room[4096];
    if (file_of[descriptor] < 0) note_path(FOLDER_SYNCED, 0, path_of(descriptor, room, sizeof room));
    else note(SYNCED, file_of[descriptor], 0, NULL, 0);
}

static void note_both(enum record record, const char *path, const char *new) {
    char both[8200];
    int length = snprintf(both, sizeof both, "%s\n%s", path, new);
    note(record, 0, 0, both, length);
}

#define SYNC(name) \
    OUT int name(int descriptor) { \
        NEXT(name); \
        if (!holds(descriptor)) return next(descriptor); \
        if (fails(SYNCS)) { \
            if (file_of[descriptor] > 0) note(SYNC_FAILED, file_of[descriptor], 0, NULL, 0); \
            return -1; \
        } \
        /* With a log the real disk is not synced, because the test makes the disk from the log. */ \
        int result = journal >= 0 ? 0 : next(descriptor); \
        if (!result) note_sync(descriptor); \
        return result; \
    }
SYNC(fsync)
SYNC(fdatasync)

OUT int unlink(const char *path) {
    NEXT(unlink);
    if (is_ours(path) && fails(UNLINKS)) return -1;
    int result = next(path);
    if (!result && is_ours(path)) note_path(UNLINKED, 0, path);
    return result;
}

OUT int rename(const char *path, const char *new) {
    NEXT(rename);
    if (!is_ours(path) && !is_ours(new)) return next(path, new);
    if (fails(RENAMES)) return -1;
    int result = next(path, new);
    if (!result) note_both(RENAMED, path, new);
    return result;
}

OUT int link(const char *path, const char *new) {
    NEXT(link);
    if (!is_ours(path) && !is_ours(new)) return next(path, new);
    if (fails(LINKS)) return -1;
    int result = next(path, new);
    if (!result) note_both(LINKED, path, new);
    return result;
}

OUT int linkat(int folder, const char *name, int other, const char *new, int flags) {
    NEXT(linkat);
    char here[4096], there[4096];
    const char *path = path_at(folder, name, here, sizeof here), *target = path_at(other, new, there, sizeof there);
    int descriptor = -1;
    if (flags & AT_SYMLINK_FOLLOW) sscanf(name, "/proc/self/fd/%d", &descriptor);
    if (!holds(descriptor) && !is_ours(path) && !is_ours(target)) return next(folder, name, other, new, flags);
    if (fails(LINKS)) return -1;
    int result = next(folder, name, other, new, flags);
    if (!result && holds(descriptor)) note_path(LINKED, file_of[descriptor], target);
    else if (!result) note_both(LINKED, path, target);
    return result;
}

OUT int unlinkat(int folder, const char *name, int flags) {
    NEXT(unlinkat);
    char room[4096];
    const char *path = path_at(folder, name, room, sizeof room);
    if (is_ours(path) && fails(UNLINKS)) return -1;
    int result = next(folder, name, flags);
    if (!result && is_ours(path)) note_path(UNLINKED, 0, path);
    return result;
}

OUT int renameat(int folder, const char *name, int other, const char *new) {
    NEXT(renameat);
    char here[4096], there[4096];
    const char *path = path_at(folder, name, here, sizeof here), *target = path_at(other, new, there, sizeof there);
    if (!is_ours(path) && !is_ours(target)) return next(folder, name, other, new);
    if (fails(RENAMES)) return -1;
    int result = next(folder, name, other, new);
    if (!result) note_both(RENAMED, path, target);
    return result;
}

OUT int mkdir(const char *path, mode_t mode) {
    NEXT(mkdir);
    if (is_ours(path) && fails(FOLDERS)) return -1;
    int result = next(path, mode);
    if (!result && is_ours(path)) note_path(FOLDER_MADE, 0, path);
    return result;
}

OUT int chmod(const char *path, mode_t mode) {
    NEXT(chmod);
    return is_ours(path) && fails(MODES) ? -1 : next(path, mode);
}

OUT int fchmod(int descriptor, mode_t mode) {
    NEXT(fchmod);
    return holds(descriptor) && fails(MODES) ? -1 : next(descriptor, mode);
}

OUT DIR *opendir(const char *path) {
    NEXT(opendir);
    return is_ours(path) && fails(OPENS) ? NULL : next(path);
}

#define LOOK(name, type) \
    OUT int name(const char *path, struct type *seen) { \
        NEXT(name); \
        return is_ours(path) && fails(LOOKS) ? -1 : next(path, seen); \
    }
LOOK(stat, stat)
LOOK(stat64, stat64)
LOOK(lstat, stat)
LOOK(lstat64, stat64)

#define LOOK_AT(name, type) \
    OUT int name(int descriptor, struct type *seen) { \
        NEXT(name); \
        return holds(descriptor) && fails(LOOKS) ? -1 : next(descriptor, seen); \
    }
LOOK_AT(fstat, stat)
LOOK_AT(fstat64, stat64)

OUT int access(const char *path, int mode) {
    NEXT(access);
    return is_ours(path) && fails(LOOKS) ? -1 : next(path, mode);
}

#define MAP(name) \
    OUT void *name(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) { \
        NEXT(name); \
        if (holds(descriptor) && fails(MAPS)) return MAP_FAILED; \
        return next(address, length, protection, flags, descriptor, offset); \
    }
MAP(mmap)
MAP(mmap64)

OUT int flock(int descriptor, int operation) {
    static int (*next)(int, int);
    if (!next) next = dlsym(RTLD_NEXT, "flock");
    return holds(descriptor) && fails(LOCKS) ? -1 : next(descriptor, operation);
}

// Taking a lock may fail. Releasing it never does.
#define CONTROL(name) \
    OUT int name(int descriptor, int command, ...) { \
        NEXT(name); \
        va_list rest; \
        va_start(rest, command); \
        void *argument = va_arg(rest, void *); \
        va_end(rest); \
        int copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC; \
        if (copies && fails(COPIES)) return -1; \
        int takes = (command == F_SETLK || command == F_SETLKW) && ((struct flock *)argument)->l_type != F_UNLCK; \
        return takes && holds(descriptor) && fails(LOCKS) ? -1 : next(descriptor, command, argument); \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

OUT int accept(int descriptor, struct sockaddr *address, socklen_t *length) {
    static int (*next)(int, struct sockaddr *, socklen_t *);
    if (!next) next = dlsym(RTLD_NEXT, "accept");
    if (fails(ACCEPTS)) return -1;
    int accepted = next(descriptor, address, length);
    if (accepted >= 0) note(ACCEPTED, accepted, 0, NULL, 0);
    return accepted;
}

OUT ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
    NEXT(send);
    if (fails(SENDS)) return -1;
    ssize_t sent = next(descriptor, bytes, count, flags);
    if (sent > 0) note(SENT, descriptor, 0, bytes, sent);
    return sent;
}

OUT ssize_t sendto(
    int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length
) {
    static ssize_t (*next)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
    if (!next) next = dlsym(RTLD_NEXT, "sendto");
    return fails(SENDS) ? -1 : next(descriptor, bytes, count, flags, address, length);
}

OUT int bind(int descriptor, const struct sockaddr *address, socklen_t length) {
    static int (*next)(int, const struct sockaddr *, socklen_t);
    if (!next) next = dlsym(RTLD_NEXT, "bind");
    return fails(BINDS) ? -1 : next(descriptor, address, length);
}

// Calls without a file, which the log does not need: they are counted and passed on.
#define PASS(kind, name, parameters, arguments) \
    OUT int name parameters { \
        static int(*next) parameters; \
        if (!next) next = dlsym(RTLD_NEXT, #name); \
        return fails(kind) ? -1 : next arguments; \
    }
PASS(SOCKETS, socket, (int domain, int type, int protocol), (domain, type, protocol))
PASS(BINDS, listen, (int descriptor, int backlog), (descriptor, backlog))
PASS(SOURCES, epoll_create1, (int flags), (flags))
PASS(SOURCES, eventfd, (unsigned int begin, int flags), (begin, flags))
PASS(SOURCES, timerfd_create, (int clock, int flags), (clock, flags))
PASS(SOURCES, inotify_init1, (int flags), (flags))
PASS(SOURCES, signalfd, (int descriptor, const sigset_t *mask, int flags), (descriptor, mask, flags))
PASS(WATCHES, inotify_add_watch, (int descriptor, const char *path, uint32_t mask), (descriptor, path, mask))

// Only adding a descriptor can fail, when the kernel has no memory.
OUT int epoll_ctl(int poll, int deed, int descriptor, struct epoll_event *event) {
    static int (*next)(int, int, int, struct epoll_event *);
    if (!next) next = dlsym(RTLD_NEXT, "epoll_ctl");
    return deed == EPOLL_CTL_ADD && fails(POLLS) ? -1 : next(poll, deed, descriptor, event);
}
