/* The row of withdrawals among the kinds of execution. */
#include "chain/chains.h"
#include "model/withdrawal.h"
#include "store/executions.h"
#include "store/withdrawal_addresses.h"
#include "store/withdrawals.h"
#include "swap/swap_view.h"
#include "transfer/withdrawal.h"

bool withdrawal_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct withdrawal *w = ARENA_NEW(a, struct withdrawal);

    *own = w;
    return withdrawals_get(db, x->id, w) == LOOKUP_FOUND;
}

bool withdrawal_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (moves[i].fee != NULL && !withdrawals_set_fee(db, moves[i].id, moves[i].fee))
            return false;
    return true;
}

const struct address_record *withdrawal_record(struct db *db, struct arena *a, const struct execution *x)
{
    struct address_record *r = ARENA_NEW(a, struct address_record);

    return withdrawal_addresses_record(db, x->id, r) == LOOKUP_FOUND ? r : NULL;
}

static const char *amount_shown(struct arena *a, const struct execution *x)
{
    return arena_printf(a, "%s %s", amount_text(a, (struct amount){ x->amount_in, x->from.decimals }),
                        x->from.symbol);
}

void withdrawal_view(struct json_writer *w, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct withdrawal *own = shown->own;
    const struct chain *c = chain_by_id(x->from.chain_id);

    jw_integer(w, "id", (int64_t)x->id);
    jw_string(w, "token", x->from.symbol);
    jw_string(w, "token_address", x->from.address);
    amount_write(w, "amount", (struct amount){ x->amount_in, x->from.decimals });
    if (!u256_is_zero(x->expected_out) && u256_cmp(x->expected_out, x->amount_in) != 0)
        amount_write(w, "arrives", (struct amount){ x->expected_out, x->from.decimals });
    jw_string(w, "chain", c != NULL ? c->key : "unknown");
    jw_string(w, "to", own->to);
    jw_integer(w, "address_id", (int64_t)own->address_id);
    jw_string(w, "status", exec_status_text(x->status));
    jw_string_or_null(w, "tx_hash", tx_hash_text(w->arena, x->from.chain_id, &x->tx_hash));
    amount_write(w, "fee", (struct amount){ own->fee, c != NULL ? c->native_decimals : 0 });
    jw_time(w, "created_at", x->created_ms);
    jw_time(w, "completed_at", x->completed_ms);
    jw_string_or_null(w, "error", x->error_message);
}

const char *withdrawal_sentence(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct withdrawal *own = shown->own;

    return arena_printf(a, "withdrawal %llu of %s to %s: %s%s%s", (unsigned long long)x->id,
                        amount_shown(a, x), own->to, exec_status_text(x->status),
                        x->error_message != NULL ? ". " : "",
                        x->error_message != NULL ? x->error_message : "");
}

const char *withdrawal_terms(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct withdrawal *own = shown->own;
    const struct chain *c = chain_by_id(x->from.chain_id);

    return arena_printf(a, "%s on %s to %s", amount_shown(a, x), c != NULL ? c->key : "unknown", own->to);
}
