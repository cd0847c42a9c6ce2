/* Deposits as they are made and read, compared with messages that an independent library made. */
#include "venue/relay_solana.c"

#include "base/test.h"
#include "chain/chains.h"
#include "codec/hex.h"
#include "venue/relay_calls.h"
#include "venue/solana.h"

static const char coin_message[] =
    "80010004060479d9c7cc1035de7211f99eb48c09d70b2bdf5bdf9e2e56b8a1fbb5a2ea332766963b37e581dc14a0f573eeed"
    "e8e54a257d83d082c54ab208cbffd1dc2a70ca0306466fe5211732ffecadba72c39be7bc8ce5bbc5f7126b2c439b3a400000"
    "00792689378ecd51d80406eb0caa3b62795beb10b6c5dc96bc2e0df03cbfee1abfbe3e6d285d2ee963351b6deeb0a1e96c88"
    "1435ccd450b2645f24cc27960bee470000000000000000000000000000000000000000000000000000000000000000070707"
    "07070707070707070707070707070707070707070707070707070707070302000502f049020002000903a086010000000000"
    "03050400000105300d9e0ddf5fd51c0615cd5b07000000000102030405060708090a0b0c0d0e0f101112131415161718191a"
    "1b1c1d1e1f2000";
static const char token_message[] =
    "800100080b0479d9c7cc1035de7211f99eb48c09d70b2bdf5bdf9e2e56b8a1fbb5a2ea3327f5de2cb759a256991340d28b0e"
    "05f2af4610d237b45621550a8b6044b16549a43856752344281bac5f897d0209d141885c219a7c5eface63dafbf0c22421ad"
    "0b0306466fe5211732ffecadba72c39be7bc8ce5bbc5f7126b2c439b3a40000000792689378ecd51d80406eb0caa3b62795b"
    "eb10b6c5dc96bc2e0df03cbfee1abfbe3e6d285d2ee963351b6deeb0a1e96c881435ccd450b2645f24cc27960bee4766963b"
    "37e581dc14a0f573eeede8e54a257d83d082c54ab208cbffd1dc2a70cac6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2"
    "f6e0e47ca60203452f5d6106ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a98c97258f4e2489"
    "f1bb3d1029148e0d830b5a1399daff1084048e7bd8dbe9f85900000000000000000000000000000000000000000000000000"
    "0000000000000007070707070707070707070707070707070707070707070707070707070707070303000502f04902000300"
    "0903a086010000000000040a0500000607010208090a300b9c60da27a3b41315cd5b07000000000102030405060708090a0b"
    "0c0d0e0f101112131415161718191a1b1c1d1e1f2000";
static const char token_2022_message[] =
    "800100080b0479d9c7cc1035de7211f99eb48c09d70b2bdf5bdf9e2e56b8a1fbb5a2ea332790702c0eaee3b659600d98f7f1"
    "0827fa28e645bbe99600e453dc1f53ad17bcf12f136bdc761619497beb1c014fcd61e4b192cbf813dc5bd8e8daf2c5af7ad3"
    "320306466fe5211732ffecadba72c39be7bc8ce5bbc5f7126b2c439b3a40000000792689378ecd51d80406eb0caa3b62795b"
    "eb10b6c5dc96bc2e0df03cbfee1abfbe3e6d285d2ee963351b6deeb0a1e96c881435ccd450b2645f24cc27960bee4766963b"
    "37e581dc14a0f573eeede8e54a257d83d082c54ab208cbffd1dc2a70cac6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2"
    "f6e0e47ca60203452f5d6106ddf6e1ee758fde18425dbce46ccddab61afc4d83b90d27febdf928d8a18bfc8c97258f4e2489"
    "f1bb3d1029148e0d830b5a1399daff1084048e7bd8dbe9f85900000000000000000000000000000000000000000000000000"
    "0000000000000007070707070707070707070707070707070707070707070707070707070707070303000502f04902000300"
    "0903a086010000000000040a0500000607010208090a300b9c60da27a3b41315cd5b07000000000102030405060708090a0b"
    "0c0d0e0f101112131415161718191a1b1c1d1e1f2000";

static struct solana_addr address(const char *text)
{
    struct solana_addr a;

    CHECK(solana_addr_parse(&a, text));
    return a;
}

static struct relay_solana_deposit of_coin(void)
{
    struct relay_solana_deposit d = { .coin = true, .amount = 123456789 };

    d.wallet = address("JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN");
    for (uint8_t i = 0; i < HASH_LEN; i++)
        d.order[i] = i + 1;
    return d;
}

static struct relay_solana_deposit of_token(void)
{
    struct relay_solana_deposit d = of_coin();

    d.coin = false;
    d.mint = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
    d.token_program = SOLANA_TOKEN;
    return d;
}

/* ---- compared with what a library makes ---- */

/* A message behind the signature of one signer. */
static void message_tx(struct buf *out, const char *hex)
{
    static const uint8_t none[SOLANA_SIGNATURE_LEN];
    uint8_t bytes[SOLANA_TX_MAX];
    size_t n = strlen(hex) / 2;

    CHECK(hex_decode(bytes, n, hex, 2 * n));
    buf_addc(out, 1);
    buf_add(out, none, sizeof none);
    buf_add(out, bytes, n);
}

static bool writes_to(const struct solana_tx *tx, unsigned key)
{
    return key < tx->signers ? key < tx->signers - tx->readonly_signers
                             : key < tx->key_count - tx->readonly_others;
}

static bool same_call(const struct solana_tx *x, const struct solana_tx *y, unsigned i)
{
    const struct solana_instruction *a = &x->instructions[i], *b = &y->instructions[i];
    bool same = solana_addr_eq(&x->keys[a->program], &y->keys[b->program]) &&
                a->account_count == b->account_count && a->data_len == b->data_len &&
                memcmp(a->data, b->data, a->data_len) == 0;

    for (size_t j = 0; same && j < a->account_count; j++)
        same = solana_addr_eq(&x->keys[a->accounts[j]], &y->keys[b->accounts[j]]) &&
               writes_to(x, a->accounts[j]) == writes_to(y, b->accounts[j]);
    return same;
}

/* Keys may be in another order. */
static bool is_as_made(const char *hex, const struct relay_solana_deposit *d)
{
    struct buf theirs = BUF_INIT(SOLANA_TX_MAX), ours = BUF_INIT(SOLANA_TX_MAX);
    struct solana_tx x, y;
    bool same;

    message_tx(&theirs, hex);
    CHECK(solana_tx_read(&x, (const uint8_t *)theirs.data, theirs.len) == NULL);
    CHECK(relay_solana_write(&ours, d, x.blockhash));
    CHECK(solana_tx_read(&y, (const uint8_t *)ours.data, ours.len) == NULL);
    same = x.signers == y.signers && x.instruction_count == y.instruction_count &&
           x.key_count == y.key_count && solana_addr_eq(&x.keys[0], &y.keys[0]) &&
           memcmp(x.blockhash, y.blockhash, SOLANA_BLOCKHASH_LEN) == 0;
    for (unsigned i = 0; same && i < x.instruction_count; i++)
        same = same_call(&x, &y, i);
    buf_free(&theirs);
    buf_free(&ours);
    return same;
}

static void messages_match_a_librarys(void)
{
    struct relay_solana_deposit d = of_coin();

    CHECK(is_as_made(coin_message, &d));
    d.amount++;
    CHECK(!is_as_made(coin_message, &d));
    d = of_token();
    CHECK(is_as_made(token_message, &d));
    d.token_program = SOLANA_TOKEN_2022;
    CHECK(is_as_made(token_2022_message, &d) && !is_as_made(token_message, &d));
}

/* ---- in these bytes, or not at all ---- */

static bool is_made(const struct relay_solana_deposit *as, const struct relay_solana_deposit *is)
{
    static const uint8_t blockhash[SOLANA_BLOCKHASH_LEN] = { 9 };
    struct buf b = BUF_INIT(SOLANA_TX_MAX);
    struct solana_tx tx;
    bool same;

    CHECK(relay_solana_write(&b, as, blockhash));
    CHECK(solana_tx_read(&tx, (const uint8_t *)b.data, b.len) == NULL);
    same = relay_solana_is(&tx, is);
    buf_free(&b);
    return same;
}

static void the_very_bytes(void)
{
    const struct relay_solana_deposit coin = of_coin(), token = of_token();
    struct relay_solana_deposit other = token;

    CHECK(is_made(&coin, &coin) && is_made(&token, &token));
    CHECK(!is_made(&coin, &token) && !is_made(&token, &coin));
    other.order[31] ^= 1;
    CHECK(!is_made(&token, &other));
    other = token;
    other.amount--;
    CHECK(!is_made(&token, &other));
    other = token;
    other.mint.bytes[0] ^= 1;
    CHECK(!is_made(&token, &other));
    other = token;
    other.token_program = SOLANA_TOKEN_2022;
    CHECK(!is_made(&token, &other));
    other = token;
    other.wallet.bytes[0] ^= 1;
    CHECK(!is_made(&token, &other));
}

/* ---- as it is handed over ---- */

static const struct solana_addr stranger = { { 3 } };

/* The calls that Relay may ask of a wallet. */
static const uint8_t limit[] = { 2, 1, 2, 3, 4 };
static struct solana_account named[5], paying[2];
static uint8_t data[48], payment[12] = { 2, 0, 0, 0, 1 };

static struct solana_call bound(void)
{
    return (struct solana_call){ .program = SOLANA_COMPUTE_BUDGET, .data = limit, .data_len = sizeof limit };
}

static struct solana_call pays_a_stranger(const struct relay_solana_deposit *d)
{
    paying[0] = (struct solana_account){ d->wallet, true, true };
    paying[1] = (struct solana_account){ stranger, false, true };
    return (struct solana_call){ .program = SOLANA_SYSTEM,
                                 .accounts = paying,
                                 .account_count = 2,
                                 .data = payment,
                                 .data_len = sizeof payment };
}

/* The deposit itself, with the wallet or another account as its depositor. */
static struct solana_call deposits(const struct relay_solana_deposit *d, const struct solana_addr *depositor)
{
    struct buf b = BUF_INIT(64);

    named[0] = (struct solana_account){ stranger, false, false };
    named[1] = (struct solana_account){ d->wallet, true, true };
    named[2] = (struct solana_account){ *depositor, false, false };
    named[3] = (struct solana_account){ stranger, false, true };
    named[4] = (struct solana_account){ SOLANA_SYSTEM, false, false };
    data_of(&b, d);
    CHECK(b.len == sizeof data);
    memcpy(data, b.data, sizeof data);
    buf_free(&b);
    return (struct solana_call){ .program = SOLANA_RELAY_DEPOSITORY,
                                 .accounts = named,
                                 .account_count = 5,
                                 .data = data,
                                 .data_len = sizeof data };
}

static void deposits_are_read_from_calls(void)
{
    const struct relay_solana_deposit d = of_coin();
    struct solana_call calls[3] = { deposits(&d, &d.wallet), bound() };
    struct relay_solana_deposit got;

    CHECK(relay_solana_read(&got, &d.wallet, calls, 1));
    CHECK(got.coin && got.amount == d.amount && memcmp(got.order, d.order, HASH_LEN) == 0);
    CHECK(relay_solana_read(&got, &d.wallet, calls, 2));
    CHECK(!relay_solana_read(&got, &stranger, calls, 1));
    CHECK(!relay_solana_read(&got, &d.wallet, calls + 1, 1)); /* nothing */
    CHECK(!relay_solana_read(&got, &d.wallet, calls, 0));
    calls[1] = calls[0];
    CHECK(!relay_solana_read(&got, &d.wallet, calls, 2)); /* twice */
    calls[1] = pays_a_stranger(&d);
    CHECK(!relay_solana_read(&got, &d.wallet, calls, 2));
    calls[0] = deposits(&d, &stranger);
    CHECK(!relay_solana_read(&got, &d.wallet, calls, 1));
}

/* ---- whole, as the signer and the guard read it ---- */

enum { DEADLINE = 1800000000 };

static const uint8_t solver[20] = { 0x51 }, far_wallet[20] = { 0xa1 }, far_token[20] = { 0x83 };

/* The order behind a deposit: for so much of a token on Base. Its addresses lead into *d. */
static struct relay_order order_of(const struct relay_solana_deposit *d)
{
    static const uint8_t coin[SOLANA_ADDR_LEN];
    const uint8_t *currency = d->coin ? coin : d->mint.bytes;
    struct relay_order o = { .version = "v1", .solver_chain = "base", .solver = { solver, sizeof solver } };

    o.input.chain = "solana";
    o.input.currency = (struct relay_bytes){ currency, SOLANA_ADDR_LEN };
    o.input.amount = u256_from_u64(d->amount);
    o.input.weight = u256_from_u64(1);
    o.input.refund_count = 2;
    o.input.refunds[0] = (struct relay_refund){ .chain = "solana",
                                                .recipient = { d->wallet.bytes, SOLANA_ADDR_LEN },
                                                .currency = { currency, SOLANA_ADDR_LEN },
                                                .deadline = DEADLINE };
    o.input.refunds[1] = (struct relay_refund){ .chain = "base",
                                                .recipient = { far_wallet, sizeof far_wallet },
                                                .currency = { far_token, sizeof far_token },
                                                .deadline = DEADLINE };
    o.output.chain = "base";
    o.output.recipient = (struct relay_bytes){ far_wallet, sizeof far_wallet };
    o.output.currency = (struct relay_bytes){ far_token, sizeof far_token };
    o.output.minimum = u256_from_u64(1000);
    o.output.expected = u256_from_u64(1010);
    o.output.deadline = DEADLINE;
    return o;
}

struct reading {
    struct trade trade;
    struct solana_costs costs;
    const char *flaw;
};

/* With another order behind it than the one that is shown, if `id` says so. */
static struct reading read_deposit(struct relay_solana_deposit d, const struct relay_order *o, uint8_t id_off)
{
    static const uint8_t blockhash[SOLANA_BLOCKHASH_LEN] = { 9 };
    struct buf b = BUF_INIT(SOLANA_TX_MAX), proof = BUF_INIT(RELAY_ORDER_MAX);
    struct solana_accounts accounts;
    struct trade_proof order;
    struct solana_tx tx;
    struct reading r;

    relay_order_id(d.order, o);
    d.order[0] ^= id_off;
    relay_order_write(&proof, o);
    CHECK(relay_solana_write(&b, &d, blockhash));
    CHECK(solana_tx_read(&tx, (const uint8_t *)b.data, b.len) == NULL);
    CHECK(solana_proof_read(&accounts, &order, &tx,
                            (struct trade_proof){ (const uint8_t *)proof.data, proof.len }));
    r.flaw = trade_read_solana(&r.trade, &r.costs, &tx, &accounts, &d.wallet, order);
    buf_free(&b);
    buf_free(&proof);
    return r;
}

static void with_its_order(void)
{
    const struct relay_solana_deposit coin = of_coin(), token = of_token();
    struct relay_order o = order_of(&coin);
    struct reading r = read_deposit(coin, &o, 0);

    CHECK(r.flaw == NULL && r.trade.act == TRADE_BRIDGE && r.trade.proven);
    CHECK_STR(r.trade.sell, TRADE_COIN);
    CHECK_STR(r.trade.buy, "0x8300000000000000000000000000000000000000");
    CHECK_STR(r.trade.recipient, "0xA100000000000000000000000000000000000000");
    CHECK_STR(r.trade.refund, "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN");
    CHECK(r.trade.far_chain == chain_find("base")->id && r.trade.far_deadline == DEADLINE);
    CHECK(u256_cmp(r.trade.minimum, u256_from_u64(1000)) == 0);
    CHECK(u256_cmp(r.trade.value, u256_from_u64(coin.amount)) == 0);
    CHECK(r.costs.fee == RELAY_SOLANA_FEE && r.costs.rent == 0);

    o = order_of(&token);
    r = read_deposit(token, &o, 0);
    CHECK(r.flaw == NULL && u256_is_zero(r.trade.value) && r.costs.rent > 0);
    CHECK_STR(r.trade.sell, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
}

static void orders_that_lie(void)
{
    static const uint8_t foreign[SOLANA_ADDR_LEN] = { 0x22 };
    const struct relay_solana_deposit d = of_token();
    struct relay_order lies[10];

    for (size_t i = 0; i < 10; i++)
        lies[i] = order_of(&d);
    lies[0].input.amount = u256_from_u64(d.amount + 1);
    lies[1].input.currency.p = foreign;
    lies[2].input.chain = "base";
    lies[3].input.refunds[0].recipient.p = foreign;
    lies[4].input.refunds[1].recipient.p = foreign;
    lies[5].input.refund_count = 0;
    lies[6].output.chain = "solana";
    lies[7].output.recipient = (struct relay_bytes){ foreign, sizeof foreign };
    lies[8].version = "v2";
    lies[9].input.refunds[0].extra = (struct relay_bytes){ foreign, sizeof foreign };
    for (size_t i = 0; i < 10; i++)
        CHECK(read_deposit(d, &lies[i], 0).flaw != NULL);
    CHECK(read_deposit(d, &lies[0], 0).trade.proven == false);
    lies[0] = order_of(&d);
    CHECK(read_deposit(d, &lies[0], 1).flaw != NULL);
    CHECK(read_deposit(d, &lies[0], 0).flaw == NULL);
}

TEST_MAIN(TEST(messages_match_a_librarys), TEST(the_very_bytes), TEST(deposits_are_read_from_calls),
          TEST(with_its_order), TEST(orders_that_lie))
