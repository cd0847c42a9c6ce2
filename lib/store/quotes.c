#include "store/quotes.h"

#include "store/columns.h"
#include "store/quote_offers.h"

/* Columns of quote `q`, from column `i` of `st` on. */
#define QUOTE(FIRST, NEXT)                                                                                   \
    FIRST("provider", col_string(st, i, q->provider, sizeof q->provider))                                    \
    TOKEN(NEXT, "from", q->from)                                                                             \
    TOKEN(NEXT, "to", q->to)                                                                                 \
    NEXT("amount_in", q->amount_in = col_u256(st, i))                                                        \
    NEXT("amount_out", q->amount_out = col_u256(st, i))                                                      \
    NEXT("min_out", q->min_out = col_u256(st, i))                                                            \
    NEXT("slippage_ppm", q->slippage.value = (uint32_t)col_u64(st, i))                                       \
    NEXT("gas_units", q->gas_units = col_u64(st, i))                                                         \
    NEXT("route", q->route_len = col_within(st, i, q->route, sizeof q->route))                               \
    NEXT("reference", q->reference.len = col_within(st, i, q->reference.bytes, sizeof q->reference.bytes))   \
    NEXT("wallet_address", col_string(st, i, q->wallet_address, sizeof q->wallet_address))                   \
    NEXT("recipient", col_string(st, i, q->recipient, sizeof q->recipient))                                  \
    NEXT("consumed_at IS NOT NULL", q->consumed = col_u64(st, i) != 0)                                       \
    NEXT("expires_at <= UTC_TIMESTAMP(3)", q->expired = col_u64(st, i) != 0)                                 \
    NEXT("max_impact_ppm", q->max_impact.value = (uint32_t)col_u64(st, i))

static const char ADD[] =
    "INSERT INTO quotes (id, agent_id, provider, from_chain, to_chain, from_symbol, from_address,"
    " from_decimals, to_symbol, to_address, to_decimals, amount_in, amount_out, min_out, slippage_ppm,"
    " gas_units, route, reference, wallet_address, recipient, max_impact_ppm, offers, created_at, expires_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3),"
    " UTC_TIMESTAMP(3) + INTERVAL ? SECOND)";
#define SELECT "SELECT " QUOTE(FIRST_NAME, NEXT_NAME) " FROM quotes WHERE id = ? AND agent_id = ?"
static const char GET[] = SELECT;
static const char GET_FREE[] = SELECT " LOCK IN SHARE MODE";
static const char TAKE[] = "UPDATE quotes SET consumed_at = UTC_TIMESTAMP(3) WHERE id = ? AND agent_id = ?"
                           " AND consumed_at IS NULL AND expires_at > UTC_TIMESTAMP(3)";
static const char END[] =
    "UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) WHERE expires_at > UTC_TIMESTAMP(3)";
static const char PURGE[] =
    "DELETE FROM quotes WHERE expires_at < UTC_TIMESTAMP(3) - INTERVAL ? SECOND LIMIT ?";

enum { OFFERS_BYTES = 64 * 1024 };

bool quotes_add(struct db *db, const struct quote *q)
{
    struct stmt *st = db_prepare(db, ADD);
    struct buf offers = BUF_INIT(OFFERS_BYTES);
    int64_t added;

    quote_offers_encode(&offers, q->offers, q->offer_count);
    bind_uuid(st, &q->id);
    bind_u64(st, q->agent_id);
    bind_text(st, q->provider);
    bind_u64(st, q->from.chain_id);
    bind_u64(st, q->to.chain_id);
    bind_token(st, &q->from);
    bind_token(st, &q->to);
    bind_u256(st, &q->amount_in);
    bind_u256(st, &q->amount_out);
    bind_u256(st, &q->min_out);
    bind_u64(st, q->slippage.value);
    bind_u64(st, q->gas_units);
    bind_bytes(st, q->route, q->route_len);
    bind_bytes(st, q->reference.bytes, q->reference.len);
    bind_text(st, q->wallet_address[0] != '\0' ? q->wallet_address : NULL);
    bind_text(st, q->recipient[0] != '\0' ? q->recipient : NULL);
    bind_u64(st, q->max_impact.value);
    bind_bytes(st, offers.data, offers.overflow ? 0 : offers.len);
    bind_u64(st, QUOTE_LIFETIME_S);
    added = db_exec(st);
    buf_free(&offers);
    return added == 1;
}

static void read_quote(struct stmt *st, struct quote *q)
{
    unsigned i = 0;

    q->price_impact.value = PPM_NONE;
    QUOTE(READ_FIRST, READ_NEXT)
}

static enum lookup quote_one(struct stmt *st, const struct uuid *id, uint64_t agent_id, struct quote *out)
{
    enum lookup found;

    *out = (struct quote){ .id = *id, .agent_id = agent_id };
    bind_uuid(st, id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_quote(st, out);
    return found;
}

enum lookup quotes_get(struct db *db, const struct uuid *id, uint64_t agent_id, struct quote *out)
{
    return quote_one(db_prepare(db, GET), id, agent_id, out);
}

enum lookup quotes_get_free(struct db *db, const struct uuid *id, uint64_t agent_id, struct quote *out)
{
    return quote_one(db_prepare(db, GET_FREE), id, agent_id, out);
}

enum db_update quotes_take(struct db *db, const struct uuid *id, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, TAKE);

    bind_uuid(st, id);
    bind_u64(st, agent_id);
    return db_change(st);
}

bool quotes_end(struct db *db)
{
    return db_exec(db_prepare(db, END)) >= 0;
}

int64_t quotes_purge(struct db *db, uint64_t keep_s, uint64_t max)
{
    struct stmt *st = db_prepare(db, PURGE);

    bind_u64(st, keep_s);
    bind_u64(st, max);
    return db_exec(st);
}
