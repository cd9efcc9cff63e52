// Why this exists: curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call.
#pragma once
#include <curl/curl.h>

typedef size_t (*traitd_curl_write)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode traitd_curl_setopt_long(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode traitd_curl_setopt_string(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode traitd_curl_setopt_pointer(CURL *curl, CURLoption option, void *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode traitd_curl_setopt_write(CURL *curl, CURLoption option, traitd_curl_write value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode traitd_curl_setopt_progress(CURL *curl, curl_xferinfo_callback value) {
    return curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, value);
}
static inline CURLcode traitd_curl_getinfo_long(CURL *curl, CURLINFO info, long *value) {
    return curl_easy_getinfo(curl, info, value);
}
