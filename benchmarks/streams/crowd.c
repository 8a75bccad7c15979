// Thousands of HTTP clients on one thread, so that reading is not what is measured. Every client sends one request on a
// connection of its own and notes when something came of it.
//
//     crowd PORT REQUESTS streams|answers MARK
//
// REQUESTS is a file of whole requests, each ended by a NUL: a client for each. At most 256 are on their way in at once. Clients
// come from 127.0.0.2, 127.0.0.3 and so on, 20,000 from each address, since an address has only so many ports.
//
// It prints "open" when every client has its head (streams), or has sent its request (answers). Then lines on standard input:
// "wait N SECONDS" prints "seen M" once every client has seen N events (answers: one), or M of them when the time is over;
// "dump FILE" writes the moments, nanoseconds since 1970 as 64-bit numbers, client by client and N each; the end of input ends it.
// In streams an event is a block with a line that begins with MARK; in answers it is an answer, of which the status is written
// instead after all moments, as 64-bit numbers too. A connection that ends counts as it stands and is told of at the end.

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OPENING = 256, PER_ADDRESS = 20000 };

struct Client {
    int descriptor;
    const char *request;
    int is_open, is_over, has_mark, status;
    // Of the line under way: how many bytes it has, and how many of them were the mark's.
    unsigned column, matched;
    unsigned seen;
    int64_t *moments;
    unsigned room;
};

static struct Client *clients;
static size_t total, opened, begun, over;
static const char *mark;
static size_t mark_length;
static int is_streams, poller;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void begin(size_t number, uint16_t port) {
    struct Client *client = &clients[number];
    client->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (client->descriptor < 0) fail("socket");
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000002u + (uint32_t)(number / PER_ADDRESS))};
    int yes = 1;
    setsockopt(client->descriptor, IPPROTO_IP, 24 /* IP_BIND_ADDRESS_NO_PORT */, &yes, sizeof yes);
    if (bind(client->descriptor, (struct sockaddr *)&from, sizeof from) != 0) fail("bind");
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(client->descriptor, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS) fail("connect");
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.u64 = number};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, client->descriptor, &event) != 0) fail("epoll_ctl");
}

static void note(struct Client *client, int64_t moment) {
    if (client->seen == client->room) {
        client->room = client->room ? client->room * 2 : 8;
        client->moments = realloc(client->moments, client->room * sizeof *client->moments);
        if (client->moments == NULL) fail("realloc");
    }
    client->moments[client->seen++] = moment;
}

static void open_up(struct Client *client) {
    if (client->is_open) return;
    client->is_open = 1;
    opened++;
}

static void take(struct Client *client, const char *bytes, size_t length, int64_t moment) {
    if (!is_streams) {
        // The status stands in the first twelve bytes, which come together.
        if (client->seen == 0 && length >= 12) {
            client->status = atoi(bytes + 9);
            note(client, moment);
        }
        return;
    }
    const char *end = bytes + length;
    while (bytes < end) {
        while (bytes < end && client->column < mark_length && *bytes != '\n' && *bytes != '\r') {
            if (client->matched == client->column && *bytes == mark[client->column]) client->matched++;
            client->column++;
            bytes++;
        }
        const char *line = memchr(bytes, '\n', (size_t)(end - bytes));
        if (line == NULL) return;
        bytes = line + 1;
        if (client->matched == mark_length) client->has_mark = 1;
        if (client->column == 0) {
            // The head's blank line, or a block's; chunks add blank lines of their own, of which none ends a block.
            open_up(client);
            if (client->has_mark) {
                client->has_mark = 0;
                note(client, moment);
            }
        }
        client->column = 0;
        client->matched = 0;
    }
}

static void serve(struct Client *client, uint32_t happened) {
    static char buffer[1 << 16];
    if (client->is_over) return;
    if ((happened & EPOLLOUT) && client->request != NULL) {
        size_t length = strlen(client->request);
        if (send(client->descriptor, client->request, length, MSG_NOSIGNAL) == (ssize_t)length) {
            client->request = NULL;
            if (!is_streams) open_up(client);
        } else if (errno != EAGAIN) {
            fail("send");
        }
    }
    while (1) {
        ssize_t length = recv(client->descriptor, buffer, sizeof buffer, 0);
        if (length > 0) {
            take(client, buffer, (size_t)length, now());
            if ((size_t)length < sizeof buffer) return;
            continue;
        }
        if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
        client->is_over = 1;
        over++;
        close(client->descriptor);
        open_up(client);
        return;
    }
}

static size_t having_seen(unsigned wanted) {
    size_t number = 0;
    for (size_t at = 0; at < total; at++) number += clients[at].seen >= wanted;
    return number;
}

static void run(int milliseconds) {
    struct epoll_event happened[1024];
    int number = epoll_wait(poller, happened, 1024, milliseconds);
    for (int at = 0; at < number; at++) serve(&clients[happened[at].data.u64], happened[at].events);
}

static void dump(const char *path) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) fail(path);
    for (size_t at = 0; at < total; at++) fwrite(clients[at].moments, sizeof(int64_t), clients[at].seen, file);
    if (!is_streams)
        for (size_t at = 0; at < total; at++) {
            int64_t status = clients[at].status;
            fwrite(&status, sizeof status, 1, file);
        }
    fclose(file);
    puts("written");
}

int main(int arguments, char **argument) {
    if (arguments != 5) return 2;
    uint16_t port = (uint16_t)atoi(argument[1]);
    is_streams = strcmp(argument[3], "streams") == 0;
    mark = argument[4];
    mark_length = strlen(mark);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    FILE *file = fopen(argument[2], "rb");
    if (file == NULL) fail(argument[2]);
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(length + 1);
    if (text == NULL || fread(text, 1, length, file) != length) fail("requests");
    fclose(file);
    for (size_t at = 0; at < length; at++) total += text[at] == 0;
    if (total + 64 > files.rlim_max) {
        fprintf(stderr, "%zu clients, and at most %llu open files\n", total, (unsigned long long)files.rlim_max);
        return 1;
    }
    clients = calloc(total, sizeof *clients);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (clients == NULL || poller < 0) fail("start");
    const char *request = text;
    for (size_t at = 0; at < total; at++, request += strlen(request) + 1) clients[at].request = request;
    while (opened < total) {
        while (begun < total && begun - opened < MOST_OPENING) begin(begun++, port);
        run(100);
    }
    puts("open");
    fflush(stdout);
    fcntl(0, F_SETFL, O_NONBLOCK);
    static char line[4096];
    size_t filled = 0;
    unsigned wanted = 0;
    int64_t until = 0;
    while (1) {
        if (until != 0) {
            size_t number = having_seen(wanted);
            if (number == total || now() >= until) {
                printf("seen %zu\n", number);
                fflush(stdout);
                until = 0;
            }
        }
        run(until != 0 ? 5 : 20);
        ssize_t got = read(0, line + filled, sizeof line - 1 - filled);
        if (got == 0) break;
        if (got > 0) filled += (size_t)got;
        char *end;
        while ((end = memchr(line, '\n', filled)) != NULL) {
            *end = 0;
            double seconds;
            if (sscanf(line, "wait %u %lf", &wanted, &seconds) == 2) until = now() + (int64_t)(seconds * 1e9);
            if (strncmp(line, "dump ", 5) == 0) dump(line + 5), fflush(stdout);
            filled -= (size_t)(end + 1 - line);
            memmove(line, end + 1, filled);
        }
    }
    if (over > 0 && is_streams) fprintf(stderr, "%zu connections ended\n", over);
    return 0;
}
