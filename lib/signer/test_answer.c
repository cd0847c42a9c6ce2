#include "signer/answer.c"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "chain/evm/abi.h"
#include "chain/evm/tx.h"
#include "keys/test_util.h"
#include "signer/operator_file.h"
#include "signer/test_address_history.h"
#include "venue/aave_calls.h"
#include "venue/erc20.h"
#include "venue/morpho_calls.h"
#include "venue/polymarket_calls.h"
#include "venue/relay_calls.h"
#include "venue/relay_solana.h"
#include "venue/test_solana.h"

static struct test_dir dir;
static struct keyring *ring;
static struct limits limits; /* none, until a test sets some */
static struct signer_state state;

static void answer_test_begin(void)
{
    char why[512];

    CHECK(secrets_init() && sign_init());
    test_dir_make(&dir);
    CHECK(keyring_create(dir.keys, why, sizeof why));
    ring = keyring_load(dir.keys, why, sizeof why);
    limits = (struct limits){ .count = 0 };
    state = (struct signer_state){ .keyring = ring, .limits = &limits, .kill_switch = -1 };
    test_clocks_begin();
    state.wallets = test_wallets_open(&dir);
    state.history = test_history_open(&dir, 1);
}

static void answer_test_end(void)
{
    history_free(state.history);
    (void)close(state.wallets);
    keyring_free(ring);
    test_dir_remove(&dir);
}

static void sign_row(const json_t *row)
{
    static uint8_t tx[MAX_TX];
    struct signer_request rq = { .op = SIGNER_SIGN, .wallet = test_wallet(test_text(row, "from")) };
    struct pending pending = { .state = &state, .rq = &rq, .form = &evm_transaction };
    struct secret *key = test_key(row);
    struct signature got = { .len = 0 };
    uint8_t want[65];
    size_t n = 0;

    CHECK(hex_decode_0x(tx, sizeof tx, &n, test_text(row, "unsigned_raw")));
    CHECK(test_fixed(want, 32, row, "r") && test_fixed(want + 32, 32, row, "s"));
    want[64] = (uint8_t)json_integer_value(json_object_get(row, "y_parity"));
    CHECK(act_read_evm(&pending.act, tx, n, rq.wallet.address, NO_PROOF, clock_seconds()));
    keccak256(pending.digest, tx, n);
    CHECK(sign_with(&got, &pending, key) == SIGNER_OK);
    CHECK(got.len == sizeof want && memcmp(got.bytes, want, sizeof want) == 0);
    secret_free(key);
}

static void transactions_of_the_vectors(void)
{
    json_t *vectors = test_vectors(), *row;
    size_t i, tried = 0;

    answer_test_begin();
    json_array_foreach(json_object_get(vectors, "transactions"), i, row)
    {
        sign_row(row);
        tried++;
    }
    CHECK(tried == 80);
    json_decref(vectors);
    answer_test_end();
}

/* A transaction that fills a nonce, which every wallet may sign. */
static struct evm_tx plain_tx(const struct wallet_ref *w)
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = 1, .nonce = 7, .gas_limit = 21000 };

    (void)evm_addr_parse(&tx.to, w->address);
    tx.max_fee = u256_from_u64(1000000000);
    return tx;
}

static struct wallet_ref fixed_wallet;
static uint8_t fixed_sealed[SEALED_LEN];

static struct signer_answer answer_to(const struct signer_request *rq)
{
    struct buf packet = BUF_INIT(SIGNER_MAX_MESSAGE);
    struct signer_answer an;

    signer_request_write(&packet, rq);
    signer_answer_to(&an, &state, (const uint8_t *)packet.data, packet.len);
    buf_free(&packet);
    return an;
}

static enum signer_rule last_rule;

static enum signer_status tx_status(const struct wallet_ref *w, const struct evm_tx *tx)
{
    struct buf raw = BUF_INIT(MAX_TX);
    struct signer_request rq = { .op = SIGNER_SIGN, .wallet = *w };
    struct signer_answer an;

    evm_tx_unsigned(&raw, tx);
    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    an = answer_to(&rq);
    last_rule = an.rule;
    buf_free(&raw);
    return an.status;
}

static void begin_with_wallet(void)
{
    struct signer_request rq = { .op = SIGNER_CREATE, .wallet = test_wallet("") };
    struct signer_answer an;

    answer_test_begin();
    an = answer_to(&rq);
    CHECK(an.status == SIGNER_OK);
    fixed_wallet = test_wallet(an.address);
    memcpy(fixed_sealed, an.sealed, sizeof fixed_sealed);
}

/* An answered wallet is in the file, and one that cannot be written is not answered. */
static void new_wallets_are_kept(void)
{
    struct signer_request rq = { .op = SIGNER_CREATE, .wallet = test_wallet("") };
    struct wallet_record kept;
    struct signer_answer an;
    char path[200];
    FILE *f;

    answer_test_begin();
    (void)snprintf(path, sizeof path, "%s/" WALLET_FILE, dir.root);
    an = answer_to(&rq);
    f = fopen(path, "r");
    CHECK(an.status == SIGNER_OK && f != NULL && wallet_file_next(f, &kept) == LOOKUP_FOUND);
    CHECK_STR(kept.ref.address, an.address);
    CHECK(memcmp(kept.sealed, an.sealed, SEALED_LEN) == 0 &&
          memcmp(&kept.ref.agent, &rq.wallet.agent, UUID_LEN) == 0);
    (void)fclose(f);
    (void)close(state.wallets);
    state.wallets = open("/dev/full", O_RDWR | O_CLOEXEC);
    an = answer_to(&rq);
    CHECK(an.status == SIGNER_FAILED);
    answer_test_end();
}

static void other_terms_are_refused(void)
{
    static const uint8_t access_list[] = { 0xd6, 0x94, 1,  2,  3,  4,  5,  6,  7,  8,  9,   10,
                                           11,   12,   13, 14, 15, 16, 17, 18, 19, 20, 0xc0 };
    struct evm_tx tx;

    begin_with_wallet();
    tx = plain_tx(&fixed_wallet);
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_OK);
    tx.create = true;
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_REFUSED);
    tx = plain_tx(&fixed_wallet);
    tx.chain_id = 0;
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_BAD_MESSAGE); /* already the decoder does not take it */
    tx = plain_tx(&fixed_wallet);
    tx.access_list = access_list;
    tx.access_list_len = sizeof access_list;
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_REFUSED);
    answer_test_end();
}

/* A family for which nothing is signed, a wallet of another one, and a proof that no rule reads. */
static void transactions_of_other_families_are_refused(void)
{
    struct evm_tx tx;
    struct signer_request rq = { .op = SIGNER_SIGN };
    struct buf raw = BUF_INIT(MAX_TX);

    begin_with_wallet();
    tx = plain_tx(&fixed_wallet);
    evm_tx_unsigned(&raw, &tx);
    rq.wallet = fixed_wallet;
    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    CHECK(answer_to(&rq).status == SIGNER_OK);
    rq.family = CHAIN_SOLANA;
    CHECK(answer_to(&rq).status == SIGNER_REFUSED);
    rq.family = CHAIN_MOVE;
    CHECK(answer_to(&rq).status == SIGNER_REFUSED);
    rq.family = CHAIN_EVM;
    rq.proof = rq.payload;
    rq.proof_len = 1;
    CHECK(answer_to(&rq).status == SIGNER_BAD_MESSAGE);
    buf_free(&raw);
    answer_test_end();
}

/* ---- Deposits that an order stands behind ---- */

#define BYTES(a)                                                                                             \
    {                                                                                                        \
        (a), sizeof(a)                                                                                       \
    }

static struct relay_order order_of(const uint8_t wallet[static EVM_ADDR_LEN], int64_t deadline)
{
    static const uint8_t solver[EVM_ADDR_LEN] = { 0x51 }, coin[EVM_ADDR_LEN], far_coin[EVM_ADDR_LEN];
    const struct relay_bytes me = { wallet, EVM_ADDR_LEN };
    struct relay_order o = {
        .version = "v1",
        .solver_chain = "base",
        .solver = BYTES(solver),
        .input = { "ethereum", BYTES(coin), u256_from_u64(5), u256_from_u64(1), .refund_count = 1 },
        .output = { "base", me, BYTES(far_coin), u256_from_u64(4), u256_from_u64(5), (uint32_t)deadline }
    };

    o.input.refunds[0] = (struct relay_refund){ "ethereum", me, BYTES(coin), .deadline = (uint32_t)deadline };
    return o;
}

/* Deposits five units of coin for `named`; the signer gets `shown`, and the record of `far` (NULL: none). */
static enum signer_status deposit_status(const struct evm_addr me, const struct relay_order *named,
                                         const struct relay_order *shown, const struct wallet *far)
{
    struct evm_tx tx = plain_tx(&fixed_wallet);
    struct buf data = BUF_INIT(256), proof = BUF_INIT(RELAY_ORDER_MAX), raw = BUF_INIT(MAX_TX);
    struct signer_request rq = { .op = SIGNER_SIGN, .wallet = fixed_wallet };
    uint8_t id[HASH_LEN];
    struct signer_answer an;

    relay_order_id(id, named);
    relay_order_write(&proof, shown);
    abi_selector(&data, 0x49290c1c); /* depositNative(address,bytes32) */
    abi_addr(&data, me);
    buf_add(&data, id, sizeof id);
    tx.chain_id = 1;
    tx.to = evm_addr_or_zero("0x4cD00E387622C35bDDB9b4c962C136462338BC31");
    tx.value = u256_from_u64(5);
    tx.data = (const uint8_t *)data.data;
    tx.data_len = data.len;
    evm_tx_unsigned(&raw, &tx);
    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    rq.proof = (const uint8_t *)proof.data;
    rq.proof_len = proof.len;
    signer_show_far(&rq, far);
    an = answer_to(&rq);
    buf_free(&data);
    buf_free(&proof);
    buf_free(&raw);
    return an.status;
}

static void deposits_are_signed_with_their_order(void)
{
    static const uint8_t stranger[EVM_ADDR_LEN] = { 0x22 };
    struct relay_order order, other;
    struct evm_addr me;

    begin_with_wallet();
    me = evm_addr_or_zero(fixed_wallet.address);
    order = other = order_of(me.bytes, clock_seconds() + 600);
    CHECK(deposit_status(me, &order, &order, NULL) == SIGNER_OK);
    other.salt = u256_from_u64(1); /* not the one that the deposit names */
    CHECK(deposit_status(me, &order, &other, NULL) == SIGNER_REFUSED);
    other = order;
    other.output.recipient.p = stranger;
    CHECK(deposit_status(me, &other, &other, NULL) == SIGNER_REFUSED);
    other = order;
    other.output.minimum = U256_ZERO;
    CHECK(deposit_status(me, &other, &other, NULL) == SIGNER_REFUSED);
    other = order_of(me.bytes, clock_seconds() + 30);
    CHECK(deposit_status(me, &other, &other, NULL) == SIGNER_REFUSED);
    answer_test_end();
}

/* ---- Bridges to another family ---- */

static struct wallet far_wallet;

/* A wallet of `agent`'s, as the signer makes it. */
static struct wallet far_wallet_of(struct uuid agent, enum wallet_kind kind)
{
    struct signer_request rq = { .op = SIGNER_CREATE, .wallet = { .wallet = { { 9 } }, .agent = agent } };
    struct wallet w = { .ref = rq.wallet };
    struct signer_answer an;

    rq.wallet.kind = w.ref.kind = kind;
    an = answer_to(&rq);
    CHECK(an.status == SIGNER_OK);
    memcpy(w.ref.address, an.address, sizeof w.ref.address);
    memcpy(w.sealed, an.sealed, sizeof w.sealed);
    return w;
}

/* The deposit is for `paid`; the signer is shown the record of `shown`. */
static enum signer_status far_status(const struct wallet *paid, const struct wallet *shown)
{
    static const uint8_t coin[SOLANA_ADDR_LEN];
    struct evm_addr me = evm_addr_or_zero(fixed_wallet.address);
    struct relay_order order = order_of(me.bytes, clock_seconds() + 600);
    struct solana_addr at;

    CHECK(solana_addr_parse(&at, paid->ref.address));
    order.output.chain = "solana";
    order.output.recipient = (struct relay_bytes)BYTES(at.bytes);
    order.output.currency = (struct relay_bytes)BYTES(coin);
    return deposit_status(me, &order, &order, shown);
}

static void a_far_wallet_is_the_same_agents(void)
{
    struct wallet other, forged;

    begin_with_wallet();
    far_wallet = far_wallet_of(fixed_wallet.agent, WALLET_SOLANA);
    other = far_wallet_of((struct uuid){ { 0x77 } }, WALLET_SOLANA);
    CHECK(far_status(&far_wallet, &far_wallet) == SIGNER_OK);
    CHECK(far_status(&far_wallet, NULL) == SIGNER_REFUSED);
    CHECK(far_status(&other, &far_wallet) == SIGNER_REFUSED);
    CHECK(far_status(&other, &other) == SIGNER_REFUSED);
    forged = other; /* under a false agent */
    forged.ref.agent = fixed_wallet.agent;
    CHECK(far_status(&other, &forged) == SIGNER_REFUSED);
    forged = far_wallet;
    memcpy(forged.ref.address, other.ref.address, sizeof forged.ref.address);
    CHECK(far_status(&other, &forged) == SIGNER_REFUSED);
    forged = far_wallet;
    forged.sealed[SEALED_LEN - 1] ^= 1;
    CHECK(far_status(&far_wallet, &forged) == SIGNER_REFUSED);
    answer_test_end();
}

/* ---- The floor ---- */

static void list_prices(const char *file, uint64_t base_price)
{
    struct buf text = BUF_INIT(FLOOR_FILE_MAX);

    min_output_begin(&text, clock_seconds());
    min_output_add(&text, 1, TRADE_COIN, 18, u256_from_u64(1000));
    min_output_add(&text, 8453, TRADE_COIN, 18, u256_from_u64(base_price));
    min_output_end(&text);
    CHECK(operator_file_write(file, &text));
    buf_free(&text);
}

/* Five units for at least four on another chain; the empty transfer is no trade. */
static void trades_keep_to_the_floor(void)
{
    struct relay_order order;
    struct evm_addr me;
    struct evm_tx tx;
    char file[200];

    begin_with_wallet();
    tx = plain_tx(&fixed_wallet);
    me = evm_addr_or_zero(fixed_wallet.address);
    order = order_of(me.bytes, clock_seconds() + 600);
    (void)snprintf(file, sizeof file, "%s/prices", dir.root);
    state.prices = operator_file_open(file);
    limits.floor = (struct min_output_terms){ { 800000 }, 3600 };
    CHECK(deposit_status(me, &order, &order, NULL) == SIGNER_LIMITED); /* nothing is listed */
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_OK);
    list_prices(file, 1000);
    CHECK(deposit_status(me, &order, &order, NULL) == SIGNER_OK);
    list_prices(file, 999);
    CHECK(deposit_status(me, &order, &order, NULL) == SIGNER_LIMITED);
    order.output.minimum = u256_from_u64(5);
    CHECK(deposit_status(me, &order, &order, NULL) == SIGNER_OK);
    (void)close(state.prices);
    (void)unlink(file);
    answer_test_end();
}

/* ---- Transfers that the operator orders ---- */

static enum signer_status transfer_status(const struct secret *key, const struct evm_tx *vouched,
                                          const struct evm_tx *asked, enum signer_op op)
{
    struct buf good = BUF_INIT(MAX_TX), raw = BUF_INIT(MAX_TX);
    struct signer_request rq = { .op = op, .wallet = fixed_wallet };
    struct signer_answer an;

    evm_tx_unsigned(&good, vouched);
    evm_tx_unsigned(&raw, asked);
    operator_mac_make(rq.operator_mac, key, &fixed_wallet, (const uint8_t *)good.data, good.len);
    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    an = answer_to(&rq);
    buf_free(&good);
    buf_free(&raw);
    return an.status;
}

/* The signer signs transfers only with the operator's key, and with it nothing else. */
static void a_transfer_wants_the_operators_mac(void)
{
    static const uint8_t transfer[4 + 2 * 32] = { 0xa9, 0x05, 0x9c, 0xbb, [35] = 7, [67] = 1 };
    static const uint8_t approve[4 + 2 * 32] = { 0x09, 0x5e, 0xa7, 0xb3, [35] = 7, [67] = 1 };
    struct secret *key = secret_random(), *other = secret_random();
    struct evm_tx coin, token, bad;

    begin_with_wallet();
    coin = plain_tx(&fixed_wallet);
    coin.to = (struct evm_addr){ { 7 } };
    coin.value = u256_from_u64(1);
    coin.data_len = 0;
    token = coin;
    token.value = U256_ZERO;
    token.data = transfer;
    token.data_len = sizeof transfer;
    CHECK(transfer_status(key, &coin, &coin, SIGNER_SIGN_TRANSFER) ==
          SIGNER_REFUSED); /* no key, no transfers */
    state.operator_key = key;
    CHECK(transfer_status(key, &coin, &coin, SIGNER_SIGN_TRANSFER) == SIGNER_OK);
    CHECK(transfer_status(key, &token, &token, SIGNER_SIGN_TRANSFER) == SIGNER_OK);
    CHECK(transfer_status(key, &coin, &coin, SIGNER_SIGN) != SIGNER_OK);
    CHECK(transfer_status(other, &coin, &coin, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    bad = coin;
    bad.nonce++;
    CHECK(transfer_status(key, &coin, &bad, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    bad = coin;
    bad.to.bytes[1] = 1;
    CHECK(transfer_status(key, &coin, &bad, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    bad = token;
    bad.data = approve;
    CHECK(transfer_status(key, &bad, &bad, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    bad = token;
    bad.value = u256_from_u64(1);
    CHECK(transfer_status(key, &bad, &bad, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    bad = token;
    bad.data_len--;
    CHECK(transfer_status(key, &bad, &bad, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    fixed_wallet.agent.bytes[0] ^= 1; /* sealed for another agent */
    CHECK(transfer_status(key, &coin, &coin, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    state.operator_key = NULL;
    secret_free(key);
    secret_free(other);
    answer_test_end();
}

static void other_wallets_are_refused(void)
{
    struct evm_tx tx;
    struct wallet_ref w;

    begin_with_wallet();
    tx = plain_tx(&fixed_wallet);
    w = fixed_wallet;
    w.wallet.bytes[0] ^= 1;
    CHECK(tx_status(&w, &tx) == SIGNER_REFUSED);
    w = fixed_wallet;
    w.agent.bytes[0] ^= 1;
    CHECK(tx_status(&w, &tx) == SIGNER_REFUSED);
    w = fixed_wallet;
    w.kind = WALLET_SOLANA;
    CHECK(tx_status(&w, &tx) == SIGNER_REFUSED);
    w = test_wallet("");
    CHECK(tx_status(&w, &tx) == SIGNER_REFUSED);
    fixed_sealed[SEALED_LEN - 1] ^= 1;
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_REFUSED);
    answer_test_end();
}

/* Sealed in due form, for an address that is not its key's. */
static void foreign_addresses_are_refused(void)
{
    struct evm_tx tx;
    struct wallet_ref w = test_wallet("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
    struct secret *key = secret_random();
    uint8_t one[SECRET_LEN] = { [SECRET_LEN - 1] = 1 };

    begin_with_wallet();
    tx = plain_tx(&w);
    CHECK(seal_key(fixed_sealed, ring, &w, key) && tx_status(&w, &tx) == SIGNER_REFUSED);
    secret_free(key);
    key = secret_take(one); /* whose address that is */
    CHECK(seal_key(fixed_sealed, ring, &w, key) && tx_status(&w, &tx) == SIGNER_OK);
    w.address[3] = 'e'; /* the same address without its checksum */
    CHECK(seal_key(fixed_sealed, ring, &w, key) && tx_status(&w, &tx) == SIGNER_REFUSED);
    secret_free(key);
    answer_test_end();
}

/* ---- The operator's limits, the kill switch, the audit file ---- */

#define SPENDER "0000000000000000000000007a250d5630b4cf539739df2c5dacb4c659f2488d"
#define TEN     "000000000000000000000000000000000000000000000000000000000000000a"

static struct evm_tx approval_of_ten(uint64_t nonce)
{
    static uint8_t data[128];
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = 1, .nonce = nonce, .gas_limit = 60000 };

    CHECK(hex_decode_0x(data, sizeof data, &tx.data_len, "0x095ea7b3" SPENDER TEN));
    tx.data = data;
    memset(tx.to.bytes, 0x77, sizeof tx.to.bytes);
    tx.max_fee = u256_from_u64(2);
    return tx;
}

static struct limit *limit_for(struct evm_addr token)
{
    struct limit *l = &limits.rows[limits.count++];

    *l = (struct limit){ .chain_id = 1 };
    evm_addr_text(l->token, token);
    return l;
}

static void limits_of_a_transaction(void)
{
    struct evm_tx tx = approval_of_ten(1);
    struct limit *coin, *token;

    begin_with_wallet();
    coin = limit_for((struct evm_addr){ { 0 } });
    token = limit_for(tx.to);
    coin->per_tx = token->per_tx = true;
    coin->tx_max = u256_from_u64(120000); /* the gas at its fee */
    token->tx_max = u256_from_u64(10);
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_OK);
    token->tx_max = u256_from_u64(9);
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_LIMITED);
    token->tx_max = u256_from_u64(10);
    coin->tx_max = u256_from_u64(119999);
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_LIMITED);
    limits.count = 0;
    limits.some_chains = true;
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_LIMITED);
    limits.chains[limits.chain_count++] = 1;
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_OK);
    answer_test_end();
}

static void open_ledger(void)
{
    char file[200], why[512];

    snprintf(file, sizeof file, "%s/ledger", dir.root);
    ledger_close(state.ledger);
    state.ledger = ledger_open(file, &limits, clock_seconds(), why, sizeof why);
    CHECK(state.ledger != NULL);
}

static enum signer_status approve_ten(uint64_t nonce)
{
    struct evm_tx tx = approval_of_ten(nonce);

    return tx_status(&fixed_wallet, &tx);
}

/* A refused transaction counts for nothing, a repeated nonce counts once, and no restart forgets. */
static void limits_of_a_day(void)
{
    struct evm_tx tx = approval_of_ten(1);
    struct limit *coin, *token;

    begin_with_wallet();
    coin = limit_for((struct evm_addr){ { 0 } });
    token = limit_for(tx.to);
    coin->per_day = token->per_day = true;
    coin->day_max = u256_from_u64(1000000);
    token->day_max = u256_from_u64(25);
    CHECK(approve_ten(1) == SIGNER_LIMITED); /* there is no ledger */
    open_ledger();
    CHECK(approve_ten(1) == SIGNER_OK);
    CHECK(approve_ten(1) == SIGNER_OK);
    CHECK(approve_ten(2) == SIGNER_OK);
    for (uint64_t nonce = 3; nonce < 20; nonce++)
        CHECK(approve_ten(nonce) == SIGNER_LIMITED);
    open_ledger();
    CHECK(approve_ten(3) == SIGNER_LIMITED);
    token->day_max = u256_from_u64(30);
    CHECK(approve_ten(3) == SIGNER_OK);
    coin->day_max = u256_from_u64(360000 + 119999);
    token->day_max = u256_from_u64(1000);
    CHECK(approve_ten(4) == SIGNER_LIMITED && last_rule == RULE_DAY_MAX);
    clock_fake_ms(clock_ms() + 86400000);
    CHECK(approve_ten(4) == SIGNER_OK);
    clock_fake_ms(0);
    ledger_close(state.ledger);
    answer_test_end();
}

static void the_kill_switch(void)
{
    struct evm_tx tx;
    char file[200];

    begin_with_wallet();
    tx = plain_tx(&fixed_wallet);
    snprintf(file, sizeof file, "%s/stop", dir.root);
    state.kill_switch = operator_file_open(file);
    CHECK(state.kill_switch >= 0 && tx_status(&fixed_wallet, &tx) == SIGNER_OK && standing_of(&state) == 0);
    CHECK(kill_switch_set(file, "a drill"));
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_LIMITED && last_rule == RULE_STOPPED &&
          standing_of(&state) == SIGNER_STOPPED);
    CHECK(kill_switch_set(file, NULL) && tx_status(&fixed_wallet, &tx) == SIGNER_OK);
    CHECK(kill_switch_set(file, "") && tx_status(&fixed_wallet, &tx) == SIGNER_LIMITED);
    CHECK(kill_switch_set(file, NULL) && unlink(file) == 0 &&
          tx_status(&fixed_wallet, &tx) == SIGNER_LIMITED);
    close(state.kill_switch);
    answer_test_end();
}

static void open_audit_log(char file[static 200])
{
    char why[512];

    snprintf(file, 200, "%s/audit.log", dir.root);
    state.audit_log = audit_log_open(file, why, sizeof why);
    CHECK(state.audit_log != NULL);
}

static char *line_at(FILE *f, json_t **out)
{
    static char line[AUDIT_CHAIN_LINE_MAX + 2];

    CHECK(fgets(line, sizeof line, f) != NULL);
    *out = json_loads(line, 0, NULL);
    CHECK(*out != NULL);
    return line;
}

/* ---- Messages ---- */

static struct signer_answer message_answer(const struct polymarket_message *m, enum signer_op op)
{
    struct buf b = BUF_INIT(POLYMARKET_MESSAGE_MAX);
    struct signer_request rq = { .op = op, .wallet = fixed_wallet };
    struct signer_answer an;

    polymarket_message_write(&b, m);
    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)b.data;
    rq.payload_len = b.len;
    an = answer_to(&rq);
    buf_free(&b);
    return an;
}

static struct polymarket_message order_of_ten(uint64_t salt)
{
    struct polymarket_message m = { .kind = POLYMARKET_ORDER };

    m.order = (struct polymarket_order){ .salt = salt,
                                         .maker = evm_addr_or_zero(fixed_wallet.address),
                                         .signer = evm_addr_or_zero(fixed_wallet.address),
                                         .maker_amount = u256_from_u64(10),
                                         .taker_amount = u256_from_u64(20) };
    return m;
}

static void a_message_is_signed_by_its_wallet(void)
{
    struct polymarket_message m;
    struct signer_answer an;
    uint8_t digest[HASH_LEN], pub[65];
    char address[EVM_ADDR_TEXT_LEN + 1];

    begin_with_wallet();
    m = order_of_ten(1);
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_REFUSED); /* trading is off */
    state.polymarket.trading = true;
    an = message_answer(&m, SIGNER_SIGN_MESSAGE);
    CHECK(an.status == SIGNER_OK && an.sig.len == 65);
    polymarket_order_digest(digest, m.exchange, &m.order);
    CHECK(sign_secp256k1_recover(pub, digest, an.sig.bytes));
    evm_addr_text(address, evm_addr_of_pubkey(pub));
    CHECK_STR(address, fixed_wallet.address);
    CHECK(message_answer(&m, SIGNER_SIGN).status == SIGNER_BAD_MESSAGE); /* no transaction */
    m.order.maker.bytes[0] ^= 1;
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_REFUSED);
    answer_test_end();
}

static struct limit *begin_with_collateral(uint64_t tx_max, uint64_t day_max)
{
    struct limit *collateral;

    begin_with_wallet();
    state.polymarket.trading = true;
    collateral = limit_for(evm_addr_or_zero(POLYMARKET_COLLATERAL));
    collateral->chain_id = POLYMARKET_CHAIN_ID;
    collateral->per_tx = collateral->per_day = true;
    collateral->tx_max = u256_from_u64(tx_max);
    collateral->day_max = u256_from_u64(day_max);
    open_ledger();
    return collateral;
}

/* The same order again is the same order; another with its salt is not. */
static void orders_count_towards_the_limits(void)
{
    struct polymarket_message m;

    begin_with_collateral(10, 25);
    m = order_of_ten(1);
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_OK);
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_OK);
    m.order.token = u256_from_u64(5);
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_OK);
    m.order.token = u256_from_u64(6);
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_LIMITED);
    m.order.side = POLYMARKET_SELL; /* costs nothing */
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_OK);
    m = order_of_ten(2);
    m.order.maker_amount = u256_from_u64(11);
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_LIMITED);
    ledger_close(state.ledger);
    answer_test_end();
}

static enum signer_status allow_ten(uint64_t nonce, const char *spender)
{
    struct evm_tx tx = approval_of_ten(nonce);
    struct buf data = BUF_INIT(128);
    enum signer_status status;

    tx.chain_id = POLYMARKET_CHAIN_ID;
    tx.to = evm_addr_or_zero(POLYMARKET_COLLATERAL);
    erc20_approve(&data, evm_addr_or_zero(spender), u256_from_u64(10));
    tx.data = (const uint8_t *)data.data;
    tx.data_len = data.len;
    status = tx_status(&fixed_wallet, &tx);
    buf_free(&data);
    return status;
}

/* The exchange's allowance does not count, since each order for it does; the off-ramp has no orders, so its
 * allowance counts. */
static void allowances_for_orders_count_once(void)
{
    static const char exchange[] = "0xE111180000d2663C0091e4f400237545B87B996B";
    struct limit *collateral = begin_with_collateral(10, 20);
    struct polymarket_message m = order_of_ten(1);

    for (uint64_t nonce = 1; nonce < 5; nonce++)
        CHECK(allow_ten(nonce, exchange) == SIGNER_OK);
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_OK);
    CHECK(allow_ten(5, POLYMARKET_OFFRAMP) == SIGNER_OK);
    CHECK(allow_ten(6, POLYMARKET_OFFRAMP) == SIGNER_LIMITED);
    m = order_of_ten(2);
    CHECK(message_answer(&m, SIGNER_SIGN_MESSAGE).status == SIGNER_LIMITED);
    collateral->tx_max = u256_from_u64(9);
    CHECK(allow_ten(7, exchange) == SIGNER_LIMITED);
    ledger_close(state.ledger);
    answer_test_end();
}

static void a_swap_shows_what_it_brings(void)
{
    struct evm_tx tx = approval_of_ten(13);
    static const uint8_t deposit[] = { 0xd0, 0xe3, 0x0d, 0xb0 };
    char file[200];
    json_t *row;
    FILE *f;

    begin_with_wallet();
    open_audit_log(file);
    CHECK(evm_addr_parse(&tx.to, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"));
    tx.chain_id = 1;
    tx.value = u256_from_u64(9);
    tx.data = deposit;
    tx.data_len = sizeof deposit;
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_OK);
    audit_log_close(state.audit_log);
    f = fopen(file, "r");
    CHECK(f != NULL);
    line_at(f, &row);
    CHECK_STR(test_text(row, "bought"), "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2");
    CHECK_STR(test_text(row, "minimum"), "9");
    CHECK_STR(test_text(row, "venue"), "wrap");
    json_decref(row);
    fclose(f);
    answer_test_end();
}

/* ---- Loans ---- */

static const char AT_POOL[] = "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2",
                  AT_BLUE[] = "0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb",
                  AT_LENT[] = "0x7777777777777777777777777777777777777777";

static enum signer_status call_status(const char *to, uint64_t nonce, struct buf *data)
{
    struct evm_tx tx = approval_of_ten(nonce);
    enum signer_status status;

    CHECK(evm_addr_parse(&tx.to, to));
    tx.data = (const uint8_t *)data->data;
    tx.data_len = data->len;
    status = tx_status(&fixed_wallet, &tx);
    buf_reset(data);
    return status;
}

/* Moves ten of a token, or all of it, at the pool for the wallet. */
static enum signer_status pool_status(uint64_t nonce, enum loan_act act, struct u256 amount)
{
    const struct evm_addr lent = evm_addr_or_zero(AT_LENT), wallet = evm_addr_or_zero(fixed_wallet.address);
    struct buf data = BUF_INIT(512);
    enum signer_status status;

    if (act == LOAN_SUPPLY)
        aave_supply(&data, lent, amount, wallet);
    else if (act == LOAN_WITHDRAW)
        aave_withdraw(&data, lent, amount, wallet);
    else if (act == LOAN_BORROW)
        aave_borrow(&data, lent, amount, wallet);
    else if (act == LOAN_REPAY)
        aave_repay(&data, lent, amount, wallet);
    else
        aave_collateral(&data, lent, true);
    status = call_status(AT_POOL, nonce, &data);
    buf_free(&data);
    return status;
}

static enum signer_status lender_allowed(uint64_t nonce)
{
    struct buf data = BUF_INIT(128);
    enum signer_status status;

    erc20_approve(&data, evm_addr_or_zero(AT_POOL), u256_from_u64(10));
    status = call_status(AT_LENT, nonce, &data);
    buf_free(&data);
    return status;
}

/* As a swap's: of a transaction what it takes, of a day what was allowed. What comes back counts nothing. */
static void loans_count_what_the_lender_takes(void)
{
    const struct u256 ten = u256_from_u64(10);
    struct limit *lent;

    begin_with_wallet();
    lent = limit_for(evm_addr_or_zero(AT_LENT));
    lent->per_tx = lent->per_day = true;
    lent->tx_max = ten;
    lent->day_max = u256_from_u64(20);
    open_ledger();
    CHECK(lender_allowed(1) == SIGNER_OK && pool_status(2, LOAN_SUPPLY, ten) == SIGNER_OK);
    CHECK(lender_allowed(3) == SIGNER_OK && pool_status(4, LOAN_REPAY, ten) == SIGNER_OK);
    CHECK(lender_allowed(5) == SIGNER_LIMITED && last_rule == RULE_DAY_MAX);
    lent->tx_max = u256_from_u64(9);
    CHECK(lender_allowed(6) == SIGNER_LIMITED && last_rule == RULE_TX_MAX);
    CHECK(pool_status(6, LOAN_SUPPLY, ten) == SIGNER_LIMITED && last_rule == RULE_TX_MAX);
    CHECK(pool_status(6, LOAN_REPAY, ten) == SIGNER_LIMITED && last_rule == RULE_TX_MAX);
    CHECK(pool_status(6, LOAN_REPAY, LOAN_ALL) == SIGNER_OK); /* as much as was allowed before */
    CHECK(pool_status(7, LOAN_BORROW, ten) == SIGNER_OK && pool_status(8, LOAN_WITHDRAW, ten) == SIGNER_OK);
    CHECK(pool_status(9, LOAN_WITHDRAW, LOAN_ALL) == SIGNER_OK);
    CHECK(pool_status(10, LOAN_COLLATERAL, ten) == SIGNER_OK);
    ledger_close(state.ledger);
    answer_test_end();
}

static enum signer_status blue_status(uint64_t nonce, enum loan_act act)
{
    const struct evm_addr wallet = evm_addr_or_zero(fixed_wallet.address);
    struct morpho_market market = { .loan = evm_addr_or_zero(AT_LENT) };
    struct buf data = BUF_INIT(1024);
    enum signer_status status;

    if (act == LOAN_SUPPLY)
        morpho_supply(&data, &market, (struct morpho_quantity){ .amount = { { 10 } } }, wallet);
    else
        morpho_withdraw(&data, &market, (struct morpho_quantity){ .shares = { { 9 } } }, wallet);
    status = call_status(AT_BLUE, nonce, &data);
    buf_free(&data);
    return status;
}

static void only_listed_markets_are_entered(void)
{
    begin_with_wallet();
    CHECK(blue_status(1, LOAN_SUPPLY) == SIGNER_OK);
    limits.listed_markets = true;
    CHECK(blue_status(2, LOAN_SUPPLY) == SIGNER_LIMITED && last_rule == RULE_MARKET);
    CHECK(blue_status(2, LOAN_WITHDRAW) == SIGNER_OK);
    answer_test_end();
}

static void check_loan_line(FILE *f, const char *loan, const char *venue, const char *member,
                            const char *value)
{
    json_t *row;

    line_at(f, &row);
    CHECK_STR(test_text(row, "loan"), loan);
    CHECK_STR(test_text(row, "venue"), venue);
    CHECK_STR(test_text(row, "asset"), AT_LENT);
    CHECK_STR(test_text(row, member), value);
    CHECK((json_object_get(row, "market") != NULL) == (strcmp(venue, "morpho") == 0));
    json_decref(row);
}

static void a_loan_shows_what_it_is(void)
{
    char file[200];
    FILE *f;

    begin_with_wallet();
    open_audit_log(file);
    CHECK(pool_status(1, LOAN_SUPPLY, u256_from_u64(10)) == SIGNER_OK);
    CHECK(pool_status(2, LOAN_BORROW, u256_from_u64(11)) == SIGNER_OK);
    CHECK(pool_status(3, LOAN_REPAY, LOAN_ALL) == SIGNER_OK);
    CHECK(blue_status(4, LOAN_WITHDRAW) == SIGNER_OK);
    audit_log_close(state.audit_log);
    f = fopen(file, "r");
    CHECK(f != NULL);
    check_loan_line(f, "supply", "aave", "amount", "10");
    check_loan_line(f, "borrow", "aave", "quantity", "11");
    check_loan_line(f, "repay", "aave", "quantity", "all");
    check_loan_line(f, "withdraw", "morpho", "shares", "9");
    fclose(f);
    answer_test_end();
}

/* execute((address,address,uint256),bytes[],bytes32) without actions. */
static void only_settlers_of_the_list(void)
{
    static const char settler[] = "0x5555555555555555555555555555555555555555";
    struct buf data = BUF_INIT(1024), lines = BUF_INIT(1024);
    struct evm_tx tx = approval_of_ten(14);
    struct evm_addr wallet;
    char file[200];

    begin_with_wallet();
    CHECK(evm_addr_parse(&wallet, fixed_wallet.address) && evm_addr_parse(&tx.to, settler));
    abi_selector(&data, 0x1fff991f);
    abi_addr(&data, wallet);
    abi_addr(&data, evm_addr_or_zero("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"));
    abi_u64(&data, 1);
    abi_u64(&data, 5 * ABI_WORD);
    abi_u64(&data, 0);
    abi_u64(&data, 0);
    tx.chain_id = 1;
    tx.value = u256_from_u64(9);
    tx.data = (const uint8_t *)data.data;
    tx.data_len = data.len;
    (void)snprintf(file, sizeof file, "%s/settlers", dir.root);
    state.settlers = operator_file_open(file);
    CHECK(state.settlers >= 0 && tx_status(&fixed_wallet, &tx) == SIGNER_REFUSED);
    settlers_add(&lines, 10, settler);
    CHECK(operator_file_write(file, &lines) && tx_status(&fixed_wallet, &tx) == SIGNER_REFUSED);
    settlers_add(&lines, 1, settler);
    CHECK(operator_file_write(file, &lines) && tx_status(&fixed_wallet, &tx) == SIGNER_OK);
    limits.own_tokens = true;
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_OK);
    data.data[ABI_SELECTOR + 2 * ABI_WORD - 1] ^= 1; /* an unknown token */
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_LIMITED);
    limits.own_tokens = false;
    (void)close(state.settlers);
    (void)unlink(file);
    buf_free(&data);
    buf_free(&lines);
    answer_test_end();
}

static void each_decision_is_recorded(void)
{
    struct evm_tx tx = approval_of_ten(12);
    uint8_t head[HASH_LEN] = { 0 }, digest[HASH_LEN];
    char file[200], hex[2 * HASH_LEN + 3] = "0x";
    struct buf raw = BUF_INIT(MAX_TX);
    size_t lines = 0;
    json_t *row;
    FILE *f;

    begin_with_wallet();
    open_audit_log(file);
    evm_tx_unsigned(&raw, &tx);
    keccak256(digest, raw.data, raw.len);
    hex_encode(hex + 2, digest, sizeof digest);
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_OK);
    tx.data_len = 36;
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_REFUSED);
    audit_log_close(state.audit_log);
    f = fopen(file, "r");
    CHECK(f != NULL && audit_log_verify(f, head, true, &lines) && lines == 2);
    rewind(f);
    line_at(f, &row);
    CHECK_STR(test_text(row, "wallet"), fixed_wallet.address);
    CHECK_STR(test_text(row, "to"), "0x7777777777777777777777777777777777777777");
    CHECK_STR(test_text(row, "token"), "0x7777777777777777777777777777777777777777");
    CHECK_STR(test_text(row, "selector"), "0x095ea7b3");
    CHECK_STR(test_text(row, "amount"), "10");
    CHECK_STR(test_text(row, "value"), "0");
    CHECK_STR(test_text(row, "native"), "120000");
    CHECK_STR(test_text(row, "digest"), hex);
    CHECK_STR(test_text(row, "decision"), "signed");
    CHECK(json_integer_value(json_object_get(row, "chain")) == 1);
    CHECK(json_integer_value(json_object_get(row, "nonce")) == 12);
    json_decref(row);
    line_at(f, &row);
    CHECK_STR(test_text(row, "decision"), "refused");
    CHECK_STR(test_text(row, "reason"), "call not understood");
    json_decref(row);
    fclose(f);
    buf_free(&raw);
    answer_test_end();
}

/* Messages of each kind are recorded, with each decision. */
static void messages_are_recorded(void)
{
    const struct polymarket_message auth = { .kind = POLYMARKET_AUTH };
    struct polymarket_message batch = { .kind = POLYMARKET_BATCH }, order;
    static const char *const decisions[] = { "signed", "signed", "refused", "refused" };
    char file[200];
    struct limit *collateral;
    json_t *row;
    FILE *f;

    begin_with_wallet();
    state.polymarket.trading = true;
    open_audit_log(file);
    order = order_of_ten(9);
    CHECK(message_answer(&order, SIGNER_SIGN_MESSAGE).status == SIGNER_OK);
    CHECK(message_answer(&auth, SIGNER_SIGN_MESSAGE).status == SIGNER_OK);
    batch.batch = (struct polymarket_batch){ .calls = batch.calls, .count = 1 };
    CHECK(message_answer(&batch, SIGNER_SIGN_MESSAGE).status == SIGNER_REFUSED);
    collateral = limit_for(evm_addr_or_zero(POLYMARKET_COLLATERAL));
    collateral->chain_id = POLYMARKET_CHAIN_ID;
    collateral->per_tx = true;
    CHECK(message_answer(&order, SIGNER_SIGN_MESSAGE).status == SIGNER_LIMITED);
    audit_log_close(state.audit_log);
    f = fopen(file, "r");
    CHECK(f != NULL);
    for (size_t i = 0; f != NULL && i < sizeof decisions / sizeof decisions[0]; i++) {
        line_at(f, &row);
        CHECK_STR(test_text(row, "wallet"), fixed_wallet.address);
        CHECK_STR(test_text(row, "decision"), decisions[i]);
        CHECK(json_integer_value(json_object_get(row, "chain")) == POLYMARKET_CHAIN_ID);
        if (i % 3 == 0) {
            CHECK_STR(test_text(row, "token"), POLYMARKET_COLLATERAL);
            CHECK_STR(test_text(row, "amount"), "10");
        }
        json_decref(row);
    }
    if (f != NULL)
        fclose(f);
    answer_test_end();
}

/* ---- Messages that are refused, each with its line ---- */

static const char STRANGER[] = "0x2222222222222222222222222222222222222222";

static void of_another_maker(struct polymarket_message *m)
{
    m->order.maker = evm_addr_or_zero(STRANGER);
}

static void of_another_signer(struct polymarket_message *m)
{
    m->order.signer = evm_addr_or_zero(STRANGER);
}

static void of_a_strangers_deposit_wallet(struct polymarket_message *m)
{
    m->order.signature_type = POLYMARKET_DEPOSIT_WALLET;
    m->order.maker = m->order.signer =
        polymarket_wallet_of(evm_addr_or_zero(STRANGER), POLYMARKET_WALLET_BEACON);
}

static void of_a_proxy(struct polymarket_message *m)
{
    m->order.signature_type = 1;
}

static void with_a_strangers_code(struct polymarket_message *m)
{
    m->order.builder[0] = 1;
}

static void at_no_listed_exchange(struct polymarket_message *m)
{
    m->exchange = (enum polymarket_exchange)(POLYMARKET_V3 + 1);
}

static void of_an_unknown_kind(struct polymarket_message *m)
{
    m->kind = (enum polymarket_message_kind)(POLYMARKET_BATCH + 1);
}

static struct buf call = BUF_INIT(POLYMARKET_CALL_MAX);

/* A batch of the wallet's own deposit wallet with what is in `call`. */
static void batch_to(struct polymarket_message *m, const char *target)
{
    *m = (struct polymarket_message){ .kind = POLYMARKET_BATCH };
    m->calls[0] = (struct polymarket_call){ .target = evm_addr_or_zero(target),
                                            .data = (const uint8_t *)call.data,
                                            .len = call.len };
    m->batch =
        (struct polymarket_batch){ .wallet = polymarket_wallet_of(evm_addr_or_zero(fixed_wallet.address),
                                                                  POLYMARKET_WALLET_BEACON),
                                   .deadline = (uint64_t)clock_seconds() + 600,
                                   .calls = m->calls,
                                   .count = 1 };
}

static void of_another_deposit_wallet(struct polymarket_message *m)
{
    erc20_transfer(&call, evm_addr_or_zero(fixed_wallet.address), u256_from_u64(10));
    batch_to(m, POLYMARKET_COLLATERAL);
    m->batch.wallet = polymarket_wallet_of(evm_addr_or_zero(STRANGER), POLYMARKET_WALLET_BEACON);
}

static void for_more_than_a_quarter_of_an_hour(struct polymarket_message *m)
{
    erc20_transfer(&call, evm_addr_or_zero(fixed_wallet.address), u256_from_u64(10));
    batch_to(m, POLYMARKET_COLLATERAL);
    m->batch.deadline = (uint64_t)clock_seconds() + 1000;
}

static void that_calls_a_stranger(struct polymarket_message *m)
{
    erc20_transfer(&call, evm_addr_or_zero(fixed_wallet.address), u256_from_u64(10));
    batch_to(m, STRANGER);
}

static void that_allows_a_stranger(struct polymarket_message *m)
{
    erc20_approve(&call, evm_addr_or_zero(STRANGER), u256_from_u64(10));
    batch_to(m, POLYMARKET_COLLATERAL);
}

static void that_allows_everything(struct polymarket_message *m)
{
    const struct u256 most = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };

    erc20_approve(&call, evm_addr_or_zero(POLYMARKET_OFFRAMP), most);
    batch_to(m, POLYMARKET_COLLATERAL);
}

static void that_trusts_a_stranger(struct polymarket_message *m)
{
    polymarket_trust(&call, evm_addr_or_zero(STRANGER));
    batch_to(m, POLYMARKET_TOKENS);
}

static void that_wraps_for_a_stranger(struct polymarket_message *m)
{
    polymarket_wrap(&call, evm_addr_or_zero(STRANGER), u256_from_u64(10));
    batch_to(m, POLYMARKET_ONRAMP);
}

static void that_unwraps_for_a_stranger(struct polymarket_message *m)
{
    polymarket_unwrap(&call, evm_addr_or_zero(STRANGER), u256_from_u64(10));
    batch_to(m, POLYMARKET_OFFRAMP);
}

static void that_pays_a_stranger(struct polymarket_message *m)
{
    erc20_transfer(&call, evm_addr_or_zero(STRANGER), u256_from_u64(10));
    batch_to(m, POLYMARKET_COLLATERAL);
}

static void that_redeems_elsewhere(struct polymarket_message *m)
{
    const uint8_t condition[HASH_LEN] = { 3 };

    polymarket_redeem(&call, condition);
    batch_to(m, STRANGER);
}

/* The loan would be the deposit wallet's, which has no call to withdraw it. */
static void that_lends(struct polymarket_message *m)
{
    struct evm_addr deposit =
        polymarket_wallet_of(evm_addr_or_zero(fixed_wallet.address), POLYMARKET_WALLET_BEACON);

    aave_supply(&call, evm_addr_or_zero(POLYMARKET_DOLLAR), u256_from_u64(10), deposit);
    batch_to(m, "0x794a61358D6845594F94dc1DB02A252b5b4814aD");
}

static const struct {
    void (*change)(struct polymarket_message *m);
    const char *reason;
} refused_messages[] = {
    { of_another_maker, "maker is neither the wallet nor its deposit wallet" },
    { of_another_signer, "maker is neither the wallet nor its deposit wallet" },
    { of_a_strangers_deposit_wallet, "maker is neither the wallet nor its deposit wallet" },
    { of_a_proxy, "maker is neither the wallet nor its deposit wallet" },
    { with_a_strangers_code, "builder code is not the operator's" },
    { at_no_listed_exchange, "not what is signed here" },
    { of_an_unknown_kind, "not what is signed here" },
    { of_another_deposit_wallet, "not the deposit wallet of the wallet" },
    { for_more_than_a_quarter_of_an_hour, "deadline too far away" },
    { that_calls_a_stranger, "recipient is neither the wallet nor its deposit wallet" },
    { that_allows_a_stranger, "target or call not on the list" },
    { that_allows_everything, "allowance without a bound" },
    { that_trusts_a_stranger, "target or call not on the list" },
    { that_wraps_for_a_stranger, "recipient is neither the wallet nor its deposit wallet" },
    { that_unwraps_for_a_stranger, "recipient is neither the wallet nor its deposit wallet" },
    { that_pays_a_stranger, "recipient is neither the wallet nor its deposit wallet" },
    { that_redeems_elsewhere, "target or call not on the list" },
    { that_lends, "target or call not on the list" },
};

static void refusals_of_messages_are_recorded(void)
{
    char file[200];
    json_t *row;
    FILE *f;

    begin_with_wallet();
    state.polymarket.trading = true;
    open_audit_log(file);
    for (size_t i = 0; i < sizeof refused_messages / sizeof refused_messages[0]; i++) {
        struct polymarket_message m = order_of_ten(i);
        struct signer_answer an;

        refused_messages[i].change(&m);
        an = message_answer(&m, SIGNER_SIGN_MESSAGE);
        CHECK(an.status == SIGNER_REFUSED || an.status == SIGNER_BAD_MESSAGE);
        CHECK(an.sig.len == 0);
        buf_reset(&call);
    }
    audit_log_close(state.audit_log);
    f = fopen(file, "r");
    CHECK(f != NULL);
    for (size_t i = 0; f != NULL && i < sizeof refused_messages / sizeof refused_messages[0]; i++) {
        line_at(f, &row);
        CHECK_STR(test_text(row, "wallet"), fixed_wallet.address);
        CHECK_STR(test_text(row, "decision"), "refused");
        CHECK_STR(test_text(row, "reason"), refused_messages[i].reason);
        json_decref(row);
    }
    if (f != NULL)
        fclose(f);
    buf_free(&call);
    answer_test_end();
}

static void unrecorded_transactions_are_not_signed(void)
{
    struct rlimit before, none = { 0, 0 };
    struct evm_tx tx;
    char file[200];

    begin_with_wallet();
    open_audit_log(file);
    tx = plain_tx(&fixed_wallet);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    none.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0);
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_FAILED && last_rule == RULE_SIGNER);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(tx_status(&fixed_wallet, &tx) == SIGNER_OK && last_rule == RULE_NONE);
    audit_log_close(state.audit_log);
    answer_test_end();
}

/* ---- Solana ---- */

static void begin_with_solana_wallet(void)
{
    struct signer_request rq = { .op = SIGNER_CREATE, .wallet = test_wallet("") };
    struct signer_answer an;

    answer_test_begin();
    rq.wallet.kind = WALLET_SOLANA;
    an = answer_to(&rq);
    CHECK(an.status == SIGNER_OK && solana_addr_parse(&trader, an.address));
    fixed_wallet = test_wallet(an.address);
    fixed_wallet.kind = WALLET_SOLANA;
    memcpy(fixed_sealed, an.sealed, sizeof fixed_sealed);
}

/* The unsigned transaction goes into *raw. */
static struct signer_answer solana_answer(struct buf *raw, const struct scene *s,
                                          const struct solana_addr *payer)
{
    struct signer_request rq = { .op = SIGNER_SIGN, .wallet = fixed_wallet, .family = CHAIN_SOLANA };

    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    scene_write(raw, s, payer);
    rq.payload = (const uint8_t *)raw->data;
    rq.payload_len = raw->len;
    return answer_to(&rq);
}

static enum signer_status solana_status(const struct scene *s, const struct solana_addr *payer)
{
    struct buf raw = BUF_INIT(SOLANA_TX_MAX);
    enum signer_status status = solana_answer(&raw, s, payer).status;

    buf_free(&raw);
    return status;
}

static void solana_trades_are_signed(void)
{
    struct buf raw = BUF_INIT(SOLANA_TX_MAX);
    uint8_t want[ED25519_SIG_LEN];
    struct signer_answer an;
    struct secret *key;
    struct solana_tx tx;
    struct scene s;

    begin_with_solana_wallet();
    key = seal_open(fixed_sealed, ring, &fixed_wallet);
    coin_for_token(&s);
    an = solana_answer(&raw, &s, &trader);
    CHECK(an.status == SIGNER_OK && an.sig.len == SOLANA_SIGNATURE_LEN);
    CHECK(solana_tx_read(&tx, (const uint8_t *)raw.data, raw.len) == NULL);
    CHECK(ed25519_sign(want, tx.message, tx.message_len, key) &&
          memcmp(an.sig.bytes, want, sizeof want) == 0);
    pay_coin(&s, &outsider, 1);
    CHECK(solana_status(&s, &trader) == SIGNER_REFUSED);
    secret_free(key);
    buf_free(&raw);
    answer_test_end();
}

/* A transaction that a second wallet has to sign is refused, even if it is the same agent's, and whichever of
 * them pays. */
static void transactions_with_a_second_signer_are_refused(void)
{
    struct solana_addr first, second;
    struct scene s;

    begin_with_solana_wallet();
    second = trader;
    answer_test_end();
    begin_with_solana_wallet();
    first = trader;
    const struct solana_addr sold = held(&first, &outsider), bought = held(&first, &some_mint);

    s = (struct scene){ .count = 0 };
    route(&s, &sold, &bought, &outsider, &some_mint, IN, QUOTED);
    CHECK(!solana_addr_eq(&first, &second) && solana_status(&s, &first) == SIGNER_OK);
    account_add(&s, &second, true, false); /* one of those that the trade goes through */
    CHECK(solana_status(&s, &first) == SIGNER_REFUSED && solana_status(&s, &second) == SIGNER_REFUSED);
    answer_test_end();
}

/* A deposit on Solana for an order that pays on Base, what the signer is shown with it, and how the bytes are
 * spoiled. */
struct solana_deposit {
    struct relay_solana_deposit made;
    struct relay_order shown;
    struct evm_addr paid;
    struct wallet far;
    bool without_far;
    void (*spoil)(struct buf *raw);
};

static struct solana_deposit some_deposit(void)
{
    static const uint8_t solver[EVM_ADDR_LEN] = { 0x51 }, bought[EVM_ADDR_LEN] = { 0x83 };
    struct solana_deposit d = {
        .made = { .wallet = trader, .mint = some_mint, .token_program = SOLANA_TOKEN, .amount = 5 }
    };
    uint32_t deadline = (uint32_t)clock_seconds() + 600;

    d.far = far_wallet_of(fixed_wallet.agent, WALLET_EVM);
    d.paid = evm_addr_or_zero(d.far.ref.address);
    d.shown = (struct relay_order){ .version = "v1",
                                    .solver_chain = "base",
                                    .solver = BYTES(solver),
                                    .input = { .chain = "solana",
                                               .currency = BYTES(some_mint.bytes),
                                               .amount = u256_from_u64(5),
                                               .weight = u256_from_u64(1),
                                               .refund_count = 1 },
                                    .output = { .chain = "base",
                                                .currency = BYTES(bought),
                                                .minimum = u256_from_u64(4),
                                                .expected = u256_from_u64(5),
                                                .deadline = deadline } };
    d.shown.input.refunds[0] = (struct relay_refund){ .chain = "solana",
                                                      .recipient = BYTES(trader.bytes),
                                                      .currency = BYTES(some_mint.bytes),
                                                      .deadline = deadline };
    return d;
}

/* It names the order that is shown, but for `id_off`. */
static enum signer_status solana_deposit_status(struct solana_deposit d, uint8_t id_off)
{
    static const uint8_t blockhash[SOLANA_BLOCKHASH_LEN] = { 7 };
    struct signer_request rq = { .op = SIGNER_SIGN, .wallet = fixed_wallet, .family = CHAIN_SOLANA };
    struct buf raw = BUF_INIT(SOLANA_TX_MAX), proof = BUF_INIT(RELAY_ORDER_MAX);
    enum signer_status status;

    d.shown.output.recipient = (struct relay_bytes)BYTES(d.paid.bytes);
    relay_order_id(d.made.order, &d.shown);
    d.made.order[0] ^= id_off;
    relay_order_write(&proof, &d.shown);
    CHECK(relay_solana_write(&raw, &d.made, blockhash));
    if (d.spoil != NULL)
        d.spoil(&raw);
    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    rq.proof = (const uint8_t *)proof.data;
    rq.proof_len = proof.len;
    signer_show_far(&rq, d.without_far ? NULL : &d.far);
    status = answer_to(&rq).status;
    buf_free(&raw);
    buf_free(&proof);
    return status;
}

static void calls_another_program(struct buf *raw)
{
    for (size_t i = 0; i + SOLANA_ADDR_LEN <= raw->len; i++)
        if (memcmp(raw->data + i, SOLANA_RELAY_DEPOSITORY.bytes, SOLANA_ADDR_LEN) == 0)
            memcpy(raw->data + i, SOLANA_MEMO.bytes, SOLANA_ADDR_LEN);
}

/* The last instruction once more: the count of lookup tables, which is none, stands behind it. */
static void deposits_twice(struct buf *raw)
{
    enum { INSTRUCTION = 1 + 1 + 10 + 1 + 48 };
    char last[INSTRUCTION];
    struct solana_tx tx;

    CHECK(solana_tx_read(&tx, (const uint8_t *)raw->data, raw->len) == NULL);
    raw->data[tx.blockhash - (const uint8_t *)raw->data + SOLANA_BLOCKHASH_LEN]++;
    raw->len--;
    memcpy(last, raw->data + raw->len - INSTRUCTION, INSTRUCTION);
    buf_add(raw, last, INSTRUCTION);
    buf_addc(raw, 0);
    CHECK(solana_tx_read(&tx, (const uint8_t *)raw->data, raw->len) == NULL && tx.instruction_count == 4);
}

static void pays_more_for_coming_first(struct buf *raw)
{
    struct solana_tx tx;

    CHECK(solana_tx_read(&tx, (const uint8_t *)raw->data, raw->len) == NULL);
    raw->data[tx.instructions[1].data + 1 - (const uint8_t *)raw->data]++;
}

static void solana_deposits_are_signed_with_their_order(void)
{
    const struct evm_addr stranger = { { 0x22 } };
    struct solana_deposit d, lies[11];

    begin_with_solana_wallet();
    d = some_deposit();
    CHECK(solana_deposit_status(d, 0) == SIGNER_OK);
    CHECK(solana_deposit_status(d, 1) == SIGNER_REFUSED); /* another order */
    for (size_t i = 0; i < 11; i++)
        lies[i] = d;
    lies[0].paid = stranger;
    lies[1].without_far = true;
    lies[2].far = far_wallet_of((struct uuid){ { 0x77 } }, WALLET_EVM);
    lies[3].far = far_wallet_of((struct uuid){ { 0x77 } }, WALLET_EVM);
    lies[3].paid = evm_addr_or_zero(lies[3].far.ref.address);
    lies[4].made.amount++;
    lies[5].made.mint = outsider;
    lies[6].shown.output.minimum = U256_ZERO;
    lies[7].shown.input.refunds[0].recipient = (struct relay_bytes)BYTES(outsider.bytes);
    lies[8].spoil = calls_another_program;
    lies[9].spoil = deposits_twice;
    lies[10].spoil = pays_more_for_coming_first;
    for (size_t i = 0; i < 11; i++)
        CHECK(solana_deposit_status(lies[i], 0) == SIGNER_REFUSED ||
              solana_deposit_status(lies[i], 0) == SIGNER_BAD_MESSAGE);
    d.shown.output.deadline = (uint32_t)clock_seconds() + 30;
    CHECK(solana_deposit_status(d, 0) == SIGNER_REFUSED);
    answer_test_end();
}

/* The coin counts with fees and rents, a token with the amount sold. */
static void solana_limits(void)
{
    enum { NATIVE = IN + 5000 + 600001 + 2 * 2074080 };
    const uint64_t chain = chain_find("solana")->id;
    struct scene s;
    struct limit *coin;

    begin_with_solana_wallet();
    coin_for_token(&s);
    coin = limit_for((struct evm_addr){ { 0 } });
    coin->chain_id = chain;
    coin->per_tx = true;
    coin->tx_max = u256_from_u64(NATIVE);
    CHECK(solana_status(&s, &trader) == SIGNER_OK);
    coin->tx_max = u256_from_u64(NATIVE - 1);
    CHECK(solana_status(&s, &trader) == SIGNER_LIMITED);
    limits.count = 0;
    limits.own_tokens = true;
    CHECK(solana_status(&s, &trader) == SIGNER_LIMITED); /* the bought token is not built in */
    limits.own_tokens = false;
    limits.some_chains = true;
    CHECK(solana_status(&s, &trader) == SIGNER_LIMITED);
    limits.chains[limits.chain_count++] = chain;
    CHECK(solana_status(&s, &trader) == SIGNER_OK);
    answer_test_end();
}

/* A scene that the operator has vouched for with that key, asked for in that way. */
static enum signer_status solana_transfer_status(const struct secret *key, const struct scene *vouched,
                                                 const struct scene *asked, enum signer_op op)
{
    struct buf good = BUF_INIT(SOLANA_TX_MAX), raw = BUF_INIT(SOLANA_TX_MAX);
    struct signer_request rq = { .op = op, .wallet = fixed_wallet, .family = CHAIN_SOLANA };
    struct signer_answer an;

    scene_write(&good, vouched, &trader);
    scene_write(&raw, asked, &trader);
    operator_mac_make(rq.operator_mac, key, &fixed_wallet, (const uint8_t *)good.data, good.len);
    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    an = answer_to(&rq);
    buf_free(&good);
    buf_free(&raw);
    return an.status;
}

/* As on EVM, a trade is no transfer, even with the operator's MAC. */
static void solana_transfers_want_the_operators_mac(void)
{
    struct secret *key = secret_random(), *other = secret_random();
    struct scene coin, token, trade;

    begin_with_solana_wallet();
    coin_away(&coin);
    token_away(&token);
    coin_for_token(&trade);
    CHECK(solana_transfer_status(key, &coin, &coin, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    state.operator_key = key;
    CHECK(solana_transfer_status(key, &coin, &coin, SIGNER_SIGN_TRANSFER) == SIGNER_OK);
    CHECK(solana_transfer_status(key, &token, &token, SIGNER_SIGN_TRANSFER) == SIGNER_OK);
    CHECK(solana_transfer_status(key, &coin, &coin, SIGNER_SIGN) == SIGNER_REFUSED);
    CHECK(solana_transfer_status(key, &token, &token, SIGNER_SIGN) == SIGNER_REFUSED);
    CHECK(solana_transfer_status(key, &coin, &coin, SIGNER_SIGN_MESSAGE) == SIGNER_REFUSED);
    CHECK(solana_transfer_status(other, &coin, &coin, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    CHECK(solana_transfer_status(key, &coin, &token, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    CHECK(solana_transfer_status(key, &trade, &trade, SIGNER_SIGN_TRANSFER) == SIGNER_REFUSED);
    state.operator_key = NULL;
    secret_free(key);
    secret_free(other);
    answer_test_end();
}

static void solana_transfers_are_recorded(void)
{
    struct secret *key = secret_random();
    struct scene token;
    char file[200], to[SOLANA_ADDR_TEXT_LEN + 1];
    json_t *row;
    FILE *f;

    begin_with_solana_wallet();
    open_audit_log(file);
    state.operator_key = key;
    token_away(&token);
    solana_addr_text(to, &outsider);
    CHECK(solana_transfer_status(key, &token, &token, SIGNER_SIGN_TRANSFER) == SIGNER_OK);
    audit_log_close(state.audit_log);
    f = fopen(file, "r");
    CHECK(f != NULL);
    line_at(f, &row);
    CHECK_STR(test_text(row, "to"), to);
    CHECK_STR(test_text(row, "amount"), "1000000");
    CHECK_STR(test_text(row, "order"), "sweep");
    CHECK_STR(test_text(row, "decision"), "signed");
    json_decref(row);
    fclose(f);
    state.operator_key = NULL;
    secret_free(key);
    answer_test_end();
}

TEST_MAIN(TEST(new_wallets_are_kept), TEST(solana_trades_are_signed),
          TEST(transactions_with_a_second_signer_are_refused), TEST(solana_limits),
          TEST(solana_transfers_want_the_operators_mac), TEST(solana_transfers_are_recorded),
          TEST(transactions_of_the_vectors), TEST(other_terms_are_refused),
          TEST(transactions_of_other_families_are_refused), TEST(deposits_are_signed_with_their_order),
          TEST(a_far_wallet_is_the_same_agents), TEST(solana_deposits_are_signed_with_their_order),
          TEST(a_transfer_wants_the_operators_mac), TEST(other_wallets_are_refused),
          TEST(foreign_addresses_are_refused), TEST(limits_of_a_transaction), TEST(limits_of_a_day),
          TEST(the_kill_switch), TEST(a_message_is_signed_by_its_wallet),
          TEST(orders_count_towards_the_limits), TEST(allowances_for_orders_count_once),
          TEST(a_swap_shows_what_it_brings), TEST(loans_count_what_the_lender_takes),
          TEST(a_loan_shows_what_it_is), TEST(only_listed_markets_are_entered),
          TEST(only_settlers_of_the_list), TEST(trades_keep_to_the_floor), TEST(each_decision_is_recorded),
          TEST(messages_are_recorded), TEST(refusals_of_messages_are_recorded),
          TEST(unrecorded_transactions_are_not_signed))
