/* Policies' params as the tests of types read them, and a spend that they decide about. */
#ifndef POLICY_TEST_RULES_H
#define POLICY_TEST_RULES_H

#include <stdio.h>
#include <string.h>

#include "policy/rule.h"

static struct arena *a;

static const char *const ETHEREUM_USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
static const char *const NO_ADDRESS = "0x0000000000000000000000000000000000000000";

static inline bool rule_read(struct policy_rule *r, enum policy_type type, const char *text)
{
    struct param_faults faults = { NULL, NULL };
    json_t *params = json_loads(text, 0, NULL);
    bool ok = policy_read(r, type, params, NULL, a, &faults);

    params_faults_free(&faults);
    json_decref(params);
    return ok;
}

static struct token_ref token_on(uint64_t chain, const char *symbol, const char *address, uint8_t decimals)
{
    struct token_ref t = { .chain_id = chain, .decimals = decimals };

    (void)snprintf(t.symbol, sizeof t.symbol, "%s", symbol);
    (void)snprintf(t.address, sizeof t.address, "%s", address);
    return t;
}

static struct spend_facts spend_facts_of_usdc(uint64_t units)
{
    return (struct spend_facts){ .kind = KIND_SWAP,
                                 .name = "swap",
                                 .venue_class = "swap",
                                 .from = token_on(1, "USDC", ETHEREUM_USDC, 6),
                                 .to = token_on(8453, "ETH", NO_ADDRESS, 18),
                                 .amount_in = u256_from_u64(units * 1000000) };
}

static inline struct u256 dollars_of(uint64_t n)
{
    struct u256 out;

    return u256_mul(&out, u256_from_u64(n), u256_from_u64(1000000000000000000)) ? out : U256_ZERO;
}

/* An order that binds so many dollars for ETH, as policy_value leaves it. */
static inline struct spend_facts spend_facts_of_margin(uint64_t usd)
{
    struct spend_facts o = { .name = "order", .venue_class = "perps", .asset = "ETH", .leverage = 5 };

    o.has_margin = o.worth.has_usd = true;
    o.margin = o.worth.usd = dollars_of(usd);
    return o;
}

static void rules_test_start(void)
{
    a = arena_new();
}

static void rules_test_end(void)
{
    arena_free(a);
}

#endif
