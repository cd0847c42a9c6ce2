#include "orders/poll.h"

#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "orders/follower.h"
#include "store/order_leases.h"

enum { CLAIM_MAX = 10, LEASE_S = 30, WAIT_MS = 50, RETRY_AFTER_MAX_S = 300 };

/* The state of one venue's poll. */
struct venue_poll {
    const struct order_follower *follower;
    unsigned active; /* wallets that are being looked at */
    bool more;       /* may be due */
};

/* Accounts that were claimed together; kept until the last poll of one of them is over. */
struct claim {
    struct uuid owner;
    struct arena *arena;
    struct venue_poll *venue;
    struct account_poll **polls;
    unsigned count, left;
};

struct poller {
    const struct ctx *ctx;
    bool (*stopping)(void);
    struct venue_poll venues[ORDER_VENUES];
    int polled;
    bool failed;
};

static int64_t next_claim_ms[ORDER_VENUES]; /* kept between steps */

/* ---- the end of a poll ---- */

static void claim_free_if_over(struct claim *c)
{
    if (c->left == 0) {
        arena_free(c->arena);
        free(c);
    }
}

static unsigned pause_of(const struct account_poll *l, bool recorded)
{
    if (l->retry_after_s > 0)
        return (unsigned)(l->retry_after_s < RETRY_AFTER_MAX_S ? l->retry_after_s : RETRY_AFTER_MAX_S) * 1000;
    return l->follower->pause_ms(l, recorded);
}

static void poll_end(struct poller *p, struct claim *c, struct account_poll *l)
{
    const struct order_follower *f = l->follower;
    unsigned pause_ms = pause_of(l, f->record(l));

    if (f->end != NULL)
        f->end(l);
    if (!STEP("order_poll.release",
              order_leases_release(p->ctx->db, f->venue, &c->owner, l->wallet_id, pause_ms), false))
        p->failed = true;
    p->polled++;
    c->venue->active--;
    c->left--;
}

/* ---- looks ---- */

static void poll_start(struct poller *p, struct claim *c, struct account_poll *l)
{
    l->stopping = p->stopping;
    l->deadline_ms = POLL_MS;
    l->owner = c;
    c->venue->active++;
    if (!poll_begin(l))
        poll_end(p, c, l);
}

static struct claim *claim_new(struct venue_poll *venue)
{
    struct claim *c = calloc(1, sizeof *c);

    if (c == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    *c = (struct claim){ .owner = uuid_random(), .arena = arena_new(), .venue = venue };
    return c;
}

/* Returns how many wallets were claimed, or -1. */
static int64_t venue_claim(struct poller *p, struct venue_poll *v)
{
    const struct order_follower *f = v->follower;
    struct claim *c = claim_new(v);
    int64_t n =
        STEP("order_poll.claim", order_leases_claim(p->ctx->db, f->venue, &c->owner, LEASE_S, CLAIM_MAX), -1);

    if (n > 0 && !f->claimed(p->ctx, c->arena, &c->owner, &c->polls, &c->count))
        n = -1;
    c->left = c->count = n > 0 ? c->count : 0;
    for (unsigned i = 0; i < c->count; i++)
        poll_start(p, c, c->polls[i]);
    claim_free_if_over(c);
    return n;
}

static void venue_claim_next(struct poller *p, struct venue_poll *v)
{
    int64_t *next_ms = &next_claim_ms[v->follower->venue], n;

    if (v->active + CLAIM_MAX > v->follower->wallets_max || clock_mono_ms() < *next_ms)
        return;
    *next_ms = clock_mono_ms() + v->follower->claim_every_ms;
    n = venue_claim(p, v);
    p->failed |= n < 0;
    v->more = n == CLAIM_MAX;
}

/* ---- all venues ---- */

static void poller_wait(struct poller *p)
{
    struct call *call = net_wait(p->ctx->net, WAIT_MS);

    for (; call != NULL; call = net_wait(p->ctx->net, 0)) {
        struct account_poll *l = poll_of(call);
        struct claim *c = l->owner;

        if (poll_go_on(call))
            continue;
        poll_end(p, c, l);
        claim_free_if_over(c);
    }
}

static void poller_pause(void)
{
    const struct timespec t = { .tv_nsec = (long)WAIT_MS * 1000000 };

    nanosleep(&t, NULL);
}

static unsigned poller_active(const struct poller *p)
{
    unsigned sum = 0;

    for (size_t i = 0; i < ORDER_VENUES; i++)
        sum += p->venues[i].active;
    return sum;
}

static bool poller_goes_on(const struct poller *p)
{
    bool more = false;

    for (size_t i = 0; i < ORDER_VENUES; i++)
        more |= p->venues[i].more;
    return (more && !p->stopping()) || poller_active(p) > 0;
}

int orders_poll(const struct ctx *ctx, bool (*stopping)(void))
{
    struct poller p = { .ctx = ctx, .stopping = stopping };

    for (size_t i = 0; i < ORDER_VENUES; i++)
        p.venues[i] = (struct venue_poll){ .follower = order_followers[i], .more = true };
    while (poller_goes_on(&p)) {
        for (size_t i = 0; i < ORDER_VENUES && !p.stopping(); i++)
            venue_claim_next(&p, &p.venues[i]);
        if (poller_active(&p) > 0)
            poller_wait(&p);
        else
            poller_pause();
    }
    return p.failed ? -1 : p.polled;
}
