#include "store/columns.h"

void bind_token(struct stmt *st, const struct token_ref *t)
{
    bind_text(st, t->symbol);
    bind_text(st, t->address);
    bind_u64(st, t->decimals);
}

void bind_ids(struct stmt *st, const uint64_t *ids, size_t n, size_t places)
{
    for (size_t i = 0; i < places; i++)
        bind_u64(st, i < n ? ids[i] : 0);
}

bool col_maybe_u64(struct stmt *st, unsigned i, uint64_t *out)
{
    *out = col_u64(st, i);
    return !col_null(st, i);
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

void col_tx_hash(struct stmt *st, unsigned i, struct tx_hash *out)
{
    out->len = (uint8_t)col_within(st, i, out->bytes, sizeof out->bytes);
}

void col_address_bytes(struct stmt *st, unsigned i, struct address_bytes *out)
{
    out->len = (uint8_t)col_within(st, i, out->bytes, sizeof out->bytes);
}

unsigned col_sealed(struct stmt *st, unsigned i, uint8_t out[static 128])
{
    return (unsigned)col_within(st, i, out, 128);
}

void bind_maybe_u64(struct stmt *st, bool there, uint64_t v)
{
    if (there)
        bind_u64(st, v);
    else
        bind_u64_or_null(st, 0);
}

void bind_maybe_u256(struct stmt *st, const struct u256 *v)
{
    if (v != NULL)
        bind_u256(st, v);
    else
        bind_bytes(st, NULL, 0);
}

void bind_tx_hash(struct stmt *st, const struct tx_hash *h)
{
    if (h != NULL && h->len != 0)
        bind_bytes(st, h->bytes, h->len);
    else
        bind_bytes(st, NULL, 0);
}

void bind_address_bytes(struct stmt *st, const struct address_bytes *a)
{
    bind_bytes(st, a->len != 0 ? a->bytes : NULL, a->len);
}

void bind_broadcast(struct stmt *st, const struct broadcast *b)
{
    bind_u64(st, b->said == BROADCAST_ACCEPTED);
    bind_u64(st, b->said == BROADCAST_NO_FUNDS || b->said == BROADCAST_REFUSED);
    bind_u64(st, b->said);
    bind_u64(st, b->id);
}
