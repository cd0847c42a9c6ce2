/* Against a small HTTP server of the test's own: a child process on the loopback, a thread for each
 * connection. */
#include "base/test.h"
#include "net/bulkhead.c"
#include "net/call.c"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the server ---- */

static struct {
    int connections, requests;
} * seen; /* shared with the child */
static unsigned port;
static pid_t server;

enum { REQUEST_MAX = 256 * 1024 };

static void call_test_answer(int fd, const char *head, const char *body, size_t body_len)
{
    char start[512];
    int n = snprintf(start, sizeof start, "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n", head, body_len);

    if (write(fd, start, (size_t)n) == n && body_len > 0 && write(fd, body, body_len) < 0)
        return;
}

static void answer_big(int fd, size_t size)
{
    char *body = malloc(size);

    memset(body, 'x', size);
    call_test_answer(fd, "200 OK", body, size);
    free(body);
}

/* Headers or body without an end. */
static void flood(int fd, const char *start, const char *piece)
{
    if (write(fd, start, strlen(start)) < 0)
        return;
    for (size_t i = 0; i < 1000000; i++)
        if (write(fd, piece, strlen(piece)) < 0)
            return;
}

static bool call_test_is(const char *request, const char *path)
{
    const char *call_test_at = strchr(request, ' ');

    return call_test_at != NULL && strncmp(call_test_at + 1, path, strlen(path)) == 0;
}

static bool serve(int fd, const char *request)
{
    if (call_test_is(request, "/echo"))
        call_test_answer(fd, "200 OK", request, strlen(request));
    else if (call_test_is(request, "/slow"))
        usleep(300000), call_test_answer(fd, "200 OK", "late", 4);
    else if (call_test_is(request, "/second")) /* after a second */
        sleep(1), call_test_answer(fd, "200 OK", "late", 4);
    else if (call_test_is(request, "/busy")) /* after more than CALL_HEDGE_MS */
        usleep(600000), call_test_answer(fd, "503 Busy", "busy", 4);
    else if (call_test_is(request, "/never"))
        sleep(20);
    else if (call_test_is(request, "/stall"))
        return write(fd, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab", 39) == 39 && sleep(20) == 0;
    else if (call_test_is(request, "/404"))
        call_test_answer(fd, "404 Not Found", "{}", 2);
    else if (call_test_is(request, "/moved"))
        call_test_answer(fd, "302 Found\r\nLocation: /echo", "", 0);
    else if (call_test_is(request, "/later"))
        call_test_answer(fd, "503 Busy\r\nRETRY-AFTER:  120 ", "", 0);
    else if (call_test_is(request, "/date"))
        call_test_answer(fd, "503 Busy\r\nRetry-After: Thu, 01 Jan 2026 00:01:40 GMT", "", 0);
    else if (call_test_is(request, "/hint"))
        call_test_answer(fd, "103 Early Hints\r\nRetry-After: 5\r\n\r\nHTTP/1.1 200 OK", "x", 1);
    else if (call_test_is(request, "/quota"))
        call_test_answer(fd, "429 Slow Down\r\nRateLimit-Remaining: 0\r\nratelimit-reset: 7200", "x", 1);
    else if (call_test_is(request, "/spent"))
        call_test_answer(fd, "200 OK\r\nX-RateLimit-Remaining: 0\r\nx-ratelimit-reset: 1767225630", "x", 1);
    else if (call_test_is(request, "/owing"))
        call_test_answer(fd, "200 OK\r\nx-ratelimit-remaining: -3\r\nx-ratelimit-reset: 1767225599", "x", 1);
    else if (call_test_is(request, "/5000"))
        answer_big(fd, 5000);
    else if (call_test_is(request, "/body"))
        flood(fd, "HTTP/1.1 200 OK\r\n\r\n", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    else if (call_test_is(request, "/head"))
        flood(fd, "HTTP/1.1 200 OK\r\n", "X-Filler: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n");
    else if (call_test_is(request, "/gzip"))
        call_test_answer(
            fd, "200 OK\r\nContent-Encoding: gzip",
            "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00"
            "\x00\x00",
            25);
    else
        return false; /* hangs up */
    return true;
}

static size_t content_length(const char *request)
{
    const char *call_test_at = strstr(request, "Content-Length: ");

    return call_test_at != NULL ? strtoul(call_test_at + 16, NULL, 10) : 0;
}

static bool socket_read_request(int fd, char *request)
{
    size_t len = 0, head;
    ssize_t n;

    request[0] = '\0';
    for (;;) {
        const char *end = strstr(request, "\r\n\r\n");

        head = end != NULL ? (size_t)(end - request) + 4 : 0;
        if (end != NULL && len >= head + content_length(request))
            return true;
        n = read(fd, request + len, REQUEST_MAX - 1 - len);
        if (n <= 0)
            return false;
        len += (size_t)n;
        request[len] = '\0';
    }
}

static void *connection(void *arg)
{
    int fd = (int)(intptr_t)arg;
    char *request = malloc(REQUEST_MAX);

    while (socket_read_request(fd, request)) {
        __atomic_add_fetch(&seen->requests, 1, __ATOMIC_SEQ_CST);
        if (!serve(fd, request))
            break;
    }
    free(request);
    close(fd);
    return NULL;
}

static void server_loop(int listener)
{
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        pthread_t thread;

        if (fd < 0)
            continue;
        __atomic_add_fetch(&seen->connections, 1, __ATOMIC_SEQ_CST);
        if (pthread_create(&thread, NULL, connection, (void *)(intptr_t)fd) == 0)
            pthread_detach(thread);
    }
}

static void server_start(void)
{
    struct sockaddr_in call_test_at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof call_test_at;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bind(listener, (struct sockaddr *)&call_test_at, len) != 0 || listen(listener, 128) != 0 ||
        getsockname(listener, (struct sockaddr *)&call_test_at, &len) != 0)
        log_fatal("test", "no test server");
    port = ntohs(call_test_at.sin_port);
    server = fork();
    if (server == 0) {
        signal(SIGPIPE, SIG_IGN);
        server_loop(listener);
    }
    close(listener);
}

static void server_stop(void)
{
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
}

/* ---- helpers ---- */

static struct net *net;

static const char *call_test_at(const char *path)
{
    static char urls[64][64];
    static unsigned next;
    char *url = urls[next++ % 64];

    snprintf(url, sizeof urls[0], "http://127.0.0.1:%u%s", port, path);
    return url;
}

/* Runs one call and leaves it open for checks. */
static void call_test_run(struct call *c, const char *path, size_t max, unsigned deadline_ms)
{
    call_init(c, call_test_at(path), max);
    calls_run(net, c, 1, deadline_ms);
}

/* ---- cases ---- */

static void gives_status_and_body(void)
{
    struct call c;

    call_test_run(&c, "/404", 100, 2000);
    CHECK(c.result == CALL_ANSWERED);
    CHECK(c.status == 404);
    CHECK_STR(buf_text(&c.answer), "{}");
    CHECK(c.retry_after_s == -1);
    CHECK(c.took_ms < 1000);
    CHECK(c.handle == NULL);
    call_free(&c);
}

static void posts_body_and_headers(void)
{
    struct call c;

    call_init(&c, call_test_at("/echo"), 4096);
    c.headers[0] = "X-One: 1";
    c.headers[1] = "X-Two: 2";
    buf_adds(&c.body, "{\"a\":1}");
    CHECK(calls_run(net, &c, 1, 2000) == 1);
    CHECK(strncmp(buf_text(&c.answer), "POST /echo HTTP/1.1\r\n", 21) == 0);
    CHECK(strstr(buf_text(&c.answer), "\r\nX-One: 1\r\n") != NULL);
    CHECK(strstr(buf_text(&c.answer), "\r\nX-Two: 2\r\n") != NULL);
    CHECK(strstr(buf_text(&c.answer), "\r\nUser-Agent: test/1\r\n") != NULL);
    CHECK(strstr(buf_text(&c.answer), "\r\nContent-Type: application/json\r\n") != NULL);
    CHECK(strstr(buf_text(&c.answer), "\r\n\r\n{\"a\":1}") != NULL);
    call_free(&c);
}

static void own_headers_win(void)
{
    struct call c;

    call_init(&c, call_test_at("/echo"), 4096);
    c.headers[0] = "content-type: text/plain";
    c.headers[1] = "User-Agent: mine/2";
    buf_adds(&c.body, "x");
    CHECK(calls_run(net, &c, 1, 2000) == 1);
    CHECK(strstr(buf_text(&c.answer), "application/json") == NULL);
    CHECK(strstr(buf_text(&c.answer), "test/1") == NULL);
    CHECK(strstr(buf_text(&c.answer), "\r\nUser-Agent: mine/2\r\n") != NULL);
    call_free(&c);
}

static void nothing_leaks_into_the_next_call(void)
{
    struct call c;

    call_init(&c, call_test_at("/echo"), 4096);
    c.headers[0] = "X-Secret: s";
    buf_adds(&c.body, "secret body");
    c.timeout_ms = 1500;
    c.guard = CALL_LOOPBACK;
    CHECK(calls_run(net, &c, 1, 2000) == 1);
    call_free(&c);
    call_test_run(&c, "/echo", 4096, 2000);
    CHECK(c.result == CALL_ANSWERED);
    CHECK(strncmp(buf_text(&c.answer), "GET /echo", 9) == 0);
    CHECK(strstr(buf_text(&c.answer), "ecret") == NULL);
    CHECK(strstr(buf_text(&c.answer), "Content-") == NULL);
    call_free(&c);
}

static void large_bodies_are_sent_without_expect(void)
{
    struct call c;

    call_init(&c, call_test_at("/echo"), REQUEST_MAX);
    while (c.body.len < 200 * 1024)
        buf_adds(&c.body, "0123456789012345678901234567890123456789012345678901234567890123456789");
    CHECK(calls_run(net, &c, 1, 2000) == 1);
    CHECK(strstr(buf_text(&c.answer), "Expect") == NULL);
    CHECK(c.took_ms < 500);
    call_free(&c);
}

static void answer_has_a_ceiling(void)
{
    struct call c;

    call_test_run(&c, "/5000", 5000, 2000);
    CHECK(c.result == CALL_ANSWERED && c.answer.len == 5000);
    call_free(&c);
    call_test_run(&c, "/5000", 4999, 2000);
    CHECK(c.result == CALL_FAILED && c.fault == FAULT_TOO_LARGE && c.status == 0);
    CHECK_STR(c.why, "answer too large");
    call_free(&c);
    call_test_run(&c, "/head", 100, 2000);
    CHECK(c.result == CALL_FAILED);
    CHECK_STR(c.why, "answer too large");
    call_free(&c);
}

static void truncates_when_asked_to(void)
{
    struct call c;
    int connections;

    call_init(&c, call_test_at("/5000"), 100);
    c.truncate_answer = true;
    calls_run(net, &c, 1, 2000);
    CHECK(c.result == CALL_ANSWERED && c.status == 200 && c.answer.len == 100 && !c.answer.overflow);
    connections = seen->connections;
    calls_run(net, &c, 1, 2000); /* the same struct again, on the same connection */
    CHECK(c.result == CALL_ANSWERED && c.answer.len == 100);
    CHECK(seen->connections == connections);
    c.url = call_test_at("/body");
    calls_run(net, &c, 1, 2000);
    CHECK(c.result == CALL_ANSWERED && c.status == 200 && c.answer.len == 100 && c.took_ms < 1000);
    call_free(&c);
}

static void unpacks_own_answers_only(void)
{
    struct call c;

    call_test_run(&c, "/gzip", 100, 2000);
    CHECK_STR(buf_text(&c.answer), "hello");
    call_free(&c);
    call_init(&c, call_test_at("/gzip"), 100);
    c.guard = CALL_LOOPBACK;
    calls_run(net, &c, 1, 2000);
    CHECK(c.result == CALL_ANSWERED && c.answer.len == 25);
    call_free(&c);
    call_init(&c, call_test_at("/gzip"), 3);
    calls_run(net, &c, 1, 2000); /* the ceiling counts what was unpacked */
    CHECK(c.result == CALL_FAILED);
    call_free(&c);
}

static void times_out(void)
{
    struct call c;

    call_init(&c, call_test_at("/never"), 100);
    c.timeout_ms = 300;
    calls_run(net, &c, 1, 5000);
    CHECK(c.result == CALL_TIMEOUT && c.took_ms >= 290 && c.took_ms < 1000);
    CHECK(strncmp(c.why, "timed out after 0.", 18) == 0);
    call_free(&c);
    call_test_run(&c, "/stall", 100, 200);
    CHECK(c.result == CALL_TIMEOUT && c.status == 0 && c.took_ms < 1000);
    CHECK_STR(c.why, "timed out after 0.2 s");
    call_free(&c);
}

static void all_share_one_deadline(void)
{
    enum { N = 9 };
    struct call c[N];
    int64_t started = clock_mono_ms();

    for (size_t i = 0; i < N; i++)
        call_init(&c[i], call_test_at(i == 4 ? "/never" : "/slow"), 100);
    CHECK(calls_run(net, c, N, 800) == N - 1);
    CHECK(clock_mono_ms() - started < 1500);
    for (size_t i = 0; i < N; i++) {
        CHECK(c[i].result == (i == 4 ? CALL_TIMEOUT : CALL_ANSWERED));
        call_free(&c[i]);
    }
    CHECK(net_running(net) == 0);
}

static void streams(void)
{
    struct call a, b, never, other, *first, *second;

    call_init(&a, call_test_at("/echo"), 4096);
    call_init(&b, call_test_at("/echo"), 4096);
    call_init(&never, call_test_at("/never"), 100);
    net_start(net, &a);
    net_start(net, &b);
    net_start(net, &never);
    CHECK(net_running(net) == 3);
    call_test_run(&other, "/slow", 100, 2000); /* the ends of others are kept for net_wait */
    CHECK(other.result == CALL_ANSWERED);
    first = net_wait(net, 1000);
    second = net_wait(net, 1000);
    CHECK((first == &a && second == &b) || (first == &b && second == &a));
    CHECK(a.result == CALL_ANSWERED && b.result == CALL_ANSWERED);
    CHECK(net_wait(net, 50) == NULL);
    CHECK(net_running(net) == 1);
    net_cancel(net, &never);
    CHECK(never.result == CALL_TIMEOUT && net_running(net) == 0);
    CHECK(net_wait(net, 1000) == NULL);
    call_free(&a);
    call_free(&b);
    call_free(&never);
    call_free(&other);
}

static void an_ended_call_can_be_withdrawn(void)
{
    struct call a, b;

    call_init(&a, call_test_at("/echo"), 4096);
    call_init(&b, "gopher://127.0.0.1/", 100);
    net_start(net, &a);
    net_start(net, &b);
    while (net_running(net) > 0)
        calls_advance(net, 100);
    net_cancel(net, &b);
    CHECK(b.result == CALL_REFUSED);
    CHECK(net_wait(net, 10) == &a);
    CHECK(net_wait(net, 10) == NULL);
    net_start(net, &a);
    CHECK(net_wait(net, 1000) == &a);
    call_free(&a);
    call_free(&b);
}

static void keeps_connections(void)
{
    struct call c;
    int connections, requests;

    call_test_run(&c, "/echo", 4096, 2000);
    call_free(&c);
    connections = seen->connections;
    requests = seen->requests;
    for (int i = 0; i < 20; i++) {
        call_test_run(&c, "/echo", 4096, 2000);
        CHECK(c.result == CALL_ANSWERED);
        call_free(&c);
    }
    CHECK(seen->requests - requests == 20);
    CHECK(seen->connections == connections);
}

static void post_as(struct call *c, const char *path, enum call_guard guard, size_t len)
{
    call_init(c, call_test_at(path), MAX_UPSTREAM);
    c->guard = guard;
    for (size_t i = 0; i < len; i++)
        buf_addc(&c->body, (uint8_t)('a' + i % 23));
    calls_run(net, c, 1, 5000);
}

/* A receiver that closes a kept connection on the next request may have read it. */
static void agents_servers_are_asked_once(void)
{
    struct call c;
    int requests;

    for (int i = 0; i < 5; i++) {
        post_as(&c, "/echo", CALL_LOOPBACK, 10);
        CHECK(c.result == CALL_ANSWERED);
        call_free(&c);
        requests = seen->requests;
        post_as(&c, "/hangup", CALL_LOOPBACK, 10);
        CHECK(c.result == CALL_FAILED && strcmp(c.why, "could not be started") != 0);
        CHECK(seen->requests - requests == 1);
        call_free(&c);
    }
}

static void bodies_arrive_whole_under_every_guard(void)
{
    static const enum call_guard guards[] = { CALL_CONFIGURED, CALL_LOOPBACK, CALL_CONFIGURED,
                                              CALL_LOOPBACK };

    for (size_t i = 0; i < sizeof guards / sizeof guards[0]; i++) {
        for (size_t len = 1; len < 200000; len = len * 7 + 1) {
            struct call c;
            const char *body;

            post_as(&c, "/echo", guards[i], len);
            body = strstr(buf_text(&c.answer), "\r\n\r\n");
            CHECK(c.result == CALL_ANSWERED && body != NULL && strlen(body + 4) == len &&
                  memcmp(body + 4, c.body.data, len) == 0);
            call_free(&c);
        }
    }
}

static void redirects_are_answers(void)
{
    struct call c;
    int requests = seen->requests;

    call_test_run(&c, "/moved", 100, 2000);
    CHECK(c.result == CALL_ANSWERED && c.status == 302);
    CHECK(seen->requests == requests + 1);
    call_free(&c);
}

static void the_guard_refuses(void)
{
    static const struct {
        const char *url;
        enum call_guard guard;
    } refused[] = {
        { "https://127.0.0.1:%u/echo", CALL_PUBLIC },
        { "https://localhost:%u/echo", CALL_PUBLIC },
        { "https://2130706433:%u/echo", CALL_PUBLIC },
        { "https://[::ffff:127.0.0.1]:%u/echo", CALL_PUBLIC },
        { "https://10.255.255.1:%u/echo", CALL_PUBLIC },
        { "https://169.254.169.254:%u/echo", CALL_LOOPBACK },
        { "https://0.0.0.0:%u/echo", CALL_LOOPBACK },
        { "http://127.0.0.1:%u/echo", CALL_PUBLIC },
        { "http://8.8.8.8:%u/echo", CALL_LOOPBACK },
        { "ftp://127.0.0.1:%u/echo", CALL_CONFIGURED },
        { "file:///etc/passwd?%u", CALL_CONFIGURED },
    };
    int connections = seen->connections;
    char url[80];
    struct call c;

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        snprintf(url, sizeof url, refused[i].url, port);
        call_init(&c, url, 100);
        c.guard = refused[i].guard;
        calls_run(net, &c, 1, 1000);
        CHECK(c.result == CALL_REFUSED);
        CHECK(strstr(c.why, "not allowed") != NULL);
        call_free(&c);
    }
    CHECK(seen->connections == connections);
}

/* The operator's connection is there to be reused; the guard must see it all the same. */
static void the_guard_judges_kept_connections(void)
{
    struct call c;
    struct call none = { .url = NULL };
    struct slot s = { .guard = CALL_PUBLIC, .call = &none };
    char remote[] = "127.0.0.1", v6[] = "::1", public_v6[] = "2606:4700::1", odd[] = "";
    int requests;

    call_test_run(&c, "/echo", 4096, 2000);
    requests = seen->requests;
    for (struct slot *each = net->all; each != NULL; each = each->older) {
        curl_set_guard(each, CALL_LOOPBACK);
        each->guard = CALL_PUBLIC; /* as if https were spoken here */
    }
    c.guard = CALL_PUBLIC;
    calls_run(net, &c, 1, 1000);
    CHECK(c.result == CALL_REFUSED);
    CHECK(seen->requests == requests);
    for (struct slot *each = net->all; each != NULL; each = each->older)
        curl_set_guard(each, CALL_PUBLIC);
    CHECK(on_before_request(&s, remote, odd, 443, 1) == CURL_PREREQFUNC_ABORT);
    CHECK(on_before_request(&s, v6, odd, 443, 1) == CURL_PREREQFUNC_ABORT);
    CHECK(on_before_request(&s, odd, odd, 443, 1) == CURL_PREREQFUNC_ABORT);
    CHECK(on_before_request(&s, public_v6, odd, 443, 1) == CURL_PREREQFUNC_OK);
    call_free(&c);
}

/* Makes all handles resolve a name to these addresses from now on. */
static void resolve(const char *name, const char *addresses)
{
    static struct curl_slist *list;
    static char line[128];

    snprintf(line, sizeof line, "%s:%u:%s", name, port, addresses);
    curl_slist_free_all(list);
    list = curl_slist_append(NULL, line);
    for (struct slot *each = net->all; each != NULL; each = each->older)
        curl_easy_setopt(each->easy, CURLOPT_RESOLVE, list);
}

static enum call_result call_named(const char *scheme, const char *name, enum call_guard guard)
{
    char url[80];
    struct call c;
    enum call_result result;

    snprintf(url, sizeof url, "%s://%s:%u/echo", scheme, name, port);
    call_init(&c, url, 4096);
    c.guard = guard;
    calls_run(net, &c, 1, 1000);
    result = c.result;
    call_free(&c);
    return result;
}

/* The address of a name when its URL was checked does not count: it may have changed since. */
static void a_name_is_judged_by_the_address_that_is_used(void)
{
    static const char *const inside[] = { "127.0.0.1",
                                          "127.9.9.9",
                                          "0.0.0.0",
                                          "10.0.0.1",
                                          "169.254.169.254",
                                          "[::1]",
                                          "[::]",
                                          "[fd00::1]",
                                          "[::ffff:127.0.0.1]",
                                          "[2002:7f00:1::]",
                                          "[64:ff9b::7f00:1]",
                                          "127.0.0.1,[::1],10.0.0.1" };
    int connections;

    CHECK(url_callback_fault("https://rebind.example/hook", CALL_PUBLIC) == NULL);
    resolve("rebind.example", "127.0.0.1");
    CHECK(call_named("http", "rebind.example", CALL_CONFIGURED) == CALL_ANSWERED);
    connections = seen->connections;
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        resolve("rebind.example", inside[i]);
        CHECK(call_named("https", "rebind.example", CALL_PUBLIC) == CALL_REFUSED);
        /* the operator's own connection to that name, which is still open, is not for
         * agents either */
        CHECK(call_named("http", "rebind.example", CALL_PUBLIC) == CALL_REFUSED);
    }
    CHECK(seen->connections == connections);
    for (struct slot *each = net->all; each != NULL; each = each->older)
        curl_easy_setopt(each->easy, CURLOPT_RESOLVE, NULL);
}

static void faults_are_told_in_our_words(void)
{
    struct call c;
    int requests = seen->requests;

    call_test_run(&c, "/hangup", 100, 2000);
    CHECK(c.result == CALL_FAILED);
    CHECK(strcmp(c.why, "empty answer") == 0 || strcmp(c.why, "connection broken") == 0);
    CHECK(seen->requests - requests <=
          7); /* libcurl tries again where a kept connection was closed meanwhile */
    call_free(&c);
    call_init(&c, "http://127.0.0.1:1/", 100);
    calls_run(net, &c, 1, 2000);
    CHECK(c.result == CALL_FAILED);
    CHECK(c.fault == FAULT_CONNECTION_REFUSED);
    CHECK_STR(c.why, "could not connect");
    call_free(&c);
    call_init(&c, "http://nowhere.invalid/", 100);
    calls_run(net, &c, 1, 2000);
    CHECK(c.result == CALL_FAILED && c.fault == FAULT_NAME);
    call_free(&c);
    call_init(&c, "http://", 100);
    calls_run(net, &c, 1, 2000);
    CHECK(c.result == CALL_FAILED && c.fault == FAULT_OTHER);
    CHECK_STR(c.why, "malformed URL");
    call_free(&c);
}

static void reads_retry_after(void)
{
    struct call c;

    call_test_run(&c, "/later", 100, 2000);
    CHECK(c.status == 503 && c.retry_after_s == 120 && c.quota_left == -1 && c.quota_reset_s == -1);
    call_free(&c);
    clock_fake_ms(INT64_C(1767225600) * 1000); /* 2026-01-01T00:00:00Z */
    call_test_run(&c, "/date", 100, 2000);
    CHECK(c.retry_after_s == 100);
    call_free(&c);
    call_test_run(&c, "/hint", 100, 2000);
    CHECK(c.status == 200 && c.retry_after_s == -1);
    call_free(&c);
    call_test_run(&c, "/quota", 100, 2000);
    CHECK(c.status == 429 && c.retry_after_s == -1 && c.quota_left == 0 && c.quota_reset_s == 7200);
    call_free(&c);
    call_test_run(&c, "/spent", 100, 2000); /* a Unix time */
    CHECK(c.quota_left == 0 && c.quota_reset_s == 30);
    call_free(&c);
    call_test_run(&c, "/owing", 100, 2000);
    CHECK(c.quota_left == -1 && c.quota_reset_s == 0);
    call_free(&c);
    CHECK(parse_seconds("0") == 0);
    CHECK(parse_seconds("99999999999999999999") >= INT32_MAX);
    CHECK(parse_seconds("12x") == -1);
    CHECK(parse_seconds("-5") == -1);
    CHECK(parse_seconds("soon") == -1);
    CHECK(parse_seconds("") == -1);
    CHECK(parse_seconds("Wed, 31 Dec 2025 00:00:00 GMT") == 0);
    clock_fake_ms(0);
}

static void the_environment_has_no_say(void)
{
    struct net *other;
    struct call c;

    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
    other = net_new("test/1", 4);
    call_init(&c, call_test_at("/echo"), 4096);
    CHECK(calls_run(other, &c, 1, 2000) == 1);
    net_free(other);
    unsetenv("http_proxy");
    unsetenv("ALL_PROXY");
    call_free(&c);
}

static void can_end_with_calls_under_way(void)
{
    struct net *other = net_new("test/1", 4);
    struct call c;

    call_init(&c, call_test_at("/never"), 100);
    net_start(other, &c);
    CHECK(net_wait(other, 50) == NULL);
    net_free(other);
    CHECK(c.handle == NULL);
    call_free(&c);
}

static bool not_an_echo(struct call *c)
{
    return strncmp(buf_text(&c->answer), "GET /echo", 9) != 0;
}

/* Runs a call that may go on to further URLs, and says where it ended. */
static const char *run_in_turn(struct call *c, const char *const *paths, bool (*usable)(struct call *))
{
    static struct target targets[5];

    memset(targets, 0, sizeof targets);
    for (int i = 0; paths[i] != NULL; i++)
        targets[i].url = call_test_at(paths[i]);
    call_init(c, NULL, 4096);
    c->more = targets;
    c->usable = usable;
    calls_run(net, c, 1, 1200);
    return strstr(c->url + strlen("http://"), "/");
}

static void goes_on_to_the_next_url(void)
{
    static const struct {
        const char *paths[5], *ends_at;
        enum call_result result;
        int status, requests;
        bool (*usable)(struct call *);
    } rows[] = {
        { { "/echo", "/404" }, "/echo", CALL_ANSWERED, 200, 1, NULL },
        { { "/404", "/echo" }, "/404", CALL_ANSWERED, 404, 1, NULL }, /* an answer, if a poor one */
        { { "/later", "/later", "/echo", "/404" }, "/echo", CALL_ANSWERED, 200, 3, NULL },
        { { "/never", "/echo" }, "/echo", CALL_ANSWERED, 200, 2, NULL }, /* time is left for it */
        { { "/echo", "/later" }, "/later", CALL_ANSWERED, 503, 2, not_an_echo },
        { { "/never", "/never" }, "/never", CALL_TIMEOUT, 0, 2, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int before = seen->requests;
        struct call c;

        CHECK_STR(run_in_turn(&c, rows[i].paths, rows[i].usable), rows[i].ends_at);
        CHECK(c.result == rows[i].result && c.status == rows[i].status);
        CHECK(seen->requests - before == rows[i].requests);
        call_free(&c);
    }
}

static enum call_result ask_in_turn(const struct target *targets, unsigned deadline_ms)
{
    enum call_result result;
    struct call c;

    call_init(&c, NULL, 4096);
    c.more = targets;
    calls_run(net, &c, 1, deadline_ms);
    result = c.result;
    call_free(&c);
    return result;
}

static void leaves_alone_who_keeps_silent(void)
{
    struct breaker silent = { 0 }, fine = { 0 };
    struct target both[] = { { .url = call_test_at("/never"), .breaker = &silent },
                             { .url = call_test_at("/echo"), .breaker = &fine },
                             { .url = NULL } };
    struct target one[] = { both[0], { .url = NULL } };
    int before;

    for (int i = 0; i < BREAKER_FAILURES; i++)
        CHECK(ask_in_turn(one, PATIENCE_MS / 5) == CALL_TIMEOUT); /* too soon to say */
    for (int i = 0; i < BREAKER_FAILURES; i++)
        CHECK(ask_in_turn(one, PATIENCE_MS + 100) == CALL_TIMEOUT);
    before = seen->requests;
    CHECK(ask_in_turn(one, 1000) == CALL_HELD && seen->requests == before);
    CHECK(ask_in_turn(both, 1000) == CALL_ANSWERED && seen->requests == before + 1);
}

/* ---- hedges ---- */

/* A call and its hedge, with breakers that have seen all failures but the last. */
struct pair {
    struct call calls[2];
    struct target targets[2][2];
    struct breaker breakers[2];
};

static void pair_init(struct pair *p, const char *first, const char *hedge)
{
    const char *const paths[] = { first, hedge };

    *p = (struct pair){ .targets = { { { .url = NULL } } } };
    for (int i = 0; i < 2; i++) {
        p->targets[i][0] = (struct target){ .url = call_test_at(paths[i]), .breaker = &p->breakers[i] };
        for (int failures = 1; failures < BREAKER_FAILURES; failures++)
            breaker_tell(&p->breakers[i], false, clock_mono_ms());
        call_init(&p->calls[i], NULL, 4096);
        p->calls[i].more = p->targets[i];
    }
    p->calls[0].hedge = &p->calls[1];
}

static bool is_blamed(const struct pair *p, int which)
{
    return !breaker_would_admit(&p->breakers[which], clock_mono_ms());
}

static unsigned overs;

static unsigned count_over(struct call *c)
{
    (void)c;
    overs++;
    return CALL_AS_LONG_AS_IT_TAKES;
}

/* Runs them as one call that holds a lane; how many requests that took. */
static int pair_run(struct pair *p, unsigned deadline_ms, bool answers)
{
    struct bulkhead *bulkhead = bulkhead_new(4);
    int before = seen->requests;

    overs = 0;
    p->calls[0].bulkhead = bulkhead;
    p->calls[0].lane = 3;
    p->calls[0].over = count_over;
    CHECK(calls_run(net, &p->calls[0], 1, deadline_ms) == answers);
    CHECK(net_running(net) == 0 && bulkhead->held[3] == 0);
    CHECK(p->calls[0].handle == NULL && p->calls[1].handle == NULL);
    bulkhead_free(bulkhead);
    return seen->requests - before;
}

static void the_first_usable_answer_ends_both(void)
{
    static const struct {
        const char *first, *hedge, *answer;
        int requests;
    } rows[] = {
        { "/never", "/slow", "late", 2 },  { "/second", "/never", "late", 2 },
        { "/busy", "/second", "late", 2 }, { "/second", "/later", "late", 2 },
        { "/slow", "/echo", "late", 1 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t begun = clock_mono_ms();
        struct pair p;

        pair_init(&p, rows[i].first, rows[i].hedge);
        CHECK(pair_run(&p, 5000, true) == rows[i].requests && overs == 1);
        CHECK(clock_mono_ms() - begun < 2500);
        CHECK(p.calls[0].result == CALL_ANSWERED && p.calls[0].status == 200);
        CHECK_STR(buf_text(&p.calls[0].answer), rows[i].answer);
        CHECK(is_blamed(&p, 0) == (strcmp(rows[i].first, "/busy") == 0));
        CHECK(is_blamed(&p, 1) == (strcmp(rows[i].hedge, "/later") == 0));
        call_free(&p.calls[0]);
    }
}

static void the_call_says_who_answered(void)
{
    struct pair p;

    pair_init(&p, "/never", "/echo");
    (void)pair_run(&p, 5000, true);
    CHECK(p.calls[0].url == p.targets[1][0].url && p.calls[0].why[0] == '\0');
    call_free(&p.calls[0]);
}

/* A call that failed at once has no hedge; callers name another URL for that case in `more`. */
static void without_a_usable_answer_both_are_over(void)
{
    static const struct {
        const char *first, *hedge;
        enum call_result result;
        int requests;
    } rows[] = {
        { "/busy", "/later", CALL_ANSWERED, 2 },
        { "/later", "/echo", CALL_ANSWERED, 1 },
        { "/never", "/never", CALL_TIMEOUT, 2 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t begun = clock_mono_ms();
        struct pair p;

        pair_init(&p, rows[i].first, rows[i].hedge);
        CHECK(pair_run(&p, 1200, rows[i].result == CALL_ANSWERED) == rows[i].requests);
        CHECK(clock_mono_ms() - begun < 1700);
        CHECK(p.calls[0].result == rows[i].result && (i == 2 || p.calls[0].status == 503));
        CHECK(overs == (rows[i].result == CALL_ANSWERED)); /* not if the run was over before */
        call_free(&p.calls[0]);
    }
}

static void counts_as_waiting_while_it_runs(void)
{
    struct bulkhead *bulkhead = bulkhead_new(4);
    struct call calls[2];

    for (int i = 0; i < 2; i++) {
        call_init(&calls[i], call_test_at("/echo"), 4096);
        calls[i].bulkhead = bulkhead;
        calls[i].lane = 5;
    }
    CHECK(calls_run(net, calls, 2, 1000) == 2); /* at once, by one worker */
    for (unsigned other = 1; other <= 2; other++) {
        if (fork() == 0) {
            bulkhead_own(bulkhead, other);
            _exit(bulkhead_take_lane(bulkhead, 5) ? 0 : 1); /* it holds the place until it has a successor */
        }
        wait(NULL);
    }
    CHECK(calls_run(net, calls, 1, 1000) == 0 && calls[0].result == CALL_HELD);
    calls[0].lane = 6;
    CHECK(calls_run(net, calls, 1, 1000) == 1);
    for (int i = 0; i < 2; i++)
        call_free(&calls[i]);
    bulkhead_free(bulkhead);
}

/* In a release the calls fail. */
static void without_a_net_the_program_ends(void)
{
    struct call call;
    int status;

    call_init(&call, call_test_at("/echo"), 4096);
    if (fork() == 0)
        _exit(calls_run(NULL, &call, 1, 1000) == 0 && call.result == CALL_FAILED ? 0 : 1);
    CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 70);
    call_free(&call);
}

/* Each URL is asked twice, with a body that counts; /404 is passed over. */
static unsigned cpu_slots;

static bool count_turn(struct call *c)
{
    if (strstr(c->url, "404") != NULL)
        return false;
    buf_reset(&c->body);
    buf_addf(&c->body, "turn %u", ++cpu_slots);
    return true;
}

static bool on_the_fourth_turn(struct call *c)
{
    c->again = cpu_slots % 2 == 1;
    return cpu_slots == 4;
}

static void asks_again_with_another_body(void)
{
    static const char *const paths[] = { "/404", "/echo", "/404", "/echo", "/never", NULL };
    int before = seen->requests;
    struct call c;
    struct target targets[6] = { { .url = NULL } };

    for (int i = 0; paths[i] != NULL; i++)
        targets[i].url = call_test_at(paths[i]);
    call_init(&c, NULL, 4096);
    c.more = targets;
    c.prepare = count_turn;
    c.usable = on_the_fourth_turn;
    CHECK(calls_run(net, &c, 1, 1200) == 1);
    CHECK(c.result == CALL_ANSWERED && seen->requests - before == 4);
    CHECK(strstr(buf_text(&c.answer), "turn 4") != NULL);
    call_free(&c);
    call_init(&c, targets[0].url, 4096);
    c.prepare = count_turn;
    CHECK(calls_run(net, &c, 1, 1200) == 0 && c.result == CALL_HELD);
    call_free(&c);
}

static void set_up(void)
{
    server_start();
    net = net_new("test/1", 16);
}

static void tear_down(void)
{
    net_free(net);
    server_stop();
}

TEST_MAIN(TEST(set_up), TEST(gives_status_and_body), TEST(posts_body_and_headers), TEST(own_headers_win),
          TEST(nothing_leaks_into_the_next_call), TEST(large_bodies_are_sent_without_expect),
          TEST(answer_has_a_ceiling), TEST(truncates_when_asked_to), TEST(unpacks_own_answers_only),
          TEST(times_out), TEST(all_share_one_deadline), TEST(streams), TEST(an_ended_call_can_be_withdrawn),
          TEST(keeps_connections), TEST(agents_servers_are_asked_once),
          TEST(bodies_arrive_whole_under_every_guard), TEST(redirects_are_answers), TEST(the_guard_refuses),
          TEST(the_guard_judges_kept_connections), TEST(a_name_is_judged_by_the_address_that_is_used),
          TEST(faults_are_told_in_our_words), TEST(reads_retry_after), TEST(goes_on_to_the_next_url),
          TEST(leaves_alone_who_keeps_silent), TEST(the_first_usable_answer_ends_both),
          TEST(the_call_says_who_answered), TEST(without_a_usable_answer_both_are_over),
          TEST(counts_as_waiting_while_it_runs), TEST(without_a_net_the_program_ends),
          TEST(asks_again_with_another_body), TEST(the_environment_has_no_say),
          TEST(can_end_with_calls_under_way), TEST(tear_down))
