#include "signer/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "chain/evm/abi.h"
#include "chain/evm/addr.h"
#include "chain/evm/tx.h"
#include "chain/solana/addr.h"
#include "core/hash.h"
#include "core/log.h"
#include "keys/ed25519.h"
#include "keys/seal.h"
#include "keys/sign.h"

/* --- What may be signed --- */

enum {
    CALL_APPROVE = 0x095ea7b3,
    CALL_TRANSFER = 0xa9059cbb,
    CALL_TRANSFER_FROM = 0x23b872dd,
    CALL_INCREASE_ALLOWANCE = 0x39509351,
};
/* Too large for an enumerator: permit of ERC-2612, and DAI's own form. */
#define CALL_PERMIT     0xd505accfu
#define CALL_PERMIT_DAI 0x8fcbaf0cu

/* A swap needs a bounded approval of its own; whoever asks for the unlimited one wants the wallet. */
static bool approval_bounded(const uint8_t *args, size_t n)
{
    static const struct u256 unlimited = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
    struct evm_addr spender;
    struct u256 amount;

    return n == 2 * ABI_WORD && abi_get_addr(&spender, args, n, 0) && abi_get_u256(&amount, args, n, 1) &&
           u256_cmp(amount, unlimited) != 0;
}

/* Tokens leave a wallet by trading only, never by being handed to somebody. */
static bool call_allowed(const uint8_t *data, size_t n)
{
    uint32_t selector;

    if (n < ABI_SELECTOR)
        return true;
    selector = (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
    switch (selector) {
    case CALL_TRANSFER:
    case CALL_TRANSFER_FROM:
    case CALL_INCREASE_ALLOWANCE:
    case CALL_PERMIT:
    case CALL_PERMIT_DAI:
        return false;
    case CALL_APPROVE:
        return approval_bounded(data + ABI_SELECTOR, n - ABI_SELECTOR);
    default:
        return true;
    }
}

static bool tx_allowed(const struct evm_tx *tx)
{
    return !tx->create && tx->chain_id != 0 && tx->access_list_len == 0 &&
           call_allowed(tx->data, tx->data_len);
}

/* --- One request, one answer --- */

static bool evm_address(char out[static WALLET_ADDR_MAX], const struct secret *key)
{
    uint8_t pubkey[EVM_PUBKEY_LEN];

    if (!sign_secp256k1_pubkey(pubkey, key))
        return false;
    evm_addr_text(out, evm_addr_of_pubkey(pubkey));
    return true;
}

static bool solana_address(char out[static WALLET_ADDR_MAX], const struct secret *seed)
{
    struct solana_addr a;

    if (!ed25519_pubkey(a.bytes, seed))
        return false;
    solana_addr_text(out, &a);
    return true;
}

static bool address_of(char out[static WALLET_ADDR_MAX], enum wallet_kind kind, const struct secret *key)
{
    switch (kind) {
    case WALLET_EVM:
        return evm_address(out, key);
    case WALLET_SOLANA:
        return solana_address(out, key);
    }
    return false;
}

static enum signer_status create(struct signer_answer *out, const struct keyring *k, struct wallet_ref *w)
{
    struct secret *key = secret_random();
    bool ok = key != NULL && address_of(w->address, w->kind, key) && seal_key(out->sealed, k, w, key);

    secret_free(key);
    if (!ok)
        return SIGNER_FAILED;
    memcpy(out->address, w->address, sizeof out->address);
    return SIGNER_OK;
}

static enum signer_status sign_with(uint8_t sig[static 65], const struct secret *key,
                                    const struct signer_request *rq)
{
    char own[WALLET_ADDR_MAX];
    uint8_t digest[HASH_LEN];

    if (!evm_address(own, key))
        return SIGNER_FAILED;
    if (strcmp(own, rq->wallet.address) != 0)
        return SIGNER_REFUSED;
    keccak256(digest, rq->payload, rq->payload_len);
    return sign_secp256k1(sig, digest, key) ? SIGNER_OK : SIGNER_FAILED;
}

static enum signer_status sign_evm(uint8_t sig[static 65], const struct keyring *k,
                                   const struct signer_request *rq)
{
    struct evm_tx tx;
    struct secret *key;
    enum signer_status status;

    if (!evm_tx_decode_unsigned(&tx, rq->payload, rq->payload_len))
        return SIGNER_BAD_MESSAGE;
    if (rq->wallet.kind != WALLET_EVM || !tx_allowed(&tx))
        return SIGNER_REFUSED;
    key = seal_open(rq->sealed, k, &rq->wallet);
    if (key == NULL)
        return SIGNER_REFUSED;
    status = sign_with(sig, key, rq);
    secret_free(key);
    return status;
}

static enum signer_status decide(struct signer_answer *out, const struct keyring *k,
                                 struct signer_request *rq)
{
    switch (rq->op) {
    case SIGNER_PING:
        return SIGNER_OK;
    case SIGNER_CREATE:
        return create(out, k, &rq->wallet);
    case SIGNER_EVM:
        return sign_evm(out->sig, k, rq);
    }
    return SIGNER_BAD_MESSAGE;
}

void signer_answer_to(struct signer_answer *out, const struct keyring *k, const uint8_t *packet, size_t len)
{
    struct signer_request rq;

    memset(out, 0, sizeof *out);
    out->status = signer_request_read(&rq, packet, len) ? decide(out, k, &rq) : SIGNER_BAD_MESSAGE;
}

/* --- Many clients --- */

enum { MAX_CLIENTS = 512, LISTENER = MAX_CLIENTS, SIGNALS, MAX_EVENTS = 64, MAX_ANSWER = 512 };

struct client {
    int fd; /* -1: a free place */
    pid_t pid;
};

struct server {
    const struct keyring *keyring;
    const unsigned *uids;
    size_t nuids;
    int listen_fd, signal_fd, epoll_fd;
    uint8_t *packet; /* SIGNER_MAX_MESSAGE bytes */
    struct buf answer;
    struct client clients[MAX_CLIENTS];
};

static bool watch(const struct server *s, int fd, uint32_t place)
{
    struct epoll_event ev = { .events = EPOLLIN, .data = { .u32 = place } };

    return epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, fd, &ev) == 0;
}

static void drop(struct client *c)
{
    close(c->fd); /* which also ends its watching */
    c->fd = -1;
}

static bool peer_allowed(const struct server *s, int fd, pid_t *pid)
{
    struct ucred peer;
    socklen_t n = sizeof peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) != 0)
        return false;
    *pid = peer.pid;
    for (size_t i = 0; i < s->nuids; i++) {
        if (s->uids[i] == peer.uid)
            return true;
    }
    log_warn("refused a client uid=%u pid=%d", peer.uid, (int)peer.pid);
    return false;
}

static bool admit(struct server *s, int fd)
{
    pid_t pid = 0;

    if (!peer_allowed(s, fd, &pid))
        return false;
    for (uint32_t i = 0; i < MAX_CLIENTS; i++) {
        if (s->clients[i].fd >= 0)
            continue;
        if (!watch(s, fd, i))
            return false;
        s->clients[i] = (struct client){ .fd = fd, .pid = pid };
        return true;
    }
    log_warn("refused a client: %d are connected pid=%d", MAX_CLIENTS, (int)pid);
    return false;
}

static void accept_one(struct server *s)
{
    int fd = accept4(s->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd >= 0 && !admit(s, fd))
        close(fd);
    if (fd >= 0 || (errno != EMFILE && errno != ENFILE && errno != ENOMEM))
        return;
    log_error("accept: %s", strerror(errno));
    usleep(10000); /* the connection stays in the queue and would be reported again at once */
}

static bool reply(struct server *s, const struct client *c, const struct signer_answer *an)
{
    if (an->status != SIGNER_OK)
        log_warn("not done status=%d pid=%d", (int)an->status, (int)c->pid);
    buf_reset(&s->answer);
    signer_answer_write(&s->answer, an);
    return send(c->fd, s->answer.data, s->answer.len, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

/* One message per turn, so that a client with many does not keep the others waiting. One that does not take
 * its answers is dropped. */
static void serve_one(struct server *s, struct client *c)
{
    struct signer_answer an = { .status = SIGNER_BAD_MESSAGE };
    ssize_t n;

    if (c->fd < 0)
        return; /* its place was given up earlier in this round */
    n = recv(c->fd, s->packet, SIGNER_MAX_MESSAGE, MSG_DONTWAIT | MSG_TRUNC);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        drop(c);
        return;
    }
    if (n <= SIGNER_MAX_MESSAGE)
        signer_answer_to(&an, s->keyring, s->packet, (size_t)n);
    if (!reply(s, c, &an))
        drop(c);
}

/* Takes the signal, which would otherwise strike once it is let through again. */
static bool asked_to_end(const struct server *s)
{
    struct signalfd_siginfo info;

    return read(s->signal_fd, &info, sizeof info) == sizeof info;
}

/* False when it is time to end. */
static bool turn(struct server *s)
{
    struct epoll_event events[MAX_EVENTS];
    int n = epoll_wait(s->epoll_fd, events, MAX_EVENTS, -1);

    if (n < 0)
        return errno == EINTR;
    for (int i = 0; i < n; i++) {
        uint32_t place = events[i].data.u32;

        if (place == SIGNALS)
            return !asked_to_end(s);
        if (place == LISTENER)
            accept_one(s);
        else
            serve_one(s, &s->clients[place]);
    }
    return true;
}

static bool open_server(struct server *s, const sigset_t *signals)
{
    int flags = fcntl(s->listen_fd, F_GETFL);

    for (size_t i = 0; i < MAX_CLIENTS; i++)
        s->clients[i].fd = -1;
    s->packet = malloc(SIGNER_MAX_MESSAGE);
    s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    s->signal_fd = signalfd(-1, signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (s->packet == NULL || s->epoll_fd < 0 || s->signal_fd < 0)
        return false;
    /* A client may be gone between its report and accept(). */
    if (flags < 0 || fcntl(s->listen_fd, F_SETFL, flags | O_NONBLOCK) != 0)
        return false;
    return watch(s, s->listen_fd, LISTENER) && watch(s, s->signal_fd, SIGNALS);
}

static void close_server(struct server *s)
{
    for (size_t i = 0; i < MAX_CLIENTS; i++) {
        if (s->clients[i].fd >= 0)
            drop(&s->clients[i]);
    }
    if (s->signal_fd >= 0)
        close(s->signal_fd);
    if (s->epoll_fd >= 0)
        close(s->epoll_fd);
    free(s->packet);
    buf_free(&s->answer);
    free(s);
}

int signer_serve(int listen_fd, const struct keyring *k, const unsigned *uids, size_t nuids)
{
    struct server *s = calloc(1, sizeof *s);
    sigset_t signals, before;
    bool ok;

    if (s == NULL)
        return -1;
    *s = (struct server){
        .keyring = k, .uids = uids, .nuids = nuids, .listen_fd = listen_fd, .answer = BUF_INIT(MAX_ANSWER)
    };
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, &before);
    ok = open_server(s, &signals);
    if (!ok)
        log_error("the signer cannot serve: %s", strerror(errno));
    while (ok && turn(s))
        ;
    close_server(s);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok ? 0 : -1;
}
