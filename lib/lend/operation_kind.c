/* The rows of lending operations among the kinds of execution. */
#include "chain/chains.h"
#include "lend/market.h"
#include "lend/operation.h"
#include "store/lend_operations.h"
#include "swap/swap_view.h"

enum { HEALTH_PLACES = 18, TERMS_PLACES = 2, USD_PLACES = 6 };

bool lend_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct lend_operation *o = ARENA_NEW(a, struct lend_operation);

    *own = o;
    return lend_operations_get(db, x->id, o) == LOOKUP_FOUND;
}

/* The final amount, once the chain has shown it. */
static struct amount amount_of(const struct execution *x)
{
    return (struct amount){ x->has_amount_out ? x->amount_out : x->amount_in, x->to.decimals };
}

static const char *chain_key(const struct execution *x)
{
    const struct chain *c = chain_by_id(x->to.chain_id);

    return c != NULL ? c->key : "unknown";
}

/* ---- as JSON ---- */

void lend_health_write(struct json_writer *w, const char *key, bool known, struct u256 health)
{
    if (known)
        lend_number_write(w, key, (struct amount){ health, HEALTH_PLACES }, LEND_HEALTH_PLACES);
    else
        jw_null(w, key);
}

void lend_usd_write(struct json_writer *w, const char *key, bool known, struct amount usd)
{
    if (known)
        lend_number_write(w, key, usd, USD_PLACES);
    else
        jw_null(w, key);
}

/* The kind of a transaction before or after the main step. */
static const char *transaction_kind(const struct execution_shown *x, unsigned i)
{
    const struct transaction *t = &x->txs[i];

    if (t->kind == TX_APPROVAL)
        return u256_is_zero(t->token_amount) ? "revocation" : "approval";
    if (t->kind != TX_SPEND)
        return transaction_text(t);
    return u256_is_zero(t->value) ? lend_type_of(x->execution->kind) : "wrap";
}

static void transactions_write(struct json_writer *w, const struct execution_shown *x)
{
    jw_array(w, "transactions");
    for (unsigned i = 0; i < x->tx_count; i++) {
        const struct transaction *t = &x->txs[i];

        jw_object(w, NULL);
        jw_string(w, "kind", transaction_kind(x, i));
        jw_string_or_null(w, "tx_hash", tx_hash_text(w->arena, t->chain_id, &t->hash));
        jw_string(w, "status", transaction_status_text(t));
        jw_end(w);
    }
    jw_end(w);
}

void lend_operation_write(struct json_writer *w, const struct execution_shown *shown, bool detailed)
{
    const struct execution *x = shown->execution;
    const struct lend_operation *own = shown->own;

    jw_integer(w, "id", (int64_t)x->id);
    jw_string(w, "type", lend_type_of(x->kind));
    jw_string(w, "market", own->market);
    jw_string(w, "protocol", x->venue);
    jw_string(w, "chain", chain_key(x));
    jw_integer(w, "chainId", (int64_t)x->to.chain_id);
    jw_string(w, "asset", x->to.symbol);
    if (x->kind == KIND_LEND_COLLATERAL)
        jw_null(w, "amount");
    else
        amount_write(w, "amount", amount_of(x));
    jw_bool(w, "collateral", own->collateral);
    jw_string(w, "status", exec_status_text(x->status));
    jw_string_or_null(w, "tx_hash", tx_hash_text(w->arena, x->to.chain_id, &x->tx_hash));
    lend_health_write(w, "healthFactorAfter", own->has_health, own->health);
    jw_time(w, "created_at", x->created_ms);
    jw_time(w, "completed_at", x->completed_ms);
    jw_string_or_null(w, "error", x->error_message);
    if (detailed)
        transactions_write(w, shown);
}

void lend_view(struct json_writer *w, const struct execution_shown *x)
{
    lend_operation_write(w, x, false);
}

/* ---- as a sentence ---- */

static const char *act_text(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct lend_operation *own = shown->own;

    if (x->kind == KIND_LEND_COLLATERAL)
        return arena_printf(a, "%s as collateral %s", x->to.symbol, own->collateral ? "on" : "off");
    return arena_printf(a, "%s of %s %s%s", lend_type_of(x->kind), amount_text(a, amount_of(x)), x->to.symbol,
                        own->collateral ? " as collateral" : "");
}

const char *lend_sentence(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;

    return arena_printf(a, "operation %llu, %s at %s on %s: %s%s%s", (unsigned long long)x->id,
                        act_text(a, shown), x->venue, chain_key(x), exec_status_text(x->status),
                        x->error_message != NULL ? ". " : "",
                        x->error_message != NULL ? x->error_message : "");
}

const char *lend_terms(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct lend_operation *own = shown->own;
    const char *health =
        own->has_health
            ? arena_printf(a, ", health factor at least %s afterwards",
                           amount_places_down(a, (struct amount){ own->health, HEALTH_PLACES }, TERMS_PLACES))
            : "";

    return arena_printf(a, "%s at %s on %s, market %s%s", act_text(a, shown), x->venue, chain_key(x),
                        own->market, health);
}
