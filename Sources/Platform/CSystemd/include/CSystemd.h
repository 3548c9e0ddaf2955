#pragma once

// Without this, the macro would give this header as CODE_FILE, CODE_LINE and CODE_FUNC of every entry.
#define SD_JOURNAL_SUPPRESS_LOCATION

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

/// The name in an inotify event, or NULL for an event of the watched folder itself.
/// Swift does not import flexible array members.
static inline const char *csystemd_inotify_name(const struct inotify_event *event) {
    return event->len > 0 ? event->name : NULL;
}
