#include "exec/evm/evm_stored.h"

#include <string.h>

#include "chain/evm/evm_addr.h"
#include "codec/hash.h"
#include "codec/hex.h"

void evm_address_bytes(struct address_bytes *out, const char *text)
{
    struct evm_addr at = evm_addr_or_zero(text);

    out->len = sizeof at.bytes;
    memcpy(out->bytes, at.bytes, sizeof at.bytes);
}

char *evm_address_text(struct arena *a, const struct address_bytes *at)
{
    struct evm_addr addr = { { 0 } };

    if (at->len == sizeof addr.bytes)
        memcpy(addr.bytes, at->bytes, sizeof addr.bytes);
    return evm_addr_print(a, addr);
}

char *evm_hash_text(struct arena *a, const struct tx_hash *hash)
{
    char *out = arena_alloc(a, 2 + 2 * (size_t)hash->len + 1);

    out[0] = '0';
    out[1] = 'x';
    hex_encode(out + 2, hash->bytes, hash->len);
    return out;
}

bool evm_hash_read(struct tx_hash *out, const char *text)
{
    size_t n;

    *out = (struct tx_hash){ .len = 0 };
    if (!hex_decode_0x(out->bytes, HASH_LEN, &n, text) || n != HASH_LEN)
        return false;
    out->len = HASH_LEN;
    return true;
}

void evm_hash_set(struct tx_hash *out, const uint8_t *raw, size_t len)
{
    out->len = HASH_LEN;
    keccak256(out->bytes, raw, len);
}
