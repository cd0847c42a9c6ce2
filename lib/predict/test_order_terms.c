#include "predict/order_terms.c"

#include "base/test.h"

static const int64_t NOW = 1790000000000;

static struct arena *a;

static struct order_in asked(const char *price, const char *size)
{
    return (struct order_in){ .token = "1", .side = "buy", .price = price, .size = size };
}

/* The refusal of one that was read; "" when it is taken. */
static const char *read_fault(const struct order_in *in, struct order *out)
{
    const struct err *e;

    *out = (struct order){ .price = 0 };
    e = order_terms_read(a, in, NOW, out);
    return e == NULL ? "" : e->text;
}

static void faults_without_a_market(void)
{
    static const char *const prices[] = { "0", "1", "1.0000", "1.00001", "-0.4", "NaN", "1e300", "", "0x1" };
    static const char *const sizes[] = { "0", "0.00", "-1", "1e300", "many", "100000000000000.01", "" };

    for (size_t i = 0; i < sizeof prices / sizeof prices[0]; i++)
        CHECK(order_price_fault(prices[i]) != NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        CHECK(order_size_fault(sizes[i]) != NULL);
    CHECK(order_price_fault("0.4") == NULL && order_price_fault("0.00001") == NULL);
    CHECK(order_price_fault("0.99999") == NULL && order_size_fault("0.001") == NULL);
    CHECK(order_size_fault("1000000000000") == NULL);
}

static void words_become_numbers(void)
{
    struct order_in in = asked("0.40", "20.5");
    struct order o;

    a = arena_new();
    CHECK_STR(read_fault(&in, &o), "");
    CHECK(o.side == ORDER_BUY && o.type == ORDER_GTC && o.price == 4000 && o.size == 2050 &&
          o.expires_ms == 0);
    in = asked("0.40001", "20");
    CHECK_STR(read_fault(&in, &o), "");
    CHECK(o.price == 0); /* no multiple of any tick */
    in = asked("0.4", "20.001");
    CHECK_STR(read_fault(&in, &o), "size must have at most 2 decimals");
    in = asked("0.4", "20");
    in.side = "hold";
    CHECK_STR(read_fault(&in, &o), "side must be BUY or SELL");
    arena_free(a);
}

static void types_and_their_ends(void)
{
    static const struct {
        const char *type, *expiration;
        bool post_only;
        const char *fault;
    } rows[] = {
        { NULL, NULL, true, "" },
        { "GTC", "0", false, "" },
        { "gtd", "1790000060", true, "" },
        { "GTD", "1790000059", false, "expiration must be at least 60 seconds ahead" },
        { "GTD", NULL, false, "expiration must be at least 60 seconds ahead" },
        { "GTD", "1e30", false, "expiration must be at least 60 seconds ahead" },
        { "GTD", "1790000060.5", false, "expiration must be at least 60 seconds ahead" },
        { "GTD", "999999999999", false, "expiration must be at least 60 seconds ahead" },
        { "GTC", "1790000060", false, "expiration is not possible with GTC" },
        { "FOK", NULL, true, "postOnly is not possible with FOK" },
        { "FAK", NULL, true, "postOnly is not possible with FAK" },
        { "FAK", NULL, false, "" },
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct order_in in = asked("0.4", "20");
        struct order o;

        in.type = rows[i].type;
        in.expiration = rows[i].expiration;
        in.post_only = rows[i].post_only;
        CHECK_STR(read_fault(&in, &o), rows[i].fault);
        CHECK(*rows[i].fault != '\0' || (o.expires_ms != 0) == (o.type == ORDER_GTD));
    }
    arena_free(a);
}

static void rules_of_a_market(void)
{
    struct predict_token t = {
        .id = u256_from_u64(7),
        .market = "512347",
        .question = "?",
        .outcome = "Yes",
        .exchange = POLYMARKET_NEG_RISK,
        .rules = { .tick = 100, .min_size = 500, .fee_rate = 50000000, .fee_exponent = 1 },
        .accepting = true
    };
    struct order o = { .price = 4000, .size = 2000 };

    a = arena_new();
    CHECK(order_terms_check(a, &t, &o) == NULL);
    CHECK(o.exchange == POLYMARKET_NEG_RISK && u256_cmp(o.token, t.id) == 0 && o.fee_most == 240000);
    CHECK_STR(o.market, "512347");
    o.post_only = true; /* whoever rests pays no fee */
    CHECK(order_terms_check(a, &t, &o) == NULL && o.fee_most == 0);
    o = (struct order){ .side = ORDER_SELL, .price = 4000, .size = 2000 };
    CHECK(order_terms_check(a, &t, &o) == NULL && o.fee_most == 0);
    o.price = 4050;
    CHECK_STR(order_terms_check(a, &t, &o)->text, "Price must be a multiple of 0.01");
    o.price = 0;
    CHECK_STR(order_terms_check(a, &t, &o)->text, "Price must be a multiple of 0.01");
    o.price = 4000;
    o.size = 499;
    CHECK_STR(order_terms_check(a, &t, &o)->text, "Size must be at least 5");
    o.size = 500;
    t.accepting = false;
    CHECK(order_terms_check(a, &t, &o) == &E_MARKET_PAUSED);
    arena_free(a);
}

TEST_MAIN(TEST(faults_without_a_market), TEST(words_become_numbers), TEST(types_and_their_ends),
          TEST(rules_of_a_market))
