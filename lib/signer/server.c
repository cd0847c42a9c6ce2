#include "signer/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "chain/evm/addr.h"
#include "chain/evm/tx.h"
#include "chain/solana/addr.h"
#include "codec/hash.h"
#include "codec/hex.h"
#include "keys/ed25519.h"
#include "keys/operator_mac.h"
#include "keys/seal.h"
#include "keys/sign.h"
#include "signer/kill_switch.h"
#include "signer/rules.h"

/* --- One transaction on its way to a signature --- */

struct job {
    const struct signer_state *state;
    const struct signer_request *rq;
    struct evm_tx tx;
    char wallet[EVM_ADDR_TEXT_LEN + 1]; /* "": it is none */
    bool read;                          /* whether tx and act are filled */
    struct act act;
    const struct limit *coin, *token; /* NULL: not limited */
    uint8_t digest[HASH_LEN];
    const char *why; /* not signed; NULL: it was */
};

static enum signer_status refuse(struct job *j, enum signer_status status, const char *why)
{
    j->why = why;
    return status;
}

/* --- The audit file. No text of the asker gets there that was not read as what it says --- */

static void add_begin(struct buf *b)
{
    char when[ISO8601_LEN + 1];

    clock_iso8601(when, clock_ms());
    buf_addf(b, "\"time\":\"%s\"", when);
}

static void add_text(struct buf *b, const char *name, const char *text)
{
    buf_addf(b, ",\"%s\":\"%s\"", name, text);
}

static void add_amount(struct buf *b, const char *name, struct u256 v)
{
    char text[U256_DECIMAL_LEN + 1];

    u256_decimal(text, v);
    add_text(b, name, text);
}

static void add_act(struct buf *b, const struct act *act)
{
    buf_addf(b, ",\"chain\":%llu,\"nonce\":%llu", (unsigned long long)act->chain_id,
             (unsigned long long)act->nonce);
    add_text(b, "to", act->to);
    if (act->has_selector)
        buf_addf(b, ",\"selector\":\"0x%08x\"", act->selector);
    add_amount(b, "value", act->trade.value);
    add_amount(b, "native", act->native);
    if (!act->has_token)
        return;
    add_text(b, "token", act->trade.sell);
    add_amount(b, "amount", act->trade.amount);
}

static bool record(const struct signer_state *d, struct buf *b)
{
    bool ok = !b->overflow && audit_log_add(d->audit_log, buf_text(b));

    buf_free(b);
    if (!ok)
        log_error("msg=\"the audit file cannot be written\" reason=\"%s\"", strerror(errno));
    return ok;
}

static bool record_creation(const struct signer_state *d, const struct wallet_ref *w)
{
    struct buf b = BUF_INIT(AUDIT_CHAIN_LINE_MAX);

    if (d->audit_log == NULL)
        return true;
    add_begin(&b);
    buf_addf(&b, ",\"wallet\":\"%s\",\"decision\":\"created\"", w->address);
    return record(d, &b);
}

static bool record_decision(const struct job *j)
{
    struct buf b = BUF_INIT(AUDIT_CHAIN_LINE_MAX);
    char digest[2 * HASH_LEN + 1];

    if (j->state->audit_log == NULL)
        return true;
    add_begin(&b);
    if (j->wallet[0] != '\0')
        add_text(&b, "wallet", j->wallet);
    if (j->read)
        add_act(&b, &j->act);
    hex_encode(digest, j->digest, HASH_LEN);
    buf_addf(&b, ",\"digest\":\"0x%s\",\"decision\":\"%s\"", digest, j->why == NULL ? "signed" : "refused");
    if (j->rq->op == SIGNER_SWEEP)
        buf_adds(&b, ",\"order\":\"sweep\"");
    if (j->why != NULL)
        buf_addf(&b, ",\"reason\":\"%s\"", j->why);
    return record(j->state, &b);
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

static enum signer_status create(struct signer_answer *out, const struct signer_state *d,
                                 struct wallet_ref *w)
{
    struct secret *key = secret_random();
    bool ok =
        key != NULL && address_of(w->address, w->kind, key) && seal_key(out->sealed, d->keyring, w, key);

    secret_free(key);
    if (!ok || !record_creation(d, w))
        return SIGNER_FAILED;
    memcpy(out->address, w->address, sizeof out->address);
    return SIGNER_OK;
}

/* Over the coin's limit or the token's, of one transaction. */
static bool over_tx_max(const struct limit *l, struct u256 amount)
{
    return l != NULL && l->per_tx && u256_cmp(amount, l->tx_max) > 0;
}

static enum signer_status check_limits(struct job *j)
{
    const struct limits *l = j->state->limits;
    const struct act *act = &j->act;

    j->coin = limits_find(l, act->chain_id, TRADE_COIN);
    j->token = act->has_token ? limits_find(l, act->chain_id, act->trade.sell) : NULL;
    if (j->state->kill_switch >= 0 && kill_switch_is_set(j->state->kill_switch))
        return refuse(j, SIGNER_LIMITED, "stopped by the operator");
    if (!limits_allow_chain(l, act->chain_id))
        return refuse(j, SIGNER_LIMITED, "chain is not served");
    if (over_tx_max(j->coin, act->native) || over_tx_max(j->token, act->trade.amount))
        return refuse(j, SIGNER_LIMITED, "over the limit of a transaction");
    return SIGNER_OK;
}

/* A nonce is used up once, whatever was signed for it. */
static void use_of(uint8_t out[static HASH_LEN], const struct job *j)
{
    struct buf text = BUF_INIT(128);

    buf_addf(&text, "%s %llu %llu", j->wallet, (unsigned long long)j->act.chain_id,
             (unsigned long long)j->act.nonce);
    sha256(out, text.data, text.len);
    buf_free(&text);
}

/* Tokens leave a wallet by an allowance alone, so a token's day is counted there. Both sums have room, or
 * neither counts. */
static enum signer_status count_day(struct job *j)
{
    struct ledger *g = j->state->ledger;
    struct ledger_entry e[2];
    int64_t now = clock_seconds();
    size_t n = 0;

    if (j->coin != NULL && j->coin->per_day)
        e[n++] = (struct ledger_entry){ .limit = j->coin, .amount = j->act.native };
    if (j->token != NULL && j->token->per_day && j->act.trade.act == TRADE_ALLOWANCE)
        e[n++] = (struct ledger_entry){ .limit = j->token, .amount = j->act.trade.amount };
    for (size_t i = 0; i < n; i++) {
        use_of(e[i].use, j);
        if (g == NULL || !ledger_has_room(g, &e[i], now))
            return refuse(j, SIGNER_LIMITED, "over the limit of a day");
    }
    for (size_t i = 0; i < n; i++) {
        if (!ledger_count(g, &e[i], now))
            return refuse(j, SIGNER_FAILED, "ledger cannot be written");
    }
    return SIGNER_OK;
}

static enum signer_status sign_with(uint8_t sig[static 65], struct job *j, const struct secret *key)
{
    char own[WALLET_ADDR_MAX];
    enum signer_status status;

    if (!evm_address(own, key))
        return refuse(j, SIGNER_FAILED, "key is none");
    if (strcmp(own, j->rq->wallet.address) != 0)
        return refuse(j, SIGNER_REFUSED, "key of another address");
    status = count_day(j);
    if (status == SIGNER_OK && !sign_secp256k1(sig, j->digest, key))
        return refuse(j, SIGNER_FAILED, "not signed");
    return status;
}

static enum signer_status open_and_sign(uint8_t sig[static 65], struct job *j)
{
    struct secret *key = seal_open(j->rq->sealed, j->state->keyring, &j->rq->wallet);
    enum signer_status status;

    if (key == NULL)
        return refuse(j, SIGNER_REFUSED, "sealed key is not this wallet's");
    status = sign_with(sig, j, key);
    secret_free(key);
    return status;
}

/* The operator's MAC stands above his limits, but not above his kill switch. */
static enum signer_status examine_sweep(struct job *j)
{
    const struct signer_request *rq = j->rq;
    const char *why;

    if (j->state->operator_key == NULL || !operator_mac_verify(rq->operator_mac, j->state->operator_key,
                                                               &rq->wallet, rq->payload, rq->payload_len))
        return refuse(j, SIGNER_REFUSED, "no MAC of the operator");
    why = rules_check_evm_sweep(&j->act, &j->tx, j->wallet);
    if (why != NULL)
        return refuse(j, SIGNER_REFUSED, why);
    if (j->state->kill_switch >= 0 && kill_switch_is_set(j->state->kill_switch))
        return refuse(j, SIGNER_LIMITED, "stopped by the operator");
    return SIGNER_OK;
}

static enum signer_status examine(struct job *j)
{
    struct evm_addr wallet;
    const char *why;

    if (j->rq->wallet.kind != WALLET_EVM || !evm_addr_parse(&wallet, j->rq->wallet.address))
        return refuse(j, SIGNER_REFUSED, "no wallet of this kind");
    evm_addr_text(j->wallet, wallet);
    j->read = evm_tx_decode_unsigned(&j->tx, j->rq->payload, j->rq->payload_len);
    if (!j->read)
        return refuse(j, SIGNER_BAD_MESSAGE, "not a transaction");
    if (j->rq->op == SIGNER_SWEEP)
        return examine_sweep(j);
    why = rules_check_evm(&j->act, &j->tx, j->wallet);
    return why == NULL ? check_limits(j) : refuse(j, SIGNER_REFUSED, why);
}

static enum signer_status sign_evm(uint8_t sig[static 65], const struct signer_state *d,
                                   const struct signer_request *rq)
{
    struct job j = { .state = d, .rq = rq, .why = NULL };
    enum signer_status status = examine(&j);

    keccak256(j.digest, rq->payload, rq->payload_len);
    if (status == SIGNER_OK)
        status = open_and_sign(sig, &j);
    if (record_decision(&j))
        return status;
    memset(sig, 0, 65);
    return SIGNER_FAILED;
}

static uint8_t standing(const struct signer_state *d)
{
    return (uint8_t)((d->locked ? SIGNER_LOCKED : 0) |
                     (d->kill_switch >= 0 && kill_switch_is_set(d->kill_switch) ? SIGNER_STOPPED : 0));
}

static enum signer_status decide(struct signer_answer *out, const struct signer_state *d,
                                 struct signer_request *rq)
{
    switch (rq->op) {
    case SIGNER_PING:
        out->standing = standing(d);
        return SIGNER_OK;
    case SIGNER_CREATE:
        return create(out, d, &rq->wallet);
    case SIGNER_EVM:
    case SIGNER_SWEEP:
        return sign_evm(out->sig, d, rq);
    }
    return SIGNER_BAD_MESSAGE;
}

void signer_answer_to(struct signer_answer *out, const struct signer_state *d, const uint8_t *packet,
                      size_t len)
{
    struct signer_request rq;

    memset(out, 0, sizeof *out);
    out->status = signer_request_read(&rq, packet, len) ? decide(out, d, &rq) : SIGNER_BAD_MESSAGE;
}

/* --- Many clients --- */

enum { MAX_CLIENTS = 512, MAX_OF_ONE = 16, LISTENER = MAX_CLIENTS, SIGNALS, MAX_EVENTS = 64 };

struct client {
    int fd; /* -1: a free place */
    struct ucred peer;
};

struct server {
    const struct signer_state *state;
    const unsigned *uids;
    size_t nuids;
    unsigned own_uid;
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

static bool peer_allowed(const struct server *s, int fd, struct ucred *peer)
{
    socklen_t n = sizeof *peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &n) != 0)
        return false;
    for (size_t i = 0; i < s->nuids; i++) {
        if (s->uids[i] == peer->uid)
            return true;
    }
    log_warn("refused a client uid=%u pid=%d", peer->uid, (int)peer->pid);
    return false;
}

/* A process needs one connection; one that takes many keeps others from theirs. */
static bool is_greedy(const struct server *s, pid_t pid)
{
    size_t n = 0;

    for (size_t i = 0; i < MAX_CLIENTS; i++)
        n += s->clients[i].fd >= 0 && s->clients[i].peer.pid == pid;
    return n >= MAX_OF_ONE;
}

static bool admit(struct server *s, int fd)
{
    struct ucred peer;

    if (!peer_allowed(s, fd, &peer) || is_greedy(s, peer.pid))
        return false;
    for (uint32_t i = 0; i < MAX_CLIENTS; i++) {
        if (s->clients[i].fd >= 0)
            continue;
        if (!watch(s, fd, i))
            return false;
        s->clients[i] = (struct client){ .fd = fd, .peer = peer };
        return true;
    }
    log_warn("refused a client: %d are connected pid=%d", MAX_CLIENTS, (int)peer.pid);
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
        log_warn("not done status=%d pid=%d", (int)an->status, (int)c->peer.pid);
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
        signer_answer_to(&an, s->state, s->packet, (size_t)n);
    if (c->peer.uid != 0 && c->peer.uid != s->own_uid)
        an.standing |= SIGNER_APART;
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

int signer_serve(int listen_fd, const struct signer_state *d, const unsigned *uids, size_t nuids,
                 bool (*shut_in)(void))
{
    struct server *s = calloc(1, sizeof *s);
    sigset_t signals, before;
    bool ok;

    if (s == NULL)
        return -1;
    *s = (struct server){ .state = d,
                          .uids = uids,
                          .nuids = nuids,
                          .own_uid = geteuid(),
                          .listen_fd = listen_fd,
                          .answer = BUF_INIT(SIGNER_MAX_ANSWER) };
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, &before);
    ok = open_server(s, &signals) && (shut_in == NULL || shut_in());
    if (!ok)
        log_error("the signer cannot serve: %s", strerror(errno));
    while (ok && turn(s))
        ;
    close_server(s);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok ? 0 : -1;
}
