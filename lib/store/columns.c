#include "store/columns.h"

void col_token(struct stmt *st, unsigned chain, unsigned first, struct token_ref *out)
{
    out->chain_id = col_u64(st, chain);
    col_string(st, first, out->symbol, sizeof out->symbol);
    col_string(st, first + 1, out->address, sizeof out->address);
    out->decimals = (uint8_t)col_u64(st, first + 2);
}

void bind_token(struct stmt *st, const struct token_ref *t)
{
    bind_text(st, t->symbol);
    bind_text(st, t->address);
    bind_u64(st, t->decimals);
}

unsigned col_sealed(struct stmt *st, unsigned i, struct arena *a, uint8_t out[static 128])
{
    size_t n;
    const uint8_t *p = col_bytes(st, i, a, &n);

    if (p == NULL || n > 128)
        return 0;
    memcpy(out, p, n);
    return (unsigned)n;
}
