/* Spend facts valued at prices that are made up here. */
#include "base/test.h"

#define policies_list   fake_list
#define prices_ask      fake_ask
#define price_of_token  fake_of_token
#define price_of_symbol fake_of_symbol
#include "policy/value.c"

#define DOLLAR 1000000000000000000u

static struct arena *a;
static const struct ctx ctx;

/* The world of a test's case. */
static struct {
    const char *params[2]; /* of the wallet's policies; NULL: none */
    int listed;            /* -1: the database fails */
    unsigned asks;
    bool apart, unbounded;
    const char *unknown; /* a symbol without a price */
} world;

int policies_list(struct db *db, struct arena *arena, uint64_t agent_id, uint64_t wallet_id,
                  struct policy **out)
{
    (void)db;
    CHECK(agent_id == 5 && wallet_id == 9);
    *out = ARENA_ARRAY(arena, struct policy, 2);
    for (int i = 0; i < 2; i++)
        (*out)[i] = (struct policy){ .type = strstr(world.params[i] != NULL ? world.params[i] : "", "Gas")
                                                 ? POLICY_EXECUTION
                                                 : POLICY_SPENDING,
                                     .params = world.params[i] };
    return world.listed;
}

struct price price_of_token(const struct ctx *c, struct arena *arena, const struct chain *chain,
                            const struct token *t)
{
    (void)c;
    (void)arena;
    return (struct price){ .symbol = t->symbol, .chain = chain, .token = t };
}

struct price price_of_symbol(const struct ctx *c, struct arena *arena, const char *symbol)
{
    (void)c;
    (void)arena;
    return (struct price){ .symbol = symbol };
}

static struct amount dollars(uint64_t n)
{
    struct u256 raw;

    CHECK(u256_mul(&raw, u256_from_u64(n), u256_from_u64(DOLLAR)));
    return (struct amount){ raw, RATE_PLACES };
}

/* Ether between 2000 and 2500 dollars, all else between 1 and 2. */
void prices_ask(const struct ctx *c, struct arena *arena, struct price *list, size_t n)
{
    (void)c;
    (void)arena;
    world.asks++;
    for (size_t i = 0; i < n; i++) {
        bool ether = strcmp(list[i].symbol, "ETH") == 0;

        CHECK(list[i].wants_bounds);
        list[i].has_bounds =
            !world.unbounded && (world.unknown == NULL || strcmp(list[i].symbol, world.unknown) != 0);
        list[i].apart = world.apart;
        list[i].low = dollars(ether ? 2000 : 1);
        list[i].high = dollars(ether ? 2500 : 2);
    }
}

static void world_set(const char *first, const char *second)
{
    memset(&world, 0, sizeof world);
    world.params[0] = first;
    world.params[1] = second;
    world.listed = (first != NULL) + (second != NULL);
}

static struct token_ref ref_named(const char *chain, const char *symbol)
{
    const struct chain *c = chain_find(chain);
    const struct token *t = token_find(c, symbol);
    struct token_ref out = { .chain_id = c->id, .decimals = t->decimals };

    (void)snprintf(out.symbol, sizeof out.symbol, "%s", t->symbol);
    (void)snprintf(out.address, sizeof out.address, "%s", t->address_text);
    return out;
}

/* A spend of `hundredths` of the token, at a fee of a hundredth of the coin. */
static struct spend_facts spend_facts_of(const char *chain, const char *symbol, uint64_t hundredths)
{
    struct spend_facts o = { .agent_id = 5, .wallet_id = 9, .from = ref_named(chain, symbol) };
    struct u256 unit = u256_from_u64(hundredths);

    for (int d = 2; d < o.from.decimals; d++)
        CHECK(u256_mul(&unit, unit, u256_from_u64(10)));
    o.amount_in = unit;
    o.fees = u256_from_u64(DOLLAR / 100);
    return o;
}

static bool u256_is(struct u256 v, uint64_t hundredths)
{
    struct u256 expected;

    return u256_mul(&expected, u256_from_u64(hundredths), u256_from_u64(DOLLAR / 100)) &&
           u256_cmp(v, expected) == 0;
}

static void value_test_start(void)
{
    a = arena_new();
}

static void prices_are_not_asked_without_a_limiting_policy(void)
{
    struct spend_facts o = spend_facts_of("ethereum", "USDC", 100);

    world_set(NULL, NULL);
    CHECK(policy_value(&ctx, a, &o) && world.asks == 0 && !o.worth.has_usd && !o.worth.has_ether);
    CHECK(o.unlimited);
    world_set("{\"maxAmount\":\"1\",\"token\":\"USDC\"}", "{\"maxGasWei\":\"1\"}");
    world.listed = -1;
    CHECK(policy_value(&ctx, a, &o) && o.unlimited); /* by the earlier look: policies are not listed */
    o.unlimited = false;
    CHECK(!policy_value(&ctx, a, &o));
    world_set("{\"maxAmount\":\"1\",\"token\":\"USDC\"}", "{\"maxGasWei\":\"1\"}");
    CHECK(policy_value(&ctx, a, &o) && world.asks == 0 && !o.worth.has_usd && !o.worth.has_gas_usd);
    CHECK(!o.unlimited);
}

/* The spend facts counts at the highest price; in ether, at the lowest price of ether. */
static void bounds_are_taken_against_the_wallet(void)
{
    struct spend_facts o = spend_facts_of("ethereum", "USDC", 1000 * 100);

    world_set("{\"maxAmountUsd\":\"1\"}", "{\"maxAmountWei\":\"1\"}");
    CHECK(policy_value(&ctx, a, &o) && world.asks == 1);
    CHECK(o.worth.has_usd && u256_is(o.worth.usd, 2000 * 100));
    CHECK(o.worth.has_ether && u256_is(o.worth.ether, 100) && !o.worth.has_gas_usd);
    world_set("{\"maxGasUsd\":\"1\"}", NULL);
    CHECK(policy_value(&ctx, a, &o) && o.worth.has_gas_usd && u256_is(o.worth.gas_usd, 25 * 100));
}

/* The bought side counts if it is worth more than the given one. */
static void the_dearer_side_counts(void)
{
    static const struct {
        const char *from, *to, *unknown;
        uint64_t given, bought, worth; /* in hundredths */
    } rows[] = {
        { "USDT", "ETH", NULL, 100, 100, 2500 * 100 }, /* of which the given one would be two dollars */
        { "ETH", "USDT", NULL, 100, 100, 2500 * 100 },
        { "ETH", "USDC", "USDC", 1, 3000 * 100, 3000 * 100 }, /* dollars are dollars without a price */
        { "USDC", "ETH", "ETH", 100, 100, 2 * 100 },
        { "ETH", "WBTC", "WBTC", 100, 99999999, 2500 * 100 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct spend_facts o = spend_facts_of("ethereum", rows[i].from, rows[i].given);
        struct spend_facts bought = spend_facts_of("ethereum", rows[i].to, rows[i].bought);

        o.to = bought.from;
        o.amount_out = bought.amount_in;
        world_set("{\"maxAmountUsd\":\"1\"}", NULL);
        world.unknown = rows[i].unknown;
        CHECK(policy_value(&ctx, a, &o) && o.worth.has_usd && u256_is(o.worth.usd, rows[i].worth));
        o.from = ref_named("ethereum", "USDC");
        (void)snprintf(o.from.address, sizeof o.from.address, "0x7777777777777777777777777777777777777777");
        CHECK(policy_value(&ctx, a, &o) && !o.worth.has_usd); /* no price, no trade */
    }
}

static void ether_bought_counts_as_ether(void)
{
    struct spend_facts o = spend_facts_of("ethereum", "USDC", 100);

    o.to = ref_named("ethereum", "ETH");
    o.amount_out = u256_from_u64(DOLLAR / 2);
    world_set("{\"maxAmountWei\":\"1\"}", NULL);
    CHECK(policy_value(&ctx, a, &o) && o.worth.has_ether && u256_cmp(o.worth.ether, o.amount_out) > 0);
    CHECK(u256_is(o.worth.usd, 1250 * 100));
    world.unknown = "ETH";
    CHECK(policy_value(&ctx, a, &o) && !o.worth.has_ether);
}

static void ether_is_ether_without_a_price(void)
{
    static const char *const symbols[] = { "ETH", "WETH" };

    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        struct spend_facts o = spend_facts_of("base", symbols[i], 150);

        world_set("{\"maxAmountWei\":\"1\"}", NULL);
        CHECK(policy_value(&ctx, a, &o) && world.asks == 0);
        CHECK(o.worth.has_ether && u256_is(o.worth.ether, 150));
    }
}

static void no_price_is_no_worth(void)
{
    struct spend_facts o = spend_facts_of("ethereum", "USDC", 100);

    world_set("{\"maxAmountUsd\":\"1\"}", "{\"maxAmountWei\":\"1\"}");
    world.unbounded = true;
    CHECK(policy_value(&ctx, a, &o));
    CHECK(!o.worth.has_usd && !o.worth.has_ether && !o.worth.prices_apart);
    world.unbounded = false;
    world.apart = true;
    CHECK(policy_value(&ctx, a, &o));
    CHECK(!o.worth.has_usd && !o.worth.has_ether && o.worth.prices_apart);
    world.apart = false;
    world.unknown = "ETH";
    CHECK(policy_value(&ctx, a, &o) && o.worth.has_usd && !o.worth.has_ether);
    /* Any contract can call itself USDC. */
    world.unknown = NULL;
    (void)snprintf(o.from.address, sizeof o.from.address, "0x7777777777777777777777777777777777777777");
    CHECK(policy_value(&ctx, a, &o) && !o.worth.has_usd && !o.worth.has_ether);
}

/* Deposits take nothing away, and orders have no fees of a chain. */
static void nothing_is_worth_nothing(void)
{
    struct spend_facts o = spend_facts_of("polygon", "pUSD", 0);

    world_set("{\"maxAmountUsd\":\"1\"}", "{\"maxGasUsd\":\"1\"}");
    o.fees = U256_ZERO;
    CHECK(policy_value(&ctx, a, &o) && world.asks == 0);
    CHECK(o.worth.has_usd && o.worth.has_ether && o.worth.has_gas_usd && u256_is_zero(o.worth.usd));
    o = spend_facts_of("polygon", "pUSD", 100);
    o.fees = U256_ZERO;
    world.unknown = "MATIC";
    CHECK(policy_value(&ctx, a, &o) && o.worth.has_usd && o.worth.has_gas_usd);
    o.fees = u256_from_u64(1);
    CHECK(policy_value(&ctx, a, &o) && !o.worth.has_gas_usd);
    o = spend_facts_of("polygon", "pUSD", 0);
    o.amount_unknown = true;
    CHECK(policy_value(&ctx, a, &o) && !o.worth.has_usd && !o.worth.has_ether);
}

/* Dollars are dollars there; how much ether that is, at the lowest of ether. */
static void margin_is_in_dollars(void)
{
    struct spend_facts o = { .agent_id = 5, .wallet_id = 9, .asset = "BTC", .has_margin = true };

    CHECK(u256_mul(&o.margin, u256_from_u64(1000), u256_from_u64(DOLLAR)));
    world_set("{\"maxAmountUsd\":\"1\"}", NULL);
    CHECK(policy_value(&ctx, a, &o) && world.asks == 0 && o.worth.has_usd &&
          u256_is(o.worth.usd, 1000 * 100));
    CHECK(!o.worth.has_ether && o.worth.has_gas_usd);
    world_set("{\"maxAmountWei\":\"1\"}", NULL);
    CHECK(policy_value(&ctx, a, &o) && world.asks == 1 && o.worth.has_ether && u256_is(o.worth.ether, 50));
    world.apart = true;
    CHECK(policy_value(&ctx, a, &o) && !o.worth.has_ether && o.worth.prices_apart);
    world.apart = false;
    o.has_margin = false;
    CHECK(policy_value(&ctx, a, &o) && !o.worth.has_usd && !o.worth.has_ether);
}

static void value_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(value_test_start), TEST(prices_are_not_asked_without_a_limiting_policy),
          TEST(bounds_are_taken_against_the_wallet), TEST(the_dearer_side_counts),
          TEST(ether_bought_counts_as_ether), TEST(ether_is_ether_without_a_price),
          TEST(no_price_is_no_worth), TEST(nothing_is_worth_nothing), TEST(margin_is_in_dollars),
          TEST(value_test_end))
