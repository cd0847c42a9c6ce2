#include "store/signing_nonces.h"

#define NOW "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000"

/* The argument of LAST_INSERT_ID comes back with the statement's result. */
static const char NEXT[] =
    "INSERT INTO signing_nonces (signing_key, last) VALUES (?, LAST_INSERT_ID(" NOW "))"
    " ON DUPLICATE KEY UPDATE last = LAST_INSERT_ID(GREATEST(last + 1, " NOW "))";

bool signing_nonces_next(struct db *db, const uint8_t *signing_key, size_t len, uint64_t *nonce)
{
    struct stmt *st = db_prepare(db, NEXT);

    bind_bytes(st, signing_key, len);
    if (db_exec(st) < 0)
        return false;
    *nonce = db_insert_id(db);
    return *nonce != 0;
}
