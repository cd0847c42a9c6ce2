#include "operator/decimals.h"

#include "chain/address.h"
#include "store/listed_tokens.h"

static const char *token_read(struct arena *a, const char *chain, const char *address, struct token_ref *out)
{
    const struct chain *c = chain_find(chain);
    char canonical[WALLET_ADDR_MAX];

    if (c == NULL)
        return arena_printf(a, OPERATOR_NO_SUCH "chain: %s", chain);
    if (!address_canonical(canonical, c->type, address))
        return arena_printf(a, "not an address on %s: %s", c->key, address);
    *out = (struct token_ref){ .chain_id = c->id };
    (void)snprintf(out->address, sizeof out->address, "%s", canonical);
    return NULL;
}

static const char *nothing_kept(struct arena *a, const struct token_ref *t)
{
    return arena_printf(a, OPERATOR_NO_SUCH "token: nothing is kept of %s", t->address);
}

const char *operator_decimals(const struct ctx *ctx, struct arena *a, const char *chain, const char *address,
                              struct kept_decimals *out)
{
    struct token_ref t = { .chain_id = 0 };
    const char *problem = token_read(a, chain, address, &t);
    uint8_t kept = 0;

    if (problem != NULL)
        return problem;
    switch (tokens_decimals_get(ctx->db, &t, &kept, &out->since_ms)) {
    case LOOKUP_FOUND:
        break;
    case LOOKUP_NONE:
        return nothing_kept(a, &t);
    case LOOKUP_ERROR:
        return OPERATOR_DATABASE_FAILED;
    }
    out->chain = chain_by_id(t.chain_id)->key;
    out->token = arena_strdup(a, t.address);
    out->decimals = kept;
    return NULL;
}

const char *operator_forget_decimals(const struct ctx *ctx, struct arena *a, const char *chain,
                                     const char *address)
{
    struct token_ref t = { .chain_id = 0 };
    const char *problem = token_read(a, chain, address, &t);

    if (problem != NULL)
        return problem;
    switch (tokens_decimals_forget(ctx->db, &t)) {
    case UPDATED:
        return NULL;
    case UNCHANGED:
        return nothing_kept(a, &t);
    default:
        return OPERATOR_DATABASE_FAILED;
    }
}
