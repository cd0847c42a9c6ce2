/* Which of an agent's executions a list has. */
#ifndef MODEL_LIST_FILTER_H
#define MODEL_LIST_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct list_filter {
    uint64_t chain_id;            /* of what is spent or received; 0: any */
    const char *symbol, *address; /* of that token, the symbol in capitals; NULL: any */
    int64_t since_ms, until_ms;   /* created from then on, and before that; 0: any */
};

static inline bool list_filter_is_open(const struct list_filter *f) /* to all */
{
    return f->chain_id == 0 && f->symbol == NULL && f->address == NULL && f->since_ms == 0 &&
           f->until_ms == 0;
}

#endif
