#include "base/test.h"
#include "exec/evm/evm_sign.c"

#define ME     "0x1111111111111111111111111111111111111111"
#define ROUTER "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"
#define TOKEN  "0x0900000000000000000000000000000000000000"
#define TAKER  "0x0800000000000000000000000000000000000000"

static struct arena *a;

static void replacements_cost_an_eighth_more(void)
{
    static const struct {
        uint64_t old, now, want;
    } rows[] = {
        { 0, 0, 0 },
        { 0, 5, 5 },
        { 1, 0, 2 }, /* rounded up: small fees grow too */
        { 7, 0, 8 },
        { 8, 0, 9 },
        { 9, 0, 11 },
        { 100, 0, 113 },
        { 1000000000, 0, 1125000000 },
        { 1000000000, 1124999999, 1125000000 },
        { 1000000000, 1125000001, 1125000001 },
        { 1000000000, 7000000000, 7000000000 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct u256 old = u256_from_u64(rows[i].old), now = u256_from_u64(rows[i].now);
        struct fees typed = { false, now, now }, legacy = { true, now, U256_ZERO };
        struct fees f = fees_bumped(old, old, &typed);

        CHECK(!f.legacy && u256_cmp(f.max_fee, u256_from_u64(rows[i].want)) == 0);
        CHECK(u256_cmp(f.priority_fee, f.max_fee) == 0);
        f = fees_bumped(old, old, &legacy);
        CHECK(f.legacy && u256_cmp(f.max_fee, u256_from_u64(rows[i].want)) >= 0 &&
              u256_is_zero(f.priority_fee));
    }
}

/* A price of gas may have been told too low: eight attempts come to six times as much. */
static void prices_grow_by_a_quarter(void)
{
    const struct fees now = { true, u256_from_u64(1), U256_ZERO };
    struct u256 price = u256_from_u64(1000);

    for (unsigned i = 0; i < 8; i++)
        price = fees_bumped(price, U256_ZERO, &now).max_fee;
    CHECK(u256_cmp(price, u256_from_u64(5960)) >= 0);
}

/* Nodes want 10 %; 12.5 % of any number, rounded, is at least that. */
static void every_replacement_is_enough(void)
{
    static const struct fees none = { .legacy = false };

    for (uint64_t old = 1; old < UINT64_MAX / 16; old = old * 3 / 2 + 1) {
        struct fees f = fees_bumped(u256_from_u64(old), u256_from_u64(old / 2), &none);
        uint64_t max = 0, tip = 0;

        CHECK(u256_to_u64(&max, f.max_fee) && u256_to_u64(&tip, f.priority_fee));
        CHECK((unsigned __int128)max * 8 >= (unsigned __int128)old * 9);
        CHECK((unsigned __int128)tip * 8 >= (unsigned __int128)(old / 2) * 9);
        CHECK(tip <= max);
    }
}

static void a_cancel_is_a_transfer_of_nothing_to_oneself(void)
{
    struct step s = step_cancel(chain_by_id(1), ME, 0);

    CHECK(s.kind == TX_CANCEL && strcmp(s.to, ME) == 0 && u256_is_zero(s.value));
    CHECK(s.data_len == 0 && s.gas_limit == 21000 && s.token == NULL);
}

/* Rollups charge gas for the data of a transfer too. */
static void a_cancel_has_the_gas_that_its_chain_asks_for(void)
{
    static const uint64_t rows[][2] = { { 0, 21000 },
                                        { 1, 21000 },
                                        { 21000, 21000 },
                                        { 21001, 21001 },
                                        { 22000, 22500 },
                                        { 421000, 621000 },
                                        { UINT64_MAX, 21000 + (11184810 - 21000) / 2 * 3 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(step_cancel(chain_by_id(1), ME, rows[i][0]).gas_limit == rows[i][1]);
}

static struct step example(const uint8_t *data, size_t n)
{
    struct step s = {
        .kind = TX_SPEND,
        .to = ROUTER,
        .value = { { 5, 6, 0, 1 } },
        .data = data,
        .data_len = n,
        .gas_limit = 250000,
        .token = TOKEN,
        .spender = TAKER,
        .token_amount = { { 7 } },
    };

    return s;
}

/* A stored transaction as sign_step leaves it, with a made-up signature. */
static struct transaction stored(const struct step *s, bool legacy)
{
    static const struct evm_sig sig = { { 1, [31] = 2 }, { 0, 3 }, 1 };
    const struct fees fees = { legacy, u256_from_u64(3000000000), u256_from_u64(legacy ? 0 : 1000000000) };
    static const struct wallet wallet = { .id = 12 };
    struct buf raw = BUF_INIT(MAX_TX);
    struct evm_tx tx;
    struct transaction t;

    CHECK(unsigned_tx(
        &tx,
        &(struct signing){ .chain = chain_by_id(legacy ? 56 : 1), .step = s, .fees = &fees, .nonce = 41 }));
    evm_tx_signed(&raw, &tx, &sig);
    transaction_of(&t, &wallet, &tx, s, &raw, a);
    buf_free(&raw);
    return t;
}

static void stored_transactions_have_all_members(void)
{
    static const uint8_t data[] = { 1, 2, 3 };
    struct step s = example(data, sizeof data);
    struct transaction t = stored(&s, false);
    uint8_t hash[32];

    keccak256(hash, t.raw, t.raw_len);
    CHECK(t.hash.len == sizeof hash && memcmp(hash, t.hash.bytes, sizeof hash) == 0);
    CHECK(t.effect.wallet_id == 12 && t.effect.state == EFFECT_OPEN);
    CHECK(t.has_nonce && t.nonce == 41 && t.chain_id == 1 && t.kind == TX_SPEND && t.expiry == 0);
    CHECK(t.gas_limit == 250000 && t.token.len == 20 && t.spender.len == 20);
    CHECK(t.token.bytes[0] == 9 && t.spender.bytes[0] == 8);
    CHECK(u256_cmp(t.value, s.value) == 0 && u256_cmp(t.token_amount, s.token_amount) == 0);
    CHECK(u256_cmp(t.max_fee, u256_from_u64(3000000000)) == 0);
    CHECK(t.raw[0] == 2 && stored(&s, true).raw[0] > 0xc0);
}

static void calls_of_invalid_addresses_are_not_signed(void)
{
    static const struct fees fees = { .legacy = false };
    struct step s = example(NULL, 0);
    struct evm_tx tx;

    s.to = "0x7a250d5630b4cF539739dF2C5dAcb4c659F2488D"; /* its checksum is wrong */
    CHECK(!unsigned_tx(&tx, &(struct signing){ .chain = chain_by_id(1), .step = &s, .fees = &fees }));
}

/* There is no signer to ask: the bytes do not get that far. */
static void steps_outside_the_plan_are_not_signed(void)
{
    const struct wallet w = { .has_key = true, .ref = { .address = ME } };
    const struct step elsewhere = { .kind = TX_SPEND, .to = TAKER, .value = u256_from_u64(5) };
    const struct plan p = { .chain = chain_by_id(1), .wallet = ME, .steps = { elsewhere }, .count = 1 };
    const struct fees fees = { .legacy = true };
    const struct signing in = {
        .wallet = &w, .chain = p.chain, .plan = &p, .step = &p.steps[0], .fees = &fees
    };
    const struct ctx ctx = { .signer = NULL };
    struct transaction out;

    CHECK(!evm_sign(&ctx, a, &in, &out));
}

static void steps_are_read_back(void)
{
    static uint8_t long_data[1000];
    static const size_t sizes[] = { 0, 1, 55, 56, sizeof long_data };

    memset(long_data, 0xab, sizeof long_data);
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        struct step s = example(long_data, sizes[i / 2]), back;
        struct transaction t = stored(&s, i % 2 == 1);

        CHECK(step_of_tx(a, &t, &back));
        CHECK(back.kind == s.kind && strcmp(back.to, s.to) == 0 && u256_cmp(back.value, s.value) == 0);
        CHECK(back.gas_limit == s.gas_limit && back.data_len == s.data_len);
        CHECK(back.data_len == 0 || memcmp(back.data, s.data, s.data_len) == 0);
        CHECK(strcmp(back.token, s.token) == 0 && strcmp(back.spender, s.spender) == 0);
        CHECK(u256_cmp(back.token_amount, s.token_amount) == 0);
    }
}

static void bytes_that_are_no_transaction(void)
{
    static const uint8_t data[60] = { 1 };
    struct step s = example(data, sizeof data), back;

    for (int legacy = 0; legacy < 2; legacy++) {
        struct transaction t = stored(&s, legacy == 1);
        size_t whole = t.raw_len;

        for (t.raw_len = 0; t.raw_len < whole; t.raw_len++) {
            uint8_t *exact = malloc(t.raw_len + 1); /* so that a read behind it is seen */
            struct transaction cut = t;

            if (exact == NULL)
                return;
            memcpy(exact, t.raw, t.raw_len);
            cut.raw = exact;
            CHECK(!step_of_tx(a, &cut, &back));
            free(exact);
        }
    }
}

static void sign_test_start(void)
{
    a = arena_new();
}

static void sign_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(sign_test_start), TEST(replacements_cost_an_eighth_more), TEST(prices_grow_by_a_quarter),
          TEST(every_replacement_is_enough), TEST(a_cancel_is_a_transfer_of_nothing_to_oneself),
          TEST(a_cancel_has_the_gas_that_its_chain_asks_for), TEST(stored_transactions_have_all_members),
          TEST(calls_of_invalid_addresses_are_not_signed), TEST(steps_outside_the_plan_are_not_signed),
          TEST(steps_are_read_back), TEST(bytes_that_are_no_transaction), TEST(sign_test_end))
