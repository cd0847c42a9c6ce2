#include "predict/predict_order_terms.c"

#include "base/test.h"
#include "venue/test_polymarket_rows.h"

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
        { "gtd", "1790000180", true, "" },
        { "GTD", "1790000179", false, "expiration must be at least 180 seconds ahead" },
        { "GTD", NULL, false, "expiration must be at least 180 seconds ahead" },
        { "GTD", "1e30", false, "expiration must be at least 180 seconds ahead" },
        { "GTD", "1790000180.5", false, "expiration must be at least 180 seconds ahead" },
        { "GTD", "999999999999", false, "expiration must be at least 180 seconds ahead" },
        { "GTC", "1790000180", false, "expiration is not possible with GTC" },
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
    o.post_only = true; /* a resting order pays no fee */
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

static struct clob_market rules_of_tick(uint32_t tick)
{
    return (struct clob_market){ .tick = tick, .min_size = 500, .fee_rate = 50000000, .fee_exponent = 1 };
}

/* Its cost is rounded down before anything is compared. */
static void least_of_what_is_bought_at_once(void)
{
    static const struct {
        uint32_t price;
        uint64_t size;
        enum order_type type;
        const char *fault;
    } rows[] = {
        { 2000, 500, ORDER_FOK, "" },
        { 1900, 500, ORDER_FOK, "A purchase that matches at once must cost at least 1 dollar" },
        { 1900, 500, ORDER_GTC, "" },
        { 3330, 500, ORDER_FAK, "Size must be at least 5.02" }, /* 1.66 dollars, which are 4.9849 */
        { 3330, 502, ORDER_FAK, "" },
        { 3330, 501, ORDER_FAK, "Size must be at least 5.02" },
        { 3330, 500, ORDER_GTC, "" },
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct predict_token t = { .rules = rules_of_tick(10), .accepting = true };
        struct order o = { .price = rows[i].price, .size = rows[i].size, .type = rows[i].type };
        const struct err *e = order_terms_check(a, &t, &o);

        CHECK_STR(e == NULL ? "" : e->text, rows[i].fault);
        o.side = ORDER_SELL;
        CHECK(order_terms_check(a, &t, &o) == NULL);
    }
    arena_free(a);
}

/* The fee of 9 dollars that bring shares at any price down to the tick. */
static void the_most_that_a_fee_may_be(void)
{
    struct clob_market rules = rules_of_tick(100);
    struct order o = { .price = 9000, .size = 1000, .type = ORDER_FOK };
    uint64_t most, fee;

    CHECK(order_fee_most(&most, &rules, &o));
    for (uint32_t price = 100; price <= o.price; price += 100) {
        CHECK(clob_fee(&fee, &rules, price, order_cost(&o) * ORDER_PRICE_ONE / price) && fee <= most);
    }
    CHECK(most > 445000 && most < 446000);
    rules.fee_exponent = 2;
    CHECK(order_fee_most(&most, &rules, &o) && most > 66600 && most < 66800); /* at a third */
    o.type = ORDER_GTC;
    CHECK(order_fee_most(&most, &rules, &o) && most == 4050);
}

/* Amounts match those of the venue's own client. Its takers' amounts have as many decimals as the tick
 * allows, where the venue takes four at most. */
static void amounts_as_the_venue_counts_them(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("limit_rounding"), i, row)
    {
        struct order o = { .type = ORDER_GTC };
        bool buys = order_side_parse(&o.side, test_text(row, "side")) && o.side == ORDER_BUY;

        o.price = (uint32_t)scaled(json_object_get(row, "price"), ORDER_PRICE_PLACES);
        o.size = scaled(json_object_get(row, "size"), ORDER_SIZE_PLACES);
        CHECK(u256_cmp(row_u256(row, buys ? "maker_amount" : "taker_amount"),
                       u256_from_u64(order_cost(&o))) == 0);
        CHECK(u256_cmp(row_u256(row, buys ? "taker_amount" : "maker_amount"),
                       u256_from_u64(order_shares(&o))) == 0);
    }
    CHECK(i == 600);
}

static void amounts_of_what_is_bought_at_once(void)
{
    const json_t *row;
    size_t i, exact = 0;

    json_array_foreach(test_section("market_rounding"), i, row)
    {
        struct order o = { .type = ORDER_FOK };
        uint64_t want, cost;

        if (strcmp(test_text(row, "side"), "BUY") != 0)
            continue;
        o.price = (uint32_t)scaled(json_object_get(row, "price"), ORDER_PRICE_PLACES);
        CHECK(u256_to_u64(&cost, row_u256(row, "maker_amount")) &&
              u256_to_u64(&want, row_u256(row, "taker_amount")));
        o.size = cost / o.price + (cost % o.price != 0);
        CHECK(order_cost(&o) == cost && order_shares(&o) % 100 == 0);
        if (strcmp(test_text(row, "tick_size"), "0.1") == 0)
            CHECK(order_shares(&o) - want < 1000);
        else
            CHECK(want - order_shares(&o) < 100);
        exact += order_shares(&o) == want;
    }
    CHECK(exact > 70);
}

TEST_MAIN(TEST(faults_without_a_market), TEST(words_become_numbers), TEST(types_and_their_ends),
          TEST(rules_of_a_market), TEST(least_of_what_is_bought_at_once), TEST(the_most_that_a_fee_may_be),
          TEST(amounts_as_the_venue_counts_them), TEST(amounts_of_what_is_bought_at_once))
