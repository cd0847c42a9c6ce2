/* The signer: a process of its own, the only one of the service that opens wallet keys. The pool's parent
 * starts it with a listening socket. It opens what it needs (keys: lib/keys/keyring; limits, ledger, kill
 * switch and audit file: lib/signer), locks its memory, switches to a user of its own if the parent is root,
 * confines itself (lib/signer/confine) and answers on the socket until it is told to stop (lib/signer/server:
 * who may ask; lib/signer/answer: what is signed). It has no network, no database and no other open file, and
 * keys never reach it through arguments or the environment. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check_report.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/incident.h"
#include "base/log.h"
#include "base/process.h"
#include "base/program.h"
#include "codec/hex.h"
#include "keys/keyfile.h"
#include "keys/keyring.h"
#include "keys/operator_mac.h"
#include "keys/secret.h"
#include "keys/sign.h"
#include "service/conf.h"
#include "signer/address_history.h"
#include "signer/confine.h"
#include "signer/kill_switch.h"
#include "signer/line_file.h"
#include "signer/operator_file.h"
#include "signer/server.h"
#include "signer/wallet_file.h"

enum { EXIT_USAGE = 2, SOCKET_FD = 3, READY_FD, WHY_MAX = 512, CLOCKS_APART_S = 300 };

static const char usage[] =
    "usage: signer [-c FILE] [-f FD] [-r FD] [-t | --check]\n"
    "       signer --help | --version\n"
    "  -c FILE  the settings\n"
    "  -f FD    listening SOCK_SEQPACKET socket (3)\n"
    "  -r FD    gets a byte once only the audit log is missing, which a former signer may hold\n"
    "  -t       only checks the settings and the keys\n"
    "  --check  the same, for gateway --check: says what it finds on standard output\n";

static int signer_usage(void)
{
    fputs(usage, stderr);
    return EXIT_USAGE;
}

static bool parse_number(unsigned *out, const char *text)
{
    char *end;
    unsigned long v;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    v = strtoul(text, &end, 10);
    *out = (unsigned)v;
    return errno == 0 && *end == '\0' && v <= INT32_MAX;
}

/* Keeps the three standard descriptors, the socket as SOCKET_FD, and as READY_FD what says that it is ready,
 * unless that is negative. */
static bool descriptors_keep(int socket, int ready)
{
    if (ready >= 0 && (ready = fcntl(ready, F_DUPFD, READY_FD + 1)) < 0)
        return false;
    if (dup2(socket, SOCKET_FD) < 0 || (ready >= 0 && dup2(ready, READY_FD) < 0))
        return false;
    closefrom(ready >= 0 ? READY_FD + 1 : READY_FD);
    return fcntl(SOCKET_FD, F_SETFD, FD_CLOEXEC) == 0;
}

static bool socket_listens(int fd)
{
    int type = 0, listening = 0;
    socklen_t n = sizeof type, m = sizeof listening;

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type == SOCK_SEQPACKET &&
           getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &m) == 0 && listening == 1;
}

/* ---- State ---- */

static const char *path_in(const char *dir, const char *name)
{
    static char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        log_fatal("setting_wrong", "msg=\"the name of a directory is too long\" name=%s", dir);
    return path;
}

/* Fails if anything is missing: a signer without its limits or its keys must not sign. */
static void settings_read(struct signer_state *s, struct limits *limits, const struct conf *c)
{
    char why[WHY_MAX];

    if (!limits_read(limits, c))
        conf_insist(c);
    *s = (struct signer_state){ .limits = limits };
    s->hyperliquid = hyperliquid_terms_of(c);
    if (!polymarket_terms_read(&s->polymarket, c, why, sizeof why))
        log_fatal("setting_wrong", "%s", why);
    if ((s->keyring = keyring_load(c->key_dir, why, sizeof why)) == NULL)
        log_fatal("key_unreadable", "keys: %s", why);
    /* Created by keyctl; without it the operator cannot order sweeps. */
    s->operator_key = keyfile_secret(path_in(c->key_dir, OPERATOR_KEY), why, sizeof why);
    if (s->operator_key == NULL)
        log_warn("sweeps_disabled", "msg=\"sweeps are disabled\" reason=\"%s\"", why);
}

static void directory_make(const char *path)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        log_fatal("folder_not_writable", "msg=\"cannot create signer_dir\" path=%s reason=\"%s\"", path,
                  strerror(errno));
}

static struct address_history *history_of(const struct conf *c)
{
    const struct history_terms terms = { c->signer_dir, c->key_dir, c->withdrawal_delay, c->hosts };
    const struct history_clock clock = history_clock_own();
    struct address_history *b = history_new(&terms, &clock);

    if (b == NULL)
        log_fatal("signer_state_unusable", "book: %s", strerror(errno));
    return b;
}

/* Opens the state with its audit file. A previous signer that holds the file is told to end by the parent,
 * which listens at `ready`. */
static void state_open(struct signer_state *s, const struct conf *c, int ready)
{
    char why[WHY_MAX];

    if ((s->kill_switch = operator_file_open(path_in(c->signer_dir, "stop"))) < 0)
        log_fatal("signer_state_unusable", "kill switch: %s", strerror(errno));
    if ((s->settlers = operator_file_open(path_in(c->signer_dir, "settlers"))) < 0)
        log_fatal("signer_state_unusable", "settlers: %s", strerror(errno));
    if ((s->prices = operator_file_open(path_in(c->signer_dir, "prices"))) < 0)
        log_fatal("signer_state_unusable", "prices: %s", strerror(errno));
    s->history = history_of(c);
    if (ready >= 0) {
        (void)file_write(ready, "", 1);
        (void)close(ready);
    }
    if ((s->audit_log = audit_log_open(path_in(c->signer_dir, "audit.log"), why, sizeof why)) == NULL)
        log_fatal("signer_state_unusable", "audit: %s", why);
    if ((s->wallets = line_file_open(path_in(c->signer_dir, WALLET_FILE))) < 0)
        log_fatal("signer_state_unusable", "wallets: %s", strerror(errno));
    if (!history_open(s->history, why, sizeof why))
        log_fatal("signer_state_unusable", "book: %s", why);
    if ((s->trading_keys = trading_keys_open(path_in(c->signer_dir, TRADING_KEYS_FILE), why, sizeof why)) ==
        NULL)
        log_fatal("signer_state_unusable", "trading-keys: %s", why);
    if ((s->ledger = ledger_open(path_in(c->signer_dir, "ledger"), s->limits, clock_seconds(), why,
                                 sizeof why)) == NULL)
        log_fatal("signer_state_unusable", "ledger: %s", why);
}

static void state_close(struct signer_state *s)
{
    history_free(s->history);
    trading_keys_close(s->trading_keys);
    ledger_close(s->ledger);
    audit_log_close(s->audit_log);
    secret_free(s->operator_key);
    keyring_free(s->keyring);
}

/* ---- Confinement ---- */

/* Changing the user clears the parent-death signal, so it is set again. */
static void signer_become(unsigned uid)
{
    pid_t parent = getppid();

    if (uid != 0 && geteuid() != 0)
        log_warn("signer_not_root",
                 "msg=\"not root: the keys stay under the workers' user id\" signer_uid=%u", uid);
    process_become(uid);
    if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) != 0 || getppid() != parent)
        log_fatal("parent_gone", "msg=\"the parent is gone\"");
}

static void state_log(const struct signer_state *s)
{
    uint8_t head[HASH_LEN];
    char hex[2 * HASH_LEN + 1];

    audit_log_head(s->audit_log, head);
    hex_encode(hex, head, sizeof head);
    log_info("signer_ready", "ready data_keys=%zu limits=%zu uid=%u locked=%d stopped=%d at_once=%d audit=%s",
             keyring_size(s->keyring), s->limits->count, geteuid(), s->locked,
             kill_switch_is_set(s->kill_switch), history_is_complete(s->history), hex);
    if (llabs(history_ahead_s(s->history)) >= CLOCKS_APART_S)
        log_warn("signer_clock_apart",
                 "msg=\"the signer's time and the machine's clock differ\" ahead_s=%" PRId64,
                 history_ahead_s(s->history));
}

static int signer_run(const struct conf *c, int ready)
{
    const unsigned uids[] = { geteuid(), c->worker_uid };
    struct limits limits;
    struct signer_state state;
    int rc;

    directory_make(c->signer_dir);
    incidents_share(path_in(c->signer_dir, SIGNER_INCIDENTS)); /* only the signer has access */
    settings_read(&state, &limits, c);
    state_open(&state, c, ready);
    state.locked = confine_lock_memory();
    if (!state.locked)
        log_warn("memory_not_locked", "msg=\"memory is not locked as a whole\" reason=\"%s\"",
                 strerror(errno));
    signer_become(c->signer_uid);
    state_log(&state);
    rc = signer_serve(SOCKET_FD, &state, uids, c->worker_uid != 0 ? 2 : 1, confine);
    state_close(&state);
    return rc == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int signer_check(const struct conf *c)
{
    struct limits limits;
    struct signer_state state;

    settings_read(&state, &limits, c);
    log_info("settings_ok", "msg=\"the settings pass\" data_keys=%zu limits=%zu", keyring_size(state.keyring),
             limits.count);
    secret_free(state.operator_key);
    keyring_free(state.keyring);
    return EXIT_SUCCESS;
}

/* Settings that are wrong the gateway has named already. */
static int signer_find(const struct conf *c)
{
    char why[WHY_MAX];
    struct keyring *keyring = keyring_load(c->key_dir, why, sizeof why);
    struct secret *operator_key;

    if (keyring == NULL)
        check_report(false, "keys", "%s", why);
    else
        check_report(true, "keys", "%s: master key and %zu data keys, sound", c->key_dir,
                     keyring_size(keyring));
    keyring_free(keyring);
    operator_key = keyfile_secret(path_in(c->key_dir, OPERATOR_KEY), why, sizeof why);
    if (operator_key == NULL)
        check_report(false, "keys", "%s", why);
    secret_free(operator_key);
    return check_reports_wrong() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

struct arguments {
    const char *conf;
    unsigned socket, ready;
    bool has_ready, test, check;
};

static bool arguments_read(struct arguments *a, int argc, char **argv)
{
    enum { CHECKS = 'k' };
    static const struct option options[] = { { "check", no_argument, NULL, CHECKS }, { 0 } };
    bool ok = true;
    int c;

    *a = (struct arguments){ .socket = SOCKET_FD };
    while (ok && (c = getopt_long(argc, argv, "c:f:r:t", options, NULL)) != -1) {
        if (c == 'c')
            a->conf = optarg;
        else if (c == 'f')
            ok = parse_number(&a->socket, optarg);
        else if (c == 'r')
            ok = a->has_ready = parse_number(&a->ready, optarg);
        else if (c == 't')
            a->test = true;
        else if (c == CHECKS)
            a->check = true;
        else
            ok = false;
    }
    return ok && optind == argc;
}

int main(int argc, char **argv)
{
    struct arguments args;
    struct conf *conf;

    program_greet(argc, argv, "signer", usage);
    if (!arguments_read(&args, argc, argv))
        return signer_usage();
    log_init("signer");
    umask(077);
    if (args.test || args.check)
        process_close();
    else if (!descriptors_keep((int)args.socket, args.has_ready ? (int)args.ready : -1) ||
             !socket_listens(SOCKET_FD))
        log_fatal("start_failed", "descriptor %u is not a listening SOCK_SEQPACKET socket", args.socket);
    if (!secrets_init() || !sign_init())
        log_fatal("start_failed", "the crypto libraries do not start");
    if (args.check)
        _exit(signer_find(conf_read(conf_path(args.conf))));
    conf = conf_load(conf_path(args.conf));
    /* Without exit handlers: they may need system calls that confinement forbids. */
    _exit(args.test ? signer_check(conf) : signer_run(conf, args.has_ready ? READY_FD : -1));
}
