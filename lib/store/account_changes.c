#include "store/account_changes.h"

#include <jansson.h>
#include <stdio.h>

#include "base/json_writer.h"
#include "store/states.h"

enum { TEXT_MAX = 8192 };

static const char PUT[] = "INSERT INTO account_changes (execution_id, transaction_id, address, chain_id,"
                          " block_number, changes, recorded_at) VALUES (?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))"
                          " ON DUPLICATE KEY UPDATE block_number = VALUES(block_number),"
                          " changes = VALUES(changes), recorded_at = VALUES(recorded_at)";
static const char REMOVE[] = "DELETE FROM account_changes WHERE execution_id = ?";
static const char NEWEST[] =
    "SELECT chain_id, MAX(block_number) FROM account_changes WHERE address = ? GROUP BY chain_id";
static const char ABOVE[] = "SELECT execution_id, transaction_id, block_number, changes FROM account_changes"
                            " WHERE address = ? AND chain_id = ? AND block_number > ? ORDER BY block_number";
static const char TRANSFERS[] =
    "SELECT e.id, e.kind, e.amount_in, IF(c.transaction_id = 0, 0, c.block_number), r.body"
    " FROM account_changes c JOIN executions e ON e.id = c.execution_id"
    " LEFT JOIN requests r ON r.execution_id = e.id AND r.venue = ?"
    " WHERE c.address = ? AND c.chain_id = ? AND e.kind IN (" SQL_PREDICT_TRANSFERS ")"
    " AND e.status = " SQL_COMPLETED " ORDER BY e.id";
static const char PURGE[] =
    "DELETE FROM account_changes WHERE recorded_at < UTC_TIMESTAMP(3) - INTERVAL 1 HOUR LIMIT ?";

/* [[token, left, came], ...] */
static const char *changes_text(struct arena *a, const struct account_change *c)
{
    char number[U256_DECIMAL_LEN + 1];
    struct json_writer w;

    jw_init(&w, a, TEXT_MAX);
    jw_array(&w, NULL);
    for (unsigned i = 0; i < c->count; i++) {
        jw_array(&w, NULL);
        jw_string(&w, NULL, c->tokens[i].token);
        u256_decimal(number, c->tokens[i].left);
        jw_string(&w, NULL, number);
        u256_decimal(number, c->tokens[i].came);
        jw_string(&w, NULL, number);
        jw_end(&w);
    }
    jw_end(&w);
    return jw_finish(&w);
}

static bool change_read(struct token_change *out, const json_t *item)
{
    const char *token = json_string_value(json_array_get(item, 0)),
               *left = json_string_value(json_array_get(item, 1)),
               *came = json_string_value(json_array_get(item, 2));

    if (token == NULL || left == NULL || came == NULL)
        return false;
    (void)snprintf(out->token, sizeof out->token, "%s", token);
    return u256_parse(&out->left, left) && u256_parse(&out->came, came);
}

static bool changes_read(struct account_change *c, const char *text)
{
    json_t *list = text == NULL ? NULL : json_loads(text, 0, NULL), *item;
    bool read = json_is_array(list) && json_array_size(list) <= ACCOUNT_TOKENS_MAX;
    size_t i;

    c->count = 0;
    if (read)
        json_array_foreach(list, i, item) read = change_read(&c->tokens[c->count++], item) && read;
    json_decref(list);
    return read;
}

bool account_changes_put(struct db *db, struct arena *a, const struct account_change *c)
{
    struct stmt *st = db_prepare(db, PUT);

    bind_u64(st, c->execution_id);
    bind_u64(st, c->transaction_id);
    bind_text(st, c->address);
    bind_u64(st, c->chain_id);
    bind_u64(st, c->block);
    bind_text(st, c->known ? changes_text(a, c) : NULL);
    return db_exec(st) >= 0;
}

bool account_changes_remove(struct db *db, uint64_t execution_id)
{
    struct stmt *st = db_prepare(db, REMOVE);

    bind_u64(st, execution_id);
    return db_exec(st) >= 0;
}

int account_changes_newest(struct db *db, const char *address, struct account_block *out, unsigned max)
{
    struct stmt *st = db_prepare(db, NEWEST);
    unsigned n = 0;

    bind_text(st, address);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        if (n < max)
            out[n++] = (struct account_block){ col_u64(st, 0), col_u64(st, 1) };
    return (int)n;
}

int account_changes_above(struct db *db, struct arena *a, const char *address, uint64_t chain_id,
                          uint64_t block, struct account_change **out)
{
    struct stmt *st = db_prepare(db, ABOVE);
    int n = 0;

    *out = NULL;
    bind_text(st, address);
    bind_u64(st, chain_id);
    bind_u64(st, block);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        struct account_change *c;

        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        c = &(*out)[n++];
        *c = (struct account_change){ .execution_id = col_u64(st, 0),
                                      .transaction_id = col_u64(st, 1),
                                      .chain_id = chain_id,
                                      .address = address,
                                      .block = col_u64(st, 2) };
        c->known = changes_read(c, col_null(st, 3) ? NULL : col_text(st, 3, a));
    }
    return n;
}

int account_changes_transfers(struct db *db, struct arena *a, const char *address, uint64_t chain_id,
                              const char *venue, struct transfer_row **out)
{
    struct stmt *st = db_prepare(db, TRANSFERS);
    int n = 0;

    *out = NULL;
    bind_ascii(st, venue);
    bind_text(st, address);
    bind_u64(st, chain_id);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        struct transfer_row *t;

        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        t = &(*out)[n++];
        *t = (struct transfer_row){ .execution_id = col_u64(st, 0),
                                    .kind = (enum exec_kind_id)col_u64(st, 1),
                                    .amount = col_u256(st, 2),
                                    .block = col_u64(st, 3) };
        if (!col_null(st, 4))
            t->body = col_bytes(st, 4, a, &t->body_len);
    }
    return n;
}

int64_t account_changes_purge(struct db *db, uint64_t max)
{
    struct stmt *st = db_prepare(db, PURGE);

    bind_u64(st, max);
    return db_exec(st);
}
