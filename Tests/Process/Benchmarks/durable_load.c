// A closed loop of writers: each has a connection, sends a write, waits for the whole answer, and sends the
// next one. One thread with epoll, so that it costs less than what it measures.
//
// usage: durable_load http|etcd|resp HOST PORT WRITERS SECONDS
// Prints "writes seconds p50 p99" with latencies in microseconds.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 8192, BUCKETS = 40000, BUCKET_MICROSECONDS = 25 };

typedef struct {
    int descriptor;
    int number;
    long value;
    double sentAt;
    size_t have;
    char in[BUFFER];
} Writer;

static const char *host, *mode;
static long latencies[BUCKETS];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const char *what) {
    fprintf(stderr, "durable_load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static size_t base64(const char *text, size_t count, char *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t size = 0;
    for (size_t at = 0; at < count; at += 3) {
        unsigned value = (unsigned char)text[at] << 16;
        if (at + 1 < count) value |= (unsigned char)text[at + 1] << 8;
        if (at + 2 < count) value |= (unsigned char)text[at + 2];
        out[size++] = digits[value >> 18];
        out[size++] = digits[value >> 12 & 63];
        out[size++] = at + 1 < count ? digits[value >> 6 & 63] : '=';
        out[size++] = at + 2 < count ? digits[value & 63] : '=';
    }
    out[size] = 0;
    return size;
}

static void sendNext(Writer *writer) {
    char body[64], out[1024];
    // Every value is new: a write that changes nothing would be no commit.
    int bodySize = snprintf(body, sizeof body, "{\"value\":%ld}", ++writer->value);
    int size;
    if (!strcmp(mode, "http")) {
        size = snprintf(out, sizeof out,
                        "PUT /v1/sessions/bench/nodes/n%d/overrides/level HTTP/1.1\r\n"
                        "Host: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
                        writer->number, host, bodySize, body);
    } else if (!strcmp(mode, "etcd")) {
        char key[64], keyText[96], valueText[128], json[320];
        snprintf(key, sizeof key, "bench/n%d/level", writer->number);
        base64(key, strlen(key), keyText);
        base64(body, (size_t)bodySize, valueText);
        int jsonSize = snprintf(json, sizeof json, "{\"key\":\"%s\",\"value\":\"%s\"}", keyText, valueText);
        size = snprintf(out, sizeof out,
                        "POST /v3/kv/put HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                        "Content-Length: %d\r\n\r\n%s", host, jsonSize, json);
    } else {
        char field[32];
        snprintf(field, sizeof field, "n%d/level", writer->number);
        size = snprintf(out, sizeof out, "*4\r\n$4\r\nHSET\r\n$5\r\nbench\r\n$%zu\r\n%s\r\n$%d\r\n%s\r\n",
                        strlen(field), field, bodySize, body);
    }
    writer->have = 0;
    writer->sentAt = now();
    if (send(writer->descriptor, out, (size_t)size, MSG_NOSIGNAL) != size) fail("send");
}

// Whether the answer is whole. Ends the run when it is no success.
static int isWhole(Writer *writer) {
    writer->in[writer->have] = 0;
    if (!strcmp(mode, "resp")) {
        if (writer->have && writer->in[0] != ':') {
            fprintf(stderr, "durable_load: %s\n", writer->in);
            exit(1);
        }
        return writer->have >= 2 && writer->in[writer->have - 1] == '\n';
    }
    char *end = strstr(writer->in, "\r\n\r\n");
    if (!end) return 0;
    if (strncmp(writer->in, "HTTP/1.1 20", 11)) {
        fprintf(stderr, "durable_load: %s\n", writer->in);
        exit(1);
    }
    char *length = strcasestr(writer->in, "\r\ncontent-length:");
    if (length && length < end)
        return writer->have >= (size_t)(end + 4 - writer->in) + (size_t)atol(length + 17);
    return strstr(end, "0\r\n\r\n") != NULL;
}

static double percentile(long count, double share) {
    long seen = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++)
        if ((seen += latencies[bucket]) >= (long)((double)count * share))
            return (double)(bucket + 1) * BUCKET_MICROSECONDS;
    return (double)BUCKETS * BUCKET_MICROSECONDS;
}

int main(int count, char **arguments) {
    if (count != 6) {
        fprintf(stderr, "usage: durable_load http|etcd|resp HOST PORT WRITERS SECONDS\n");
        return 2;
    }
    mode = arguments[1];
    host = arguments[2];
    int writers = atoi(arguments[4]);
    double seconds = atof(arguments[5]);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[3]))};
    inet_pton(AF_INET, host, &address.sin_addr);
    int poller = epoll_create1(0);
    Writer *all = calloc((size_t)writers, sizeof *all);
    for (int number = 0; number < writers; number++) {
        Writer *writer = &all[number];
        writer->number = number;
        // Runs one after another do not write the same values.
        writer->value = (long)(now() * 1000) % 1000000 * 1000;
        writer->descriptor = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(writer->descriptor, (struct sockaddr *)&address, sizeof address)) fail("connect");
        int on = 1;
        setsockopt(writer->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = writer};
        epoll_ctl(poller, EPOLL_CTL_ADD, writer->descriptor, &event);
    }
    double start = now(), end = start + seconds;
    for (int number = 0; number < writers; number++) sendNext(&all[number]);
    long done = 0;
    double time = start;
    while ((time = now()) < end) {
        struct epoll_event events[256];
        int ready = epoll_wait(poller, events, 256, 100);
        for (int at = 0; at < ready; at++) {
            Writer *writer = events[at].data.ptr;
            ssize_t got = recv(writer->descriptor, writer->in + writer->have,
                               BUFFER - 1 - writer->have, MSG_DONTWAIT);
            if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
            if (got <= 0) fail("recv");
            writer->have += (size_t)got;
            if (!isWhole(writer)) continue;
            long bucket = (long)((now() - writer->sentAt) * 1e6) / BUCKET_MICROSECONDS;
            latencies[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
            done++;
            sendNext(writer);
        }
    }
    printf("%ld %.3f %.0f %.0f\n", done, time - start, percentile(done, 0.5), percentile(done, 0.99));
    return 0;
}
