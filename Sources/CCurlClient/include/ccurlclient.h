// Why this exists: libcurl's option calls are variadic, which Swift cannot call, and a server whose log is
// in a directory must neither be linked with libcurl nor need it. The library is loaded at run time.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// A connection: one transfer at a time, kept alive for the next one.
typedef struct traitd_curl traitd_curl;

/// Takes bytes of an answer and returns how many it took. Fewer than `size * count` end the transfer.
typedef size_t (*traitd_curl_sink)(char *bytes, size_t size, size_t count, void *context);

/// A POST request, or a GET request when `body` is NULL. All pointers stay valid during the call. NULL leaves an
/// optional string out.
typedef struct {
    const char *url;
    const char *const *headers;  // ends with NULL
    const void *body;  // NULL for GET
    size_t body_bytes;
    long timeout_ms;  // of the whole transfer; 0 for none
    const char *ca_file;
    const char *certificate_file;
    const char *key_file;
    traitd_curl_sink sink;
    void *context;
    // Whether the connection's last request succeeded and differed in its body, time and context alone. Then nothing
    // else is looked at.
    int is_like_last;
} traitd_curl_request;

/// How a transfer ended.
typedef struct {
    int code;          // libcurl's, 0 when the answer came whole
    int is_cancelled;
    int was_not_sent;  // no connection was made, so the server has seen nothing of the request
    long status;       // of HTTP, 0 without one
    char reason[256];
} traitd_curl_result;

/// Loads the library once. Returns NULL, or why it cannot be used.
const char *traitd_curl_load(void);

/// NULL when memory is short or the library is not loaded.
traitd_curl *traitd_curl_make(void);

/// Ends the connection. No call on it may be under way.
void traitd_curl_free(traitd_curl *curl);

/// Blocks until the answer is there, the time is over, or the connection is cancelled.
void traitd_curl_post(
    traitd_curl *curl, const traitd_curl_request *request, traitd_curl_result *result);

/// Ends the transfer that is under way, and every later one. By any thread.
void traitd_curl_cancel(traitd_curl *curl);
