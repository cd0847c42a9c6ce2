/* Tests from a worker's position: its packets, with records that it has found in the database, and each
 * refused try next to the same try that is signed. */
#include "signer/withdrawal_allowlist.c"

#include <signal.h>
#include <sys/resource.h>

#include "chain/evm/abi.h"
#include "chain/evm/tx.h"
#include "keys/sign.h"
#include "keys/stamp.h"
#include "signer/kill_switch.h"
#include "signer/operator_file.h"
#include "signer/test_address_history.h"
#include "venue/test_solana.h"

static struct test_dir dir;
static struct limits limits;
static struct signer_state state;
static char why[512];

static const struct uuid own_agent = { { 0xa } }, other_agent = { { 0xb } };
static const char KNOWN[] = "0x52908400098527886E0F7030069857D2E4169EE7",
                  STRANGER[] = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

static void test_begin_for(unsigned hosts)
{
    CHECK(secrets_init() && sign_init());
    test_dir_make(&dir);
    CHECK(keyring_create(dir.keys, why, sizeof why));
    limits = (struct limits){ .count = 0 };
    state = (struct signer_state){ .limits = &limits, .kill_switch = -1 };
    state.keyring = keyring_load(dir.keys, why, sizeof why);
    test_clocks_begin();
    state.wallets = test_wallets_open(&dir);
    state.history = test_history_open(&dir, hosts);
    test_pass(1000);
}

static void test_begin(void)
{
    test_begin_for(1);
}

static void test_end(void)
{
    history_free(state.history);
    (void)close(state.wallets);
    keyring_free(state.keyring);
    test_dir_remove(&dir);
}

static struct signer_answer answer_to(const struct signer_request *rq)
{
    struct buf packet = BUF_INIT(SIGNER_MAX_MESSAGE);
    struct signer_answer an;

    signer_request_write(&packet, rq);
    signer_answer_to(&an, &state, (const uint8_t *)packet.data, packet.len);
    buf_free(&packet);
    return an;
}

static struct wallet wallet_of(struct uuid agent, enum wallet_kind kind)
{
    struct wallet w = { .ref = { .wallet = { { 9 } }, .agent = agent, .kind = kind } };
    struct signer_request rq = { .op = SIGNER_CREATE, .wallet = w.ref };
    struct signer_answer an = answer_to(&rq);

    CHECK(an.status == SIGNER_OK);
    (void)snprintf(w.ref.address, sizeof w.ref.address, "%s", an.address);
    memcpy(w.sealed, an.sealed, sizeof w.sealed);
    return w;
}

static struct allowlist_address payee_of(struct uuid agent, enum chain_type type, const char *address)
{
    struct allowlist_address p = { .agent = agent, .type = type };

    (void)snprintf(p.address, sizeof p.address, "%s", address);
    return p;
}

static struct signer_answer allow(const struct allowlist_address *p, const uint8_t *mac)
{
    struct signer_request rq = { .op = SIGNER_ALLOW_ADDRESS, .payee = *p, .has_operator_mac = mac != NULL };

    if (mac != NULL)
        memcpy(rq.operator_mac, mac, sizeof rq.operator_mac);
    return answer_to(&rq);
}

static struct address_record allowed(const struct allowlist_address *p)
{
    struct signer_answer an = allow(p, NULL);

    CHECK(an.status == SIGNER_OK && an.record.len > 0);
    return an.record;
}

static struct signer_answer removed(const struct allowlist_address *p, const struct address_record *r)
{
    struct signer_request rq = {
        .op = SIGNER_REMOVE_ADDRESS, .payee = *p, .record = r->bytes, .record_len = r->len
    };

    return answer_to(&rq);
}

/* ---- Withdrawals ---- */

/* A worker's request: the worker chooses everything in it. */
struct
try {
    struct wallet wallet;
    struct evm_tx tx;
    struct address_record record;
    enum signer_op op;
};

static struct signer_answer evm_answer(const struct try *t)
{
    struct buf raw = BUF_INIT(MAX_TX);
    struct signer_request rq = {
        .op = t->op, .wallet = t->wallet.ref, .record = t->record.bytes, .record_len = t->record.len
    };
    struct signer_answer an;

    evm_tx_unsigned(&raw, &t->tx);
    memcpy(rq.sealed, t->wallet.sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    an = answer_to(&rq);
    buf_free(&raw);
    return an;
}

static enum signer_rule rule_for(const struct try *t)
{
    struct signer_answer an = evm_answer(t);

    CHECK((an.status == SIGNER_OK) == (an.sig.len == 65) && (an.status == SIGNER_OK || an.sig.len == 0));
    CHECK(an.status == signer_rule_status(an.rule));
    return an.rule;
}

static struct evm_tx coin_to(const char *address)
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = 8453, .nonce = 7, .gas_limit = 21000 };

    tx.to = evm_addr_or_zero(address);
    tx.max_fee = u256_from_u64(1);
    tx.value = u256_from_u64(1000);
    return tx;
}

static struct buf call;

/* A call of a token with two words, the last of which is an amount. */
static struct evm_tx call_with(uint32_t selector, const char *address, uint64_t amount)
{
    struct evm_tx tx = coin_to("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");

    buf_free(&call);
    call = (struct buf)BUF_INIT(512);
    abi_selector(&call, selector);
    abi_addr(&call, evm_addr_or_zero(address));
    abi_u256(&call, u256_from_u64(amount));
    tx.value = U256_ZERO;
    tx.gas_limit = 60000;
    tx.data = (const uint8_t *)call.data;
    tx.data_len = call.len;
    return tx;
}

static struct evm_tx token_to(const char *address)
{
    return call_with(0xa9059cbb, address, 5);
}

/* One that is signed: to an address that has been known for a day. */
static struct try good_try(void)
{
    struct try t = { .wallet = wallet_of(own_agent, WALLET_EVM), .op = SIGNER_SIGN_WITHDRAWAL };
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, KNOWN);

    t.tx = coin_to(KNOWN);
    t.record = allowed(&p);
    test_pass(TEST_DELAY_S);
    return t;
}

static void a_known_address_is_paid(void)
{
    struct try t;

    test_begin();
    t = good_try();
    CHECK(rule_for(&t) == RULE_NONE);
    t.tx = token_to(KNOWN);
    CHECK(rule_for(&t) == RULE_NONE);
    t.tx.chain_id = 1; /* on every chain of its family */
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

static void payments_to_other_addresses_are_refused(void)
{
    struct try t, bad;

    test_begin();
    t = bad = good_try();
    bad.tx = coin_to(STRANGER);
    CHECK(rule_for(&bad) == RULE_ADDRESS);
    bad.tx = token_to(STRANGER);
    CHECK(rule_for(&bad) == RULE_ADDRESS);
    bad.tx = coin_to(t.wallet.ref.address);
    CHECK(rule_for(&bad) == RULE_ADDRESS);
    for (size_t bit = 0; bit < 8 * (size_t)EVM_ADDR_LEN; bit++) {
        bad.tx = coin_to(KNOWN);
        bad.tx.to.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK(rule_for(&bad) == RULE_ADDRESS);
    }
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

static struct evm_tx with_tail(struct evm_tx tx)
{
    buf_addc(&call, 0);
    tx.data = (const uint8_t *)call.data;
    tx.data_len = call.len;
    return tx;
}

static void nothing_but_a_plain_transfer_is_signed(void)
{
    static const uint8_t access_list[] = { 0xd6, 0x94, 1,  2,  3,  4,  5,  6,  7,  8,  9,   10,
                                           11,   12,   13, 14, 15, 16, 17, 18, 19, 20, 0xc0 };
    struct try t, bad;

    test_begin();
    t = bad = good_try();
    bad.tx = with_tail(token_to(KNOWN));
    CHECK(rule_for(&bad) == RULE_CALL);
    bad.tx = call_with(0x23b872dd, KNOWN, 5); /* transferFrom(), and with all of its words */
    CHECK(rule_for(&bad) == RULE_CALL);
    abi_u256(&call, u256_from_u64(1));
    bad.tx.data = (const uint8_t *)call.data;
    bad.tx.data_len = call.len;
    CHECK(rule_for(&bad) == RULE_CALL);
    bad.tx = call_with(0x095ea7b3, KNOWN, 5); /* approve() */
    CHECK(rule_for(&bad) == RULE_CALL);
    bad.tx = call_with(0x39509351, KNOWN, 5); /* increaseAllowance() */
    CHECK(rule_for(&bad) == RULE_CALL);
    bad.tx = token_to(KNOWN); /* coin with it */
    bad.tx.value = u256_from_u64(1);
    CHECK(rule_for(&bad) == RULE_CALL);
    bad.tx = token_to(KNOWN); /* a call of the known address */
    bad.tx.to = evm_addr_or_zero(KNOWN);
    bad.tx.data_len -= 32;
    CHECK(rule_for(&bad) == RULE_CALL);
    bad.tx = coin_to(KNOWN);
    bad.tx.create = true;
    CHECK(rule_for(&bad) == RULE_CALL);
    bad.tx = coin_to(KNOWN);
    bad.tx.access_list = access_list;
    bad.tx.access_list_len = sizeof access_list;
    CHECK(rule_for(&bad) == RULE_CALL);
    bad.tx = coin_to(KNOWN);
    bad.tx.chain_id = 31337;
    CHECK(rule_for(&bad) == RULE_CALL);
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

/* The record goes for withdrawals, and for no other way to a signature. */
static void other_ways_stay_closed(void)
{
    static const enum signer_op ops[] = { SIGNER_SIGN, SIGNER_SIGN_TRANSFER, SIGNER_SIGN_MESSAGE };
    struct try t;

    test_begin();
    t = good_try();
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        t.op = ops[i];
        CHECK(rule_for(&t) != RULE_NONE);
    }
    test_end();
}

/* ---- Records ---- */

static void only_a_record_of_the_agent_opens(void)
{
    struct allowlist_address theirs = payee_of(other_agent, CHAIN_EVM, KNOWN),
                             elsewhere = payee_of(own_agent, CHAIN_SOLANA,
                                                  "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T");
    struct try t, bad;

    test_begin();
    t = bad = good_try();
    bad.record = allowed(&theirs);
    CHECK(rule_for(&bad) == RULE_ADDRESS);
    bad.record = allowed(&elsewhere);
    test_pass(TEST_DELAY_S);
    CHECK(rule_for(&bad) == RULE_ADDRESS);
    bad = t;
    bad.record.len = 0;
    CHECK(rule_for(&bad) == RULE_ADDRESS);
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

/* The other agent's wallet, under this agent's name and with its record: its key does not open. */
static void a_wallet_does_not_change_hands(void)
{
    struct try t, bad;

    test_begin();
    t = bad = good_try();
    bad.wallet = wallet_of(other_agent, WALLET_EVM);
    CHECK(rule_for(&bad) == RULE_ADDRESS);
    bad.wallet.ref.agent = own_agent;
    CHECK(rule_for(&bad) == RULE_WALLET);
    bad.wallet.ref = t.wallet.ref; /* and the other way round */
    CHECK(rule_for(&bad) == RULE_WALLET);
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

static void nothing_of_a_record_can_be_changed(void)
{
    struct try t, bad;

    test_begin();
    t = good_try();
    for (size_t bit = 0; bit < 8 * t.record.len; bit++) {
        bad = t;
        bad.record.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK(rule_for(&bad) == RULE_ADDRESS);
    }
    for (size_t len = 0; len < t.record.len; len++) {
        bad = t;
        bad.record.len = len;
        CHECK(rule_for(&bad) == RULE_ADDRESS);
    }
    bad = t;
    bad.record.bytes[bad.record.len++] = 0;
    CHECK(rule_for(&bad) == RULE_ADDRESS);
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

/* A signer of other keys made it, in due form. */
static void records_of_other_keys_are_none(void)
{
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, KNOWN);
    struct address_record foreign;
    struct try t, bad;

    test_begin();
    (void)good_try();
    foreign = allowed(&p);
    test_end();
    test_begin();
    t = bad = good_try();
    bad.record = foreign;
    CHECK(rule_for(&bad) == RULE_ADDRESS);
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

/* ---- Time ---- */

static void restart_signer(void)
{
    history_free(state.history);
    state.history = test_history_open(&dir, 1);
}

static void no_time_is_shortened(void)
{
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, STRANGER);
    struct signer_answer an;
    struct try t;

    test_begin();
    t = good_try();
    an = allow(&p, NULL);
    CHECK(an.status == SIGNER_OK && an.wait_s == TEST_DELAY_S);
    t.tx = coin_to(STRANGER);
    t.record = an.record;
    CHECK(rule_for(&t) == RULE_WAITING);
    test_wall_s += 86400;
    CHECK(rule_for(&t) == RULE_WAITING);
    restart_signer();
    CHECK(rule_for(&t) == RULE_WAITING);
    test_wall_s -= 2 * 86400;
    restart_signer();
    CHECK(rule_for(&t) == RULE_WAITING);
    test_boot_s += TEST_DELAY_S - 1;
    CHECK(rule_for(&t) == RULE_WAITING);
    (void)allowed(&p); /* again: neither sooner nor later for the first */
    CHECK(rule_for(&t) == RULE_WAITING);
    test_boot_s += 1;
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

/* There is nothing to take yet; a wallet that was made ends that, also one of another kind. */
static void an_agent_without_wallets_need_not_wait(void)
{
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, KNOWN);
    struct signer_answer an;
    struct try t = { .op = SIGNER_SIGN_WITHDRAWAL };

    test_begin();
    an = allow(&p, NULL);
    CHECK(an.status == SIGNER_OK && an.wait_s == 0);
    t.record = an.record;
    (void)wallet_of(own_agent, WALLET_SOLANA);
    an = allow(&p, NULL);
    CHECK(an.status == SIGNER_OK && an.wait_s == TEST_DELAY_S);
    restart_signer();
    CHECK(allow(&p, NULL).wait_s == TEST_DELAY_S);
    t.wallet = wallet_of(own_agent, WALLET_EVM);
    t.tx = coin_to(KNOWN);
    CHECK(rule_for(&t) == RULE_NONE);
    t.record = an.record;
    CHECK(rule_for(&t) == RULE_WAITING);
    test_end();
    test_begin_for(2);
    CHECK(allow(&p, NULL).wait_s == TEST_DELAY_S);
    test_end();
}

/* ---- Removals ---- */

static void a_removed_address_is_not_paid(void)
{
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, KNOWN);
    struct address_record again;
    struct try t;

    test_begin();
    t = good_try();
    again = allowed(&p);
    CHECK(removed(&p, &t.record).status == SIGNER_OK);
    CHECK(rule_for(&t) == RULE_ADDRESS);
    CHECK(removed(&p, &t.record).status == SIGNER_OK);
    restart_signer();
    CHECK(rule_for(&t) == RULE_ADDRESS);
    test_pass(TEST_DELAY_S);
    CHECK(rule_for(&t) == RULE_ADDRESS);
    t.record = again;
    CHECK(rule_for(&t) == RULE_ADDRESS);
    t.record = allowed(&p);
    CHECK(rule_for(&t) == RULE_WAITING);
    test_pass(TEST_DELAY_S);
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

/* A worker without the record can neither fill the file nor remove another agent's address. */
static void a_removal_wants_the_record(void)
{
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, KNOWN), q = p;
    struct address_record none = { .len = 0 };
    struct try t;

    test_begin();
    t = good_try();
    CHECK(removed(&p, &none).rule == RULE_ADDRESS);
    q.agent = other_agent;
    CHECK(removed(&q, &t.record).rule == RULE_ADDRESS);
    q = payee_of(own_agent, CHAIN_EVM, STRANGER);
    CHECK(removed(&q, &t.record).rule == RULE_ADDRESS);
    q = p;
    q.type = CHAIN_SOLANA;
    CHECK(removed(&q, &t.record).rule == RULE_ADDRESS);
    t.record.bytes[20] ^= 1;
    CHECK(removed(&p, &t.record).rule == RULE_ADDRESS);
    t.record.bytes[20] ^= 1;
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

/* Both of two hosts pay an address that one has allowed, and neither pays one that both have removed. */
static void two_hosts_refuse_what_was_removed(void)
{
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, KNOWN);
    struct test_dir second = { .root = "" };
    struct address_history *first_history, *second_history;
    struct try t;
    int fd;

    test_begin_for(2);
    test_dir_make(&second);
    (void)snprintf(second.keys, sizeof second.keys, "%s", dir.keys);
    fd = test_wallets_open(&second);
    second_history = test_history_open(&second, 2);
    first_history = state.history;
    test_pass(1);
    t = good_try();
    CHECK(rule_for(&t) == RULE_NONE);
    state.history = second_history;
    CHECK(rule_for(&t) == RULE_NONE);
    CHECK(removed(&p, &t.record).status == SIGNER_OK && rule_for(&t) == RULE_ADDRESS);
    state.history = first_history;
    CHECK(rule_for(&t) == RULE_NONE); /* it has not heard of it yet */
    CHECK(removed(&p, &t.record).status == SIGNER_OK && rule_for(&t) == RULE_ADDRESS);
    history_free(second_history);
    (void)close(fd);
    test_dir_remove(&second);
    test_end();
}

/* ---- The operator ---- */

static void the_operators_word_spares_the_wait_for_one_address(void)
{
    struct secret *key = secret_random();
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, STRANGER), q = p;
    uint8_t word[HASH_LEN];
    struct try t;

    test_begin();
    t = good_try();
    operator_mac_make_address(word, key, own_agent, CHAIN_EVM, STRANGER, test_wall_s);
    CHECK(allow(&p, word).rule == RULE_ORDER); /* without the key, no MAC counts */
    state.operator_key = key;
    q.agent = other_agent;
    CHECK(allow(&q, word).rule == RULE_ORDER);
    q = payee_of(own_agent, CHAIN_EVM, KNOWN);
    CHECK(allow(&q, word).rule == RULE_ORDER);
    word[0] ^= 1;
    CHECK(allow(&p, word).rule == RULE_ORDER);
    /* A MAC that the operator made for a transaction whose bytes are the address's. */
    operator_mac_make(word, key, &t.wallet.ref, (const uint8_t *)STRANGER, strlen(STRANGER));
    CHECK(allow(&p, word).rule == RULE_ORDER);
    operator_mac_make_address(word, key, own_agent, CHAIN_EVM, STRANGER, test_wall_s);
    t.tx = coin_to(STRANGER);
    t.record = allowed(&p);
    CHECK(rule_for(&t) == RULE_WAITING);
    t.record = allow(&p, word).record;
    CHECK(rule_for(&t) == RULE_NONE);
    CHECK(removed(&p, &t.record).status == SIGNER_OK && rule_for(&t) == RULE_ADDRESS);
    state.operator_key = NULL;
    secret_free(key);
    test_end();
}

/* A recorded MAC of the operator cannot be shown again: neither later, nor after the address was removed. */
static void the_operators_word_is_of_one_moment(void)
{
    struct secret *key = secret_random();
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, STRANGER);
    uint8_t word[HASH_LEN], later[HASH_LEN];
    struct try t;

    test_begin();
    t = good_try();
    t.tx = coin_to(STRANGER);
    state.operator_key = key;
    for (int64_t age = 0; age < 2; age++) {
        operator_mac_make_address(word, key, own_agent, CHAIN_EVM, STRANGER,
                                  test_wall_s + (age == 0 ? -301 : 61));
        CHECK(allow(&p, word).rule == RULE_ORDER);
    }
    operator_mac_make_address(word, key, own_agent, CHAIN_EVM, STRANGER, test_wall_s);
    t.record = allow(&p, word).record;
    CHECK(rule_for(&t) == RULE_NONE && allow(&p, word).status == SIGNER_OK);
    test_pass(5);
    CHECK(removed(&p, &t.record).status == SIGNER_OK && allow(&p, word).rule == RULE_ORDER);
    test_pass(5);
    CHECK(allow(&p, word).rule == RULE_ORDER);
    operator_mac_make_address(later, key, own_agent, CHAIN_EVM, STRANGER, test_wall_s);
    t.record = allow(&p, later).record;
    CHECK(rule_for(&t) == RULE_NONE && allow(&p, word).rule == RULE_ORDER);
    /* The MAC of an agentctl that names no time is good for addresses that were never removed. */
    operator_mac_make_address(word, key, own_agent, CHAIN_EVM, STRANGER, ORDER_UNTIMED);
    CHECK(allow(&p, word).rule == RULE_ORDER);
    p = payee_of(own_agent, CHAIN_EVM, KNOWN);
    operator_mac_make_address(word, key, own_agent, CHAIN_EVM, KNOWN, ORDER_UNTIMED);
    CHECK(allow(&p, word).status == SIGNER_OK);
    state.operator_key = NULL;
    secret_free(key);
    test_end();
}

static void a_stop_freezes_all_but_removals(void)
{
    struct secret *key = secret_random();
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, KNOWN);
    uint8_t word[HASH_LEN];
    char file[200];
    struct try t;

    test_begin();
    t = good_try();
    (void)snprintf(file, sizeof file, "%s/stop", dir.root);
    state.kill_switch = operator_file_open(file);
    state.operator_key = key;
    operator_mac_make_address(word, key, own_agent, CHAIN_EVM, KNOWN, test_wall_s);
    CHECK(kill_switch_set(file, "a drill"));
    CHECK(rule_for(&t) == RULE_STOPPED && allow(&p, NULL).rule == RULE_STOPPED &&
          allow(&p, word).rule == RULE_STOPPED);
    CHECK(kill_switch_set(file, NULL) && rule_for(&t) == RULE_NONE && allow(&p, NULL).status == SIGNER_OK);
    CHECK(kill_switch_set(file, "a drill") && removed(&p, &t.record).status == SIGNER_OK);
    CHECK(kill_switch_set(file, NULL) && rule_for(&t) == RULE_ADDRESS);
    (void)close(state.kill_switch);
    state.operator_key = NULL;
    secret_free(key);
    test_end();
}

/* ---- Limits ---- */

static struct limit *limit_of(const char *token, bool withdrawn, uint64_t day_max)
{
    struct limit *l = &limits.rows[limits.count++];

    *l = (struct limit){
        .chain_id = 8453, .withdrawn = withdrawn, .per_day = true, .day_max = u256_from_u64(day_max)
    };
    (void)snprintf(l->token, sizeof l->token, "%s", token);
    return l;
}

static void open_ledger(void)
{
    char file[200];

    (void)snprintf(file, sizeof file, "%s/ledger", dir.root);
    ledger_close(state.ledger);
    state.ledger = ledger_open(file, &limits, 1700000000, why, sizeof why);
    CHECK(state.ledger != NULL);
}

static void withdrawals_count(void)
{
    struct try t;

    test_begin();
    t = good_try();
    limit_of("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", true, 9);
    open_ledger();
    t.tx = token_to(KNOWN);
    CHECK(rule_for(&t) == RULE_NONE && rule_for(&t) == RULE_NONE); /* a nonce counts once */
    t.tx.nonce++;
    CHECK(rule_for(&t) == RULE_WITHDRAW_DAY_MAX);
    limits.rows[0].day_max = u256_from_u64(10);
    CHECK(rule_for(&t) == RULE_NONE);
    limits.count = 0;
    limit_of("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", false, 9); /* in the day of everything, too */
    ledger_close(state.ledger);
    state.ledger = NULL;
    open_ledger();
    t.tx.nonce++;
    CHECK(rule_for(&t) == RULE_NONE);
    t.tx.nonce++;
    CHECK(rule_for(&t) == RULE_DAY_MAX);
    limits.count = 0;
    limit_of(TRADE_COIN, true, 1000); /* gas aside */
    open_ledger();
    t.tx = coin_to(KNOWN);
    CHECK(rule_for(&t) == RULE_NONE);
    t.tx.nonce++;
    CHECK(rule_for(&t) == RULE_WITHDRAW_DAY_MAX);
    limits.count = 0;
    limits.some_chains = true;
    CHECK(rule_for(&t) == RULE_CHAIN);
    ledger_close(state.ledger);
    test_end();
}

/* ---- Addresses that are none ---- */

static void some_addresses_are_never_allowed(void)
{
    static const struct {
        enum chain_type type;
        const char *address;
    } bad[] = {
        { CHAIN_EVM, "" },
        { CHAIN_EVM, EVM_ADDR_ZERO },
        { CHAIN_EVM, "0x52908400098527886e0f7030069857d2e4169ee7" }, /* not as it is written here */
        { CHAIN_EVM, "0x52908400098527886E0F7030069857D2E4169EE" },
        { CHAIN_EVM, "0x52908400098527886E0F7030069857D2E4169EE7 " },
        { CHAIN_EVM, "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T" },
        { CHAIN_EVM, "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D" }, /* a router */
        { CHAIN_SOLANA, "11111111111111111111111111111111" },
        { CHAIN_SOLANA, "0x52908400098527886E0F7030069857D2E4169EE7" },
        { CHAIN_MOVE, "0x52908400098527886E0F7030069857D2E4169EE7" },
        { CHAIN_TON, "EQ" },
    };
    struct allowlist_address p;

    test_begin();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        p = payee_of(own_agent, bad[i].type, bad[i].address);
        CHECK(allow(&p, NULL).rule == RULE_ADDRESS);
    }
    p = payee_of(own_agent, CHAIN_EVM, KNOWN);
    CHECK(allow(&p, NULL).status == SIGNER_OK);
    p = payee_of(own_agent, CHAIN_SOLANA, "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T");
    CHECK(allow(&p, NULL).status == SIGNER_OK);
    test_end();
}

/* A record of an earlier release may name what is listed by now, or the wallet itself. */
static void such_addresses_are_not_paid_either(void)
{
    static const char router[] = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
                      usdc[] = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    struct sealed_address a = { .made = 1700000900 };
    struct try t;

    test_begin();
    t = good_try();
    a.payee = payee_of(own_agent, CHAIN_EVM, router);
    address_seal(&t.record, state.keyring, &a);
    t.tx = coin_to(router);
    CHECK(rule_for(&t) == RULE_ADDRESS);
    a.payee = payee_of(own_agent, CHAIN_EVM, t.wallet.ref.address);
    address_seal(&t.record, state.keyring, &a);
    t.tx = coin_to(t.wallet.ref.address);
    CHECK(rule_for(&t) == RULE_ADDRESS);
    a.payee = payee_of(own_agent, CHAIN_EVM, usdc);
    address_seal(&t.record, state.keyring, &a);
    t.tx = token_to(usdc);
    CHECK(rule_for(&t) == RULE_ADDRESS);
    a.payee = payee_of(own_agent, CHAIN_EVM, KNOWN);
    address_seal(&t.record, state.keyring, &a);
    t.tx = token_to(KNOWN);
    CHECK(rule_for(&t) == RULE_NONE);
    test_end();
}

/* ---- Records ---- */

static void every_decision_is_recorded(void)
{
    static const char *const want[] = { "\"decision\":\"allowed\"",
                                        "\"decision\":\"allowed at once\"",
                                        "\"reason\":\"no address that can be paid\"",
                                        "\"order\":\"withdrawal\",\"recipient\":\"0x5290",
                                        "\"decision\":\"removed\"",
                                        "\"reason\":\"address was removed\"" };
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, KNOWN),
                             theirs = payee_of(other_agent, CHAIN_EVM, KNOWN),
                             bad = payee_of(own_agent, CHAIN_EVM, "\"},{\"");
    char file[200], line[AUDIT_CHAIN_LINE_MAX + 2];
    struct try t;
    FILE *f;

    test_begin();
    t = good_try();
    (void)snprintf(file, sizeof file, "%s/audit.log", dir.root);
    state.audit_log = audit_log_open(file, why, sizeof why);
    CHECK(state.audit_log != NULL);
    (void)allowed(&p);
    (void)allowed(&theirs);
    CHECK(allow(&bad, NULL).rule == RULE_ADDRESS);
    CHECK(rule_for(&t) == RULE_NONE && removed(&p, &t.record).status == SIGNER_OK &&
          rule_for(&t) == RULE_ADDRESS);
    audit_log_close(state.audit_log);
    f = fopen(file, "r");
    CHECK(f != NULL);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        CHECK(fgets(line, sizeof line, f) != NULL && strstr(line, want[i]) != NULL);
        CHECK(strstr(line, "},{") == NULL);
    }
    CHECK(fgets(line, sizeof line, f) == NULL);
    (void)fclose(f);
    test_end();
}

/* A record that cannot be written is not answered. */
static void unrecorded_answers_are_not_given(void)
{
    struct allowlist_address p = payee_of(own_agent, CHAIN_EVM, KNOWN);
    struct rlimit before, none = { 0, 0 };
    struct signer_answer an;
    struct try t;

    test_begin();
    t = good_try();
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    none.rlim_max = before.rlim_max;
    (void)signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0);
    an = allow(&p, NULL);
    CHECK(an.status == SIGNER_FAILED && an.record.len == 0);
    CHECK(removed(&p, &t.record).status == SIGNER_FAILED);
    CHECK(removed(&p, &t.record).status == SIGNER_FAILED);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(rule_for(&t) == RULE_NONE && removed(&p, &t.record).status == SIGNER_OK);
    CHECK(rule_for(&t) == RULE_ADDRESS);
    test_end();
}

/* ---- Solana ---- */

static struct wallet solana_wallet;
static struct address_record solana_record;

static enum signer_rule solana_rule(const struct scene *s)
{
    struct buf raw = BUF_INIT(SOLANA_TX_MAX);
    struct signer_request rq = { .op = SIGNER_SIGN_WITHDRAWAL,
                                 .wallet = solana_wallet.ref,
                                 .family = CHAIN_SOLANA,
                                 .record = solana_record.bytes,
                                 .record_len = solana_record.len };
    struct signer_answer an;

    scene_write(&raw, s, &trader);
    memcpy(rq.sealed, solana_wallet.sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    an = answer_to(&rq);
    CHECK((an.status == SIGNER_OK) == (an.sig.len == SOLANA_SIGNATURE_LEN));
    buf_free(&raw);
    return an.rule;
}

/* The outsider's address is the one that is known. */
static void solana_begin(void)
{
    char text[SOLANA_ADDR_TEXT_LEN + 1];
    struct allowlist_address p;

    test_begin();
    solana_wallet = wallet_of(own_agent, WALLET_SOLANA);
    CHECK(solana_addr_parse(&trader, solana_wallet.ref.address));
    solana_addr_text(text, &outsider);
    p = payee_of(own_agent, CHAIN_SOLANA, text);
    solana_record = allowed(&p);
    test_pass(TEST_DELAY_S);
}

static void a_known_address_is_paid_on_solana(void)
{
    struct scene s;

    solana_begin();
    coin_away(&s);
    CHECK(solana_rule(&s) == RULE_NONE);
    token_away(&s);
    CHECK(solana_rule(&s) == RULE_NONE);
    test_end();
}

/* Emptied accounts of the wallet may be closed with the coin; the amount in an account of wrapped coin is
 * unknown, so no limit could count it. */
static void wrapped_coin_does_not_pass_a_limit(void)
{
    struct solana_addr wrapped, emptied;
    struct scene s;

    solana_begin();
    wrapped = held(&trader, &SOLANA_WRAPPED_COIN);
    emptied = held(&trader, &some_mint);
    coin_away(&s);
    close_to(&s, &wrapped, &outsider);
    CHECK(solana_rule(&s) == RULE_NONE);
    limit_of(TRADE_COIN, true, 2 * IN)->chain_id = chain_find("solana")->id;
    open_ledger();
    CHECK(solana_rule(&s) == RULE_CALL);
    coin_away(&s);
    close_to(&s, &emptied, &outsider);
    CHECK(solana_rule(&s) == RULE_NONE);
    ledger_close(state.ledger);
    test_end();
}

static void payments_to_other_addresses_are_refused_on_solana(void)
{
    static const struct solana_addr third = { { 4 } };
    struct solana_addr theirs, thirds;
    struct scene s;

    solana_begin();
    theirs = held(&outsider, &some_mint);
    thirds = held(&third, &some_mint);
    s = (struct scene){ .count = 0 };
    pay_coin(&s, &third, IN);
    CHECK(solana_rule(&s) == RULE_ADDRESS);
    s = (struct scene){ .count = 0 };
    open_for(&s, &third, &some_mint); /* a token account of another owner */
    transfer_to(&s, &thirds, IN);
    CHECK(solana_rule(&s) == RULE_ADDRESS);
    s = (struct scene){ .count = 0 };
    open_for(&s, &outsider, &some_mint); /* one is opened, and another is paid */
    transfer_to(&s, &thirds, IN);
    CHECK(solana_rule(&s) == RULE_CALL);
    s = (struct scene){ .count = 0 };
    open_at(&s, &thirds, &outsider, &SOLANA_TOKEN, &some_mint); /* not where the known address has it */
    transfer_to(&s, &thirds, IN);
    CHECK(solana_rule(&s) == RULE_CALL);
    coin_away(&s);
    pay_coin(&s, &third, 1); /* a second payment */
    CHECK(solana_rule(&s) == RULE_CALL);
    token_away(&s);
    transfer_to(&s, &thirds, 1);
    CHECK(solana_rule(&s) == RULE_CALL);
    token_away(&s);
    open_for(&s, &third, &some_mint);
    CHECK(solana_rule(&s) == RULE_CALL);
    coin_away(&s);
    close_to(&s, &theirs, &third);
    CHECK(solana_rule(&s) == RULE_CALL);
    coin_for_token(&s);
    CHECK(solana_rule(&s) == RULE_CALL);
    s = (struct scene){ .count = 0 };
    pay_coin(&s, &trader, IN);
    CHECK(solana_rule(&s) == RULE_ADDRESS);
    coin_away(&s);
    solana_record.bytes[solana_record.len - 1] ^= 1;
    CHECK(solana_rule(&s) == RULE_ADDRESS);
    solana_record.bytes[solana_record.len - 1] ^= 1;
    CHECK(solana_rule(&s) == RULE_NONE);
    test_end();
}

TEST_MAIN(TEST(a_known_address_is_paid), TEST(payments_to_other_addresses_are_refused),
          TEST(nothing_but_a_plain_transfer_is_signed), TEST(other_ways_stay_closed),
          TEST(only_a_record_of_the_agent_opens), TEST(a_wallet_does_not_change_hands),
          TEST(nothing_of_a_record_can_be_changed), TEST(records_of_other_keys_are_none),
          TEST(no_time_is_shortened), TEST(an_agent_without_wallets_need_not_wait),
          TEST(a_removed_address_is_not_paid), TEST(a_removal_wants_the_record),
          TEST(two_hosts_refuse_what_was_removed), TEST(the_operators_word_spares_the_wait_for_one_address),
          TEST(the_operators_word_is_of_one_moment), TEST(a_stop_freezes_all_but_removals),
          TEST(withdrawals_count), TEST(some_addresses_are_never_allowed),
          TEST(such_addresses_are_not_paid_either), TEST(every_decision_is_recorded),
          TEST(unrecorded_answers_are_not_given), TEST(a_known_address_is_paid_on_solana),
          TEST(payments_to_other_addresses_are_refused_on_solana), TEST(wrapped_coin_does_not_pass_a_limit))
