#include "store/operator_tokens.h"

enum { LISTED_MAX = 2 * OPERATOR_TOKENS_MAX };

static const char ADD[] =
    "INSERT INTO operator_tokens (name, digest, read_only, created_at)"
    " SELECT ?, ?, ?, UTC_TIMESTAMP(3) FROM (SELECT COUNT(*) AS n FROM operator_tokens WHERE in_force = 1) t"
    " WHERE t.n < ?";
static const char REVOKE[] = "UPDATE operator_tokens SET in_force = NULL, revoked_at = UTC_TIMESTAMP(3)"
                             " WHERE in_force = 1 AND name = ?";
static const char IN_FORCE[] =
    "SELECT id, name, read_only, created_at, revoked_at, digest FROM operator_tokens"
    " WHERE in_force = 1 LIMIT ?";
static const char LIST[] = "SELECT id, name, read_only, created_at, revoked_at FROM operator_tokens"
                           " ORDER BY in_force IS NULL, id DESC LIMIT ?";

enum db_update operator_tokens_add(struct db *db, const char *name, bool read_only,
                                   const uint8_t digest[static HASH_LEN])
{
    struct stmt *st = db_prepare(db, ADD);
    enum db_update added;

    bind_ascii(st, name);
    bind_bytes(st, digest, HASH_LEN);
    bind_u64(st, read_only);
    bind_u64(st, OPERATOR_TOKENS_MAX);
    added = db_change(st);
    return added == DB_ERROR && db_duplicate(db) ? UNCHANGED : added;
}

enum db_update operator_tokens_revoke(struct db *db, const char *name)
{
    struct stmt *st = db_prepare(db, REVOKE);

    bind_ascii(st, name);
    return db_change(st);
}

static void read_token(struct stmt *st, struct operator_token *t)
{
    *t = (struct operator_token){ .id = col_u64(st, 0),
                                  .read_only = col_u64(st, 2) != 0,
                                  .created_ms = col_ms(st, 3),
                                  .revoked_ms = col_ms(st, 4) };
    col_string(st, 1, t->name, sizeof t->name);
}

enum lookup operator_tokens_find(struct db *db, const uint8_t digest[static HASH_LEN],
                                 struct operator_token *out)
{
    struct stmt *st = db_prepare(db, IN_FORCE);
    enum lookup found = LOOKUP_NONE;

    bind_u64(st, OPERATOR_TOKENS_MAX);
    if (!db_query(st))
        return LOOKUP_ERROR;
    while (db_next(st)) { /* to the end, whichever it is */
        uint8_t each[HASH_LEN];

        if (!col_fixed(st, 5, each, HASH_LEN) || !hash_equal(each, digest))
            continue;
        read_token(st, out);
        found = LOOKUP_FOUND;
    }
    return found;
}

int operator_tokens_list(struct db *db, struct arena *a, struct operator_token **out)
{
    struct stmt *st = db_prepare(db, LIST);
    int n = 0;

    *out = ARENA_ARRAY(a, struct operator_token, LISTED_MAX);
    bind_u64(st, LISTED_MAX);
    if (!db_query(st))
        return -1;
    while (n < LISTED_MAX && db_next(st))
        read_token(st, &(*out)[n++]);
    return n;
}
