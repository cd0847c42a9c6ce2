/* The gateway: a pool of FastCGI responders. A reading tour:
 *
 *   main    settings, sockets, then everything that workers can share; only then the forks
 *   parent  restarts the signer, the workers and the keeper whenever one ends, until it is told to stop
 *   worker  accepts, reads (lib/http/request) and dispatches (lib/api/admission/dispatch, by the rows of
 *           lib/api)
 *   keeper  writes this host's counters to the database every few seconds (lib/api/admission/meter), and
 *           notices a signer that hangs
 *
 * A worker keeps nothing between requests but its connections and prepared statements: any of them, on any
 * host, can answer any request, and each may be killed at any instruction. */
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agentproto/mcp.h"
#include "api/admission/dispatch.h"
#include "api/admission/meter.h"
#include "api/admission/worker_leases.h"
#include "api/documents/documents.h"
#include "api/endpoint/endpoint.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/ip_address.h"
#include "base/log.h"
#include "base/process.h"
#include "chain/evm/node.h"
#include "chain/explorer.h"
#include "io_fcgi.h"
#include "net/call.h"
#include "net/slots.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/db.h"
#include "store/migrate.h"
#include "webhook/sign.h"

enum {
    EXIT_USAGE = 2,
    BACKLOG = 1024,
    KEEPER_MS = 2000,
    SIGNER_PINGS = 4, /* unanswered in a row: the signer hangs */
    EXIT_SIGNER_SILENT = 3,
    WORKERS_MAX = 1024,
    STOP_GRACE_MS = 1500,
    SCHEMA_LOOK_MS = 100,
    SCHEMA_WAIT_MS = 120 * 1000,
    SIGNER_FD = 3
};

static volatile sig_atomic_t stop, renew;

static void on_stop(int sig)
{
    (void)sig;
    stop = 1;
}

static void on_renew(int sig)
{
    (void)sig;
    renew = 1;
}

/* Only wakes the parent. */
static void on_child(int sig)
{
    (void)sig;
}

static sigset_t initial_mask; /* that the program was started with */

static void catch_signal(int sig, void (*handler)(int))
{
    struct sigaction sa = { .sa_handler = handler }; /* no SA_RESTART: waiting calls return */

    (void)sigaction(sig, &sa, NULL);
}

/* They are blocked except while the parent waits, so that none is lost between a check and the wait. */
static void catch_signals(void)
{
    sigset_t blocked;

    catch_signal(SIGTERM, on_stop);
    catch_signal(SIGINT, on_stop);
    catch_signal(SIGHUP, on_renew);
    catch_signal(SIGCHLD, on_child);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigemptyset(&blocked);
    (void)sigaddset(&blocked, SIGTERM);
    (void)sigaddset(&blocked, SIGINT);
    (void)sigaddset(&blocked, SIGHUP);
    (void)sigaddset(&blocked, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &blocked, &initial_mask);
}

/* A child calls it once it has opened what only the parent's user may open: from then on it can read no key
 * file and no memory of the signer. */
static void child_become(unsigned uid)
{
    process_become(uid);
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0)
        log_fatal("msg=\"cannot end with the parent\" reason=\"%s\"", strerror(errno));
}

/* ---- worker ---- */

static void request_log(const struct request *rq, const struct reply *rp, int64_t started)
{
    char path[LOG_TEXT_LEN];

    log_id(rq->id);
    log_info("method=%s path=%s status=%d ms=%lld", method_text(rq->method), log_text(path, rq->path),
             reply_status(rp), (long long)(clock_mono_ms() - started));
    log_id(NULL);
}

static void worker_serve(struct ctx *ctx, struct arena *a, struct io *io)
{
    int64_t started = clock_mono_ms();
    struct request rq;
    struct reply *rp;

    request_read(&rq, a, io);
    log_id(rq.id);
    rp = dispatch(ctx, &rq);
    (void)FAULT("answer.before");
    reply_send(&rq, rp);
    worker_leases_drop(ctx->leases);
    (void)FAULT("answer.after");
    log_id(NULL);
    meter_answered(ctx->meter, reply_status(rp));
    if (reply_status(rp) >= 500 || clock_mono_ms() - started > 1000)
        request_log(&rq, rp, started);
}

static int worker_run(const struct conf *conf, const struct ctx *shared, int listen_fd, unsigned number)
{
    struct ctx ctx = *shared;
    struct arena *a = arena_new();
    struct io_fcgi io;

    ctx.db = db_from_conf(conf);
    ctx.net = net_new("agent-gateway/1", 16);
    ctx.signer = signer_new(conf->signer_socket);
    child_become(conf->worker_uid);
    slots_own(ctx.slots, number);
    worker_leases_inherit(ctx.leases, number, ctx.db);
    if (!io_fcgi_init(&io, listen_fd))
        log_fatal("msg=\"libfcgi does not start\"");
    while (!stop && io_fcgi_accept(&io)) {
        worker_serve(&ctx, a, &io.io);
        io_fcgi_finish(&io);
        arena_reset(a);
        db_pause(ctx.db);
    }
    signer_free(ctx.signer);
    net_free(ctx.net);
    db_free(ctx.db);
    arena_free(a);
    return EXIT_SUCCESS;
}

/* ---- keeper ---- */

static int keeper_run(const struct conf *conf, struct meter *meter)
{
    struct db *db = db_from_conf(conf);
    struct signer *signer = signer_new(conf->signer_socket);
    unsigned unanswered = 0;

    child_become(conf->worker_uid);
    while (!stop && unanswered < SIGNER_PINGS) {
        meter_fold(meter, db);
        db_pause(db);
        unanswered = signer_ping(signer, NULL) == SIGNER_AWAY ? unanswered + 1 : 0;
        usleep(KEEPER_MS * 1000); /* a signal ends it early */
    }
    meter_fold(meter, db);
    signer_free(signer);
    db_free(db);
    return stop ? EXIT_SUCCESS : EXIT_SIGNER_SILENT;
}

/* ---- parent ---- */

struct pool {
    const struct conf *conf;
    struct ctx shared;
    const char *conf_path;
    const char *signer_program;
    int listen_fd;
    int signer_fd;
    unsigned workers;
    pid_t signer, keeper;
    pid_t worker[2 * WORKERS_MAX];
};

/* A child that outlived its parent would answer requests beside the next pool. */
static pid_t child_fork(void)
{
    pid_t parent = getpid(), pid = fork();

    if (pid != 0)
        return pid;
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)sigprocmask(SIG_SETMASK, &initial_mask, NULL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    return 0;
}

static void signer_exec(const struct pool *p)
{
    char fd[16];

    if (p->signer_fd == SIGNER_FD) {
        (void)fcntl(SIGNER_FD, F_SETFD, 0);
    } else if (dup2(p->signer_fd, SIGNER_FD) < 0) {
        _exit(EXIT_FAILURE);
    }
    (void)snprintf(fd, sizeof fd, "%d", SIGNER_FD);
    (void)execl(p->signer_program, "signer", "-c", p->conf_path, "-f", fd, (char *)NULL);
    log_fatal("msg=\"cannot start the signer\" program=%s reason=\"%s\"", p->signer_program, strerror(errno));
}

static void children_start(struct pool *p)
{
    if (p->signer == 0 && (p->signer = child_fork()) == 0)
        signer_exec(p);
    if (p->keeper == 0 && (p->keeper = child_fork()) == 0)
        exit(keeper_run(p->conf, p->shared.meter));
    for (unsigned i = 0; i < p->workers; i++)
        if (p->worker[i] == 0 && (p->worker[i] = child_fork()) == 0)
            exit(worker_run(p->conf, &p->shared, p->listen_fd, i));
}

/* Its place is filled by children_start. */
static void child_forget(struct pool *p, pid_t pid)
{
    if (pid == p->signer)
        p->signer = 0;
    if (pid == p->keeper)
        p->keeper = 0;
    for (unsigned i = 0; i < p->workers; i++)
        if (p->worker[i] == pid)
            p->worker[i] = 0;
}

/* The keeper has noticed it, but only the parent may kill the signer. Workers repeat what was not signed. */
static void signer_kill(const struct pool *p)
{
    if (stop || p->signer == 0)
        return;
    log_warn("msg=\"the signer hangs and is killed\" pid=%d", (int)p->signer);
    (void)kill(p->signer, SIGKILL);
}

static bool child_reap(struct pool *p, int flags)
{
    int status;
    pid_t pid = waitpid(-1, &status, flags);

    if (pid <= 0)
        return false;
    if (!stop)
        log_warn("msg=\"child ended\" pid=%d status=%d signal=%d core=%d", (int)pid,
                 WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                 WIFSIGNALED(status) && WCOREDUMP(status));
    if (pid == p->keeper && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SIGNER_SILENT)
        signer_kill(p);
    child_forget(p, pid);
    return true;
}

static void children_signal(const struct pool *p, int sig)
{
    if (p->keeper > 0)
        (void)kill(p->keeper, sig);
    for (unsigned i = 0; i < p->workers; i++)
        if (p->worker[i] > 0)
            (void)kill(p->worker[i], sig);
}

static bool children_left(const struct pool *p)
{
    bool any = p->keeper > 0;

    for (unsigned i = 0; i < p->workers; i++)
        any = any || p->worker[i] > 0;
    return any;
}

/* The next signer reads settings and keys afresh. It starts at once and waits until the former one has
 * released the audit log; requests wait in the socket's queue meanwhile. */
static void signer_renew(struct pool *p)
{
    renew = 0;
    if (p->signer > 0)
        (void)kill(p->signer, SIGTERM);
    p->signer = 0;
}

static void pool_run(struct pool *p)
{
    while (!stop) {
        int64_t started = clock_mono_ms();

        children_start(p);
        (void)sigsuspend(&initial_mask);
        if (renew)
            signer_renew(p);
        while (child_reap(p, WNOHANG)) {
        }
        /* Children that end at once (no memory, no signer) must not make the parent spin. */
        if (!stop && clock_mono_ms() - started < 100)
            usleep(100 * 1000);
    }
}

/* Workers finish their current request; the signer goes last, because they may need it for that. */
static void pool_stop(struct pool *p)
{
    int64_t end = clock_mono_ms() + STOP_GRACE_MS;

    children_signal(p, SIGTERM);
    while (children_left(p) && clock_mono_ms() < end)
        if (!child_reap(p, WNOHANG))
            usleep(10 * 1000);
    children_signal(p, SIGKILL);
    while (children_left(p) && child_reap(p, 0)) {
    }
    if (p->signer > 0) {
        (void)kill(p->signer, SIGTERM);
        (void)waitpid(p->signer, NULL, 0);
    }
}

/* ---- start ---- */

/* The name is replaced atomically: whoever listened there before still serves those who connected to it. */
static int listen_on(const char *path, int type, mode_t mode)
{
    struct sockaddr_un sa = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

    if (strlen(path) + sizeof ".new" > sizeof sa.sun_path)
        log_fatal("msg=\"socket path too long\" path=%s", path);
    (void)snprintf(sa.sun_path, sizeof sa.sun_path, "%s.new", path);
    (void)unlink(sa.sun_path);
    if (fd < 0 || bind(fd, (struct sockaddr *)&sa, sizeof sa) != 0 || listen(fd, BACKLOG) != 0 ||
        (mode != 0 && chmod(sa.sun_path, mode) != 0) || rename(sa.sun_path, path) != 0)
        log_fatal("msg=\"cannot listen\" path=%s reason=\"%s\"", path, strerror(errno));
    return fd;
}

/* Signals are delivered only here and in pool_run. */
static void parent_pause(void)
{
    const struct timespec moment = { .tv_nsec = SCHEMA_LOOK_MS * 1000 * 1000L };

    (void)pselect(0, NULL, NULL, NULL, &moment, &initial_mask);
}

/* Waits for schema-migrate, while requests wait at the socket: see store/migrate.h. */
static void schema_await(const struct conf *conf)
{
    struct db *db = db_from_conf(conf);
    int64_t end = clock_mono_ms() + SCHEMA_WAIT_MS;
    enum schema_fit fit = migrate_fit(db);

    if (fit == SCHEMA_OLDER)
        log_warn("msg=\"waiting for schema-migrate\" want=%d", SCHEMA_VERSION);
    while (fit == SCHEMA_OLDER && !stop && clock_mono_ms() < end) {
        parent_pause();
        fit = migrate_fit(db);
    }
    if (stop)
        exit(EXIT_SUCCESS);
    if (fit != SCHEMA_FITS)
        log_fatal("msg=\"the database has another schema\" want=%d", SCHEMA_VERSION);
    db_free(db);
}

static void addresses_check(const char *name, const char *list)
{
    if (!ip_address_list_ok(list))
        log_fatal("msg=\"not a list of addresses and networks\" name=%s value=\"%s\"", name, list);
}

/* The signer's binary is in the directory of this one. */
static char *program_beside(const char *name)
{
    static char path[4096];
    char self[3072];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    if (n <= 0)
        log_fatal("msg=\"cannot find this binary\"");
    self[n] = '\0';
    (void)snprintf(path, sizeof path, "%s/%s", dirname(self), name);
    return path;
}

/* The documents lie beside the socket, which the web server knows. */
static void pool_publish(const struct pool *p)
{
    char socket[PATH_MAX], dir[PATH_MAX + sizeof "/documents"];

    (void)snprintf(socket, sizeof socket, "%s", p->conf->fastcgi_socket);
    (void)snprintf(dir, sizeof dir, "%s/documents", dirname(socket));
    documents_publish(p->shared.documents, dir);
}

/* For those who signal this process by its id. */
static void pid_file_write(const char *path)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d\n", (int)getpid());

    if (!file_replace(path, text, (size_t)n, 0644))
        log_fatal("msg=\"cannot write the process id\" file=%s reason=\"%s\"", path, strerror(errno));
}

static int gateway_usage(void)
{
    fputs("usage: gateway [-c FILE] [-w WORKERS]\n", stderr);
    return EXIT_USAGE;
}

/* What all workers share, made before they are forked. */
static void pool_open(struct pool *p, unsigned waiting, const uint8_t *service_key)
{
    const struct conf *conf = p->conf;

    p->workers = slots_count(waiting);
    p->listen_fd = listen_on(conf->fastcgi_socket, SOCK_STREAM, 0);
    schema_await(conf);
    p->signer_fd = listen_on(conf->signer_socket, SOCK_SEQPACKET, 0600);
    if (geteuid() == 0 && conf->worker_uid != 0 &&
        chown(conf->signer_socket, conf->worker_uid, (gid_t)-1) != 0)
        log_fatal("msg=\"cannot give the signer's socket to the workers\" reason=\"%s\"", strerror(errno));
    p->signer_program = program_beside("signer");
    p->shared = (struct ctx){ .conf = conf,
                              .nodes = nodes_new(conf),
                              .meter = meter_open(conf->shm_file),
                              .service_key = service_key,
                              .slots = slots_new(waiting),
                              .leases = worker_leases_new(p->workers) };
    p->shared.documents = documents_new(conf->base_url, p->shared.nodes);
    p->shared.mcp = mcp_new(conf->base_url, p->shared.nodes);
    pool_publish(p);
}

int main(int argc, char **argv)
{
    static uint8_t service_key[BOX_KEY_LEN];
    static struct pool pool;
    const char *path = NULL, *workers = NULL;
    struct conf *conf;
    unsigned waiting;
    int c;

    log_init("gateway");
    process_close();
    while ((c = getopt(argc, argv, "c:w:")) != -1) {
        if (c == 'c')
            path = optarg;
        else if (c == 'w')
            workers = optarg;
        else
            return gateway_usage();
    }
    conf = conf_load(conf_path(path));
    pool.conf = conf;
    pool.conf_path = conf_path(path);
    waiting = workers != NULL ? (unsigned)strtoul(workers, NULL, 10) : conf->workers;
    if (waiting == 0 || waiting > WORKERS_MAX)
        log_fatal("msg=\"workers must be 1 to %d\"", (int)WORKERS_MAX);
    if (!service_key_read(conf->service_key_file, service_key))
        log_fatal("msg=\"cannot read the service key\" file=%s", conf->service_key_file);
    addresses_check("trusted_proxies", conf->trusted_proxies);
    addresses_check("metrics_from", conf->metrics_from);
    explorer_configure(conf);
    catch_signals();
    (void)curl_global_init(CURL_GLOBAL_ALL);
    pool_open(&pool, waiting, service_key);
    pid_file_write(conf->pid_file);
    log_info("msg=\"ready\" workers=%u socket=%s", pool.workers, conf->fastcgi_socket);
    pool_run(&pool);
    pool_stop(&pool);
    (void)unlink(conf->pid_file);
    log_info("msg=\"stopped\"");
    return EXIT_SUCCESS;
}
