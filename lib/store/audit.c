#include "store/audit.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/process.h"
#include "codec/audit_chain.h"
#include "codec/hex.h"

enum { PAGE = 500, HOSTS_MAX = 1000 };

static const char SEED[] = "INSERT IGNORE INTO audit_heads (host, seq, hash) VALUES (?, 0, ?)";
static const char HEAD[] = "SELECT seq, hash FROM audit_heads WHERE host = ? FOR UPDATE";
static const char ADD[] = "INSERT INTO audit (host, seq, line) VALUES (?, ?, ?)";
static const char MOVE[] = "UPDATE audit_heads SET seq = ?, hash = ? WHERE host = ?";
static const char CHAINS[] = "SELECT host, seq, hash FROM audit_heads ORDER BY host LIMIT ?";
static const char NEWEST[] = "SELECT host, line FROM audit WHERE (? IS NULL OR INSTR(line, ?) > 0)"
                             " ORDER BY JSON_UNQUOTE(JSON_EXTRACT(line, '$.at')) DESC, seq DESC LIMIT ?";
static const char LINES[] = "SELECT seq, line FROM audit WHERE host = ? AND seq > ? ORDER BY seq LIMIT ?";

void audit_digest(char out[static AUDIT_DIGEST_LEN + 1], const struct uuid *agent)
{
    uint8_t digest[HASH_LEN];
    char text[UUID_TEXT_LEN + 1];

    uuid_text(text, *agent);
    sha256(digest, text, UUID_TEXT_LEN);
    hex_encode(out, digest, sizeof digest);
}

/* The members of a line, without the braces; owned by the caller. */
static char *members_of(const struct audit_act *act)
{
    char at[ISO8601_LEN + 1], agent[AUDIT_DIGEST_LEN + 1];
    json_t *detail = act->detail != NULL ? json_loads(act->detail, JSON_DECODE_ANY, NULL) : NULL, *line;
    char *text;

    clock_iso8601(at, clock_ms());
    if (act->agent != NULL)
        audit_digest(agent, act->agent);
    line = json_pack("{s:s, s:s, s:s*, s:s, s:s?, s:o?, s:s*}", "at", at, "by", act->by, "token", act->token,
                     "act", act->act, "agent", act->agent != NULL ? agent : NULL, "detail", detail, "reason",
                     act->reason);
    text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    if (text != NULL) { /* of "{…}" what is between */
        memmove(text, text + 1, strlen(text));
        text[strlen(text) - 1] = '\0';
    }
    return text;
}

/* The head of this host's chain, locked. */
static bool hold_head(struct db *db, uint64_t *seq, uint8_t hash[static HASH_LEN])
{
    static const uint8_t none[HASH_LEN];
    struct stmt *st = db_prepare(db, SEED);

    bind_text(st, process_host());
    bind_bytes(st, none, sizeof none);
    if (db_exec(st) < 0)
        return false;
    st = db_prepare(db, HEAD);
    bind_text(st, process_host());
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *seq = col_u64(st, 0);
    return col_fixed(st, 1, hash, HASH_LEN);
}

static bool add_line(struct db *db, uint64_t seq, const char *line, const uint8_t hash[static HASH_LEN])
{
    struct stmt *st = db_prepare(db, ADD);

    bind_text(st, process_host());
    bind_u64(st, seq);
    bind_text(st, line);
    if (db_exec(st) != 1)
        return false;
    st = db_prepare(db, MOVE);
    bind_u64(st, seq);
    bind_bytes(st, hash, HASH_LEN);
    bind_text(st, process_host());
    return db_exec(st) == 1;
}

bool audit_write(struct db *db, const struct audit_act *act)
{
    struct buf line = BUF_INIT(AUDIT_CHAIN_LINE_MAX);
    char *members = members_of(act);
    uint8_t head[HASH_LEN];
    uint64_t seq;
    bool ok = members != NULL && hold_head(db, &seq, head) && audit_chain_append(&line, head, members) &&
              add_line(db, seq + 1, buf_text(&line), head);

    free(members);
    buf_free(&line);
    return ok;
}

/* ---- verifying ---- */

/* One more page of lines behind `seq`. How many, or -1. */
static int verify_page(struct db *db, struct arena *a, struct audit_chain *c, uint64_t *seq,
                       uint8_t head[static HASH_LEN])
{
    struct stmt *st = db_prepare(db, LINES);
    int n = 0;

    bind_ascii(st, c->host);
    bind_u64(st, *seq);
    bind_u64(st, PAGE);
    if (!db_query(st))
        return -1;
    for (; db_next(st); n++) {
        const char *line = col_text(st, 1, a);

        if (c->broken == 0 && (col_u64(st, 0) != *seq + 1 || !audit_chain_follows(head, line, strlen(line))))
            c->broken = *seq + 1;
        *seq = col_u64(st, 0);
    }
    return n;
}

static bool verify_chain(struct db *db, struct audit_chain *c)
{
    struct arena *a = arena_new();
    uint8_t head[HASH_LEN] = { 0 };
    uint64_t seq = 0;
    int n;

    do {
        n = verify_page(db, a, c, &seq, head);
        arena_reset(a);
    } while (n == PAGE && c->broken == 0);
    arena_free(a);
    if (n >= 0 && c->broken == 0 && (seq != c->lines || memcmp(head, c->head, sizeof head) != 0))
        c->broken = seq < c->lines ? seq + 1 : seq; /* the end is missing, or is not what the head says */
    return n >= 0;
}

int audit_verify(struct db *db, struct arena *a, struct audit_chain **out)
{
    struct stmt *st = db_prepare(db, CHAINS);
    int n = 0;

    *out = ARENA_ARRAY(a, struct audit_chain, HOSTS_MAX);
    bind_u64(st, HOSTS_MAX);
    if (!db_query(st))
        return -1;
    for (; db_next(st); n++) {
        col_string(st, 0, (*out)[n].host, sizeof(*out)[n].host);
        (*out)[n].lines = col_u64(st, 1);
        if (!col_fixed(st, 2, (*out)[n].head, HASH_LEN))
            (*out)[n].broken = 1;
    }
    for (int i = 0; i < n; i++)
        if (!verify_chain(db, &(*out)[i]))
            return -1;
    return n;
}

/* ---- reading ---- */

int audit_newest(struct db *db, struct arena *a, const struct uuid *agent, unsigned max,
                 struct audit_line **out)
{
    struct stmt *st = db_prepare(db, NEWEST);
    char digest[AUDIT_DIGEST_LEN + 1];
    int n = 0;

    if (agent != NULL)
        audit_digest(digest, agent);
    bind_text(st, agent != NULL ? digest : NULL);
    bind_text(st, agent != NULL ? digest : NULL);
    bind_u64(st, max);
    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        (*out)[n++] = (struct audit_line){ col_text(st, 0, a), col_text(st, 1, a) };
    }
    return n;
}
