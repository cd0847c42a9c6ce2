#include "perps/request_budget.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/shared_file.h"
#include "service/conf.h"

enum { SECOND_US = 1000000, MINUTE_US = 60 * SECOND_US, SLOW_US = MINUTE_US, SLOWER = 2 };

static const uint64_t LAYOUT = 0x7065727073000001;

/* The times until which all questions are paid for, and until which all processes ask less: monotonic
 * microseconds. */
struct shared_weight {
    uint64_t layout;
    _Atomic int64_t paid_us, slow_until_us;
};

/* Hundredths of the minute's weight that are reserved for higher priorities. */
static const unsigned reserved[] = {
    [PERPS_REQUEST_BUDGET_READS] = 30, [PERPS_REQUEST_BUDGET_POLLS] = 10, [PERPS_REQUEST_BUDGET_ORDERS] = 0
};

/* Without a file, this process keeps an account of its own. */
static struct shared_weight own_account, *account = &own_account;

void perps_request_budget_share(const char *shm_file)
{
    int fd;
    struct shared_weight *shared = shared_file_map_beside(shm_file, ".perps", sizeof *shared, LAYOUT, &fd);

    if (fd >= 0)
        (void)close(fd);
    if (shared != NULL)
        account = shared;
    else
        log_warn(
            "weight_not_shared",
            "msg=\"the count of requests to the venue of perpetuals is not shared with other processes\" file=%s.perps"
            " reason=\"%s\"",
            shm_file, strerror(errno));
}

static enum perps_request_budget_of asked_for = PERPS_REQUEST_BUDGET_READS;

void perps_request_budget_for(enum perps_request_budget_of of)
{
    asked_for = of;
}

enum perps_request_budget_of perps_request_budget_asked_for(void)
{
    return asked_for;
}

static int64_t now_us(void)
{
    return clock_mono_ms() * 1000;
}

/* At most a minute can be owed: a larger number is from before the clock began anew. */
static int64_t owed_at(int64_t paid, int64_t now)
{
    if (paid < now)
        return 0;
    return paid - now > MINUTE_US ? MINUTE_US : paid - now;
}

static int64_t costs_at(const struct ctx *ctx, unsigned weight, int64_t now)
{
    unsigned most = ctx->conf->perps_weight;
    int64_t costs = most == 0 ? 0 : (int64_t)weight * MINUTE_US / most;

    return atomic_load(&account->slow_until_us) > now ? costs * SLOWER : costs;
}

/* By how much too much would be owed; 0: there is room. */
static int64_t beyond(int64_t owed, enum perps_request_budget_of of)
{
    int64_t most = MINUTE_US / 100 * (100 - reserved[of]);

    return of != PERPS_REQUEST_BUDGET_ORDERS && owed > most ? owed - most : 0;
}

bool perps_request_budget_take(const struct ctx *ctx, unsigned weight, enum perps_request_budget_of of)
{
    struct shared_weight *s = account;
    int64_t now = now_us(), paid = atomic_load(&s->paid_us), costs = costs_at(ctx, weight, now), owed;

    if (ctx->conf->perps_weight == 0)
        return true;
    do {
        owed = owed_at(paid, now) + costs;
        if (beyond(owed, of) > 0)
            return false;
    } while (!atomic_compare_exchange_weak(&s->paid_us, &paid, now + owed));
    return true;
}

unsigned perps_request_budget_wait_s(const struct ctx *ctx, unsigned weight, enum perps_request_budget_of of)
{
    int64_t now = now_us(), owed = owed_at(atomic_load(&account->paid_us), now),
            wait = beyond(owed + costs_at(ctx, weight, now), of);

    return wait > SECOND_US ? (unsigned)((wait + SECOND_US - 1) / SECOND_US) : 1;
}

/* However little was asked from here, half of the minute counts as used up. */
void perps_request_budget_refused(void)
{
    struct shared_weight *s = account;
    int64_t now = now_us(), least = now + MINUTE_US / 2, paid = atomic_load(&s->paid_us);

    atomic_store(&s->slow_until_us, now + SLOW_US);
    while (paid < least && !atomic_compare_exchange_weak(&s->paid_us, &paid, least))
        ;
}
