/* The gateway: a pool of FastCGI responders. A reading tour:
 *
 *   main    settings, sockets, then everything that workers can share; only then the forks
 *   pool    restarts the signer, the workers and the keeper whenever one ends, until it is told to stop
 *   worker  accepts, reads (lib/http/request) and dispatches (lib/api/admission/dispatch, by the rows of
 *           lib/api)
 *   keeper  writes this host's counters to the database every few seconds (lib/api/admission/meter), and
 *           notices a signer that hangs
 *
 * A worker keeps nothing between requests but its connections and prepared statements: any of them, on any
 * host, can answer any request, and each may be killed at any instruction. */
#include <curl/curl.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "agentproto/mcp.h"
#include "api/admission/meter.h"
#include "api/admission/worker_leases.h"
#include "api/documents/documents.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/ip_address.h"
#include "base/log.h"
#include "base/process.h"
#include "chain/evm/node.h"
#include "chain/explorer.h"
#include "net/slots.h"
#include "pool.h"
#include "service/conf.h"
#include "signals.h"
#include "store/db.h"
#include "store/migrate.h"
#include "webhook/sign.h"

enum {
    EXIT_USAGE = 2,
    BACKLOG = 1024,
    SCHEMA_LOOK_MS = 100,
    SCHEMA_WAIT_MS = 120 * 1000,
};

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
    while (fit == SCHEMA_OLDER && !stop_asked && clock_mono_ms() < end) {
        parent_pause();
        fit = migrate_fit(db);
    }
    if (stop_asked)
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

/* The web server knows the directory of the socket. */
static const char *beside_socket(const struct conf *conf, const char *name)
{
    static char path[2 * PATH_MAX];
    char socket[PATH_MAX];

    (void)snprintf(socket, sizeof socket, "%s", conf->fastcgi_socket);
    (void)snprintf(path, sizeof path, "%s/%s", dirname(socket), name);
    return path;
}

/* For those who signal this process by its id. */
static void pid_file_write(const char *path)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d\n", (int)getpid());

    if (!file_replace(path, text, (size_t)n, 0644))
        log_fatal("msg=\"cannot write the process id\" file=%s reason=\"%s\"", path, strerror(errno));
}

static unsigned cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : n > WORKERS_MAX / 2 ? WORKERS_MAX / 2 : (unsigned)n;
}

static unsigned workers_checked(unsigned n)
{
    if (n == 0 || n > WORKERS_MAX)
        log_fatal("msg=\"workers must be 1 to %d\"", (int)WORKERS_MAX);
    return n;
}

static int gateway_usage(void)
{
    fputs("usage: gateway [-c FILE] [-w WORKERS]\n", stderr);
    return EXIT_USAGE;
}

/* What all workers share, made before they are forked. */
static void pool_open(struct pool *p, const uint8_t *service_key)
{
    const struct conf *conf = p->conf;

    p->listen_fd = listen_on(conf->fastcgi_socket, SOCK_STREAM, 0);
    p->fast_fd = listen_on(beside_socket(conf, "fast.sock"), SOCK_STREAM, 0);
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
                              .slots = slots_new(p->workers),
                              .leases = worker_leases_new(p->workers + p->fast_workers) };
    p->shared.documents = documents_new(conf->base_url, p->shared.nodes);
    p->shared.mcp = mcp_new(conf->base_url, p->shared.nodes);
    documents_publish(p->shared.documents, beside_socket(conf, "documents"));
}

int main(int argc, char **argv)
{
    static uint8_t service_key[BOX_KEY_LEN];
    static struct pool pool;
    const char *path = NULL, *workers = NULL;
    struct conf *conf;
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
    pool.workers = workers_checked(workers != NULL ? (unsigned)strtoul(workers, NULL, 10) : conf->workers);
    pool.fast_workers = workers_checked(conf->fast_workers != 0 ? conf->fast_workers : 2 * cores());
    if (!service_key_read(conf->service_key_file, service_key))
        log_fatal("msg=\"cannot read the service key\" file=%s", conf->service_key_file);
    addresses_check("trusted_proxies", conf->trusted_proxies);
    addresses_check("metrics_from", conf->metrics_from);
    explorer_configure(conf);
    signals_catch();
    (void)curl_global_init(CURL_GLOBAL_ALL);
    pool_open(&pool, service_key);
    pid_file_write(conf->pid_file);
    log_info("msg=\"ready\" workers=%u fast_workers=%u socket=%s", pool.workers, pool.fast_workers,
             conf->fastcgi_socket);
    pool_run(&pool);
    pool_stop(&pool);
    (void)unlink(conf->pid_file);
    log_info("msg=\"stopped\"");
    return EXIT_SUCCESS;
}
