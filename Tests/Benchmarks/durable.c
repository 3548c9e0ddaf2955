// Loaded into daybreakd by the benchmarks (LD_PRELOAD): notes when its last write became durable, in nanoseconds of
// CLOCK_MONOTONIC, in the file that DURABLE names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static uint64_t *durable;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("DURABLE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *durable, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) durable = page;
    close(file);
}

static int note(int result) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (durable) *durable = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    return result;
}

int fdatasync(int file) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    return note(real(file));
}

int fsync(int file) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    return note(real(file));
}
