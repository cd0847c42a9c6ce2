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

static bool ask_one(const struct ctx *ctx, const char *url, const struct rpc_batch *batch,
                    unsigned timeout_ms, struct arena *a, struct rpc_answers *out)
{
    struct call call;
    bool ok;

    call_init(&call, url, MAX_UPSTREAM);
    call.headers[0] = "Content-Type: application/json";
    buf_add(&call.body, batch->out->data, batch->out->len);
    ok = calls_run(ctx->net, &call, 1, timeout_ms) == 1 && call.status < 500 && call.status != 429 &&
         rpc_read(out, a, &call.answer, batch->count);
    if (ok && !useful(out)) {
        rpc_answers_free(out);
        ok = false;
    }
    if (!ok)
        log_warn("msg=\"node gave no answer\" status=%d why=\"%s\"", call.status, call.why);
    call_free(&call);
    return ok;
}

bool node_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
              unsigned deadline_ms, struct arena *a, struct rpc_answers *out)
{
    int64_t end = clock_mono_ms() + deadline_ms;

    for (char *const *url = urls_of(ctx->nodes, c); *url != NULL; url++) {
        int64_t left = end - clock_mono_ms();

        if (left <= 0)
            return false;
        /* One silent node must not use up the time of the next. */
        if (url[1] != NULL)
            left = left / 2 + 1;
        if (ask_one(ctx, *url, batch, (unsigned)left, a, out))
            return true;
    }
    return false;
}
