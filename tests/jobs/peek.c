/* What code in a worker could try in order to get at a wallet's key; the tests run it under the worker's user
 * id. Ids, sealed keys and data are hex digits.
 * - peek at PID FILE...: tries to look into a process and to open files; prints what, and errno or "open"
 * - peek crowd SOCKET: many connections that say nothing, or nonsense, and do not read, until it is killed
 * - peek sign SOCKET WALLET AGENT ADDRESS SEALED CHAIN NONCE TO VALUE DATA: asks for a signature; prints the
 *   signer's status
 * - peek garbage SOCKET WALLET AGENT ADDRESS SEALED: the same with bytes that are no transaction
 * - peek allow SOCKET AGENT FAMILY ADDRESS [MAC]: registers a withdrawal address (FAMILY 0: EVM, 1: Solana);
 *   prints the signer's status and rule, the wait in seconds and the record
 * - peek remove SOCKET AGENT FAMILY ADDRESS RECORD: removes it; prints status and rule
 * - peek withdraw SOCKET FAMILY WALLET AGENT ADDRESS SEALED RECORD OP PAYLOAD...: asks in this way (8: as a
 *   withdrawal) for a signature of each unsigned transaction; prints status and rule of each on a line
 * - peek create SOCKET KIND WALLET AGENT: has a key made (KIND 3: one that trades for the wallet); prints the
 *   signer's status, its address and the sealed key
 * - peek action SOCKET KIND WALLET AGENT ADDRESS SEALED OP FAR PAYLOAD...: asks in this way (9: as an action)
 *   for a signature of each payload by a key of this kind, and shows the record FAR,
 * KIND:WALLET:ADDRESS:SEALED or "-" for none; prints status, rule and signature of each on a line
 * - peek bench PROGRAM CONF SOCKET N: N signatures one after the other, beside those of a key of its own;
 *   prints both times in nanoseconds, a pair a line */
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

#include "chain/evm/evm_addr.h"
#include "chain/evm/tx.h"
#include "codec/hash.h"
#include "codec/hex.h"
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
static void poll(const char *pid, const char *name)
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
    poll(argv[0], "mem");
    poll(argv[0], "environ");
    poll(argv[0], "maps");
    poll(argv[0], "auxv");
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

static enum signer_status ask_signature(struct signer *s, const struct wallet_ref *w,
                                        const uint8_t sealed[static SEALED_LEN], const struct buf *tx)
{
    struct signer_request rq = {
        .op = SIGNER_SIGN, .wallet = *w, .payload = (const uint8_t *)tx->data, .payload_len = tx->len
    };
    struct signature sig;

    memcpy(rq.sealed, sealed, sizeof rq.sealed);
    return signer_sign(s, &rq, &sig);
}

static int sign(char **argv, bool garbage)
{
    struct signer *s = signer_new(argv[0]);
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .gas_limit = 100000 };
    struct buf raw = BUF_INIT(MAX_TX);
    static uint8_t data[4096];
    uint8_t sealed[SEALED_LEN];
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
    printf("%d\n", (int)ask_signature(s, &w, sealed, &raw));
    buf_free(&raw);
    signer_free(s);
    return 0;
}

static bool read_record(struct address_record *out, const char *hex)
{
    out->len = strlen(hex) / 2;
    return out->len <= sizeof out->bytes && hex_decode(out->bytes, out->len, hex, strlen(hex));
}

static bool read_payout(struct allowlist_address *p, char **argv)
{
    *p = (struct allowlist_address){ .type = (enum chain_type)strtol(argv[1], NULL, 10) };
    (void)snprintf(p->address, sizeof p->address, "%s", argv[2]);
    return hex_decode(p->agent.bytes, UUID_LEN, argv[0], strlen(argv[0]));
}

static int allow(char **argv, const char *mac_hex)
{
    struct signer *s = signer_new(argv[0]);
    char hex[2 * ADDRESS_RECORD_MAX + 1] = "";
    struct address_record r = { .len = 0 };
    struct allowlist_address p;
    uint8_t mac[HASH_LEN];
    uint64_t wait_s = 0;
    enum signer_status status;

    if (s == NULL || !read_payout(&p, argv + 1) ||
        (mac_hex != NULL && !hex_decode(mac, sizeof mac, mac_hex, strlen(mac_hex))))
        return 2;
    status = signer_allow_address(s, &p, mac_hex != NULL ? mac : NULL, &r, &wait_s);
    hex_encode(hex, r.bytes, r.len);
    printf("%d %s %llu %s\n", (int)status, signer_rule_text(signer_rule(s)), (unsigned long long)wait_s, hex);
    signer_free(s);
    return 0;
}

static int remove_address(char **argv)
{
    struct signer *s = signer_new(argv[0]);
    struct address_record r;
    struct allowlist_address p;
    enum signer_status status;

    if (s == NULL || !read_payout(&p, argv + 1) || !read_record(&r, argv[4]))
        return 2;
    status = signer_remove_address(s, &p, &r);
    printf("%d %s\n", (int)status, signer_rule_text(signer_rule(s)));
    signer_free(s);
    return 0;
}

/* The machine may be busy. */
static enum signer_status sign_patiently(struct signer *s, const struct signer_request *rq,
                                         struct signature *sig)
{
    enum signer_status status = SIGNER_AWAY;

    for (int tries = 0; tries < 20 && status == SIGNER_AWAY; tries++)
        status = signer_sign(s, rq, sig);
    return status;
}

static int withdraw(char **argv, size_t count)
{
    static uint8_t payload[MAX_TX];
    struct signer *s = signer_new(argv[0]);
    struct signer_request rq = { .family = (enum chain_type)strtol(argv[1], NULL, 10), .payload = payload };
    struct address_record r;
    struct signature sig;

    if (s == NULL || !read_wallet(&rq.wallet, rq.sealed, argv + 2) || !read_record(&r, argv[6]))
        return 2;
    rq.wallet.kind = rq.family == CHAIN_SOLANA ? WALLET_SOLANA : WALLET_EVM;
    rq.op = (enum signer_op)strtol(argv[7], NULL, 10);
    rq.record = r.bytes;
    rq.record_len = r.len;
    for (size_t i = 0; i < count; i++) {
        enum signer_status status;

        if (!hex_decode_0x(payload, sizeof payload, &rq.payload_len, argv[8 + i]))
            return 2;
        status = sign_patiently(s, &rq, &sig);
        printf("%d %s\n", (int)status, signer_rule_text(signer_rule(s)));
    }
    signer_free(s);
    return 0;
}

static int create(char **argv)
{
    struct signer *s = signer_new(argv[0]);
    struct wallet_ref w = { .kind = (enum wallet_kind)strtol(argv[1], NULL, 10) };
    char hex[2 * SEALED_LEN + 1];
    uint8_t sealed[SEALED_LEN] = { 0 };
    enum signer_status status;

    if (s == NULL || !hex_decode(w.wallet.bytes, UUID_LEN, argv[2], strlen(argv[2])) ||
        !hex_decode(w.agent.bytes, UUID_LEN, argv[3], strlen(argv[3])))
        return 2;
    status = signer_create(s, &w, sealed);
    hex_encode(hex, sealed, sizeof sealed);
    printf("%d %s %s\n", (int)status, w.address, hex);
    signer_free(s);
    return 0;
}

/* Splits it at its colons. */
static bool read_far(struct signer_request *rq, char *text)
{
    char *save = NULL, *kind = strtok_r(text, ":", &save), *wallet = strtok_r(NULL, ":", &save),
         *address = strtok_r(NULL, ":", &save), *sealed = strtok_r(NULL, ":", &save);

    if (strcmp(text, "-") == 0)
        return true;
    if (sealed == NULL)
        return false;
    rq->has_far_wallet = true;
    rq->far_wallet = (struct wallet_ref){ .kind = (enum wallet_kind)strtol(kind, NULL, 10) };
    (void)snprintf(rq->far_wallet.address, sizeof rq->far_wallet.address, "%s", address);
    return hex_decode(rq->far_wallet.wallet.bytes, UUID_LEN, wallet, strlen(wallet)) &&
           hex_decode(rq->far_sealed, SEALED_LEN, sealed, strlen(sealed));
}

static int action(char **argv, size_t count)
{
    static uint8_t payload[MAX_TX];
    struct signer *s = signer_new(argv[0]);
    struct signer_request rq = { .payload = payload };

    if (s == NULL || !read_wallet(&rq.wallet, rq.sealed, argv + 2) || !read_far(&rq, argv[7]))
        return 2;
    rq.wallet.kind = (enum wallet_kind)strtol(argv[1], NULL, 10);
    rq.op = (enum signer_op)strtol(argv[6], NULL, 10);
    for (size_t i = 0; i < count; i++) {
        char hex[2 * SIGNATURE_MAX + 1] = "";
        struct signature sig = { .len = 0 };
        enum signer_status status;

        if (!hex_decode_0x(payload, sizeof payload, &rq.payload_len, argv[8 + i]))
            return 2;
        status = sign_patiently(s, &rq, &sig);
        hex_encode(hex, sig.bytes, sig.len);
        printf("%d %s %s\n", (int)status, signer_rule_text(signer_rule(s)), hex);
    }
    signer_free(s);
    return 0;
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The signer itself, on a socket made for it, as the gateway's parent starts it. */
static pid_t start_signer(const char *program, const char *conf, const char *path)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    char number[16];
    pid_t pid;

    (void)snprintf(addr.sun_path, sizeof addr.sun_path, "%.100s", path);
    (void)unlink(path);
    if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof addr) != 0 || listen(fd, 128) != 0)
        return -1;
    pid = fork();
    if (pid == 0) {
        (void)snprintf(number, sizeof number, "%d", fd);
        (void)execl(program, "signer", "-c", conf, "-f", number, (char *)NULL);
        _exit(127);
    }
    close(fd);
    return pid;
}

struct subject {
    struct wallet_ref wallet;
    uint8_t sealed[SEALED_LEN];
    struct evm_tx tx;
};

static bool make_subject(struct subject *b, struct signer *s)
{
    enum signer_status status = SIGNER_AWAY;

    *b = (struct subject){ .wallet = { .kind = WALLET_EVM } };
    for (int i = 0; i < 50 && status == SIGNER_AWAY; i++)
        status = signer_create(s, &b->wallet, b->sealed);
    b->tx = (struct evm_tx){ .type = EVM_TX_FEE_MARKET, .chain_id = 1, .gas_limit = 21000 };
    b->tx.max_fee = u256_from_u64(1000000000);
    return status == SIGNER_OK && evm_addr_parse(&b->tx.to, b->wallet.address);
}

static bool sign_next(struct subject *b, struct signer *s, struct buf *raw)
{
    b->tx.nonce++;
    buf_reset(raw);
    evm_tx_unsigned(raw, &b->tx);
    return ask_signature(s, &b->wallet, b->sealed, raw) == SIGNER_OK;
}

static bool one_by_one(struct subject *b, struct signer *s, long n)
{
    struct buf raw = BUF_INIT(MAX_TX);
    struct secret *key = secret_random();
    uint8_t sig[65], digest[HASH_LEN];
    bool ok = key != NULL;

    for (; ok && n > 0; n--) {
        int64_t begun = now_ns(), asked;

        ok = sign_next(b, s, &raw);
        asked = now_ns();
        keccak256(digest, raw.data, raw.len);
        ok = ok && sign_secp256k1(sig, digest, key);
        printf("%lld %lld\n", (long long)(asked - begun), (long long)(now_ns() - asked));
    }
    secret_free(key);
    buf_free(&raw);
    return ok;
}

enum { CLIENTS = 8 };

static bool many_at_once(struct subject *b, const char *path, long n)
{
    int64_t begun = now_ns();
    pid_t pids[CLIENTS];
    int status;
    bool ok = true;

    (void)fflush(stdout);
    for (unsigned i = 0; i < CLIENTS; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            struct signer *s = signer_new(path);
            struct buf raw = BUF_INIT(MAX_TX);

            b->tx.nonce = (uint64_t)(i + 1) << 32;
            for (long k = n / CLIENTS; ok && k > 0; k--)
                ok = sign_next(b, s, &raw);
            _exit(ok ? 0 : 1);
        }
    }
    for (unsigned i = 0; i < CLIENTS; i++)
        ok = waitpid(pids[i], &status, 0) == pids[i] && status == 0 && ok;
    printf("rate %lld\n", (long long)(n / CLIENTS * CLIENTS * 1000000000LL / (now_ns() - begun)));
    return ok;
}

static int bench(char **argv)
{
    pid_t pid = start_signer(argv[0], argv[1], argv[2]);
    struct signer *s = signer_new(argv[2]);
    long n = strtol(argv[3], NULL, 10);
    struct subject b;
    bool ok = pid > 0 && s != NULL && secrets_init() && sign_init() && make_subject(&b, s) &&
              one_by_one(&b, s, n) && many_at_once(&b, argv[2], n);

    signer_free(s);
    if (pid > 0) {
        kill(pid, SIGTERM);
        waitpid(pid, NULL, 0);
    }
    return ok ? 0 : 1;
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
    if ((argc == 6 || argc == 7) && strcmp(argv[1], "allow") == 0)
        return allow(argv + 2, argv[6]);
    if (argc == 7 && strcmp(argv[1], "remove") == 0)
        return remove_address(argv + 2);
    if (argc >= 11 && strcmp(argv[1], "withdraw") == 0)
        return withdraw(argv + 2, (size_t)argc - 10);
    if (argc == 6 && strcmp(argv[1], "create") == 0)
        return create(argv + 2);
    if (argc >= 11 && strcmp(argv[1], "action") == 0)
        return action(argv + 2, (size_t)argc - 10);
    if (argc == 6 && strcmp(argv[1], "bench") == 0)
        return bench(argv + 2);
    fputs("usage: peek at|crowd|sign|garbage|allow|remove|withdraw|create|action|bench ...\n", stderr);
    return 2;
}
