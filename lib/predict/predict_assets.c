#include "predict/predict_assets.h"

#include <string.h>

#include "base/clock.h"
#include "base/json_reader.h"
#include "exec/chain_ops.h"
#include "predict/account.h"
#include "predict/positions.h"
#include "store/orders.h"
#include "store/predict_accounts.h"

enum { SHARE_PLACES = 6 };

static const char NAME[] = PREDICT_PLACE;

static void silent(struct assets *out, const struct chain *c)
{
    assets_add_silent(out, (struct silent_market){ .market = NAME, .chain = c, .certain = true });
}

static void position_add(struct assets *out, const struct wallet *w, const json_t *row)
{
    const char *size = json_string_value(json_object_get(row, "size")),
               *price = json_string_value(json_object_get(row, "currentPrice")),
               *outcome = json_string_value(json_object_get(row, "outcome")),
               *question = json_string_value(json_object_get(row, "question"));
    struct asset x = { .market = NAME,
                       .what = "shares",
                       .held = { .chain = chain_by_id(POLYMARKET_CHAIN_ID), .wallet = w->ref.address } };
    struct arena *a = out->arena;
    struct amount each;

    if (outcome != NULL && question != NULL)
        x.what = arena_printf(a, "%s: %s", outcome, question);
    if (size == NULL || amount_parse_down(a, &x.held.balance, size, SHARE_PLACES) != AMOUNT_FINE)
        x.held.balance = (struct amount){ U256_ZERO, SHARE_PLACES };
    else if (amount_is_zero(x.held.balance))
        return;
    x.held.priced = price != NULL && amount_parse_down(a, &each, price, RATE_PLACES) == AMOUNT_FINE &&
                    !amount_is_zero(x.held.balance) && amount_times_down(&x.held.usd, x.held.balance, each);
    assets_add(out, x);
}

static void positions_read(const struct ctx *ctx, const struct wallet *w, struct assets *out)
{
    const char *text;
    json_t *doc;
    const json_t *row;
    size_t i;

    if (positions_of(ctx, out->arena, w, &text) != NULL) {
        silent(out, NULL);
        return;
    }
    doc = json_read_texts(text, strlen(text));
    json_array_foreach(json_object_get(doc, "positions"), i, row) position_add(out, w, row);
    json_decref(doc);
}

/* Collateral in the deposit wallets, which are asked about at once. `of[i]` owns deposit[i]. */
static void deposits_read(const struct ctx *ctx, const struct wallet *const *of,
                          const struct wallet *deposits, size_t count, struct assets *out)
{
    const struct chain *c = chain_by_id(POLYMARKET_CHAIN_ID);
    struct holdings held = { .unread = ARENA_ARRAY(out->arena, const struct chain *, chains_count) };

    if (count > 0)
        chain_ops_of(c)->balances(ctx, out->arena, deposits, count, c, &held);
    for (size_t i = 0; i < held.count; i++) {
        struct asset x = { .market = NAME, .what = held.held[i].token->symbol, .held = held.held[i] };

        for (size_t k = 0; k < count; k++)
            if (strcmp(deposits[k].ref.address, held.held[i].wallet) == 0)
                x.held.wallet = of[k]->ref.address;
        assets_add(out, x);
    }
    if (held.unread_count > 0)
        silent(out, c);
}

static void predict_read(const struct ctx *ctx, const struct assets_question *q, struct assets *out)
{
    const struct wallet **of = ARENA_ARRAY(out->arena, const struct wallet *, q->count);
    struct wallet *deposits = ARENA_ARRAY(out->arena, struct wallet, q->count);
    size_t count = 0;

    if (q->only != NULL && q->only->id != POLYMARKET_CHAIN_ID)
        return;
    for (size_t i = 0; i < q->count; i++) {
        const struct wallet *w = &q->wallets[i];
        struct predict_account account;
        enum lookup found =
            w->ref.kind == WALLET_EVM ? predict_accounts_get(ctx->db, w, &account) : LOOKUP_NONE;

        out->failed = out->failed || found == LOOKUP_ERROR;
        if (found != LOOKUP_FOUND)
            continue;
        if (clock_mono_ms() > q->until_ms)
            silent(out, NULL);
        else
            positions_read(ctx, w, out);
        if (account_deposit_wallet(ctx->db, w, &deposits[count]) == LOOKUP_FOUND)
            of[count++] = w;
    }
    deposits_read(ctx, of, deposits, count, out);
}

static int predict_open_orders(struct db *db, struct arena *a, uint64_t agent_id, const char **ids)
{
    static const enum order_status statuses[] = { ORDER_PENDING, ORDER_OPEN };
    const struct page page = { .limit = ASSET_ORDERS_MAX };
    struct order *list = ARENA_ARRAY(a, struct order, ASSET_ORDERS_MAX);
    int count = 0;

    for (size_t s = 0; s < sizeof statuses / sizeof statuses[0]; s++) {
        int n = orders_page(db, a, agent_id, 1u << statuses[s], &page, list);

        if (n < 0)
            return n;
        for (int i = 0; i < n; i++)
            ids[count++] = order_id_text(a, list[i].hash);
    }
    return count;
}

const struct asset_source predict_assets = {
    .name = NAME,
    .kinds = 1u << KIND_PREDICT_ORDER | 1u << KIND_PREDICT_DEPOSIT | 1u << KIND_PREDICT_WITHDRAWAL |
             1u << KIND_PREDICT_REDEMPTION,
    .read = predict_read,
    .open_orders = predict_open_orders,
};
