#include "predict/order_funds.h"

#include <inttypes.h>
#include <jansson.h>

#include "codec/u256_member.h"
#include "predict/account.h"
#include "predict/clob_private.h"
#include "predict/credentials.h"
#include "venue/polymarket_calls.h"

enum { ASK_DEADLINE_MS = 2500, LIFE_MS = 60 * 1000 };

const char *order_asset_token(struct arena *a, const struct order *o)
{
    char text[U256_DECIMAL_LEN + 1];

    if (o->side == ORDER_BUY)
        return NULL;
    u256_decimal(text, o->token);
    return arena_strdup(a, text);
}

/* ---- the venue ---- */

enum clob_asset order_asset(const struct order *o)
{
    if (o->side == ORDER_BUY)
        return CLOB_COLLATERAL;
    return o->exchange == POLYMARKET_V3 ? CLOB_SHARES_V3 : CLOB_SHARES;
}

const struct err *order_funds_ask(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                                  const struct order *o, struct order_funds *out)
{
    const char *query =
        clob_balance_query(a, order_asset(o), order_asset_token(a, o), account_signature_type(p));
    struct evm_addr spender = polymarket_exchange_addr((enum polymarket_exchange)o->exchange);
    const struct err *e = &E_PREDICT_ORDER_FAILED;
    struct clob_balance held;
    struct clob_error said;
    struct call c;

    *out = (struct order_funds){ .kept = false };
    if (!db_clock_ms(ctx->db, &out->seen_ms) ||
        !clob_ask(&c, ctx, a, p, "GET", "/balance-allowance", query, ASK_DEADLINE_MS, &said))
        return e;
    if (said.fault == CLOB_FINE && clob_read_balance(&c.answer, spender, &held)) {
        out->balance = held.balance;
        out->allowance = held.allowance;
        e = NULL;
    } else if (said.fault == CLOB_REFUSED) {
        e = said.err;
    }
    call_free(&c);
    return e;
}

/* ---- kept ---- */

const char *order_funds_question(struct arena *a, uint64_t wallet_id, const struct order *o)
{
    const char *token = order_asset_token(a, o);

    return arena_printf(a, "balance\n%" PRIu64 "\n%s\n%u", wallet_id, token != NULL ? token : "",
                        o->exchange);
}

bool order_funds_last(struct arena *a, const struct cached_answers *known, const struct predict_account *p,
                      const struct order *o, struct order_funds *out)
{
    const char *text = cached_answers_text(known, order_funds_question(a, p->wallet.id, o), LIFE_MS);
    json_t *doc = text == NULL ? NULL : json_loads(text, 0, NULL);
    bool fine;

    *out = (struct order_funds){ .kept = true };
    out->seen_ms = json_integer_value(json_object_get(doc, "seen"));
    fine = u256_member(&out->balance, doc, "balance") && u256_member(&out->allowance, doc, "allowance") &&
           known->now_ms - out->seen_ms < LIFE_MS;
    json_decref(doc);
    return fine;
}

bool order_funds_keep(struct db *db, struct arena *a, const struct order *o, const struct order_funds *b)
{
    char balance[U256_DECIMAL_LEN + 1], allowance[U256_DECIMAL_LEN + 1];

    u256_decimal(balance, b->balance);
    u256_decimal(allowance, b->allowance);
    return cached_answer_note(db, order_funds_question(a, o->wallet_id, o),
                              arena_printf(a,
                                           "{\"balance\":\"%s\",\"allowance\":\"%s\",\"seen\":%" PRId64 "}",
                                           balance, allowance, b->seen_ms));
}

void order_funds_forget(struct db *db, struct arena *a, const struct predict_account *p,
                        const struct order *o)
{
    (void)cached_answer_note(db, order_funds_question(a, p->wallet.id, o), "{}");
}
