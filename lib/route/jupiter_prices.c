/* The dollar prices of Jupiter's price service. It makes them of trades over all its pools, and leaves out
 * what does not trade enough to tell: no single trade moves one. One question names every token of the table,
 * and all workers share its answer. */
#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/shm_cache.h"
#include "chain/rpc/node.h"
#include "route/jupiter.h"
#include "route/price_source.h"
#include "route/provider_json.h"
#include "route/provider_service.h"
#include "route/provider_state.h"

enum {
    NAMED_MAX = 50, /* mints in one question */
    FRESH_MS = 30000,
    KEPT_MS = 60000,
    TIMEOUT_MS = 1500,
};

struct cached_prices {
    struct feed_price of[NAMED_MAX];
    int64_t said_ms; /* on the monotonic clock */
};

static struct shm_cache cached_prices = SHM_CACHE_INIT(1, struct cached_prices);

void jupiter_prices_share(void)
{
    shm_cache_share(&cached_prices);
}

/* Its tokens by their order in the table; NULL behind the last one that is named. */
static const struct token *token_at(size_t place)
{
    if (place >= NAMED_MAX)
        return NULL;
    for (size_t i = 0; i < tokens_count; i++)
        if (strcmp(tokens[i].chain, "solana") == 0 && place-- == 0)
            return &tokens[i];
    return NULL;
}

static bool jupiter_prices_list(const struct ctx *ctx, const struct chain *c, const struct token *t)
{
    return jupiter.supports(c, c) && strcmp(t->chain, c->key) == 0 && provider_url(ctx, &jupiter) != NULL &&
           nodes_known(ctx->nodes, c);
}

/* ---- asking ---- */

/* The rate is that of offers too: what is missing may be asked for beyond it, as what carries out a chosen
 * offer is; what is only getting old may not. */
static bool may_be_asked(const struct ctx *ctx, bool beyond_rate)
{
    enum provider_health health = provider_admits(ctx, &jupiter);

    return health == PROVIDER_READY || (health == PROVIDER_SPENT && beyond_rate);
}

/* The coin and its wrapped form stand side by side, and have one mint. */
static char *price_path(struct arena *a)
{
    char *path = arena_strdup(a, "/price/v3?ids=");
    const struct token *before = NULL, *t;

    for (size_t i = 0; (t = token_at(i)) != NULL; before = t, i++)
        if (before == NULL || strcmp(before->address_text, t->address_text) != 0)
            path = arena_printf(a, "%s%s%s", path, before == NULL ? "" : ",", t->address_text);
    return path;
}

static bool jupiter_prices_renew(struct call *call, const struct ctx *ctx, struct arena *a, bool needed)
{
    struct cached_prices kept = { .said_ms = 0 };
    bool have = shm_cache_read(&cached_prices, 0, &kept);
    int64_t age_ms = clock_mono_ms() - kept.said_ms;

    if (provider_url(ctx, &jupiter) == NULL || (have && age_ms < FRESH_MS) ||
        !may_be_asked(ctx, needed && !(have && age_ms < KEPT_MS)) ||
        !jupiter_get(call, ctx, a, price_path(a)))
        return false;
    call->timeout_ms = TIMEOUT_MS;
    return true;
}

/* ---- its text ---- */

/* A mint that does not trade is absent; one with other decimals is not what the table means. */
static void price_of_mint(struct feed_price *out, const json_t *doc, const struct token *t)
{
    const json_t *said = json_object_get(doc, t->address_text);
    uint64_t decimals;

    feed_price_read(out, said, "usdPrice", "priceChange24h");
    out->has_usd = out->has_usd && provider_json_u64(&decimals, said, "decimals") && decimals == t->decimals;
}

static enum ask_end jupiter_prices_read(const struct call *call)
{
    struct cached_prices kept = { .said_ms = clock_mono_ms() };
    enum ask_end end = provider_end(call);
    json_t *doc = provider_answer(call);
    const struct token *t;

    if (end != ASK_OFFERED)
        goto out;
    end = ASK_UNAVAILABLE;
    if (!json_is_object(doc))
        goto out;
    for (size_t i = 0; (t = token_at(i)) != NULL; i++)
        price_of_mint(&kept.of[i], doc, t);
    shm_cache_write(&cached_prices, 0, &kept);
    end = ASK_OFFERED;
out:
    json_decref(doc);
    return end;
}

static void jupiter_prices_keep(struct call *call)
{
    enum ask_end end = jupiter_prices_read(call);

    if (end == ASK_UNAVAILABLE && call->result == CALL_TIMEOUT)
        end = ASK_TIMEOUT;
    provider_tell(&jupiter, call, end);
    if (end != ASK_OFFERED)
        log_repeated("prices_no_answer", "source=jupiter",
                     "msg=\"no prices\" provider=jupiter status=%d why=\"%s\"", call->status, call->why);
    call_free(call);
}

static bool jupiter_prices_last(struct feed_price *out, const struct token *t)
{
    struct cached_prices kept;
    size_t place = 0;

    while (token_at(place) != NULL && token_at(place) != t)
        place++;
    if (token_at(place) == NULL || !shm_cache_read(&cached_prices, 0, &kept) ||
        clock_mono_ms() - kept.said_ms >= KEPT_MS)
        return false;
    *out = kept.of[place];
    return true;
}

const struct price_source jupiter_prices = {
    .type = CHAIN_SOLANA,
    .lists = jupiter_prices_list,
    .renew = jupiter_prices_renew,
    .keep = jupiter_prices_keep,
    .last = jupiter_prices_last,
    .confirm = price_trade_ask,
    .confirmed = price_trade_read,
};
