/* The lines of a receiver's or an upstream's HTTP answer as libcurl hands them over, then a body: each input
 * line is a header line. A Retry-After that is read is a time to wait; the body stays within its ceiling. */
#include "fuzz.h"
#include "net/call.c"

static void read_lines(struct slot *s, const uint8_t *data, size_t size, size_t *at)
{
    while (*at < size && data[*at] != '\n') {
        const uint8_t *end = memchr(data + *at, '\n', size - *at);
        size_t n = end == NULL ? size - *at : (size_t)(end - data) + 1 - *at;
        char *line = malloc(n); /* of its exact size, without a NUL: so libcurl has it */

        MUST(line != NULL);
        memcpy(line, data + *at, n);
        if (on_header(line, 1, n, s) == 0)
            MUST(s->too_large);
        free(line);
        *at += n;
        MUST(s->call->retry_after_s >= -1);
    }
}

static void read_body_in(struct slot *s, const uint8_t *data, size_t size, size_t piece)
{
    for (size_t at = 0; at < size; at += piece) {
        size_t n = size - at < piece ? size - at : piece;

        if (on_body((char *)(uintptr_t)(data + at), 1, n, s) == 0) {
            MUST(s->too_large || s->cut);
            break;
        }
        MUST(s->call->answer.len <= s->call->answer.max && !s->call->answer.overflow);
    }
}

static void receive(const uint8_t *data, size_t size, bool truncate)
{
    struct call c;
    struct slot s = { .call = &c };
    size_t at = 0;

    call_init(&c, "https://receiver.example/", 64);
    c.truncate_answer = truncate;
    read_lines(&s, data, size, &at);
    read_body_in(&s, data + at, size - at, 7);
    call_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[128];

    receive(data, size, false);
    receive(data, size, true);
    if (size < sizeof text) {
        memcpy(text, data, size);
        text[size] = '\0';
        MUST(parse_seconds(text) >= -1);
    }
    return 0;
}
