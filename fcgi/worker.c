#include "worker.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/admission/dispatch.h"
#include "api/admission/limits.h"
#include "api/admission/meter.h"
#include "api/admission/worker_leases.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/incident.h"
#include "base/log.h"
#include "base/safe_text.h"
#include "child.h"
#include "io_fcgi.h"
#include "net/bulkhead.h"
#include "net/call.h"
#include "net/cpu_slots.h"
#include "parking.h"
#include "records.h"
#include "service/conf.h"
#include "signals.h"
#include "signer/client.h"
#include "store/db.h"

enum {
    BREAK_MS = 100, /* longer than between two requests of a busy service */
    REST_MS = 1000,
    SLOW_MS = 1000, /* a request that log_requests = slow tells of */
};

static void request_tell(const struct request *rq, const struct reply *rp, const char *agent, int64_t ms)
{
    const struct err *e = reply_error(rp);
    char path[LOG_TEXT_LEN];

    log_info("request", "method=%s path=%s status=%d ms=%lld agent=%s error_code=%s", method_text(rq->method),
             safe_text_has_secret(rq->path) ? "[redacted]" : log_text(path, rq->path), reply_status(rp),
             (long long)ms, agent, e != NULL ? e->code : "-");
}

/* Requests with made-up keys, or too many requests, do not fill the disk. */
static void request_log(struct ctx *ctx, struct request *rq, const struct reply *rp, int64_t ms)
{
    struct api_call c = api_call_of(ctx, rq);
    const char *which = ctx->conf->log_requests;
    char agent[6 + UUID_TEXT_LEN + 1] = "agent=-";
    int status = reply_status(rp);

    if (rq->agent != NULL)
        uuid_text(agent + 6, *rq->agent);
    if (strcmp(which, "all") == 0)
        request_tell(rq, rp, agent + 6, ms);
    else if (status == 401 && rq->agent == NULL)
        log_repeated("unknown_key", "", "msg=\"a request without a key that we know\"");
    else if (status == 429 && (rq->agent == NULL || limits_log_line(&c)))
        log_repeated("request_limited", agent, "msg=\"more requests than the limit\"");
    else if (status < 400 && (ms < SLOW_MS || strcmp(which, "slow") != 0))
        return;
    else if (limits_log_line(&c))
        request_tell(rq, rp, agent + 6, ms);
    else
        log_repeated("requests_not_told", "", "msg=\"more lines about requests than one network may have\"");
}

static struct io_fcgi way_in;

/* An answer as its record, in memory. */
struct io_kept {
    struct io io;
    struct buf text;
};

static const char *kept_param(struct io *io, const char *name)
{
    (void)io;
    return way_in.io.param(&way_in.io, name);
}

static void kept_write(struct io *io, const void *from, size_t n)
{
    buf_add(&((struct io_kept *)io)->text, from, n);
}

/* A stream's answer is its last event, after its head. */
static void answer_keep(struct request *rq, struct reply *rp, struct buf *head, struct buf *out)
{
    struct io_kept kept = { .io = { .param = kept_param, .write = kept_write },
                            .text = BUF_INIT(PARKED_TEXTS_MAX) };
    unsigned id = (unsigned)way_in.request.requestId;

    rq->io = &kept.io;
    rq->streamed = rq->wait.progress != NULL;
    if (rq->streamed) {
        reply_send_stream_head(rq, rp);
        records_add(head, id, FCGI_STDOUT, buf_text(&kept.text), kept.text.len);
        buf_reset(&kept.text);
    }
    reply_send(rq, rp);
    rq->streamed = false;
    rq->io = &way_in.io;
    records_add(out, id, FCGI_STDOUT, buf_text(&kept.text), kept.text.len);
    records_end_request(out, id);
    out->overflow = out->overflow || head->overflow || kept.text.overflow;
    buf_free(&kept.text);
}

/* Hands the request over to the process that waits in place of this one. False: the answer is sent at once,
 * as it is to a CGI program, which would be occupied meanwhile. */
static bool request_park(const struct ctx *ctx, struct request *rq, struct reply *rp)
{
    const struct request_wait *w = &rq->wait;
    const struct io_fcgi_param params[] = { { REQUEST_RESUMED, w->begun },
                                            { REQUEST_REPLAYED, w->replayed ? "1" : NULL },
                                            { REQUEST_STREAMED, w->progress != NULL ? "1" : NULL },
                                            { "HTTP_X_REQUEST_ID", rq->id } };
    struct buf again = BUF_INIT(PARKED_TEXTS_MAX), now = again, head = again;
    bool parked = false;

    if (w->ms == 0 || way_in.io.param(&way_in.io, BY_CGI) != NULL)
        return false;
    io_fcgi_repeat(&way_in, &again, params, sizeof params / sizeof params[0], rq->body, rq->body_len);
    answer_keep(rq, rp, &head, &now);
    if (!again.overflow && !now.overflow) {
        const struct parking_texts texts = { .again = buf_text(&again),
                                             .again_len = again.len,
                                             .now = buf_text(&now),
                                             .now_len = now.len,
                                             .head = buf_text(&head),
                                             .head_len = head.len,
                                             .progress = w->progress,
                                             .progress_len = w->progress != NULL ? strlen(w->progress) : 0 };

        parked = parking_hand_over(ctx->parking, way_in.request.ipcFd, w, &texts);
    }
    buf_free(&again);
    buf_free(&now);
    buf_free(&head);
    return parked;
}

/* Whether the answer was sent, or comes later by another process. */
static bool worker_serve(struct ctx *ctx, struct arena *a, struct io *io)
{
    int64_t started = clock_mono_ms(), started_us = clock_us(), now_us;
    struct request rq;
    struct reply *rp;
    bool parked;

    request_read(&rq, a, io);
    request_rebase(&rq, ctx->conf->base_url);
    log_id(rq.id);
    rp = dispatch(ctx, &rq);
    (void)FAULT("answer.before");
    parked = request_park(ctx, &rq, rp);
    if (!parked)
        reply_send(&rq, rp);
    worker_leases_drop(ctx->leases);
    (void)FAULT("answer.after");
    if (rq.resumed == NULL)
        request_log(ctx, &rq, rp, clock_mono_ms() - started);
    log_id(NULL);
    now_us = clock_us();
    if (rq.agent != NULL)
        meter_worked(ctx->meter, rq.agent, rq.resumed != NULL ? METER_GOES_ON : reply_status(rp),
                     now_us - started_us, now_us);
    return !parked;
}

static void worker_answer(struct ctx *ctx, struct arena *a)
{
    if (worker_serve(ctx, a, &way_in.io))
        io_fcgi_finish(&way_in);
    else
        io_fcgi_leave(&way_in);
    arena_reset(a);
    db_pause(ctx->db);
}

/* Gives back what requests have left in the heap. */
static struct arena *worker_trim(struct arena *a)
{
    arena_free(a);
    (void)malloc_trim(0);
    return arena_new();
}

/* Those that never wait are not on the scoreboard. Memory is given back at the first break; ending is put
 * off, since bursts that follow each other would have the same workers forked again and again. */
static enum io_fcgi_event worker_loop(struct ctx *ctx, struct scoreboard *shm_cache, unsigned number)
{
    bool stays = ctx->never_waits || number < SPARE_WORKERS;
    struct arena *a = arena_new();
    enum io_fcgi_event event = IO_FCGI_IDLE;
    int wait_ms = stays ? -1 : REST_MS;

    while (!stop_asked && (event = io_fcgi_accept(&way_in, wait_ms)) != IO_FCGI_END) {
        if (event == IO_FCGI_REQUEST) {
            if (!ctx->never_waits)
                scoreboard_busy(shm_cache, number);
            cpu_slot_take(ctx->cpu_slots);
            worker_answer(ctx, a);
            cpu_slot_give(ctx->cpu_slots);
            if (!ctx->never_waits)
                scoreboard_set(shm_cache, number, WORKER_IDLE);
            wait_ms = BREAK_MS;
            continue;
        }
        if (wait_ms == BREAK_MS)
            a = worker_trim(a);
        else if (scoreboard_leave(shm_cache, number))
            break;
        wait_ms = stays ? -1 : REST_MS;
    }
    arena_free(a);
    return event;
}

int worker_run(const struct ctx *shared, int listen_fd, struct scoreboard *shm_cache, unsigned number)
{
    struct ctx ctx = *shared;
    enum io_fcgi_event end;

    signals_hold();
    parking_own(ctx.parking);
    ctx.db = db_from_conf(ctx.conf);
    ctx.signer = signer_new(ctx.conf->signer_socket);
    child_become(ctx.conf->worker_uid);
    if (ctx.never_waits) {
        ctx.bulkhead = NULL;
        ctx.cpu_slots = NULL;
    } else {
        ctx.net = net_new("agent-gateway/1", 16);
        bulkhead_own(ctx.bulkhead, number);
        cpu_slots_own(ctx.cpu_slots, number);
        net_take_cpu_slots(ctx.net, ctx.cpu_slots);
    }
    worker_leases_inherit(ctx.leases, number, ctx.db);
    if (!io_fcgi_init(&way_in, listen_fd, ctx.cpu_slots))
        log_fatal("start_failed", "msg=\"libfcgi does not start\"");
    end = worker_loop(&ctx, shm_cache, number);
    signer_free(ctx.signer);
    net_free(ctx.net);
    db_free(ctx.db);
    return stop_asked || end == IO_FCGI_IDLE ? EXIT_SUCCESS : EXIT_FAILURE;
}
