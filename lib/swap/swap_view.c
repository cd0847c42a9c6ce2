#include "swap/swap_view.h"

#include "chain/explorer.h"
#include "exec/chain_ops.h"
#include "exec/verdict.h"
#include "model/approval.h"
#include "route/provider.h"
#include "store/bridges.h"
#include "swap/token.h"

const char *tx_hash_text(struct arena *a, uint64_t chain_id, const struct tx_hash *hash)
{
    const struct chain_ops *f = chain_ops_of(chain_by_id(chain_id));

    return f == NULL || hash->len == 0 ? NULL : f->hash_text(a, hash);
}

static void token_amount_write(struct json_writer *w, const char *key, struct u256 raw,
                               const struct token_ref *t)
{
    amount_write(w, key, (struct amount){ raw, t->decimals });
}

static const char *chain_key(uint64_t id)
{
    const struct chain *c = chain_by_id(id);

    return c != NULL ? c->key : "unknown";
}

static void explorer_url_write(struct json_writer *w, const struct execution *s, const char *tx_hash)
{
    static const char name[] = "explorer_url";
    const struct chain *c = jw_leaves_out(w, name) ? NULL : chain_by_id(s->from.chain_id);
    const char *explorer = c == NULL ? NULL : explorer_of(c);

    jw_string_or_null(
        w, name,
        tx_hash == NULL || explorer == NULL ? NULL : arena_printf(w->arena, "%s%s", explorer, tx_hash));
}

static void tokens_write(struct json_writer *w, const struct execution *s)
{
    const struct token_label from = token_label(&s->from), to = token_label(&s->to);

    jw_string(w, "from_token", from.symbol);
    jw_string(w, "to_token", to.symbol);
    jw_string(w, "from_token_address", s->from.address);
    jw_string(w, "to_token_address", s->to.address);
    jw_true_if(w, "unverified", from.unverified || to.unverified);
}

static void approval_write(struct json_writer *w, const struct execution *s)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];

    if (s->has_approval)
        approval_id_text(id, &s->approval);
    jw_string_or_null(w, "approval_id", s->has_approval ? id : NULL);
    jw_time(w, "approval_expires_at", s->approval_expires_ms);
}

static void swap_write(struct json_writer *w, const struct execution *s, enum exec_status status)
{
    const char *tx_hash = tx_hash_text(w->arena, s->from.chain_id, &s->tx_hash);

    jw_integer(w, "swap_id", (int64_t)s->id);
    jw_integer(w, "id", (int64_t)s->id);
    jw_string(w, "status", exec_status_text(status));
    jw_string_or_null(w, "tx_hash", tx_hash);
    tokens_write(w, s);
    jw_string(w, "chain", chain_key(s->from.chain_id));
    jw_string(w, "from_chain", chain_key(s->from.chain_id));
    jw_string(w, "to_chain", chain_key(s->to.chain_id));
    token_amount_write(w, "from_amount", s->amount_in, &s->from);
    token_amount_write(w, "expected_out", s->expected_out, &s->to);
    if (s->has_amount_out)
        token_amount_write(w, "to_amount", s->amount_out, &s->to);
    else
        jw_null(w, "to_amount");
    explorer_url_write(w, s, tx_hash);
    jw_string_or_null(w, "error_code", s->error_code);
    jw_string_or_null(w, "error_message", s->error_message);
    approval_write(w, s);
    jw_time(w, "created_at", s->created_ms);
    jw_time(w, "updated_at", s->updated_ms);
    jw_time(w, "completed_at", s->completed_ms);
    jw_true_if(w, "corrected", s->corrected && s->status == EXEC_COMPLETED);
}

void swap_view_listed(struct json_writer *w, const struct execution *s)
{
    swap_write(w, s, exec_listed(s->status));
}

static void transaction_write(struct json_writer *w, uint64_t chain_id, const char *kind,
                              const struct tx_hash *hash, const char *status)
{
    jw_object(w, NULL);
    jw_string(w, "chain", chain_key(chain_id));
    jw_string(w, "kind", kind);
    jw_string_or_null(w, "tx_hash", tx_hash_text(w->arena, chain_id, hash));
    jw_string(w, "status", status);
    jw_end(w);
}

/* A bridge provider's payment transaction is shown once the bridge provider is known to have paid, be it a
 * part. */
static void transactions_write(struct json_writer *w, const struct execution_shown *x, const struct bridge *b)
{
    jw_array(w, "transactions");
    for (unsigned i = 0; i < x->tx_count; i++) {
        const struct transaction *t = &x->txs[i];
        bool deposit = b != NULL && t->kind == TX_SPEND;

        transaction_write(w, t->chain_id, deposit ? tx_kind_text(TX_BRIDGE_IN) : transaction_text(t),
                          &t->hash, transaction_status_text(t));
    }
    if (b != NULL && (b->delivery != DELIVERY_NONE || b->arrived.chain_id != 0) && b->out_tx.len != 0)
        transaction_write(w, b->out_chain_id, tx_kind_text(TX_BRIDGE_OUT), &b->out_tx, "completed");
    jw_end(w);
}

static const char *delivery_text(enum bridge_delivery d)
{
    switch (d) {
    case DELIVERY_NONE:
        break;
    case DELIVERY_REPORTED:
        return "reported";
    case DELIVERY_PROVEN:
        return "proven";
    }
    return NULL;
}

/* The token that came instead of the bought one. */
static void received_write(struct json_writer *w, const struct bridge *b)
{
    const struct token_label label = token_label(&b->arrived);

    jw_object(w, "received");
    jw_string(w, "chain", chain_key(b->arrived.chain_id));
    jw_string(w, "token", label.symbol);
    jw_string(w, "token_address", b->arrived.address);
    if (u256_is_zero(b->arrived_amount))
        jw_null(w, "amount");
    else
        token_amount_write(w, "amount", b->arrived_amount, &b->arrived);
    jw_true_if(w, "unverified", label.unverified);
    jw_end(w);
}

static void bridge_write(struct json_writer *w, const struct bridge *b)
{
    jw_string(w, "bridge", provider_name(b->bridge_provider));
    jw_integer(w, "estimated_time_seconds", b->seconds);
    jw_string_or_null(w, "delivery", delivery_text(b->delivery));
    if (b->arrived.chain_id != 0)
        received_write(w, b);
}

void swap_view(struct json_writer *w, const struct execution_shown *x)
{
    const struct bridge *b = x->own;

    swap_write(w, x->execution, x->execution->status);
    if (b != NULL)
        bridge_write(w, b);
    transactions_write(w, x, b);
}

bool swap_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct bridge *b;
    enum lookup found;

    *own = NULL;
    if (!execution_has_bridge(x))
        return true;
    b = ARENA_NEW(a, struct bridge);
    found = bridges_get(db, a, x->id, b);
    if (found == LOOKUP_FOUND)
        *own = b;
    return found != LOOKUP_ERROR;
}

static const char *token_terms(struct arena *a, const struct token_ref *t)
{
    const struct token_label label = token_label(t);
    const struct chain *c = chain_by_id(t->chain_id);

    return arena_printf(a, "%s: %s %s, %s", label.symbol, c != NULL ? c->key : "unknown chain", t->address,
                        label.listed ? "listed" : "NOT LISTED");
}

/* Amounts and tokens, for the operator. Symbols are the contracts' own choice: what is behind them is said in
 * full. */
static const char *swap_terms_text(struct arena *a, const struct execution_shown *x)
{
    const struct execution *s = x->execution;

    return arena_printf(a, "%s %s for at least %s %s  %s  %s",
                        amount_text(a, (struct amount){ s->amount_in, s->from.decimals }),
                        token_label(&s->from).symbol,
                        amount_text(a, (struct amount){ s->min_out, s->to.decimals }),
                        token_label(&s->to).symbol, token_terms(a, &s->from), token_terms(a, &s->to));
}

const char *swap_sentence(struct arena *a, const struct execution_shown *x)
{
    const struct execution *s = x->execution;
    const char *why = s->error_message != NULL ? s->error_message
                      : s->corrected           ? "It was told as failed before"
                                               : "";

    return arena_printf(a, "Swap %llu of %s to %s: %s%s%s", (unsigned long long)s->id,
                        token_label(&s->from).symbol, token_label(&s->to).symbol, exec_status_text(s->status),
                        *why == '\0' ? "" : ". ", why);
}

const struct exec_kind swap_kind = { .name = "swap",
                                     .venue_class = "swap",
                                     .listed = true,
                                     .event_completed = "swap.completed",
                                     .event_failed = "swap.failed",
                                     .replaceable = true,
                                     .verdict = verdict_by_spend,
                                     .read = swap_own_read,
                                     .view = swap_view,
                                     .sentence = swap_sentence,
                                     .terms = swap_terms_text };
