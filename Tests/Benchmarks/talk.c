// The other end of a control socket, as fast as a client can be.
//
//   talk serve PATH LENGTH            answers every call with so many bytes, and does nothing else
//   talk ask PATH COUNT CALL          makes so many calls, one after the other; prints calls a second and a reply's length
//   talk load PATH COUNT CLIENTS CALL so many clients, each with one call at a time; prints their calls a second
//
// A call and a reply end with a NUL. A client that waits for more than a minute ends with an error.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void must(int well, const char *what) {
    if (well) return;
    perror(what);
    exit(1);
}

static struct sockaddr_un address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return address;
}

static void send_all(int to, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(to, bytes, count, MSG_NOSIGNAL);
        must(sent > 0, "send");
        bytes += sent;
        count -= (size_t)sent;
    }
}

static int serve(const char *path, size_t length) {
    static char call[65536];
    struct sockaddr_un at = address(path);
    char *reply = calloc(1, length);
    memset(reply, 'x', length - 1);
    int listening = socket(AF_UNIX, SOCK_STREAM, 0), loop = epoll_create1(0);
    must(bind(listening, (struct sockaddr *)&at, sizeof at) == 0, "bind");
    must(listen(listening, 16) == 0, "listen");
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listening};
    must(epoll_ctl(loop, EPOLL_CTL_ADD, listening, &event) == 0, "epoll_ctl");
    puts("ready");
    fflush(stdout);
    while (epoll_wait(loop, &event, 1, -1) > 0) {
        if (event.data.fd == listening) {
            event = (struct epoll_event){.events = EPOLLIN, .data.fd = accept(listening, NULL, NULL)};
            must(epoll_ctl(loop, EPOLL_CTL_ADD, event.data.fd, &event) == 0, "epoll_ctl");
            continue;
        }
        ssize_t count = recv(event.data.fd, call, sizeof call, 0);
        if (count <= 0) close(event.data.fd);
        for (ssize_t i = 0; i < count; i++)
            if (call[i] == 0) send_all(event.data.fd, reply, length);
    }
    return 1;
}

// Sends a call to whichever client has its reply, until all are answered. One client makes one call after the other.
static int ask(const char *path, int count, int clients, const char *call) {
    static char reply[1 << 20];
    struct sockaddr_un at = address(path);
    struct pollfd *daemon = calloc((size_t)clients, sizeof *daemon);
    size_t *length = calloc((size_t)clients, sizeof *length), last = 0;
    int sent = 0, answered = 0;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (; sent < clients; sent++) {
        daemon[sent] = (struct pollfd){.fd = socket(AF_UNIX, SOCK_STREAM, 0), .events = POLLIN};
        must(connect(daemon[sent].fd, (struct sockaddr *)&at, sizeof at) == 0, "connect");
        send_all(daemon[sent].fd, call, strlen(call) + 1);
    }
    while (answered < sent) {
        // A single client need not ask whose reply has come.
        if (clients > 1) must(poll(daemon, (nfds_t)clients, 60000) > 0, "no reply for a minute");
        for (int i = 0; i < clients; i++) {
            if (clients > 1 && !daemon[i].revents) continue;
            ssize_t received = recv(daemon[i].fd, reply, sizeof reply - 1, 0);
            must(received > 0, "recv");
            length[i] += (size_t)received;
            if (reply[received - 1] != 0) continue;
            must(strstr(reply, "\"error\"") == NULL, "an error came back");
            last = length[i];
            length[i] = 0;
            answered++;
            if (sent >= count) continue;
            send_all(daemon[i].fd, call, strlen(call) + 1);
            sent++;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("%.0f %zu\n", answered / seconds, last);
    return 0;
}

int main(int count, char **words) {
    if (count == 4 && strcmp(words[1], "serve") == 0) return serve(words[2], (size_t)atol(words[3]));
    if (count == 5 && strcmp(words[1], "ask") == 0) return ask(words[2], atoi(words[3]), 1, words[4]);
    if (count == 6 && strcmp(words[1], "load") == 0) return ask(words[2], atoi(words[3]), atoi(words[4]), words[5]);
    fprintf(stderr, "usage: talk serve PATH LENGTH | ask PATH COUNT CALL | load PATH COUNT CLIENTS CALL\n");
    return 64;
}
