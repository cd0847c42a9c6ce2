#include "chain/solana/solana_addr.h"

#include <string.h>

bool solana_addr_parse(struct solana_addr *out, const char *text)
{
    size_t n = 0;

    return base58_decode(out->bytes, sizeof out->bytes, &n, text) && n == sizeof out->bytes;
}

bool solana_addr_eq(const struct solana_addr *a, const struct solana_addr *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

void solana_addr_text(char out[static SOLANA_ADDR_TEXT_LEN + 1], const struct solana_addr *a)
{
    base58_encode(out, a->bytes, sizeof a->bytes);
}
