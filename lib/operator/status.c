#include "operator/status.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "drift/report.h"
#include "operator/backup.h"
#include "operator/web_server.h"
#include "service/conf.h"
#include "service/running_programs.h"
#include "signer/client.h"
#include "store/db.h"
#include "store/job_runs.h"
#include "store/lookups.h"
#include "store/migrate.h"

enum {
    MINUTE = 60,
    HOUR = 60 * MINUTE,
    CRON_PATIENCE_S = 3 * MINUTE,
    ENDED_PATIENCE_S = 45,
    LATELY_MS = 15 * 1000
};

/* The background jobs, and how long each may not have run. Those that last note their steps every ten
 * seconds: where no process of one runs on this host, and no other host has noted a step, it has ended. */
static const struct {
    const char *name;
    int64_t patience_s;
    bool lasts;
} jobs[] = {
    { "swap-poll", 3 * MINUTE, true },     { "order-poll", 3 * MINUTE, true },
    { "webhook-drain", 3 * MINUTE, true }, { "quote-expire", 5 * MINUTE, false },
    { "agent-purge", 5 * MINUTE, false },  { "token-refresh", 3 * HOUR, false },
    { "lend-watch", 5 * MINUTE, false },   { "drift-watch", 5 * MINUTE, false },
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

static void part_add(struct operator_status *s, struct arena *a, struct status_part part)
{
    s->parts = arena_grow(a, s->parts, s->part_count, sizeof *s->parts);
    s->parts[s->part_count++] = part;
}

/* ---- incidents ---- */

/* The signer has an account of its own, which only root and itself can read. */
static void add_incidents(struct operator_status *s, const struct conf *conf, struct arena *a)
{
    const char *signers = arena_printf(a, "%s/" SIGNER_INCIDENTS, conf->signer_dir);
    size_t n = incidents_report(signers, s->incidents, INCIDENTS_SHOWN);

    s->incident_count = n + incidents_report(conf->shm_file, s->incidents + n, INCIDENTS_SHOWN - n);
}

/* One that the processes of this host are in, that of the latest line; NULL: none. */
static const struct incident_report *incident_of(const struct operator_status *s, const char *event)
{
    const struct incident_report *latest = NULL;

    for (size_t i = 0; i < s->incident_count; i++)
        if (strcmp(s->incidents[i].event, event) == 0 &&
            (latest == NULL || s->incidents[i].seen_ms > latest->seen_ms))
            latest = &s->incidents[i];
    return latest;
}

/* The reason in its line, else the whole line. */
static const char *incident_reason(struct arena *a, const struct incident_report *t)
{
    static const char mark[] = "reason=\"";
    const char *reason = strstr(t->said, mark);

    if (reason == NULL)
        return arena_printf(a, "%s%s%s", t->said, *t->said != '\0' ? " " : "", t->about);
    reason += strlen(mark);
    return arena_printf(a, "%.*s", (int)strcspn(reason, "\""), reason);
}

/* The state of a part, and its reason, where that is known. */
static const char *because(struct arena *a, const char *what, const struct incident_report *t)
{
    return t == NULL ? what : arena_printf(a, "%s: %s", what, incident_reason(a, t));
}

/* ---- programs ---- */

/* Why no process accepts connections there; NULL: one does. */
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
        problem = errno == EAGAIN ? "no worker takes connections: all places are taken"
                                  : arena_printf(a, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return problem;
}

static void add_web_server(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    const char *problem, *name = operator_web_server(ctx, a, &problem);

    part_add(s, a,
             (struct status_part){ name, problem == NULL, true,
                                   problem == NULL ? arena_printf(a, "answers at %s", ctx->conf->base_url)
                                                   : problem });
}

/* Why no signer answers. One that cannot begin has logged it. */
static const char *signer_absence(const struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    static const char *const events[] = { "key_unreadable", "signer_state_unusable", "folder_not_writable" };
    const struct incident_report *begins = NULL;

    for (size_t i = 0; i < sizeof events / sizeof events[0] && begins == NULL; i++)
        begins = incident_of(s, events[i]);
    if (begins == NULL && access(ctx->conf->signer_socket, F_OK) != 0)
        return arena_printf(a, "does not answer: %s: %s", ctx->conf->signer_socket, strerror(errno));
    return because(a, "does not answer", begins);
}

/* Why it signs nothing; NULL: it does. */
static const char *signer_problem(const struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    unsigned health = 0;

    if (signer_ping(ctx->signer, &health) != SIGNER_OK)
        return signer_absence(s, ctx, a);
    if ((health & SIGNER_FULL) != 0)
        return because(a, "cannot write its audit log, and signs nothing",
                       incident_of(s, "audit_not_written"));
    return (health & SIGNER_STOPPED) != 0 ? "its kill switch is on: nothing is signed" : NULL;
}

static void add_signer(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    const char *problem = signer_problem(s, ctx, a);

    part_add(s, a,
             (struct status_part){ "signer", problem == NULL, true, problem != NULL ? problem : "answers" });
}

static void add_logs(struct operator_status *s, struct arena *a)
{
    const struct incident_report *lost = incident_of(s, "log_not_written");

    part_add(s, a,
             (struct status_part){ "logs", lost == NULL, false,
                                   lost == NULL ? "are written" : because(a, "cannot be written", lost) });
}

/* The gateway's housekeeper looks at the disks of this host. */
static void add_room(struct operator_status *s, struct arena *a)
{
    const struct incident_report *low = incident_of(s, "disk_low");

    part_add(s, a,
             (struct status_part){ "room", low == NULL, false,
                                   low == NULL ? "more than disk_free_min on each disk"
                                               : because(a, "less than disk_free_min", low) });
}

/* Steps that it refused just now: the warning itself stays for a minute. */
static const struct incident_report *database_failing(const struct operator_status *s)
{
    const struct incident_report *t = incident_of(s, "database_failed");

    return t != NULL && clock_ms() - t->seen_ms < LATELY_MS ? t : NULL;
}

static void add_database(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    bool ready = db_ready(ctx->db), durable = false, writes;
    const char *name = ready && db_is_mysql(ctx->db) ? "mysqld" : "mariadbd", *health;
    const struct incident_report *failing = database_failing(s);
    unsigned server = db_server(ctx->db, &health);
    enum schema_fit fit = ready ? migrate_fit(ctx->db) : SCHEMA_UNKNOWN;

    part_add(s, a,
             (struct status_part){ name, ready && failing == NULL, !ready,
                                   !ready            ? arena_printf(a, "does not answer: %s", health)
                                   : failing != NULL ? because(a, "answers, but fails", failing)
                                                     : arena_printf(a, "server %u, %s", server, health) });
    if (!ready)
        return;
    s->stored = fit == SCHEMA_FITS;
    part_add(s, a,
             (struct status_part){ "schema", s->stored, true,
                                   fit == SCHEMA_FITS      ? "fits"
                                   : fit == SCHEMA_OLDER   ? "migrations are missing: run schema-migrate"
                                   : fit == SCHEMA_UNKNOWN ? "cannot be read"
                                                           : "is another program's" });
    part_add(s, a,
             (struct status_part){ "durable", db_is_durable(ctx->db, &durable) && durable, true,
                                   durable ? "what is acknowledged survives a crash"
                                           : "innodb_flush_log_at_trx_commit or sync_binlog is not 1" });
    writes = db_takes_writes(ctx->db);
    part_add(s, a,
             (struct status_part){ "writes", writes, true,
                                   writes ? "are taken by the database" : "are refused by the database" });
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

static const char *job_detail(struct arena *a, const struct job_run *run, int64_t age_s, int64_t patience_s,
                              bool runs)
{
    bool failing = run != NULL && run->failed_ms > run->done_ms;

    if (run == NULL)
        return "has never run: look at its unit or its line of the crontab";
    if (age_s < 0)
        return "has never completed a step: see its log";
    if (age_s > patience_s)
        return arena_printf(a, "has completed no step for %" PRId64 " s%s", age_s,
                            failing || runs ? ": see its log"
                                            : ", and no process of it runs here: look at its unit or its "
                                              "line of the crontab");
    return arena_printf(a, "ran %" PRId64 " s ago%s", age_s, failing ? ", and failed since" : "");
}

static bool job_runs(const struct program_report *programs, size_t n, const char *job)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(programs[i].name, job) == 0)
            return true;
    return false;
}

static bool a_job_runs(const struct program_report *programs, size_t n)
{
    for (size_t i = 0; i < JOBS; i++)
        if (job_runs(programs, n, jobs[i].name))
            return true;
    return false;
}

/* The starter of the jobs, such as cron, is alive as long as one of them is. */
static void add_cron(struct operator_status *s, struct arena *a, const struct job_run *runs, int n,
                     int64_t now_ms, int64_t patience_s)
{
    int64_t newest_ms = 0, age_s;

    for (int i = 0; i < n; i++) {
        newest_ms = runs[i].done_ms > newest_ms ? runs[i].done_ms : newest_ms;
        newest_ms = runs[i].failed_ms > newest_ms ? runs[i].failed_ms : newest_ms;
    }
    age_s = now_ms > newest_ms ? (now_ms - newest_ms) / 1000 : 0;
    part_add(s, a,
             (struct status_part){ "cron", age_s <= patience_s, false,
                                   newest_ms == 0 ? "no job has ever run: is the crontab installed?"
                                   : age_s <= patience_s
                                       ? arena_printf(a, "a job was at work %" PRId64 " s ago", age_s)
                                       : arena_printf(a,
                                                      "no job has been at work for %" PRId64
                                                      " s: does cron, or do the timers run?",
                                                      age_s) });
}

static void add_jobs(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    struct program_report *programs = ARENA_ARRAY(a, struct program_report, PROGRAMS_MAX);
    size_t count = programs_read(ctx->conf, programs);
    struct job_run *runs;
    int64_t now_ms;
    int n = db_clock_ms(ctx->db, &now_ms) ? job_runs_list(ctx->db, a, &runs) : -1;

    if (n >= 0)
        add_cron(s, a, runs, n, now_ms, a_job_runs(programs, count) ? CRON_PATIENCE_S : ENDED_PATIENCE_S);
    for (size_t i = 0; n >= 0 && i < JOBS; i++) {
        const struct job_run *run = run_of(runs, n, jobs[i].name);
        bool here = job_runs(programs, count, jobs[i].name);
        int64_t age_s = age_of(run, now_ms),
                patience_s = jobs[i].lasts && !here ? ENDED_PATIENCE_S : jobs[i].patience_s;

        part_add(s, a,
                 (struct status_part){ jobs[i].name, age_s >= 0 && age_s <= patience_s, false,
                                       job_detail(a, run, age_s, patience_s, here) });
    }
}

/* ---- settings ---- */

/* The programs that run with other settings than the file has now, after a blank each. */
static const char *outdated(struct arena *a, const struct program_report *all, size_t n, uint64_t now)
{
    const char *names = "";

    for (size_t i = 0; i < n; i++)
        if (all[i].settings != now)
            names = arena_printf(a, "%s %s", names, all[i].name);
    return names;
}

/* The first setting of an optional part that one of them had to do without. */
static const char *turned_off(const struct program_report *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].off[0] != '\0')
            return all[i].off;
    return NULL;
}

/* The reader of the file reports its faults: they change nothing for running programs. */
static void add_settings(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    struct conf *now = conf_read(ctx->conf->path);
    struct program_report *all = ARENA_ARRAY(a, struct program_report, PROGRAMS_MAX);
    size_t n = programs_read(now, all);
    const char *old = conf_problems(now) == NULL ? outdated(a, all, n, conf_fingerprint(now)) : "";
    const char *off = turned_off(all, n);

    if (*old != '\0')
        old = arena_printf(a, "older than the file:%s; systemctl reload agent-gateway, or SIGHUP", old);
    else if (off != NULL)
        old = arena_printf(a, "off is %s; mend it, then reload", off);
    part_add(
        s, a,
        (struct status_part){ "settings", *old == '\0', false,
                              *old == '\0' ? arena_printf(a, "%zu programs have those of now", n) : old });
    conf_free(now);
}

/* ---- dumps ---- */

/* Only its owner can look there: a worker that asks for the operator's page says nothing of it. */
static void add_backup(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    bool ok;
    const char *said = operator_backup(ctx->conf, a, &ok);

    if (said != NULL)
        part_add(s, a, (struct status_part){ "backup", ok, false, said });
    else if (ctx->scoreboard == NULL)
        part_add(
            s, a,
            (struct status_part){ "backup", false, false,
                                  arena_printf(a, "%s: this user cannot read it", ctx->conf->backup_dir) });
}

/* ---- executions ---- */

enum { STUCK_MOST = 100 };

/* Those that have not moved, though the jobs run. */
static void add_executions(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    uint64_t *ids;
    int n = lookup_executions(ctx->db, a, 0, PICK_STUCK, STUCK_MOST, &ids);

    if (n >= 0)
        part_add(s, a,
                 (struct status_part){ "executions", n == 0, false,
                                       n == 0 ? "all move"
                                              : arena_printf(a,
                                                             "%d%s have not moved for ten minutes: agentctl "
                                                             "swaps --stuck",
                                                             n, n == STUCK_MOST ? " or more" : "") });
}

/* ---- known questions ---- */

/* The worst of them, and how many are healthy. */
static void add_drift(struct operator_status *s, const struct ctx *ctx, struct arena *a)
{
    struct drift_report *all = ARENA_ARRAY(a, struct drift_report, DRIFT_REPORTS_MAX);
    const char *incidents = "";
    size_t n, works = 0, asked = 0;

    drift_share(ctx->conf->shm_file, false);
    n = drift_reports(all);
    for (size_t i = 0; i < n; i++) {
        asked += all[i].state != DRIFT_OFF;
        works += all[i].state == DRIFT_WORKS;
        if (drift_is_incident(all[i].state))
            incidents = arena_printf(a, "%s; %s: %s, %s", incidents, all[i].name,
                                     drift_state_text(all[i].state), all[i].said);
    }
    part_add(s, a,
             (struct status_part){ "drift", *incidents == '\0', false,
                                   n == 0 ? "no known question was asked yet"
                                          : arena_printf(a, "%zu of %zu answer known questions as they did%s",
                                                         works, asked, incidents) });
}

/* ---- chains ---- */

/* The nodes of a chain. */
struct chain_nodes {
    size_t count, fresh;
    const struct node_report *best;  /* one that is fresh, else one that answers, else any; NULL: none */
    const struct node_report *worst; /* the first that is not fresh; NULL: all are */
};

static void nodes_sum(struct chain_nodes *n, const struct operator_status *s, const struct chain *c)
{
    *n = (struct chain_nodes){ .count = 0 };
    for (size_t i = 0; i < s->node_count; i++) {
        const struct node_report *r = &s->nodes[i];
        bool fresh = node_report_is_fresh(r);

        if (r->chain != c)
            continue;
        n->count++;
        n->fresh += fresh;
        if (n->worst == NULL && !fresh)
            n->worst = r;
        if (n->best == NULL || (n->best->error != NULL && r->error == NULL) ||
            (!node_report_is_fresh(n->best) && fresh))
            n->best = r;
    }
}

static const char *chain_detail(struct arena *a, const struct chain_nodes *n, const char *clock)
{
    if (clock != NULL && n->best->error == NULL && n->fresh == 0)
        return arena_printf(a, "%s, the newest block is %" PRIu64, clock, n->best->head);
    if (n->best->error != NULL)
        return arena_printf(a, "no node answers: %s: %s", n->best->host, n->best->error);
    if (n->fresh == 0)
        return arena_printf(a, "no new block for %" PRId64 " s, the newest is %" PRIu64, n->best->age_s,
                            n->best->head);
    if (n->worst != NULL)
        return arena_printf(a, "%zu of %zu nodes, block %" PRIu64 "; node %zu, %s: %s", n->fresh, n->count,
                            n->best->head, n->worst->place, n->worst->host,
                            n->worst->error != NULL
                                ? n->worst->error
                                : arena_printf(a, "its newest block is %" PRId64 " s old", n->worst->age_s));
    return arena_printf(a, "%zu of %zu nodes, block %" PRIu64, n->fresh, n->count, n->best->head);
}

static void add_chains(struct operator_status *s, struct arena *a)
{
    const char *clock = operator_clock(s->nodes, s->node_count, a);
    size_t known = 0, answering = 0;

    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        struct chain_nodes n;

        nodes_sum(&n, s, c);
        if (n.best == NULL)
            continue;
        part_add(s, a, (struct status_part){ c->key, n.fresh == n.count, false, chain_detail(a, &n, clock) });
        known++;
        answering += n.best->error == NULL;
    }
    part_add(s, a,
             (struct status_part){ "clock", clock == NULL, false,
                                   clock == NULL ? "no nodes of all chains contradict it" : clock });
    part_add(s, a,
             (struct status_part){ "nodes", answering > 0 || known == 0, true,
                                   arena_printf(a, "of %zu of %zu chains one answers", answering, known) });
}

void operator_status(const struct ctx *ctx, struct arena *a, struct operator_status *out)
{
    int halts;

    *out = (struct operator_status){ .stored = false };
    add_incidents(out, ctx->conf, a);
    add_database(out, ctx, a);
    add_web_server(out, ctx, a);
    /* If one of its workers asks, the gateway runs: workers may not open the web server's socket. */
    const char *problem = ctx->scoreboard != NULL ? NULL : socket_problem(a, ctx->conf->fastcgi_socket);

    part_add(out, a,
             (struct status_part){ "gateway", problem == NULL, true,
                                   problem != NULL ? problem : "takes connections" });
    add_signer(out, ctx, a);
    add_logs(out, a);
    add_room(out, a);
    add_settings(out, ctx, a);
    add_backup(out, ctx, a);
    if (out->stored) {
        add_jobs(out, ctx, a);
        add_executions(out, ctx, a);
        halts = trading_halts_list(ctx->db, a, &out->halts);
        out->stored = halts >= 0 && queues_read(ctx->db, a, out->queues);
        out->halt_count = halts > 0 ? (size_t)halts : 0;
    }
    add_drift(out, ctx, a);
    out->node_count = operator_nodes(ctx, a, &out->nodes);
    add_chains(out, a);
}
