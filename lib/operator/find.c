#include "operator/find.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/params.h"
#include "codec/base58.h"
#include "codec/hex.h"
#include "operator/admin_agents.h"
#include "operator/admin_executions.h"
#include "operator/log_lines.h"
#include "store/agents.h"
#include "store/events.h"
#include "store/lookups.h"

enum { SHOWN_MAX = 100, LINES_MAX = 20 };

static const char SYSTEMD[] = "/run/systemd/system"; /* is there where it runs */

struct search {
    const struct ctx *ctx;
    struct arena *arena;
    struct thing_found *found;
    size_t count;
};

static void thing_add(struct search *s, const char *kind, const char *id, const char *what)
{
    s->found = arena_grow(s->arena, s->found, s->count, sizeof *s->found);
    s->found[s->count++] = (struct thing_found){ kind, id, what };
}

/* Each place adds what it has; false when the database failed. */

static bool add_agents(struct search *s, const char *why, const uint64_t *ids, int n)
{
    for (int i = 0; i < n; i++)
        thing_add(s, "agent", operator_agent_text(s->ctx, s->arena, ids[i]), why);
    return n >= 0;
}

static bool add_executions(struct search *s, const char *why, const uint64_t *ids, int n)
{
    struct execution_report r;

    for (int i = 0; i < n; i++) {
        if (operator_report_execution(s->ctx, s->arena, ids[i], &r) != LOOKUP_FOUND)
            continue;
        thing_add(s, "swap", arena_printf(s->arena, "%" PRIu64, ids[i]),
                  arena_printf(s->arena, "%s%s of %s: %s", why, r.name, r.in, r.status));
    }
    return n >= 0;
}

static bool find_agent(struct search *s, const char *text)
{
    struct agent agent;
    struct uuid uuid;
    uint64_t *ids;
    int n;

    if (uuid_parse(&uuid, text)) {
        enum lookup found = agents_by_uuid(s->ctx->db, s->arena, &uuid, &agent);

        if (found == LOOKUP_FOUND)
            thing_add(s, "agent", operator_agent_text(s->ctx, s->arena, agent.id), agent.name);
        return found != LOOKUP_ERROR;
    }
    n = lookup_agents_named(s->ctx->db, s->arena, text, SHOWN_MAX, &ids);
    return add_agents(s, "has this name", ids, n);
}

static bool find_wallet(struct search *s, const char *text)
{
    uint64_t *ids;
    int n = lookup_wallet_agents(s->ctx->db, s->arena, text, SHOWN_MAX, &ids);

    return add_agents(s, "has this wallet", ids, n);
}

static bool find_transaction(struct search *s, const char *text)
{
    struct tx_hash hash;
    size_t len = 0;
    uint64_t *ids;
    int n;

    if (!hex_decode_0x(hash.bytes, sizeof hash.bytes, &len, text) &&
        !base58_decode(hash.bytes, sizeof hash.bytes, &len, text))
        return true;
    hash.len = (uint8_t)len;
    n = len > 0 ? lookup_hash_executions(s->ctx->db, s->arena, &hash, SHOWN_MAX, &ids) : 0;
    return n == 0 || add_executions(s, "its transaction: ", ids, n);
}

static bool find_swap(struct search *s, const char *text)
{
    uint64_t id;

    return !params_whole(&id, text) || add_executions(s, "", &id, 1);
}

static bool find_event(struct search *s, const char *text)
{
    struct uuid id;
    uint64_t agent;
    struct event e;
    enum lookup found = event_id_parse(&id, text) ? lookup_event_agent(s->ctx->db, id, &agent) : LOOKUP_NONE;

    if (found == LOOKUP_FOUND)
        found = events_get(s->ctx->db, s->arena, agent, id, &e);
    if (found == LOOKUP_FOUND)
        thing_add(s, "event", text,
                  arena_printf(s->arena, "%s of agent %s: %s", e.type,
                               operator_agent_text(s->ctx, s->arena, agent), event_status_text(e.status)));
    return found != LOOKUP_ERROR;
}

/* A request's objects are in the database, and the lines of its failure, or later ones, in the logs. */
static bool find_request(struct search *s, const char *text)
{
    struct log_line lines[LINES_MAX];
    size_t n = operator_log_lines(s->ctx, s->arena, text, lines, LINES_MAX);
    uint64_t *ids;
    int count = lookup_request_executions(s->ctx->db, s->arena, text, SHOWN_MAX, &ids);

    for (size_t i = 0; i < n; i++)
        thing_add(s, "log", lines[i].file, lines[i].text);
    return add_executions(s, "its request: ", ids, count);
}

const char *operator_find(const struct ctx *ctx, struct arena *a, const char *text, struct thing_found **out,
                          size_t *count)
{
    static bool (*const places[])(struct search * s, const char *text) = {
        find_agent, find_wallet, find_transaction, find_swap, find_event, find_request,
    };
    struct search s = { .ctx = ctx, .arena = a };
    bool ok = true;

    for (size_t i = 0; ok && i < sizeof places / sizeof places[0]; i++)
        ok = places[i](&s, text);
    *out = s.found;
    *count = s.count;
    if (!ok)
        return OPERATOR_DATABASE_FAILED;
    if (s.count > 0)
        return NULL;
    return arena_printf(a, "nothing is called that: %s%s", text,
                        access(SYSTEMD, F_OK) == 0 ? "; for lines of the journal: journalctl --grep" : "");
}
