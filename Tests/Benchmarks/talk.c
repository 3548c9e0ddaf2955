// Two ends of the simplest conversation that a control socket can have: calls and replies that end in a NUL.
//
//   talk serve PATH LENGTH     answers every call with so many bytes: a server that does nothing else
//   talk ask PATH COUNT CALL   calls so often, one after the other; prints calls a second, the median and the
//                              99th percentile in microseconds, and a reply's length
//   talk ping PATH COUNT       the same with PING, on a Redis server
//   talk watch PATH COUNT WATCHERS DURABLE
//                              has so many watch the status while it changes so often; prints the median, the 99th
//                              percentile and the most microseconds from when the change was durable until the last
//                              of them had it (DURABLE: the file that durable.c writes)
//   talk flood PATH COUNT CALL sends a hundred calls at a time, and reads the hundred replies; prints calls a second
//   talk load PATH CLIENTS COUNT CALL
//                              so many clients, each with one call at a time; prints all their calls a second
//   talk sync PATH COUNT       writes 4 KB into a file and waits for the disk, so often; prints how often a second
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void must(int well, const char *what) {
    if (!well) {
        perror(what);
        exit(1);
    }
}

static struct sockaddr_un address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return address;
}

static void send_all(int to, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(to, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) exit(0);
        bytes += sent;
        count -= (size_t)sent;
    }
}

static void answer(int from, const char *reply, size_t length) {
    static char call[65536];
    ssize_t count = recv(from, call, sizeof call, 0);
    if (count <= 0) {
        close(from);
        return;
    }
    for (ssize_t i = 0; i < count; i++)
        if (call[i] == 0) send_all(from, reply, length);
}

static int serve(const char *path, size_t length) {
    struct sockaddr_un at = address(path);
    char *reply = calloc(1, length);
    memset(reply, 'x', length - 1);
    int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    must(bind(listening, (struct sockaddr *)&at, sizeof at) == 0, "bind");
    must(listen(listening, 16) == 0, "listen");
    int loop = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listening};
    must(epoll_ctl(loop, EPOLL_CTL_ADD, listening, &event) == 0, "epoll_ctl");
    puts("ready");
    fflush(stdout);
    while (epoll_wait(loop, &event, 1, -1) > 0) {
        if (event.data.fd != listening) {
            answer(event.data.fd, reply, length);
            continue;
        }
        event = (struct epoll_event){.events = EPOLLIN, .data.fd = accept(listening, NULL, NULL)};
        must(epoll_ctl(loop, EPOLL_CTL_ADD, event.data.fd, &event) == 0, "epoll_ctl");
    }
    return 1;
}

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int ascending(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

// What a call and a reply end in.
static char end = 0;

static size_t reply_length(int from) {
    static char reply[1 << 20];
    size_t length = 0;
    do {
        ssize_t count = recv(from, reply, sizeof reply, 0);
        must(count > 0, "recv");
        length += (size_t)count;
        if (reply[count - 1] == end) return length;
    } while (1);
}

static int ask(const char *path, int count, const char *call) {
    struct sockaddr_un at = address(path);
    int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
    must(connect(daemon, (struct sockaddr *)&at, sizeof at) == 0, "connect");
    double *took = calloc((size_t)count, sizeof *took);
    size_t length = 0;
    double began = microseconds();
    for (int i = 0; i < count; i++) {
        double before = microseconds();
        send_all(daemon, call, strlen(call) + (end == 0));
        length = reply_length(daemon);
        took[i] = microseconds() - before;
    }
    double seconds = (microseconds() - began) / 1e6;
    qsort(took, (size_t)count, sizeof *took, ascending);
    printf("%.0f %.2f %.2f %zu\n", count / seconds, took[count / 2], took[count / 100 * 99], length);
    return 0;
}

static int connected(const char *path) {
    struct sockaddr_un at = address(path);
    int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
    must(connect(daemon, (struct sockaddr *)&at, sizeof at) == 0, "connect");
    return daemon;
}

static int watch(const char *path, int count, int watchers, const char *file) {
    static const char status[] = "{\"method\":\"org.daybreak.Homework.GetStatus\",\"more\":true}";
    static const char start[] = "{\"method\":\"org.daybreak.Homework.Start\"}";
    static const char cancel[] = "{\"method\":\"org.daybreak.Homework.Cancel\"}";
    volatile uint64_t *durable = mmap(NULL, 8, PROT_READ, MAP_SHARED, open(file, O_RDONLY), 0);
    must(durable != MAP_FAILED, "mmap");
    int caller = connected(path), *watching = calloc((size_t)watchers, sizeof *watching);
    for (int i = 0; i < watchers; i++) {
        watching[i] = connected(path);
        send_all(watching[i], status, sizeof status);
        reply_length(watching[i]);
    }
    double *took = calloc((size_t)count, sizeof *took);
    for (int i = 0; i < count; i++) {
        send_all(caller, i % 2 ? cancel : start, i % 2 ? sizeof cancel : sizeof start);
        for (int j = 0; j < watchers; j++) reply_length(watching[j]);
        took[i] = microseconds() - (double)*durable / 1e3;
        reply_length(caller);
    }
    qsort(took, (size_t)count, sizeof *took, ascending);
    printf("%.2f %.2f %.2f\n", took[count / 2], took[count / 100 * 99], took[count - 1]);
    return 0;
}

static int flood(const char *path, int count, const char *call) {
    enum { batch = 100 };
    static char replies[1 << 20];
    struct sockaddr_un at = address(path);
    int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
    must(connect(daemon, (struct sockaddr *)&at, sizeof at) == 0, "connect");
    size_t length = strlen(call) + 1;
    char *calls = calloc(batch, length);
    for (int i = 0; i < batch; i++) memcpy(calls + (size_t)i * length, call, length);
    double began = microseconds();
    for (int sent = 0; sent < count; sent += batch) {
        send_all(daemon, calls, batch * length);
        for (int answered = 0; answered < batch;) {
            ssize_t read = recv(daemon, replies, sizeof replies, 0);
            must(read > 0, "recv");
            for (ssize_t i = 0; i < read; i++) answered += replies[i] == 0;
        }
    }
    printf("%.0f\n", count / ((microseconds() - began) / 1e6));
    return 0;
}

static int load(const char *path, int clients, int count, const char *call) {
    static char reply[1 << 20];
    struct sockaddr_un at = address(path);
    struct pollfd *daemon = calloc((size_t)clients, sizeof *daemon);
    int sent = 0, answered = 0;
    double began = microseconds();
    for (int i = 0; i < clients; i++) {
        daemon[i] = (struct pollfd){.fd = socket(AF_UNIX, SOCK_STREAM, 0), .events = POLLIN};
        must(connect(daemon[i].fd, (struct sockaddr *)&at, sizeof at) == 0, "connect");
        send_all(daemon[i].fd, call, strlen(call) + 1);
        sent++;
    }
    while (answered < sent) {
        must(poll(daemon, (nfds_t)clients, -1) > 0, "poll");
        for (int i = 0; i < clients; i++) {
            if (!daemon[i].revents) continue;
            ssize_t length = recv(daemon[i].fd, reply, sizeof reply, 0);
            must(length > 0 && reply[length - 1] == 0, "recv");
            must(strstr(reply, "\"error\"") == NULL, "an error came back");
            answered++;
            if (sent >= count) continue;
            send_all(daemon[i].fd, call, strlen(call) + 1);
            sent++;
        }
    }
    printf("%.0f\n", answered / ((microseconds() - began) / 1e6));
    return 0;
}

static int sync_often(const char *path, int count) {
    static char page[4096];
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    must(file >= 0, "open");
    double began = microseconds();
    for (int i = 0; i < count; i++) {
        must(write(file, page, sizeof page) == sizeof page, "write");
        must(fsync(file) == 0, "fsync");
    }
    printf("%.0f\n", count / ((microseconds() - began) / 1e6));
    return 0;
}

int main(int count, char **words) {
    if (count == 4 && strcmp(words[1], "serve") == 0) return serve(words[2], (size_t)atol(words[3]));
    if (count == 5 && strcmp(words[1], "ask") == 0) return ask(words[2], atoi(words[3]), words[4]);
    if (count == 6 && strcmp(words[1], "watch") == 0) return watch(words[2], atoi(words[3]), atoi(words[4]), words[5]);
    if (count == 5 && strcmp(words[1], "flood") == 0) return flood(words[2], atoi(words[3]), words[4]);
    if (count == 6 && strcmp(words[1], "load") == 0) return load(words[2], atoi(words[3]), atoi(words[4]), words[5]);
    if (count == 4 && strcmp(words[1], "sync") == 0) return sync_often(words[2], atoi(words[3]));
    if (count == 4 && strcmp(words[1], "ping") == 0) {
        end = '\n';
        return ask(words[2], atoi(words[3]), "PING\r\n");
    }
    fprintf(stderr, "usage: talk serve PATH LENGTH | ask PATH COUNT CALL | ping PATH COUNT | flood PATH COUNT CALL | "
                    "watch PATH COUNT WATCHERS DURABLE | load PATH CLIENTS COUNT CALL | sync PATH COUNT\n");
    return 64;
}
