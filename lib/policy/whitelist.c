/* Whitelists: value goes only there, only for those. */
#include "chain/address.h"
#include "chain/chains.h"
#include "policy/members.h"
#include "policy/type.h"

enum { LIST_MAX = 32 };

/* NULL: any. */
struct lists {
    const char *const *addresses, *const *chains, *const *tokens, *const *venues;
};

static const char *chain_check(const char *s, const void *env)
{
    (void)env;
    return chain_find(s) != NULL ? NULL : "must be a key of GET /chains";
}

/* The classes of what an agent may do outside: of kinds in registry/kinds.c, there or to come. */
static bool is_venue_class(const char *s)
{
    static const char *const classes[] = { "swap", "predict", "perps", "lend", "withdraw" };

    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strcmp(classes[i], s) == 0)
            return true;
    return false;
}

static const char *venue_check(const char *s, const void *env)
{
    (void)env;
    return is_venue_class(s) ? NULL : "must be swap, predict, perps, lend or withdraw";
}

const struct param whitelist_members[] = {
    { "allowedAddresses", P_TEXTS, INTO(struct lists, addresses), .check = member_check_address,
      .max = LIST_MAX,
      .about = "Who may get value or an allowance: routers, spenders, withdrawal addresses" },
    { "allowedChains", P_TEXTS, INTO(struct lists, chains), .check = chain_check, .max = LIST_MAX,
      .about = "Keys of chains, for both sides" },
    { "allowedTokens", P_TEXTS, INTO(struct lists, tokens), .check = member_check_token, .max = LIST_MAX,
      .about = "Symbols or contract addresses, for both sides; of a lender's market for both its tokens" },
    { "allowedVenues", P_TEXTS, INTO(struct lists, venues), .check = venue_check, .max = LIST_MAX,
      .about = "What the wallet is for: swap, predict, perps, lend, withdraw" },
    { 0 },
};

static void lists_check(struct policy_reading *r, void *terms)
{
    const struct lists *l = terms;

    if (l->addresses == NULL && l->chains == NULL && l->tokens == NULL && l->venues == NULL)
        policy_fault(r, "", "must have one of allowedAddresses, allowedChains, allowedTokens, allowedVenues");
}

/* Chains by their keys. */
static void lists_normalize(json_t *params)
{
    json_t *list = json_object_get(params, "allowedChains"), *chain;
    size_t i;

    json_array_foreach(list, i, chain)
    {
        json_array_set_new(list, i, json_string(chain_find(json_string_value(chain))->key));
    }
}

/* ---- deciding ---- */

static bool list_has_token(const char *const *list, const struct token_ref *t)
{
    while (*list != NULL && !member_is_token(*list, t))
        list++;
    return *list != NULL;
}

static bool list_has_chain(const char *const *list, uint64_t chain_id)
{
    const struct chain *c = chain_by_id(chain_id);

    while (*list != NULL && (c == NULL || chain_find(*list) != c))
        list++;
    return *list != NULL;
}

static bool list_has_address(const char *const *list, const char *address)
{
    while (*list != NULL && !address_same(*list, address))
        list++;
    return *list != NULL;
}

static bool list_has_addresses(const char *const *list, const char *const *addresses)
{
    while (*addresses != NULL && list_has_address(list, *addresses))
        addresses++;
    return *addresses == NULL;
}

static bool list_has_text(const char *const *list, const char *text)
{
    while (*list != NULL && strcmp(*list, text) != 0)
        list++;
    return *list != NULL;
}

/* Of a swap the caller can see them beforehand, of nothing else. */
static const char *addresses_missing(struct arena *arena, const struct lists *l, const struct outlay *o)
{
    const char *missing = "";

    if (strcmp(o->venue_class, "swap") == 0)
        return "its allowedAddresses must include every contract that would get value or an allowance: POST /swap shows them as transaction.to and in approvals";
    for (const char *const *r = o->recipients; *r != NULL; r++)
        if (!list_has_address(l->addresses, *r))
            missing = arena_printf(arena, "%s%s%s", missing, *missing == '\0' ? "" : ", ", *r);
    return arena_printf(arena,
                        "its allowedAddresses must include whom this %s gives value or an allowance: %s",
                        o->name, missing);
}

static enum policy_verdict lists_decide(struct policy_case *c, const void *terms, const char **why)
{
    const struct outlay *o = c->outlay;
    const struct lists *l = terms;

    if (l->chains != NULL &&
        (!list_has_chain(l->chains, o->from.chain_id) || !list_has_chain(l->chains, o->to.chain_id)))
        *why = arena_printf(c->arena, "its allowedChains must include both chains of this %s", o->name);
    else if (l->tokens != NULL &&
             (!list_has_token(l->tokens, &o->from) || !list_has_token(l->tokens, &o->to)))
        *why = arena_printf(c->arena, "its allowedTokens must include both tokens of this %s", o->name);
    else if (l->venues != NULL && !list_has_text(l->venues, o->venue_class))
        *why = arena_printf(c->arena, "its allowedVenues must include %s", o->venue_class);
    else if (l->addresses != NULL && !list_has_addresses(l->addresses, o->recipients))
        *why = addresses_missing(c->arena, l, o);
    else
        return POLICY_ALLOWS;
    return POLICY_REFUSES;
}

const struct policy_type_row whitelist = {
    .members = whitelist_members,
    .size = sizeof(struct lists),
    .check = lists_check,
    .normalize = lists_normalize,
    .decide = lists_decide,
};
