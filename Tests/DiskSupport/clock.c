// A clock that is ahead. LD_PRELOADed into daybreakd, it adds the seconds in the file CLOCK_AHEAD, which the test shares, to
// the time of every clock. Timers still follow the kernel's clock, so a test calls the daemon after it has moved the clock.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *ahead;

__attribute__((constructor)) static void begin(void) {
    int descriptor = open(getenv("CLOCK_AHEAD"), O_RDONLY | O_CLOEXEC);
    ahead = mmap(NULL, 4096, PROT_READ, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (ahead == MAP_FAILED) abort();
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *shown) {
    static __typeof__(clock_gettime) *next;
    if (!next) next = dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, shown);
    if (!result && ahead && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID) shown->tv_sec += *ahead;
    return result;
}
