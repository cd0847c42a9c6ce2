#include "operator/nodes.h"

#include <string.h>

#include "base/clock.h"
#include "chain/rpc/dialect.h"
#include "chain/rpc/node_peer.h"
#include "net/call.h"

enum { DEADLINE_MS = 2000, STALE_S = 120, STALE_BLOCKS = 30 };

/* One question to one node. */
struct probe {
    struct node_report *report;
    struct target target[2]; /* this node alone; what the gateway learns about it is not touched */
};

static const char *host_of(struct arena *a, const char *url)
{
    const char *begin = strstr(url, "://"), *at;
    size_t len;

    begin = begin != NULL ? begin + 3 : url;
    len = strcspn(begin, "/?#");
    at = memchr(begin, '@', len);
    if (at != NULL) {
        len -= (size_t)(at + 1 - begin);
        begin = at + 1;
    }
    return arena_strndup(a, begin, len);
}

static void probe_begin(struct probe *p, struct call *call, const struct target *node)
{
    const struct dialect *dialect = dialect_of(p->report->chain);

    p->target[0] = (struct target){ .url = node->url };
    call_init(call, NULL, MAX_UPSTREAM);
    call->more = p->target;
    call->headers[0] = "Content-Type: application/json";
    buf_addf(&call->body, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"%s\",\"params\":%s}", dialect->newest,
             dialect->newest_params);
}

static const char *newest_read(struct node_report *r, const struct call *call, struct arena *a)
{
    const struct dialect *dialect = dialect_of(r->chain);
    struct rpc_answers as;
    uint64_t time = 0;
    bool ok;

    if (call->result != CALL_ANSWERED)
        return arena_strdup(a, call->why[0] != '\0' ? call->why : "no answer in time");
    if (call->status != 200)
        return arena_printf(a, "HTTP %d", call->status);
    if (!rpc_read(&as, a, &call->answer, 1, dialect->classify))
        return "its answer is no JSON-RPC";
    ok = dialect->read_newest(&r->head, &time, &as.items[0]);
    rpc_answers_free(&as);
    if (ok && time != 0)
        r->age_s = clock_seconds() > (int64_t)time ? clock_seconds() - (int64_t)time : 0;
    return ok ? NULL : "its answer names no block";
}

size_t operator_nodes(const struct ctx *ctx, struct arena *a, struct node_report **out)
{
    struct probe *probes = ARENA_ARRAY(a, struct probe, chains_count * NODES_MAX);
    struct call *calls = ARENA_ARRAY(a, struct call, chains_count * NODES_MAX);
    struct node_report *reports = ARENA_ARRAY(a, struct node_report, chains_count * NODES_MAX);
    size_t n = 0;

    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        const struct target *nodes = nodes_targets(ctx->nodes, c, NODE_READ);

        for (size_t i = 0; nodes[i].url != NULL; i++, n++) {
            reports[n] = (struct node_report){
                .chain = c, .place = i + 1, .host = host_of(a, nodes[i].url), .age_s = -1
            };
            probes[n].report = &reports[n];
            probe_begin(&probes[n], &calls[n], &nodes[i]);
        }
    }
    (void)calls_run(ctx->net, calls, n, DEADLINE_MS);
    for (size_t i = 0; i < n; i++) {
        reports[i].latency_ms = calls[i].took_ms;
        reports[i].error = newest_read(&reports[i], &calls[i], a);
        call_free(&calls[i]);
    }
    *out = reports;
    return n;
}

bool node_report_is_fresh(const struct node_report *r)
{
    int64_t blocks_s = (int64_t)r->chain->block_ms * STALE_BLOCKS / 1000;

    return r->error == NULL && r->age_s <= (blocks_s > STALE_S ? blocks_s : STALE_S);
}
