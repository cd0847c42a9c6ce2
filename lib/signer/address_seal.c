#include "signer/address_seal.h"

#include <string.h>

#include "codec/packet.h"
#include "keys/stamp.h"

static const char PURPOSE[] = "agent-gateway withdrawal address";

enum {
    VERSION = 1,
    FIXED_LEN = 1 + UUID_LEN + 1 + 8 + 8, /* before the address, which ends where the stamp begins */
    ADDRESS_MAX = WALLET_ADDR_MAX - 1,
};
_Static_assert(FIXED_LEN + ADDRESS_MAX + STAMP_LEN <= ADDRESS_RECORD_MAX, "a record has room for it");

void address_seal(struct address_record *out, const struct keyring *k, const struct sealed_address *a)
{
    struct buf b = BUF_INIT(ADDRESS_RECORD_MAX);

    buf_addc(&b, VERSION);
    buf_add(&b, a->payee.agent.bytes, UUID_LEN);
    buf_addc(&b, (uint8_t)a->payee.type);
    packet_put_u64(&b, (uint64_t)a->made);
    packet_put_u64(&b, (uint64_t)a->not_before);
    buf_add(&b, a->payee.address, strnlen(a->payee.address, ADDRESS_MAX));
    memcpy(out->bytes, b.data, b.len);
    stamp_make(out->bytes + b.len, k, PURPOSE, out->bytes, b.len);
    out->len = b.len + STAMP_LEN;
    buf_free(&b);
}

static bool take_time(struct packet *in, int64_t *out)
{
    uint64_t v;

    if (!packet_take_u64(in, &v) || v > INT64_MAX)
        return false;
    *out = (int64_t)v;
    return true;
}

static bool take_all(struct packet *in, struct sealed_address *a)
{
    uint8_t version, family;

    if (!packet_take_u8(in, &version) || version != VERSION ||
        !packet_take(in, a->payee.agent.bytes, UUID_LEN) || !packet_take_u8(in, &family) ||
        family > CHAIN_TON || !take_time(in, &a->made) || !take_time(in, &a->not_before))
        return false;
    a->payee.type = (enum chain_type)family;
    return in->left <= ADDRESS_MAX && memchr(in->p, '\0', in->left) == NULL &&
           packet_take(in, a->payee.address, in->left);
}

bool address_open(struct sealed_address *out, const struct keyring *k, const uint8_t *record, size_t len)
{
    struct packet in = { record, len - STAMP_LEN };

    memset(out, 0, sizeof *out);
    return len > FIXED_LEN + STAMP_LEN && len <= ADDRESS_RECORD_MAX &&
           stamp_verify(record + in.left, k, PURPOSE, record, in.left) && take_all(&in, out);
}
