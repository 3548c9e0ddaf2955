#pragma once

#include <sys/prctl.h>

/// PR_SET_DUMPABLE, 0. Swift does not import variadic functions.
static inline int cmemory_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
