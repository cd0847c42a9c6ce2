#include "swap/bridge_limit.c"

#include <string.h>

#include "base/test.h"

static struct arena *a;
static struct conf conf;
static const struct ctx ctx = { .conf = &conf };

/* The prices: dollars for one whole token, at the highest. */
static struct {
    uint64_t high;
    bool has_bounds, apart;
    unsigned asked;
} world;

struct price price_of_token(const struct ctx *c, struct arena *arena, const struct chain *chain,
                            const struct token *t)
{
    (void)c;
    (void)arena;
    CHECK(chain->id == 1 && t->decimals == 6);
    return (struct price){ .symbol = t->symbol };
}

void prices_ask(const struct ctx *c, struct arena *arena, struct price *list, size_t n)
{
    (void)c;
    (void)arena;
    CHECK(n == 1 && list->wants_bounds);
    world.asked++;
    list->has_bounds = world.has_bounds;
    list->apart = world.apart;
    list->high.decimals = RATE_PLACES;
    CHECK(u256_mul(&list->high.raw, u256_from_u64(world.high), u256_from_u64(1000000000000000000)));
}

static struct quote dollars_quote(uint64_t amount)
{
    struct quote q = { .from = { .chain_id = 1, .decimals = 6 },
                       .to = { .chain_id = 8453 },
                       .amount_in = u256_from_u64(amount) };

    (void)snprintf(q.from.address, sizeof q.from.address, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
    return q;
}

static const char *answer(const struct quote *q)
{
    const struct err *e = bridge_limit_check(&ctx, a, q);

    CHECK(e == NULL || err_is(e, &E_OPERATOR_LIMIT));
    return e == NULL ? "" : e->hint;
}

static void nothing_is_asked_without_a_limit(void)
{
    struct quote q = dollars_quote(UINT64_MAX);

    conf.bridge_max_usd = 0;
    world.asked = 0;
    CHECK_STR(answer(&q), "");
    conf.bridge_max_usd = 1;
    q.to.chain_id = 1;
    CHECK_STR(answer(&q), "");
    CHECK(world.asked == 0);
}

static void amounts_above_the_limit_are_refused(void)
{
    struct quote at = dollars_quote(100000000), over = dollars_quote(100000001);

    conf.bridge_max_usd = 200;
    world.high = 2;
    world.has_bounds = true;
    world.apart = false;
    CHECK_STR(answer(&at), "");
    CHECK_STR(answer(&over), "A swap between chains may be worth at most 200 dollars here: try less");
}

/* However little the sources say that it is worth. */
static void dollars_are_dollars(void)
{
    struct quote given = dollars_quote(201000000), bought = dollars_quote(1);

    conf.bridge_max_usd = 200;
    world.high = 0;
    world.has_bounds = true;
    world.apart = false;
    CHECK(strstr(answer(&given), "at most 200 dollars") != NULL);
    CHECK_STR(answer(&bought), "");
    bought.to.decimals = 6;
    (void)snprintf(bought.to.address, sizeof bought.to.address, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    bought.min_out = u256_from_u64(200000001);
    CHECK(strstr(answer(&bought), "at most 200 dollars") != NULL);
}

static void amounts_without_a_price_are_refused(void)
{
    struct quote q = dollars_quote(1), unknown = dollars_quote(1);

    conf.bridge_max_usd = 200;
    world.high = 1;
    world.has_bounds = false;
    CHECK(strstr(answer(&q), "it is unknown what") != NULL);
    world.has_bounds = world.apart = true;
    CHECK(strstr(answer(&q), "it is unknown what") != NULL);
    world.apart = false;
    CHECK_STR(answer(&q), "");
    (void)snprintf(unknown.from.address, sizeof unknown.from.address,
                   "0x1111111111111111111111111111111111111111");
    CHECK(strstr(answer(&unknown), "it is unknown what") != NULL);
}

static void limit_test_start(void)
{
    a = arena_new();
}

static void limit_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(limit_test_start), TEST(nothing_is_asked_without_a_limit),
          TEST(amounts_above_the_limit_are_refused), TEST(dollars_are_dollars),
          TEST(amounts_without_a_price_are_refused), TEST(limit_test_end))
