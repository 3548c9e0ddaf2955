#pragma once

#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/// PR_SET_DUMPABLE, 0. Swift does not import variadic functions.
static inline int cmemory_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Takes the pages of the program's code out of the process, so that those of its start no longer count as its memory.
/// The kernel maps a page again at its next use: it is in the page cache, or else in the program's file.
static inline void cmemory_release_code(void) {
    extern const char __executable_start, etext;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)&__executable_start & ~(page - 1), end = (uintptr_t)&etext & ~(page - 1);
    madvise((void *)begin, end - begin, MADV_DONTNEED);
}
