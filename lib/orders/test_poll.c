/* Following orders at venues that answer at once, later or never, over a table of accounts that is none. */
#include <time.h>

#define net_start            fake_start
#define net_wait             fake_wait
#define order_leases_claim   fake_claim
#define order_leases_release fake_release
#define clock_mono_ms        fake_clock
#define nanosleep            fake_sleep
int nanosleep(const struct timespec *t, struct timespec *rest);

#include "orders/account_poll.c"
#include "orders/poll.c"

#include <string.h>

#include "base/test.h"

/* ---- a clock ---- */

static int64_t now_ms;

int64_t clock_mono_ms(void)
{
    return now_ms;
}

int nanosleep(const struct timespec *t, struct timespec *rest)
{
    (void)rest;
    now_ms += t->tv_nsec / 1000000;
    return 0;
}

/* ---- a network ---- */

static struct call *asked[64]; /* and not answered yet */
static unsigned asked_count, most_asked;

void net_start(struct net *net, struct call *c)
{
    (void)net;
    asked[asked_count++] = c;
    most_asked = asked_count > most_asked ? asked_count : most_asked;
}

/* Each call takes its given number of milliseconds; waiting lets time pass. */
struct call *net_wait(struct net *net, unsigned timeout_ms)
{
    (void)net;
    now_ms += timeout_ms;
    for (unsigned i = 0; i < asked_count; i++) {
        struct call *c = asked[i];

        if (c->took_ms > now_ms)
            continue;
        asked[i] = asked[--asked_count];
        return c;
    }
    return NULL;
}

/* ---- accounts ---- */

enum { ACCOUNTS = 40 };

struct account {
    enum order_venue venue;
    bool due;
    unsigned takes_ms; /* each answer */
    unsigned questions[POLL_ROUNDS];
    int64_t retry_after_s;
    bool gives_up; /* after the first answer */
    /* what happened to it */
    unsigned heard, released;
    unsigned pause_ms;
    int64_t released_ms;
};

static struct account accounts[ACCOUNTS];
static struct uuid owners[ACCOUNTS];
static unsigned claims, stop_after_claims;
static bool claims_fail, releases_fail, reading_fails;

int64_t order_leases_claim(struct db *db, enum order_venue venue, const struct uuid *owner, unsigned lease_s,
                           unsigned max)
{
    int64_t n = 0;

    (void)db;
    (void)lease_s;
    claims++;
    for (unsigned i = 0; i < ACCOUNTS && n < max; i++)
        if (accounts[i].due && accounts[i].venue == venue) {
            accounts[i].due = false;
            owners[i] = *owner;
            n++;
        }
    return claims_fail ? -1 : n;
}

bool order_leases_release(struct db *db, enum order_venue venue, const struct uuid *owner, uint64_t wallet_id,
                          unsigned ms)
{
    struct account *ac = &accounts[wallet_id];

    (void)db;
    CHECK(ac->venue == venue && memcmp(owner, &owners[wallet_id], sizeof *owner) == 0);
    ac->released++;
    ac->pause_ms = ms;
    ac->released_ms = now_ms;
    return !releases_fail;
}

/* ---- venues ---- */

static bool polls_claimed(const struct ctx *ctx, struct arena *a, const struct uuid *owner,
                          struct account_poll ***out, unsigned *n)
{
    *out = ARENA_ARRAY(a, struct account_poll *, ACCOUNTS);
    for (unsigned i = 0; i < ACCOUNTS; i++)
        if (memcmp(owner, &owners[i], sizeof *owner) == 0) {
            struct account_poll *l = ARENA_NEW(a, struct account_poll);

            *l = (struct account_poll){
                .follower = order_followers[accounts[i].venue], .ctx = ctx, .arena = a, .wallet_id = i
            };
            (*out)[(*n)++] = l;
        }
    return !reading_fails;
}

static void questions_ask(struct account_poll *l, unsigned n, int round)
{
    for (unsigned i = 0; i < n; i++) {
        struct poll_call *c = poll_call_new(l, round, NULL);

        if (c == NULL)
            return;
        c->call.took_ms = (unsigned)now_ms + accounts[l->wallet_id].takes_ms;
        poll_ask(c);
    }
}

static void lists_ask(struct account_poll *l)
{
    questions_ask(l, accounts[l->wallet_id].questions[POLL_LISTS], POLL_LISTS);
}

static void orders_ask(struct account_poll *l)
{
    questions_ask(l, accounts[l->wallet_id].questions[POLL_ORDERS], POLL_ORDERS);
}

static void trades_ask(struct account_poll *l)
{
    questions_ask(l, accounts[l->wallet_id].questions[POLL_TRADES], POLL_TRADES);
}

static void answer_read(const struct poll_call *c)
{
    struct account *ac = &accounts[c->poll->wallet_id];

    CHECK(c->question + 1 == (int)c->poll->round); /* none of the next round before the last of this one */
    ac->heard++;
    c->poll->over = ac->gives_up;
    poll_note_retry(c->poll, &(struct call){ .retry_after_s = ac->retry_after_s });
}

static bool recorded(struct account_poll *l)
{
    CHECK(l->running == 0);
    return true;
}

static unsigned pause_of_poll(const struct account_poll *l, bool all)
{
    return l->silent || !all ? 7 : 0;
}

#define FOLLOWER(which)                                                                                      \
    {                                                                                                        \
        .venue = (which), .claim_every_ms = 250, .wallets_max = 20, .claimed = polls_claimed,                \
        .ask = { lists_ask, orders_ask, trades_ask }, .read = answer_read, .record = recorded,               \
        .pause_ms = pause_of_poll                                                                            \
    }

static const struct order_follower predictions = FOLLOWER(ORDERS_OF_PREDICTION),
                                   perpetuals = FOLLOWER(ORDERS_OF_PERPS);
const struct order_follower *const order_followers[] = {
    [ORDERS_OF_PREDICTION] = &predictions, [ORDERS_OF_PERPS] = &perpetuals
};

static bool stopping(void)
{
    return stop_after_claims != 0 && claims >= stop_after_claims;
}

static int poll_all(void)
{
    const struct ctx ctx = { .net = NULL };

    return orders_poll(&ctx, stopping);
}

static void begin(void)
{
    memset(accounts, 0, sizeof accounts);
    claims = stop_after_claims = asked_count = most_asked = 0;
    claims_fail = releases_fail = reading_fails = false;
    now_ms += 1000;
}

static void add(unsigned n, enum order_venue venue, struct account like)
{
    for (unsigned i = 0; i < ACCOUNTS && n > 0; i++)
        if (accounts[i].questions[0] == 0) {
            accounts[i] = like;
            accounts[i].venue = venue;
            accounts[i].due = true;
            n--;
        }
}

#define LIKE(...) ((struct account){ __VA_ARGS__ })

/* ---- tests ---- */

static void rounds_follow_each_other(void)
{
    begin();
    add(1, ORDERS_OF_PERPS, LIKE(.questions = { 2, 0, 3 }));
    CHECK(poll_all() == 1);
    CHECK(accounts[0].heard == 5 && accounts[0].released == 1 && accounts[0].pause_ms == 0);
}

static void polls_that_give_up_ask_no_further(void)
{
    begin();
    add(1, ORDERS_OF_PERPS, LIKE(.questions = { 2, 1, 3 }, .gives_up = true));
    CHECK(poll_all() == 1 && accounts[0].heard == 2 && accounts[0].released == 1);
}

/* Neither a wallet nor a venue waits for another. */
static void slow_venues_do_not_delay_other_accounts(void)
{
    begin();
    add(1, ORDERS_OF_PREDICTION, LIKE(.questions = { 1, 1, 1 }, .takes_ms = 4000));
    add(12, ORDERS_OF_PERPS, LIKE(.questions = { 1, 1, 1 }));
    CHECK(poll_all() == 13 && most_asked > 1);
    for (unsigned i = 1; i <= 12; i++)
        CHECK(accounts[i].released == 1 && accounts[i].released_ms < accounts[0].released_ms - 4000);
}

static void a_poll_ends_at_its_deadline(void)
{
    begin();
    add(1, ORDERS_OF_PREDICTION, LIKE(.questions = { 1, 1, 1 }, .takes_ms = POLL_MS + 1));
    CHECK(poll_all() == 1);
    CHECK(accounts[0].heard == 1 && accounts[0].pause_ms == 7); /* nothing is asked after it */
}

static void retry_after_delays_the_next_poll(void)
{
    begin();
    add(1, ORDERS_OF_PERPS, LIKE(.questions = { 1 }, .retry_after_s = 60));
    add(1, ORDERS_OF_PREDICTION, LIKE(.questions = { 1 }, .retry_after_s = 100000));
    CHECK(poll_all() == 2 && accounts[0].pause_ms == 60000 && accounts[1].pause_ms == 300000);
}

static void claims_are_paced(void)
{
    int64_t begun;

    begin();
    begun = now_ms;
    add(30, ORDERS_OF_PERPS, LIKE(.questions = { 1 }));
    CHECK(poll_all() == 30 && now_ms - begun >= 2 * 250);
}

static void no_more_wallets_than_fit(void)
{
    begin();
    add(40, ORDERS_OF_PERPS, LIKE(.questions = { 1 }, .takes_ms = 3000));
    CHECK(poll_all() == 40 && most_asked == 20);
}

/* Nothing is claimed any more, and nothing is asked; what was claimed is released. */
static void stopped_polls_release_their_claims(void)
{
    begin();
    add(15, ORDERS_OF_PREDICTION, LIKE(.questions = { 1 }));
    stop_after_claims = 1;
    CHECK(poll_all() == 10 && claims == 1 && accounts[0].heard == 0 && accounts[0].pause_ms == 7);
}

static void a_database_that_fails_is_told(void)
{
    begin();
    claims_fail = true;
    CHECK(poll_all() == -1);
    begin();
    add(1, ORDERS_OF_PERPS, LIKE(.questions = { 1 }));
    releases_fail = true;
    CHECK(poll_all() == -1 && accounts[0].released == 1);
    begin();
    add(1, ORDERS_OF_PERPS, LIKE(.questions = { 1 }));
    reading_fails = true;
    CHECK(poll_all() == -1 && accounts[0].released == 0 && accounts[0].heard == 0);
}

TEST_MAIN(TEST(rounds_follow_each_other), TEST(polls_that_give_up_ask_no_further),
          TEST(slow_venues_do_not_delay_other_accounts), TEST(a_poll_ends_at_its_deadline),
          TEST(retry_after_delays_the_next_poll), TEST(claims_are_paced), TEST(no_more_wallets_than_fit),
          TEST(stopped_polls_release_their_claims), TEST(a_database_that_fails_is_told))
