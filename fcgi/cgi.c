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

enum {
    EXIT_USAGE = 2,
    REQUEST_ID = 1,
    PART = 32 * 1024,
    PARAMS_MAX = 1024 * 1024,
    LONG_LENGTH = 128,
    BODY_MAX = 256 * 1024,
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

static bool record_send(int fd, unsigned char type, const void *content, size_t n)
{
    const FCGI_Header header = { .version = FCGI_VERSION_1,
                                 .type = type,
                                 .requestIdB0 = REQUEST_ID,
                                 .contentLengthB1 = (unsigned char)(n >> 8),
                                 .contentLengthB0 = (unsigned char)n };

    return file_write(fd, &header, sizeof header) && file_write(fd, content, n);
}

/* In as many records as it needs; the end is an empty one. */
static bool stream_send(int fd, unsigned char type, const uint8_t *bytes, size_t n)
{
    size_t part;

    for (; n > 0; bytes += part, n -= part) {
        part = n < PART ? n : PART;
        if (!record_send(fd, type, bytes, part))
            return false;
    }
    return true;
}

static void length_add(struct buf *out, size_t n)
{
    if (n < LONG_LENGTH) {
        buf_addc(out, (uint8_t)n);
        return;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_addc(out, (uint8_t)((n >> shift) | (shift == 24 ? LONG_LENGTH : 0)));
}

static void param_add(struct buf *out, const char *name, size_t name_len, const char *value)
{
    length_add(out, name_len);
    length_add(out, strlen(value));
    buf_add(out, name, name_len);
    buf_adds(out, value);
}

static bool params_send(int fd)
{
    static const char KEY[] = "HTTP_AUTHORIZATION";
    const char *redirected = getenv("REDIRECT_HTTP_AUTHORIZATION");
    struct buf out = BUF_INIT(PARAMS_MAX);
    bool ok;

    for (char **p = environ; *p != NULL; p++)
        if (strchr(*p, '=') != NULL)
            param_add(&out, *p, strcspn(*p, "="), strchr(*p, '=') + 1);
    /* The variable of a rewritten request in place of the header. */
    if (getenv(KEY) == NULL && redirected != NULL)
        param_add(&out, KEY, sizeof KEY - 1, redirected);
    ok = !out.overflow && stream_send(fd, FCGI_PARAMS, (const uint8_t *)buf_text(&out), out.len) &&
         record_send(fd, FCGI_PARAMS, NULL, 0);
    buf_free(&out);
    return ok;
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
    const FCGI_BeginRequestBody begin = { .roleB0 = FCGI_RESPONDER };

    return record_send(fd, FCGI_BEGIN_REQUEST, &begin, sizeof begin) && params_send(fd) &&
           stream_send(fd, FCGI_STDIN, (const uint8_t *)buf_text(body), body->len) &&
           record_send(fd, FCGI_STDIN, NULL, 0);
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
