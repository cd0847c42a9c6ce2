#include "store/withdrawal_addresses.h"

#include "store/columns.h"

/* A host that was away for so long is not waited for any more. */
#define ASKED_FOR "INTERVAL 1 MINUTE"

/* Address `wa`, at column `i` of `st`. */
#define ADDRESS(FIRST, NEXT)                                                                                 \
    FIRST("d.id", wa->id = col_u64(st, i))                                                                   \
    NEXT("d.agent_id", wa->agent_id = col_u64(st, i))                                                        \
    NEXT("g.uuid", wa->agent = col_uuid(st, i))                                                              \
    NEXT("d.kind", wa->kind = (enum wallet_kind)col_u64(st, i))                                              \
    NEXT("d.address", col_string(st, i, wa->address, sizeof wa->address))                                    \
    NEXT("d.label", col_string(st, i, wa->label, sizeof wa->label))                                          \
    NEXT("COALESCE(d.allow_contract, '')", col_string(st, i, wa->allow_contract, sizeof wa->allow_contract)) \
    NEXT("d.record", wa->record.len = col_within(st, i, wa->record.bytes, sizeof wa->record.bytes))          \
    NEXT("d.created_at", wa->created_ms = col_ms(st, i))                                                     \
    NEXT("d.active_at", wa->active_ms = col_ms(st, i))                                                       \
    NEXT("d.active_at <= UTC_TIMESTAMP(3)", wa->active = col_u64(st, i) != 0)                                \
    NEXT("d.removed_at IS NOT NULL", wa->removed = col_u64(st, i) != 0)

#define SELECT                                                                                               \
    "SELECT " ADDRESS(FIRST_NAME, NEXT_NAME) " FROM withdrawal_addresses d JOIN agents g ON g.id = d.agent_id"

static const char ADD[] =
    "INSERT INTO withdrawal_addresses (agent_id, kind, address, label, record, allow_contract, created_at, active_at)"
    " SELECT id, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL ? SECOND FROM agents WHERE id = ?";
static const char GET[] = SELECT " WHERE d.id = ? AND (? = 0 OR d.agent_id = ?)";
static const char AT[] =
    SELECT " WHERE d.agent_id = ? AND d.kind = ? AND d.removed_at IS NULL AND d.address = ?";
static const char LABELLED[] =
    SELECT " WHERE d.agent_id = ? AND d.kind = ? AND d.removed_at IS NULL AND d.label = ?";
static const char LIST[] = SELECT " WHERE d.agent_id = ? ORDER BY d.id DESC LIMIT ?";
static const char RECORD[] = "SELECT d.record FROM withdrawals w JOIN withdrawal_addresses d"
                             " ON d.id = w.address_id WHERE w.execution_id = ?";
static const char ACTIVATE[] = "UPDATE withdrawal_addresses SET record = ?, active_at = UTC_TIMESTAMP(3)"
                               " WHERE id = ? AND removed_at IS NULL";
static const char ASK[] =
    "UPDATE withdrawal_addresses SET taken_by = IF(asked_at > UTC_TIMESTAMP(3) - " ASKED_FOR
    ", taken_by, ''),"
    " asked_at = UTC_TIMESTAMP(3), asked_by = ? WHERE id = ? AND removed_at IS NULL";
static const char ASKED[] =
    SELECT " WHERE d.asked_at > UTC_TIMESTAMP(3) - " ASKED_FOR
           " AND d.removed_at IS NULL AND d.asked_by <> ? AND LOCATE(?, d.taken_by) = 0 LIMIT ?";
static const char TAKEN[] = "UPDATE withdrawal_addresses SET taken_by = CONCAT(taken_by, ?) WHERE id = ?"
                            " AND removed_at IS NULL AND LOCATE(?, taken_by) = 0";
static const char HOSTS[] = "SELECT LENGTH(taken_by) DIV 16 FROM withdrawal_addresses WHERE id = ?";
static const char RECALL[] = "UPDATE withdrawal_addresses SET asked_at = NULL, taken_by = '' WHERE id = ?"
                             " AND removed_at IS NULL";
static const char REMOVE[] = "UPDATE withdrawal_addresses SET removed_at = UTC_TIMESTAMP(3), asked_at = NULL"
                             " WHERE id = ? AND agent_id = ? AND removed_at IS NULL";

static const char *text_or_null(const char *text)
{
    return *text == '\0' ? NULL : text;
}

enum db_update withdrawal_addresses_add(struct db *db, struct withdrawal_address *wa, uint64_t wait_s)
{
    struct stmt *st = db_prepare(db, ADD);
    int64_t added;

    bind_u64(st, wa->kind);
    bind_text(st, wa->address);
    bind_text(st, text_or_null(wa->label));
    bind_bytes(st, wa->record.bytes, wa->record.len);
    bind_text(st, text_or_null(wa->allow_contract));
    bind_u64(st, wait_s);
    bind_u64(st, wa->agent_id);
    added = db_exec(st);
    if (added < 0)
        return db_duplicate(db) ? UNCHANGED : DB_ERROR;
    if (added == 0)
        return UNCHANGED;
    return withdrawal_addresses_get(db, wa->agent_id, db_insert_id(db), wa) == LOOKUP_FOUND ? UPDATED
                                                                                            : DB_ERROR;
}

static void read_address(struct stmt *st, struct withdrawal_address *wa)
{
    unsigned i = 0;

    *wa = (struct withdrawal_address){ .id = 0 };
    ADDRESS(READ_FIRST, READ_NEXT)
}

static enum lookup read_one(struct stmt *st, struct withdrawal_address *out)
{
    enum lookup found = db_one(st);

    if (found == LOOKUP_FOUND)
        read_address(st, out);
    return found;
}

static int read_all(struct stmt *st, struct arena *a, struct withdrawal_address **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_address(st, &(*out)[n++]);
    }
    return n;
}

enum lookup withdrawal_addresses_get(struct db *db, uint64_t agent_id, uint64_t id,
                                     struct withdrawal_address *out)
{
    struct stmt *st = db_prepare(db, GET);

    bind_u64(st, id);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    return read_one(st, out);
}

enum lookup withdrawal_addresses_at(struct db *db, uint64_t agent_id, enum wallet_kind kind,
                                    const char *address, struct withdrawal_address *out)
{
    struct stmt *st = db_prepare(db, AT);

    bind_u64(st, agent_id);
    bind_u64(st, kind);
    bind_ascii(st, address);
    return read_one(st, out);
}

enum lookup withdrawal_addresses_labelled(struct db *db, uint64_t agent_id, enum wallet_kind kind,
                                          const char *label, struct withdrawal_address *out)
{
    struct stmt *st = db_prepare(db, LABELLED);

    bind_u64(st, agent_id);
    bind_u64(st, kind);
    bind_text(st, label);
    return read_one(st, out);
}

int withdrawal_addresses_list(struct db *db, struct arena *a, uint64_t agent_id,
                              struct withdrawal_address **out)
{
    struct stmt *st = db_prepare(db, LIST);

    bind_u64(st, agent_id);
    bind_u64(st, ADDRESSES_SHOWN);
    return read_all(st, a, out);
}

enum lookup withdrawal_addresses_record(struct db *db, uint64_t execution_id, struct address_record *out)
{
    struct stmt *st = db_prepare(db, RECORD);
    enum lookup found;

    *out = (struct address_record){ .len = 0 };
    bind_u64(st, execution_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        out->len = col_within(st, 0, out->bytes, sizeof out->bytes);
    return found;
}

enum db_update withdrawal_addresses_activate(struct db *db, uint64_t id, const struct address_record *record)
{
    struct stmt *st = db_prepare(db, ACTIVATE);

    bind_bytes(st, record->bytes, record->len);
    bind_u64(st, id);
    return db_change(st);
}

static int64_t exec_with_id(struct db *db, const char *sql, uint64_t id)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, id);
    return db_exec(st);
}

bool withdrawal_addresses_ask(struct db *db, uint64_t id, const struct uuid *host)
{
    struct stmt *st = db_prepare(db, ASK);

    bind_uuid(st, host);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

int withdrawal_addresses_asked(struct db *db, struct arena *a, const struct uuid *host,
                               struct withdrawal_address **out)
{
    struct stmt *st = db_prepare(db, ASKED);

    bind_uuid(st, host);
    bind_uuid(st, host);
    bind_u64(st, 16);
    return read_all(st, a, out);
}

bool withdrawal_addresses_taken(struct db *db, uint64_t id, const struct uuid *host)
{
    struct stmt *st = db_prepare(db, TAKEN);

    bind_uuid(st, host);
    bind_u64(st, id);
    bind_uuid(st, host);
    return db_exec(st) >= 0;
}

enum lookup withdrawal_addresses_hosts(struct db *db, uint64_t id, uint64_t *hosts)
{
    struct stmt *st = db_prepare(db, HOSTS);
    enum lookup found;

    bind_u64(st, id);
    found = db_one(st);
    *hosts = found == LOOKUP_FOUND ? col_u64(st, 0) : 0;
    return found;
}

bool withdrawal_addresses_recall(struct db *db, uint64_t id)
{
    return exec_with_id(db, RECALL, id) >= 0;
}

enum db_update withdrawal_addresses_remove(struct db *db, uint64_t agent_id, uint64_t id)
{
    struct stmt *st = db_prepare(db, REMOVE);

    bind_u64(st, id);
    bind_u64(st, agent_id);
    return db_change(st);
}
