#include "chain/rpc/node_check.h"

#include <inttypes.h>

#include "chain/rpc/dialect.h"
#include "chain/rpc/node_cause.h"
#include "chain/rpc/node_peer.h"

enum { QUESTIONS = 2 };

static void question_put(struct call *call, const struct node_checked *owner, const char *method,
                         const char *params)
{
    call_init(call, owner->url, MAX_UPSTREAM);
    call->headers[0] = "Content-Type: application/json";
    buf_addf(&call->body, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"%s\",\"params\":%s}", method, params);
}

static size_t nodes_list(struct node_checked *out, const struct nodes *nodes)
{
    static const enum node_role roles[] = { NODE_READ, NODE_VERIFY };
    size_t n = 0;

    for (const struct chain *c = chains; c < chains + chains_count; c++)
        for (size_t r = 0; r < sizeof roles / sizeof roles[0]; r++) {
            const struct target *t = nodes_targets(nodes, c, roles[r]);

            for (size_t i = 0; t[i].url != NULL; i++)
                out[n++] = (struct node_checked){ .chain = c, .role = roles[r], .place = i, .url = t[i].url };
        }
    return n;
}

static bool which_read(struct node_checked *n, const struct rpc_answer *r)
{
    n->known = dialect_of(n->chain)->read_which(&n->right, n->chain, r);
    return n->known;
}

static bool newest_read(struct node_checked *n, const struct rpc_answer *r)
{
    return dialect_of(n->chain)->read_newest(&n->height, &n->time, r);
}

/* Why `read` could not use the answer; CAUSE_NONE: it did. */
static unsigned answer_read(struct node_checked *n, const struct call *call, struct arena *a,
                            bool (*read)(struct node_checked *n, const struct rpc_answer *r))
{
    struct rpc_answers as;
    bool parsed = node_answer_read(&as, a, call, n->chain);
    bool ok = parsed && read(n, &as.items[0]);

    if (parsed)
        rpc_answers_free(&as);
    return ok ? CAUSE_NONE : node_cause_of(call, parsed);
}

static void answers_read(struct node_checked *n, const struct call *which, const struct call *newest,
                         struct arena *a)
{
    unsigned cause = answer_read(n, which, a, which_read), later = answer_read(n, newest, a, newest_read);

    if (n->known && !n->right)
        cause = CAUSE_OTHER_CHAIN;
    else if (cause == CAUSE_NONE)
        cause = later;
    n->took_ms = newest->took_ms;
    n->error = cause == CAUSE_NONE ? NULL : node_cause_text(a, cause);
    if (n->error != NULL)
        n->height = 0;
}

size_t nodes_check(struct node_checked **out, const struct ctx *ctx, struct arena *a, unsigned ms)
{
    struct node_checked *all = ARENA_ARRAY(a, struct node_checked, chains_count * NODES_MAX * 2);
    size_t n = nodes_list(all, ctx->nodes);
    struct call *calls = ARENA_ARRAY(a, struct call, n * QUESTIONS);

    for (size_t i = 0; i < n; i++) {
        const struct dialect *dialect = dialect_of(all[i].chain);

        question_put(&calls[QUESTIONS * i], &all[i], dialect->which, "[]");
        question_put(&calls[QUESTIONS * i + 1], &all[i], dialect->newest, dialect->newest_params);
    }
    (void)calls_run(ctx->net, calls, n * QUESTIONS, ms);
    for (size_t i = 0; i < n; i++)
        answers_read(&all[i], &calls[QUESTIONS * i], &calls[QUESTIONS * i + 1], a);
    for (size_t i = 0; i < n * QUESTIONS; i++)
        call_free(&calls[i]);
    *out = all;
    return n;
}

/* ---- commands ---- */

enum { PACE, SIMULATION, LOGS, ABILITIES };

/* Below the newest one. */
static uint64_t block_below(const struct node_checked *n, uint64_t by)
{
    return n->height > by ? n->height - by : 0;
}

static unsigned pace_read(const struct node_checked *n, const struct rpc_answer *r)
{
    uint64_t height, time, ms;

    if (!dialect_of(n->chain)->read_newest(&height, &time, r) || n->height < height + NODE_PACE_LEAST ||
        n->time <= time || n->time - time > UINT32_MAX)
        return 0;
    ms = (n->time - time) * 1000 / (n->height - height);
    return ms < UINT32_MAX ? (unsigned)ms : 0;
}

static const char *printable(struct arena *a, const char *text)
{
    char *copy = arena_strndup(a, text, strnlen(text, 80));

    for (char *c = copy; *c != '\0'; c++)
        if (*c < ' ' || *c > '~' || *c == '"')
            *c = ' ';
    return copy;
}

/* NULL: it gave what was asked for. */
static const char *ability_read(const struct node_checked *n, const struct call *call, struct arena *a,
                                unsigned *block_ms)
{
    struct rpc_answers as;
    const char *why = NULL;

    if (call->result != CALL_ANSWERED)
        return arena_strdup(a, call->why);
    if (!node_answer_read(&as, a, call, n->chain))
        return "its answer is no JSON-RPC";
    if (as.items[0].result == NULL)
        why = printable(a, as.items[0].error_text);
    else if (block_ms != NULL)
        *block_ms = pace_read(n, &as.items[0]);
    rpc_answers_free(&as);
    return why;
}

struct node_abilities node_abilities(const struct node_checked *n, const struct ctx *ctx, struct arena *a,
                                     unsigned ms)
{
    struct node_abilities can = { .block_ms = 0 };
    struct call calls[ABILITIES];

    if (n->chain->type != CHAIN_EVM)
        return can;
    question_put(&calls[PACE], n, dialect_of(n->chain)->by_number,
                 arena_printf(a, "[\"0x%" PRIx64 "\",false]", block_below(n, NODE_PACE_BLOCKS)));
    question_put(&calls[SIMULATION], n, "eth_simulateV1",
                 "[{\"blockStateCalls\":[{\"calls\":[]}]},\"latest\"]");
    question_put(&calls[LOGS], n, "eth_getLogs",
                 arena_printf(a,
                              "[{\"fromBlock\":\"0x%" PRIx64 "\",\"toBlock\":\"0x%" PRIx64
                              "\",\"address\":\"0x000000000000000000000000000000000000dEaD\"}]",
                              block_below(n, NODE_LOGS_BLOCKS - 1), n->height));
    (void)calls_run(ctx->net, calls, ABILITIES, ms);
    (void)ability_read(n, &calls[PACE], a, &can.block_ms);
    can.simulation = ability_read(n, &calls[SIMULATION], a, NULL);
    can.logs = ability_read(n, &calls[LOGS], a, NULL);
    for (size_t i = 0; i < ABILITIES; i++)
        call_free(&calls[i]);
    return can;
}
