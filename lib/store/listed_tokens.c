#include "store/listed_tokens.h"

#include "store/columns.h"

/* Columns of token `t`, from column `i` of `st` on. */
#define TOKEN_ROW(FIRST, NEXT)                                                                               \
    FIRST("chain_id", t->ref.chain_id = col_u64(st, i))                                                      \
    NEXT("symbol", col_string(st, i, t->ref.symbol, sizeof t->ref.symbol))                                   \
    NEXT("address", col_string(st, i, t->ref.address, sizeof t->ref.address))                                \
    NEXT("decimals", t->ref.decimals = (uint8_t)col_u64(st, i))                                              \
    NEXT("name", t->name = col_text(st, i, a))                                                               \
    NEXT("checked", t->checked = col_u64(st, i) != 0)                                                        \
    NEXT("place", t->place = (unsigned)col_u64(st, i))

#define SELECT "SELECT " TOKEN_ROW(FIRST_NAME, NEXT_NAME) " FROM tokens"
#define LISTED " ORDER BY place, address LIMIT ? OFFSET ?"

static const char PAGE[] = SELECT " WHERE chain_id = ?" LISTED;
/* LOCATE knows no wildcards. */
static const char SEARCH[] =
    SELECT " WHERE chain_id = ? AND (LOCATE(?, symbol) > 0 OR LOCATE(?, name) > 0)" LISTED;
static const char BY_ADDRESS[] = SELECT " WHERE chain_id = ? AND address = ? LIMIT ?";
static const char BY_SYMBOL[] = SELECT " WHERE chain_id = ? AND symbol = ? ORDER BY place, address LIMIT ?";
static const char PUT[] =
    "INSERT INTO tokens (chain_id, symbol, address, decimals, name, checked, place, renewed_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE symbol = VALUES(symbol),"
    " decimals = VALUES(decimals), name = VALUES(name), checked = VALUES(checked), place = VALUES(place),"
    " renewed_at = VALUES(renewed_at)";
static const char DECIMALS[] =
    "SELECT decimals, created_at FROM token_decimals WHERE chain_id = ? AND address = ?";
static const char DECIMALS_KEEP[] =
    "INSERT IGNORE INTO token_decimals (chain_id, address, decimals, created_at)"
    " VALUES (?, ?, ?, UTC_TIMESTAMP(3))";
static const char DECIMALS_FORGET[] = "DELETE FROM token_decimals WHERE chain_id = ? AND address = ?";
static const char DROP[] = "DELETE FROM tokens WHERE chain_id = ? AND renewed_at < ? LIMIT 1000";

static void read_token(struct stmt *st, struct arena *a, struct token_row *t)
{
    unsigned i = 0;

    *t = (struct token_row){ .name = NULL };
    TOKEN_ROW(READ_FIRST, READ_NEXT)
}

/* All rows of the query. */
static int read_tokens(struct stmt *st, struct arena *a, struct token_row **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_token(st, a, &(*out)[n++]);
    }
    return n;
}

int tokens_page(struct db *db, struct arena *a, uint64_t chain_id, const char *search, uint64_t limit,
                uint64_t offset, struct token_row **out)
{
    struct stmt *st = db_prepare(db, search == NULL ? PAGE : SEARCH);

    bind_u64(st, chain_id);
    if (search != NULL) {
        bind_text(st, search);
        bind_text(st, search);
    }
    bind_u64(st, limit);
    bind_u64(st, offset);
    return read_tokens(st, a, out);
}

int tokens_named(struct db *db, struct arena *a, uint64_t chain_id, const char *text, uint64_t limit,
                 struct token_row **out)
{
    struct stmt *st = db_prepare(db, BY_ADDRESS);
    int n;

    bind_u64(st, chain_id);
    bind_ascii(st, text);
    bind_u64(st, limit);
    if ((n = read_tokens(st, a, out)) != 0)
        return n;
    st = db_prepare(db, BY_SYMBOL);
    bind_u64(st, chain_id);
    bind_text(st, text);
    bind_u64(st, limit);
    return read_tokens(st, a, out);
}

bool tokens_put(struct db *db, const struct token_row *row)
{
    struct stmt *st = db_prepare(db, PUT);

    bind_u64(st, row->ref.chain_id);
    bind_token(st, &row->ref);
    bind_text(st, row->name);
    bind_u64(st, row->checked);
    bind_u64(st, row->place);
    return db_exec(st) >= 0;
}

int64_t tokens_drop(struct db *db, uint64_t chain_id, int64_t since_ms)
{
    struct stmt *st = db_prepare(db, DROP);

    bind_u64(st, chain_id);
    bind_ms(st, since_ms);
    return db_exec(st);
}

enum lookup tokens_decimals_get(struct db *db, const struct token_ref *t, uint8_t *kept, int64_t *since_ms)
{
    struct stmt *st = db_prepare(db, DECIMALS);
    enum lookup found;

    bind_u64(st, t->chain_id);
    bind_ascii(st, t->address);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *kept = (uint8_t)col_u64(st, 0);
    if (found == LOOKUP_FOUND && since_ms != NULL)
        *since_ms = col_ms(st, 1);
    return found;
}

enum db_update tokens_decimals_forget(struct db *db, const struct token_ref *t)
{
    struct stmt *st = db_prepare(db, DECIMALS_FORGET);
    int64_t rows;

    bind_u64(st, t->chain_id);
    bind_ascii(st, t->address);
    rows = db_exec(st);
    return rows < 0 ? DB_ERROR : rows > 0 ? UPDATED : UNCHANGED;
}

bool tokens_decimals_keep(struct db *db, const struct token_ref *t, uint8_t *kept)
{
    enum lookup found = tokens_decimals_get(db, t, kept, NULL);
    struct stmt *st;

    if (found != LOOKUP_NONE)
        return found == LOOKUP_FOUND;
    st = db_prepare(db, DECIMALS_KEEP);
    bind_u64(st, t->chain_id);
    bind_ascii(st, t->address);
    bind_u64(st, t->decimals);
    return db_exec(st) >= 0 && tokens_decimals_get(db, t, kept, NULL) == LOOKUP_FOUND;
}
