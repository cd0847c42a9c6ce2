#include "policy/members.h"

#include <string.h>

#include "chain/address.h"
#include "chain/tokens.h"

const char *member_check_wei(const char *s, const void *env)
{
    struct u256 v;

    (void)env;
    return u256_parse(&v, s) && !u256_is_zero(v) ? NULL : "must be a positive whole number in decimal digits";
}

const char *member_check_address(const char *s, const void *env)
{
    (void)env;
    return address_fault(s);
}

/* A symbol that means something somewhere: a mistyped one would never match. */
const char *member_check_token(const char *s, const void *env)
{
    if (member_check_address(s, env) == NULL)
        return NULL;
    for (size_t i = 0; i < chains_count; i++)
        if (strlen(s) <= TOKEN_SYMBOL_MAX && token_find(&chains[i], s) != NULL)
            return NULL;
    return "must be a symbol of GET /tokens or a contract address";
}

void policy_fault(struct policy_reading *r, const char *member, const char *what)
{
    params_fault(r->faults, &E_VALIDATION,
                 *member == '\0' ? "params" : arena_printf(r->arena, "params.%s", member), what);
}

void member_read_decimal(struct policy_reading *r, const char *member, const char *text, struct u256 *out)
{
    struct amount v;

    if (text == NULL)
        return;
    if (amount_parse(&v, text, RATE_PLACES) == AMOUNT_FINE)
        *out = v.raw;
    else
        policy_fault(r, member, "must have at most 18 places, and fit");
}

void member_read_wei(struct policy_reading *r, const char *member, const char *text, struct u256 *out)
{
    if (text != NULL && !u256_parse(out, text))
        policy_fault(r, member, "does not fit");
}

/* Any contract can call itself USDC: a symbol means only what the table has under it. */
bool member_is_token(const char *name, const struct token_ref *t)
{
    const struct token *known = token_known(t);

    return address_same(t->address, name) ||
           (known != NULL && token_find(chain_by_id(t->chain_id), name) == known);
}

const char *member_unvalued(const struct spend_facts *o, const char *otherwise)
{
    return o->worth.prices_apart
               ? "it cannot be valued just now: the pools' price, their average over the last half hour and the price feed are too far apart; try again when the market is calm"
               : otherwise;
}
