#include "swap/view.h"

#include "base/view.h"
#include "chain/explorer.h"
#include "exec/family.h"
#include "model/approval.h"
#include "swap/token.h"

const char *tx_hash_text(struct arena *a, uint64_t chain_id, const struct tx_hash *hash)
{
    const struct family *f = family_of(chain_by_id(chain_id));

    return f == NULL || hash->len == 0 ? NULL : f->hash_text(a, hash);
}

static json_t *amount_json(struct arena *a, struct u256 raw, const struct token_ref *t)
{
    return json_string(amount_text(a, (struct amount){ raw, t->decimals }));
}

static const char *chain_key(uint64_t id)
{
    const struct chain *c = chain_by_id(id);

    return c != NULL ? c->key : "unknown";
}

static json_t *explorer_url(struct arena *a, const struct execution *s)
{
    const struct chain *c = chain_by_id(s->from.chain_id);
    const char *explorer = c == NULL ? NULL : explorer_of(c);
    const char *hash = tx_hash_text(a, s->from.chain_id, &s->tx_hash);

    if (hash == NULL || explorer == NULL)
        return json_null();
    return json_string(arena_printf(a, "%s%s", explorer, hash));
}

static void put_tokens(json_t *o, const struct execution *s)
{
    const struct token_label from = token_label(&s->from), to = token_label(&s->to);

    json_object_set_new(o, "from_token", json_string(from.symbol));
    json_object_set_new(o, "to_token", json_string(to.symbol));
    json_object_set_new(o, "from_token_address", json_string(s->from.address));
    json_object_set_new(o, "to_token_address", json_string(s->to.address));
    if (from.unverified || to.unverified)
        json_object_set_new(o, "unverified", json_true());
}

static json_t *approval_id_json(const struct execution *s)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];

    if (!s->has_approval)
        return json_null();
    approval_id_text(id, &s->approval);
    return json_string(id);
}

static json_t *swap_json(struct arena *a, const struct execution *s, enum exec_status status)
{
    json_t *o = json_object();

    json_object_set_new(o, "swap_id", json_integer((json_int_t)s->id));
    json_object_set_new(o, "id", json_integer((json_int_t)s->id));
    json_object_set_new(o, "status", json_string(exec_status_text(status)));
    json_object_set_new(o, "tx_hash", view_text(tx_hash_text(a, s->from.chain_id, &s->tx_hash)));
    put_tokens(o, s);
    json_object_set_new(o, "chain", json_string(chain_key(s->from.chain_id)));
    json_object_set_new(o, "from_chain", json_string(chain_key(s->from.chain_id)));
    json_object_set_new(o, "to_chain", json_string(chain_key(s->to.chain_id)));
    json_object_set_new(o, "from_amount", amount_json(a, s->amount_in, &s->from));
    json_object_set_new(o, "expected_out", amount_json(a, s->expected_out, &s->to));
    json_object_set_new(o, "to_amount",
                        s->has_amount_out ? amount_json(a, s->amount_out, &s->to) : json_null());
    json_object_set_new(o, "explorer_url", explorer_url(a, s));
    json_object_set_new(o, "error_code", view_text(s->error_code));
    json_object_set_new(o, "error_message", view_text(s->error_message));
    json_object_set_new(o, "approval_id", approval_id_json(s));
    json_object_set_new(o, "approval_expires_at", view_time(s->approval_expires_ms));
    json_object_set_new(o, "created_at", view_time(s->created_ms));
    json_object_set_new(o, "updated_at", view_time(s->updated_ms));
    json_object_set_new(o, "completed_at", view_time(s->completed_ms));
    if (s->corrected && s->status == EXEC_COMPLETED)
        json_object_set_new(o, "corrected", json_true());
    return o;
}

json_t *swap_view_listed(struct arena *a, const struct execution *s)
{
    return swap_json(a, s, exec_listed(s->status));
}

static const char *tx_status(const struct transaction *t)
{
    switch (t->effect.state) {
    case EFFECT_OPEN:
        return t->effect.accepted ? "submitted" : "pending";
    case EFFECT_INCLUDED:
    case EFFECT_SETTLED:
        return t->effect.succeeded ? "completed" : "failed";
    case EFFECT_LOST:
        return "replaced";
    }
    return "";
}

json_t *swap_view(struct arena *a, const struct execution *s, const struct transaction *txs, unsigned n)
{
    json_t *o = swap_json(a, s, s->status), *list = json_array();

    for (unsigned i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s?, s:s}", "chain", chain_key(txs[i].chain_id),
                                              "kind", tx_kind_text(txs[i].kind), "tx_hash",
                                              tx_hash_text(a, txs[i].chain_id, &txs[i].hash), "status",
                                              tx_status(&txs[i])));
    json_object_set_new(o, "transactions", list);
    return o;
}

const char *swap_sentence(struct arena *a, const struct execution *s)
{
    const char *why = s->error_message != NULL ? s->error_message
                      : s->corrected           ? "It was told as failed before"
                                               : "";

    return arena_printf(a, "Swap %llu of %s to %s: %s%s%s", (unsigned long long)s->id,
                        token_label(&s->from).symbol, token_label(&s->to).symbol, exec_status_text(s->status),
                        *why == '\0' ? "" : ". ", why);
}
