#include "chain/evm/node.h"

#include <string.h>
#include <sys/mman.h>

#include "core/log.h"
#include "net/call.h"

enum { MAX_URLS = 4 };

struct urls {
    struct target target[MAX_URLS + 1]; /* no url ends the list */
};

struct nodes {
    struct urls *of;          /* one per row of chains[] */
    struct breaker *breakers; /* MAX_URLS for each of them, shared with the processes that are forked */
};

static void add_url(struct urls *u, struct breaker *breakers, const char *s, size_t n)
{
    for (size_t i = 0; i < MAX_URLS; i++) {
        if (u->target[i].url != NULL)
            continue;
        u->target[i] = (struct target){ strndup(s, n), &breakers[i] };
        return;
    }
}

static void split(struct urls *u, struct breaker *breakers, const char *list)
{
    while (*list != '\0') {
        size_t skip = strspn(list, ", \t"), n = strcspn(list + skip, ", \t");

        if (n > 0)
            add_url(u, breakers, list + skip, n);
        list += skip + n;
    }
}

/* Settings name a chain by its key alone: with an alias a second line could say something else. */
static bool is_key(const char *text)
{
    const struct chain *c = chain_find(text);

    return c != NULL && strcmp(c->key, text) == 0;
}

static size_t breakers_size(void)
{
    return chains_count * MAX_URLS * sizeof(struct breaker);
}

static struct breaker *new_breakers(void)
{
    void *p = mmap(NULL, breakers_size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        log_fatal("msg=\"out of memory\"");
    return p;
}

struct nodes *nodes_new(const struct conf *conf)
{
    struct nodes *n = calloc(1, sizeof *n);
    const char *unknown = conf_unknown_chain(conf, is_key);

    if (unknown != NULL)
        log_fatal("msg=\"setting for an unknown chain\" name=%s", unknown);

    if (n == NULL || (n->of = calloc(chains_count, sizeof *n->of)) == NULL)
        log_fatal("msg=\"out of memory\"");
    n->breakers = new_breakers();
    for (size_t i = 0; i < chains_count; i++) {
        const char *list = conf_chain(conf, "rpc", chains[i].key);

        if (list == NULL)
            list = chains[i].rpc_default;
        if (list != NULL)
            split(&n->of[i], n->breakers + i * MAX_URLS, list);
    }
    return n;
}

void nodes_free(struct nodes *n)
{
    for (size_t i = 0; i < chains_count; i++)
        for (size_t j = 0; j < MAX_URLS; j++)
            free((char *)(uintptr_t)n->of[i].target[j].url);
    (void)munmap(n->breakers, breakers_size());
    free(n->of);
    free(n);
}

static const struct target *targets_of(const struct nodes *n, const struct chain *c)
{
    return n->of[c - chains].target;
}

bool nodes_known(const struct nodes *n, const struct chain *c)
{
    return targets_of(n, c)[0].url != NULL;
}

/* Every chain waits in a lane of its own. */
static unsigned lane_of(const struct chain *c)
{
    return (unsigned)(c - chains) % SLOTS_LANES;
}

bool nodes_call(struct call *call, const struct ctx *ctx, const struct chain *c)
{
    if (!nodes_known(ctx->nodes, c))
        return false;
    call_init(call, NULL, MAX_UPSTREAM);
    call->more = targets_of(ctx->nodes, c);
    call->slots = ctx->slots;
    call->lane = lane_of(c);
    call->headers[0] = "Content-Type: application/json";
    return true;
}

const struct err *node_silence(const struct ctx *ctx, struct arena *a, const struct chain *c)
{
    if (ctx->slots != NULL && slots_lane_was_full(ctx->slots, lane_of(c)))
        return err_hint(
            a, &E_BUSY,
            arena_printf(a, "Too many calls at once wait for the chain '%s': try again in a second", c->key));
    return err_hint(a, &E_UPSTREAM,
                    arena_printf(a, "No node of the chain '%s' answers in time: retry with backoff", c->key));
}

/* A query on its way. */
struct asking {
    struct node_query *query;
    struct arena *arena;
};

static bool all_final(const struct rpc_answers *as)
{
    for (unsigned i = 0; i < as->count; i++)
        if (!rpc_is_final(as->items[i].class))
            return false;
    return true;
}

static bool any_final(const struct rpc_answers *as)
{
    for (unsigned i = 0; i < as->count; i++)
        if (rpc_is_final(as->items[i].class))
            return true;
    return false;
}

/* What one node leaves open is for the next one. */
static bool read_answers(struct call *call)
{
    const struct asking *asking = call->owner;
    struct rpc_answers *as = &asking->query->answers;

    return rpc_answers_add(as, &call->answer, call->status) && all_final(as);
}

/* The first node becomes the last one. */
static void turn_round(struct call *call, struct arena *a)
{
    const struct target *targets = call->more;
    struct target *turned;
    size_t n = 0;

    while (targets[n].url != NULL)
        n++;
    turned = ARENA_ARRAY(a, struct target, n + 1);
    for (size_t i = 0; i < n; i++)
        turned[i] = targets[(i + 1) % n];
    call->more = turned;
}

static bool begin(struct call *call, const struct ctx *ctx, struct asking *asking)
{
    struct node_query *q = asking->query;

    if (!nodes_call(call, ctx, q->chain))
        return false;
    if (q->second_opinion)
        turn_round(call, asking->arena);
    call->owner = asking;
    call->usable = read_answers;
    q->answers = rpc_answers_new(asking->arena, q->batch->count);
    buf_add(&call->body, q->batch->out->data, q->batch->out->len);
    return true;
}

void node_ask_all(const struct ctx *ctx, struct node_query *queries, size_t count, unsigned deadline_ms,
                  struct arena *a)
{
    struct call *calls = ARENA_ARRAY(a, struct call, count);
    struct asking *asking = ARENA_ARRAY(a, struct asking, count);
    size_t asked = 0;

    for (size_t i = 0; i < count; i++) {
        queries[i].answered = false;
        asking[asked] = (struct asking){ &queries[i], a };
        asked += begin(&calls[asked], ctx, &asking[asked]);
    }
    (void)calls_run(ctx->net, calls, asked, deadline_ms);
    for (size_t i = 0; i < asked; i++) {
        struct node_query *q = asking[i].query;

        q->answered = any_final(&q->answers);
        if (!q->answered) {
            rpc_answers_free(&q->answers);
            log_warn("msg=\"node gave no answer\" chain=%s status=%d why=\"%s\"", q->chain->key,
                     calls[i].status, calls[i].why);
        }
        call_free(&calls[i]);
    }
}

bool node_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
              unsigned deadline_ms, struct arena *a, struct rpc_answers *out)
{
    struct node_query q = { .chain = c, .batch = batch };

    node_ask_all(ctx, &q, 1, deadline_ms, a);
    *out = q.answers;
    return q.answered;
}
