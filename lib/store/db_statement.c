#include "store/db_inside.h"

#include "base/clock.h"
#include "base/log.h"

void statement_close(struct stmt *st)
{
    if (st->handle != NULL)
        mysql_stmt_close(st->handle);
    free(st->out);
    free(st->fetched);
    st->handle = NULL;
    st->out = NULL;
    st->fetched = NULL;
}

void statement_free(struct stmt *st)
{
    if (st == NULL)
        return;
    statement_close(st);
    free(st->in);
    free(st->in_values);
    free(st);
}

static struct stmt *statement_new(struct db *db, const char *sql)
{
    struct stmt *st = calloc(1, sizeof *st);

    if (st == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    st->sql = sql;
    st->db = db;
    for (const char *p = strchr(sql, '?'); p != NULL; p = strchr(p + 1, '?'))
        st->places++;
    st->in = calloc(st->places + 1, sizeof *st->in);
    st->in_values = calloc(st->places + 1, sizeof *st->in_values);
    if (st->in == NULL || st->in_values == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    return st;
}

/* Its place: that of the same text, a free one, or that of the statement which was wanted least lately. Those
 * that a caller has not done with are the newest. */
static struct stmt **statement_place(struct db *db, const char *sql)
{
    size_t at = ((uintptr_t)sql >> 3) % CACHE_SIZE;
    struct stmt **oldest = &db->cache[at];

    for (size_t i = 0; i < CACHE_SIZE; i++, at = (at + 1) % CACHE_SIZE) {
        struct stmt **place = &db->cache[at];

        if (*place == NULL || (*place)->sql == sql)
            return place;
        if ((*place)->used < (*oldest)->used)
            oldest = place;
    }
    return oldest;
}

static struct stmt *statement_cached(struct db *db, const char *sql)
{
    struct stmt **place = statement_place(db, sql);

    if (*place != NULL && (*place)->sql != sql) {
        statement_free(*place);
        *place = NULL;
    }
    if (*place == NULL)
        *place = statement_new(db, sql);
    (*place)->used = ++db->uses;
    return *place;
}

struct stmt *db_prepare(struct db *db, const char *sql)
{
    struct stmt *st = statement_cached(db, sql);

    st->bound = 0;
    return st;
}

void db_forget(struct stmt *st)
{
    static const char none[] = "";

    statement_close(st);
    st->sql = none;
}

static MYSQL_BIND *bind_next(struct stmt *st, enum enum_field_types type)
{
    MYSQL_BIND *b;

    if (st->bound >= st->places)
        log_fatal("program_broken", "msg=\"too many values bound\"");
    b = &st->in[st->bound];
    memset(b, 0, sizeof *b);
    b->buffer_type = type;
    b->buffer = &st->in_values[st->bound];
    st->bound++;
    return b;
}

void bind_u64(struct stmt *st, uint64_t v)
{
    MYSQL_BIND *b = bind_next(st, MYSQL_TYPE_LONGLONG);

    b->is_unsigned = 1;
    ((union value *)b->buffer)->u = v;
}

void bind_i64(struct stmt *st, int64_t v)
{
    MYSQL_BIND *b = bind_next(st, MYSQL_TYPE_LONGLONG);

    ((union value *)b->buffer)->i = v;
}

void bind_u64_or_null(struct stmt *st, uint64_t v)
{
    if (v != 0)
        bind_u64(st, v);
    else
        (void)bind_next(st, MYSQL_TYPE_NULL);
}

static void bind_range(struct stmt *st, enum enum_field_types type, const void *p, size_t n)
{
    MYSQL_BIND *b = bind_next(st, p == NULL ? MYSQL_TYPE_NULL : type);

    b->buffer = (void *)(uintptr_t)p;
    b->buffer_length = (unsigned long)n;
}

void bind_text(struct stmt *st, const char *s)
{
    bind_range(st, MYSQL_TYPE_STRING, s, s == NULL ? 0 : strlen(s));
}

static bool is_ascii(const char *s)
{
    while (*s != '\0' && (unsigned char)*s < 0x80)
        s++;
    return *s == '\0';
}

void bind_ascii(struct stmt *st, const char *s)
{
    static const char in_no_row[] = "\x7f";

    bind_text(st, s == NULL || is_ascii(s) ? s : in_no_row);
}

void bind_bytes(struct stmt *st, const void *p, size_t n)
{
    bind_range(st, MYSQL_TYPE_BLOB, p, n);
}

void bind_uuid(struct stmt *st, const struct uuid *u)
{
    bind_bytes(st, u->bytes, sizeof u->bytes);
}

void bind_u256(struct stmt *st, const struct u256 *v)
{
    MYSQL_BIND *b = bind_next(st, MYSQL_TYPE_BLOB);

    u256_to_be(((union value *)b->buffer)->bytes, *v);
    b->buffer_length = U256_BYTES;
}

void bind_ms(struct stmt *st, int64_t ms)
{
    const struct clock_date d = clock_date_of(ms / 1000);
    MYSQL_TIME *t;

    if (ms == 0) {
        (void)bind_next(st, MYSQL_TYPE_NULL);
        return;
    }
    t = &((union value *)bind_next(st, MYSQL_TYPE_DATETIME)->buffer)->time;
    *t = (MYSQL_TIME){ .year = (unsigned)d.year,
                       .month = (unsigned)d.month,
                       .day = (unsigned)d.day,
                       .hour = (unsigned)d.hour,
                       .minute = (unsigned)d.minute,
                       .second = (unsigned)d.second,
                       .second_part = (unsigned long)(ms % 1000) * 1000,
                       .time_type = MYSQL_TIMESTAMP_DATETIME };
}

static void statement_columns(struct stmt *st)
{
    MYSQL_RES *meta = mysql_stmt_result_metadata(st->handle);

    st->columns = 0;
    if (meta == NULL)
        return;
    st->columns = mysql_num_fields(meta);
    if (st->columns > MAX_COLUMNS)
        log_fatal("program_broken", "msg=\"too many columns\"");
    st->out = calloc(st->columns, sizeof *st->out);
    st->fetched = calloc(st->columns, sizeof *st->fetched);
    if (st->out == NULL || st->fetched == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    for (unsigned i = 0; i < st->columns; i++) {
        const MYSQL_FIELD *f = mysql_fetch_field_direct(meta, i);
        MYSQL_BIND *b = &st->out[i];

        b->buffer = &st->fetched[i].value;
        b->length = &st->fetched[i].len;
        b->is_null = &st->fetched[i].null;
        b->error = &st->fetched[i].truncated;
        b->buffer_length = INLINE_BYTES;
        if (IS_NUM(f->type) && f->type != MYSQL_TYPE_TIMESTAMP) {
            b->buffer_type = MYSQL_TYPE_LONGLONG;
            b->is_unsigned = (f->flags & UNSIGNED_FLAG) != 0;
        } else if (f->type == MYSQL_TYPE_DATETIME) {
            b->buffer_type = MYSQL_TYPE_DATETIME;
        } else {
            b->buffer_type = MYSQL_TYPE_BLOB;
        }
    }
    mysql_free_result(meta);
}

/* A server that takes a transaction back for the sake of another node's says so in its next answer. MariaDB
 * forgets to where that happens during a PREPARE, and commits what follows statement by statement. So the
 * transaction is asked for after a PREPARE inside of it, and looked for after every statement. */
static bool transaction_lives(struct db *db)
{
    if (!db->in_tx || (db->handle->server_status & SERVER_STATUS_IN_TRANS) != 0)
        return true;
    db_note_failure(db, ER_LOCK_DEADLOCK, "transaction");
    return false;
}

static bool transaction_survived_prepare(struct db *db)
{
    return !db->in_tx || (db_simple(db, "DO 0") && transaction_lives(db));
}

static bool statement_prepared(struct stmt *st)
{
    struct db *db = st->db;

    if (!db_connected(db))
        return false;
    if (st->handle != NULL)
        return true;
    st->handle = mysql_stmt_init(db->handle);
    if (st->handle == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    if (mysql_stmt_prepare(st->handle, st->sql, strlen(st->sql)) != 0) {
        unsigned error = mysql_stmt_errno(st->handle);

        statement_close(st);
        db_note_failure(db, error, "prepare");
        return false;
    }
    st->params = (unsigned)mysql_stmt_param_count(st->handle);
    statement_columns(st);
    return transaction_survived_prepare(db);
}

static bool statement_execute_once(struct stmt *st)
{
    struct db *db = st->db;

    db->error = 0;
    db->moves = false;
    if (!statement_prepared(st))
        return false;
    if (st->params != st->bound)
        log_fatal("program_broken", "msg=\"wrong number of values bound\" want=%u have=%u", st->params,
                  st->bound);
    (void)mysql_stmt_free_result(st->handle);
    if ((st->bound > 0 && mysql_stmt_bind_param(st->handle, st->in) != 0) ||
        mysql_stmt_execute(st->handle) != 0) {
        db_note_failure(db, mysql_stmt_errno(st->handle), "execute");
        return false;
    }
    return true;
}

int64_t db_exec(struct stmt *st)
{
    bool in_tx = st->db->in_tx, done = false;
    int64_t rows;

    for (unsigned try = 0; !done; try++) {
        db_before_try(try);
        done = statement_execute_once(st) && transaction_lives(st->db);
        if (!done && in_tx)
            return -1;
        if (!done && ((!error_is_rollback(st->db->error) && !st->db->moves) || try + 1 == TX_TRIES)) {
            st->db->wrote = st->db->wrote || error_is_loss(st->db->error);
            db_note_given_up(st->db, "execute");
            return -1;
        }
    }
    st->db->insert_id = mysql_stmt_insert_id(st->handle);
    rows = (int64_t)mysql_stmt_affected_rows(st->handle);
    st->db->wrote = st->db->wrote || (!in_tx && rows > 0);
    return rows;
}

void db_work_begin(struct db *db)
{
    if (db == NULL)
        return;
    db->refused = db->wrote = false;
    db->work_ms = clock_mono_ms();
}

bool db_refuses(const struct db *db)
{
    return db != NULL && db->refused && !db->wrote;
}

enum db_update db_change(struct stmt *st)
{
    int64_t rows = db_exec(st);

    return rows < 0 ? DB_ERROR : rows == 0 ? UNCHANGED : UPDATED;
}

uint64_t db_insert_id(struct db *db)
{
    return db->insert_id;
}

static bool statement_query_once(struct stmt *st)
{
    struct db *db = st->db;

    if (!statement_execute_once(st))
        return false;
    if (mysql_stmt_bind_result(st->handle, st->out) != 0 || mysql_stmt_store_result(st->handle) != 0) {
        db_note_failure(db, mysql_stmt_errno(st->handle), "result");
        return false;
    }
    return transaction_lives(db);
}

bool db_query(struct stmt *st)
{
    bool in_tx = st->db->in_tx;

    /* A read outside of a transaction may be repeated on a new connection: the old one was idle too long, the
     * server was started again, or its node left the cluster. */
    for (unsigned try = 0; !statement_query_once(st); try++) {
        if (in_tx)
            return false;
        if (!error_may_pass(st->db->error) || try == st->db->conf.count) {
            db_note_given_up(st->db, "query");
            return false;
        }
    }
    return true;
}

bool db_next(struct stmt *st)
{
    int rc;

    if (st->handle == NULL)
        return false;
    rc = mysql_stmt_fetch(st->handle);
    if (rc == 0 || rc == MYSQL_DATA_TRUNCATED)
        return true;
    mysql_stmt_free_result(st->handle);
    return false;
}

enum lookup db_one(struct stmt *st)
{
    if (!db_query(st))
        return -1;
    /* Further rows are dropped by the statement's next execution. */
    return db_next(st) ? 1 : 0;
}

static struct column *column_at(struct stmt *st, unsigned i)
{
    if (i >= st->columns)
        log_fatal("program_broken", "msg=\"no such column\" column=%u", i);
    return &st->fetched[i];
}

bool col_null(struct stmt *st, unsigned i)
{
    return column_at(st, i)->null != 0;
}

uint64_t col_u64(struct stmt *st, unsigned i)
{
    return col_null(st, i) ? 0 : column_at(st, i)->value.u;
}

int64_t col_i64(struct stmt *st, unsigned i)
{
    return col_null(st, i) ? 0 : column_at(st, i)->value.i;
}

int64_t col_ms(struct stmt *st, unsigned i)
{
    const MYSQL_TIME *t = &column_at(st, i)->value.time;
    struct clock_date d;

    if (col_null(st, i))
        return 0;
    d = (struct clock_date){ .year = (int)t->year,
                             .month = (int)t->month,
                             .day = (int)t->day,
                             .hour = (int)t->hour,
                             .minute = (int)t->minute,
                             .second = (int)t->second };
    return clock_seconds_of(&d) * 1000 + (int64_t)t->second_part / 1000;
}

static void column_copy(void *out, struct stmt *st, unsigned i)
{
    struct column *c = column_at(st, i);
    MYSQL_BIND b = { .buffer_type = MYSQL_TYPE_BLOB, .buffer = out, .buffer_length = c->len };

    if (c->len <= INLINE_BYTES)
        memcpy(out, c->value.bytes, c->len);
    else if (mysql_stmt_fetch_column(st->handle, &b, i, 0) != 0)
        log_fatal("program_broken", "msg=\"column not readable\"");
}

const uint8_t *col_bytes(struct stmt *st, unsigned i, struct arena *a, size_t *n)
{
    struct column *c = column_at(st, i);
    uint8_t *p;

    *n = 0;
    if (c->null)
        return NULL;
    p = arena_alloc(a, c->len + 1); /* terminated, for col_text */
    column_copy(p, st, i);
    *n = c->len;
    return p;
}

char *col_text(struct stmt *st, unsigned i, struct arena *a)
{
    size_t n;

    return (char *)(uintptr_t)col_bytes(st, i, a, &n);
}

void col_string(struct stmt *st, unsigned i, char *out, size_t size)
{
    struct column *c = column_at(st, i);
    size_t n = c->null ? 0 : c->len;

    if (n > INLINE_BYTES)
        n = INLINE_BYTES;
    if (n >= size)
        n = size - 1;
    memcpy(out, c->value.bytes, n);
    out[n] = '\0';
}

bool col_fixed(struct stmt *st, unsigned i, void *out, size_t n)
{
    struct column *c = column_at(st, i);

    if (c->null || c->len != n || n > INLINE_BYTES) {
        memset(out, 0, n);
        return false;
    }
    memcpy(out, c->value.bytes, n);
    return true;
}

size_t col_within(struct stmt *st, unsigned i, void *out, size_t n)
{
    struct column *c = column_at(st, i);

    if (c->null || c->len > n)
        return 0;
    column_copy(out, st, i);
    return c->len;
}

struct uuid col_uuid(struct stmt *st, unsigned i)
{
    struct uuid u;

    (void)col_fixed(st, i, u.bytes, sizeof u.bytes);
    return u;
}

struct u256 col_u256(struct stmt *st, unsigned i)
{
    uint8_t be[U256_BYTES];

    (void)col_fixed(st, i, be, sizeof be);
    return u256_from_be(be);
}

bool db_duplicate(const struct db *db)
{
    return db->error == ER_DUP_ENTRY;
}

bool db_there_already(const struct db *db)
{
    return db->error == ER_DUP_KEYNAME || db->error == ER_DUP_FIELDNAME;
}

bool db_gone_already(const struct db *db)
{
    return db->error == ER_NO_SUCH_TABLE || db->error == ER_TABLE_EXISTS_ERROR ||
           db->error == ER_BAD_FIELD_ERROR || db->error == ER_CANT_DROP_FIELD_OR_KEY ||
           db->error == ERR_NO_SUCH_KEY;
}

bool db_simple(struct db *db, const char *sql)
{
    if (!db_connected(db))
        return false;
    if (mysql_query(db->handle, sql) == 0)
        return true;
    db_note_failure(db, mysql_errno(db->handle), "statement");
    return false;
}

bool db_run(struct db *db, const char *sql)
{
    bool done = db_simple(db, sql);

    for (unsigned try = 1; !done && error_is_rollback(db->error) && try < TX_TRIES; try++) {
        db_before_try(try);
        done = db_simple(db, sql);
    }
    return done;
}
