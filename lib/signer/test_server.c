#include "signer/server.c"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "keys/test_util.h"
#include "signer/client.h"

static struct test_dir dir;
static char path[160];
static struct keyring *ring;
static struct limits limits; /* none, until a test sets some */
static struct signer_state state;
static int listen_fd = -1;
static pid_t server;

static void start_server(const unsigned *uids, size_t nuids)
{
    sigset_t term, before;

    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, &before); /* the child may be told to end before it serves */
    server = fork();
    if (server != 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    if (freopen("/dev/null", "w", stderr) == NULL) /* refusals are logged; here they are wanted */
        _exit(1);
    _exit(signer_serve(listen_fd, &state, uids, nuids, NULL) == 0 ? 0 : 1);
}

static void stop_server(void)
{
    int status = -1;

    CHECK(kill(server, SIGTERM) == 0);
    CHECK(waitpid(server, &status, 0) == server && status == 0);
}

static void begin_for(const unsigned *uids, size_t nuids)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    char why[512];

    CHECK(secrets_init() && sign_init());
    test_dir_make(&dir);
    CHECK(keyring_create(dir.keys, why, sizeof why));
    ring = keyring_load(dir.keys, why, sizeof why);
    limits = (struct limits){ .count = 0 };
    state = (struct signer_state){ .keyring = ring, .limits = &limits, .kill_switch = -1 };
    snprintf(path, sizeof path, "%s/socket", dir.root);
    snprintf(addr.sun_path, sizeof addr.sun_path, "%.100s", path);
    listen_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK(bind(listen_fd, (struct sockaddr *)&addr, sizeof addr) == 0 && listen(listen_fd, 128) == 0);
    CHECK(chmod(path, 0666) == 0 && chmod(dir.root, 0711) == 0);
    start_server(uids, nuids);
}

static void begin(void)
{
    const unsigned own = geteuid();

    begin_for(&own, 1);
}

static void end(void)
{
    stop_server();
    close(listen_fd);
    keyring_free(ring);
    test_dir_remove(&dir);
}

/* The machine may be busy: what is tested is the answer. */
static enum signer_status sign_patiently(struct signer *s, const struct wallet_ref *w, const uint8_t *sealed,
                                         const uint8_t *tx, size_t n, uint8_t sig[static 65])
{
    enum signer_status status = SIGNER_AWAY;

    for (int i = 0; i < 20 && status == SIGNER_AWAY; i++)
        status = signer_sign_evm(s, w, sealed, tx, n, sig);
    return status;
}

static enum signer_status ping_patiently(struct signer *s)
{
    enum signer_status status = SIGNER_AWAY;

    for (int i = 0; i < 20 && status == SIGNER_AWAY; i++)
        status = signer_ping(s, NULL);
    return status;
}

static void sign_row(const json_t *row)
{
    static uint8_t tx[MAX_TX];
    struct signer_request rq = { .op = SIGNER_EVM, .wallet = test_wallet(test_text(row, "from")) };
    struct job j = { .state = &state, .rq = &rq, .why = NULL };
    struct secret *key = test_key(row);
    uint8_t want[65], got[65] = { 0 };
    size_t n = 0;

    CHECK(hex_decode_0x(tx, sizeof tx, &n, test_text(row, "unsigned_raw")));
    CHECK(test_bytes(want, 32, row, "r") && test_bytes(want + 32, 32, row, "s"));
    want[64] = (uint8_t)json_integer_value(json_object_get(row, "y_parity"));
    CHECK(evm_tx_decode_unsigned(&j.tx, tx, n));
    keccak256(j.digest, tx, n);
    CHECK(sign_with(got, &j, key) == SIGNER_OK && memcmp(got, want, sizeof got) == 0);
    secret_free(key);
}

static void transactions_of_the_vectors(void)
{
    json_t *vectors = test_vectors(), *row;
    size_t i, tried = 0;

    begin();
    json_array_foreach(json_object_get(vectors, "transactions"), i, row)
    {
        sign_row(row);
        tried++;
    }
    CHECK(tried == 80);
    json_decref(vectors);
    end();
}

/* What fills a nonce: allowed for every wallet. */
static struct evm_tx plain_tx(const struct wallet_ref *w)
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = 1, .nonce = 7, .gas_limit = 21000 };

    (void)evm_addr_parse(&tx.to, w->address);
    tx.max_fee = u256_from_u64(1000000000);
    return tx;
}

static void created_wallets_sign(void)
{
    struct evm_tx tx;
    struct buf raw = BUF_INIT(MAX_TX);
    struct wallet_ref w = test_wallet(""), other;
    uint8_t sealed[SEALED_LEN], sig[65], pub[65], digest[HASH_LEN];
    char signer_address[WALLET_ADDR_MAX];
    struct signer *s;

    begin();
    s = signer_new(path);
    CHECK(signer_create(s, &w, sealed) == SIGNER_OK && strlen(w.address) == EVM_ADDR_TEXT_LEN);
    tx = plain_tx(&w);
    evm_tx_unsigned(&raw, &tx);
    CHECK(sign_patiently(s, &w, sealed, (uint8_t *)raw.data, raw.len, sig) == SIGNER_OK);
    keccak256(digest, raw.data, raw.len);
    CHECK(sign_secp256k1_recover(pub, digest, sig));
    evm_addr_text(signer_address, evm_addr_of_pubkey(pub));
    CHECK_STR(signer_address, w.address);

    other = w;
    CHECK(signer_create(s, &other, sealed) == SIGNER_OK && strcmp(other.address, w.address) != 0);
    CHECK(sign_patiently(s, &w, sealed, (uint8_t *)raw.data, raw.len, sig) == SIGNER_REFUSED);
    signer_free(s);
    buf_free(&raw);
    end();
}

/* Such a wallet's key is there, sealed for its address, and signs no EVM transaction. */
static void solana_wallets_are_made(void)
{
    struct wallet_ref w = test_wallet(""), second = test_wallet("");
    uint8_t sealed[SEALED_LEN], other[SEALED_LEN], sig[65];
    struct evm_tx tx = plain_tx(&w);
    struct buf raw = BUF_INIT(MAX_TX);
    struct solana_addr address, own;
    struct secret *seed;
    struct signer *s;

    begin();
    s = signer_new(path);
    evm_tx_unsigned(&raw, &tx);
    w.kind = second.kind = WALLET_SOLANA;
    CHECK(signer_create(s, &w, sealed) == SIGNER_OK && signer_create(s, &second, other) == SIGNER_OK);
    CHECK(strcmp(w.address, second.address) != 0);
    seed = seal_open(sealed, ring, &w);
    CHECK(seed != NULL && ed25519_pubkey(own.bytes, seed) && solana_addr_parse(&address, w.address));
    CHECK(memcmp(&address, &own, sizeof own) == 0);
    CHECK(seal_open(other, ring, &w) == NULL);
    CHECK(sign_patiently(s, &w, sealed, (uint8_t *)raw.data, raw.len, sig) == SIGNER_REFUSED);
    secret_free(seed);
    signer_free(s);
    buf_free(&raw);
    end();
}

/* --- Without a socket --- */

static struct wallet_ref fixed_wallet;
static uint8_t fixed_sealed[SEALED_LEN];

static enum signer_status status_of(const struct wallet_ref *w, const struct evm_tx *tx)
{
    struct buf raw = BUF_INIT(MAX_TX), packet = BUF_INIT(SIGNER_MAX_MESSAGE);
    struct signer_request rq = { .op = SIGNER_EVM, .wallet = *w };
    struct signer_answer an;

    evm_tx_unsigned(&raw, tx);
    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    signer_request_write(&packet, &rq);
    signer_answer_to(&an, &state, (const uint8_t *)packet.data, packet.len);
    buf_free(&packet);
    buf_free(&raw);
    return an.status;
}

static void begin_with_wallet(void)
{
    struct signer_request rq = { .op = SIGNER_CREATE, .wallet = test_wallet("") };
    struct buf packet = BUF_INIT(SIGNER_MAX_MESSAGE);
    struct signer_answer an;

    begin();
    signer_request_write(&packet, &rq);
    signer_answer_to(&an, &state, (const uint8_t *)packet.data, packet.len);
    CHECK(an.status == SIGNER_OK);
    fixed_wallet = test_wallet(an.address);
    memcpy(fixed_sealed, an.sealed, sizeof fixed_sealed);
    buf_free(&packet);
}

static void other_terms_are_refused(void)
{
    static const uint8_t access_list[] = { 0xd6, 0x94, 1,  2,  3,  4,  5,  6,  7,  8,  9,   10,
                                           11,   12,   13, 14, 15, 16, 17, 18, 19, 20, 0xc0 };
    struct evm_tx tx;

    begin_with_wallet();
    tx = plain_tx(&fixed_wallet);
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_OK);
    tx.create = true;
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_REFUSED);
    tx = plain_tx(&fixed_wallet);
    tx.chain_id = 0;
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_BAD_MESSAGE); /* already the decoder does not take it */
    tx = plain_tx(&fixed_wallet);
    tx.access_list = access_list;
    tx.access_list_len = sizeof access_list;
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_REFUSED);
    end();
}

/* --- Sweeps --- */

static enum signer_status sweep_status(const struct secret *key, const struct evm_tx *vouched,
                                       const struct evm_tx *asked, enum signer_op op)
{
    struct buf good = BUF_INIT(MAX_TX), raw = BUF_INIT(MAX_TX), packet = BUF_INIT(SIGNER_MAX_MESSAGE);
    struct signer_request rq = { .op = op, .wallet = fixed_wallet };
    struct signer_answer an;

    evm_tx_unsigned(&good, vouched);
    evm_tx_unsigned(&raw, asked);
    operator_mac_make(rq.operator_mac, key, &fixed_wallet, (const uint8_t *)good.data, good.len);
    memcpy(rq.sealed, fixed_sealed, sizeof rq.sealed);
    rq.payload = (const uint8_t *)raw.data;
    rq.payload_len = raw.len;
    signer_request_write(&packet, &rq);
    signer_answer_to(&an, &state, (const uint8_t *)packet.data, packet.len);
    buf_free(&good);
    buf_free(&raw);
    buf_free(&packet);
    return an.status;
}

/* Without the operator's key nobody gets a transfer signed, and with it nothing else. */
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
    CHECK(sweep_status(key, &coin, &coin, SIGNER_SWEEP) == SIGNER_REFUSED); /* no key, no sweeps */
    state.operator_key = key;
    CHECK(sweep_status(key, &coin, &coin, SIGNER_SWEEP) == SIGNER_OK);
    CHECK(sweep_status(key, &token, &token, SIGNER_SWEEP) == SIGNER_OK);
    CHECK(sweep_status(key, &coin, &coin, SIGNER_EVM) != SIGNER_OK);
    CHECK(sweep_status(other, &coin, &coin, SIGNER_SWEEP) == SIGNER_REFUSED);
    bad = coin;
    bad.nonce++;
    CHECK(sweep_status(key, &coin, &bad, SIGNER_SWEEP) == SIGNER_REFUSED);
    bad = coin;
    bad.to.bytes[1] = 1;
    CHECK(sweep_status(key, &coin, &bad, SIGNER_SWEEP) == SIGNER_REFUSED);
    bad = token;
    bad.data = approve;
    CHECK(sweep_status(key, &bad, &bad, SIGNER_SWEEP) == SIGNER_REFUSED);
    bad = token;
    bad.value = u256_from_u64(1);
    CHECK(sweep_status(key, &bad, &bad, SIGNER_SWEEP) == SIGNER_REFUSED);
    bad = token;
    bad.data_len--;
    CHECK(sweep_status(key, &bad, &bad, SIGNER_SWEEP) == SIGNER_REFUSED);
    fixed_wallet.agent.bytes[0] ^= 1; /* sealed for somebody else */
    CHECK(sweep_status(key, &coin, &coin, SIGNER_SWEEP) == SIGNER_REFUSED);
    state.operator_key = NULL;
    secret_free(key);
    secret_free(other);
    end();
}

static void other_wallets_are_refused(void)
{
    struct evm_tx tx;
    struct wallet_ref w;

    begin_with_wallet();
    tx = plain_tx(&fixed_wallet);
    w = fixed_wallet;
    w.wallet.bytes[0] ^= 1;
    CHECK(status_of(&w, &tx) == SIGNER_REFUSED);
    w = fixed_wallet;
    w.agent.bytes[0] ^= 1;
    CHECK(status_of(&w, &tx) == SIGNER_REFUSED);
    w = fixed_wallet;
    w.kind = WALLET_SOLANA;
    CHECK(status_of(&w, &tx) == SIGNER_REFUSED);
    w = test_wallet("");
    CHECK(status_of(&w, &tx) == SIGNER_REFUSED);
    fixed_sealed[SEALED_LEN - 1] ^= 1;
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_REFUSED);
    end();
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
    CHECK(seal_key(fixed_sealed, ring, &w, key) && status_of(&w, &tx) == SIGNER_REFUSED);
    secret_free(key);
    key = secret_take(one); /* whose address that is */
    CHECK(seal_key(fixed_sealed, ring, &w, key) && status_of(&w, &tx) == SIGNER_OK);
    w.address[3] = 'e'; /* the same address without its checksum */
    CHECK(seal_key(fixed_sealed, ring, &w, key) && status_of(&w, &tx) == SIGNER_REFUSED);
    secret_free(key);
    end();
}

/* --- The operator's limits, the kill switch, the audit file --- */

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
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_OK);
    token->tx_max = u256_from_u64(9);
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_LIMITED);
    token->tx_max = u256_from_u64(10);
    coin->tx_max = u256_from_u64(119999);
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_LIMITED);
    limits.count = 0;
    limits.some_chains = true;
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_LIMITED);
    limits.chains[limits.chain_count++] = 1;
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_OK);
    end();
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

    return status_of(&fixed_wallet, &tx);
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
    CHECK(approve_ten(4) == SIGNER_LIMITED);
    clock_fake_ms(clock_ms() + 86400000);
    CHECK(approve_ten(4) == SIGNER_OK);
    clock_fake_ms(0);
    ledger_close(state.ledger);
    end();
}

static void the_kill_switch(void)
{
    struct evm_tx tx;
    char file[200];

    begin_with_wallet();
    tx = plain_tx(&fixed_wallet);
    snprintf(file, sizeof file, "%s/stop", dir.root);
    state.kill_switch = kill_switch_open(file);
    CHECK(state.kill_switch >= 0 && status_of(&fixed_wallet, &tx) == SIGNER_OK && standing(&state) == 0);
    CHECK(kill_switch_set(file, "a drill"));
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_LIMITED && standing(&state) == SIGNER_STOPPED);
    CHECK(kill_switch_set(file, NULL) && status_of(&fixed_wallet, &tx) == SIGNER_OK);
    CHECK(kill_switch_set(file, "") && status_of(&fixed_wallet, &tx) == SIGNER_LIMITED);
    CHECK(kill_switch_set(file, NULL) && unlink(file) == 0 &&
          status_of(&fixed_wallet, &tx) == SIGNER_LIMITED);
    close(state.kill_switch);
    end();
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
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_OK);
    tx.data_len = 36;
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_REFUSED);
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
    end();
}

static void what_cannot_be_recorded_is_not_signed(void)
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
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_FAILED);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(status_of(&fixed_wallet, &tx) == SIGNER_OK);
    audit_log_close(state.audit_log);
    end();
}

/* --- On the socket, with manners of all kinds --- */

static int raw_connect(void)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

    snprintf(addr.sun_path, sizeof addr.sun_path, "%.100s", path);
    CHECK(connect(fd, (struct sockaddr *)&addr, sizeof addr) == 0);
    return fd;
}

static enum signer_status raw_answer(int fd, const void *p, size_t n)
{
    uint8_t bytes[512];
    struct signer_answer an;
    ssize_t got;

    CHECK(send(fd, p, n, MSG_NOSIGNAL) == (ssize_t)n);
    got = recv(fd, bytes, sizeof bytes, 0);
    return got > 0 && signer_answer_read(&an, bytes, (size_t)got) ? an.status : SIGNER_AWAY;
}

static void bad_packets_get_an_answer(void)
{
    static uint8_t large[SIGNER_MAX_MESSAGE + 1000];
    static const uint8_t ping[] = { 1, SIGNER_PING };
    int fd;

    begin();
    fd = raw_connect();
    CHECK(raw_answer(fd, "x", 1) == SIGNER_BAD_MESSAGE);
    CHECK(raw_answer(fd, ping, sizeof ping) == SIGNER_OK);
    memcpy(large, ping, sizeof ping);
    CHECK(raw_answer(fd, large, SIGNER_MAX_MESSAGE) == SIGNER_BAD_MESSAGE);
    CHECK(raw_answer(fd, large, SIGNER_MAX_MESSAGE + 1) == SIGNER_BAD_MESSAGE);
    CHECK(raw_answer(fd, large, sizeof large) == SIGNER_BAD_MESSAGE);
    CHECK(raw_answer(fd, ping, sizeof ping) == SIGNER_OK);
    close(fd);
    end();
}

static void dying_clients_do_no_harm(void)
{
    static const uint8_t ping[] = { 1, SIGNER_PING };
    struct signer *s;

    begin();
    s = signer_new(path);
    for (int i = 0; i < 200; i++) {
        int fd = raw_connect();

        if (i % 2)
            CHECK(send(fd, ping, sizeof ping, MSG_NOSIGNAL) > 0);
        close(fd);
    }
    CHECK(ping_patiently(s) == SIGNER_OK);
    signer_free(s);
    end();
}

/* Asks and asks and never reads: it is dropped, and the others do not notice. */
static void greedy_clients_are_dropped(void)
{
    static const uint8_t ping[] = { 1, SIGNER_PING };
    struct signer *s;
    bool dropped = false;
    int fd;

    begin();
    s = signer_new(path);
    fd = raw_connect();
    for (int i = 0; i < 200000 && !dropped; i++) {
        if (send(fd, ping, sizeof ping, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
            continue;
        dropped = errno == EPIPE || errno == ECONNRESET;
        CHECK(ping_patiently(s) == SIGNER_OK);
    }
    CHECK(dropped);
    CHECK(ping_patiently(s) == SIGNER_OK);
    close(fd);
    signer_free(s);
    end();
}

static void restarts_are_not_noticed(void)
{
    const unsigned own = geteuid();
    struct signer *s;

    begin();
    s = signer_new(path);
    CHECK(ping_patiently(s) == SIGNER_OK);
    stop_server();
    start_server(&own, 1);
    CHECK(ping_patiently(s) == SIGNER_OK);
    CHECK(kill(server, SIGKILL) == 0 && waitpid(server, NULL, 0) == server);
    start_server(&own, 1);
    CHECK(ping_patiently(s) == SIGNER_OK);
    signer_free(s);
    end();
}

static bool signs_many(unsigned seed)
{
    struct evm_tx tx = plain_tx(&fixed_wallet);
    struct signer *s = signer_new(path);
    bool ok = true;

    for (unsigned i = 0; i < 20; i++) {
        struct buf raw = BUF_INIT(MAX_TX);
        uint8_t sig[65], pub[65], digest[HASH_LEN];
        char address[WALLET_ADDR_MAX];

        tx.nonce = seed * 1000 + i;
        evm_tx_unsigned(&raw, &tx);
        keccak256(digest, raw.data, raw.len);
        ok = ok &&
             sign_patiently(s, &fixed_wallet, fixed_sealed, (uint8_t *)raw.data, raw.len, sig) == SIGNER_OK &&
             sign_secp256k1_recover(pub, digest, sig);
        if (ok)
            evm_addr_text(address, evm_addr_of_pubkey(pub));
        ok = ok && strcmp(address, fixed_wallet.address) == 0;
        buf_free(&raw);
    }
    signer_free(s);
    return ok;
}

static void many_clients_at_once(void)
{
    enum { N = 64 };
    pid_t pids[N];

    begin_with_wallet();
    for (unsigned i = 0; i < N; i++) {
        pids[i] = fork();
        if (pids[i] == 0)
            _exit(signs_many(i) ? 0 : 1);
    }
    for (unsigned i = 0; i < N; i++) {
        int status = -1;

        CHECK(waitpid(pids[i], &status, 0) == pids[i] && status == 0);
    }
    end();
}

static bool ping_as(unsigned uid)
{
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        if (setuid(uid) != 0)
            _exit(2);
        _exit(signer_ping(signer_new(path), NULL) == SIGNER_OK ? 0 : 1);
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return status == 0;
}

/* Who takes more than his share is turned away, the others are not; places become free again. */
static void crowds_are_limited(void)
{
    enum { N = MAX_OF_ONE + 20 };
    int fds[N];
    struct signer *s;

    begin();
    s = signer_new(path);
    for (size_t i = 0; i < N; i++)
        fds[i] = raw_connect();
    CHECK(signer_ping(s, NULL) == SIGNER_AWAY);
    CHECK(ping_as(geteuid()));
    for (size_t i = 0; i < N; i++)
        close(fds[i]);
    CHECK(ping_patiently(s) == SIGNER_OK);
    signer_free(s);
    end();
}

static void strangers_are_turned_away(void)
{
    const unsigned two[] = { geteuid(), 65534 };

    if (geteuid() != 0)
        return; /* nobody else to be */
    begin();
    CHECK(!ping_as(65534));
    CHECK(ping_as(0));
    end();
    begin_for(two, 2);
    CHECK(ping_as(65534) && ping_as(0));
    CHECK(!ping_as(65533));
    end();
}

TEST_MAIN(TEST(transactions_of_the_vectors), TEST(created_wallets_sign), TEST(solana_wallets_are_made),
          TEST(other_terms_are_refused), TEST(a_transfer_wants_the_operators_mac),
          TEST(other_wallets_are_refused), TEST(foreign_addresses_are_refused), TEST(limits_of_a_transaction),
          TEST(limits_of_a_day), TEST(the_kill_switch), TEST(each_decision_is_recorded),
          TEST(what_cannot_be_recorded_is_not_signed), TEST(bad_packets_get_an_answer),
          TEST(dying_clients_do_no_harm), TEST(greedy_clients_are_dropped), TEST(restarts_are_not_noticed),
          TEST(many_clients_at_once), TEST(crowds_are_limited), TEST(strangers_are_turned_away))
