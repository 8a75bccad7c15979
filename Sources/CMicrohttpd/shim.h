#pragma once
#include <microhttpd.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>

// Linux calls that the Glibc module leaves out, since it is built without _GNU_SOURCE.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);

// Swift does not import C variadics, and libmicrohttpd starts daemons and answers questions through them.

/// A daemon without threads or listening socket: it is run by the caller, and connections are handed to it. Null if it cannot
/// start.
static inline struct MHD_Daemon *assent_mhd_start(unsigned int flags, MHD_AccessHandlerCallback handler,
                                                  void *closure, struct MHD_OptionItem *options) {
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, closure, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// What was stored for this connection when it began.
static inline void *assent_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The connection's socket, or -1.
static inline int assent_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// The peer's address, or null.
static inline const struct sockaddr *assent_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/// Bytes from the first of the request line to the last of the blank line; 0 while the head is incomplete.
static inline size_t assent_mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// The status of the response the library has queued, its own refusals included; 0 if there is none.
static inline unsigned int assent_mhd_status(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info == NULL ? 0 : info->http_status;
}

/// Where the library's messages go, written out.
typedef struct {
    void (*report)(void *context, const char *message);
    void *context;
} assent_mhd_log;

static void assent_mhd_write_log(void *closure, const char *format, va_list arguments) {
    const assent_mhd_log *log = closure;
    char message[256];
    vsnprintf(message, sizeof message, format, arguments);
    log->report(log->context, message);
}

/// The option that sends the messages to `log`, which must live as long as the daemon. Must be the first option.
static inline struct MHD_OptionItem assent_mhd_log_option(assent_mhd_log *log) {
    struct MHD_OptionItem item = {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)&assent_mhd_write_log, log};
    return item;
}

/// The daemon's epoll descriptor, or -1.
static inline int assent_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

/// Has this response end with its connection instead of in chunks.
static inline enum MHD_Result assent_mhd_end_with_connection(struct MHD_Response *response) {
    return MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}
