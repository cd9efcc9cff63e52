// Loads libcurl and makes one blocking request at a time with it. The prototypes and numbers are those of
// libcurl's stable interface (curl.h, multi.h), so building needs no headers of it. The multi interface
// is used because it alone can be woken up from another thread (since 7.68).

#include "ccurlclient.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void Easy;
typedef void Multi;
struct slist;

typedef struct {
    int kind;
    Easy *easy;
    union {
        void *pointer;
        int result;
    } data;
} Message;

enum {
    DONE = 1,
    OK = 0,
    COULD_NOT_RESOLVE = 6,
    COULD_NOT_CONNECT = 7,
    TLS_FAILED = 35,
    BAD_CERTIFICATE = 58,
    PEER_NOT_VERIFIED = 60,
    BAD_CA_FILE = 77,
    OUT_OF_MEMORY = 27,
    TIMED_OUT = 28,
    HTTP_1_1 = 2,
    HTTP_AND_HTTPS = 3,
    REASON_BYTES = 256,

    POST = 47,
    HTTP_GET = 80,
    FOLLOW_LOCATION = 52,
    HTTP_VERSION = 84,
    NO_SIGNAL = 99,
    TCP_NO_DELAY = 121,
    TIMEOUT_MS = 155,
    CONNECT_TIMEOUT_MS = 156,
    PROTOCOLS = 181,
    TCP_KEEP_ALIVE = 213,
    TCP_KEEP_IDLE = 214,
    TCP_KEEP_INTERVAL = 215,
    MAX_AGE_CONNECTION = 288,
    WRITE_DATA = 10001,
    URL = 10002,
    PROXY = 10004,
    ERROR_BUFFER = 10010,
    POST_FIELDS = 10015,
    HTTP_HEADER = 10023,
    CERTIFICATE = 10025,
    CA_FILE = 10065,
    KEY = 10087,
    WRITE_FUNCTION = 20011,
    POST_FIELD_SIZE = 30120,
    RESPONSE_CODE = 0x200002,
    PRETRANSFER_TIME = 0x300006,

    CONNECT_LIMIT_MS = 300,
    POLL_MS = 1000,
};

static struct {
    int (*global_init)(long);
    Easy *(*easy_init)(void);
    void (*easy_cleanup)(Easy *);
    void (*easy_reset)(Easy *);
    int (*easy_setopt)(Easy *, int, ...);
    int (*easy_getinfo)(Easy *, int, ...);
    const char *(*easy_strerror)(int);
    Multi *(*multi_init)(void);
    int (*multi_cleanup)(Multi *);
    int (*multi_add_handle)(Multi *, Easy *);
    int (*multi_remove_handle)(Multi *, Easy *);
    int (*multi_perform)(Multi *, int *);
    int (*multi_poll)(Multi *, void *, unsigned, int, int *);
    int (*multi_wakeup)(Multi *);
    Message *(*multi_info_read)(Multi *, int *);
    struct slist *(*slist_append)(struct slist *, const char *);
    void (*slist_free_all)(struct slist *);
} api;

static const char *failure = "libcurl was not loaded";

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        failure = "libcurl.so.4 cannot be loaded: install libcurl4";
        return;
    }
    const struct {
        const char *name;
        void *place;
    } symbols[] = {
        {"curl_global_init", &api.global_init},
        {"curl_easy_init", &api.easy_init},
        {"curl_easy_cleanup", &api.easy_cleanup},
        {"curl_easy_reset", &api.easy_reset},
        {"curl_easy_setopt", &api.easy_setopt},
        {"curl_easy_getinfo", &api.easy_getinfo},
        {"curl_easy_strerror", &api.easy_strerror},
        {"curl_multi_init", &api.multi_init},
        {"curl_multi_cleanup", &api.multi_cleanup},
        {"curl_multi_add_handle", &api.multi_add_handle},
        {"curl_multi_remove_handle", &api.multi_remove_handle},
        {"curl_multi_perform", &api.multi_perform},
        {"curl_multi_poll", &api.multi_poll},
        {"curl_multi_wakeup", &api.multi_wakeup},
        {"curl_multi_info_read", &api.multi_info_read},
        {"curl_slist_append", &api.slist_append},
        {"curl_slist_free_all", &api.slist_free_all},
    };
    for (size_t at = 0; at < sizeof symbols / sizeof symbols[0]; at++) {
        void *symbol = dlsym(library, symbols[at].name);
        if (!symbol) {
            failure = "libcurl.so.4 is older than 7.68: install a newer libcurl4";
            return;
        }
        memcpy(symbols[at].place, &symbol, sizeof symbol);
    }
    failure = api.global_init(3) == OK ? NULL : "libcurl cannot be initialised";
}

const char *traitd_curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return failure;
}

struct traitd_curl {
    Easy *easy;
    Multi *multi;
    struct slist *headers;
    char reason[REASON_BYTES];
    atomic_int is_cancelled;
};

traitd_curl *traitd_curl_make(void) {
    if (traitd_curl_load()) return NULL;
    traitd_curl *curl = calloc(1, sizeof *curl);
    if (!curl) return NULL;
    curl->easy = api.easy_init();
    curl->multi = api.multi_init();
    if (curl->easy && curl->multi) return curl;
    traitd_curl_free(curl);
    return NULL;
}

void traitd_curl_free(traitd_curl *curl) {
    if (curl->easy) api.easy_cleanup(curl->easy);
    if (curl->multi) api.multi_cleanup(curl->multi);
    api.slist_free_all(curl->headers);
    free(curl);
}

void traitd_curl_cancel(traitd_curl *curl) {
    atomic_store(&curl->is_cancelled, 1);
    api.multi_wakeup(curl->multi);
}

/// Sets what requests to one address have in common.
static int prepare(traitd_curl *curl, const traitd_curl_request *request) {
    int (*set)(Easy *, int, ...) = api.easy_setopt;
    Easy *easy = curl->easy;
    api.easy_reset(easy);
    api.slist_free_all(curl->headers);
    curl->headers = NULL;
    for (const char *const *header = request->headers; *header; header++) {
        struct slist *longer = api.slist_append(curl->headers, *header);
        if (!longer) return OUT_OF_MEMORY;
        curl->headers = longer;
    }
    // Without the error buffer, and with an older library's lack of a nicety, transfers work as well.
    set(easy, ERROR_BUFFER, curl->reason);
    set(easy, MAX_AGE_CONNECTION, 300L);
    int failed = set(easy, URL, request->url) || set(easy, HTTP_HEADER, curl->headers)
        || set(easy, WRITE_FUNCTION, request->sink)
        || set(easy, NO_SIGNAL, 1L) || set(easy, TCP_NO_DELAY, 1L) || set(easy, PROXY, "")
        || set(easy, FOLLOW_LOCATION, 0L) || set(easy, HTTP_VERSION, (long)HTTP_1_1)
        || set(easy, PROTOCOLS, (long)HTTP_AND_HTTPS)
        || set(easy, CONNECT_TIMEOUT_MS, (long)CONNECT_LIMIT_MS)
        || set(easy, TCP_KEEP_ALIVE, 1L) || set(easy, TCP_KEEP_IDLE, 5L)
        || set(easy, TCP_KEEP_INTERVAL, 2L)
        || set(easy, request->body ? POST : HTTP_GET, 1L);
    if (!failed && request->ca_file) failed = set(easy, CA_FILE, request->ca_file);
    if (!failed && request->certificate_file)
        failed = set(easy, CERTIFICATE, request->certificate_file);
    if (!failed && request->key_file) failed = set(easy, KEY, request->key_file);
    return failed;
}

/// Sets what is of one request. The handle keeps pointers to it, which the next request replaces.
static int set_up(traitd_curl *curl, const traitd_curl_request *request) {
    int (*set)(Easy *, int, ...) = api.easy_setopt;
    int failed = set(curl->easy, WRITE_DATA, request->context)
        || set(curl->easy, TIMEOUT_MS, request->timeout_ms);
    if (!failed && request->body)
        failed = set(curl->easy, POST_FIELD_SIZE, (int64_t)request->body_bytes)
            || set(curl->easy, POST_FIELDS, request->body);
    return failed;
}

/// Runs the transfer of a handle that was added. Returns libcurl's code, or -1 when it was cancelled.
static int run(traitd_curl *curl) {
    int running = 1;
    while (1) {
        if (atomic_load(&curl->is_cancelled)) return -1;
        if (api.multi_perform(curl->multi, &running)) return OUT_OF_MEMORY;
        int left;
        Message *message;
        while ((message = api.multi_info_read(curl->multi, &left))) {
            if (message->kind == DONE) return message->data.result;
        }
        if (!running) return OUT_OF_MEMORY;
        api.multi_poll(curl->multi, NULL, 0, POLL_MS, NULL);
    }
}

void traitd_curl_post(
    traitd_curl *curl, const traitd_curl_request *request, traitd_curl_result *result) {
    memset(result, 0, sizeof *result);
    result->was_not_sent = 1;
    curl->reason[0] = 0;
    if (!request->is_like_last) result->code = prepare(curl, request);
    if (!result->code) result->code = set_up(curl, request);
    if (!result->code && api.multi_add_handle(curl->multi, curl->easy)) result->code = OUT_OF_MEMORY;
    if (!result->code) {
        int code = run(curl);
        // Zero until the connection is made.
        double connected = 0;
        api.easy_getinfo(curl->easy, PRETRANSFER_TIME, &connected);
        result->is_cancelled = code == -1;
        result->code = code;
        result->was_not_sent = code == COULD_NOT_RESOLVE || code == COULD_NOT_CONNECT
            || code == TLS_FAILED || code == BAD_CERTIFICATE || code == PEER_NOT_VERIFIED
            || code == BAD_CA_FILE || (code == TIMED_OUT && connected == 0);
        api.easy_getinfo(curl->easy, RESPONSE_CODE, &result->status);
        api.multi_remove_handle(curl->multi, curl->easy);
    }
    if (!result->code) return;
    const char *text = curl->reason[0] ? curl->reason
        : result->code > 0 ? api.easy_strerror(result->code) : "cancelled";
    snprintf(result->reason, sizeof result->reason, "%s", text);
}
