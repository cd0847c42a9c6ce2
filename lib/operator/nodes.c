#include "operator/nodes.h"

#include "base/clock.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/clock_skew.h"
#include "chain/rpc/node_check.h"
#include "net/url.h"

enum { DEADLINE_MS = 2000, STALE_S = 120, STALE_BLOCKS = 30 };

static int64_t age_of(const struct node_checked *n)
{
    int64_t age = clock_seconds() - (int64_t)n->time;

    return n->time == 0 ? -1 : age > 0 ? age : 0;
}

static struct node_report report_of(const struct node_checked *n, struct arena *a)
{
    char host[URL_HOST_TEXT_LEN];

    url_host_text(host, n->url);
    return (struct node_report){ .chain = n->chain,
                                 .place = n->place + 1,
                                 .host = arena_strdup(a, host),
                                 .latency_ms = n->took_ms,
                                 .head = n->height,
                                 .age_s = n->error == NULL ? age_of(n) : -1,
                                 .lag_s = clock_seconds() - (int64_t)n->time,
                                 .error = n->error };
}

size_t operator_nodes(const struct ctx *ctx, struct arena *a, struct node_report **out)
{
    struct node_checked *all;
    size_t n = nodes_check(&all, ctx, a, DEADLINE_MS), reports = 0;

    *out = ARENA_ARRAY(a, struct node_report, n);
    for (size_t i = 0; i < n; i++)
        if (all[i].role == NODE_READ)
            (*out)[reports++] = report_of(&all[i], a);
    return reports;
}

const char *operator_clock(const struct node_report *nodes, size_t n, struct arena *a)
{
    struct clock_skew l = { .nodes = 0 };

    for (size_t i = 0; i < n; i++)
        if (nodes[i].age_s >= 0)
            clock_skew_add(&l, nodes[i].chain, nodes[i].lag_s);
    return clock_skew_text(&l, a);
}

bool node_report_is_fresh(const struct node_report *r)
{
    int64_t blocks_s = (int64_t)block_time_ms(r->chain) * STALE_BLOCKS / 1000;

    return r->error == NULL && r->age_s <= (blocks_s > STALE_S ? blocks_s : STALE_S);
}
