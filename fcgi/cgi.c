/* gateway.cgi SOCKET: a CGI program that passes one request on to the gateway's FastCGI socket, and its
 * answer back. For hosts whose web server starts CGI programs, but connects to no socket. */
#include <errno.h>
#include <fastcgi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "records.h"

enum {
    EXIT_USAGE = 2,
    REQUEST_ID = 1,
    PART = 32 * 1024,
    PARAMS_MAX = 1024 * 1024,
    BODY_MAX = 256 * 1024,
    REQUEST_MAX = 2 * BODY_MAX,
    ANSWER_MAX = 5 * 1024 * 1024
};

extern char **environ;

static int socket_connect(const char *path)
{
    struct sockaddr_un sa = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || strlen(path) >= sizeof sa.sun_path)
        return -1;
    memcpy(sa.sun_path, path, strlen(path));
    return connect(fd, (struct sockaddr *)&sa, sizeof sa) == 0 ? fd : -1;
}

/* ---- The request ---- */

static void params_add(struct buf *out)
{
    static const char KEY[] = "HTTP_AUTHORIZATION";
    const char *redirected = getenv("REDIRECT_HTTP_AUTHORIZATION");

    for (char **p = environ; *p != NULL; p++)
        if (strchr(*p, '=') != NULL)
            records_add_param(out, *p, strcspn(*p, "="), strchr(*p, '=') + 1);
    /* The variable of a rewritten request in place of the header. */
    if (getenv(KEY) == NULL && redirected != NULL)
        records_add_param(out, KEY, sizeof KEY - 1, redirected);
    /* A call that waits would occupy this program: the gateway answers it at once. */
    records_add_param(out, BY_CGI, sizeof BY_CGI - 1, "1");
}

/* The unread part of the announced body; SIZE_MAX until the end of one that was not announced. */
static size_t body_left;

static void body_begin(void)
{
    const char *announced = getenv("CONTENT_LENGTH");

    body_left = announced == NULL || *announced == '\0' ? SIZE_MAX : strtoul(announced, NULL, 10);
}

/* 0 at its end, and -1 where it breaks off. */
static ssize_t body_read(uint8_t part[static PART])
{
    ssize_t n = body_left == 0 ? 0 : read(STDIN_FILENO, part, body_left < PART ? body_left : PART);

    if (body_left == SIZE_MAX)
        return n;
    body_left -= n > 0 ? (size_t)n : 0;
    return n == 0 && body_left > 0 ? -1 : n;
}

/* All of it, before anything is sent: a client that sends slowly occupies this program, and no worker. What
 * is longer than the gateway takes is dropped, but read, since Apache breaks off the answer of a program that
 * has left some of the body unread. false: it broke off. */
static bool body_gather(struct buf *body)
{
    uint8_t part[PART];
    ssize_t n;

    while ((n = body_read(part)) > 0)
        buf_add(body, part, (size_t)n);
    return n == 0;
}

static bool request_send(int fd, const struct buf *body)
{
    struct buf params = BUF_INIT(PARAMS_MAX), request = BUF_INIT(PARAMS_MAX + REQUEST_MAX);
    bool ok;

    params_add(&params);
    records_begin_request(&request, REQUEST_ID);
    records_add(&request, REQUEST_ID, FCGI_PARAMS, buf_text(&params), params.len);
    records_end(&request, REQUEST_ID, FCGI_PARAMS);
    records_add(&request, REQUEST_ID, FCGI_STDIN, buf_text(body), body->len);
    records_end(&request, REQUEST_ID, FCGI_STDIN);
    ok = !params.overflow && !request.overflow && file_write(fd, buf_text(&request), request.len);
    buf_free(&request);
    buf_free(&params);
    return ok;
}

/* ---- The answer ---- */

static bool bytes_read(int fd, void *to, size_t n)
{
    uint8_t *at = to;
    ssize_t got;

    for (; n > 0; at += got, n -= (size_t)got) {
        do {
            got = read(fd, at, n);
        } while (got < 0 && errno == EINTR);
        if (got <= 0)
            return false;
    }
    return true;
}

/* All of it, before anything is passed on: a client that reads slowly occupies this program, and no worker.
 * Whether it came to its end. */
static bool answer_gather(int fd, struct buf *answer)
{
    static uint8_t content[UINT16_MAX + UINT8_MAX];
    FCGI_Header header;
    size_t n;

    while (bytes_read(fd, &header, sizeof header)) {
        if (header.type == FCGI_END_REQUEST)
            return answer->len > 0 && !answer->overflow;
        n = (size_t)header.contentLengthB1 << 8 | header.contentLengthB0;
        if (!bytes_read(fd, content, n + header.paddingLength))
            break;
        if (header.type == FCGI_STDOUT)
            buf_add(answer, content, n);
    }
    return false;
}

/* In the words of the service; conf/unavailable.lua and conf/apache.conf have the first hint, too. */
static const char NOTHING_DONE[] =
    "The service is being restarted; nothing was done. Send the request again after "
    "the seconds in Retry-After";
static const char INTERRUPTED[] = "The service was interrupted. Send the request again after the seconds in "
                                  "Retry-After, with the same Idempotency-Key";

static void unavailable_print(const char *hint)
{
    printf("Status: 503 Service Unavailable\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
           "Retry-After: 5\r\n\r\n{\"success\":false,\"error\":\"Service unavailable\","
           "\"error_code\":\"SERVICE_UNAVAILABLE\",\"hint\":\"%s\"}\n",
           hint);
}

int main(int argc, char **argv)
{
    struct buf body = BUF_INIT(BODY_MAX), answer = BUF_INIT(ANSWER_MAX);
    int fd;

    if (argc != 2) {
        fputs("usage: gateway.cgi SOCKET\n", stderr);
        return EXIT_USAGE;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    body_begin();
    if (!body_gather(&body)) /* the client is gone */
        return EXIT_SUCCESS;
    fd = socket_connect(argv[1]);
    if (fd < 0)
        unavailable_print(NOTHING_DONE);
    else if (!request_send(fd, &body) || !answer_gather(fd, &answer))
        unavailable_print(INTERRUPTED);
    else {
        (void)close(fd);
        (void)file_write(STDOUT_FILENO, buf_text(&answer), answer.len);
    }
    buf_free(&body);
    buf_free(&answer);
    return EXIT_SUCCESS;
}
