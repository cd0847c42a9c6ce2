#include "exec/solana/solana_stored.h"

#include <string.h>

#include "chain/solana/solana_message.h"

void solana_address_bytes(struct address_bytes *out, const char *text)
{
    struct solana_addr at;

    *out = (struct address_bytes){ .len = sizeof at.bytes };
    if (solana_addr_parse(&at, text))
        memcpy(out->bytes, at.bytes, sizeof at.bytes);
}

char *solana_hash_text(struct arena *a, const struct tx_hash *hash)
{
    char *out = arena_alloc(a, BASE58_LEN(TX_HASH_MAX) + 1);

    base58_encode(out, hash->bytes, hash->len);
    return out;
}

bool solana_hash_read(struct tx_hash *out, const char *text)
{
    size_t n;

    *out = (struct tx_hash){ .len = 0 };
    if (!base58_decode(out->bytes, sizeof out->bytes, &n, text) || n != SOLANA_SIGNATURE_LEN)
        return false;
    out->len = SOLANA_SIGNATURE_LEN;
    return true;
}
