/* The gateway: a pool of FastCGI responders. A reading tour:
 *
 *   main    settings, sockets, then everything that workers can share; only then the forks
 *   lock    keeps a second gateway from the same sockets; check says what is wrong before a start
 *   pool    restarts the signer, the workers and the housekeeper whenever one ends, until it is told to stop;
 * on SIGHUP executes the installed program in its own place (handover), which goes on without a gap
 *   scoreboard  which workers are busy, so that the pool grows when too few are idle
 *   worker  accepts, reads (lib/http/request) and dispatches (lib/api/admission/dispatch, by the rows of
 *           lib/api); a few workers never wait for third parties, and have a socket of their own
 *   housekeeper  writes this host's counters to the database every few seconds (lib/api/admission/meter,
 *           lib/route/provider_state), looks at the nodes of the chains (lib/chain/rpc/node_health), and
 *           notices a signer that hangs
 *
 * A worker keeps nothing between requests but its connections and prepared statements: any of them, on any
 * host, can answer any request, and each may be killed at any instruction. */
#include <curl/curl.h>
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agentproto/mcp.h"
#include "api/admission/meter.h"
#include "api/admission/worker_leases.h"
#include "api/documents/documents.h"
#include "api/readiness.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/incident.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/params.h"
#include "base/process.h"
#include "base/program.h"
#include "chain/explorer.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/node.h"
#include "check.h"
#include "drift/report.h"
#include "handover.h"
#include "lend/lender.h"
#include "listener.h"
#include "lock.h"
#include "net/bulkhead.h"
#include "net/cpu_slots.h"
#include "net/venues.h"
#include "parking.h"
#include "perps/request_budget.h"
#include "perps/universe.h"
#include "pool.h"
#include "predict/relayer_key.h"
#include "route/provider_service.h"
#include "route/route.h"
#include "service/conf.h"
#include "service/disk.h"
#include "service/running_programs.h"
#include "signals.h"
#include "signer/signer_limits.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/restore_guard.h"
#include "webhook/webhook_sign.h"

enum {
    CPU_SLOTS_PER_CORE = 4,
    EXIT_USAGE = 2,
    ARGS_MAX = 7, /* -c FILE -w WORKERS --if-absent */
    SCHEMA_POLL_MS = 100,
    SCHEMA_WAIT_MS = 120 * 1000,
};

static const char FAST_SOCKET[] = "fast.sock";

/* Signals are delivered only here and in pool_run. */
static void parent_pause(void)
{
    const struct timespec moment = { .tv_nsec = SCHEMA_POLL_MS * 1000 * 1000L };

    (void)pselect(0, NULL, NULL, NULL, &moment, &initial_mask);
}

/* Waits for schema-migrate, while requests wait at the socket: see store/migrate.h. */
static void schema_await(const struct conf *conf)
{
    struct db *db = db_from_conf(conf);
    int64_t end = clock_mono_ms() + SCHEMA_WAIT_MS;
    enum schema_fit fit = migrate_fit(db);

    if (fit == SCHEMA_OLDER)
        log_warn("schema_waited_for", "msg=\"waiting for schema-migrate\" want=%d", SCHEMA_VERSION);
    while (fit == SCHEMA_OLDER && !stop_asked && clock_mono_ms() < end) {
        parent_pause();
        fit = migrate_fit(db);
    }
    if (stop_asked)
        exit(EXIT_SUCCESS);
    if (fit != SCHEMA_FITS)
        log_fatal("schema_other", "msg=\"the database has another schema\" want=%d", SCHEMA_VERSION);
    db_free(db);
}

/* Before any request is answered: an older database may have been restored in place of the previous one. */
static void database_recognise(const struct conf *conf)
{
    struct db *db = db_from_conf(conf);
    int fd = restore_guard_open(conf->signer_dir);

    if (fd < 0 || !restore_guard_beat(db, fd))
        log_fatal(
            "pulse_file_failed",
            "msg=\"cannot tell whether the database is the one that it was\" signer_dir=%s reason=\"%s\"",
            conf->signer_dir, strerror(errno));
    (void)close(fd);
    db_free(db);
}

/* Reads this host's id, by which it takes part in work that all hosts share. */
static void host_know(const struct conf *conf, struct uuid *host)
{
    int fd = restore_guard_open(conf->signer_dir);

    if (fd < 0 || !restore_guard_host(fd, host))
        log_fatal("pulse_file_failed", "msg=\"cannot tell which host this is\" signer_dir=%s reason=\"%s\"",
                  conf->signer_dir, strerror(errno));
    (void)close(fd);
}

static const char *program_self(void)
{
    static char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    if (n <= 0)
        log_fatal("start_failed", "msg=\"cannot find this binary\"");
    self[n] = '\0';
    return self;
}

/* The path of the next version of this program: the one that this was started from, which may be a symbolic
 * link. */
static const char *program_installed(const char *arg0)
{
    return strchr(arg0, '/') != NULL && access(arg0, X_OK) == 0 ? arg0 : strdup(program_self());
}

/* The signer's binary is in the directory of this one. */
static const char *program_beside(const char *name)
{
    static char path[PATH_MAX + NAME_MAX];
    char self[PATH_MAX];

    (void)snprintf(self, sizeof self, "%s", program_self());
    (void)snprintf(path, sizeof path, "%s/%s", dirname(self), name);
    return path;
}

/* The web server knows the directory of the socket. */
static const char *beside_socket(const struct conf *conf, const char *name)
{
    static char path[2 * PATH_MAX];
    char socket[PATH_MAX];

    (void)snprintf(socket, sizeof socket, "%s", conf->fastcgi_socket);
    (void)snprintf(path, sizeof path, "%s/%s", dirname(socket), name);
    return path;
}

static unsigned cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : n > WORKERS_MAX / 2 ? WORKERS_MAX / 2 : (unsigned)n;
}

static const char usage[] =
    "usage: gateway [-c FILE] [-w WORKERS] [--if-absent]\n"
    "       gateway [-c FILE] -t | --check | --settings\n"
    "       gateway --help | --version\n"
    "  -c FILE      the settings\n"
    "  -w WORKERS   in place of the setting of that name\n"
    "  --if-absent  ends well, and says nothing, when a gateway is running already\n"
    "  -t           only checks that the gateway and the signer would start, as SIGHUP does\n"
    "  --check      checks settings, folders, keys, database, nodes and the web server's access, and says\n"
    "               everything that is wrong; exit status 1 if anything is. Touches no socket\n"
    "  --settings   prints each setting in force and where it comes from\n";

static int gateway_usage(void)
{
    fputs(usage, stderr);
    return EXIT_USAGE;
}

enum purpose { RUN, TEST, CHECK, SHOW };

struct arguments {
    const char *conf;
    unsigned workers; /* 0: those of the settings */
    enum purpose purpose;
    bool if_absent;
};

static bool workers_read(unsigned *out, const char *text)
{
    uint64_t n;

    if (!params_whole(&n, text) || n == 0 || n > WORKERS_MAX)
        return false;
    *out = (unsigned)n;
    return true;
}

static bool arguments_read(struct arguments *a, int argc, char **argv)
{
    enum { IF_ABSENT = 'a', CHECKS = 'k', SHOWS = 's' };
    static const struct option options[] = { { "if-absent", no_argument, NULL, IF_ABSENT },
                                             { "check", no_argument, NULL, CHECKS },
                                             { "settings", no_argument, NULL, SHOWS },
                                             { 0 } };
    bool ok = true;
    int c;

    *a = (struct arguments){ .purpose = RUN };
    while (ok && (c = getopt_long(argc, argv, "c:w:t", options, NULL)) != -1) {
        if (c == 'c')
            a->conf = optarg;
        else if (c == 'w')
            ok = workers_read(&a->workers, optarg);
        else if (c == IF_ABSENT)
            a->if_absent = true;
        else if (c == 't' || c == CHECKS || c == SHOWS)
            a->purpose = c == 't' ? TEST : c == CHECKS ? CHECK : SHOW;
        else
            ok = false;
    }
    return ok && optind == argc && argc <= ARGS_MAX;
}

/* The same arguments to run it with, and to check with. */
static void pool_argue(struct pool *p, int argc, char **argv)
{
    static char *check[ARGS_MAX + 2];

    memcpy(check, argv, (size_t)argc * sizeof *argv);
    check[argc] = "-t";
    p->argv = argv;
    p->argv_t = check;
}

/* Whether a file can be made there. */
static void directory_check(const struct conf *conf, const char *name, const char *path)
{
    char copy[PATH_MAX], allowed[PATH_MAX + 128];
    const char *dir;

    (void)snprintf(copy, sizeof copy, "%s", path);
    dir = dirname(copy);
    if (access(dir, W_OK | X_OK) == 0)
        return;
    (void)snprintf(allowed, sizeof allowed, "in a folder that can be written to; %s: %s", dir,
                   strerror(errno));
    conf_refuse(conf, name, allowed);
}

static void socket_check(const struct conf *conf, const char *name, const char *path)
{
    directory_check(conf, name, path);
    if (!listener_path_fits(path) || !listener_path_fits(beside_socket(conf, FAST_SOCKET)))
        conf_refuse(conf, name, "a path of about 100 characters at most, as sockets have");
}

/* Reads what the settings name, and refuses what would end a start later, when it is too late to go on as
 * before. */
static void settings_use(struct pool *p)
{
    static uint8_t service_key[BOX_KEY_LEN];
    static struct limits limits; /* the signer's; here only to have all mistakes named at once */
    const struct conf *conf = p->conf;
    const char *why;

    socket_check(conf, "fastcgi_socket", conf->fastcgi_socket);
    socket_check(conf, "signer_socket", conf->signer_socket);
    directory_check(conf, "pid_file", conf->pid_file);
    directory_check(conf, "shm_file", conf->shm_file);
    explorer_configure(conf);
    why = service_key_read(conf->service_key_file, service_key);
    if (why != NULL)
        conf_refuse_file(conf, "service_key_file", "a file that can be read, as keyctl makes it", why);
    p->shared = (struct ctx){ .conf = conf,
                              .service_key = service_key,
                              .nodes = nodes_new(conf),
                              .relayer_key = relayer_key_of(conf),
                              .providers = provider_services_new(conf) };
    (void)limits_read(&limits, conf);
    lend_check_settings(conf);
    perps_check_settings(conf);
    db_free(db_from_conf(conf));
}

static struct meter *days_open(const char *shm_file)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s.days", shm_file) >= (int)sizeof path)
        log_fatal("counters_unusable", "msg=\"the path is too long\" file=%s", shm_file);
    return meter_open(path);
}

/* Made before the workers are forked, who share it. */
static void shared_open(struct pool *p)
{
    const struct conf *conf = p->conf;

    incidents_share(conf->shm_file);
    p->scoreboard = scoreboard_new(p->workers);
    p->shared.meter = meter_open(conf->shm_file);
    p->shared.days = days_open(conf->shm_file);
    p->shared.bulkhead = bulkhead_new(p->workers);
    p->shared.cpu_slots = cpu_slots_new(p->workers, CPU_SLOTS_PER_CORE * cores());
    p->shared.leases = worker_leases_new(p->workers + p->fast_workers);
    p->shared.parking = parking_new();
    p->shared.scoreboard = p->scoreboard;
    p->shared.waiting = p->shared.bulkhead;
    p->shared.since_s = clock_seconds();
    metrics_share(conf->shm_file);
    perps_request_budget_share(conf->shm_file);
    block_times_share(conf);
    route_share(conf);
    venues_share(conf, true);
    drift_share(conf->shm_file, true);
    readiness_share();
    disk_share();
    p->shared.documents = documents_new(conf->base_url, &p->shared);
    p->shared.mcp = mcp_new(conf->base_url, &p->shared);
    (void)malloc_trim(0); /* what it took to write them */
}

static void pool_listen(struct pool *p, enum pool_listener which, const char *path, int type, mode_t mode)
{
    if (!handover_listener(&p->former, &p->listeners[which], path))
        listener_open(&p->listeners[which], path, type, mode);
}

/* Requests wait at the socket until there are workers. */
static void pool_open(struct pool *p)
{
    const struct conf *conf = p->conf;
    bool goes_on = p->former.taken;

    p->signer_ready = -1;
    pool_listen(p, LISTEN_ANY, conf->fastcgi_socket, SOCK_STREAM, 0);
    pool_listen(p, LISTEN_FAST, beside_socket(conf, FAST_SOCKET), SOCK_STREAM, 0);
    if (!goes_on) { /* else that was checked before */
        schema_await(conf);
        database_recognise(conf);
    }
    host_know(conf, &p->shared.host);
    pool_listen(p, LISTEN_SIGNER, conf->signer_socket, SOCK_SEQPACKET, 0600);
    handover_close_rest(&p->former);
    if (geteuid() == 0 && conf->worker_uid != 0 &&
        chown(conf->signer_socket, conf->worker_uid, (gid_t)-1) != 0)
        log_fatal("start_failed", "msg=\"cannot give the signer's socket to the workers\" reason=\"%s\"",
                  strerror(errno));
    documents_publish(p->shared.documents, beside_socket(conf, "documents"));
}

/* Goes through what a start needs, the signer's part too, and leaves no trace. */
static int gateway_test(struct pool *p)
{
    struct db *db = db_from_conf(p->conf);

    if (migrate_fit(db) != SCHEMA_FITS)
        log_fatal("schema_other", "msg=\"the database has another schema, or does not answer\" want=%d",
                  SCHEMA_VERSION);
    db_free(db);
    shared_open(p);
    if (!FAULT("restart.check"))
        (void)execl(p->signer_program, "signer", "-c", p->conf_path, "-t", (char *)NULL);
    log_fatal("start_failed", "msg=\"cannot start the signer\" program=%s reason=\"%s\"", p->signer_program,
              strerror(errno));
}

/* False when another one runs. */
static bool gateway_lock(struct pool *p, bool silently)
{
    const char *path = beside_socket(p->conf, "gateway.lock");
    pid_t holder;

    p->lock = lock_take(path, p->former.lock, &holder);
    if (p->lock >= 0)
        return true;
    if (holder == 0)
        log_fatal("lock_failed", "msg=\"cannot lock\" file=%s reason=\"%s\"", path, strerror(errno));
    if (!silently)
        log_error("already_running", "msg=\"already running, pid %d\"", (int)holder);
    return false;
}

static int gateway_run(struct pool *p, bool if_absent)
{
    handover_take(&p->former);
    if (!gateway_lock(p, if_absent))
        return if_absent ? EXIT_SUCCESS : EXIT_FAILURE;
    shared_open(p);
    programs_enter(p->conf, "gateway");
    signals_catch();
    pool_open(p);
    pool_run(p);
    pool_stop(p);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static struct pool pool;
    struct arguments args;

    log_init("gateway");
    process_close();
    program_greet(argc, argv, "gateway", usage);
    if (!arguments_read(&args, argc, argv))
        return gateway_usage();
    pool.conf_path = conf_path(args.conf);
    pool.conf = conf_read(pool.conf_path);
    if (args.purpose == SHOW)
        return settings_show(pool.conf);
    pool.program = program_installed(argv[0]);
    pool.signer_program = program_beside("signer");
    pool_argue(&pool, argc, argv);
    pool.workers = args.workers != 0 ? args.workers : pool.conf->workers;
    pool.fast_workers = pool.conf->fast_workers != 0 ? pool.conf->fast_workers : 2 * cores();
    settings_use(&pool);
    (void)curl_global_init(CURL_GLOBAL_ALL);
    if (args.purpose == CHECK)
        return check_all(&pool);
    conf_insist(pool.conf);
    provider_services_warn(pool.conf);
    return args.purpose == TEST ? gateway_test(&pool) : gateway_run(&pool, args.if_absent);
}
