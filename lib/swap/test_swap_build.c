/* Unsigned swaps of plans that are made up here. */
#include "base/test.h"

#define chain_ops_of     pick_family
#define swap_plan_make   set_plan
#define swap_plan_impact set_impact
#define impact_check     check_impact
#include "swap/swap_build.c"

static unsigned made, tries;

static const struct err *try_plan(const struct ctx *ctx, struct arena *a, struct plan *p,
                                  struct chain_state *st)
{
    (void)ctx;
    (void)a;
    (void)p;
    tries++;
    *st = (struct chain_state){ .allowance = u256_from_u64(999), .fees.max_fee = u256_from_u64(7) };
    return NULL;
}

const struct chain_ops *chain_ops_of(const struct chain *c)
{
    static const struct chain_ops family = { .try_plan = try_plan };

    CHECK(c->id == 1);
    return &family;
}

/* A provider is called by what it does. */
const struct err *swap_plan_make(struct plan *p, const struct ctx *ctx, struct arena *a,
                                 const struct quote *q, const char *wallet, int64_t deadline)
{
    (void)ctx;
    (void)a;
    (void)wallet;
    made++;
    if (strcmp(q->provider, "silent") == 0)
        return &E_UPSTREAM;
    if (strcmp(q->provider, "refusing") == 0)
        return &E_PROVIDER_REFUSED;
    if (strcmp(q->provider, "moved") == 0)
        return &E_PRICE_MOVED;
    if (strcmp(q->provider, "wallet") == 0)
        return &E_WALLET_ADDRESS;
    *p =
        (struct plan){ .chain = chain_by_id(q->from.chain_id), .deadline = deadline, .count = 2, .spend = 1 };
    return NULL;
}

struct ppm swap_plan_impact(const struct ctx *ctx, struct arena *arena, const struct quote *q,
                            const struct plan *of, const struct chain_state *st)
{
    (void)of;
    (void)arena;
    (void)ctx;
    (void)q;
    (void)st;
    return (struct ppm){ 0 };
}

const struct err *impact_check(const struct ctx *ctx, struct arena *a, const struct quote *q,
                               struct ppm impact)
{
    (void)ctx;
    (void)a;
    (void)q;
    (void)impact;
    return NULL;
}

static void a_plan_is_handed_out(void)
{
    struct quote q = {
        .provider = "uniswap", .from.chain_id = 1, .to.chain_id = 1, .amount_in = u256_from_u64(1000)
    };
    struct unsigned_swap out;

    CHECK(build_direct(NULL, NULL, &q, "wallet", NULL, &out) == NULL && tries == 1);
    CHECK(out.needs_approval && u256_cmp(out.gas_price, u256_from_u64(7)) == 0);
}

enum { OFFERS = 5 };

/* A quote of the first provider, which promises 900; the others offer so much each. */
static const struct err *built(const char *const *names, uint64_t amount_out, struct unsigned_swap *out)
{
    static const uint8_t route[] = { 7 };
    struct quote_offer offers[OFFERS];
    struct quote q = {
        .from.chain_id = 1, .to.chain_id = 1, .amount_in = u256_from_u64(1000), .min_out = u256_from_u64(900)
    };

    (void)snprintf(q.provider, sizeof q.provider, "%s", *names++);
    for (; *names != NULL; names++) {
        struct quote_offer *o = &offers[q.offer_count++];

        *o = (struct quote_offer){ .amount_out = u256_from_u64(amount_out),
                                   .payload = route,
                                   .payload_len = 1 };
        (void)snprintf(o->provider, sizeof o->provider, "%s", *names);
    }
    q.offers = offers;
    made = 0;
    return build_direct(NULL, NULL, &q, "wallet", NULL, out);
}

static void a_runner_up_does_what_the_winner_does_not(void)
{
    struct unsigned_swap out;

    CHECK(built((const char *[]){ "silent", "moved", "uniswap", NULL }, 950, &out) == NULL && made == 3);
    CHECK_STR(out.quote.provider, "uniswap");
    CHECK(out.quote.route_len == 1 && out.quote.route[0] == 7);
    CHECK(u256_cmp(out.quote.min_out, u256_from_u64(900)) == 0);
}

/* A refusal of this service is returned only if no other provider has another result. */
static void refusals_of_this_service_are_returned_last(void)
{
    struct unsigned_swap out;

    CHECK(built((const char *[]){ "refusing", "refusing", "uniswap", NULL }, 950, &out) == NULL && made == 3);
    CHECK(built((const char *[]){ "refusing", "refusing", NULL }, 950, &out) == &E_PROVIDER_REFUSED &&
          made == 2);
    CHECK(built((const char *[]){ "refusing", "silent", NULL }, 950, &out) == &E_UPSTREAM && made == 2);
    CHECK(built((const char *[]){ "moved", "refusing", NULL }, 950, &out) == &E_PRICE_MOVED && made == 2);
}

static void builds_fail_when_no_provider_keeps_its_offer(void)
{
    struct unsigned_swap out;

    CHECK(built((const char *[]){ "silent", "moved", "silent", NULL }, 950, &out) == &E_PRICE_MOVED);
    CHECK(made == 3);
    /* Three are asked besides the winner, and none who offered less than is promised. */
    CHECK(built((const char *[]){ "moved", "moved", "moved", "moved", "uniswap", NULL }, 950, &out) ==
              &E_PRICE_MOVED &&
          made == 4);
    CHECK(built((const char *[]){ "silent", "uniswap", NULL }, 899, &out) == &E_UPSTREAM && made == 1);
    /* A fault that no other provider would mend. */
    CHECK(built((const char *[]){ "wallet", "uniswap", NULL }, 950, &out) == &E_WALLET_ADDRESS && made == 1);
}

TEST_MAIN(TEST(a_plan_is_handed_out), TEST(a_runner_up_does_what_the_winner_does_not),
          TEST(refusals_of_this_service_are_returned_last),
          TEST(builds_fail_when_no_provider_keeps_its_offer))
