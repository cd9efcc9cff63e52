// The yardstick: about the least that an HTTP server on one epoll loop can do for a request. It reads
// the request line and the fields to the empty line, knows no bodies, and answers every request with
// the same 400 bytes of JSON. What a real server costs beyond it is the price of what it offers.
//
//     cc -O2 -o epoll_loop epoll_loop.c && ./epoll_loop 8081
//
// Single-threaded, level-triggered, one recv and one send for each batch of pipelined requests.
//
// Two targets are more than that: /stream is answered with a head and no end, and /broadcast sends every
// such client the same 200 bytes as one chunk.

#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { INPUT_MAX = 16384, OUTPUT_MAX = 1 << 18, BODY = 400, RECORD = 200, EVENTS = 256 };

struct connection {
    int fd;
    size_t count;
    int streams;
    char input[INPUT_MAX];
};

static const char stream_head[] =
    "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
    "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";
static char record[RECORD + 16];
static size_t record_size;
static struct connection **streams;
static size_t stream_count;

static char answer[1024];
static size_t answer_size;
static char output[OUTPUT_MAX];

static void prepare_record(void) {
    char payload[RECORD + 1];
    memset(payload, 'x', RECORD);
    payload[RECORD - 1] = '\n';
    payload[RECORD] = 0;
    record_size = (size_t)snprintf(record, sizeof record, "%x\r\n%s\r\n", RECORD, payload);
}

static void prepare_answer(void) {
    char body[BODY + 1];
    int used = snprintf(body, sizeof body, "{\"value\":\"");
    memset(body + used, 'x', BODY - used - 2);
    memcpy(body + BODY - 2, "\"}", 3);
    answer_size = (size_t)snprintf(answer, sizeof answer,
        "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
        "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", BODY, body);
}

// The size of the request at `bytes`, 0 when it is incomplete, -1 when it is none.
static ssize_t parse(const char *bytes, size_t count, int *closes) {
    const char *end = bytes + count;
    const char *line_end = memchr(bytes, '\n', count);
    if (!line_end) return count == INPUT_MAX ? -1 : 0;
    const char *target = memchr(bytes, ' ', (size_t)(line_end - bytes));
    if (!target) return -1;
    const char *version = memchr(target + 1, ' ', (size_t)(line_end - target - 1));
    if (!version || line_end - version < 9 || memcmp(version + 1, "HTTP/1.", 7) != 0) return -1;
    const char *line = line_end + 1;
    for (;;) {
        line_end = memchr(line, '\n', (size_t)(end - line));
        if (!line_end) return count == INPUT_MAX ? -1 : 0;
        if (line_end - line <= 1) return line_end + 1 - bytes;
        const char *colon = memchr(line, ':', (size_t)(line_end - line));
        if (!colon) return -1;
        if (colon - line == 10 && strncasecmp(line, "connection", 10) == 0)
            *closes = memmem(colon, (size_t)(line_end - colon), "close", 5) != NULL;
        line = line_end + 1;
    }
}

static void finish(struct connection *c) {
    for (size_t i = 0; c->streams && i < stream_count; i++)
        if (streams[i] == c) streams[i] = streams[--stream_count];
    close(c->fd);
    free(c);
}

// A client that does not read its answers is beyond this program: it waits for it.
static int send_all(int fd, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return -1;
        if (sent > 0) bytes += sent, count -= (size_t)sent;
    }
    return 0;
}

static int begins(const char *bytes, size_t size, const char *line) {
    size_t count = strlen(line);
    return size >= count && memcmp(bytes, line, count) == 0;
}

static void begin_stream(struct connection *c) {
    struct connection **grown = realloc(streams, (stream_count + 1) * sizeof *streams);
    if (!grown) return;
    streams = grown;
    streams[stream_count++] = c;
    c->streams = 1;
    send_all(c->fd, stream_head, sizeof stream_head - 1);
}

static void broadcast(void) {
    for (size_t i = 0; i < stream_count; i++) send_all(streams[i]->fd, record, record_size);
}

static void serve(struct connection *c) {
    ssize_t received = recv(c->fd, c->input + c->count, INPUT_MAX - c->count, 0);
    if (received < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (received <= 0) return finish(c);
    c->count += (size_t)received;
    size_t offset = 0, pending = 0;
    int closes = 0;
    while (offset < c->count && !closes) {
        ssize_t size = parse(c->input + offset, c->count - offset, &closes);
        if (size < 0) return finish(c);
        if (size == 0) break;
        const char *request = c->input + offset;
        offset += (size_t)size;
        if (begins(request, (size_t)size, "GET /stream ")) {
            begin_stream(c);
            continue;
        }
        if (begins(request, (size_t)size, "GET /broadcast ")) broadcast();
        if (pending + answer_size > OUTPUT_MAX) {
            if (send_all(c->fd, output, pending) != 0) return finish(c);
            pending = 0;
        }
        memcpy(output + pending, answer, answer_size);
        pending += answer_size;
    }
    c->count -= offset;
    if (c->count > 0 && offset > 0) memmove(c->input, c->input + offset, c->count);
    if (pending > 0 && send_all(c->fd, output, pending) != 0) return finish(c);
    if (closes) finish(c);
}

static void accept_all(int listener, int set) {
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct connection *c = malloc(sizeof *c);
        if (!c) { close(fd); continue; }
        c->fd = fd;
        c->count = 0;
        c->streams = 0;
        struct epoll_event event = { .events = EPOLLIN, .data.ptr = c };
        if (epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) != 0) finish(c);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) return fputs("usage: epoll_loop PORT\n", stderr), 2;
    signal(SIGPIPE, SIG_IGN);
    prepare_answer();
    prepare_record();
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1])),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0
        || listen(listener, 1024) != 0)
        return perror("epoll_loop"), 1;
    int set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = NULL };
    epoll_ctl(set, EPOLL_CTL_ADD, listener, &event);
    struct epoll_event events[EVENTS];
    for (;;) {
        int count = epoll_wait(set, events, EVENTS, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr) serve(events[i].data.ptr);
            else accept_all(listener, set);
        }
    }
}
