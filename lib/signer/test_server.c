#include "signer/server.c"

#include <sys/resource.h>

#include "chain/evm/evm_addr.h"
#include "chain/evm/tx.h"
#include "chain/solana/solana_addr.h"
#include "codec/hash.h"
#include "keys/ed25519.h"
#include "keys/seal.h"
#include "keys/sign.h"
#include "keys/test_util.h"
#include "signer/test_address_history.h"
#include "signer/test_server.h"

static struct test_dir dir;
static struct keyring *ring;
static struct limits limits; /* none, until a test sets some */
static struct signer_state state;
static struct test_server server;

static void begin_for(const unsigned *uids, size_t nuids)
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
    test_server_listen(&server, dir.root);
    test_server_start(&server, &state, uids, nuids);
}

static void server_test_begin(void)
{
    const unsigned own = geteuid();

    begin_for(&own, 1);
}

static void server_test_end(void)
{
    test_server_stop(&server);
    close(server.listen_fd);
    history_free(state.history);
    close(state.wallets);
    keyring_free(ring);
    test_dir_remove(&dir);
}

static enum signer_status sign_patiently(struct signer *s, const struct wallet_ref *w, const uint8_t *sealed,
                                         const struct buf *tx, struct signature *sig)
{
    struct signer_request rq = {
        .op = SIGNER_SIGN, .wallet = *w, .payload = (const uint8_t *)tx->data, .payload_len = tx->len
    };

    memcpy(rq.sealed, sealed, sizeof rq.sealed);
    return test_server_sign(s, &rq, sig);
}

static enum signer_status ping_patiently(struct signer *s)
{
    enum signer_status status = SIGNER_AWAY;

    for (int i = 0; i < 20 && status == SIGNER_AWAY; i++)
        status = signer_ping(s, NULL);
    return status;
}

/* A transaction that fills a nonce, which every wallet may sign. */
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
    uint8_t sealed[SEALED_LEN], pub[65], digest[HASH_LEN];
    struct signature sig;
    char signer_address[WALLET_ADDR_MAX];
    struct signer *s;

    server_test_begin();
    s = signer_new(server.path);
    CHECK(signer_create(s, &w, sealed) == SIGNER_OK && strlen(w.address) == EVM_ADDR_TEXT_LEN);
    tx = plain_tx(&w);
    evm_tx_unsigned(&raw, &tx);
    CHECK(sign_patiently(s, &w, sealed, &raw, &sig) == SIGNER_OK);
    keccak256(digest, raw.data, raw.len);
    CHECK(sig.len == 65 && sign_secp256k1_recover(pub, digest, sig.bytes));
    evm_addr_text(signer_address, evm_addr_of_pubkey(pub));
    CHECK_STR(signer_address, w.address);

    other = w;
    CHECK(signer_create(s, &other, sealed) == SIGNER_OK && strcmp(other.address, w.address) != 0);
    CHECK(sign_patiently(s, &w, sealed, &raw, &sig) == SIGNER_REFUSED);
    signer_free(s);
    buf_free(&raw);
    server_test_end();
}

/* Such a wallet's key is there, sealed for its address, and signs no EVM transaction. */
static void solana_wallets_are_made(void)
{
    struct wallet_ref w = test_wallet(""), second = test_wallet("");
    uint8_t sealed[SEALED_LEN], other[SEALED_LEN];
    struct signature sig;
    struct evm_tx tx = plain_tx(&w);
    struct buf raw = BUF_INIT(MAX_TX);
    struct solana_addr address, own;
    struct secret *seed;
    struct signer *s;

    server_test_begin();
    s = signer_new(server.path);
    evm_tx_unsigned(&raw, &tx);
    w.kind = second.kind = WALLET_SOLANA;
    CHECK(signer_create(s, &w, sealed) == SIGNER_OK && signer_create(s, &second, other) == SIGNER_OK);
    CHECK(strcmp(w.address, second.address) != 0);
    seed = seal_open(sealed, ring, &w);
    CHECK(seed != NULL && ed25519_pubkey(own.bytes, seed) && solana_addr_parse(&address, w.address));
    CHECK(memcmp(&address, &own, sizeof own) == 0);
    CHECK(seal_open(other, ring, &w) == NULL);
    CHECK(sign_patiently(s, &w, sealed, &raw, &sig) == SIGNER_REFUSED);
    secret_free(seed);
    signer_free(s);
    buf_free(&raw);
    server_test_end();
}

/* ---- On the socket, with manners of all kinds ---- */

static struct wallet_ref fixed_wallet;
static uint8_t fixed_sealed[SEALED_LEN];

static void begin_with_wallet(void)
{
    struct signer *s;

    server_test_begin();
    s = signer_new(server.path);
    fixed_wallet = test_wallet("");
    CHECK(signer_create(s, &fixed_wallet, fixed_sealed) == SIGNER_OK);
    signer_free(s);
}

static int raw_connect(void)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

    snprintf(addr.sun_path, sizeof addr.sun_path, "%.100s", server.path);
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
    static const uint8_t ping[] = { 2, SIGNER_PING };
    int fd;

    server_test_begin();
    fd = raw_connect();
    CHECK(raw_answer(fd, "x", 1) == SIGNER_BAD_MESSAGE);
    CHECK(raw_answer(fd, ping, sizeof ping) == SIGNER_OK);
    memcpy(large, ping, sizeof ping);
    CHECK(raw_answer(fd, large, SIGNER_MAX_MESSAGE) == SIGNER_BAD_MESSAGE);
    CHECK(raw_answer(fd, large, SIGNER_MAX_MESSAGE + 1) == SIGNER_BAD_MESSAGE);
    CHECK(raw_answer(fd, large, sizeof large) == SIGNER_BAD_MESSAGE);
    CHECK(raw_answer(fd, ping, sizeof ping) == SIGNER_OK);
    close(fd);
    server_test_end();
}

static void dying_clients_do_no_harm(void)
{
    static const uint8_t ping[] = { 2, SIGNER_PING };
    struct signer *s;

    server_test_begin();
    s = signer_new(server.path);
    for (int i = 0; i < 200; i++) {
        int fd = raw_connect();

        if (i % 2)
            CHECK(send(fd, ping, sizeof ping, MSG_NOSIGNAL) > 0);
        close(fd);
    }
    CHECK(ping_patiently(s) == SIGNER_OK);
    signer_free(s);
    server_test_end();
}

/* Asks and asks and never reads: it is dropped, and the others do not notice. */
static void greedy_clients_are_dropped(void)
{
    static const uint8_t ping[] = { 2, SIGNER_PING };
    struct signer *s;
    bool dropped = false;
    int fd;

    server_test_begin();
    s = signer_new(server.path);
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
    server_test_end();
}

static void restarts_are_not_noticed(void)
{
    const unsigned own = geteuid();
    struct signer *s;

    server_test_begin();
    s = signer_new(server.path);
    CHECK(ping_patiently(s) == SIGNER_OK);
    test_server_stop(&server);
    test_server_start(&server, &state, &own, 1);
    CHECK(ping_patiently(s) == SIGNER_OK);
    CHECK(kill(server.pid, SIGKILL) == 0 && waitpid(server.pid, NULL, 0) == server.pid);
    test_server_start(&server, &state, &own, 1);
    CHECK(ping_patiently(s) == SIGNER_OK);
    signer_free(s);
    server_test_end();
}

static bool signs_many(unsigned seed)
{
    struct evm_tx tx = plain_tx(&fixed_wallet);
    struct signer *s = signer_new(server.path);
    bool ok = true;

    for (unsigned i = 0; i < 20; i++) {
        struct buf raw = BUF_INIT(MAX_TX);
        struct signature sig;
        uint8_t pub[65], digest[HASH_LEN];
        char address[WALLET_ADDR_MAX];

        tx.nonce = seed * 1000 + i;
        evm_tx_unsigned(&raw, &tx);
        keccak256(digest, raw.data, raw.len);
        ok = ok && sign_patiently(s, &fixed_wallet, fixed_sealed, &raw, &sig) == SIGNER_OK && sig.len == 65 &&
             sign_secp256k1_recover(pub, digest, sig.bytes);
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
    server_test_end();
}

static bool ping_as(unsigned uid)
{
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        if (setuid(uid) != 0)
            _exit(2);
        _exit(signer_ping(signer_new(server.path), NULL) == SIGNER_OK ? 0 : 1);
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return status == 0;
}

/* A client that takes more than its share is turned away, the others are not; places become free again. */
static void crowds_are_limited(void)
{
    enum { N = MAX_OF_ONE + 20 };
    int fds[N];
    struct signer *s;

    server_test_begin();
    s = signer_new(server.path);
    for (size_t i = 0; i < N; i++)
        fds[i] = raw_connect();
    CHECK(signer_ping(s, NULL) == SIGNER_AWAY);
    CHECK(ping_as(geteuid()));
    for (size_t i = 0; i < N; i++)
        close(fds[i]);
    CHECK(ping_patiently(s) == SIGNER_OK);
    signer_free(s);
    server_test_end();
}

static void strangers_are_turned_away(void)
{
    const unsigned two[] = { geteuid(), 65534 };

    if (geteuid() != 0)
        return; /* cannot switch to another user */
    server_test_begin();
    CHECK(!ping_as(65534));
    CHECK(ping_as(0));
    server_test_end();
    begin_for(two, 2);
    CHECK(ping_as(65534) && ping_as(0));
    CHECK(!ping_as(65533));
    server_test_end();
}

TEST_MAIN(TEST(created_wallets_sign), TEST(solana_wallets_are_made), TEST(bad_packets_get_an_answer),
          TEST(dying_clients_do_no_harm), TEST(greedy_clients_are_dropped), TEST(restarts_are_not_noticed),
          TEST(many_clients_at_once), TEST(crowds_are_limited), TEST(strangers_are_turned_away))
