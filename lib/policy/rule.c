#include "policy/rule.h"

#include <stddef.h>
#include <string.h>

#include "base/view.h"
#include "chain/evm/addr.h"
#include "chain/tokens.h"
#include "store/policies.h"

enum { TEXT_MAX = 64 };

static const char *wei_check(const char *s, const void *env)
{
    struct u256 v;

    (void)env;
    return u256_parse(&v, s) && !u256_is_zero(v) ? NULL : "must be a positive whole number in decimal digits";
}

static const char *address_check(const char *s, const void *env)
{
    struct evm_addr at;

    (void)env;
    return evm_addr_parse(&at, s) && !evm_addr_is_zero(at) ? NULL
                                                           : "must be an address of 0x and 40 hex digits";
}

static const char *chain_check(const char *s, const void *env)
{
    (void)env;
    return chain_find(s) != NULL ? NULL : "must be a key of GET /chains";
}

/* A symbol that means something somewhere: a mistyped one would never match. */
static const char *token_check(const char *s, const void *env)
{
    if (address_check(s, env) == NULL)
        return NULL;
    for (size_t i = 0; i < chains_count; i++)
        if (strlen(s) <= TOKEN_SYMBOL_MAX && token_find(&chains[i], s) != NULL)
            return NULL;
    return "must be a symbol of GET /tokens or a contract address";
}

const struct param policy_params[] = {
    { "maxAmountUsd", P_AMOUNT, INTO(struct policy_rule, limit.max_usd), .about = "At most so many dollars" },
    { "maxAmountWei", P_TEXT, INTO(struct policy_rule, limit.max_wei), .check = wei_check,
      .max = U256_DECIMAL_LEN,
      .about = "At most so many wei of ether; everything else counts by its price in dollars" },
    { "maxAmount", P_AMOUNT, INTO(struct policy_rule, limit.max_amount),
      .about = "At most so many units of `token`, in human units" },
    { "token", P_TEXT, INTO(struct policy_rule, limit.token), .check = token_check, .max = TEXT_MAX,
      .about = "Symbol (on every chain) or contract address; only what is given of it counts" },
    { "timeWindowSeconds", P_WHOLE, INTO(struct policy_rule, limit.window_s), .max = POLICY_WINDOW_MAX_S,
      .about = "Sliding window of the limit, such as 3600 or 86400; 0: each swap for itself" },
    { "allowedAddresses", P_TEXTS, INTO(struct policy_rule, lists.addresses), .check = address_check,
      .max = POLICY_LIST_MAX, .about = "Contracts that may get value or an allowance: routers, spenders" },
    { "allowedChains", P_TEXTS, INTO(struct policy_rule, lists.chains), .check = chain_check,
      .max = POLICY_LIST_MAX, .about = "Keys of chains, for both sides" },
    { "allowedTokens", P_TEXTS, INTO(struct policy_rule, lists.tokens), .check = token_check,
      .max = POLICY_LIST_MAX, .about = "Symbols or contract addresses, for both sides" },
    { "maxSlippage", P_FRACTION, INTO(struct policy_rule, bounds.max_slippage), .number = PPM_ONE,
      .about = "At most this slippage; 0.01 is one per cent" },
    { "maxGasWei", P_TEXT, INTO(struct policy_rule, bounds.max_gas_wei), .check = wei_check,
      .max = U256_DECIMAL_LEN, .about = "At most so many wei of the chain's coin for the fees of one swap" },
    { "maxGasUsd", P_AMOUNT, INTO(struct policy_rule, bounds.max_gas_usd),
      .about = "At most so many dollars for the fees of one swap" },
    { 0 },
};

const char *const policy_types[] = { "spending_limit", "approval_limit", "whitelist", "execution_limit",
                                     NULL };

bool policy_type_parse(enum policy_type *out, const char *text)
{
    for (unsigned i = 0; policy_types[i] != NULL; i++) {
        *out = (enum policy_type)(i + POLICY_SPENDING);
        if (strcmp(policy_types[i], text) == 0)
            return true;
    }
    return false;
}

const char *policy_type_text(enum policy_type t)
{
    return t >= POLICY_SPENDING && t <= POLICY_EXECUTION ? policy_types[t - POLICY_SPENDING] : "unknown";
}

#define PART(member) offsetof(struct policy_rule, member), sizeof(((struct policy_rule *)0)->member)

/* Where the members of each type go: a row of policy_params belongs to the type whose part it fills. */
static const struct part {
    size_t at, size;
} parts[] = {
    [POLICY_SPENDING] = { PART(limit) },
    [POLICY_APPROVAL] = { PART(limit) },
    [POLICY_WHITELIST] = { PART(lists) },
    [POLICY_EXECUTION] = { PART(bounds) },
};

static bool member_belongs(enum policy_type type, const char *name)
{
    const struct part *part = &parts[type];

    for (const struct param *p = policy_params; p->name != NULL; p++)
        if (strcmp(p->name, name) == 0)
            return p->at >= part->at && p->at < part->at + part->size;
    return false;
}

/* Collects the faults of one policy. */
struct rule_reading {
    struct policy_rule *rule;
    struct arena *arena;
    struct param_faults *faults;
};

static void reading_fault(struct rule_reading *r, const char *name, const char *what)
{
    params_fault(r->faults, &E_VALIDATION,
                 *name == '\0' ? "params" : arena_printf(r->arena, "params.%s", name), what);
}

/* A limit that is misspelt would be none: nothing is ignored here. */
static void members_check(struct rule_reading *r, const json_t *params)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)params, name, value)
    {
        if (!member_belongs(r->rule->type, name))
            reading_fault(r, name,
                          arena_printf(r->arena, "is no member of a %s", policy_type_text(r->rule->type)));
    }
}

static void members_read(struct rule_reading *r, const json_t *params)
{
    struct param_faults faults = { NULL, NULL };
    const char *name;
    json_t *what;

    params_read(policy_params, params, false, NULL, r->rule, r->arena, &faults);
    json_object_foreach(faults.fields, name, what)
    {
        reading_fault(r, name, json_string_value(what));
    }
    params_faults_free(&faults);
}

/* A decimal with up to 18 places; NULL leaves 0. */
static void decimal_read(struct rule_reading *r, const char *name, const char *text, struct u256 *out)
{
    struct amount v = { U256_ZERO, RATE_PLACES };

    if (text != NULL && amount_parse(&v, text, RATE_PLACES) != AMOUNT_FINE)
        reading_fault(r, name, "must have at most 18 places, and fit");
    if (text != NULL)
        *out = v.raw;
}

static void limit_check(struct rule_reading *r)
{
    struct policy_limit *p = &r->rule->limit;

    if ((p->max_usd != NULL) + (p->max_wei != NULL) + (p->max_amount != NULL) != 1)
        reading_fault(r, "", "must have exactly one of maxAmountUsd, maxAmountWei, maxAmount");
    if ((p->max_amount != NULL) != (p->token != NULL))
        reading_fault(r, p->token == NULL ? "token" : "maxAmount", "token and maxAmount belong together");
    decimal_read(r, "maxAmountUsd", p->max_usd, &p->cap);
    decimal_read(r, "maxAmount", p->max_amount, &p->cap);
    if (p->max_wei != NULL && !u256_parse(&p->cap, p->max_wei))
        reading_fault(r, "maxAmountWei", "does not fit");
}

static void lists_check(struct rule_reading *r)
{
    const struct policy_lists *p = &r->rule->lists;

    if (p->addresses == NULL && p->chains == NULL && p->tokens == NULL)
        reading_fault(r, "", "must have one of allowedAddresses, allowedChains, allowedTokens");
}

static void bounds_check(struct rule_reading *r)
{
    struct policy_bounds *p = &r->rule->bounds;

    if (p->max_slippage == PPM_ONE && p->max_gas_wei == NULL && p->max_gas_usd == NULL)
        reading_fault(r, "", "must have one of maxSlippage below 1, maxGasWei, maxGasUsd");
    decimal_read(r, "maxGasUsd", p->max_gas_usd, &p->gas_usd);
    if (p->max_gas_wei != NULL && !u256_parse(&p->gas_wei, p->max_gas_wei))
        reading_fault(r, "maxGasWei", "does not fit");
}

bool policy_read(struct policy_rule *out, enum policy_type type, const json_t *params, struct arena *a,
                 struct param_faults *faults)
{
    struct rule_reading r = { out, a, faults };

    *out = (struct policy_rule){ .type = type };
    members_check(&r, params);
    members_read(&r, params);
    if (faults->first != NULL)
        return false;
    switch (type) {
    case POLICY_SPENDING:
    case POLICY_APPROVAL:
        limit_check(&r);
        break;
    case POLICY_WHITELIST:
        lists_check(&r);
        break;
    case POLICY_EXECUTION:
        bounds_check(&r);
        break;
    }
    return faults->first == NULL;
}

char *policy_params_text(struct arena *a, json_t *params)
{
    const json_t *chain;
    size_t i;

    for (const struct param *p = policy_params; p->name != NULL; p++) {
        const char *given = json_string_value(json_object_get(params, p->name));
        struct amount v;

        if (p->kind == P_AMOUNT && given != NULL && amount_parse(&v, given, RATE_PLACES) == AMOUNT_FINE)
            json_object_set_new(params, p->name, json_string(amount_text(a, v)));
    }
    json_array_foreach(json_object_get(params, "allowedChains"), i, chain)
    {
        json_array_set_new(json_object_get(params, "allowedChains"), i,
                           json_string(chain_find(json_string_value(chain))->key));
    }
    return view_dump(a, params, 0);
}

bool policy_read_stored(struct policy_rule *out, const struct policy *p, struct arena *a)
{
    struct param_faults faults = { NULL, NULL };
    json_t *params = p->params != NULL ? json_loads(p->params, 0, NULL) : NULL;
    bool ok = p->type >= POLICY_SPENDING && p->type <= POLICY_EXECUTION && json_is_object(params) &&
              policy_read(out, p->type, params, a, &faults);

    params_faults_free(&faults);
    json_decref(params);
    return ok;
}
