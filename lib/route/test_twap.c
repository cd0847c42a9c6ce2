#include "base/test.h"
#include "route/twap.c"

static struct arena *a;

static const char *rate_text(struct u256 v)
{
    return amount_text(a, (struct amount){ v, RATE_PLACES });
}

static void powers_of_ticks(void)
{
    static const struct {
        int64_t ticks;
        const char *text;
    } rows[] = {
        { 0, "1" },
        { 1, "1.0001" },
        { -1, "0.999900009999000099" },
        { 10000, "2.718145926825224864" },
        { -10000, "0.367897834377123709" },
        { -196256, "0.00000000300010429" },
    };
    const struct u256 one = u256_from_u64(1000000000000000000);
    struct u256 v;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(scale_by_ticks(&v, one, rows[i].ticks));
        CHECK_STR(rate_text(v), rows[i].text);
    }
}

struct observed {
    int64_t from, to;
    uint64_t since, until; /* seconds per unit of liquidity, in units of 2^128 / 2^64 */
};

static void add_signed(struct buf *out, int64_t v)
{
    const uint64_t sign = v < 0 ? UINT64_MAX : 0;

    abi_u256(out, (struct u256){ { (uint64_t)v, sign, sign, sign } });
}

static void observe(struct buf *out, const struct observed *o)
{
    abi_u64(out, 64);
    abi_u64(out, 160);
    abi_u64(out, 2);
    add_signed(out, o->from);
    add_signed(out, o->to);
    abi_u64(out, 2);
    abi_u256(out, (struct u256){ { 0, o->since, 0, 0 } });
    abi_u256(out, (struct u256){ { 0, o->until, 0, 0 } });
}

static void mean_ticks(void)
{
    static const struct {
        struct observed o;
        uint32_t window;
        bool ok;
        int64_t tick;
    } rows[] = {
        { { 0, 1800, 0, 1 }, 1800, true, 1 },
        { { 1000, 1000 - 600 * 200000, 5, 9 }, 600, true, -200000 },
        { { 0, 1799, 0, 1 }, 1800, true, 0 },
        { { 0, -1, 0, 1 }, 1800, true, -1 }, /* down, not towards zero */
        { { -500, -300, 0, 1 }, 20, true, 10 },
        { { 0, 2 * 887273LL, 0, 1 }, 2, false, 0 }, /* beyond any tick */
        { { 0, 2, 1, 1 }, 2, false, 0 },            /* no time has passed */
        { { INT64_MIN, INT64_MAX, 0, 1 }, 2, false, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf data = BUF_INIT(512);
        struct mean m;

        observe(&data, &rows[i].o);
        CHECK(read_mean(&m, (const uint8_t *)data.data, data.len, rows[i].window) == rows[i].ok);
        CHECK(!rows[i].ok || m.tick == rows[i].tick);
        for (size_t n = 0; n < data.len; n++)
            CHECK(!read_mean(&m, (const uint8_t *)data.data, n, rows[i].window));
        buf_free(&data);
    }
}

/* Twice the seconds per unit are half the liquidity. */
static void liquidity_and_time_weigh(void)
{
    const struct observed thin = { 0, 0, 0, 200 }, deep = { 0, 0, 0, 100 };
    struct mean m[3];
    struct buf data = BUF_INIT(512);

    observe(&data, &thin);
    CHECK(read_mean(&m[0], (const uint8_t *)data.data, data.len, 200));
    CHECK(read_mean(&m[2], (const uint8_t *)data.data, data.len, 20));
    buf_reset(&data);
    observe(&data, &deep);
    CHECK(read_mean(&m[1], (const uint8_t *)data.data, data.len, 200));
    CHECK(u256_cmp(m[1].weight, m[0].weight) > 0 && u256_cmp(m[0].weight, m[2].weight) > 0);
    buf_free(&data);
}

static void words_that_are_no_ticks(void)
{
    static const struct u256 odd[] = { { { 0, 1, 0, 0 } },
                                       { { UINT64_MAX, 0, 0, 0 } },
                                       { { 1, UINT64_MAX, UINT64_MAX, UINT64_MAX } } };
    int64_t v;

    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        uint8_t word[U256_BYTES];

        u256_to_be(word, odd[i]);
        CHECK(!read_signed(&v, word, sizeof word, 0));
    }
}

/* Prices of ether, 18 places, in dollars, 6: the tick of 3000.1 dollars, in either order of addresses. */
static void prices_in_dollars(void)
{
    struct twap q = { .token = token_find(chain_by_id(1), "ETH"),
                      .dollar = token_find(chain_by_id(1), "USDC") };
    struct amount usd;

    CHECK(price_of_ticks(&usd, &q, -196256) && strncmp(rate_text(usd.raw), "3000.104", 8) == 0);
    q.token = token_find(chain_by_id(1), "WBTC");
    CHECK(price_of_ticks(&usd, &q, 63973));
    CHECK_STR(rate_text(usd.raw), "60003.030142907407020059");
}

static void twap_test_start(void)
{
    a = arena_new();
}

static void twap_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(twap_test_start), TEST(powers_of_ticks), TEST(mean_ticks), TEST(liquidity_and_time_weigh),
          TEST(words_that_are_no_ticks), TEST(prices_in_dollars), TEST(twap_test_end))
