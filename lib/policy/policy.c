#include "policy/policy.h"

#include <string.h>
#include <strings.h>

#include "base/view.h"
#include "chain/tokens.h"
#include "route/price.h"
#include "store/policies.h"

enum { PLACES = RATE_PLACES, TEXT_MAX = 64 };

/* ---- reading ---- */

static const char *check_wei(const char *s, const void *env)
{
    struct u256 v;

    (void)env;
    return u256_parse(&v, s) && !u256_is_zero(v) ? NULL : "must be a positive whole number in decimal digits";
}

static const char *check_address(const char *s, const void *env)
{
    struct evm_addr at;

    (void)env;
    return evm_addr_parse(&at, s) && !evm_addr_is_zero(at) ? NULL
                                                           : "must be an address of 0x and 40 hex digits";
}

static const char *check_chain(const char *s, const void *env)
{
    (void)env;
    return chain_find(s) != NULL ? NULL : "must be a key of GET /chains";
}

/* A symbol that means something somewhere: a mistyped one would never match. */
static const char *check_token(const char *s, const void *env)
{
    if (check_address(s, env) == NULL)
        return NULL;
    for (size_t i = 0; i < chains_count; i++)
        if (strlen(s) <= TOKEN_SYMBOL_MAX && token_find(&chains[i], s) != NULL)
            return NULL;
    return "must be a symbol of GET /tokens or a contract address";
}

const struct param policy_params[] = {
    { "maxAmountUsd", P_AMOUNT, INTO(struct policy_rule, max_usd), .about = "At most so many dollars" },
    { "maxAmountWei", P_TEXT, INTO(struct policy_rule, max_wei), .check = check_wei, .max = U256_DECIMAL_LEN,
      .about = "At most so many wei of ether; everything else counts by its price in dollars" },
    { "maxAmount", P_AMOUNT, INTO(struct policy_rule, max_amount),
      .about = "At most so many units of `token`, in human units" },
    { "token", P_TEXT, INTO(struct policy_rule, token), .check = check_token, .max = TEXT_MAX,
      .about = "Symbol (on every chain) or contract address; only what is given of it counts" },
    { "timeWindowSeconds", P_WHOLE, INTO(struct policy_rule, window_s), .max = POLICY_WINDOW_MAX_S,
      .about = "Sliding window of the limit, such as 3600 or 86400; 0: each swap for itself" },
    { "allowedAddresses", P_TEXTS, INTO(struct policy_rule, addresses), .check = check_address,
      .max = POLICY_LIST_MAX, .about = "Contracts that may get value or an allowance: routers, spenders" },
    { "allowedChains", P_TEXTS, INTO(struct policy_rule, chains), .check = check_chain,
      .max = POLICY_LIST_MAX, .about = "Keys of chains, for both sides" },
    { "allowedTokens", P_TEXTS, INTO(struct policy_rule, tokens), .check = check_token,
      .max = POLICY_LIST_MAX, .about = "Symbols or contract addresses, for both sides" },
    { "maxSlippage", P_FRACTION, INTO(struct policy_rule, max_slippage), .number = PPM_ONE,
      .about = "At most this slippage; 0.01 is one per cent" },
    { "maxGasWei", P_TEXT, INTO(struct policy_rule, max_gas_wei), .check = check_wei, .max = U256_DECIMAL_LEN,
      .about = "At most so many wei of the chain's coin for the fees of one swap" },
    { "maxGasUsd", P_AMOUNT, INTO(struct policy_rule, max_gas_usd),
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

static bool belongs(enum policy_type type, const char *name)
{
    static const char *const limits[] = { "maxAmountUsd", "maxAmountWei",      "maxAmount",
                                          "token",        "timeWindowSeconds", NULL };
    static const char *const lists[] = { "allowedAddresses", "allowedChains", "allowedTokens", NULL };
    static const char *const execution[] = { "maxSlippage", "maxGasWei", "maxGasUsd", NULL };
    static const char *const *const of[] = { [POLICY_SPENDING] = limits,
                                             [POLICY_APPROVAL] = limits,
                                             [POLICY_WHITELIST] = lists,
                                             [POLICY_EXECUTION] = execution };

    for (const char *const *n = of[type]; *n != NULL; n++)
        if (strcmp(*n, name) == 0)
            return true;
    return false;
}

/* Collects the faults of one policy. */
struct reading {
    struct policy_rule *rule;
    struct arena *arena;
    struct param_faults *faults;
};

static void fault(struct reading *r, const char *name, const char *what)
{
    params_fault(r->faults, &E_VALIDATION,
                 *name == '\0' ? "params" : arena_printf(r->arena, "params.%s", name), what);
}

/* A limit that is misspelt would be none: nothing is ignored here. */
static void check_members(struct reading *r, const json_t *params)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)params, name, value)
    {
        if (!belongs(r->rule->type, name))
            fault(r, name, arena_printf(r->arena, "is no member of a %s", policy_type_text(r->rule->type)));
    }
}

static void read_members(struct reading *r, const json_t *params)
{
    struct param_faults faults = { NULL, NULL };
    const char *name;
    json_t *what;

    params_read(policy_params, params, false, NULL, r->rule, r->arena, &faults);
    json_object_foreach(faults.fields, name, what)
    {
        fault(r, name, json_string_value(what));
    }
    params_faults_free(&faults);
}

/* A decimal with up to 18 places; NULL leaves 0. */
static void read_decimal(struct reading *r, const char *name, const char *text, struct u256 *out)
{
    struct amount v = { U256_ZERO, PLACES };

    if (text != NULL && amount_parse(&v, text, PLACES) != AMOUNT_FINE)
        fault(r, name, "must have at most 18 places, and fit");
    if (text != NULL)
        *out = v.raw;
}

static void read_limit(struct reading *r)
{
    struct policy_rule *p = r->rule;

    if ((p->max_usd != NULL) + (p->max_wei != NULL) + (p->max_amount != NULL) != 1)
        fault(r, "", "must have exactly one of maxAmountUsd, maxAmountWei, maxAmount");
    if ((p->max_amount != NULL) != (p->token != NULL))
        fault(r, p->token == NULL ? "token" : "maxAmount", "token and maxAmount belong together");
    read_decimal(r, "maxAmountUsd", p->max_usd, &p->cap);
    read_decimal(r, "maxAmount", p->max_amount, &p->cap);
    if (p->max_wei != NULL && !u256_parse(&p->cap, p->max_wei))
        fault(r, "maxAmountWei", "does not fit");
}

static void read_whitelist(struct reading *r)
{
    if (r->rule->addresses == NULL && r->rule->chains == NULL && r->rule->tokens == NULL)
        fault(r, "", "must have one of allowedAddresses, allowedChains, allowedTokens");
}

static void read_execution(struct reading *r)
{
    struct policy_rule *p = r->rule;

    if (p->max_slippage == PPM_ONE && p->max_gas_wei == NULL && p->max_gas_usd == NULL)
        fault(r, "", "must have one of maxSlippage below 1, maxGasWei, maxGasUsd");
    read_decimal(r, "maxGasUsd", p->max_gas_usd, &p->gas_usd);
    if (p->max_gas_wei != NULL && !u256_parse(&p->gas_wei, p->max_gas_wei))
        fault(r, "maxGasWei", "does not fit");
}

bool policy_read(struct policy_rule *out, enum policy_type type, const json_t *params, struct arena *a,
                 struct param_faults *faults)
{
    struct reading r = { out, a, faults };

    *out = (struct policy_rule){ .type = type };
    check_members(&r, params);
    read_members(&r, params);
    if (faults->first != NULL)
        return false;
    switch (type) {
    case POLICY_SPENDING:
    case POLICY_APPROVAL:
        read_limit(&r);
        break;
    case POLICY_WHITELIST:
        read_whitelist(&r);
        break;
    case POLICY_EXECUTION:
        read_execution(&r);
        break;
    }
    return faults->first == NULL;
}

char *policy_params_text(struct arena *a, json_t *params)
{
    static const char *const amounts[] = { "maxAmountUsd", "maxAmount", "maxGasUsd" };
    const json_t *chain;
    size_t i;

    for (i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        const char *given = json_string_value(json_object_get(params, amounts[i]));
        struct amount v;

        if (given != NULL && amount_parse(&v, given, PLACES) == AMOUNT_FINE)
            json_object_set_new(params, amounts[i], json_string(amount_text(a, v)));
    }
    json_array_foreach(json_object_get(params, "allowedChains"), i, chain)
    {
        json_array_set_new(json_object_get(params, "allowedChains"), i,
                           json_string(chain_find(json_string_value(chain))->key));
    }
    return view_dump(a, params, 0);
}

/* What is stored, checked again. */
static bool read_stored(struct policy_rule *out, const struct policy *p, struct arena *a)
{
    struct param_faults faults = { NULL, NULL };
    json_t *params = p->params != NULL ? json_loads(p->params, 0, NULL) : NULL;
    bool ok = p->type >= POLICY_SPENDING && p->type <= POLICY_EXECUTION && json_is_object(params) &&
              policy_read(out, p->type, params, a, &faults);

    params_faults_free(&faults);
    json_decref(params);
    return ok;
}

/* ---- valuing ---- */

/* Only what the tables know has a price: anybody can call a contract USDC. */
static const struct token *known_token(const struct token_ref *t, const struct chain **c)
{
    struct evm_addr at;

    *c = chain_by_id(t->chain_id);
    return *c != NULL && evm_addr_parse(&at, t->address) ? token_by_addr(*c, at) : NULL;
}

static bool is_ether(const struct token *t, const struct chain *c)
{
    return t != NULL && strcmp(c->native, "ETH") == 0 && (token_is_native(t) || t->wrapped_native);
}

/* Not at a price that somebody has moved for a moment: where its sources differ, or there is none but the
 * pools of now, nothing is said. */
static bool sound(const struct price *p)
{
    return p->has_bounds && !p->apart;
}

/* At the highest. */
static bool worth(struct u256 *out, struct amount a, const struct price *p)
{
    struct amount usd;

    if (!sound(p) || !amount_times_down(&usd, a, p->high))
        return false;
    *out = usd.raw;
    return true;
}

struct wishes {
    bool usd, ether, gas_usd;
};

/* One round of prices: what is given, the coin that pays the fees, ether. */
static void ask_prices(const struct ctx *ctx, struct arena *a, const struct wishes *w, struct policy_case *c)
{
    enum { GIVEN, COIN, ETHER, PRICES };
    const struct chain *chain;
    const struct token *t = known_token(&c->quote->from, &chain), *coin;
    struct amount given = { c->quote->amount_in, c->quote->from.decimals };
    struct price p[PRICES];
    static const struct u256 one = { { 1000000000000000000, 0, 0, 0 } };

    if (t == NULL || (coin = token_find(chain, chain->native)) == NULL)
        return;
    p[GIVEN] = price_of_token(ctx, a, chain, t);
    p[COIN] = price_of_token(ctx, a, chain, coin);
    p[ETHER] = price_of_symbol(ctx, a, "ETH");
    for (size_t i = 0; i < PRICES; i++)
        p[i].wants_bounds = true;
    prices_ask(ctx, a, p, PRICES);
    c->prices_apart = p[GIVEN].apart || (w->gas_usd && p[COIN].apart) || (w->ether && p[ETHER].apart);
    c->has_usd = worth(&c->usd, given, &p[GIVEN]);
    c->has_gas_usd = w->gas_usd && worth(&c->gas_usd, (struct amount){ c->fees, PLACES }, &p[COIN]);
    if (!c->has_ether)
        c->has_ether = w->ether && c->has_usd && sound(&p[ETHER]) &&
                       u256_muldiv(&c->ether, c->usd, one, p[ETHER].low.raw);
}

static void add_wishes(struct wishes *w, const struct policy_rule *r)
{
    w->usd = w->usd || r->max_usd != NULL;
    w->ether = w->ether || r->max_wei != NULL;
    w->gas_usd = w->gas_usd || r->max_gas_usd != NULL;
}

bool policy_value(const struct ctx *ctx, struct arena *a, struct policy_case *c)
{
    struct wishes w = { false, false, false };
    const struct chain *chain;
    const struct token *t = known_token(&c->quote->from, &chain);
    struct policy *list;
    int n = policies_list(ctx->db, a, c->wallet->agent_id, c->wallet->id, &list);

    for (int i = 0; i < n; i++) {
        struct policy_rule r;

        if (read_stored(&r, &list[i], a))
            add_wishes(&w, &r);
    }
    c->has_usd = c->has_ether = c->has_gas_usd = c->prices_apart = false;
    if (w.ether && is_ether(t, chain)) {
        c->ether = c->quote->amount_in;
        c->has_ether = true;
    }
    if (w.usd || w.gas_usd || (w.ether && !c->has_ether))
        ask_prices(ctx, a, &w, c);
    return n >= 0;
}

/* ---- deciding ---- */

struct deciding {
    struct db *db;
    struct arena *arena;
    const struct policy_case *c;
    /* read once, when a window wants them */
    bool has_spends;
    struct spend *spends;
    int count;
    int64_t now_ms;
};

/* By symbol only what the table of the chain has under it. */
static bool token_is(const struct token_ref *t, const char *name)
{
    const struct chain *c;
    const struct token *known = known_token(t, &c);

    if (strncasecmp(name, "0x", 2) == 0)
        return strcasecmp(t->address, name) == 0;
    return known != NULL && token_find(c, name) == known;
}

static bool any_token(const char *const *names, const struct token_ref *t)
{
    while (*names != NULL && !token_is(t, *names))
        names++;
    return *names != NULL;
}

static bool any_chain(const char *const *names, uint64_t chain_id)
{
    while (*names != NULL && chain_find(*names) != chain_by_id(chain_id))
        names++;
    return *names != NULL;
}

static bool any_address(const char *const *names, struct evm_addr at)
{
    struct evm_addr listed;

    while (*names != NULL && !(evm_addr_parse(&listed, *names) && memcmp(&listed, &at, sizeof at) == 0))
        names++;
    return *names != NULL;
}

/* With 18 places; a token with more counts as one unit too much rather than too little. */
static bool scaled(struct u256 *out, struct u256 raw, uint8_t decimals)
{
    struct u256 ten = u256_from_u64(10), rest;

    *out = raw;
    for (int d = decimals; d < PLACES; d++)
        if (!u256_mul(out, *out, ten))
            return false;
    for (int d = decimals; d > PLACES; d--)
        if (!u256_div(out, &rest, *out, ten) ||
            (!u256_is_zero(rest) && !u256_add(out, *out, u256_from_u64(1))))
            return false;
    return true;
}

/* What this swap adds to the rule's sum; false: nobody can say. */
static bool value_of_case(struct u256 *out, const struct policy_rule *r, const struct policy_case *c)
{
    if (r->max_usd != NULL) {
        *out = c->usd;
        return c->has_usd;
    }
    if (r->max_wei != NULL) {
        *out = c->ether;
        return c->has_ether;
    }
    *out = U256_ZERO;
    return !token_is(&c->quote->from, r->token) || scaled(out, c->quote->amount_in, c->quote->from.decimals);
}

static bool value_of_spend(struct u256 *out, const struct policy_rule *r, const struct spend *s)
{
    if (r->max_usd != NULL) {
        *out = s->usd;
        return s->has_usd;
    }
    if (r->max_wei != NULL) {
        *out = s->ether;
        return s->has_ether;
    }
    *out = U256_ZERO;
    return !token_is(&s->from, r->token) || scaled(out, s->amount_in, s->from.decimals);
}

static bool read_spends(struct deciding *d)
{
    if (!d->has_spends)
        d->count = spends_list(d->db, d->arena, d->c->wallet->id, &d->spends, &d->now_ms);
    d->has_spends = true;
    return d->count >= 0;
}

/* What was given within the window; false: nobody can say. */
static bool sum_of(struct u256 *out, const struct deciding *d, const struct policy_rule *r, int64_t since_ms)
{
    int64_t from = d->now_ms - (int64_t)r->window_s * 1000;
    struct u256 one;

    *out = U256_ZERO;
    for (int i = 0; i < d->count; i++)
        if (d->spends[i].at_ms >= (from > since_ms ? from : since_ms) &&
            (!value_of_spend(&one, r, &d->spends[i]) || !u256_add(out, *out, one)))
            return false;
    return true;
}

static char *unit_text(struct arena *a, const struct policy_rule *r, struct u256 v)
{
    return arena_printf(a, "%s %s", amount_text(a, (struct amount){ v, PLACES }),
                        r->max_usd != NULL   ? "USD"
                        : r->max_wei != NULL ? "ether"
                                             : r->token);
}

/* The text of a refusal, NULL when the rule allows the swap, and BROKEN. */
static const char BROKEN[] = "";

static const char *over_text(struct deciding *d, const struct policy_rule *r, struct u256 value,
                             struct u256 used)
{
    struct arena *a = d->arena;
    const char *limit = unit_text(a, r, r->cap), *asked = unit_text(a, r, value);

    if (r->window_s == 0)
        return arena_printf(a, "it allows %s for each swap, and this one gives %s: lower the amount", limit,
                            asked);
    return arena_printf(
        a,
        "it allows %s in %llu seconds, of which %s are used, and this swap gives %s: lower the amount or wait",
        limit, (unsigned long long)r->window_s, unit_text(a, r, used), asked);
}

static const char *unvalued(const struct policy_case *c, const char *otherwise)
{
    return c->prices_apart
               ? "it cannot be valued just now: the pools' price, their average of the last half hour and the price feed's are too far apart; try again when the market is calm"
               : otherwise;
}

static const char *check_limit(struct deciding *d, const struct policy_rule *r, int64_t since_ms,
                               bool *valued)
{
    struct u256 value, used = U256_ZERO, sum;

    *valued = value_of_case(&value, r, d->c);
    if (!*valued)
        return unvalued(d->c,
                        "this swap cannot be valued just now: try again, or give a token that has a price");
    if (u256_is_zero(value))
        return NULL; /* another token: nothing of this limit is touched */
    if (r->window_s > 0 && !read_spends(d))
        return BROKEN;
    *valued = r->window_s == 0 || sum_of(&used, d, r, since_ms);
    if (!*valued)
        return "what was given before cannot be valued: wait until the window is over";
    if (u256_add(&sum, used, value) && u256_cmp(sum, r->cap) <= 0)
        return NULL;
    return over_text(d, r, value, used);
}

/* Everything that gets value or an allowance; an approval itself gives its token's contract nothing. */
static bool destinations_allowed(const struct policy_rule *r, const struct plan *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];

        if ((s->kind != TX_APPROVAL && !any_address(r->addresses, s->to)) ||
            (s->has_token && !any_address(r->addresses, s->spender)))
            return false;
    }
    return true;
}

static const char *check_whitelist(struct deciding *d, const struct policy_rule *r)
{
    const struct quote *q = d->c->quote;

    if (r->chains != NULL &&
        (!any_chain(r->chains, q->from.chain_id) || !any_chain(r->chains, q->to.chain_id)))
        return "its allowedChains have not both chains of this swap";
    if (r->tokens != NULL && (!any_token(r->tokens, &q->from) || !any_token(r->tokens, &q->to)))
        return "its allowedTokens have not both tokens of this swap";
    if (r->addresses != NULL && !destinations_allowed(r, d->c->plan))
        return "its allowedAddresses have not all contracts that would get value or an allowance: POST /swap shows them as transaction.to and in approvals";
    return NULL;
}

static const char *check_execution(struct deciding *d, const struct policy_rule *r)
{
    const struct policy_case *c = d->c;

    if (c->quote->slippage.value > r->max_slippage)
        return "the quote allows more slippage than its maxSlippage: ask for one with less";
    if (r->max_gas_wei != NULL && u256_cmp(c->fees, r->gas_wei) > 0)
        return "the fees may exceed its maxGasWei: try when gas is cheaper";
    if (r->max_gas_usd != NULL && !c->has_gas_usd)
        return unvalued(c, "the fees cannot be valued just now: try again");
    if (r->max_gas_usd != NULL && u256_cmp(c->gas_usd, r->gas_usd) > 0)
        return "the fees may exceed its maxGasUsd: try when gas is cheaper";
    return NULL;
}

static const struct err *explain(struct arena *a, const struct err *base, const struct policy *p,
                                 const char *what)
{
    struct err *e = arena_memdup(a, base, sizeof *base);
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, p->id);
    e->hint = arena_printf(a, "Policy %s (%s%s): %s", id, policy_type_text(p->type),
                           p->by_operator ? ", the operator's" : "", what);
    return e;
}

/* One policy's verdict. */
static enum policy_verdict judge(struct deciding *d, const struct policy *p, const struct err **why)
{
    struct policy_rule r;
    const char *what = NULL;
    bool valued = true, asks = false;

    if (!read_stored(&r, p, d->arena)) {
        *why = explain(d->arena, &E_POLICY, p, "it cannot be read: the operator has to replace it");
        return POLICY_REFUSES;
    }
    switch (r.type) {
    case POLICY_APPROVAL:
        asks = true;
        what = check_limit(d, &r, p->created_ms, &valued);
        break;
    case POLICY_SPENDING:
        what = check_limit(d, &r, p->created_ms, &valued);
        break;
    case POLICY_WHITELIST:
        what = check_whitelist(d, &r);
        break;
    case POLICY_EXECUTION:
        what = check_execution(d, &r);
        break;
    }
    if (what == BROKEN)
        return POLICY_BROKEN;
    if (what == NULL || (asks && valued && d->c->approved))
        return POLICY_ALLOWS;
    *why = explain(d->arena, &E_POLICY, p, what);
    return asks && valued ? POLICY_ASKS : POLICY_REFUSES;
}

enum policy_verdict policy_decide(struct db *db, struct arena *a, const struct policy_case *c,
                                  const struct err **why)
{
    struct deciding d = { .db = db, .arena = a, .c = c };
    enum policy_verdict all = POLICY_FREE;
    struct policy *list;
    int n = policies_list(db, a, c->wallet->agent_id, c->wallet->id, &list);

    if (n < 0)
        return POLICY_BROKEN;
    for (int i = 0; i < n; i++) {
        const struct err *e = NULL;
        enum policy_verdict one = judge(&d, &list[i], &e);

        if (one == POLICY_BROKEN)
            return one;
        if (one > all)
            *why = e;
        all = one > all ? one : all;
    }
    return all;
}

bool policy_spent(struct db *db, const struct policy_case *c, uint64_t execution_id)
{
    const struct spend_new s = {
        .execution_id = execution_id,
        .agent_id = c->wallet->agent_id,
        .wallet_id = c->wallet->id,
        .usd = c->has_usd ? &c->usd : NULL,
        .ether = c->has_ether ? &c->ether : NULL,
    };

    return spends_add(db, &s);
}
