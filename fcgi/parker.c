#include "parker.h"

#include <errno.h>
#include <fastcgi.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/incident.h"
#include "base/log.h"
#include "child.h"
#include "parking.h"
#include "records.h"
#include "service/conf.h"
#include "signals.h"
#include "store/db.h"
#include "store/executions.h"

enum {
    LOOK_MS = 200,
    TELL_MS = 2000,     /* from one event of a stream to the next */
    ASKED_AT_ONCE = 4,  /* by far fewer than the workers that never wait could answer in a moment */
    ASK_MS = 10 * 1000, /* until a worker has answered */
    SEND_MS = 5 * 1000, /* until the web server has taken the answer */
    LATE_MS = 5 * 1000, /* that a call may wait for its turn; then it gets the answer as it was */
    ANSWER_MAX = 1024 * 1024,
    DATABASE_S = 2, /* longer than it takes to answer, and short enough for those whose time is over */
    EVENTS = 64,
};

enum state {
    WAITS, /* for the execution or its time */
    DUE,   /* until it can be asked */
    ASKS,  /* a worker */
    SENDS, /* to the web server */
};

struct held {
    struct parked_call call;
    unsigned place;
    enum state state;
    int worker;        /* the connection to it, or -1 */
    size_t asked;      /* bytes of the request that it has */
    struct buf answer; /* that it has given */
    const uint8_t *sending;
    size_t sending_len, sent;
    int64_t end_ms;            /* of the state */
    int64_t since_ms, tell_ms; /* since when it is held; when the client is told next */
};

struct parker {
    struct db *db;
    struct parking *parking;
    struct sockaddr_un workers;
    int epoll_fd;
    struct scoreboard *scoreboard;
    struct held *held[PARKED_MAX]; /* by place */
    unsigned room, count, asking;  /* places that can be used; calls that are held; those that ask */
    int64_t look_ms;               /* when the next one is due */
    pid_t parent;
    bool stopping, shut;
};

/* What an event is about: the place, and which of its two connections; DOOR: a call was handed over. */
enum { OF_WORKER = 1, PLACE_BITS = 1 };
static const uint64_t DOOR = UINT64_MAX;

/* ---- connections ---- */

static void watch(const struct parker *p, int op, int fd, uint32_t events, uint64_t about)
{
    struct epoll_event e = { .events = events, .data.u64 = about };

    (void)epoll_ctl(p->epoll_fd, op, fd, &e);
}

static uint64_t about(const struct held *h, unsigned which)
{
    return (uint64_t)h->place << PLACE_BITS | which;
}

static void worker_leave(struct parker *p, struct held *h)
{
    if (h->worker < 0)
        return;
    (void)close(h->worker);
    h->worker = -1;
    p->asking--;
}

static void held_end(struct parker *p, struct held *h)
{
    worker_leave(p, h);
    /* The worker that handed it over may have it open still, and its events would be those of the next one in
     * the place. */
    watch(p, EPOLL_CTL_DEL, h->call.fd, 0, 0);
    (void)close(h->call.fd);
    p->held[h->place] = NULL;
    p->count--;
    buf_free(&h->answer);
    parked_call_free(&h->call);
    free(h);
}

/* ---- to the web server ---- */

static void answer_go_on(struct parker *p, struct held *h)
{
    ssize_t n;

    while (h->sent < h->sending_len) {
        n = send(h->call.fd, h->sending + h->sent, h->sending_len - h->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) {
            watch(p, EPOLL_CTL_MOD, h->call.fd, EPOLLOUT | EPOLLRDHUP, about(h, 0));
            return;
        }
        if (n < 0)
            break;
        h->sent += (size_t)n;
    }
    held_end(p, h);
}

static void answer_send(struct parker *p, struct held *h, const void *bytes, size_t n)
{
    h->state = SENDS;
    h->end_ms = clock_mono_ms() + SEND_MS;
    h->sending = bytes;
    h->sending_len = n;
    answer_go_on(p, h);
}

/* ---- streams ---- */

/* Without a wait: a client that does not read so little has left. */
static bool stream_write(struct held *h, const void *bytes, size_t n)
{
    return send(h->call.fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)n;
}

/* Of the request's records. */
static unsigned number_of(const struct held *h)
{
    const FCGI_Header *first = (const FCGI_Header *)h->call.again;

    return (unsigned)first->requestIdB1 << 8 | first->requestIdB0;
}

/* Tells the client how long it has waited. */
static bool stream_tell(struct held *h, int64_t now)
{
    struct buf event = BUF_INIT(PARKED_TEXTS_MAX), record = event;
    bool ok;

    h->tell_ms = now + TELL_MS;
    buf_add(&event, h->call.progress, h->call.progress_len);
    buf_addf(&event, "%lld.%lld}}\n\n", (long long)(now - h->since_ms) / 1000,
             (long long)(now - h->since_ms) % 1000 / 100);
    records_add(&record, number_of(h), FCGI_STDOUT, buf_text(&event), event.len);
    ok = stream_write(h, buf_text(&record), record.len);
    buf_free(&event);
    buf_free(&record);
    return ok;
}

static bool stream_begin(struct held *h)
{
    return h->call.head_len == 0 ||
           (stream_write(h, h->call.head, h->call.head_len) && stream_tell(h, h->since_ms));
}

static void streams_tell(struct parker *p, int64_t now)
{
    for (unsigned i = 0; i < PARKED_MAX; i++) {
        struct held *h = p->held[i];

        if (h != NULL && h->state == WAITS && h->call.head_len > 0 && now >= h->tell_ms &&
            !stream_tell(h, now))
            held_end(p, h);
    }
}

/* The answer as it was: the execution was under way then. */
static void answer_send_as_it_was(struct parker *p, struct held *h)
{
    worker_leave(p, h);
    answer_send(p, h, h->call.now, h->call.now_len);
}

/* ---- to a worker ---- */

/* Whether the worker gave an answer of success, or the event that is one, whole. It closes the connection
 * behind it. */
static bool answer_is_sound(const struct held *h)
{
    const struct buf *b = &h->answer;
    const char *text = buf_text(b), *success = h->call.head_len > 0 ? "event: message" : "Status: 2";
    size_t end = sizeof(FCGI_EndRequestRecord), head = sizeof(FCGI_Header), n = strlen(success);

    return !b->overflow && b->len > head + n + end && memcmp(text + head, success, n) == 0 &&
           (unsigned char)text[b->len - end + offsetof(FCGI_Header, type)] == FCGI_END_REQUEST;
}

/* When it was refused, perhaps since the key was renewed meanwhile, the client learns what it began all the
 * same. */
static void worker_has_answered(struct parker *p, struct held *h)
{
    worker_leave(p, h);
    if (answer_is_sound(h))
        answer_send(p, h, buf_text(&h->answer), h->answer.len);
    else
        answer_send_as_it_was(p, h);
}

static void worker_read(struct parker *p, struct held *h)
{
    static uint8_t part[32 * 1024];
    ssize_t n;

    while ((n = recv(h->worker, part, sizeof part, MSG_DONTWAIT)) > 0)
        buf_add(&h->answer, part, (size_t)n);
    if (n == 0 || (errno != EAGAIN && errno != EINTR))
        worker_has_answered(p, h);
}

static void worker_write(struct parker *p, struct held *h)
{
    ssize_t n;

    while (h->asked < h->call.again_len) {
        n = send(h->worker, h->call.again + h->asked, h->call.again_len - h->asked,
                 MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0) {
            answer_send_as_it_was(p, h);
            return;
        }
        h->asked += (size_t)n;
    }
    watch(p, EPOLL_CTL_MOD, h->worker, EPOLLIN, about(h, OF_WORKER));
}

/* Whether there are workers yet, or again. */
static bool workers_stay(const struct parker *p)
{
    return parking_future(p->parking) != PARKING_ENDS && getppid() == p->parent;
}

/* False: not now. */
static bool worker_ask(struct parker *p, struct held *h)
{
    int fd;

    if (!workers_stay(p)) {
        answer_send_as_it_was(p, h);
        return true;
    }
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return false;
    if (connect(fd, (const struct sockaddr *)&p->workers, sizeof p->workers) != 0) {
        int why = errno;

        (void)close(fd);
        if (why == EAGAIN) /* its queue is full */
            return false;
        if (!p->stopping)
            log_repeated(
                "waiting_call_unanswered", "",
                "msg=\"a call that waited gets its answer as it was: no worker can be asked\" socket=%s"
                " reason=\"%s\"",
                p->workers.sun_path, strerror(why));
        answer_send_as_it_was(p, h);
        return true;
    }
    h->state = ASKS;
    h->end_ms = clock_mono_ms() + ASK_MS;
    h->worker = fd;
    p->asking++;
    watch(p, EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLOUT, about(h, OF_WORKER));
    worker_write(p, h);
    return true;
}

static void due_ask(struct parker *p)
{
    for (unsigned i = 0; i < PARKED_MAX && p->asking < ASKED_AT_ONCE; i++)
        if (p->held[i] != NULL && p->held[i]->state == DUE && !worker_ask(p, p->held[i]))
            return;
}

/* ---- whose wait is over ---- */

static void wait_is_over(struct held *h)
{
    h->state = DUE;
    h->end_ms = clock_mono_ms() + LATE_MS;
}

/* Several may wait for one execution, each in its own way. False: the database does not answer. */
static bool ended_look_at(struct parker *p, struct held *const *which, size_t n)
{
    struct execution_awaited of[EXECUTIONS_AWAITED];
    bool ended[EXECUTIONS_AWAITED];

    for (size_t i = 0; i < n; i++)
        of[i] = (struct execution_awaited){ which[i]->call.execution, which[i]->call.order };
    if (n == 0)
        return true;
    if (!executions_ended(p->db, of, n, ended))
        return false;
    for (size_t i = 0; i < n; i++)
        if (ended[i])
            wait_is_over(which[i]);
    return true;
}

/* Each query that is not answered takes seconds, in which no time is looked at. */
static void ended_look(struct parker *p)
{
    struct held *which[EXECUTIONS_AWAITED];
    size_t n = 0;
    bool answered = true;

    for (unsigned i = 0; i < PARKED_MAX && answered; i++) {
        if (p->held[i] == NULL || p->held[i]->state != WAITS)
            continue;
        which[n++] = p->held[i];
        if (n == EXECUTIONS_AWAITED) {
            answered = ended_look_at(p, which, n);
            n = 0;
        }
    }
    if (answered)
        (void)ended_look_at(p, which, n);
    db_pause(p->db);
}

static void times_look(struct parker *p, int64_t now)
{
    for (unsigned i = 0; i < PARKED_MAX; i++) {
        struct held *h = p->held[i];

        if (h == NULL || (h->state == WAITS && !p->stopping && now < h->call.until_ms))
            continue;
        if (h->state == WAITS)
            wait_is_over(h);
        else if (now >= h->end_ms && h->state == SENDS)
            held_end(p, h);
        else if (h->state != SENDS && (now >= h->end_ms || (p->shut && !workers_stay(p))))
            answer_send_as_it_was(p, h);
    }
}

/* ---- events ---- */

static void call_hold(struct parker *p, const struct parked_call *call, unsigned place)
{
    struct held *h = calloc(1, sizeof *h);

    if (h == NULL)
        log_fatal("out_of_memory", "out of memory: a waiting call");
    *h = (struct held){
        .call = *call, .place = place, .state = WAITS, .worker = -1, .answer = BUF_INIT(ANSWER_MAX)
    };
    h->since_ms = clock_mono_ms();
    p->held[place] = h;
    p->count++;
    watch(p, EPOLL_CTL_ADD, call->fd, EPOLLRDHUP, about(h, 0));
    if (!stream_begin(h))
        held_end(p, h);
}

/* A connection that got nothing yet takes as much. */
static void call_answer(struct parked_call *call)
{
    (void)send(call->fd, call->head, call->head_len, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)send(call->fd, call->now, call->now_len, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)close(call->fd);
    parked_call_free(call);
}

/* False: there is none, or this agent has had its share. */
static bool place_find(const struct parker *p, uint64_t agent_id, unsigned *place)
{
    unsigned n = 0;

    *place = p->room;
    for (unsigned i = 0; i < p->room; i++) {
        n += p->held[i] != NULL && p->held[i]->call.agent_id == agent_id;
        if (p->held[i] == NULL && *place == p->room)
            *place = i;
    }
    return n < PARKED_AN_AGENT && *place < p->room;
}

static void calls_take(struct parker *p)
{
    struct parked_call call;
    unsigned place;
    int rc;

    while ((rc = parking_take(p->parking, &call)) > 0) {
        if (call.fd < 0) /* this process has too many descriptors */
            parked_call_free(&call);
        else if (p->stopping || !place_find(p, call.agent_id, &place))
            call_answer(&call);
        else
            call_hold(p, &call, place);
    }
    if (rc < 0 && !p->shut) {
        watch(p, EPOLL_CTL_DEL, parking_fd(p->parking), 0, DOOR);
        p->shut = true;
        p->look_ms = 0;
    }
}

static void event_serve(struct parker *p, const struct epoll_event *e)
{
    struct held *h = p->held[e->data.u64 >> PLACE_BITS];

    if (h == NULL)
        return;
    if ((e->data.u64 & OF_WORKER) != 0) {
        if (h->state != ASKS)
            return;
        if (h->asked < h->call.again_len)
            worker_write(p, h);
        else
            worker_read(p, h);
    } else if ((e->events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) {
        held_end(p, h); /* the client has left */
    } else if (h->state == SENDS) {
        answer_go_on(p, h);
    }
}

/* Places that are given back meanwhile are filled only after all events of those who had them. */
static void events_serve(struct parker *p, int timeout_ms)
{
    struct epoll_event events[EVENTS];
    int n = epoll_pwait(p->epoll_fd, events, EVENTS, timeout_ms, &initial_mask);
    bool door = false;

    for (int i = 0; i < n; i++) {
        if (events[i].data.u64 == DOOR)
            door = true;
        else
            event_serve(p, &events[i]);
    }
    if (door)
        calls_take(p);
}

static int timeout_ms(const struct parker *p, int64_t now)
{
    if (p->count == 0)
        return -1;
    return p->look_ms <= now ? 0 : (int)(p->look_ms - now);
}

static void parker_look(struct parker *p)
{
    int64_t now = clock_mono_ms();

    if (p->count > 0 && now >= p->look_ms) {
        ended_look(p);
        now = clock_mono_ms();
        times_look(p, now);
        streams_tell(p, now);
        p->look_ms = clock_mono_ms() + LOOK_MS;
    }
    due_ask(p);
    if (p->count == 0)
        (void)malloc_trim(0);
}

static void parker_stop(struct parker *p)
{
    p->stopping = true;
    p->look_ms = 0;
}

/* Where the parent goes on, its successor takes what is handed over; else this one does, until no worker is
 * left. */
static bool parker_is_done(const struct parker *p)
{
    bool succeeded = parking_future(p->parking) == PARKING_STAYS && getppid() == p->parent;

    return p->stopping && p->count == 0 && (succeeded || p->shut);
}

/* That of the web server: the workers' socket is open to it. */
static gid_t group_of(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? st.st_gid : getgid();
}

int parker_run(const struct ctx *shared, struct parking *parking, struct scoreboard *scoreboard,
               const char *workers)
{
    static struct parker p;

    signals_hold();
    p = (struct parker){ .db = db_from_conf(shared->conf),
                         .parking = parking,
                         .scoreboard = scoreboard,
                         .parent = getppid(),
                         .workers = { .sun_family = AF_UNIX },
                         .epoll_fd = epoll_create1(EPOLL_CLOEXEC) };
    (void)prctl(PR_SET_NAME, "gateway-parker");
    db_set_timeout(p.db, DATABASE_S);
    p.room = parking_serve(parking);
    if (p.room > shared->conf->waiting_calls)
        p.room = shared->conf->waiting_calls;
    child_become_in(shared->conf->worker_uid, group_of(workers));
    (void)snprintf(p.workers.sun_path, sizeof p.workers.sun_path, "%s", workers);
    if (p.epoll_fd < 0)
        log_fatal("start_failed", "msg=\"cannot watch connections\" reason=\"%s\"", strerror(errno));
    watch(&p, EPOLL_CTL_ADD, parking_fd(parking), EPOLLIN, DOOR);
    while (!parker_is_done(&p)) {
        scoreboard_park(p.scoreboard, p.count);
        events_serve(&p, timeout_ms(&p, clock_mono_ms()));
        if (stop_asked && !p.stopping)
            parker_stop(&p);
        parker_look(&p);
    }
    db_free(p.db);
    return EXIT_SUCCESS;
}
