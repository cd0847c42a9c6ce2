#include "perps/usdc_routes.c"

#include "base/test.h"

static struct buf said(const char *text)
{
    return (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
}

static void the_venues_word(void)
{
    struct buf split = said("{\"depositRoute\":\"cctp\",\"withdrawalRoute\":\"bridge\"}"),
               less = said("{\"depositRoute\":\"cctp\"}"),
               else_ = said("{\"depositRoute\":\"ship\",\"withdrawalRoute\":\"bridge\"}");
    enum perps_route in, out;

    CHECK(usdc_read_routing(&split, &in, &out) && in == PERPS_CCTP && out == PERPS_BRIDGE);
    CHECK(!usdc_read_routing(&less, &in, &out) && !usdc_read_routing(&else_, &in, &out));
}

#define FEE(finality, points, med, high)                                                                     \
    "{\"finalityThreshold\":" finality ",\"minimumFee\":" points                                             \
    ",\"forwardFee\":{\"low\":100000,\"med\":" med ",\"high\":" high "}}"

static void fees_of_circle_are_read(void)
{
    static const struct {
        const char *answer;
        uint64_t amount;
        bool read;
        uint64_t expected, most;
    } rows[] = {
        { "[" FEE("1000", "1", "200000", "200000") "," FEE("2000", "0", "200000", "200000") "]", 1000000000,
          true, 300000, 300000 },
        { "[" FEE("2000", "0", "1", "1") "," FEE("1000", "1", "200000", "250000") "]", 50000001, true, 205000,
          255001 },
        { "[" FEE("1000", "1.3", "200000", "200000") "]", 1000000000, true, 330000, 330000 },
        { "[" FEE("1000", "100", "200000", "5000000") "]", 1000000000, true, 10200000, 15000000 },
        { "[" FEE("1000", "100.1", "200000", "200000") "]", 1000000000, false, 0, 0 },
        { "[" FEE("1000", "1", "200000", "5000001") "]", 1000000000, false, 0, 0 },
        { "[" FEE("1000", "1", "200000", "900000000") "]", 1000000000, false, 0, 0 },
        { "[" FEE("1000", "1", "300000", "200000") "]", 1000000000, false, 0, 0 },
        { "[" FEE("2000", "0", "200000", "200000") "]", 1000000000, false, 0, 0 },
        { "[" FEE("1000", "-1", "200000", "200000") "]", 1000000000, false, 0, 0 },
        { "[" FEE("1000", "1", "-1", "200000") "]", 1000000000, false, 0, 0 },
        { "[{\"finalityThreshold\":1000,\"minimumFee\":1}]", 1000000000, false, 0, 0 },
        { "{}", 1000000000, false, 0, 0 },
        { "nothing", 1000000000, false, 0, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf answer = said(rows[i].answer);
        struct usdc_cost cost;

        CHECK(usdc_read_fees(&answer, u256_from_u64(rows[i].amount), &cost) == rows[i].read);
        if (!rows[i].read)
            continue;
        CHECK(u256_cmp(cost.expected, u256_from_u64(rows[i].expected)) == 0);
        CHECK(u256_cmp(cost.most, u256_from_u64(rows[i].most)) == 0);
    }
}

static void whether_there_is_an_account(void)
{
    struct buf user = said("{\"role\":\"user\"}"), missing = said("{\"role\":\"missing\"}"),
               nothing = said("{}");
    bool there;

    CHECK(usdc_read_role(&user, &there) && there);
    CHECK(usdc_read_role(&missing, &there) && !there);
    CHECK(!usdc_read_role(&nothing, &there));
}

static void gas_of_withdrawals_is_read(void)
{
    static const struct {
        const char *answer;
        uint64_t gas; /* 0: it cannot be read */
    } rows[] = {
        { "{\"fee\":\"0.0\"}", 10000 },
        { "{\"fee\":\"0.0008\"}", 10000 },
        { "{\"fee\":\"1.0\"}", 1000000 },
        { "{\"fee\":\"0.02000001\"}", 20001 },
        { "{\"fee\":\"-1\"}", 0 },
        { "{\"fee\":{}}", 0 },
        { "{}", 0 },
        { "[]", 0 },
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf answer = said(rows[i].answer);
        struct u256 gas;

        CHECK(usdc_read_gas(a, &answer, &gas) == (rows[i].gas != 0));
        CHECK(rows[i].gas == 0 || u256_cmp(gas, u256_from_u64(rows[i].gas)) == 0);
    }
    arena_free(a);
}

TEST_MAIN(TEST(the_venues_word), TEST(fees_of_circle_are_read), TEST(whether_there_is_an_account),
          TEST(gas_of_withdrawals_is_read))
