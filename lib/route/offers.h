/* The results of asking for a route. */
#ifndef ROUTE_OFFERS_H
#define ROUTE_OFFERS_H

#include "route/provider.h"

/* The result of asking one provider. */
struct asked {
    const struct provider *provider;
    enum ask_end end;
    const char *reason; /* for people; NULL with ASK_OFFERED */
    unsigned took_ms;   /* 0: it was not asked */
};

struct offers {
    struct offer *best_first; /* by net output; in the arena */
    size_t count;
    const struct asked *asked; /* in the order of the table; in the arena */
    size_t asked_count;
    struct u256 reference_out;   /* the best of all answers; 0: not known */
    struct route_list reference; /* the best routes of that answer */
};

#endif
