#include "chain/evm/node.h"

#include <string.h>

#include "core/log.h"
#include "net/call.h"

enum { MAX_URLS = 4 };

struct urls {
    char *url[MAX_URLS + 1]; /* NULL ends the list */
};

struct nodes {
    struct urls *of; /* one per row of chains[] */
};

static void add_url(struct urls *u, const char *s, size_t n)
{
    for (size_t i = 0; i < MAX_URLS; i++) {
        if (u->url[i] != NULL)
            continue;
        u->url[i] = strndup(s, n);
        return;
    }
}

static void split(struct urls *u, const char *list)
{
    while (*list != '\0') {
        size_t skip = strspn(list, ", \t"), n = strcspn(list + skip, ", \t");

        if (n > 0)
            add_url(u, list + skip, n);
        list += skip + n;
    }
}

/* Settings name a chain by its key alone: with an alias a second line could say something else. */
static bool is_key(const char *text)
{
    const struct chain *c = chain_find(text);

    return c != NULL && strcmp(c->key, text) == 0;
}

struct nodes *nodes_new(const struct conf *conf)
{
    struct nodes *n = calloc(1, sizeof *n);
    const char *unknown = conf_unknown_chain(conf, is_key);

    if (unknown != NULL)
        log_fatal("msg=\"setting for an unknown chain\" name=%s", unknown);

    if (n == NULL || (n->of = calloc(chains_count, sizeof *n->of)) == NULL)
        log_fatal("msg=\"out of memory\"");
    for (size_t i = 0; i < chains_count; i++) {
        const char *list = conf_chain(conf, "rpc", chains[i].key);

        if (list == NULL)
            list = chains[i].rpc_default;
        if (list != NULL)
            split(&n->of[i], list);
    }
    return n;
}

void nodes_free(struct nodes *n)
{
    for (size_t i = 0; i < chains_count; i++)
        for (size_t j = 0; j < MAX_URLS; j++)
            free(n->of[i].url[j]);
    free(n->of);
    free(n);
}

static char *const *urls_of(const struct nodes *n, const struct chain *c)
{
    return n->of[c - chains].url;
}

bool nodes_known(const struct nodes *n, const struct chain *c)
{
    return urls_of(n, c)[0] != NULL;
}

bool nodes_call(struct call *call, const struct nodes *n, const struct chain *c)
{
    char *const *urls = urls_of(n, c);

    if (urls[0] == NULL)
        return false;
    call_init(call, urls[0], MAX_UPSTREAM);
    call->more = urls + 1;
    call->headers[0] = "Content-Type: application/json";
    return true;
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
static void turn_round(struct call *call, char *const *urls, struct arena *a)
{
    char **turned;
    size_t n = 0;

    while (urls[n] != NULL)
        n++;
    turned = ARENA_ARRAY(a, char *, n + 1);
    for (size_t i = 0; i < n; i++)
        turned[i] = urls[(i + 1) % n];
    call->url = turned[0];
    call->more = turned + 1;
}

static bool begin(struct call *call, const struct ctx *ctx, struct asking *asking)
{
    struct node_query *q = asking->query;

    if (!nodes_call(call, ctx->nodes, q->chain))
        return false;
    if (q->second_opinion)
        turn_round(call, urls_of(ctx->nodes, q->chain), asking->arena);
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
