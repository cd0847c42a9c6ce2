/* Actions at Hyperliquid through the signer: what its keys sign, and all that they do not. */
#include "signer/answer.c"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keys/test_util.h"
#include "signer/operator_file.h"
#include "signer/test_address_history.h"
#include "venue/erc20.h"
#include "venue/hyperliquid_deposit.h"

static const char OTHER[] = "0x2222222222222222222222222222222222222222";

static struct test_dir dir;
static struct keyring *ring;
static struct limits limits;
static struct signer_state state;
static char keys_path[200];

static void keys_begin(void)
{
    char why[512];

    trading_keys_close(state.trading_keys);
    snprintf(keys_path, sizeof keys_path, "%s/" TRADING_KEYS_FILE, dir.root);
    state.trading_keys = trading_keys_open(keys_path, why, sizeof why);
    CHECK(state.trading_keys != NULL);
}

/* ---- keys ---- */

struct owned {
    struct wallet_ref ref;
    uint8_t sealed[SEALED_LEN];
};
static struct owned account, trader;

static enum signer_rule last_rule;
static struct signature last_sig;

static enum signer_status answer_to(const struct signer_request *rq, struct signer_answer *an)
{
    struct buf packet = BUF_INIT(SIGNER_MAX_MESSAGE);

    signer_request_write(&packet, rq);
    signer_answer_to(an, &state, (const uint8_t *)packet.data, packet.len);
    buf_free(&packet);
    last_rule = an->rule;
    last_sig = an->sig;
    return an->status;
}

static struct owned key_for(struct wallet_ref w)
{
    const struct signer_request rq = { .op = SIGNER_CREATE, .wallet = w };
    struct owned k = { .ref = w };
    struct signer_answer an;

    CHECK(answer_to(&rq, &an) == SIGNER_OK);
    snprintf(k.ref.address, sizeof k.ref.address, "%s", an.address);
    memcpy(k.sealed, an.sealed, sizeof k.sealed);
    return k;
}

/* A key of this wallet's number, for the agent of that number. */
static struct owned key_made(enum wallet_kind kind, uint8_t wallet, uint8_t agent)
{
    struct wallet_ref w = { .kind = kind };

    memset(w.wallet.bytes, wallet, UUID_LEN);
    memset(w.agent.bytes, agent, UUID_LEN);
    return key_for(w);
}

static void begin(void)
{
    char why[512];

    CHECK(secrets_init() && sign_init());
    test_dir_make(&dir);
    CHECK(keyring_create(dir.keys, why, sizeof why));
    ring = keyring_load(dir.keys, why, sizeof why);
    limits = (struct limits){ .count = 0 };
    state = (struct signer_state){
        .keyring = ring, .limits = &limits, .kill_switch = -1, .hyperliquid.trading = true
    };
    test_clocks_begin();
    state.wallets = test_wallets_open(&dir);
    state.history = test_history_open(&dir, 1);
    keys_begin();
    account = key_made(WALLET_EVM, 1, 2);
    trader = key_made(WALLET_TRADING, 1, 2);
}

static void end(void)
{
    trading_keys_close(state.trading_keys);
    history_free(state.history);
    (void)close(state.wallets);
    keyring_free(ring);
    test_dir_remove(&dir);
}

/* ---- asking ---- */

static void show(struct signer_request *rq, const struct owned *far)
{
    rq->has_far_wallet = true;
    rq->far_wallet = far->ref;
    memcpy(rq->far_sealed, far->sealed, SEALED_LEN);
}

/* The status of what the key is asked for, with the record of another shown, unless that is NULL. */
static enum signer_status asked_beside(const struct owned *k, const struct hyperliquid_action *a,
                                       const struct owned *far)
{
    struct signer_request rq = { .op = SIGNER_SIGN_ACTION, .wallet = k->ref };
    struct buf payload = BUF_INIT(HYPERLIQUID_MESSAGE_MAX);
    enum signer_status status;
    struct signer_answer an;

    memcpy(rq.sealed, k->sealed, SEALED_LEN);
    if (far != NULL)
        show(&rq, far);
    hyperliquid_message_write(&payload, a);
    rq.payload = (const uint8_t *)payload.data;
    rq.payload_len = payload.len;
    status = answer_to(&rq, &an);
    buf_free(&payload);
    return status;
}

static enum signer_status asked(const struct owned *k, const struct hyperliquid_action *a)
{
    return asked_beside(k, a, NULL);
}

static bool refused(const struct owned *k, const struct hyperliquid_action *a)
{
    return asked(k, a) == SIGNER_REFUSED && last_rule == RULE_CALL && last_sig.len == 0;
}

static bool is_signed_by(const struct owned *k, const struct hyperliquid_action *a)
{
    uint8_t digest[HASH_LEN], pub[65];
    char address[EVM_ADDR_TEXT_LEN + 1];

    hyperliquid_action_digest(digest, a);
    if (last_sig.len != 65 || !sign_secp256k1_recover(pub, digest, last_sig.bytes))
        return false;
    evm_addr_text(address, evm_addr_of_pubkey(pub));
    return strcmp(address, k->ref.address) == 0;
}

/* ---- actions ---- */

enum { DOLLAR = 100000000 }; /* of 10^-8; so a whole coin */

/* 10 coins at 20 dollars. */
static struct hyperliquid_action order(uint64_t nonce)
{
    struct hyperliquid_action a = { .kind = HYPERLIQUID_ORDER, .nonce = nonce, .count = 1 };

    a.orders[0] = (struct hyperliquid_order){
        .asset = 1, .buy = true, .price = 20ull * DOLLAR, .size = 10ull * DOLLAR
    };
    return a;
}

static struct hyperliquid_action transfer(enum hyperliquid_kind kind, uint64_t amount)
{
    struct hyperliquid_action a = { .kind = kind, .nonce = 7 };

    a.transfer = (struct hyperliquid_transfer){
        .amount = amount, .recipient = evm_addr_or_zero(account.ref.address), .domain = 3, .gas_limit = 200000
    };
    return a;
}

static struct hyperliquid_action approval(const struct owned *key, uint64_t nonce)
{
    struct hyperliquid_action a = { .kind = HYPERLIQUID_APPROVE, .nonce = nonce };

    a.approval = (struct hyperliquid_approval){ .name = "gateway", .valid_until = 1805552000123 };
    a.approval.key = evm_addr_or_zero(key->ref.address);
    return a;
}

/* ---- trading keys ---- */

static void a_trading_key_trades(void)
{
    struct hyperliquid_action a;

    begin();
    a = order(1);
    CHECK(asked(&trader, &a) == SIGNER_OK && is_signed_by(&trader, &a));
    a = (struct hyperliquid_action){ .kind = HYPERLIQUID_CANCEL, .count = 1 };
    CHECK(asked(&trader, &a) == SIGNER_OK && is_signed_by(&trader, &a));
    a = (struct hyperliquid_action){ .kind = HYPERLIQUID_LEVERAGE, .leverage = { 1, true, 5 } };
    CHECK(asked(&trader, &a) == SIGNER_OK && is_signed_by(&trader, &a));
    a = (struct hyperliquid_action){ .kind = HYPERLIQUID_SCHEDULE, .schedule = 1790000000000 };
    CHECK(asked(&trader, &a) == SIGNER_OK && is_signed_by(&trader, &a));
    a = (struct hyperliquid_action){ .kind = HYPERLIQUID_NOOP, .nonce = 9 };
    CHECK(asked(&trader, &a) == SIGNER_OK && is_signed_by(&trader, &a));
    end();
}

/* And the account's own key does what it may not, and nothing else. */
static void each_key_has_its_actions(void)
{
    static const enum hyperliquid_kind transfers[] = { HYPERLIQUID_WITHDRAW, HYPERLIQUID_CLASS_TRANSFER,
                                                       HYPERLIQUID_SEND };
    struct hyperliquid_action a;

    begin();
    for (size_t i = 0; i < sizeof transfers / sizeof transfers[0]; i++) {
        a = transfer(transfers[i], 5 * DOLLAR);
        CHECK(asked(&account, &a) == SIGNER_OK && is_signed_by(&account, &a));
        CHECK(refused(&trader, &a));
        a.transfer.recipient = evm_addr_or_zero(trader.ref.address);
        CHECK(refused(&trader, &a));
    }
    a = approval(&trader, 1);
    CHECK(asked_beside(&trader, &a, &trader) == SIGNER_REFUSED);
    for (enum hyperliquid_kind kind = HYPERLIQUID_ORDER; kind <= HYPERLIQUID_NOOP; kind++) {
        a = order(1);
        a.kind = kind;
        CHECK(refused(&account, &a) && asked(&trader, &a) == SIGNER_OK);
    }
    end();
}

static enum signer_status asked_for_bytes(const struct owned *k, enum signer_op op, const struct buf *payload)
{
    struct signer_request rq = { .op = op, .wallet = k->ref };
    struct signer_answer an;

    memcpy(rq.sealed, k->sealed, SEALED_LEN);
    rq.payload = (const uint8_t *)payload->data;
    rq.payload_len = payload->len;
    return answer_to(&rq, &an);
}

/* No transaction, not even an empty one to itself, and no message of another venue; nor does it pass for the
 * wallet's own key, or the other way round. */
static void a_trading_key_signs_nothing_else(void)
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = 1, .gas_limit = 21000 };
    struct polymarket_message m = { .kind = POLYMARKET_AUTH, .auth_timestamp = 1 };
    struct buf b = BUF_INIT(MAX_TX);
    struct hyperliquid_action a;
    struct owned posed;

    begin();
    state.polymarket.trading = true;
    CHECK(evm_addr_parse(&tx.to, trader.ref.address));
    evm_tx_unsigned(&b, &tx);
    CHECK(asked_for_bytes(&trader, SIGNER_SIGN, &b) == SIGNER_REFUSED && last_rule == RULE_WALLET);
    posed = trader;
    posed.ref.kind = WALLET_EVM;
    CHECK(asked_for_bytes(&posed, SIGNER_SIGN, &b) == SIGNER_REFUSED && last_rule == RULE_WALLET);
    buf_reset(&b);
    polymarket_message_write(&b, &m);
    CHECK(asked_for_bytes(&trader, SIGNER_SIGN_MESSAGE, &b) == SIGNER_REFUSED && last_rule == RULE_WALLET);
    CHECK(asked_for_bytes(&account, SIGNER_SIGN_MESSAGE, &b) == SIGNER_OK);
    buf_free(&b);
    posed = account;
    posed.ref.kind = WALLET_TRADING;
    a = order(1);
    CHECK(asked(&posed, &a) == SIGNER_REFUSED && last_rule == RULE_WALLET);
    posed = trader;
    posed.ref.wallet.bytes[0] ^= 1;
    CHECK(asked(&posed, &a) == SIGNER_REFUSED && last_rule == RULE_WALLET);
    posed = trader;
    posed.ref.agent.bytes[0] ^= 1;
    CHECK(asked(&posed, &a) == SIGNER_REFUSED && last_rule == RULE_WALLET);
    end();
}

static void actions_are_signed_by_their_operation_only(void)
{
    struct signer_request rq = { .op = SIGNER_SIGN_ACTION, .wallet = { .kind = WALLET_TRADING } };
    struct buf payload = BUF_INIT(HYPERLIQUID_MESSAGE_MAX);
    struct hyperliquid_action a = { .kind = HYPERLIQUID_NOOP };
    static const uint8_t proof[] = { 1 };
    struct signer_answer an;

    begin();
    hyperliquid_message_write(&payload, &a);
    CHECK(asked_for_bytes(&trader, SIGNER_SIGN_ACTION, &payload) == SIGNER_OK);
    CHECK(asked_for_bytes(&account, SIGNER_SIGN, &payload) == SIGNER_BAD_MESSAGE);
    CHECK(asked_for_bytes(&account, SIGNER_SIGN_MESSAGE, &payload) == SIGNER_BAD_MESSAGE);
    rq.wallet = trader.ref;
    memcpy(rq.sealed, trader.sealed, SEALED_LEN);
    rq.payload = (const uint8_t *)payload.data;
    rq.payload_len = payload.len;
    rq.proof = proof;
    rq.proof_len = sizeof proof;
    CHECK(answer_to(&rq, &an) == SIGNER_BAD_MESSAGE);
    rq.proof_len = 0;
    rq.family = CHAIN_SOLANA;
    CHECK(answer_to(&rq, &an) == SIGNER_REFUSED);
    buf_free(&payload);
    end();
}

static void orders_are_for_perpetuals_and_for_something(void)
{
    struct hyperliquid_action a;

    begin();
    a = order(1);
    a.orders[0].asset = HYPERLIQUID_SPOT_ASSETS - 1;
    CHECK(asked(&trader, &a) == SIGNER_OK);
    a.orders[1] = a.orders[0];
    a.count = 2;
    a.orders[1].asset = HYPERLIQUID_SPOT_ASSETS;
    CHECK(refused(&trader, &a));
    a.orders[1].asset = 110003; /* of a builder's own exchange */
    CHECK(refused(&trader, &a));
    a = order(1);
    a.orders[0].price = 0;
    CHECK(refused(&trader, &a));
    a = order(1);
    a.orders[0].size = 0;
    CHECK(refused(&trader, &a));
    a.orders[0].kind = HYPERLIQUID_STOP_LOSS;
    a.orders[0].trigger_price = DOLLAR;
    a.orders[0].reduce_only = true;
    CHECK(refused(&trader, &a));
    a.grouping = HYPERLIQUID_OF_A_POSITION;
    CHECK(asked(&trader, &a) == SIGNER_OK);
    a.orders[0].reduce_only = false;
    CHECK(refused(&trader, &a));
    a.orders[0].reduce_only = true;
    a.orders[0].trigger_price = 0;
    CHECK(refused(&trader, &a));
    a = (struct hyperliquid_action){ .kind = HYPERLIQUID_CANCEL, .count = 2 };
    a.cancels[1].asset = HYPERLIQUID_SPOT_ASSETS;
    CHECK(refused(&trader, &a));
    a = (struct hyperliquid_action){ .kind = HYPERLIQUID_LEVERAGE,
                                     .leverage.asset = HYPERLIQUID_SPOT_ASSETS };
    CHECK(refused(&trader, &a));
    end();
}

static void only_as_the_operator_has_set(void)
{
    struct hyperliquid_action a, t;

    begin();
    a = order(1);
    t = transfer(HYPERLIQUID_WITHDRAW, DOLLAR);
    state.hyperliquid.trading = false;
    CHECK(refused(&trader, &a) && refused(&account, &t));
    state.hyperliquid = (struct hyperliquid_terms){ .trading = true, .testnet = true };
    CHECK(refused(&trader, &a) && refused(&account, &t));
    a.testnet = t.testnet = true;
    CHECK(asked(&trader, &a) == SIGNER_OK && asked(&account, &t) == SIGNER_OK);
    limits.some_chains = true; /* of chains, none of which this is */
    CHECK(asked(&trader, &a) == SIGNER_OK && asked(&account, &t) == SIGNER_OK);
    end();
}

static void the_kill_switch_stops_all(void)
{
    struct hyperliquid_action a;
    char file[200];

    begin();
    a = order(1);
    snprintf(file, sizeof file, "%s/stop", dir.root);
    state.kill_switch = operator_file_open(file);
    CHECK(asked(&trader, &a) == SIGNER_OK);
    CHECK(pwrite(state.kill_switch, "stop\n", 5, 0) == 5);
    CHECK(asked(&trader, &a) == SIGNER_LIMITED && last_rule == RULE_STOPPED);
    a = approval(&trader, 1);
    CHECK(asked_beside(&account, &a, &trader) == SIGNER_LIMITED);
    (void)close(state.kill_switch);
    end();
}

/* ---- transfers out of the account ---- */

static void withdrawals_are_for_the_wallet(void)
{
    static const enum hyperliquid_kind kinds[] = { HYPERLIQUID_WITHDRAW, HYPERLIQUID_SEND };
    struct hyperliquid_action a;

    begin();
    for (size_t i = 0; i < 2; i++) {
        a = transfer(kinds[i], DOLLAR);
        CHECK(asked(&account, &a) == SIGNER_OK && is_signed_by(&account, &a));
        a.transfer.recipient.bytes[19] ^= 1;
        CHECK(refused(&account, &a));
        a.transfer.recipient = evm_addr_or_zero(OTHER);
        CHECK(refused(&account, &a));
        a.transfer.recipient = evm_addr_or_zero(trader.ref.address);
        CHECK(refused(&account, &a));
        a = transfer(kinds[i], 0);
        CHECK(refused(&account, &a));
    }
    a = transfer(HYPERLIQUID_CLASS_TRANSFER, 0);
    CHECK(refused(&account, &a));
    a = transfer(HYPERLIQUID_SEND, DOLLAR);
    for (uint32_t domain = 0; domain < 30; domain++) {
        a.transfer.domain = domain;
        CHECK((asked(&account, &a) == SIGNER_OK) == (domain == 0 || domain == 3 || domain == 6));
    }
    end();
}

/* ---- approvals ---- */

static void own_trading_keys_are_approved(void)
{
    struct hyperliquid_action a;

    begin();
    a = approval(&trader, 1);
    CHECK(asked_beside(&account, &a, &trader) == SIGNER_OK && is_signed_by(&account, &a));
    end();
}

static bool not_approved(const struct owned *key, const struct owned *shown, enum signer_rule rule)
{
    struct hyperliquid_action a = approval(key, 1);

    return asked_beside(&account, &a, shown) == SIGNER_REFUSED && last_rule == rule;
}

/* Foreign keys are refused, and nothing of them is stored. */
static void foreign_keys_are_not(void)
{
    struct owned stranger = { .ref.address = "0x2222222222222222222222222222222222222222" }, second, wallet,
                 posed, other_wallets, other_agents;
    struct hyperliquid_action a;
    uint8_t kept[64];
    int fd;

    begin();
    second = key_made(WALLET_TRADING, 1, 2);
    wallet = key_made(WALLET_EVM, 3, 2);
    other_wallets = key_made(WALLET_TRADING, 3, 2);
    other_agents = key_made(WALLET_TRADING, 1, 4);
    CHECK(not_approved(&stranger, NULL, RULE_CALL));
    CHECK(not_approved(&trader, NULL, RULE_CALL));
    CHECK(not_approved(&stranger, &trader, RULE_CALL));
    CHECK(not_approved(&second, &trader, RULE_CALL));
    CHECK(not_approved(&wallet, &wallet, RULE_WALLET));
    CHECK(not_approved(&account, &account, RULE_WALLET));
    CHECK(not_approved(&other_wallets, &other_wallets, RULE_WALLET));
    CHECK(not_approved(&other_agents, &other_agents, RULE_WALLET));
    posed = other_wallets;
    posed.ref.wallet = account.ref.wallet;
    CHECK(not_approved(&posed, &posed, RULE_WALLET));
    posed = wallet;
    posed.ref.kind = WALLET_TRADING;
    posed.ref.wallet = account.ref.wallet;
    CHECK(not_approved(&posed, &posed, RULE_WALLET));
    posed = trader;
    posed.sealed[SEALED_LEN - 1] ^= 1;
    CHECK(not_approved(&trader, &posed, RULE_WALLET));
    posed = trader;
    (void)snprintf(posed.ref.address, sizeof posed.ref.address, "%s", OTHER);
    CHECK(not_approved(&stranger, &posed, RULE_WALLET));
    fd = open(keys_path, O_RDONLY);
    CHECK(read(fd, kept, sizeof kept) == 0);
    (void)close(fd);
    a = approval(&trader, 1);
    CHECK(asked_beside(&account, &a, &trader) == SIGNER_OK); /* after all that */
    end();
}

/* A record of a trading key shows neither whom a bridge pays nor anything that an order needs. */
static void records_are_shown_for_approvals_alone(void)
{
    struct hyperliquid_action a;
    struct buf raw = BUF_INIT(MAX_TX);
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = 1, .gas_limit = 21000 };
    struct signer_request rq = { .op = SIGNER_SIGN };
    struct signer_answer an;

    begin();
    a = transfer(HYPERLIQUID_WITHDRAW, DOLLAR);
    CHECK(asked_beside(&account, &a, &trader) == SIGNER_REFUSED);
    CHECK(evm_addr_parse(&tx.to, account.ref.address));
    evm_tx_unsigned(&raw, &tx);
    rq.wallet = account.ref;
    memcpy(rq.sealed, account.sealed, SEALED_LEN);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    CHECK(answer_to(&rq, &an) == SIGNER_OK);
    show(&rq, &trader);
    CHECK(answer_to(&rq, &an) == SIGNER_REFUSED && last_rule == RULE_WALLET);
    buf_free(&raw);
    end();
}

/* The same words again are the same approval; any others would bring back what the key once signed. */
static void an_address_is_approved_once(void)
{
    struct hyperliquid_action a, b;
    struct owned second;

    begin();
    second = key_made(WALLET_TRADING, 1, 2);
    a = approval(&trader, 1);
    CHECK(asked_beside(&account, &a, &trader) == SIGNER_OK);
    CHECK(asked_beside(&account, &a, &trader) == SIGNER_OK && is_signed_by(&account, &a));
    b = approval(&trader, 2);
    CHECK(asked_beside(&account, &b, &trader) == SIGNER_REFUSED && last_rule == RULE_CALL);
    b = a;
    b.approval.valid_until++;
    CHECK(asked_beside(&account, &b, &trader) == SIGNER_REFUSED);
    b = a;
    b.approval.name[0] = 'h';
    CHECK(asked_beside(&account, &b, &trader) == SIGNER_REFUSED);
    b = approval(&second, 2);
    CHECK(asked_beside(&account, &b, &second) == SIGNER_OK);
    keys_begin(); /* as a signer that starts anew */
    b.nonce++;
    CHECK(asked_beside(&account, &b, &second) == SIGNER_REFUSED);
    b.nonce--;
    CHECK(asked_beside(&account, &b, &second) == SIGNER_OK);
    CHECK(asked_beside(&account, &a, &trader) == SIGNER_OK);
    end();
}

static void unrecorded_keys_are_not_approved(void)
{
    struct hyperliquid_action a;

    begin();
    a = approval(&trader, 1);
    trading_keys_close(state.trading_keys);
    state.trading_keys = NULL;
    CHECK(asked_beside(&account, &a, &trader) == SIGNER_FAILED && last_sig.len == 0);
    end();
}

/* ---- keys and their files ---- */

/* No wallet is in the file of wallets that is none, and an agent whose only key trades is new. */
static void trading_keys_are_no_wallets(void)
{
    struct stat before, after;
    struct owned k;
    struct uuid agent;

    begin();
    memset(agent.bytes, 9, UUID_LEN);
    CHECK(fstat(state.wallets, &before) == 0);
    k = key_made(WALLET_TRADING, 5, 9);
    CHECK(fstat(state.wallets, &after) == 0 && after.st_size == before.st_size);
    CHECK(strcmp(k.ref.address, trader.ref.address) != 0 && history_is_new(state.history, agent));
    (void)key_made(WALLET_EVM, 5, 9);
    CHECK(!history_is_new(state.history, agent));
    end();
}

/* ---- limits ---- */

static struct limit *dollars(bool withdrawn)
{
    struct limit *row = &limits.rows[limits.count++];

    *row = (struct limit){ .chain_id = HYPERLIQUID_CHAIN_ID,
                           .token = HYPERLIQUID_DOLLAR,
                           .withdrawn = withdrawn };
    return row;
}

static void ledger_begin(void)
{
    char file[200], why[512];

    snprintf(file, sizeof file, "%s/ledger", dir.root);
    state.ledger = ledger_open(file, &limits, clock_seconds(), why, sizeof why);
    CHECK(state.ledger != NULL);
}

static void ledger_end(void)
{
    ledger_close(state.ledger);
    end();
}

static bool over(const struct owned *k, const struct hyperliquid_action *a, enum signer_rule rule)
{
    return asked(k, a) == SIGNER_LIMITED && last_rule == rule;
}

static void orders_have_a_limit_each(void)
{
    struct hyperliquid_action a;
    struct limit *row;

    begin();
    row = dollars(false);
    row->per_tx = true;
    row->tx_max = u256_from_u64(200000000);
    a = order(1);
    CHECK(asked(&trader, &a) == SIGNER_OK);
    a.orders[0].price++;
    CHECK(over(&trader, &a, RULE_TX_MAX));
    a.orders[0].buy = false;
    CHECK(over(&trader, &a, RULE_TX_MAX));
    a.orders[0].reduce_only = true; /* opens nothing */
    CHECK(asked(&trader, &a) == SIGNER_OK);
    a = order(1);
    a.orders[1] = a.orders[0];
    a.orders[1].reduce_only = true;
    a.orders[1].kind = HYPERLIQUID_TAKE_PROFIT;
    a.orders[1].trigger_price = a.orders[1].price;
    a.grouping = HYPERLIQUID_PARENT_FIRST;
    a.count = 2;
    CHECK(asked(&trader, &a) == SIGNER_OK);
    a.orders[1].reduce_only = false; /* opens something once it is triggered */
    CHECK(over(&trader, &a, RULE_TX_MAX));
    a.orders[0].price = a.orders[0].size = UINT64_MAX;
    CHECK(over(&trader, &a, RULE_TX_MAX));
    a = transfer(HYPERLIQUID_WITHDRAW, 900ull * DOLLAR);
    CHECK(asked(&account, &a) == SIGNER_OK);
    end();
}

/* The same order again is the same order. A part of the smallest unit counts as one. */
static void orders_have_a_limit_of_a_day(void)
{
    struct hyperliquid_action a;
    struct limit *row;

    begin();
    row = dollars(false);
    row->per_day = true;
    row->day_max = u256_from_u64(400000001);
    a = order(1);
    CHECK(over(&trader, &a, RULE_DAY_MAX)); /* there is no ledger */
    ledger_begin();
    for (int i = 0; i < 3; i++)
        CHECK(asked(&trader, &a) == SIGNER_OK);
    a = order(2);
    CHECK(asked(&trader, &a) == SIGNER_OK);
    a = order(3);
    a.orders[0].price = a.orders[0].size = 1;
    CHECK(asked(&trader, &a) == SIGNER_OK);
    a.nonce = 4;
    CHECK(over(&trader, &a, RULE_DAY_MAX));
    a = order(5);
    a.orders[0].reduce_only = true;
    CHECK(asked(&trader, &a) == SIGNER_OK);
    a = (struct hyperliquid_action){ .kind = HYPERLIQUID_CANCEL, .count = 1 };
    CHECK(asked(&trader, &a) == SIGNER_OK);
    clock_fake_ms(clock_ms() + 86400000);
    a = order(6);
    CHECK(asked(&trader, &a) == SIGNER_OK);
    clock_fake_ms(0);
    ledger_end();
}

static void withdrawals_have_a_limit_of_a_day(void)
{
    struct hyperliquid_action a;
    struct limit *row;

    begin();
    row = dollars(true);
    row->per_day = true;
    row->day_max = u256_from_u64(10000000);
    ledger_begin();
    a = transfer(HYPERLIQUID_WITHDRAW, 6ull * DOLLAR);
    CHECK(asked(&account, &a) == SIGNER_OK && asked(&account, &a) == SIGNER_OK);
    a = transfer(HYPERLIQUID_SEND, 4ull * DOLLAR + 1);
    CHECK(over(&account, &a, RULE_WITHDRAW_DAY_MAX));
    a.transfer.amount--;
    CHECK(asked(&account, &a) == SIGNER_OK);
    a = transfer(HYPERLIQUID_WITHDRAW, 1);
    CHECK(over(&account, &a, RULE_WITHDRAW_DAY_MAX));
    a = transfer(HYPERLIQUID_CLASS_TRANSFER, 900ull * DOLLAR);
    CHECK(asked(&account, &a) == SIGNER_OK);
    a = order(1);
    CHECK(asked(&trader, &a) == SIGNER_OK);
    ledger_end();
}

/* By the bridge, for which there is no allowance, a deposit counts; by CCTP its allowance does. */
static enum signer_status deposit(const char *chain, const char *to, const struct buf *data)
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = chain_find(chain)->id, .gas_limit = 90000 };
    static uint64_t nonce;
    struct buf raw = BUF_INIT(MAX_TX);
    enum signer_status status;

    tx.nonce = ++nonce;
    tx.to = evm_addr_or_zero(to);
    tx.data = (const uint8_t *)data->data;
    tx.data_len = data->len;
    evm_tx_unsigned(&raw, &tx);
    status = asked_for_bytes(&account, SIGNER_SIGN, &raw);
    buf_free(&raw);
    return status;
}

static void deposits_count_where_the_token_leaves(void)
{
    static const char usdc[] = "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
                      bridge[] = "0x2Df1c51E09aECF9cacB7bc98cB1742757f163dF7",
                      messenger[] = "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d";
    struct hyperliquid_burn burn = { .token = evm_addr_or_zero(usdc), .amount = u256_from_u64(6000000) };
    struct buf data = BUF_INIT(1024);
    struct limit *row;

    begin();
    row = dollars(false);
    row->chain_id = chain_find("arbitrum")->id;
    (void)snprintf(row->token, sizeof row->token, "%s", usdc);
    row->per_day = row->per_tx = true;
    row->tx_max = u256_from_u64(6000000);
    row->day_max = u256_from_u64(12000000);
    ledger_begin();
    erc20_transfer(&data, evm_addr_or_zero(bridge), u256_from_u64(6000000));
    CHECK(deposit("arbitrum", usdc, &data) == SIGNER_OK);
    buf_reset(&data);
    burn.recipient = evm_addr_or_zero(account.ref.address);
    hyperliquid_burn_write(&data, &burn);
    CHECK(deposit("arbitrum", messenger, &data) == SIGNER_OK);
    buf_reset(&data);
    erc20_approve(&data, evm_addr_or_zero(messenger), burn.amount);
    CHECK(deposit("arbitrum", usdc, &data) == SIGNER_OK);
    buf_reset(&data);
    erc20_transfer(&data, evm_addr_or_zero(bridge), u256_from_u64(5000001));
    CHECK(deposit("arbitrum", usdc, &data) == SIGNER_LIMITED && last_rule == RULE_DAY_MAX);
    buf_reset(&data);
    burn.amount = u256_from_u64(6000001);
    hyperliquid_burn_write(&data, &burn);
    CHECK(deposit("arbitrum", messenger, &data) == SIGNER_LIMITED && last_rule == RULE_TX_MAX);
    buf_free(&data);
    ledger_end();
}

/* ---- the audit file ---- */

static void check_line(FILE *f, const char *const *members)
{
    char line[2048];
    json_t *row;

    CHECK(fgets(line, sizeof line, f) != NULL);
    row = json_loads(line, 0, NULL);
    for (; members[0] != NULL; members += 2) {
        if (members[1] == NULL)
            CHECK(json_object_get(row, members[0]) == NULL);
        else
            CHECK_STR(test_text(row, members[0]), members[1]);
    }
    json_decref(row);
}

static void each_action_is_recorded(void)
{
    struct hyperliquid_action a;
    char file[200], why[512];
    FILE *f;

    begin();
    snprintf(file, sizeof file, "%s/audit.log", dir.root);
    state.audit_log = audit_log_open(file, why, sizeof why);
    CHECK(state.audit_log != NULL);
    (void)key_made(WALLET_TRADING, 1, 2);
    a = order(1);
    CHECK(asked(&trader, &a) == SIGNER_OK);
    a = approval(&trader, 1);
    CHECK(asked_beside(&account, &a, &trader) == SIGNER_OK && asked(&account, &a) == SIGNER_REFUSED);
    a = transfer(HYPERLIQUID_WITHDRAW, 6ull * DOLLAR);
    CHECK(asked(&account, &a) == SIGNER_OK);
    a = (struct hyperliquid_action){ .kind = HYPERLIQUID_NOOP };
    CHECK(asked(&account, &a) == SIGNER_REFUSED);
    audit_log_close(state.audit_log);
    f = fopen(file, "r");
    CHECK(f != NULL);
    check_line(f, (const char *[]){ "decision", "created", "wallet", NULL, NULL });
    check_line(f, (const char *[]){ "decision", "signed", "wallet", trader.ref.address, "action", "order",
                                    "token", "USDC", "amount", "200000000", "to", NULL, NULL });
    check_line(f,
               (const char *[]){ "decision", "signed", "wallet", account.ref.address, "action",
                                 "approveAgent", "trading_key", trader.ref.address, "amount", NULL, NULL });
    check_line(
        f, (const char *[]){ "decision", "refused", "reason", "not the trading key that was shown", NULL });
    check_line(f, (const char *[]){ "decision", "signed", "action", "withdraw3", "amount", "6000000", NULL });
    check_line(f, (const char *[]){ "decision", "refused", "action", "noop", "reason",
                                    "only a trading key trades", NULL });
    fclose(f);
    end();
}

TEST_MAIN(TEST(a_trading_key_trades), TEST(each_key_has_its_actions), TEST(a_trading_key_signs_nothing_else),
          TEST(actions_are_signed_by_their_operation_only), TEST(orders_are_for_perpetuals_and_for_something),
          TEST(only_as_the_operator_has_set), TEST(the_kill_switch_stops_all),
          TEST(withdrawals_are_for_the_wallet), TEST(own_trading_keys_are_approved),
          TEST(foreign_keys_are_not), TEST(records_are_shown_for_approvals_alone),
          TEST(an_address_is_approved_once), TEST(unrecorded_keys_are_not_approved),
          TEST(trading_keys_are_no_wallets), TEST(orders_have_a_limit_each),
          TEST(orders_have_a_limit_of_a_day), TEST(withdrawals_have_a_limit_of_a_day),
          TEST(deposits_count_where_the_token_leaves), TEST(each_action_is_recorded))
