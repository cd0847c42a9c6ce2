#include "venue/relay.c"

#include "base/test.h"
#include "codec/hex.h"

static uint8_t solver[20], wallet[20], coin[20], usdc[20], router[32], far_wallet[32], far_coin[32], fees[20];

#define BYTES(a)                                                                                             \
    {                                                                                                        \
        (a), sizeof(a)                                                                                       \
    }

/* The two orders of an independent library. */
static void begin_orders(void)
{
    memset(solver, 0x51, sizeof solver);
    memset(wallet, 0xa1, sizeof wallet);
    memset(far_wallet, 0xb2, sizeof far_wallet);
    memset(fees, 0xc3, sizeof fees);
    CHECK(hex_decode(usdc, sizeof usdc, "833589fcd6edb6e08f4c7c32d4f71b54bda02913", 40));
    CHECK(hex_decode(router + 12, 20, "b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f", 40));
}

static struct u256 number(const char *digits)
{
    struct u256 v = U256_ZERO;

    CHECK(u256_parse(&v, digits));
    return v;
}

static struct relay_order to_base(void)
{
    struct relay_order o = { .version = "v1",
                             .solver_chain = "base",
                             .solver = BYTES(solver),
                             .salt = u256_from_u64(7),
                             .input = { .chain = "ethereum",
                                        .currency = BYTES(coin),
                                        .amount = number("1000000000000000000"),
                                        .weight = u256_from_u64(1),
                                        .refund_count = 1 },
                             .output = { .chain = "base",
                                         .recipient = BYTES(wallet),
                                         .currency = BYTES(usdc),
                                         .minimum = u256_from_u64(2900000000),
                                         .expected = u256_from_u64(3000000000),
                                         .deadline = 1800000000,
                                         .extra = BYTES(router) } };

    o.input.refunds[0] = (struct relay_refund){ .chain = "ethereum",
                                                .recipient = BYTES(wallet),
                                                .currency = BYTES(coin),
                                                .deadline = 1800000000,
                                                .extra = BYTES(router) };
    return o;
}

static struct relay_order to_solana(void)
{
    struct relay_order o = { .version = "v1",
                             .solver_chain = "base",
                             .solver = BYTES(solver),
                             .salt = u256_from_u64(8),
                             .input = { .chain = "base",
                                        .currency = BYTES(usdc),
                                        .amount = u256_from_u64(25000000),
                                        .weight = u256_from_u64(1),
                                        .refund_count = 1 },
                             .output = { .chain = "solana",
                                         .recipient = BYTES(far_wallet),
                                         .currency = BYTES(far_coin),
                                         .minimum = u256_from_u64(160000000),
                                         .expected = u256_from_u64(165000000),
                                         .deadline = 1800000000 },
                             .fee_count = 1 };

    o.input.refunds[0] = (struct relay_refund){
        .chain = "base", .recipient = BYTES(wallet), .currency = BYTES(usdc), .deadline = 1800000000
    };
    o.fees[0] = (struct relay_fee){ "base", BYTES(fees), "base", BYTES(coin), u256_from_u64(1) };
    return o;
}

static void check_id(const struct relay_order *o, const char *want)
{
    char hex[2 * HASH_LEN + 1];
    uint8_t id[HASH_LEN];

    relay_order_id(id, o);
    hex_encode(hex, id, sizeof id);
    CHECK_STR(hex, want);
}

static void ids_of_orders(void)
{
    struct relay_order o;

    begin_orders();
    o = to_base();
    check_id(&o, "d667fdcaad0eda9a75369d4b8ae5e4940388cee47b3bee998d466a461cd1259b");
    o = to_solana();
    check_id(&o, "37c255ee60f670fd66d0bd3c1b19f1b5662b36ab3866a9131f9fa99b2be854d7");
}

TEST_MAIN(TEST(ids_of_orders))
