#include "operator/admin_settlers.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "signer/operator_file.h"
#include "signer/settlers.h"
#include "venue/aggregators.h"

enum { NODES = 3, DEADLINE_MS = 10000 };

static const char NOT_AGREED[] = "not all of its nodes answered the same", STOPPED[] = "they are stopped";

static void ask_registry(struct rpc_batch *b, const struct contract *registry)
{
    struct buf data = BUF_INIT(64);

    for (unsigned i = 0; i < ZEROX_SETTLERS; i++) {
        buf_reset(&data);
        zerox_settler_ask(&data, i);
        rpc_add_call(b, NULL, contract_addr(registry), &data);
    }
    rpc_end(b);
    buf_free(&data);
}

/* "": it names none. */
static const char *settler_read(struct arena *a, const struct node_query *q, unsigned i)
{
    char text[EVM_ADDR_TEXT_LEN + 1];
    const uint8_t *data;
    size_t n;

    return rpc_bytes(&data, &n, a, &q->answers.items[i]) && zerox_settler_read(text, data, n)
               ? arena_strdup(a, text)
               : "";
}

static bool nodes_agree(struct arena *a, const struct node_query *queries, unsigned count, unsigned i)
{
    for (unsigned q = 0; q < count; q++)
        if (!queries[q].answered ||
            strcmp(settler_read(a, &queries[q], i), settler_read(a, &queries[0], i)) != 0)
            return false;
    return true;
}

static struct settlers_report ask_chain(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                        const struct contract *registry)
{
    struct buf body = BUF_INIT(4096);
    struct rpc_batch batch = rpc_begin(&body);
    struct node_query q[NODES] = { { .chain = c, .batch = &batch, .order = NODE_AS_CONFIGURED },
                                   { .chain = c, .batch = &batch, .order = NODE_SECOND_OPINION },
                                   { .chain = c, .batch = &batch, .role = NODE_VERIFY } };
    unsigned n = nodes_verify(ctx->nodes, c) ? NODES : NODES - 1;
    struct settlers_report r = { .chain = c };

    ask_registry(&batch, registry);
    node_ask_all(ctx, q, n, DEADLINE_MS, a);
    if (!nodes_agree(a, q, n, 0) || !nodes_agree(a, q, n, 1)) {
        r.problem = NOT_AGREED;
    } else {
        r.first = settler_read(a, &q[0], 0);
        r.second = settler_read(a, &q[0], 1);
        r.problem = r.first[0] == '\0' ? STOPPED : NULL;
    }
    for (unsigned i = 0; i < n; i++)
        if (q[i].answered)
            rpc_answers_free(&q[i].answers);
    buf_free(&body);
    return r;
}

static void report_add(struct buf *lines, const struct settlers_report *r)
{
    if (r->problem != NULL)
        return;
    settlers_add(lines, r->chain->id, r->first);
    if (r->second[0] != '\0')
        settlers_add(lines, r->chain->id, r->second);
}

const char *operator_settlers(const struct ctx *ctx, struct arena *a, settlers_report_fn *report, void *arg)
{
    struct buf lines = BUF_INIT(SETTLERS_MAX);
    char path[PATH_MAX];
    bool written;

    for (size_t i = 0; i < chains_count; i++) {
        const struct contract *registry = contract_of(&chains[i], &zerox_registry);
        struct settlers_report r;

        if (registry == NULL || !nodes_known(ctx->nodes, &chains[i]))
            continue;
        r = ask_chain(ctx, a, &chains[i], registry);
        report_add(&lines, &r);
        report(arg, &r);
    }
    (void)snprintf(path, sizeof path, "%s/settlers", ctx->conf->signer_dir);
    written = operator_file_write(path, &lines);
    buf_free(&lines);
    return written ? NULL : arena_printf(a, "cannot write %s", path);
}
