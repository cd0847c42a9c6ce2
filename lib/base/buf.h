/* A growable byte buffer, always terminated by a NUL that is not counted. Every buffer has a ceiling; what
 * does not fit sets `overflow` and is dropped, so that writers need no check after each step. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
    char *data; /* NULL until the first byte; owned by the buffer */
    size_t len;
    size_t cap;
    size_t max;
    bool overflow;
};

#define BUF_INIT(ceiling)                                                                                    \
    {                                                                                                        \
        .max = (ceiling)                                                                                     \
    }

void buf_free(struct buf *b);
void buf_reset(struct buf *b); /* empties, keeps the memory */
void buf_add(struct buf *b, const void *p, size_t n);
void buf_addc(struct buf *b, uint8_t c);
void buf_adds(struct buf *b, const char *s);
void buf_addf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *buf_text(const struct buf *b); /* "" when empty */

/* The ceilings of the program, together. */
enum {
    MAX_BODY = 64 * 1024,           /* a request body; more is 413 */
    MAX_UPSTREAM = 2 * 1024 * 1024, /* an answer of a node or an aggregator */
    MAX_CALLBACK_ANSWER = 4 * 1024, /* what is kept of a webhook receiver's answer */
    MAX_TX = 128 * 1024,            /* an encoded transaction, as nodes accept them */
};

#endif
