#include <string.h>
#include <unistd.h>

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"
#include "api/readiness.h"
#include "base/build.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "base/shm_cache.h"
#include "chain/rpc/node_health.h"
#include "drift/report.h"
#include "net/venues.h"
#include "predict/predict_eligibility.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "route/uniswap_contracts.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/job_runs.h"
#include "store/trading_halts.h"

static struct reply *get_healthz(struct api_call *c, const void *arg)
{
    struct json_writer *w = reply_open(c->rq, 200);

    (void)arg;
    jw_string(w, "status", "ok");
    return reply_close(w);
}

/* The keys' protection from this worker; readiness does not depend on it. */
static const char *keys_protected(unsigned health)
{
    if (geteuid() == 0)
        return "not from workers that are root";
    return health & SIGNER_APART ? "from code in a worker" : "in memory only";
}

static void checks_write(struct json_writer *w, const struct readiness *r)
{
    struct readiness_part parts[READINESS_PARTS];

    readiness_parts(r, parts);
    jw_object(w, "checks");
    for (size_t i = 0; i < READINESS_PARTS; i++)
        jw_bool(w, parts[i].name, parts[i].fine);
    jw_end(w);
}

/* Which of the configured servers answers and its state in the cluster, or why none does. */
static void database_write(struct json_writer *w, const struct db *db)
{
    const char *health;
    unsigned server = db_server(db, &health);

    jw_object(w, "database");
    if (server != 0)
        jw_integer(w, "server", server);
    else
        jw_null(w, "server");
    jw_string(w, server != 0 ? "standing" : "reason", health);
    jw_end(w);
}

static void signer_write(struct json_writer *w, unsigned health)
{
    jw_object(w, "signer");
    jw_string(w, "keys_protected", keys_protected(health));
    jw_bool(w, "memory_locked", (health & SIGNER_LOCKED) != 0);
    jw_bool(w, "stopped", (health & SIGNER_STOPPED) != 0);
    jw_end(w);
}

static void overdue_write(struct json_writer *w, const struct readiness *r)
{
    jw_object(w, "overdue_seconds");
    jw_integer(w, "swaps", r->executions_overdue);
    jw_integer(w, "orders", r->orders_overdue);
    jw_integer(w, "webhooks", r->webhooks_overdue);
    jw_end(w);
}

/* ---- providers of routes ---- */

/* The last result of a known question to it; null: this host has asked none. */
static void drift_write(struct json_writer *w, const char *name)
{
    struct drift_report r;

    if (!drift_report_of(name, &r)) {
        jw_null(w, "seen");
        return;
    }
    jw_object(w, "seen");
    jw_string(w, "state", drift_state_text(r.state));
    jw_string(w, "said", r.said);
    jw_time(w, "at", r.at_ms);
    jw_end(w);
}

static void provider_write(struct json_writer *w, const struct ctx *ctx, const struct provider *p)
{
    static const char *const states[] = {
        [PROVIDER_READY] = "ready",     [PROVIDER_SPENT] = "spent",     [PROVIDER_PAUSED] = "paused",
        [PROVIDER_FAILING] = "failing", [PROVIDER_SUSPECT] = "suspect", [PROVIDER_REFUSED] = "refused",
    };
    struct provider_counts n = provider_counts(p);

    jw_object(w, NULL);
    jw_string(w, "provider", p->key);
    jw_string(w, "state", states[provider_health(ctx, p)]);
    if (n.asked > 0)
        jw_integer(w, "latency_ms", (int64_t)(n.took_ms / n.asked));
    jw_integer(w, "findings", (int64_t)n.check_reports);
    drift_write(w, p->key);
    jw_end(w);
}

/* As this host sees them; readiness does not depend on them. */
static void providers_write(struct json_writer *w, const struct ctx *ctx, struct arena *a)
{
    jw_array(w, "providers");
    for (const struct provider *const *p = providers_on(ctx, a); *p != NULL; p++)
        provider_write(w, ctx, *p);
    jw_end(w);
}

/* ---- other services ---- */

/* Those that the settings name, as their answers show them to this host. */
static void venues_write(struct json_writer *w, const struct conf *conf)
{
    jw_array(w, "venues");
    for (enum venue_service v = 0; v < VENUE_SERVICES; v++) {
        if (!venue_is_on(conf, v))
            continue;
        jw_object(w, NULL);
        jw_string(w, "venue", venue_service_name(v));
        jw_string(w, "state", venue_is_refused(v) ? "refused" : "ready");
        jw_end(w);
    }
    jw_end(w);
}

/* Venues and nodes that a known question was asked; none of them was seen before. */
static void seen_write(struct json_writer *w, struct arena *a)
{
    struct drift_report *all = ARENA_ARRAY(a, struct drift_report, DRIFT_REPORTS_MAX);
    size_t n = drift_reports(all);

    jw_array(w, "seen");
    for (size_t i = 0; i < n; i++) {
        if (provider_find(all[i].name) != NULL)
            continue;
        jw_object(w, NULL);
        jw_string(w, "source", all[i].name);
        jw_string(w, "state", drift_state_text(all[i].state));
        jw_time(w, "at", all[i].at_ms);
        jw_end(w);
    }
    jw_end(w);
}

/* ---- nodes of chains ---- */

static void node_write(struct json_writer *w, const struct chain *c, size_t place, enum node_health health)
{
    jw_object(w, NULL);
    jw_string(w, "chain", c->key);
    jw_integer(w, "place", (int64_t)place + 1);
    jw_string(w, "state", node_health_text(health));
    jw_end(w);
}

/* Unhealthy ones, by their places in the settings: a key may be in a URL. */
static void nodes_write(struct json_writer *w, const struct nodes *n)
{
    jw_array(w, "nodes");
    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        for (size_t i = 0; i < nodes_count(n, c); i++) {
            enum node_health health = nodes_health(n, c, i);

            if (health != NODE_READY)
                node_write(w, c, i, health);
        }
    }
    jw_end(w);
}

/* The number of nodes, the one with the newest block, and the block's age; nothing where no node is known to
 * do well. */
static void chain_write(struct json_writer *w, const struct nodes *n, const struct chain *c)
{
    struct node_head head;
    size_t best;

    jw_object(w, NULL);
    jw_string(w, "chain", c->key);
    jw_integer(w, "nodes", (int64_t)nodes_count(n, c));
    if (nodes_best(n, c, &best, &head)) {
        jw_integer(w, "best_place", (int64_t)best + 1);
        jw_integer(w, "height", (int64_t)head.height);
        jw_integer(w, "head_age_seconds", head.age_s);
    } else {
        jw_null(w, "best_place");
        jw_null(w, "height");
        jw_null(w, "head_age_seconds");
    }
    jw_end(w);
}

/* Those that were asked lately. */
static void chains_write(struct json_writer *w, const struct nodes *n)
{
    jw_array(w, "chains");
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        if (nodes_looked_at(n, c))
            chain_write(w, n, c);
    jw_end(w);
}

static void degraded_write(struct json_writer *w, const struct nodes *n, struct arena *a)
{
    jw_array(w, "degraded");
    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        const char *reason = nodes_incident(n, c, a);

        if (reason == NULL)
            continue;
        jw_object(w, NULL);
        jw_string(w, "chain", c->key);
        jw_string(w, "reason", reason);
        jw_end(w);
    }
    jw_end(w);
}

/* ---- ongoing work ---- */

static void stops_write(struct json_writer *w, struct db *db)
{
    struct active_halts h;

    if (!trading_halts_count(db, &h))
        return;
    jw_object(w, "stops");
    jw_bool(w, "trading_stopped", h.all);
    jw_bool(w, "database_older", h.restored);
    jw_integer(w, "agents_stopped", (int64_t)h.stopped);
    jw_integer(w, "agents_banned", (int64_t)h.banned);
    jw_end(w);
}

static void run_write(struct json_writer *w, const struct job_run *run, int64_t now_ms)
{
    jw_object(w, NULL);
    jw_string(w, "job", run->job);
    if (run->done_ms != 0)
        jw_integer(w, "last_run_seconds", (now_ms - run->done_ms) / 1000);
    else
        jw_null(w, "last_run_seconds");
    jw_bool(w, "failing", run->failed_ms > run->done_ms);
    jw_end(w);
}

/* The last run of each job, on any host. */
static void jobs_write(struct json_writer *w, struct db *db, struct arena *a)
{
    struct job_run *runs;
    int64_t now_ms;
    int n = db_clock_ms(db, &now_ms) ? job_runs_list(db, a, &runs) : -1;

    if (n < 0)
        return;
    jw_array(w, "jobs");
    for (int i = 0; i < n; i++)
        run_write(w, &runs[i], now_ms);
    jw_end(w);
}

/* Notes for the operator on which readiness does not depend. */
static void notes_write(struct json_writer *w, const struct ctx *ctx)
{
    const char *clock = nodes_clock(ctx->nodes, w->arena);

    jw_array(w, "notes");
    for (const struct conf_problem *p = conf_warnings(ctx->conf); p != NULL; p = p->next)
        jw_string(w, NULL, arena_printf(w->arena, "%s: %s: %s", p->name, p->what, p->allowed));
    if (clock != NULL)
        jw_string(w, NULL, clock);
    eligibility_notes(w, ctx);
    uniswap_contracts_notes(w);
    jw_end(w);
}

/* The result of the last second on this host, so that no number of callers asks the database and the signer
 * more often. */
enum { READY_TEXT_MAX = 48 * 1024, READY_MS = 1000 };
struct ready_cached {
    int64_t at_ms;
    int status;
    char text[READY_TEXT_MAX];
};
static struct shm_cache ready_shm_cache = SHM_CACHE_INIT(1, struct ready_cached);

void readiness_share(void)
{
    shm_cache_share(&ready_shm_cache);
}

static struct reply *ready_from_shm_cache(struct api_call *c)
{
    struct ready_cached *kept = ARENA_NEW(c->arena, struct ready_cached);

    if (!shm_cache_read(&ready_shm_cache, 0, kept) || clock_mono_ms() - kept->at_ms >= READY_MS)
        return NULL;
    return reply_recorded(c->rq, kept->status, kept->text);
}

static void ready_to_shm_cache(struct api_call *c, const struct reply *rp)
{
    struct ready_cached *kept = ARENA_NEW(c->arena, struct ready_cached);
    size_t n = strlen(reply_text(rp));

    if (n >= sizeof kept->text)
        return;
    memcpy(kept->text, reply_text(rp), n + 1);
    kept->status = reply_status(rp);
    kept->at_ms = clock_mono_ms();
    shm_cache_write(&ready_shm_cache, 0, kept);
}

static struct reply *readiness_check(struct api_call *c)
{
    struct readiness r = readiness_read(c->ctx);
    bool ready = readiness_is_given(&r);
    struct json_writer *w = reply_open(c->rq, ready ? 200 : 503);

    jw_string(w, "status", ready ? "ready" : "not ready");
    jw_time(w, "looked_at", clock_ms());
    jw_string(w, "version", build_version);
    checks_write(w, &r);
    database_write(w, c->ctx->db);
    if (r.signer)
        signer_write(w, r.standing);
    if (r.schema) {
        overdue_write(w, &r);
        stops_write(w, c->ctx->db);
        jobs_write(w, c->ctx->db, c->arena);
        notes_write(w, c->ctx);
    }
    providers_write(w, c->ctx, c->arena);
    venues_write(w, c->ctx->conf);
    seen_write(w, c->arena);
    chains_write(w, c->ctx->nodes);
    nodes_write(w, c->ctx->nodes);
    degraded_write(w, c->ctx->nodes, c->arena);
    return reply_close(w);
}

static struct reply *get_readyz(struct api_call *c, const void *arg)
{
    struct reply *rp = ready_from_shm_cache(c);

    (void)arg;
    if (rp != NULL)
        return rp;
    metric_add(METRIC("readiness_looks_total"), 1);
    rp = readiness_check(c);
    if (rp != NULL)
        ready_to_shm_cache(c, rp);
    return rp;
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = "/healthz",
        .auth = AUTH_NONE,
        .limit = LIMIT_NONE,
        .internal = &E_INTERNAL,
        .handler = get_healthz,
        .summary = "Whether the process answers",
    },
    {
        .method = GET,
        .path = "/readyz",
        .auth = AUTH_NONE,
        .limit = LIMIT_NONE,
        .internal = &E_INTERNAL,
        .handler = get_readyz,
        .summary = "Whether it can do its work",
    },
};

const struct endpoint_group health_endpoints = { ENDPOINT_ROWS(rows) };
