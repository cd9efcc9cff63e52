// A bare client of etcd's JSON gateway: the transactions that traitd sends, without a log, sessions or checks around
// them. Each lane is a thread with one connection, and has one transaction under way.
//
// usage: etcd_load append|head ADDRESS PORT SECONDS LANES SESSIONS ENTRIES BYTES PREFIX
//
// append: each transaction appends a row of ENTRIES entries of BYTES bytes to each of SESSIONS sessions.
// head:   each transaction reads the head of one session.
// Prints one line of JSON: transactions, entries and seconds, and percentiles of the time of a transaction.

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_MAX = 4 << 20, ANSWER_MAX = 1 << 20, SAMPLES_MAX = 1 << 20 };

static const char *mode, *address, *prefix;
static int port, lanes, sessions, entries, bytes;
static double seconds;

struct lane {
    int number, fd;
    long revision, transactions, failures, samples;
    float *times;
    char *request, *body, *answer;
    pthread_t thread;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static char *base64(char *out, const char *in, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        unsigned a = (unsigned char)in[i], b = i + 1 < count ? (unsigned char)in[i + 1] : 0,
                 c = i + 2 < count ? (unsigned char)in[i + 2] : 0, word = a << 16 | b << 8 | c;
        *out++ = digits[word >> 18];
        *out++ = digits[word >> 12 & 63];
        *out++ = i + 1 < count ? digits[word >> 6 & 63] : '=';
        *out++ = i + 2 < count ? digits[word & 63] : '=';
    }
    return out;
}

static char *text(char *out, const char *in) { return out + sprintf(out, "%s", in); }

static char *key(char *out, const char *kind, struct lane *lane, int session, long revision) {
    char name[160];
    int count = revision < 0
        ? snprintf(name, sizeof name, "%s/%s/%08d%04d", prefix, kind, lane->number, session)
        : snprintf(name, sizeof name, "%s/%s/%08d%04d/%016lx", prefix, kind, lane->number, session, revision);
    return base64(out, name, (size_t)count);
}

static char *head(char *out, long revision) {
    char value[64];
    return base64(out, value, (size_t)snprintf(value, sizeof value, "%ld 0123456789abcdef session", revision));
}

// The body of the next transaction.
static size_t write_body(struct lane *lane, const char *row) {
    char *out = lane->body;
    if (strcmp(mode, "head") == 0) {
        out = text(out, "{\"compare\":[],\"success\":[{\"request_range\":{\"key\":\"");
        out = text(key(out, "head", lane, 0, -1), "\"}}],\"failure\":[]}");
        return (size_t)(out - lane->body);
    }
    long next = lane->revision + entries;
    out = text(out, "{\"compare\":[");
    for (int s = 0; s < sessions; s++) {
        out = text(out, s ? ",{\"result\":\"EQUAL\",\"target\":\"" : "{\"result\":\"EQUAL\",\"target\":\"");
        out = text(out, lane->revision ? "VALUE\",\"key\":\"" : "CREATE\",\"key\":\"");
        out = key(out, "head", lane, s, -1);
        if (lane->revision) {
            out = text(head(text(out, "\",\"value\":\""), lane->revision), "\"}");
        } else {
            out = text(out, "\",\"create_revision\":0}");
        }
    }
    out = text(out, "],\"success\":[");
    for (int s = 0; s < sessions; s++) {
        out = text(out, s ? ",{\"request_put\":{\"key\":\"" : "{\"request_put\":{\"key\":\"");
        out = text(key(out, "log", lane, s, next), "\",\"value\":\"");
        out = text(base64(out, row, (size_t)entries * (size_t)bytes), "\"}},{\"request_put\":{\"key\":\"");
        out = text(head(text(key(out, "head", lane, s, -1), "\",\"value\":\""), next), "\"}}");
    }
    if (sessions == 1) {
        out = text(out, ",{\"request_range\":{\"key\":\"");
        out = text(key(out, "turn", lane, 0, -1), "\"}}");
    }
    out = text(out, "],\"failure\":[");
    for (int s = 0; s < sessions; s++) {
        out = text(out, s ? ",{\"request_range\":{\"key\":\"" : "{\"request_range\":{\"key\":\"");
        out = text(key(out, "head", lane, s, -1), "\"}}");
    }
    return (size_t)(text(out, "]}") - lane->body);
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void open_connection(struct lane *lane) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    if (inet_pton(AF_INET, address, &place.sin_addr) != 1) fail("address");
    lane->fd = socket(AF_INET, SOCK_STREAM, 0);
    int one = 1;
    setsockopt(lane->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(lane->fd, (struct sockaddr *)&place, sizeof place)) fail("connect");
}

// Sends a request, and returns the answer's body.
static const char *exchange(struct lane *lane, size_t count) {
    size_t begin = (size_t)sprintf(
        lane->request,
        "POST /v3/kv/txn HTTP/1.1\r\nHost: etcd\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", count);
    memcpy(lane->request + begin, lane->body, count);
    for (size_t sent = 0; sent < begin + count;) {
        ssize_t wrote = write(lane->fd, lane->request + sent, begin + count - sent);
        if (wrote <= 0) fail("write");
        sent += (size_t)wrote;
    }
    size_t have = 0;
    for (;;) {
        ssize_t got = read(lane->fd, lane->answer + have, ANSWER_MAX - 1 - have);
        if (got <= 0) fail("read");
        have += (size_t)got;
        lane->answer[have] = 0;
        char *end = strstr(lane->answer, "\r\n\r\n"), *length = strcasestr(lane->answer, "content-length:");
        if (end && length && have >= (size_t)(end + 4 - lane->answer) + strtoul(length + 15, NULL, 10)) return end + 4;
    }
}

static void *run(void *context) {
    struct lane *lane = context;
    char *row = malloc((size_t)entries * (size_t)bytes + 1);
    srandom((unsigned)lane->number);
    // As incompressible as base64 of deflated rows is.
    for (long i = 0; i < (long)entries * bytes; i++) row[i] = (char)random();
    open_connection(lane);
    double end = now() + seconds;
    for (double begin = now(); begin < end;) {
        const char *answer = exchange(lane, write_body(lane, row));
        double after = now();
        if (strcmp(mode, "append") == 0 && !strstr(answer, "\"succeeded\":true")) lane->failures++;
        lane->revision += entries;
        lane->transactions++;
        if (lane->samples < SAMPLES_MAX) lane->times[lane->samples++] = (float)(after - begin);
        begin = after;
    }
    return NULL;
}

static int ascending(const void *a, const void *b) {
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

int main(int count, char **arguments) {
    if (count != 10) {
        fprintf(stderr, "usage: etcd_load append|head ADDRESS PORT SECONDS LANES SESSIONS ENTRIES BYTES PREFIX\n");
        return 64;
    }
    mode = arguments[1], address = arguments[2], port = atoi(arguments[3]), seconds = atof(arguments[4]);
    lanes = atoi(arguments[5]), sessions = atoi(arguments[6]), entries = atoi(arguments[7]);
    bytes = atoi(arguments[8]), prefix = arguments[9];
    struct lane *all = calloc((size_t)lanes, sizeof *all);
    double begin = now();
    for (int i = 0; i < lanes; i++) {
        all[i].number = i;
        all[i].times = malloc(SAMPLES_MAX * sizeof(float));
        all[i].request = malloc(REQUEST_MAX), all[i].body = malloc(REQUEST_MAX), all[i].answer = malloc(ANSWER_MAX);
        pthread_create(&all[i].thread, NULL, run, &all[i]);
    }
    long transactions = 0, failures = 0, samples = 0;
    float *times = malloc((size_t)lanes * SAMPLES_MAX * sizeof(float));
    for (int i = 0; i < lanes; i++) {
        pthread_join(all[i].thread, NULL);
        transactions += all[i].transactions, failures += all[i].failures;
        memcpy(times + samples, all[i].times, (size_t)all[i].samples * sizeof(float));
        samples += all[i].samples;
    }
    double took = now() - begin;
    qsort(times, (size_t)samples, sizeof(float), ascending);
    printf("{\"transactions\":%ld,\"entries\":%ld,\"failures\":%ld,\"seconds\":%.3f,\"p50\":%.6f,\"p99\":%.6f}\n",
           transactions, transactions * entries * sessions, failures, took, (double)times[samples / 2],
           (double)times[samples * 99 / 100]);
    return 0;
}
