/* The public order books of Polymarket's exchange. */
#ifndef PREDICT_CLOB_H
#define PREDICT_CLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"

struct book_level {
    const char *price, *size; /* decimals */
};

/* Best levels first. */
struct book {
    struct book_level *bids, *asks;
    size_t bid_count, ask_count;
    const char *last_price, *tick, *min_size; /* decimals; NULL: unknown */
};

char *clob_book_url(struct arena *a, const char *base, const char *token);
/* False when the answer is none, or a level is none. */
bool clob_read_book(struct arena *a, const struct buf *answer, struct book *out);

/* Half-way between the best levels, exactly; the last price where one side is empty; NULL: unknown, as in a
 * book that offers more for a share than it asks, or more than a share can pay. */
const char *book_midpoint(struct arena *a, const struct book *b);

#endif
