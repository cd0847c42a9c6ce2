#include "predict/order_import.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/incident.h"
#include "base/log.h"
#include "chain/tokens.h"
#include "predict/outcome_token.h"
#include "predict/predict_order_kind.h"
#include "predict/predict_order_terms.h"
#include "store/executions.h"
#include "store/orders.h"
#include "venue/polymarket_calls.h"

/* An execution that was carried out as it came into being. */
struct adoption {
    struct execution execution;
    struct order order;
};

static const struct err *token_rules(const struct ctx *ctx, struct arena *a, struct u256 id,
                                     struct predict_token *out)
{
    const struct cached_answers nothing = { .count = 0 };
    char text[U256_DECIMAL_LEN + 1];
    const struct err *e;

    u256_decimal(text, id);
    e = predict_token_read(a, text, out);
    return e != NULL ? e : predict_token_find(ctx, a, &nothing, out);
}

/* The venue counts the money of an order that spends: this is a size that has that cost at its price. */
static uint64_t order_size_of_row(const struct order *o, uint64_t size)
{
    return order_spends(o) ? size / o->price + (size % o->price != 0) : size / ORDER_SIZE_UNITS;
}

/* False when an order of ours cannot be like that. */
static bool order_of_row(struct order *o, const struct predict_account *p, const struct predict_token *t,
                         const struct clob_order *row)
{
    *o = (struct order){ .agent_id = p->wallet.agent_id,
                         .wallet_id = p->wallet.id,
                         .has_hash = true,
                         .token = t->id,
                         .exchange = (uint8_t)t->exchange,
                         .question = t->question,
                         .outcome = t->outcome,
                         .side = row->side,
                         .type = row->type,
                         .price = row->price,
                         .expires_ms = row->expires_ms,
                         .created_ms = row->created_ms,
                         .fee_rate = t->rules.fee_rate,
                         .fee_exponent = t->rules.fee_exponent };
    o->size = order_size_of_row(o, row->size);
    memcpy(o->hash, row->hash, sizeof o->hash);
    memcpy(o->condition, t->condition, sizeof o->condition);
    (void)snprintf(o->market, sizeof o->market, "%s", t->market);
    return (order_spends(o) ? order_cost(o) : order_shares(o)) == row->size &&
           order_fee_most(&o->fee_most, &t->rules, o);
}

static struct execution execution_of(const struct order *o)
{
    const struct token_ref pusd =
        token_ref_of(token_find(chain_by_id(POLYMARKET_CHAIN_ID), POLYMARKET_COLLATERAL));

    return (struct execution){ .kind = KIND_PREDICT_ORDER,
                               .agent_id = o->agent_id,
                               .wallet_id = o->wallet_id,
                               .venue = "polymarket",
                               .once = uuid_random(),
                               .from = pusd,
                               .to = pusd,
                               .amount_in = u256_from_u64(order_cost(o) + o->fee_most),
                               .valid_until_ms = o->created_ms };
}

static enum tx_verdict import_tx(struct db *db, void *arg)
{
    struct adoption *ad = arg;
    struct execution *x = &ad->execution;
    struct execution_move found = { .kind = KIND_PREDICT_ORDER,
                                    .agent_id = x->agent_id,
                                    .from = EXEC_PENDING,
                                    .to = EXEC_COMPLETED,
                                    .why = "found at its venue",
                                    .settles = true,
                                    .next = FOLLOW_NOT };

    if (!executions_add(db, x, 0))
        return TX_FAILED;
    ad->order.execution_id = found.id = x->id;
    return orders_add(db, &ad->order) && executions_move(db, &found, 1) == UPDATED &&
                   order_moved(db, &found, 1)
               ? TX_COMMIT
               : TX_FAILED;
}

static enum db_update order_put_back(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                                     const struct clob_order *row, struct adoption *out)
{
    struct predict_token token;
    const struct err *e;

    if (row->status != CLOB_LIVE || !row->has_terms || !p->wallet.has_key)
        return UNCHANGED;
    if ((e = token_rules(ctx, a, row->token, &token)) != NULL)
        return err_is(e, &E_TOKEN_ID) || err_is(e, &E_MARKET_PAUSED) ? UNCHANGED : DB_ERROR;
    if (!order_of_row(&out->order, p, &token, row))
        return UNCHANGED;
    out->execution = execution_of(&out->order);
    return db_outcome(db_transact(ctx->db, import_tx, out));
}

enum db_update order_import(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                            const struct clob_order *row)
{
    const char *id = order_id_text(a, row->hash);
    struct adoption ad;
    enum db_update adopted = order_put_back(ctx, a, p, row, &ad);

    if (adopted == UPDATED)
        log_warn("order_adopted",
                 "msg=\"an order that the database did not know is followed\" execution=%" PRIu64 " order=%s",
                 ad.order.execution_id, id);
    else
        log_repeated("order_not_adopted", "",
                     "msg=\"an order that the database does not know rests at the venue\" order=%s", id);
    return adopted;
}
