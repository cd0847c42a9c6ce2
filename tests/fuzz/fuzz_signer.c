/* Any packet to the signer gets an answer; a signature that comes out is the wallet's own, over the packet's
 * own transaction, and a withdrawal's pays whom its record names. The keyring is fixed, so that saved packets
 * can carry keys that open. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "chain/evm/evm_addr.h"
#include "chain/evm/tx.h"
#include "codec/hash.h"
#include "keys/sign.h"
#include "signer/removals.h"
#include "signer/wallet_file.h"
#include "venue/hyperliquid_message.h"
#include "venue/polymarket_message.h"

#define log_info(event, ...) ((void)snprintf(NULL, 0, __VA_ARGS__)) /* once for many inputs */
#include "signer/withdrawal_allowlist.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char MASTER[] = "65c639edf9bd801801e2f5f1762b1f5922d23f4f4325ba82b57dc93f3abb8b26\n";
static const char DATA[] =
    "1 110886d65e740ac48802b90b30fdc65f1d4d982e17cf671e5d6dcc5490391cea5870d0b469ceacf21ba7863778310435fc823d8730daf84c6a0b8b5c9366d03f6998c5573bde8511\n";

static int64_t fixed_time(void)
{
    return 1800000000;
}

static void spill(const char *dir, const char *name, const char *text)
{
    char path[256];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "w");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0 || chmod(path, 0600) != 0)
        abort();
}

static void unspill(const char *dir, const char *name)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    unlink(path);
}

static struct keyring *fixed_keyring(const char *dir)
{
    char why[512];
    struct keyring *k;

    spill(dir, "master.key", MASTER);
    spill(dir, "data.keys", DATA);
    k = keyring_load(dir, why, sizeof why);
    unspill(dir, "master.key");
    unspill(dir, "data.keys");
    if (k == NULL)
        abort();
    return k;
}

/* It goes on with files that have no name any more. Its time is the one that saved records have waited for.
 */
static struct address_history *fixed_history(const char *dir)
{
    const struct history_terms terms = { dir, dir, 3600, 1 };
    const struct history_clock clock = { fixed_time, fixed_time, { { 1 } } };
    struct address_history *b = history_new(&terms, &clock);
    char why[512];

    spill(dir, WALLET_FILE, "");
    spill(dir, REMOVALS_FILE, "since 0\n");
    if (b == NULL || !history_open(b, why, sizeof why))
        abort();
    unspill(dir, WALLET_FILE);
    unspill(dir, REMOVALS_FILE);
    unspill(dir, HISTORY_FILE);
    return b;
}

static void state_make(struct signer_state *s)
{
    const char *tmp = getenv("TMPDIR");
    char dir[128];

    snprintf(dir, sizeof dir, "%s/fuzz.XXXXXX", tmp != NULL && strlen(tmp) < 100 ? tmp : "/tmp");
    if (mkdtemp(dir) == NULL || !secrets_init() || !sign_init())
        abort();
    s->keyring = fixed_keyring(dir);
    s->history = fixed_history(dir);
    rmdir(dir);
}

static void message_digest(uint8_t out[static HASH_LEN], const struct signer_request *rq)
{
    struct polymarket_message m;

    if (!polymarket_message_read(&m, rq->payload, rq->payload_len))
        abort();
    polymarket_message_digest(out, &m, evm_addr_or_zero(rq->wallet.address));
}

static void action_digest(uint8_t out[static HASH_LEN], const struct signer_request *rq)
{
    struct hyperliquid_action a;

    if (!hyperliquid_message_read(&a, rq->payload, rq->payload_len))
        abort();
    if (hyperliquid_is_trading(a.kind) != (rq->wallet.kind == WALLET_TRADING))
        abort();
    hyperliquid_action_digest(out, &a);
}

static void check_signature(const struct signer_answer *an, const struct signer_request *rq)
{
    uint8_t digest[HASH_LEN], pub[65];
    char address[EVM_ADDR_TEXT_LEN + 1];

    if (rq->op == SIGNER_SIGN_MESSAGE)
        message_digest(digest, rq);
    else if (rq->op == SIGNER_SIGN_ACTION)
        action_digest(digest, rq);
    else
        keccak256(digest, rq->payload, rq->payload_len);
    if (an->sig.len != 65 || !sign_secp256k1_recover(pub, digest, an->sig.bytes))
        abort();
    evm_addr_text(address, evm_addr_of_pubkey(pub));
    if (strcmp(address, rq->wallet.address) != 0)
        abort();
}

/* The coin's recipient stands in the transaction, a token's in the call's first word. */
static void check_recipient(const struct keyring *k, const struct signer_request *rq)
{
    char address[EVM_ADDR_TEXT_LEN + 1];
    struct sealed_address a;
    struct evm_addr to;
    struct evm_tx tx;

    if (!address_open(&a, k, rq->record, rq->record_len) ||
        !evm_tx_decode_unsigned(&tx, rq->payload, rq->payload_len))
        abort();
    to = tx.to;
    if (tx.data_len != 0)
        memcpy(to.bytes, tx.data + 4 + 12, sizeof to.bytes);
    evm_addr_text(address, to);
    if (strcmp(address, a.payee.address) != 0 ||
        memcmp(&a.payee.agent, &rq->wallet.agent, sizeof a.payee.agent) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct limits limits;
    static struct signer_state state = { .limits = &limits,
                                         .wallets = -1,
                                         .kill_switch = -1,
                                         .polymarket = { .trading = true },
                                         .hyperliquid = { .trading = true } };
    struct signer_request rq;
    struct signer_answer an;

    if (state.keyring == NULL)
        state_make(&state);
    signer_answer_to(&an, &state, data, size);
    if (an.status > SIGNER_LIMITED)
        abort();
    if (an.status != SIGNER_OK || !signer_request_read(&rq, data, size))
        return 0;
    if (rq.op == SIGNER_SIGN || rq.op == SIGNER_SIGN_MESSAGE || rq.op == SIGNER_SIGN_WITHDRAWAL ||
        rq.op == SIGNER_SIGN_ACTION)
        check_signature(&an, &rq);
    if (rq.op == SIGNER_SIGN_WITHDRAWAL)
        check_recipient(state.keyring, &rq);
    return 0;
}
