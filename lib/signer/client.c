#include "signer/client.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/metrics.h"

struct signer {
    struct sockaddr_un addr;
    int fd;      /* -1: not connected */
    pid_t owner; /* the process that connected */
    bool limited;
    enum signer_rule rule; /* of the last request */
};

struct signer *signer_new(const char *socket_path)
{
    struct signer *s = calloc(1, sizeof *s);
    size_t n = strlen(socket_path);

    if (s == NULL || n >= sizeof s->addr.sun_path) {
        free(s);
        return NULL;
    }
    s->addr.sun_family = AF_UNIX;
    memcpy(s->addr.sun_path, socket_path, n + 1);
    s->fd = -1;
    return s;
}

static void disconnect(struct signer *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

void signer_free(struct signer *s)
{
    if (s == NULL)
        return;
    disconnect(s);
    free(s);
}

/* A Unix socket whose queue is full returns EAGAIN, and poll() does not say when there is room. */
static bool connect_by(struct signer *s, int64_t deadline)
{
    s->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s->fd < 0)
        return false;
    while (connect(s->fd, (const struct sockaddr *)&s->addr, sizeof s->addr) != 0) {
        if ((errno != EAGAIN && errno != EINTR) || clock_mono_ms() >= deadline) {
            disconnect(s);
            return false;
        }
        usleep(1000);
    }
    s->owner = getpid();
    return true;
}

enum step { STEP_DONE, STEP_CLOSED, STEP_LATE };

static enum step socket_wait(const struct signer *s, short events, int64_t deadline)
{
    struct pollfd p = { .fd = s->fd, .events = events };

    for (;;) {
        int64_t left = deadline - clock_mono_ms();
        int n = poll(&p, 1, left > 0 ? (int)left : 0);

        if (n > 0)
            return STEP_DONE;
        if (n == 0)
            return STEP_LATE;
        if (errno != EINTR)
            return STEP_CLOSED;
    }
}

static enum step send_by(const struct signer *s, const struct buf *request, int64_t deadline)
{
    for (;;) {
        enum step step;

        if (send(s->fd, request->data, request->len, MSG_NOSIGNAL) >= 0)
            return STEP_DONE;
        if (errno != EAGAIN && errno != EINTR)
            return STEP_CLOSED;
        step = socket_wait(s, POLLOUT, deadline);
        if (step != STEP_DONE)
            return step;
    }
}

static enum step receive_by(const struct signer *s, uint8_t answer[static SIGNER_MAX_ANSWER], size_t *n,
                            int64_t deadline)
{
    for (;;) {
        enum step step = socket_wait(s, POLLIN, deadline);
        ssize_t got;

        if (step != STEP_DONE)
            return step;
        got = recv(s->fd, answer, SIGNER_MAX_ANSWER, MSG_TRUNC);
        if (got > 0) {
            *n = (size_t)got;
            return STEP_DONE;
        }
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            return STEP_CLOSED;
    }
}

/* A connection inherited through fork() is the parent's: two processes on it would get each other's answers.
 */
static bool ensure_connected(struct signer *s, int64_t deadline)
{
    if (s->fd >= 0 && s->owner != getpid())
        disconnect(s);
    return s->fd >= 0 || connect_by(s, deadline);
}

static enum step send_and_receive(struct signer *s, const struct buf *request,
                                  uint8_t answer[static SIGNER_MAX_ANSWER], size_t *n, int64_t deadline)
{
    enum step step = send_by(s, request, deadline);

    return step == STEP_DONE ? receive_by(s, answer, n, deadline) : step;
}

/* The signer may have been restarted since the last call, which shows as a closed connection: then once more.
 * Asking twice does no harm: what is signed for one nonce counts once. A late answer must not meet the next
 * request, so a connection is kept only after its answer has come. */
static enum signer_status exchange_packets(struct signer *s, const struct buf *request, int64_t deadline,
                                           struct signer_answer *an)
{
    uint8_t answer[SIGNER_MAX_ANSWER];
    size_t n = 0;

    for (int i = 0; i < 2; i++) {
        enum step step;

        if (!ensure_connected(s, deadline))
            return SIGNER_AWAY;
        step = send_and_receive(s, request, answer, &n, deadline);
        if (step == STEP_DONE && n <= sizeof answer && signer_answer_read(an, answer, n))
            return an->status;
        disconnect(s);
        if (step == STEP_DONE)
            return SIGNER_FAILED; /* no answer of a signer */
        if (step == STEP_LATE)
            return SIGNER_AWAY;
    }
    return SIGNER_AWAY;
}

/* A signature waits for no disk, unless it approves a key. */
static int deadline_ms(const struct signer_request *rq)
{
    switch (rq->op) {
    case SIGNER_CREATE:
    case SIGNER_ALLOW_ADDRESS:
    case SIGNER_REMOVE_ADDRESS:
        return SIGNER_KEEP_MS;
    case SIGNER_SIGN_ACTION:
        return rq->has_far_wallet ? SIGNER_KEEP_MS : SIGNER_DEADLINE_MS;
    case SIGNER_PING:
    case SIGNER_SIGN:
    case SIGNER_SIGN_TRANSFER:
    case SIGNER_SIGN_MESSAGE:
    case SIGNER_SIGN_WITHDRAWAL:
        break;
    }
    return SIGNER_DEADLINE_MS;
}

static enum signer_status signer_ask(struct signer *s, const struct signer_request *rq,
                                     struct signer_answer *an)
{
    struct buf request = BUF_INIT(SIGNER_MAX_MESSAGE);
    int within_ms = deadline_ms(rq);
    enum signer_status status = SIGNER_BAD_MESSAGE;

    memset(an, 0, sizeof *an);
    signer_request_write(&request, rq);
    if (!request.overflow)
        status = exchange_packets(s, &request, clock_mono_ms() + within_ms, an);
    if (status != SIGNER_AWAY)
        log_incident_over("signer_no_answer", "");
    else if (rq->op != SIGNER_PING)
        log_incident("signer_no_answer", "", "msg=\"the signer did not answer in time\" ms=%d", within_ms);
    s->limited = status == SIGNER_LIMITED;
    s->rule = status == SIGNER_OK ? RULE_NONE : an->rule;
    buf_free(&request);
    return status;
}

enum signer_status signer_ping(struct signer *s, unsigned *standing)
{
    struct signer_request rq = { .op = SIGNER_PING };
    struct signer_answer an;
    enum signer_status status = signer_ask(s, &rq, &an);

    if (standing != NULL)
        *standing = an.standing;
    return status;
}

enum signer_status signer_create(struct signer *s, struct wallet_ref *w, uint8_t sealed[static SEALED_LEN])
{
    struct signer_request rq = { .op = SIGNER_CREATE, .wallet = *w };
    struct signer_answer an;
    enum signer_status status = signer_ask(s, &rq, &an);

    if (status != SIGNER_OK)
        return status;
    memcpy(w->address, an.address, sizeof w->address);
    memcpy(sealed, an.sealed, sizeof an.sealed);
    return SIGNER_OK;
}

static void signature_count(enum signer_status status, enum signer_rule rule)
{
    if (status == SIGNER_OK)
        metric_add(METRIC("signatures_total"), 1);
    else
        metric_add(METRIC("signer_refusals_total", status == SIGNER_AWAY ? "away" : signer_rule_text(rule)),
                   1);
}

enum signer_status signer_sign(struct signer *s, const struct signer_request *rq, struct signature *sig)
{
    struct signer_answer an;
    enum signer_status status = signer_ask(s, rq, &an);

    signature_count(status, an.rule);
    if (status == SIGNER_OK)
        *sig = an.sig;
    return status;
}

enum signer_status signer_allow_address(struct signer *s, const struct allowlist_address *p,
                                        const uint8_t *operator_mac, struct address_record *out,
                                        uint64_t *wait_s)
{
    struct signer_request rq = { .op = SIGNER_ALLOW_ADDRESS,
                                 .payee = *p,
                                 .has_operator_mac = operator_mac != NULL };
    struct signer_answer an;
    enum signer_status status;

    if (operator_mac != NULL)
        memcpy(rq.operator_mac, operator_mac, sizeof rq.operator_mac);
    status = signer_ask(s, &rq, &an);
    if (status == SIGNER_OK && an.record.len == 0)
        return SIGNER_FAILED; /* no answer to this */
    *out = an.record;
    *wait_s = an.wait_s;
    return status;
}

enum signer_status signer_remove_address(struct signer *s, const struct allowlist_address *p,
                                         const struct address_record *r)
{
    struct signer_request rq = {
        .op = SIGNER_REMOVE_ADDRESS, .payee = *p, .record = r->bytes, .record_len = r->len
    };
    struct signer_answer an;

    return signer_ask(s, &rq, &an);
}

bool signer_limited(const struct signer *s)
{
    return s->limited;
}

enum signer_rule signer_rule(const struct signer *s)
{
    return s->rule;
}
