#include "store/lend_listings.h"

static const char OF[] = "SELECT id, created_at, warnings FROM lend_listings WHERE chain_id = ?"
                         " ORDER BY place LIMIT ?";
static const char CLEAR[] = "DELETE FROM lend_listings WHERE chain_id = ?";
static const char ADD[] = "INSERT INTO lend_listings (chain_id, id, place, created_at, warnings)"
                          " VALUES (?, ?, ?, ?, ?)";

int lend_listings_of(struct db *db, struct arena *a, uint64_t chain_id, unsigned most,
                     struct lend_listing *out)
{
    struct stmt *st = db_prepare(db, OF);
    unsigned n = 0;

    bind_u64(st, chain_id);
    bind_u64(st, most);
    if (!db_query(st))
        return -1;
    for (; n < most && db_next(st); n++) {
        (void)col_fixed(st, 0, out[n].id, HASH_LEN);
        out[n].created_ms = col_ms(st, 1);
        out[n].warnings = col_text(st, 2, a);
    }
    return (int)n;
}

bool lend_listings_clear(struct db *db, uint64_t chain_id)
{
    struct stmt *st = db_prepare(db, CLEAR);

    bind_u64(st, chain_id);
    return db_exec(st) >= 0;
}

bool lend_listings_add(struct db *db, uint64_t chain_id, unsigned place, const struct lend_listing *l)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, chain_id);
    bind_bytes(st, l->id, HASH_LEN);
    bind_u64(st, place);
    bind_ms(st, l->created_ms);
    bind_text(st, l->warnings);
    return db_exec(st) == 1;
}
