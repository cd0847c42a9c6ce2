#include "chain/evm/tx.h"

#include "chain/evm/rlp.h"

enum { STORAGE_KEY_LEN = 32 };

static void add_access_list(struct buf *out, const struct evm_tx *tx)
{
    struct buf items = BUF_INIT(MAX_TX);

    buf_add(&items, tx->access_list, tx->access_list_len);
    rlp_add_list(out, &items);
    buf_free(&items);
}

/* The members up to the signature's. */
static void add_members(struct buf *out, const struct evm_tx *tx)
{
    if (tx->type != EVM_TX_LEGACY)
        rlp_add_u64(out, tx->chain_id);
    rlp_add_u64(out, tx->nonce);
    if (tx->type == EVM_TX_FEE_MARKET)
        rlp_add_u256(out, tx->priority_fee);
    rlp_add_u256(out, tx->max_fee);
    rlp_add_u64(out, tx->gas_limit);
    rlp_add_bytes(out, tx->to.bytes, tx->create ? 0 : EVM_ADDR_LEN);
    rlp_add_u256(out, tx->value);
    rlp_add_bytes(out, tx->data, tx->data_len);
    if (tx->type != EVM_TX_LEGACY)
        add_access_list(out, tx);
}

/* EIP-155: 35 + 2 * chain id + parity. */
static struct u256 legacy_v(uint64_t chain_id, uint8_t y_parity)
{
    struct u256 id = u256_from_u64(chain_id), v;
    bool fits = u256_add(&v, id, id) && u256_add(&v, v, u256_from_u64(35U + y_parity));

    return fits ? v : U256_ZERO; /* 64 bits always fit */
}

static void add_signature(struct buf *out, const struct evm_tx *tx, const struct evm_sig *sig)
{
    if (tx->type == EVM_TX_LEGACY)
        rlp_add_u256(out, legacy_v(tx->chain_id, sig->y_parity));
    else
        rlp_add_u64(out, sig->y_parity);
    rlp_add_u256(out, u256_from_be(sig->r));
    rlp_add_u256(out, u256_from_be(sig->s));
}

static void add_envelope(struct buf *out, const struct evm_tx *tx, const struct buf *members)
{
    if (tx->type != EVM_TX_LEGACY)
        buf_addc(out, (uint8_t)tx->type);
    rlp_add_list(out, members);
}

void evm_tx_unsigned(struct buf *out, const struct evm_tx *tx)
{
    struct buf members = BUF_INIT(MAX_TX);

    add_members(&members, tx);
    if (tx->type == EVM_TX_LEGACY) { /* EIP-155: the chain id in place of v, and two zeros */
        rlp_add_u64(&members, tx->chain_id);
        rlp_add_u64(&members, 0);
        rlp_add_u64(&members, 0);
    }
    add_envelope(out, tx, &members);
    buf_free(&members);
}

void evm_tx_signed(struct buf *out, const struct evm_tx *tx, const struct evm_sig *sig)
{
    struct buf members = BUF_INIT(MAX_TX);

    add_members(&members, tx);
    add_signature(&members, tx, sig);
    add_envelope(out, tx, &members);
    buf_free(&members);
}

static bool read_fixed(struct rlp *r, size_t want)
{
    const uint8_t *p;
    size_t n;

    return rlp_bytes(r, &p, &n) && n == want;
}

/* The access list stays as bytes; what it holds is checked all the same, since we sign it. */
static bool read_access_list(struct rlp *r, struct evm_tx *tx)
{
    struct rlp list, entry, keys;

    if (!rlp_list(r, &list))
        return false;
    tx->access_list = rlp_at_end(&list) ? NULL : list.p;
    tx->access_list_len = (size_t)(list.end - list.p);
    while (!rlp_at_end(&list)) {
        if (!rlp_list(&list, &entry) || !read_fixed(&entry, EVM_ADDR_LEN) || !rlp_list(&entry, &keys) ||
            !rlp_at_end(&entry))
            return false;
        while (!rlp_at_end(&keys)) {
            if (!read_fixed(&keys, STORAGE_KEY_LEN))
                return false;
        }
    }
    return true;
}

static bool read_to(struct rlp *r, struct evm_tx *tx)
{
    const uint8_t *p;
    size_t n;

    if (!rlp_bytes(r, &p, &n) || (n != 0 && n != EVM_ADDR_LEN))
        return false;
    tx->create = n == 0;
    if (n > 0)
        memcpy(tx->to.bytes, p, n);
    return true;
}

static bool read_target(struct rlp *r, struct evm_tx *tx)
{
    return rlp_u64(r, &tx->gas_limit) && read_to(r, tx) && rlp_u256(r, &tx->value) &&
           rlp_bytes(r, &tx->data, &tx->data_len);
}

static bool read_legacy(struct rlp *r, struct evm_tx *tx)
{
    uint64_t zero_r, zero_s;

    return rlp_u64(r, &tx->nonce) && rlp_u256(r, &tx->max_fee) && read_target(r, tx) &&
           rlp_u64(r, &tx->chain_id) && rlp_u64(r, &zero_r) && rlp_u64(r, &zero_s) && zero_r == 0 &&
           zero_s == 0;
}

static bool read_typed(struct rlp *r, struct evm_tx *tx)
{
    return rlp_u64(r, &tx->chain_id) && rlp_u64(r, &tx->nonce) &&
           (tx->type != EVM_TX_FEE_MARKET || rlp_u256(r, &tx->priority_fee)) && rlp_u256(r, &tx->max_fee) &&
           read_target(r, tx) && read_access_list(r, tx);
}

bool evm_tx_decode_unsigned(struct evm_tx *out, const uint8_t *p, size_t n)
{
    struct evm_tx tx = { .type = EVM_TX_LEGACY };
    struct rlp r = rlp_reader(p, n), members;

    if (n == 0)
        return false;
    if (p[0] == EVM_TX_ACCESS_LIST || p[0] == EVM_TX_FEE_MARKET) {
        tx.type = (enum evm_tx_type)p[0];
        r.p++;
    }
    if (!rlp_list(&r, &members) || !rlp_at_end(&r))
        return false;
    if (!(tx.type == EVM_TX_LEGACY ? read_legacy(&members, &tx) : read_typed(&members, &tx)))
        return false;
    if (!rlp_at_end(&members) || tx.chain_id == 0)
        return false;
    if (tx.data_len == 0)
        tx.data = NULL;
    *out = tx;
    return true;
}
