/* Whitelists: value goes only there, only for those. */
#include <string.h>
#include <strings.h>

#include "chain/address.h"
#include "chain/chains.h"
#include "policy/members.h"
#include "policy/type.h"

enum { LIST_MAX = 32, ASSET_MAX = 16 };

/* NULL: any. */
struct lists {
    const char *const *addresses, *const *chains, *const *tokens, *const *venues;
};

/* Perpetuals are of assets that need not be tokens: which ones the operator lists is seen when the policy is
 * made. */
static bool is_asset_form(const char *s)
{
    size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");

    return n > 0 && n <= ASSET_MAX && s[n] == '\0';
}

static const char *allowed_token_check(const char *s, const void *env)
{
    return is_asset_form(s) ? NULL : member_check_token(s, env);
}

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
    { "allowedTokens", P_TEXTS, INTO(struct lists, tokens), .check = allowed_token_check, .max = LIST_MAX,
      .about =
          "Symbols or contract addresses, for both sides; of a lender's market for both its tokens; of a perpetual its asset" },
    { "allowedVenues", P_TEXTS, INTO(struct lists, venues), .check = venue_check, .max = LIST_MAX,
      .about = "What the wallet is for: swap, predict, perps, lend, withdraw" },
    { 0 },
};

/* Whether the operator lists it, in any case of its letters. */
static bool asset_is_listed(const struct conf *conf, const char *name)
{
    size_t len = strlen(name), n;

    for (const char *s = conf->perps_assets + strspn(conf->perps_assets, " "); *s != '\0';
         s += n + strspn(s + n, " ")) {
        n = strcspn(s, " ");
        if (n == len && strncasecmp(s, name, n) == 0)
            return true;
    }
    return false;
}

/* A mistyped one would never match. */
static void tokens_check(struct policy_reading *r, const char *const *list)
{
    const char *fault = NULL;

    for (; r->conf != NULL && list != NULL && *list != NULL && fault == NULL; list++)
        if (!asset_is_listed(r->conf, *list))
            fault = member_check_token(*list, NULL);
    if (fault != NULL)
        policy_fault(r, "allowedTokens", fault);
}

static void lists_check(struct policy_reading *r, void *terms)
{
    const struct lists *l = terms;

    if (l->addresses == NULL && l->chains == NULL && l->tokens == NULL && l->venues == NULL)
        policy_fault(r, "", "must have one of allowedAddresses, allowedChains, allowedTokens, allowedVenues");
    tokens_check(r, l->tokens);
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

/* The addresses that the whitelist lacks; only those of a swap can be seen beforehand. */
static const char *addresses_missing(struct arena *arena, const struct lists *l, const struct spend_facts *o)
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

/* Perpetuals are on no chain. */
static bool has_chains(const struct lists *l, const struct spend_facts *o)
{
    return l->chains == NULL || o->asset != NULL ||
           (list_has_chain(l->chains, o->from.chain_id) && list_has_chain(l->chains, o->to.chain_id));
}

static bool list_has_name(const char *const *list, const char *name)
{
    while (*list != NULL && strcasecmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

/* NULL: it has all of them. */
static const char *tokens_missing(struct arena *arena, const struct lists *l, const struct spend_facts *o)
{
    if (l->tokens == NULL)
        return NULL;
    if (o->asset != NULL)
        return list_has_name(l->tokens, o->asset)
                   ? NULL
                   : arena_printf(arena, "its allowedTokens must include %s", o->asset);
    return list_has_token(l->tokens, &o->from) && list_has_token(l->tokens, &o->to)
               ? NULL
               : arena_printf(arena, "its allowedTokens must include both tokens of this %s", o->name);
}

static enum policy_verdict lists_decide(struct policy_case *c, const void *terms, const char **why)
{
    const struct spend_facts *o = c->spend_facts;
    const struct lists *l = terms;
    const char *tokens = tokens_missing(c->arena, l, o);

    if (!has_chains(l, o))
        *why = arena_printf(c->arena, "its allowedChains must include both chains of this %s", o->name);
    else if (tokens != NULL)
        *why = tokens;
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
