#pragma once
#include <curl/curl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <signal.h>
#include <sys/socket.h>

// Linux's, left out of the Glibc module, which is built without _GNU_SOURCE.
extern int pthread_setname_np(pthread_t thread, const char *name);

// Swift does not import C variadics, and libcurl takes every option and tells every fact through one: a function for each
// type there is. Its header turns them into macros that check types, which do not read here.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static inline CURLcode assent_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// libcurl copies the text, unless the option is that of a request's body.
static inline CURLcode assent_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/// A body, a list of header lines or a callback's context: it must live as long as the transfer.
static inline CURLcode assent_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*assent_curl_data)(char *data, size_t size, size_t count, void *context);
typedef curl_socket_t (*assent_curl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode assent_curl_set_data(CURL *handle, CURLoption option, assent_curl_data callback) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode assent_curl_set_open(CURL *handle, assent_curl_open callback) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

/// A number about a transfer; 0 where there is none.
static inline long assent_curl_long(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

/// As above, of what libcurl counts in 64 bits.
static inline curl_off_t assent_curl_offset(CURL *handle, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

static inline CURLMcode assent_curl_set_multi(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// A transfer that has ended, and how; false where none has.
static inline bool assent_curl_ended(CURLM *multi, CURL **handle, CURLcode *code) {
    int left = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left)) != NULL;) {
        if (message->msg == CURLMSG_DONE) {
            *handle = message->easy_handle;
            *code = message->data.result;
            return true;
        }
    }
    return false;
}

/// The address a connection is about to be made to, of which libcurl's struct holds only the first bytes.
static inline const struct sockaddr *assent_curl_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

/// Whether the library looks names up on threads of its own.
static inline bool assent_curl_resolves_aside(void) {
    return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_ASYNCHDNS) != 0;
}
