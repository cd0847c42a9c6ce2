#include "operator/admin_prices.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "model/amount.h"
#include "route/price.h"
#include "signer/min_output.h"
#include "signer/operator_file.h"
#include "venue/trade.h"

enum { TOKENS_MAX = 64 }; /* of one chain */

struct chain_prices {
    const struct token *token[TOKENS_MAX];
    struct price price[TOKENS_MAX];
    size_t count;
};

/* All of a chain at once, and one chain after the other: together they would be more than nodes bear. */
static void ask_chain(struct chain_prices *p, const struct ctx *ctx, struct arena *a, const struct chain *c)
{
    p->count = 0;
    for (size_t i = 0; i < tokens_count && p->count < TOKENS_MAX; i++) {
        if (strcmp(tokens[i].chain, c->key) != 0)
            continue;
        p->token[p->count] = &tokens[i];
        p->price[p->count] = price_of_token(ctx, a, c, &tokens[i]);
        p->price[p->count++].wants_bounds = true;
    }
    prices_ask(ctx, a, p->price, p->count);
}

static bool is_sound(const struct price *p)
{
    return p->state == PRICE_KNOWN && p->has_bounds && !p->apart;
}

static struct prices_report add_chain(struct buf *text, const struct ctx *ctx, struct arena *a,
                                      const struct chain *c)
{
    struct prices_report r = { .chain = c, .absent = "" };
    struct chain_prices *p = ARENA_NEW(a, struct chain_prices);

    ask_chain(p, ctx, a, c);
    for (size_t i = 0; i < p->count; i++) {
        const struct token *t = p->token[i];

        if (!is_sound(&p->price[i])) {
            r.absent = arena_printf(a, "%s %s", r.absent, t->symbol);
            continue;
        }
        min_output_add(text, c->id, token_is_native(t) ? TRADE_COIN : t->address_text, t->decimals,
                       p->price[i].usd.raw);
        r.count++;
    }
    return r;
}

/* The list is as old as the first answer. */
const char *operator_prices(const struct ctx *ctx, struct arena *a, prices_report_fn *report, void *arg)
{
    struct buf text = BUF_INIT(FLOOR_FILE_MAX);
    char path[PATH_MAX];
    bool written;

    min_output_begin(&text, clock_seconds());
    for (size_t i = 0; i < chains_count; i++) {
        struct prices_report r;

        if (!nodes_known(ctx->nodes, &chains[i]))
            continue;
        r = add_chain(&text, ctx, a, &chains[i]);
        report(arg, &r);
    }
    min_output_end(&text);
    (void)snprintf(path, sizeof path, "%s/prices", ctx->conf->signer_dir);
    written = operator_file_write(path, &text);
    buf_free(&text);
    return written ? NULL : arena_printf(a, "cannot write %s", path);
}
