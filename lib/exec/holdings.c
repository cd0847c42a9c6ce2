#include "exec/holdings.h"

#include <string.h>

void holdings_reserve(struct holdings *p, struct arena *a, size_t more)
{
    struct holding *held = ARENA_ARRAY(a, struct holding, p->count + more);

    if (p->count > 0)
        memcpy(held, p->held, p->count * sizeof *held);
    p->held = held;
}
