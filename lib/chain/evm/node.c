#include "chain/evm/node.h"

#include <string.h>

#include "core/clock.h"
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

const char *nodes_url(const struct nodes *n, const struct chain *c)
{
    return urls_of(n, c)[0];
}

/* A node that answers every item with its own trouble (rate limit) is as good as silent. */
static bool useful(const struct rpc_answers *as)
{
    for (unsigned i = 0; i < as->count; i++)
        if (as->items[i].result != NULL || as->items[i].error_code != -32005)
            return true;
    return as->count == 0;
}

/* One round: the queries that nobody answered yet go to the node at place `turn` of their chain's list. */
struct round {
    size_t count;
    struct call *calls;
    struct node_query **of; /* whose call it is */
    bool last;              /* no chain has a node behind this one */
};

static void round_begin(struct round *r, const struct ctx *ctx, struct node_query *queries, size_t count,
                        unsigned turn)
{
    r->count = 0;
    r->last = true;
    for (size_t i = 0; i < count; i++) {
        char *const *url = urls_of(ctx->nodes, queries[i].chain) + turn;
        struct call *call = &r->calls[r->count];

        if (queries[i].answered || *url == NULL)
            continue;
        if (url[1] != NULL)
            r->last = false;
        call_init(call, *url, MAX_UPSTREAM);
        call->headers[0] = "Content-Type: application/json";
        buf_add(&call->body, queries[i].batch->out->data, queries[i].batch->out->len);
        r->of[r->count++] = &queries[i];
    }
}

static void round_read(struct node_query *q, const struct call *call, struct arena *a)
{
    q->answered = call->result == CALL_ANSWERED && call->status < 500 && call->status != 429 &&
                  rpc_read(&q->answers, a, &call->answer, q->batch->count);
    if (q->answered && !useful(&q->answers)) {
        rpc_answers_free(&q->answers);
        q->answered = false;
    }
    if (!q->answered)
        log_warn("msg=\"node gave no answer\" chain=%s status=%d why=\"%s\"", q->chain->key, call->status,
                 call->why);
}

void node_ask_all(const struct ctx *ctx, struct node_query *queries, size_t count, unsigned deadline_ms,
                  struct arena *a)
{
    int64_t end = clock_mono_ms() + deadline_ms;
    struct round r = { .calls = ARENA_ARRAY(a, struct call, count),
                       .of = ARENA_ARRAY(a, struct node_query *, count) };

    for (size_t i = 0; i < count; i++)
        queries[i].answered = false;
    for (unsigned turn = 0; turn < MAX_URLS; turn++) {
        int64_t left = end - clock_mono_ms();

        if (left <= 0)
            return;
        round_begin(&r, ctx, queries, count, turn);
        if (r.count == 0)
            return;
        /* One silent node must not use up the time of the next. */
        (void)calls_run(ctx->net, r.calls, r.count, (unsigned)(r.last ? left : left / 2 + 1));
        for (size_t i = 0; i < r.count; i++) {
            round_read(r.of[i], &r.calls[i], a);
            call_free(&r.calls[i]);
        }
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
