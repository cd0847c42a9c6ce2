/* Which of an agent's executions, or of its orders, trades and messages, a list has. */
#ifndef MODEL_LIST_FILTER_H
#define MODEL_LIST_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Created from then on, and before that; 0: at any time. */
struct list_period {
    int64_t since_ms, until_ms;
};

struct list_filter {
    uint64_t chain_id;            /* of what is spent or received; 0: any */
    const char *symbol, *address; /* of that token, the symbol in capitals; NULL: any */
    struct list_period created;
};

static inline bool list_period_is_open(const struct list_period *p)
{
    return p->since_ms == 0 && p->until_ms == 0;
}

static inline bool list_filter_is_open(const struct list_filter *f) /* to all */
{
    return f->chain_id == 0 && f->symbol == NULL && f->address == NULL && list_period_is_open(&f->created);
}

#endif
