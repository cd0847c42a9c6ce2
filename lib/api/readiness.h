/* The parts that the service needs, and those that it should have: /readyz shows them to people, /metrics to
 * monitors. */
#ifndef API_READINESS_H
#define API_READINESS_H

#include <stdbool.h>
#include <stdint.h>

#include "service/ctx.h"

struct readiness {
    bool database, durable, schema, writes, room, signer, signer_writes, nodes;
    unsigned standing; /* the signer's */
    /* Age of the oldest overdue work in seconds; one that grows means that cron does not run the jobs. */
    int64_t executions_overdue, orders_overdue, webhooks_overdue;
};

/* Before forking: the answer of /readyz is shared, and made at most once a second. */
void readiness_share(void);
struct readiness readiness_read(const struct ctx *ctx);

/* The parts that decide, in the order in which they are shown. */
struct readiness_part {
    const char *name;
    bool fine;
};
enum { READINESS_PARTS = 8 };
void readiness_parts(const struct readiness *r, struct readiness_part out[static READINESS_PARTS]);
bool readiness_is_given(const struct readiness *r);

#endif
