/* What code in a worker could try to get at a wallet's key; the tests run it under the worker's user id.
 *   peek at PID FILE...       tries to look into a process and to open files; one line each: what, errno or
 * "open" peek crowd SOCKET         many connections that say nothing or nonsense and do not read, until it is
 * ended peek sign SOCKET WALLET AGENT ADDRESS SEALED CHAIN NONCE TO VALUE DATA asks for a signature; prints
 * the signer's status peek garbage SOCKET WALLET AGENT ADDRESS SEALED   the same with bytes that are no
 * transaction peek bench SOCKET WALLET AGENT ADDRESS SEALED N   signatures one after the other, beside those
 * that are made here with a key of its own; prints both times in nanoseconds, one pair a line Ids, sealed key
 * and data are hex digits. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chain/evm/addr.h"
#include "chain/evm/tx.h"
#include "core/hash.h"
#include "core/hex.h"
#include "keys/sign.h"
#include "signer/client.h"

static void tell(const char *what, bool done)
{
    printf("%s %s\n", what, done ? "open" : strerrorname_np(errno));
}

static bool can_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* A process's own files; reading one byte, as some open and do not read. */
static void look(const char *pid, const char *name)
{
    char path[64], byte;
    ssize_t n = -1;
    int fd;

    snprintf(path, sizeof path, "/proc/%s/%s", pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        n = read(fd, &byte, 1);
        close(fd);
    }
    tell(name, n >= 0);
}

static void look_for_files(const char *pid)
{
    char path[64];
    DIR *d;

    snprintf(path, sizeof path, "/proc/%s/fd", pid);
    d = opendir(path);
    tell("fd", d != NULL);
    if (d != NULL)
        closedir(d);
}

static int at(int argc, char **argv)
{
    pid_t pid = (pid_t)strtol(argv[0], NULL, 10);
    char byte;
    struct iovec here = { &byte, 1 }, there = { &byte, 1 };
    int handle;

    tell("ptrace-attach", ptrace(PTRACE_ATTACH, pid, NULL, NULL) == 0);
    tell("ptrace-seize", ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0);
    errno = 0;
    /* An address that is not there would be EFAULT: getting that far counts as open. */
    tell("vm-read", process_vm_readv(pid, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT);
    tell("vm-write", process_vm_writev(pid, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT);
    handle = (int)syscall(SYS_pidfd_open, pid, 0);
    tell("steal-descriptor", handle >= 0 && syscall(SYS_pidfd_getfd, handle, 3, 0) >= 0);
    look(argv[0], "mem");
    look(argv[0], "environ");
    look(argv[0], "maps");
    look(argv[0], "auxv");
    look_for_files(argv[0]);
    for (int i = 1; i < argc; i++) {
        tell(argv[i], can_open(argv[i], O_RDONLY));
        tell(argv[i], can_open(argv[i], O_WRONLY));
    }
    return 0;
}

static int dial(const char *path)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    snprintf(addr.sun_path, sizeof addr.sun_path, "%.100s", path);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&addr, sizeof addr) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static _Noreturn void crowd(const char *path)
{
    static uint8_t large[SIGNER_MAX_MESSAGE + 100];
    size_t made = 0;

    (void)signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < 100; i++) {
        int fd = dial(path);

        made += fd >= 0;
        if (fd >= 0 && i % 3 == 1)
            for (size_t n = 1; n < 50; n++)
                (void)!write(fd, large + n, n);
        if (fd >= 0 && i % 3 == 2)
            (void)!write(fd, large, sizeof large);
    }
    printf("connected %zu\n", made);
    (void)fflush(stdout);
    for (;;)
        pause();
}

static bool read_wallet(struct wallet_ref *w, uint8_t sealed[static SEALED_LEN], char **argv)
{
    *w = (struct wallet_ref){ .kind = WALLET_EVM };
    (void)snprintf(w->address, sizeof w->address, "%s", argv[2]);
    return hex_decode(w->wallet.bytes, UUID_LEN, argv[0], strlen(argv[0])) &&
           hex_decode(w->agent.bytes, UUID_LEN, argv[1], strlen(argv[1])) &&
           hex_decode(sealed, SEALED_LEN, argv[3], strlen(argv[3]));
}

static int sign(char **argv, bool garbage)
{
    struct signer *s = signer_new(argv[0]);
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .gas_limit = 100000 };
    struct buf raw = BUF_INIT(MAX_TX);
    static uint8_t data[4096];
    uint8_t sealed[SEALED_LEN], sig[65];
    struct wallet_ref w;

    if (s == NULL || !read_wallet(&w, sealed, argv + 1))
        return 2;
    if (garbage) {
        buf_adds(&raw, "no transaction");
    } else {
        tx.chain_id = strtoull(argv[5], NULL, 10);
        tx.nonce = strtoull(argv[6], NULL, 10);
        tx.max_fee = u256_from_u64(1000000000);
        tx.data = data;
        if (!evm_addr_parse(&tx.to, argv[7]) || !u256_parse(&tx.value, argv[8]) ||
            !hex_decode_0x(data, sizeof data, &tx.data_len, argv[9]))
            return 2;
        evm_tx_unsigned(&raw, &tx);
    }
    printf("%d\n", (int)signer_sign_evm(s, &w, sealed, (const uint8_t *)raw.data, raw.len, sig));
    buf_free(&raw);
    signer_free(s);
    return 0;
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int bench(char **argv)
{
    struct signer *s = signer_new(argv[0]);
    struct secret *key;
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = 1, .gas_limit = 21000 };
    struct buf raw = BUF_INIT(MAX_TX);
    uint8_t sealed[SEALED_LEN], sig[65], digest[HASH_LEN];
    struct wallet_ref w;

    if (s == NULL || !read_wallet(&w, sealed, argv + 1) || !evm_addr_parse(&tx.to, w.address) ||
        !secrets_init() || !sign_init() || (key = secret_random()) == NULL)
        return 2;
    tx.max_fee = u256_from_u64(1000000000);
    for (long n = strtol(argv[5], NULL, 10); n > 0; n--) {
        int64_t begun = now_ns(), asked, own;

        tx.nonce = (uint64_t)n;
        buf_reset(&raw);
        evm_tx_unsigned(&raw, &tx);
        if (signer_sign_evm(s, &w, sealed, (const uint8_t *)raw.data, raw.len, sig) != SIGNER_OK)
            return 1;
        asked = now_ns();
        keccak256(digest, raw.data, raw.len);
        if (!sign_secp256k1(sig, digest, key))
            return 1;
        own = now_ns();
        printf("%lld %lld\n", (long long)(asked - begun), (long long)(own - asked));
    }
    secret_free(key);
    buf_free(&raw);
    signer_free(s);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "at") == 0)
        return at(argc - 2, argv + 2);
    if (argc == 3 && strcmp(argv[1], "crowd") == 0)
        crowd(argv[2]);
    if (argc == 12 && strcmp(argv[1], "sign") == 0)
        return sign(argv + 2, false);
    if (argc == 7 && strcmp(argv[1], "garbage") == 0)
        return sign(argv + 2, true);
    if (argc == 8 && strcmp(argv[1], "bench") == 0)
        return bench(argv + 2);
    fputs("usage: peek at|crowd|sign|garbage|bench ...\n", stderr);
    return 2;
}
