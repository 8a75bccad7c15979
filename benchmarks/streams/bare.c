// The least that libmicrohttpd can do for event streams: one epoll thread, a content reader that suspends when it has nothing,
// and a publisher that resumes whoever sleeps. No keys, no filters, no heartbeat, no database. What `streams.py` measures next
// to it is what everything else costs.
//
//     bare PORT POOL-BYTES CONNECTIONS
//
// Events come on standard input: their length in bytes on a line, then the bytes. For each it prints the moment, in nanoseconds
// since 1970, before the first reader is woken.

#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

struct Event {
    size_t length;
    char *bytes;
};

struct Stream {
    struct MHD_Connection *connection;
    size_t next;
    size_t sent;
    int is_suspended;
    struct Stream *before, *after;
};

// All under the lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Event events[100000];
static size_t count = 0;
static struct Stream all = {.before = &all, .after = &all};

static ssize_t read_some(void *closure, uint64_t position, char *buffer, size_t room) {
    struct Stream *stream = closure;
    (void)position;
    pthread_mutex_lock(&lock);
    size_t filled = 0;
    while (filled < room && stream->next < count) {
        const struct Event *event = &events[stream->next];
        size_t piece = event->length - stream->sent;
        if (piece > room - filled) piece = room - filled;
        memcpy(buffer + filled, event->bytes + stream->sent, piece);
        filled += piece;
        stream->sent += piece;
        if (stream->sent == event->length) {
            stream->next++;
            stream->sent = 0;
        }
    }
    if (filled == 0) {
        stream->is_suspended = 1;
        MHD_suspend_connection(stream->connection);
    }
    pthread_mutex_unlock(&lock);
    return (ssize_t)filled;
}

static void release(void *closure) {
    struct Stream *stream = closure;
    pthread_mutex_lock(&lock);
    stream->before->after = stream->after;
    stream->after->before = stream->before;
    pthread_mutex_unlock(&lock);
    free(stream);
}

static enum MHD_Result answer(void *closure, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *size, void **context) {
    (void)closure, (void)url, (void)method, (void)version, (void)upload, (void)size;
    static int seen;
    if (*context == NULL) {
        *context = &seen;
        return MHD_YES;
    }
    struct Stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) return MHD_NO;
    stream->connection = connection;
    pthread_mutex_lock(&lock);
    stream->next = count;
    stream->before = &all;
    stream->after = all.after;
    all.after->before = stream;
    all.after = stream;
    pthread_mutex_unlock(&lock);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, read_some, stream, release);
    if (response == NULL) return MHD_NO;
    MHD_add_response_header(response, "Content-Type", "text/event-stream");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    enum MHD_Result result = MHD_queue_response(connection, 200, response);
    MHD_destroy_response(response);
    return result;
}

static int bell;

// The epoll thread. The library's own waits without limit after exactly 128 events, with all of them unserved (0.9.75).
static void *run(void *daemon) {
    struct pollfd ready[] = {
        {.fd = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, .events = POLLIN},
        {.fd = bell, .events = POLLIN},
    };
    uint64_t rings;
    while (read(bell, &rings, sizeof rings) > 0 || poll(ready, 2, -1) > 0) {
        MHD_UNSIGNED_LONG_LONG limit;
        do MHD_run_wait(daemon, 0);
        while (MHD_get_timeout(daemon, &limit) == MHD_YES && limit == 0);
    }
    return NULL;
}

int main(int arguments, char **argument) {
    if (arguments != 4) return 2;
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, (uint16_t)atoi(argument[1]), NULL, NULL, answer, NULL,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)atol(argument[2]), MHD_OPTION_CONNECTION_LIMIT,
        (unsigned int)atol(argument[3]), MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096u, MHD_OPTION_END);
    pthread_t thread;
    bell = eventfd(0, EFD_NONBLOCK);
    if (daemon == NULL || bell < 0 || pthread_create(&thread, NULL, run, daemon) != 0) return 1;
    puts("listening");
    fflush(stdout);
    size_t length;
    while (scanf("%zu", &length) == 1 && getchar() == '\n' && count < sizeof events / sizeof *events) {
        char *bytes = malloc(length);
        if (bytes == NULL || fread(bytes, 1, length, stdin) != length) break;
        struct timespec now;
        pthread_mutex_lock(&lock);
        clock_gettime(CLOCK_REALTIME, &now);
        events[count].length = length;
        events[count].bytes = bytes;
        count++;
        for (struct Stream *stream = all.after; stream != &all; stream = stream->after)
            if (stream->is_suspended) {
                stream->is_suspended = 0;
                MHD_resume_connection(stream->connection);
            }
        pthread_mutex_unlock(&lock);
        eventfd_write(bell, 1);
        printf("%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
        fflush(stdout);
    }
    // Everything is thrown away with the process: the library would abort over what is suspended.
    _Exit(0);
}
