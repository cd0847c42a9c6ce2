/* Messages that the venue's own libraries signed, sent whole through the signer's socket, which gives the
 * same signatures, or refuses those that no key of the gateway signs. */
#include "signer/answer.c"

#include "venue/test_hyperliquid_rows.h"

#include "keys/test_util.h"
#include "signer/test_server.h"

static struct test_dir dir;
static struct keyring *ring;
static const struct limits no_limits;
static struct test_server server;
static struct signer *client;

static void signer_begin(bool testnet)
{
    static struct signer_state state;
    const unsigned own = geteuid();
    char why[512];

    CHECK(secrets_init() && sign_init());
    test_dir_make(&dir);
    CHECK(keyring_create(dir.keys, why, sizeof why));
    ring = keyring_load(dir.keys, why, sizeof why);
    CHECK(ring != NULL);
    state = (struct signer_state){ .keyring = ring,
                                   .limits = &no_limits,
                                   .wallets = -1,
                                   .kill_switch = -1,
                                   .hyperliquid = { .trading = true, .testnet = testnet } };
    test_server_listen(&server, dir.root);
    test_server_start(&server, &state, &own, 1);
    client = signer_new(server.path);
    CHECK(client != NULL);
}

static void signer_end(void)
{
    signer_free(client);
    test_server_stop(&server);
    (void)close(server.listen_fd);
    keyring_free(ring);
    test_dir_remove(&dir);
}

/* Asks for a signature of the row's key, as one of this kind. */
static enum signer_status ask(struct signature *sig, const json_t *row, enum wallet_kind kind,
                              const struct buf *payload)
{
    struct signer_request rq = { .op = SIGNER_SIGN_ACTION, .wallet = test_wallet("") };
    struct secret *key = test_key(row);
    enum signer_status status;

    rq.wallet.kind = kind;
    CHECK(key_address(rq.wallet.address, kind, key));
    CHECK(seal_key(rq.sealed, ring, &rq.wallet, key));
    rq.payload = (const uint8_t *)payload->data;
    rq.payload_len = payload->len;
    status = test_server_sign(client, &rq, sig);
    secret_free(key);
    return status;
}

static enum signer_status ask_for(struct signature *sig, const json_t *row, enum wallet_kind kind,
                                  const struct hyperliquid_action *a)
{
    struct buf payload = BUF_INIT(HYPERLIQUID_MESSAGE_MAX);
    enum signer_status status;

    hyperliquid_message_write(&payload, a);
    status = ask(sig, row, kind, &payload);
    buf_free(&payload);
    return status;
}

/* r, s and v, in `want`, where the vectors have 27 or 28. */
static bool is_signature(const uint8_t sig[static 65], const json_t *want)
{
    uint8_t r[32], s[32];

    CHECK(test_fixed(r, sizeof r, want, "r") && test_fixed(s, sizeof s, want, "s"));
    return memcmp(sig, r, sizeof r) == 0 && memcmp(sig + 32, s, sizeof s) == 0 &&
           sig[64] + 27 == json_integer_value(json_object_get(want, "v"));
}

/* ---- trading ---- */

/* The venue's own perpetuals alone; a row has others besides them. */
static bool is_signed(const struct hyperliquid_action *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->orders[i].asset >= HYPERLIQUID_SPOT_ASSETS)
            return false;
    return true;
}

static size_t trading_rows(bool testnet)
{
    const json_t *row;
    size_t i, signed_ones = 0;

    json_array_foreach(test_section("l1_actions"), i, row)
    {
        const json_t *want =
            json_object_get(json_object_get(row, "signatures"), testnet ? "testnet" : "mainnet");
        struct hyperliquid_action a;
        struct signature sig;

        if (!row_action(&a, row))
            continue;
        a.testnet = testnet;
        if (!is_signed(&a)) {
            CHECK(ask_for(&sig, row, WALLET_TRADING, &a) == SIGNER_REFUSED);
            continue;
        }
        CHECK(ask_for(&sig, row, WALLET_TRADING, &a) == SIGNER_OK && is_signature(sig.bytes, want));
        signed_ones++;
        CHECK(ask_for(&sig, row, WALLET_EVM, &a) == SIGNER_REFUSED);
        a.testnet = !testnet;
        CHECK(ask_for(&sig, row, WALLET_TRADING, &a) == SIGNER_REFUSED);
    }
    CHECK(i == 54);
    return signed_ones;
}

static void trading_of_the_vectors(void)
{
    for (int testnet = 0; testnet < 2; testnet++) {
        signer_begin(testnet == 1);
        CHECK(trading_rows(testnet == 1) == 21);
        signer_end();
    }
}

/* Other ways to cancel, changes of orders, isolated margin, vaults, builders: no message says any of it. */
static void actions_without_a_message_are_not_encoded(void)
{
    static const char *const names[] = { "with-builder-fee", "vault-order",
                                         "modify",           "batch-modify",
                                         "reserve-weight",   "vault-transfer",
                                         "cancel-one",       "update-isolated-margin-add" };
    const json_t *row;
    size_t i, found = 0, none = 0;

    json_array_foreach(test_section("l1_actions"), i, row)
    {
        struct hyperliquid_action a;

        if (row_action(&a, row))
            continue;
        none++;
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            found += strcmp(test_text(row, "name"), names[k]) == 0;
    }
    CHECK(none == 54 - 22 && found == sizeof names / sizeof names[0]);
}

static void messages_of_other_kinds(void)
{
    const json_t *row = json_array_get(test_section("l1_actions"), 0);
    struct hyperliquid_action a = { .kind = HYPERLIQUID_NOOP };
    struct buf payload = BUF_INIT(HYPERLIQUID_MESSAGE_MAX);
    struct signature sig;

    signer_begin(false);
    hyperliquid_message_write(&payload, &a);
    CHECK(ask(&sig, row, WALLET_TRADING, &payload) == SIGNER_OK);
    for (unsigned kind = 0; kind <= UINT8_MAX; kind++) {
        payload.data[0] = (char)kind;
        if (kind != HYPERLIQUID_NOOP)
            CHECK(ask(&sig, row, WALLET_TRADING, &payload) == SIGNER_BAD_MESSAGE);
    }
    signer_end();
    buf_free(&payload);
}

/* ---- messages that the account's own key signs ---- */

/* The vectors' withdrawals pay others, and their trading keys are none of ours. */
static void owners_rows(bool testnet)
{
    const json_t *row;
    size_t i, transfers = 0, refused = 0;

    json_array_foreach(test_section("user_signed"), i, row)
    {
        struct hyperliquid_action a;
        struct signature sig;
        uint8_t digest[HASH_LEN], own[65];
        struct secret *key;

        if (!row_action(&a, row) || a.testnet != testnet)
            continue;
        CHECK(ask_for(&sig, row, WALLET_TRADING, &a) == SIGNER_REFUSED);
        if (a.kind == HYPERLIQUID_CLASS_TRANSFER) {
            CHECK(ask_for(&sig, row, WALLET_EVM, &a) == SIGNER_OK && is_signature(sig.bytes, row));
            transfers++;
            continue;
        }
        CHECK(ask_for(&sig, row, WALLET_EVM, &a) == SIGNER_REFUSED);
        key = test_key(row);
        hyperliquid_action_digest(digest, &a);
        CHECK(sign_secp256k1(own, digest, key) && is_signature(own, row));
        secret_free(key);
        refused++;
    }
    CHECK(i == 14 && transfers == 2 && refused == 3);
}

static void owners_sign_the_vectors(void)
{
    for (int testnet = 0; testnet < 2; testnet++) {
        signer_begin(testnet == 1);
        owners_rows(testnet == 1);
        signer_end();
    }
}

TEST_MAIN(TEST(trading_of_the_vectors), TEST(actions_without_a_message_are_not_encoded),
          TEST(messages_of_other_kinds), TEST(owners_sign_the_vectors))
