#include "store/signing_nonces.h"

#define NOW "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000"

/* The connection remembers what LAST_INSERT_ID was given. */
static const char NEXT[] =
    "INSERT INTO signing_nonces (signing_key, last) VALUES (?, LAST_INSERT_ID(" NOW "))"
    " ON DUPLICATE KEY UPDATE last = LAST_INSERT_ID(GREATEST(last + 1, " NOW "))";
static const char GIVEN[] = "SELECT CAST(LAST_INSERT_ID() AS UNSIGNED)";

bool signing_nonces_next(struct db *db, const uint8_t *signing_key, size_t len, uint64_t *nonce)
{
    struct stmt *st = db_prepare(db, NEXT);

    bind_bytes(st, signing_key, len);
    if (db_exec(st) < 0)
        return false;
    st = db_prepare(db, GIVEN);
    if (db_one(st) != FOUND_ONE)
        return false;
    *nonce = col_u64(st, 0);
    return *nonce != 0;
}
