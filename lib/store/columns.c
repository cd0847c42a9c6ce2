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

bool col_maybe_u256(struct stmt *st, unsigned i, struct u256 *out)
{
    *out = col_u256(st, i);
    return !col_null(st, i);
}

bool col_maybe_uuid(struct stmt *st, unsigned i, struct uuid *out)
{
    *out = col_uuid(st, i);
    return !col_null(st, i);
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

void bind_broadcast(struct stmt *st, const struct broadcast *b)
{
    bind_u64(st, b->said == BROADCAST_ACCEPTED);
    bind_u64(st, b->said == BROADCAST_NO_FUNDS || b->said == BROADCAST_REFUSED);
    bind_u64(st, b->said);
    bind_u64(st, b->id);
}
