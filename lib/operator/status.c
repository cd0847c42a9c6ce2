#include "operator/status.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "service/conf.h"
#include "signer/client.h"
#include "store/db.h"
#include "store/job_runs.h"
#include "store/migrate.h"

enum { MINUTE = 60, HOUR = 60 * MINUTE };

/* The background jobs, and how long each may not have run. */
static const struct {
    const char *name;
    int64_t patience_s;
} jobs[] = {
    { "swap-poll", 3 * MINUTE },    { "order-poll", 3 * MINUTE },  { "webhook-drain", 3 * MINUTE },
    { "quote-expire", 5 * MINUTE }, { "agent-purge", 5 * MINUTE }, { "token-refresh", 3 * HOUR },
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

static void part_add(struct operator_status *s, struct arena *a, struct status_part part)
{
    s->parts = arena_grow(a, s->parts, s->part_count, sizeof *s->parts);
    s->parts[s->part_count++] = part;
}

/* ---- programs ---- */

/* Why nobody takes a connection there; NULL: somebody does. */
static const char *socket_problem(struct arena *a, const char *path)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const char *problem = NULL;

    if (strlen(path) >= sizeof to.sun_path)
        problem = "the path of its socket is too long";
    else
        memcpy(to.sun_path, path, strlen(path));
    if (fd < 0 || (problem == NULL && connect(fd, (struct sockaddr *)&to, sizeof to) != 0))
        problem = errno == EAGAIN ? "nobody takes connections: all places are taken"
                                  : arena_printf(a, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return problem;
}

static void add_gateway(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    const char *problem = socket_problem(a, ctx->conf->fastcgi_socket);

    part_add(s, a,
             (struct status_part){ "gateway", problem == NULL, true,
                                   problem != NULL ? problem : "takes connections" });
}

static void add_signer(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    unsigned standing = 0;
    bool ok = signer_ping(ctx->signer, &standing) == SIGNER_OK, stopped = (standing & SIGNER_STOPPED) != 0;

    part_add(s, a,
             (struct status_part){ "signer", ok && !stopped, true,
                                   !ok       ? "does not answer"
                                   : stopped ? "its kill switch is on: nothing is signed"
                                             : "answers" });
}

static void add_database(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    bool ready = db_ready(ctx->db), durable = false;
    const char *name = ready && db_is_mysql(ctx->db) ? "mysqld" : "mariadbd", *standing;
    unsigned server = db_server(ctx->db, &standing);
    enum schema_fit fit = ready ? migrate_fit(ctx->db) : SCHEMA_UNKNOWN;

    part_add(s, a,
             (struct status_part){ name, ready, true,
                                   ready ? arena_printf(a, "server %u, %s", server, standing)
                                         : arena_printf(a, "does not answer: %s", standing) });
    if (!ready)
        return;
    s->stored = fit == SCHEMA_FITS;
    part_add(s, a,
             (struct status_part){ "schema", s->stored, true,
                                   fit == SCHEMA_FITS    ? "fits"
                                   : fit == SCHEMA_OLDER ? "migrations are missing: run schema-migrate"
                                                         : "is another program's" });
    part_add(s, a,
             (struct status_part){ "durable", db_is_durable(ctx->db, &durable) && durable, true,
                                   durable ? "what is acknowledged survives a crash"
                                           : "innodb_flush_log_at_trx_commit or sync_binlog is not 1" });
}

/* ---- jobs ---- */

static const struct job_run *run_of(const struct job_run *runs, int n, const char *job)
{
    for (int i = 0; i < n; i++)
        if (strcmp(runs[i].job, job) == 0)
            return &runs[i];
    return NULL;
}

/* Since it did its work last; -1: it never did. */
static int64_t age_of(const struct job_run *run, int64_t now_ms)
{
    if (run == NULL || run->done_ms == 0)
        return -1;
    return now_ms > run->done_ms ? (now_ms - run->done_ms) / 1000 : 0;
}

static const char *job_detail(struct arena *a, const struct job_run *run, int64_t age_s, int64_t patience_s)
{
    bool failing = run != NULL && run->failed_ms > run->done_ms;

    if (run == NULL)
        return "has never run: is the crontab installed?";
    if (age_s < 0)
        return "has never ended well: see its log";
    if (age_s > patience_s)
        return arena_printf(a, "has not ended well for %" PRId64 " s%s", age_s,
                            failing ? ": see its log" : ": is cron running?");
    return arena_printf(a, "ran %" PRId64 " s ago%s", age_s, failing ? ", and failed since" : "");
}

static void add_jobs(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    struct job_run *runs;
    int64_t now_ms;
    int n = db_clock_ms(ctx->db, &now_ms) ? job_runs_list(ctx->db, a, &runs) : -1;

    for (size_t i = 0; n >= 0 && i < JOBS; i++) {
        const struct job_run *run = run_of(runs, n, jobs[i].name);
        int64_t age_s = age_of(run, now_ms), patience_s = jobs[i].patience_s;

        part_add(s, a,
                 (struct status_part){ jobs[i].name, age_s >= 0 && age_s <= patience_s, false,
                                       job_detail(a, run, age_s, patience_s) });
    }
}

/* ---- chains ---- */

/* The best of the chain's nodes: one that is fresh, else one that answers, else any. */
static const struct node_report *best_of(const struct operator_status *s, const struct chain *c,
                                         size_t *count, size_t *fresh)
{
    const struct node_report *best = NULL;

    *count = *fresh = 0;
    for (size_t i = 0; i < s->node_count; i++) {
        const struct node_report *r = &s->nodes[i];

        if (r->chain != c)
            continue;
        (*count)++;
        *fresh += node_report_is_fresh(r);
        if (best == NULL || (best->error != NULL && r->error == NULL) ||
            (!node_report_is_fresh(best) && node_report_is_fresh(r)))
            best = r;
    }
    return best;
}

static const char *chain_detail(struct arena *a, const struct node_report *best, size_t count, size_t fresh)
{
    if (best->error != NULL)
        return arena_printf(a, "no node answers: %s: %s", best->host, best->error);
    if (fresh == 0)
        return arena_printf(a, "no new block for %" PRId64 " s, the newest is %" PRIu64, best->age_s,
                            best->head);
    return arena_printf(a, "%zu of %zu nodes, block %" PRIu64, fresh, count, best->head);
}

static void add_chains(struct operator_status *s, struct arena *a)
{
    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        size_t count, fresh;
        const struct node_report *best = best_of(s, c, &count, &fresh);

        if (best != NULL)
            part_add(s, a,
                     (struct status_part){ c->key, fresh > 0, false, chain_detail(a, best, count, fresh) });
    }
}

void operator_status(const struct ctx *ctx, struct arena *a, struct operator_status *out)
{
    int halts;

    *out = (struct operator_status){ .stored = false };
    add_database(out, ctx, a);
    add_gateway(out, ctx, a);
    add_signer(out, ctx, a);
    if (out->stored) {
        add_jobs(out, ctx, a);
        halts = trading_halts_list(ctx->db, a, &out->halts);
        out->stored = halts >= 0 && queues_read(ctx->db, a, out->queues);
        out->halt_count = halts > 0 ? (size_t)halts : 0;
    }
    out->node_count = operator_nodes(ctx, a, &out->nodes);
    add_chains(out, a);
}
