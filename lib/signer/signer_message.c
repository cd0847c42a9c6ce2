#include "signer/signer_message.h"

#include <string.h>

#include "codec/packet.h"

enum { FORMAT = 2 }; /* first byte of every message */

static bool take_format(struct packet *in)
{
    uint8_t v;

    return packet_take_u8(in, &v) && v == FORMAT;
}

static void put_address(struct buf *out, const char *address)
{
    size_t n = strnlen(address, WALLET_ADDR_MAX - 1);

    buf_addc(out, (uint8_t)n);
    buf_add(out, address, n);
}

/* `out` is zeroed, which terminates the text. */
static bool take_address(struct packet *in, char out[static WALLET_ADDR_MAX])
{
    uint8_t n;

    if (!packet_take_u8(in, &n) || n >= WALLET_ADDR_MAX || !packet_take(in, out, n))
        return false;
    return memchr(out, '\0', n) == NULL;
}

static void put_owner(struct buf *out, const struct wallet_ref *w)
{
    buf_add(out, w->wallet.bytes, UUID_LEN);
    buf_add(out, w->agent.bytes, UUID_LEN);
    buf_addc(out, (uint8_t)w->kind);
}

static bool is_wallet_kind(uint8_t kind)
{
    return kind >= WALLET_EVM && kind <= WALLET_TRADING;
}

static bool take_owner(struct packet *in, struct wallet_ref *w)
{
    uint8_t kind;

    if (!packet_take(in, w->wallet.bytes, UUID_LEN) || !packet_take(in, w->agent.bytes, UUID_LEN) ||
        !packet_take_u8(in, &kind))
        return false;
    w->kind = (enum wallet_kind)kind;
    return is_wallet_kind(kind);
}

/* The message omits the far wallet's agent: it is always the payer's. */
static void put_far_wallet(struct buf *out, const struct signer_request *rq)
{
    buf_add(out, rq->far_wallet.wallet.bytes, UUID_LEN);
    buf_addc(out, (uint8_t)rq->far_wallet.kind);
    put_address(out, rq->far_wallet.address);
    buf_add(out, rq->far_sealed, sizeof rq->far_sealed);
}

/* Reads the far wallet, which is absent if the payment goes to no other wallet. */
static bool take_far_wallet(struct packet *in, struct signer_request *rq)
{
    uint8_t kind;

    if (in->left == 0)
        return true;
    if (!packet_take(in, rq->far_wallet.wallet.bytes, UUID_LEN) || !packet_take_u8(in, &kind) ||
        !take_address(in, rq->far_wallet.address) || !packet_take(in, rq->far_sealed, sizeof rq->far_sealed))
        return false;
    rq->far_wallet.agent = rq->wallet.agent;
    rq->far_wallet.kind = (enum wallet_kind)kind;
    rq->has_far_wallet = true;
    return is_wallet_kind(kind);
}

static bool take_family(struct packet *in, enum chain_type *family)
{
    uint8_t v;

    if (!packet_take_u8(in, &v))
        return false;
    *family = (enum chain_type)v;
    return v <= CHAIN_TON;
}

static void put_allowlist_address(struct buf *out, const struct allowlist_address *p)
{
    buf_add(out, p->agent.bytes, UUID_LEN);
    buf_addc(out, (uint8_t)p->type);
    put_address(out, p->address);
}

static bool take_allowlist_address(struct packet *in, struct allowlist_address *p)
{
    return packet_take(in, p->agent.bytes, UUID_LEN) && take_family(in, &p->type) &&
           take_address(in, p->address);
}

static bool take_operator_mac(struct packet *in, struct signer_request *rq)
{
    rq->has_operator_mac = true;
    return packet_take(in, rq->operator_mac, sizeof rq->operator_mac);
}

static bool take_record(struct packet *in, struct signer_request *rq)
{
    return packet_take_bytes(in, &rq->record, &rq->record_len, ADDRESS_RECORD_MAX);
}

void signer_show_far(struct signer_request *rq, const struct wallet *far)
{
    rq->has_far_wallet = far != NULL;
    if (far == NULL)
        return;
    rq->far_wallet = far->ref;
    memcpy(rq->far_sealed, far->sealed, sizeof rq->far_sealed);
}

static void put_payload(struct buf *out, const struct signer_request *rq)
{
    put_owner(out, &rq->wallet);
    put_address(out, rq->wallet.address);
    buf_add(out, rq->sealed, sizeof rq->sealed);
    buf_addc(out, (uint8_t)rq->family);
    packet_put_bytes(out, rq->payload, rq->payload_len, MAX_TX);
    packet_put_bytes(out, rq->proof, rq->proof_len, PROOF_MAX);
}

void signer_request_write(struct buf *out, const struct signer_request *rq)
{
    buf_addc(out, FORMAT);
    buf_addc(out, (uint8_t)rq->op);
    switch (rq->op) {
    case SIGNER_PING:
        break;
    case SIGNER_CREATE:
        put_owner(out, &rq->wallet);
        break;
    case SIGNER_SIGN:
    case SIGNER_SIGN_ACTION:
        put_payload(out, rq);
        if (rq->has_far_wallet)
            put_far_wallet(out, rq);
        break;
    case SIGNER_SIGN_TRANSFER:
        put_payload(out, rq);
        buf_add(out, rq->operator_mac, sizeof rq->operator_mac);
        break;
    case SIGNER_SIGN_MESSAGE:
        put_payload(out, rq);
        break;
    case SIGNER_ALLOW_ADDRESS:
        put_allowlist_address(out, &rq->payee);
        if (rq->has_operator_mac)
            buf_add(out, rq->operator_mac, sizeof rq->operator_mac);
        break;
    case SIGNER_REMOVE_ADDRESS:
        put_allowlist_address(out, &rq->payee);
        packet_put_bytes(out, rq->record, rq->record_len, ADDRESS_RECORD_MAX);
        break;
    case SIGNER_SIGN_WITHDRAWAL:
        put_payload(out, rq);
        packet_put_bytes(out, rq->record, rq->record_len, ADDRESS_RECORD_MAX);
        break;
    }
}

static bool take_payload(struct packet *in, struct signer_request *rq)
{
    return take_owner(in, &rq->wallet) && take_address(in, rq->wallet.address) &&
           packet_take(in, rq->sealed, sizeof rq->sealed) && take_family(in, &rq->family) &&
           packet_take_bytes(in, &rq->payload, &rq->payload_len, MAX_TX) && rq->payload_len > 0 &&
           packet_take_bytes(in, &rq->proof, &rq->proof_len, PROOF_MAX);
}

static bool take_request(struct packet *in, struct signer_request *rq)
{
    uint8_t op;

    if (!take_format(in) || !packet_take_u8(in, &op))
        return false;
    rq->op = (enum signer_op)op;
    switch (op) {
    case SIGNER_PING:
        return true;
    case SIGNER_CREATE:
        return take_owner(in, &rq->wallet);
    case SIGNER_SIGN:
    case SIGNER_SIGN_ACTION:
        return take_payload(in, rq) && take_far_wallet(in, rq);
    case SIGNER_SIGN_MESSAGE:
        return take_payload(in, rq);
    case SIGNER_SIGN_TRANSFER:
        return take_payload(in, rq) && take_operator_mac(in, rq);
    case SIGNER_ALLOW_ADDRESS:
        return take_allowlist_address(in, &rq->payee) && (in->left == 0 || take_operator_mac(in, rq));
    case SIGNER_REMOVE_ADDRESS:
        return take_allowlist_address(in, &rq->payee) && take_record(in, rq);
    case SIGNER_SIGN_WITHDRAWAL:
        return take_payload(in, rq) && take_record(in, rq);
    default:
        return false;
    }
}

bool signer_request_read(struct signer_request *out, const uint8_t *p, size_t n)
{
    struct packet in = { p, n };

    memset(out, 0, sizeof *out);
    return take_request(&in, out) && in.left == 0;
}

const char *signer_rule_text(enum signer_rule rule)
{
    static const char *const texts[RULES] = {
        [RULE_NONE] = "unknown",    [RULE_FORM] = "form",       [RULE_WALLET] = "wallet",
        [RULE_ORDER] = "order",     [RULE_CALL] = "call",       [RULE_STOPPED] = "stopped",
        [RULE_CHAIN] = "chain",     [RULE_TOKEN] = "token",     [RULE_TX_MAX] = "tx_max",
        [RULE_DAY_MAX] = "day_max", [RULE_FLOOR] = "floor",     [RULE_SIGNER] = "signer",
        [RULE_ADDRESS] = "address", [RULE_WAITING] = "waiting", [RULE_WITHDRAW_DAY_MAX] = "withdraw_day_max",
        [RULE_MARKET] = "market",
    };

    return texts[rule];
}

enum signer_status signer_rule_status(enum signer_rule rule)
{
    static const enum signer_status statuses[RULES] = {
        [RULE_NONE] = SIGNER_OK,
        [RULE_FORM] = SIGNER_BAD_MESSAGE,
        [RULE_WALLET] = SIGNER_REFUSED,
        [RULE_ORDER] = SIGNER_REFUSED,
        [RULE_CALL] = SIGNER_REFUSED,
        [RULE_STOPPED] = SIGNER_LIMITED,
        [RULE_CHAIN] = SIGNER_LIMITED,
        [RULE_TOKEN] = SIGNER_LIMITED,
        [RULE_TX_MAX] = SIGNER_LIMITED,
        [RULE_DAY_MAX] = SIGNER_LIMITED,
        [RULE_FLOOR] = SIGNER_LIMITED,
        [RULE_SIGNER] = SIGNER_FAILED,
        [RULE_ADDRESS] = SIGNER_REFUSED,
        [RULE_WAITING] = SIGNER_REFUSED,
        [RULE_WITHDRAW_DAY_MAX] = SIGNER_LIMITED,
        [RULE_MARKET] = SIGNER_LIMITED,
    };

    return statuses[rule];
}

void signer_answer_write(struct buf *out, const struct signer_answer *an)
{
    buf_addc(out, FORMAT);
    buf_addc(out, (uint8_t)an->status);
    if (an->status != SIGNER_OK) {
        buf_addc(out, (uint8_t)an->rule);
        return;
    }
    buf_addc(out, an->standing);
    put_address(out, an->address);
    buf_add(out, an->sealed, sizeof an->sealed);
    buf_addc(out, (uint8_t)an->sig.len);
    buf_add(out, an->sig.bytes, an->sig.len);
    if (an->record.len == 0)
        return; /* clients of former releases expect no more */
    packet_put_bytes(out, an->record.bytes, an->record.len, ADDRESS_RECORD_MAX);
    packet_put_u64(out, an->wait_s);
}

static bool take_signature(struct packet *in, struct signature *sig)
{
    uint8_t n;

    if (!packet_take_u8(in, &n) || n > SIGNATURE_MAX)
        return false;
    sig->len = n;
    return packet_take(in, sig->bytes, n);
}

/* Reads the record, which answers to other requests do not have. */
static bool take_allowed(struct packet *in, struct signer_answer *an)
{
    const uint8_t *record;

    if (in->left == 0)
        return true;
    if (!packet_take_bytes(in, &record, &an->record.len, ADDRESS_RECORD_MAX) ||
        !packet_take_u64(in, &an->wait_s))
        return false;
    memcpy(an->record.bytes, record, an->record.len);
    return an->record.len > 0;
}

/* A signer that goes on during an upgrade may say none. */
static bool take_rule(struct packet *in, enum signer_rule *rule)
{
    uint8_t n = RULE_NONE;

    if (in->left > 0 && (!packet_take_u8(in, &n) || n >= RULES))
        return false;
    *rule = (enum signer_rule)n;
    return true;
}

static bool take_answer(struct packet *in, struct signer_answer *an)
{
    uint8_t status;

    if (!take_format(in) || !packet_take_u8(in, &status) || status > SIGNER_LIMITED)
        return false;
    an->status = (enum signer_status)status;
    if (an->status != SIGNER_OK)
        return take_rule(in, &an->rule);
    return packet_take_u8(in, &an->standing) && take_address(in, an->address) &&
           packet_take(in, an->sealed, sizeof an->sealed) && take_signature(in, &an->sig) &&
           take_allowed(in, an);
}

bool signer_answer_read(struct signer_answer *out, const uint8_t *p, size_t n)
{
    struct packet in = { p, n };

    memset(out, 0, sizeof *out);
    return take_answer(&in, out) && in.left == 0;
}
