/* The signer: a process of its own, the only one of the service that opens wallet keys. The pool's parent
 * starts it with a listening socket; it shuts itself in (harden), loads the key directory (lib/keys/keyring)
 * and answers on the socket until it is told to end (lib/signer/server: who may ask, what may be signed). It
 * has no network, no database and no other open file, and keys reach it neither by argument nor by
 * environment. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/log.h"
#include "keys/keyring.h"
#include "keys/secret.h"
#include "keys/sign.h"
#include "signer/server.h"

enum { EXIT_USAGE = 2, SOCKET_FD = 3, STACK_ROOM = 256 * 1024 };

struct options {
    const char *key_dir;
    unsigned fd;
    unsigned uids[2]; /* our own, and the workers' */
    size_t nuids;
};

static int usage(void)
{
    fputs("usage: signer -k DIR [-f FD] [-u UID]\n"
          "  -k DIR  directory of the keys\n"
          "  -f FD   listening SOCK_SEQPACKET socket (3)\n"
          "  -u UID  also answer processes of this user\n",
          stderr);
    return EXIT_USAGE;
}

static bool number(unsigned *out, const char *text)
{
    char *end;
    unsigned long v;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    v = strtoul(text, &end, 10);
    *out = (unsigned)v;
    return errno == 0 && *end == '\0' && v < UINT32_MAX; /* (uid_t)-1 is nobody */
}

static bool read_options(struct options *o, int argc, char **argv)
{
    int c;

    *o = (struct options){ .fd = SOCKET_FD, .uids = { geteuid() }, .nuids = 1 };
    while ((c = getopt(argc, argv, "k:f:u:")) != -1) {
        if (c == 'k')
            o->key_dir = optarg;
        else if (c == 'f' && number(&o->fd, optarg))
            continue;
        else if (c == 'u' && number(&o->uids[1], optarg))
            o->nuids = 2;
        else
            return false;
    }
    return optind == argc && o->key_dir != NULL;
}

/* Keeps the three standard descriptors and the socket, as SOCKET_FD. */
static bool keep_only(unsigned fd)
{
    if (fd > INT32_MAX || dup2((int)fd, SOCKET_FD) < 0)
        return false;
    closefrom(SOCKET_FD + 1);
    return fcntl(SOCKET_FD, F_SETFD, FD_CLOEXEC) == 0;
}

static bool listens(int fd)
{
    int type = 0, listening = 0;
    socklen_t n = sizeof type, m = sizeof listening;

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type == SOCK_SEQPACKET &&
           getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &m) == 0 && listening == 1;
}

/* No core file, no debugger of the same user, no new rights, and no life without the parent. */
static bool harden(void)
{
    const struct rlimit none = { 0, 0 };

    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) == 0;
}

/* What the crypto libraries leave behind on the stack is in here. */
static void grow_stack(void)
{
    volatile uint8_t room[STACK_ROOM];

    for (size_t i = 0; i < sizeof room; i += 1024)
        room[i] = 0;
}

/* Locks what is there: code, data, and a stack grown beforehand, as a locked one might not grow at the limit.
 * Later secrets lock their own pages. Not MCL_FUTURE, under which the limit would make allocations fail. */
static void lock_memory(void)
{
    grow_stack();
    if (mlockall(MCL_CURRENT) != 0)
        log_info("memory is not locked as a whole: %s", strerror(errno));
}

static int run(const struct options *o)
{
    char why[512];
    struct keyring *k = keyring_load(o->key_dir, why, sizeof why);
    int rc;

    if (k == NULL) {
        log_error("keys: %s", why);
        return EXIT_FAILURE;
    }
    lock_memory();
    log_info("ready data_keys=%zu", keyring_size(k));
    rc = signer_serve(SOCKET_FD, k, o->uids, o->nuids);
    keyring_free(k);
    return rc == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct options o;

    if (!read_options(&o, argc, argv))
        return usage();
    log_init("signer");
    if (!harden())
        log_fatal("cannot shut itself in: %s", strerror(errno));
    if (!keep_only(o.fd) || !listens(SOCKET_FD))
        log_fatal("descriptor %u is not a listening SOCK_SEQPACKET socket", o.fd);
    if (!secrets_init() || !sign_init())
        log_fatal("the crypto libraries do not start");
    return run(&o);
}
