#include "jobs/job.h"

#include <curl/curl.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/process.h"
#include "base/program.h"
#include "chain/explorer.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/node.h"
#include "chain/rpc/node_health.h"
#include "drift/report.h"
#include "net/call.h"
#include "net/venues.h"
#include "perps/request_budget.h"
#include "predict/relayer_key.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "service/running_programs.h"
#include "signer/client.h"
#include "store/db.h"
#include "store/job_runs.h"
#include "store/migrate.h"
#include "webhook/webhook_sign.h"

enum {
    EXIT_USAGE = 2,
    MAX_CONNECTIONS = 256,
    CHAIN_BATCH_MS = 50,
    CHECK_EVERY_MS = 5000,
    ABSENT_MS = 3 * 60 * 1000,
    NOTE_EVERY_MS = 10000,
};

static volatile sig_atomic_t stop;
static int64_t end_ms; /* monotonic; 0: one step */
static bool supervised;

static void on_signal(int sig)
{
    (void)sig;
    stop = 1;
}

bool job_stopping(void)
{
    return stop || (end_ms != 0 && clock_mono_ms() >= end_ms);
}

static void job_pause(unsigned ms)
{
    int64_t until = clock_mono_ms() + ms;

    while (!job_stopping() && clock_mono_ms() < until)
        usleep(CHAIN_BATCH_MS * 1000);
}

static void catch_signals(void)
{
    struct sigaction sa = { .sa_handler = on_signal };

    (void)sigaction(SIGTERM, &sa, NULL);
    (void)sigaction(SIGINT, &sa, NULL);
    (void)sigaction(SIGHUP, &sa, NULL); /* its starter starts it again, with the settings of now */
    (void)signal(SIGPIPE, SIG_IGN);
}

/* ---- the parent of a job ---- */

enum { AGAIN_FIRST_MS = 1000, AGAIN_LAST_MS = 8000, AGAIN_LIVED_MS = 2000 };

/* Ends with its parent, which may be killed. */
static void job_follow_parent(void)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
}

/* Returns what became of the child; a signal to this process is passed on. */
static int job_await(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (stop)
            (void)kill(child, SIGTERM);
    return status;
}

/* One that could not begin would not begin a second later either. */
static bool job_died(int status, int64_t lived_ms)
{
    return WIFSIGNALED(status) || (WEXITSTATUS(status) != EXIT_SUCCESS && lived_ms >= AGAIN_LIVED_MS);
}

/* Cron starts a job anew with the next minute only: this one does so within seconds. Returns in each child,
 * with true, and when its time is over, with the child's status. */
static bool job_parent(int *status)
{
    unsigned wait_ms = AGAIN_FIRST_MS;

    for (;;) {
        int64_t begun = clock_mono_ms();
        pid_t child = fork();

        if (child == 0) {
            job_follow_parent();
            return true;
        }
        *status = child < 0 ? 0 : job_await(child);
        if (child >= 0 && (job_stopping() || !job_died(*status, clock_mono_ms() - begun)))
            break;
        log_warn("job_ended", "msg=\"the job ended and is started again\" signal=%d status=%d",
                 WIFSIGNALED(*status) ? WTERMSIG(*status) : 0, WIFEXITED(*status) ? WEXITSTATUS(*status) : 0);
        job_pause(wait_ms);
        if (job_stopping())
            break;
        wait_ms = 2 * wait_ms < AGAIN_LAST_MS ? 2 * wait_ms : AGAIN_LAST_MS;
    }
    *status = WIFEXITED(*status) ? WEXITSTATUS(*status) : EXIT_FAILURE;
    return false;
}

enum { USAGE_MAX = 512 };

static const char *job_usage(char out[static USAGE_MAX], const struct job *job)
{
    (void)snprintf(out, USAGE_MAX,
                   "usage: %s [-c FILE] [--for SECONDS [--again]]\n"
                   "       %s --help | --version\n"
                   "  -c FILE        the settings\n"
                   "  --for SECONDS  goes on that long; without it, one step is done\n"
                   "  --again        is started again within seconds where it dies meanwhile\n",
                   job->name, job->name);
    return out;
}

/* The gateway's housekeeper looks for its own workers; what a job has learnt ends with it. */
static void job_check(struct job_ctx *jc, int64_t *next_ms)
{
    if (end_ms == 0 || clock_mono_ms() < *next_ms)
        return;
    nodes_probe(&jc->ctx, jc->arena);
    *next_ms = clock_mono_ms() + CHECK_EVERY_MS;
}

/* One that lasts is expected to last, or to be started anew. What keeps one from its work mostly does so to
 * all. */
static void step_tell(const struct job *job, int done)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    (void)snprintf(about, sizeof about, "job=%s", job->name);
    if (end_ms != 0)
        log_expected("job_not_running", about, ABSENT_MS);
    if (done < 0)
        log_incident("step_failed", "", "msg=\"a job does not get on\" %s", about);
    else
        log_incident_over("step_failed", "");
    incidents_tell();
}

/* A database that fails has been told of. */
static bool job_fits(struct db *db)
{
    enum schema_fit fit = migrate_fit(db);

    if (fit == SCHEMA_FITS)
        log_incident_over("schema_other", "");
    else if (fit != SCHEMA_UNKNOWN)
        log_incident("schema_other", "", "msg=\"the database has another schema\" want=%d", SCHEMA_VERSION);
    return fit == SCHEMA_FITS;
}

/* For monitors: what a job that ran all the time did last. */
static void job_note(struct job_ctx *jc, const struct job *job, bool done, int64_t *next_ms)
{
    if (clock_mono_ms() < *next_ms)
        return;
    (void)job_runs_note(jc->db, job->name, done); /* a database that fails has been told of */
    *next_ms = clock_mono_ms() + NOTE_EVERY_MS;
}

static int job_loop(struct job_ctx *jc, const struct job *job)
{
    int64_t poll_ms = 0, note_ms = 0;
    int done;

    do {
        job_check(jc, &poll_ms);
        done = job->step(jc);
        arena_reset(jc->arena);
        step_tell(job, done);
        job_note(jc, job, done >= 0, &note_ms);
        if (done <= 0 && end_ms != 0)
            job_pause(job->every_ms);
    } while (end_ms != 0 && !job_stopping());
    return done < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int job_run(const struct job *job, const struct conf *conf)
{
    uint8_t service_key[BOX_KEY_LEN];
    struct job_ctx jc = { .conf = conf, .arena = arena_new() };
    struct nodes *nodes = nodes_new(conf);
    const struct relayer_key *relayer_key = relayer_key_of(conf);
    struct provider_services *services = provider_services_new(conf);
    int status = EXIT_FAILURE;
    const char *why;

    explorer_configure(conf);
    incidents_share(conf->shm_file);
    provider_states_share(conf->shm_file);
    venues_share(conf, true);
    metrics_share(conf->shm_file);
    drift_share(conf->shm_file, true);
    perps_request_budget_share(conf->shm_file);
    block_times_share(conf);
    why = service_key_read(conf->service_key_file, service_key);
    if (why != NULL)
        conf_refuse_file(conf, "service_key_file", "a file that can be read, as keyctl makes it", why);
    jc.db = db_from_conf(conf);
    conf_insist(conf);
    programs_enter(conf, job->name);
    process_become(conf->worker_uid); /* what only root may read is read, and nothing was asked yet */
    if (supervised)
        job_follow_parent(); /* which that has ended */
    jc.net = net_new("agent-gateway/1", MAX_CONNECTIONS);
    jc.signer = signer_new(conf->signer_socket);
    jc.ctx = (struct ctx){ .conf = conf,
                           .db = jc.db,
                           .net = jc.net,
                           .signer = jc.signer,
                           .nodes = nodes,
                           .service_key = service_key,
                           .relayer_key = relayer_key,
                           .providers = services };
    if (job_fits(jc.db))
        status = job_loop(&jc, job);
    signer_free(jc.signer);
    net_free(jc.net);
    db_free(jc.db);
    provider_services_free(services);
    nodes_free(nodes);
    arena_free(jc.arena);
    explicit_bzero(service_key, sizeof service_key);
    return status;
}

int job_main(int argc, char **argv, const struct job *job)
{
    static const struct option options[] = { { "for", required_argument, NULL, 'f' },
                                             { "again", no_argument, NULL, 'a' },
                                             { 0 } };
    const char *path = NULL;
    char usage[USAGE_MAX];
    struct conf *conf;
    int c, status;

    log_init(job->name);
    process_close();
    program_greet(argc, argv, job->name, job_usage(usage, job));
    while ((c = getopt_long(argc, argv, "c:", options, NULL)) != -1) {
        if (c == 'c')
            path = optarg;
        else if (c == 'f')
            end_ms = clock_mono_ms() + strtol(optarg, NULL, 10) * 1000;
        else if (c == 'a')
            supervised = true;
        else
            break;
    }
    if (c != -1 || optind != argc || (supervised && end_ms == 0)) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    catch_signals();
    if (supervised && !job_parent(&status))
        return status;
    (void)curl_global_init(CURL_GLOBAL_ALL);
    conf = conf_load(conf_path(path));
    status = job_run(job, conf);
    conf_free(conf);
    curl_global_cleanup();
    return status;
}
