#include "venue/relay_calls.c"

#include "base/test.h"
#include "chain/evm/tx.h"
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

/* ---- deposits ---- */

#define DEPOSITORY "0x4cD00E387622C35bDDB9b4c962C136462338BC31"
#define ME         "0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1"

/* A deposit of the wallet's coin on Ethereum, for the order. */
struct deposit {
    struct relay_order order;
    uint64_t id_off; /* added to the last byte of the order's id */
    struct u256 value;
    bool unproven;
};

static struct deposit honest(void)
{
    begin_orders();
    return (struct deposit){ .order = to_base(), .value = number("1000000000000000000") };
}

static enum trade_reading read_deposit(struct trade *t, const struct deposit *d)
{
    struct buf data = BUF_INIT(256), proof = BUF_INIT(RELAY_ORDER_MAX);
    struct evm_tx tx = { .chain_id = 1, .value = d->value };
    struct evm_addr me;
    uint8_t id[HASH_LEN];
    enum trade_reading got;

    relay_order_id(id, &d->order);
    id[HASH_LEN - 1] = (uint8_t)(id[HASH_LEN - 1] + d->id_off);
    relay_order_write(&proof, &d->order);
    CHECK(evm_addr_parse(&tx.to, DEPOSITORY) && evm_addr_parse(&me, ME));
    buf_add(&data, "\x49\x29\x0c\x1c", 4);
    abi_addr(&data, me);
    buf_add(&data, id, sizeof id);
    tx.data = (const uint8_t *)data.data;
    tx.data_len = data.len;
    got = trade_read_evm(t, chain_by_id(1), &tx, ME,
                         d->unproven ? NO_PROOF
                                     : (struct trade_proof){ (const uint8_t *)proof.data, proof.len });
    buf_free(&data);
    buf_free(&proof);
    return got;
}

static void deposit_with_its_order(void)
{
    const struct deposit d = honest();
    struct trade t;

    CHECK(read_deposit(&t, &d) == TRADE_READ && t.act == TRADE_BRIDGE && t.proven);
    CHECK_STR(t.sell, TRADE_COIN);
    CHECK_STR(t.buy, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    CHECK_STR(t.recipient, ME);
    CHECK_STR(t.refund, ME);
    CHECK(t.far_chain == 8453 && t.far_deadline == 1800000000);
    CHECK(u256_cmp(t.minimum, u256_from_u64(2900000000)) == 0 && u256_cmp(t.value_spent, d.value) == 0);
}

static void no_order_or_another_one(void)
{
    struct deposit d = honest();
    struct trade t;

    d.unproven = true;
    CHECK(read_deposit(&t, &d) == TRADE_UNREADABLE && !t.proven);
    d = honest();
    d.id_off = 1;
    CHECK(read_deposit(&t, &d) == TRADE_UNREADABLE);
}

/* The deposit names the very order; the order is none that may be signed. */
static void orders_that_lie(void)
{
    static uint8_t worthless[20] = { 0x33 };
    static const uint8_t stranger[20] = { 0x22 };
    struct deposit lies[20];
    struct trade t;

    for (size_t i = 0; i < 20; i++)
        lies[i] = honest();
    lies[0].order.version = "v2";
    lies[1].order.input.chain = "base";
    lies[2].order.input.currency = (struct relay_bytes)BYTES(usdc);
    lies[3].order.input.amount = number("1000000000000000001");
    lies[4].order.input.weight = u256_from_u64(2);
    lies[5].order.input.refund_count = 0;
    lies[6].order.input.refunds[0].recipient.p = stranger;
    lies[7].order.input.refunds[0].recipient.n = 19;
    lies[8].order.input.refunds[0].chain = "polygon";
    lies[9].order.input.refunds[0].extra = (struct relay_bytes)BYTES(far_wallet);
    lies[10].order.output.chain = "ethereum";
    lies[11].order.output.chain = "nowhere";
    lies[12].order.output.chain = "solana";
    lies[13].order.output.recipient = (struct relay_bytes)BYTES(far_wallet);
    lies[14].order.output.currency = (struct relay_bytes)BYTES(far_coin);
    lies[15].order.output.extra = (struct relay_bytes)BYTES(far_wallet);
    lies[16].value = u256_from_u64(1);
    lies[17].order.input.refund_count = 2;
    lies[17].order.input.refunds[1] = lies[17].order.input.refunds[0];
    lies[17].order.input.refunds[1].recipient.p = stranger;
    lies[18].order.input.refunds[0].currency = (struct relay_bytes)BYTES(worthless);
    lies[19].order.input.refund_count = 2;
    lies[19].order.input.refunds[1] = lies[19].order.input.refunds[0];
    lies[19].order.input.refunds[1].chain = "base";
    lies[19].order.input.refunds[1].currency = (struct relay_bytes)BYTES(worthless);
    for (size_t i = 0; i < 20; i++)
        CHECK(read_deposit(&t, &lies[i]) == TRADE_UNREADABLE);
}

static void to_other_families(void)
{
    static const uint8_t stranger[32] = { 0x22 };
    struct deposit d = honest();
    struct relay_refund *refunds = d.order.input.refunds;
    struct trade t;

    d.order.output.chain = "solana";
    d.order.output.recipient = (struct relay_bytes)BYTES(far_wallet);
    d.order.output.currency = (struct relay_bytes)BYTES(far_coin);
    CHECK(read_deposit(&t, &d) == TRADE_UNREADABLE); /* a router of EVM chains */
    d.order.output.extra.n = 0;
    CHECK(read_deposit(&t, &d) == TRADE_READ);
    CHECK(t.far_chain == chain_find("solana")->id && trade_buys_coin(&t));
    CHECK_STR(t.recipient, "D2ZcUbtpG5sKq7XLeB4YnpNnTGSptKCxTddoNeydzJQq");
    CHECK_STR(t.refund, ME);
    d.order.output.currency = (struct relay_bytes)BYTES(far_wallet);
    CHECK(read_deposit(&t, &d) == TRADE_READ && strcmp(t.buy, t.recipient) == 0);
    d.order.input.refund_count = 2; /* there the recipient, here the payer */
    refunds[1] = refunds[0];
    refunds[1].chain = "solana";
    refunds[1].extra.n = 0;
    refunds[1].currency = (struct relay_bytes)BYTES(far_wallet); /* as is bought */
    CHECK(read_deposit(&t, &d) == TRADE_UNREADABLE);
    refunds[1].recipient = (struct relay_bytes)BYTES(far_wallet);
    CHECK(read_deposit(&t, &d) == TRADE_READ);
    refunds[1].recipient = (struct relay_bytes)BYTES(stranger);
    CHECK(read_deposit(&t, &d) == TRADE_UNREADABLE);
}

/* Recipient and amount are read, so that the rules can refuse them. */
static void orders_for_others(void)
{
    static const uint8_t stranger[20] = { 0x22 };
    struct deposit d = honest();
    struct trade t;

    d.order.output.recipient.p = stranger;
    CHECK(read_deposit(&t, &d) == TRADE_READ && strcmp(t.recipient, ME) != 0);
    d = honest();
    d.order.output.minimum = U256_ZERO;
    CHECK(read_deposit(&t, &d) == TRADE_READ && u256_is_zero(t.minimum));
}

/* A router has other addresses on linea and mantle, and a second refund may be on the far chain. */
static void routers_by_chain(void)
{
    struct deposit d = honest();
    struct trade t;

    d.order.input.refund_count = 2;
    d.order.input.refunds[1] = d.order.input.refunds[0];
    d.order.input.refunds[1].chain = "base"; /* whose coin is the same */
    CHECK(read_deposit(&t, &d) == TRADE_READ);
    d.order.input.refunds[1].currency = (struct relay_bytes)BYTES(usdc); /* as is bought */
    CHECK(read_deposit(&t, &d) == TRADE_READ);
    d = honest();
    d.order.output.chain = "linea";
    CHECK(read_deposit(&t, &d) == TRADE_UNREADABLE);
    d.order.output.extra.n = 0;
    CHECK(read_deposit(&t, &d) == TRADE_READ && t.far_chain == 59144);
}

TEST_MAIN(TEST(ids_of_orders), TEST(deposit_with_its_order), TEST(no_order_or_another_one),
          TEST(orders_that_lie), TEST(to_other_families), TEST(orders_for_others), TEST(routers_by_chain))
