// A clock that leaps ahead, as that of a machine that slept: in every program of a box, the wall's clock and the clock that counts
// sleep show more than the kernel's, by the seconds in /etc/leap. Timers of these clocks come as much earlier. After a leap, a
// program's timers are set anew when it looks at a clock.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *leap;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t seen;

// Of each descriptor: a timer at a time of a clock that leaps, as the program set it.
static struct { char leaps, set; int flags; struct itimerspec time; } timers[1024];

__attribute__((constructor)) static void begin(void) {
    int descriptor = open("/etc/leap", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (page != MAP_FAILED) leap = page, seen = *leap;
}

static int64_t ahead(void) { return leap ? *leap : 0; }

static int set(int timer, int flags, struct itimerspec time, struct itimerspec *before) {
    static __typeof__(timerfd_settime) *next;
    if (!next) next = dlsym(RTLD_NEXT, "timerfd_settime");
    if (time.it_value.tv_sec > ahead()) time.it_value.tv_sec -= ahead();
    return next(timer, flags, &time, before);
}

static void move_timers(void) {
    if (ahead() == seen) return;
    pthread_mutex_lock(&lock);
    seen = ahead();
    for (int timer = 0; timer < 1024; timer++)
        if (timers[timer].set) set(timer, timers[timer].flags, timers[timer].time, NULL);
    pthread_mutex_unlock(&lock);
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *shown) {
    static __typeof__(clock_gettime) *next;
    if (!next) next = dlsym(RTLD_NEXT, "clock_gettime");
    move_timers();
    int result = next(clock, shown);
    int leaps = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_BOOTTIME;
    if (!result && leaps) shown->tv_sec += ahead();
    return result;
}

__attribute__((visibility("default"))) time_t time(time_t *shown) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (shown) *shown = now.tv_sec;
    return now.tv_sec;
}

__attribute__((visibility("default"))) int gettimeofday(struct timeval *restrict shown, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (shown) *shown = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

__attribute__((visibility("default"))) int timerfd_create(int clock, int flags) {
    static __typeof__(timerfd_create) *next;
    if (!next) next = dlsym(RTLD_NEXT, "timerfd_create");
    int timer = next(clock, flags);
    if (timer >= 0 && timer < 1024) timers[timer].leaps = clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME, timers[timer].set = 0;
    return timer;
}

__attribute__((visibility("default"))) int timerfd_settime(
    int timer, int flags, const struct itimerspec *time, struct itimerspec *before) {
    static __typeof__(timerfd_settime) *next;
    if (!next) next = dlsym(RTLD_NEXT, "timerfd_settime");
    int leaps = timer >= 0 && timer < 1024 && timers[timer].leaps && flags & TFD_TIMER_ABSTIME;
    // One that is cancelled when the clock is set notices leaps itself.
    if (!leaps || flags & TFD_TIMER_CANCEL_ON_SET) return next(timer, flags, time, before);
    pthread_mutex_lock(&lock);
    timers[timer].set = time->it_value.tv_sec || time->it_value.tv_nsec;
    timers[timer].flags = flags, timers[timer].time = *time;
    int result = set(timer, flags, *time, before);
    pthread_mutex_unlock(&lock);
    return result;
}
