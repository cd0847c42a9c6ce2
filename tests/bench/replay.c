/* replay PROCESSES NAME[,ONLY]=URL...: other companies' services and nodes, without the time that they take.
 * Under /NAME/... each question is put to its service once, and from then on answered with what that said. Of
 * a NAME with ONLY, questions whose body does not contain that text are passed on each time.
 *
 * It prints its port, and ends with its parent. Under its own path:
 *
 *   /_/asked       what has been asked, as a JSON list, and how often
 *   /_/NAME/MS     answers of NAME come after so many milliseconds from now on
 *   /_/NAME/HOW    stalled: they never come; garbage: they are none */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SERVICES_MAX = 16,
    ANSWERS_MAX = 1 << 16,
    BYTES_MAX = 1 << 28,
    REQUEST_MAX = 1 << 16,
    HEADERS_MAX = 32,
    BACKLOG = 1024,
    EVENTS = 64,
};

enum { STALLED = -1, GARBAGE = -2 };

static const char GARBAGE_ANSWER[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 11\r\n\r\n<html>Busy!";

/* Bytes of shared memory. */
struct part {
    size_t at, len;
};

struct answer {
    uint64_t hash; /* of the question */
    struct part question, response;
    uint64_t asked;
};

static struct {
    int after_ms[SERVICES_MAX]; /* how services answer; or STALLED, or GARBAGE */
    bool busy;
    size_t count, used;
    struct answer answers[ANSWERS_MAX];
    char bytes[BYTES_MAX];
} * shared;

static struct {
    const char *name, *url, *only; /* NULL: all */
} services[SERVICES_MAX];
static int services_count;

struct connection {
    int fd;
    char in[REQUEST_MAX + 1];
    size_t len;
    int64_t due_us; /* of the answer; 0: none waits */
    struct part response;
    struct connection *next; /* of those whose answers wait */
};

struct request {
    char *method, *path, *headers, *body; /* within the connection's bytes; the path begins behind the name */
    char whole_path[2048];
    size_t body_len;
    int service;
};

static struct connection *waiting;
static int events;
static CURL *origin;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int64_t now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- what was answered ---- */

static void lock(void)
{
    while (__atomic_test_and_set(&shared->busy, __ATOMIC_ACQUIRE))
        continue;
}

static void unlock(void)
{
    __atomic_clear(&shared->busy, __ATOMIC_RELEASE);
}

/* With the lock. */
static struct part keep(const char *p, size_t len)
{
    struct part kept = { shared->used, len };

    if (shared->used + len > BYTES_MAX) {
        fputs("replay: too much was answered\n", stderr);
        exit(1);
    }
    memcpy(shared->bytes + kept.at, p, len);
    shared->used += len;
    return kept;
}

static uint64_t hash_add(uint64_t h, const char *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)p[i]) * 1099511628211u;
    return h;
}

static uint64_t hash_of(const struct request *r)
{
    uint64_t h = hash_add(14695981039346656037u, r->whole_path, strlen(r->whole_path) + 1);

    return hash_add(h, r->body, r->body_len) | 1;
}

/* Its place: free, if this has not been asked yet. */
static struct answer *answer_find(uint64_t hash)
{
    size_t i = hash % ANSWERS_MAX;

    while (shared->answers[i].hash != 0 && shared->answers[i].hash != hash)
        i = (i + 1) % ANSWERS_MAX;
    return &shared->answers[i];
}

/* ---- asking ---- */

struct text {
    char *p;
    size_t len;
};

static size_t collect(char *p, size_t size, size_t n, void *to)
{
    struct text *t = to;

    t->p = realloc(t->p, t->len + size * n + 1);
    if (t->p == NULL)
        die("memory");
    memcpy(t->p + t->len, p, size * n);
    t->len += size * n;
    return size * n;
}

/* But for those that concern the connection. */
static struct curl_slist *headers_of(char *lines)
{
    static const char *const own[] = { "host:", "connection:", "accept-encoding:", "content-length:",
                                       "expect:" };
    struct curl_slist *list = NULL;
    char *rest = NULL;

    for (char *line = strtok_r(lines, "\r\n", &rest); line != NULL; line = strtok_r(NULL, "\r\n", &rest)) {
        bool is_own = false;

        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
            is_own |= strncasecmp(line, own[i], strlen(own[i])) == 0;
        if (!is_own)
            list = curl_slist_append(list, line);
    }
    return list;
}

static long fetch(struct text *body, struct request *r)
{
    struct curl_slist *headers = headers_of(r->headers);
    char url[4096];
    long status = 502;

    snprintf(url, sizeof url, "%s%s", services[r->service].url, r->path);
    curl_easy_reset(origin);
    curl_easy_setopt(origin, CURLOPT_URL, url);
    curl_easy_setopt(origin, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(origin, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(origin, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(origin, CURLOPT_WRITEDATA, body);
    if (strcmp(r->method, "POST") == 0) {
        curl_easy_setopt(origin, CURLOPT_POSTFIELDSIZE, (long)r->body_len);
        curl_easy_setopt(origin, CURLOPT_POSTFIELDS, r->body);
    }
    if (curl_easy_perform(origin) == CURLE_OK)
        curl_easy_getinfo(origin, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    return status;
}

static struct part ask(struct request *r)
{
    struct text body = { NULL, 0 };
    long status = fetch(&body, r);
    struct part kept;
    char head[256];
    int n = snprintf(head, sizeof head,
                     "HTTP/1.1 %ld Said\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                     status, body.len);

    lock();
    kept = keep(head, (size_t)n);
    kept.len += keep(body.p, body.len).len;
    unlock();
    free(body.p);
    return kept;
}

static bool is_kept(const struct request *r)
{
    const char *only = services[r->service].only;

    return only == NULL || memmem(r->body, r->body_len, only, strlen(only)) != NULL;
}

/* What is passed on takes memory too, until the end. */
static struct part answer_to(struct request *r)
{
    uint64_t hash = hash_of(r);
    struct answer *a = answer_find(hash);
    char question[REQUEST_MAX + 4096];
    struct part response;
    int n;

    if (!is_kept(r))
        return ask(r);
    if (a->hash == 0) {
        n = snprintf(question, sizeof question, "%s\t%s\t%.*s", r->method, r->whole_path, (int)r->body_len,
                     r->body);
        response = ask(r);
        lock();
        a = answer_find(hash);
        a->question = keep(question, (size_t)n);
        a->response = response;
        __atomic_store_n(&a->hash, hash, __ATOMIC_RELEASE);
        unlock();
    }
    __atomic_add_fetch(&a->asked, 1, __ATOMIC_RELAXED);
    return a->response;
}

/* ---- its own pages ---- */

static void text_add(struct text *t, const char *p, size_t len)
{
    (void)collect((char *)(uintptr_t)p, 1, len, t);
}

static void text_add_json(struct text *t, const char *p, size_t len)
{
    char escaped[8];

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)p[i];

        if (c < ' ')
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
        else
            snprintf(escaped, sizeof escaped, "%s%c", c == '"' || c == '\\' ? "\\" : "", c);
        text_add(t, escaped, strlen(escaped));
    }
}

static void say(int fd, const struct text *t)
{
    char head[128];
    int n =
        snprintf(head, sizeof head,
                 "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", t->len);

    if (write(fd, head, (size_t)n) < 0 || write(fd, t->p, t->len) < 0)
        perror("replay");
}

static void tell_asked(int fd)
{
    struct text t = { NULL, 0 };
    char number[64];
    int n;

    text_add(&t, "[", 1);
    for (size_t i = 0; i < ANSWERS_MAX; i++) {
        const struct answer *a = &shared->answers[i];

        if (a->hash == 0)
            continue;
        n = snprintf(number, sizeof number, "%s{\"asked\":%lu,\"question\":\"", t.len > 1 ? ",\n" : "",
                     (unsigned long)a->asked);
        text_add(&t, number, (size_t)n);
        text_add_json(&t, shared->bytes + a->question.at, a->question.len);
        text_add(&t, "\"}", 2);
    }
    text_add(&t, "]", 1);
    say(fd, &t);
    free(t.p);
}

static int service_find(const char *path, size_t len)
{
    for (int i = 0; i < services_count; i++)
        if (strlen(services[i].name) == len && strncmp(services[i].name, path, len) == 0)
            return i;
    return -1;
}

static void own_page(int fd, char *path)
{
    struct text done = { "{}", 2 };
    char *how = strchr(path, '/');
    int service = how == NULL ? -1 : service_find(path, (size_t)(how - path));

    if (strcmp(path, "asked") == 0) {
        tell_asked(fd);
        return;
    }
    if (service >= 0)
        shared->after_ms[service] = strcmp(how, "/stalled") == 0   ? STALLED
                                    : strcmp(how, "/garbage") == 0 ? GARBAGE
                                                                   : atoi(how + 1);
    say(fd, &done);
}

/* ---- connections ---- */

static void connection_end(struct connection *c)
{
    for (struct connection **p = &waiting; *p != NULL; p = &(*p)->next)
        if (*p == c) {
            *p = c->next;
            break;
        }
    close(c->fd);
    free(c);
}

static void respond(struct connection *c)
{
    for (size_t done = 0; done < c->response.len;) {
        ssize_t n = write(c->fd, shared->bytes + c->response.at + done, c->response.len - done);

        if (n <= 0) /* a client that has gone shows as a connection that ended */
            return;
        done += (size_t)n;
    }
}

/* False: there is more to come. Cuts the bytes into pieces. */
static bool request_read(struct request *r, struct connection *c)
{
    char *end, *length, *space;

    c->in[c->len] = '\0';
    end = strstr(c->in, "\r\n\r\n");
    if (end == NULL)
        return false;
    length = strcasestr(c->in, "\r\ncontent-length:");
    r->body = end + 4;
    r->body_len = length != NULL && length < end ? strtoul(length + 17, NULL, 10) : 0;
    if (c->len < (size_t)(r->body - c->in) + r->body_len)
        return false;
    end[2] = '\0';
    r->method = c->in;
    r->path = strchr(c->in, ' ') + 1;
    r->path[-1] = '\0';
    space = strchr(r->path, ' ');
    *space = '\0';
    r->headers = strstr(space + 1, "\r\n") + 2;
    snprintf(r->whole_path, sizeof r->whole_path, "%s", r->path);
    return true;
}

static void connection_answer(struct connection *c, struct request *r)
{
    char *rest = r->path + 1 + strcspn(r->path + 1, "/?");
    int ms;

    if (strncmp(r->path, "/_/", 3) == 0) {
        own_page(c->fd, r->path + 3);
        return;
    }
    r->service = service_find(r->path + 1, (size_t)(rest - r->path - 1));
    r->path = rest;
    ms = r->service < 0 ? STALLED : shared->after_ms[r->service];
    if (ms == STALLED)
        return;
    if (ms == GARBAGE) {
        if (write(c->fd, GARBAGE_ANSWER, sizeof GARBAGE_ANSWER - 1) < 0)
            perror("replay");
        return;
    }
    c->response = answer_to(r);
    if (ms == 0) {
        respond(c);
        return;
    }
    c->due_us = now_us() + (int64_t)ms * 1000;
    c->next = waiting;
    waiting = c;
}

/* One request at a time: no client here sends the next one earlier. */
static void connection_read(struct connection *c)
{
    struct request r = { .service = -1 };
    ssize_t n = read(c->fd, c->in + c->len, REQUEST_MAX - c->len);

    if (n <= 0) {
        connection_end(c);
        return;
    }
    c->len += (size_t)n;
    if (!request_read(&r, c))
        return;
    c->len = 0;
    connection_answer(c, &r);
}

static void connection_begin(int listener)
{
    struct epoll_event e = { .events = EPOLLIN };
    struct connection *c;
    int one = 1, fd = accept(listener, NULL, NULL);

    if (fd < 0)
        return;
    if ((c = calloc(1, sizeof *c)) == NULL)
        die("memory");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    c->fd = fd;
    e.data.ptr = c;
    epoll_ctl(events, EPOLL_CTL_ADD, fd, &e);
}

/* Answers what is due; milliseconds until the next is, or -1. */
static int answer_due(void)
{
    int64_t now = waiting == NULL ? 0 : now_us(), next = INT64_MAX;

    for (struct connection **p = &waiting; *p != NULL;) {
        struct connection *c = *p;

        if (c->due_us <= now) {
            *p = c->next;
            respond(c);
            continue;
        }
        next = c->due_us < next ? c->due_us : next;
        p = &c->next;
    }
    return next == INT64_MAX ? -1 : (int)((next - now + 999) / 1000);
}

/* ---- processes ---- */

static int listen_at(in_port_t port)
{
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = port,
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, BACKLOG) != 0)
        die("listen");
    return fd;
}

/* Each has a socket of its own, so that the kernel shares out the connections. */
static void serve(int listener)
{
    struct epoll_event e = { .events = EPOLLIN, .data.ptr = NULL }, ready[EVENTS];

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGPIPE, SIG_IGN);
    origin = curl_easy_init();
    events = epoll_create1(0);
    epoll_ctl(events, EPOLL_CTL_ADD, listener, &e);
    for (;;) {
        int n = epoll_wait(events, ready, EVENTS, answer_due());

        for (int i = 0; i < n; i++) {
            if (ready[i].data.ptr == NULL)
                connection_begin(listener);
            else
                connection_read(ready[i].data.ptr);
        }
    }
}

static void service_add(char *text)
{
    char *url = strchr(text, '='), *only;

    if (url == NULL || services_count == SERVICES_MAX) {
        fprintf(stderr, "replay: %s\n", text);
        exit(1);
    }
    *url++ = '\0';
    only = strchr(text, ',');
    if (only != NULL)
        *only++ = '\0';
    services[services_count].name = text;
    services[services_count].only = only;
    services[services_count++].url = url;
}

int main(int argc, char **argv)
{
    struct sockaddr_in at;
    socklen_t len = sizeof at;
    int listeners[64], processes = argc > 2 ? atoi(argv[1]) : 0;

    if (processes < 1 || processes > 64)
        die("usage: replay PROCESSES NAME[,ONLY]=URL...");
    for (int i = 2; i < argc; i++)
        service_add(argv[i]);
    shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED || curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK)
        die("start");
    listeners[0] = listen_at(0);
    getsockname(listeners[0], (struct sockaddr *)&at, &len);
    for (int i = 1; i < processes; i++)
        listeners[i] = listen_at(at.sin_port);
    for (int i = 0; i < processes; i++)
        if (fork() == 0)
            serve(listeners[i]);
    printf("%d\n", ntohs(at.sin_port));
    fflush(stdout);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    while (wait(NULL) > 0)
        continue;
    return 1;
}
