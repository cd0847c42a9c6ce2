#include "perps/perps_assets.h"

#include "base/clock.h"
#include "model/perps_order.h"
#include "perps/number.h"
#include "perps/perps_account.h"
#include "perps/wallet_state.h"
#include "service/conf.h"
#include "store/perps_orders.h"

static const char NAME[] = "perps";

/* The worth of the account with what its positions gain; less than nothing is a debt. */
static void dollars_add(struct assets *out, const struct wallet *w, const char *dollars)
{
    struct asset x = { .market = NAME, .what = "USDC", .is_debt = *dollars == '-' };

    dollars += x.is_debt;
    if (perps_is_zero(dollars))
        return;
    x.held.wallet = w->ref.address;
    x.held.priced = amount_parse_down(out->arena, &x.held.usd, dollars, RATE_PLACES) == AMOUNT_FINE &&
                    perps_amount(&x.held.balance, dollars);
    assets_add(out, x);
}

/* A balance of its spot wallet, whose worth the venue does not state. */
static void coin_add(struct assets *out, const struct wallet *w, const struct perps_coin *c)
{
    struct asset x = { .market = NAME, .what = c->name, .held.wallet = w->ref.address };

    if (perps_amount(&x.held.balance, c->total))
        assets_add(out, x);
}

/* A venue that does not answer once is asked no more. */
static void perps_read(const struct ctx *ctx, const struct assets_question *q, struct assets *out)
{
    for (size_t i = 0; q->only == NULL && i < q->count; i++) {
        const struct wallet *w = &q->wallets[i];
        struct perps_held held;

        if (w->ref.kind != WALLET_EVM)
            continue;
        if (clock_mono_ms() > q->until_ms || perps_held(ctx, out->arena, w, &held) != NULL) {
            assets_add_silent(out, (struct silent_market){ .market = NAME });
            return;
        }
        if (!held.has_something)
            continue;
        dollars_add(out, w, held.dollars);
        for (size_t k = 0; k < held.coin_count; k++)
            coin_add(out, w, &held.coins[k]);
    }
}

static bool perps_is_offered(const struct ctx *ctx)
{
    return ctx->conf->perps_trading;
}

static int perps_open_orders(struct db *db, struct arena *a, uint64_t agent_id, const char **ids)
{
    static const enum order_status statuses[] = { ORDER_PENDING, ORDER_OPEN };
    const struct page page = { .limit = ASSET_ORDERS_MAX };
    struct perps_order *list = ARENA_ARRAY(a, struct perps_order, ASSET_ORDERS_MAX);
    int count = 0;

    for (size_t s = 0; s < sizeof statuses / sizeof statuses[0]; s++) {
        const struct perps_filter filter = { .status = statuses[s] };
        int n = perps_orders_page(db, a, agent_id, &filter, &page, list);

        if (n < 0)
            return n;
        for (int i = 0; i < n; i++)
            ids[count++] = perps_cloid_text(a, list[i].cloid);
    }
    return count;
}

const struct asset_source perps_assets = {
    .name = NAME,
    .kinds = 1u << KIND_PERPS_ORDER | 1u << KIND_PERPS_CLOSE | 1u << KIND_PERPS_LEVERAGE |
             1u << KIND_PERPS_KEY | 1u << KIND_PERPS_DEPOSIT | 1u << KIND_PERPS_WITHDRAWAL,
    .is_offered = perps_is_offered,
    .read = perps_read,
    .open_orders = perps_open_orders,
};
