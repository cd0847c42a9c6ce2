#include "store/provider_results.h"

static const char ADD[] =
    "INSERT INTO providers (provider, asked, answered, took_ms, findings, asked_at)"
    " VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE asked = asked + VALUES(asked),"
    " answered = answered + VALUES(answered), took_ms = took_ms + VALUES(took_ms),"
    " findings = findings + VALUES(findings), asked_at = VALUES(asked_at)";

bool providers_add(struct db *db, const char *provider_key, const struct provider_counts *more)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_ascii(st, provider_key);
    bind_u64(st, more->asked);
    bind_u64(st, more->answered);
    bind_u64(st, more->took_ms);
    bind_u64(st, more->check_reports);
    return db_exec(st) >= 0;
}
