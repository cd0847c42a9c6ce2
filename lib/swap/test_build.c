/* Unsigned swaps of plans that are made up here. */
#include "base/test.h"

#define family_of        pick_family
#define swap_plan_make   set_plan
#define swap_plan_impact set_impact
#define impact_check     check_impact
#include "swap/build.c"

static const char *flaw; /* what the guard finds */
static unsigned tries;

static const char *guard_plan(const struct plan *p)
{
    CHECK(p->count == 2);
    return flaw;
}

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

const struct family *family_of(const struct chain *c)
{
    static const struct family family = { .guard = guard_plan, .try_plan = try_plan };

    CHECK(c->id == 1);
    return &family;
}

const struct err *swap_plan_make(struct plan *p, const struct ctx *ctx, struct arena *a,
                                 const struct quote *q, const char *wallet, int64_t deadline)
{
    (void)ctx;
    (void)a;
    (void)wallet;
    *p =
        (struct plan){ .chain = chain_by_id(q->from.chain_id), .deadline = deadline, .count = 2, .spend = 1 };
    return NULL;
}

struct ppm swap_plan_impact(const struct ctx *ctx, const struct quote *q, const struct chain_state *st)
{
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

static void a_plan_that_is_kept_is_handed_out(void)
{
    const struct quote q = { .provider = "uniswap", .from.chain_id = 1, .amount_in = u256_from_u64(1000) };
    struct unsigned_swap out;

    CHECK(build_direct(NULL, NULL, &q, "wallet", &out) == NULL && tries == 1);
    CHECK(out.needs_approval && u256_cmp(out.gas_price, u256_from_u64(7)) == 0);
}

static void a_plan_that_is_not_kept_is_handed_to_nobody(void)
{
    const struct quote q = { .provider = "uniswap", .from.chain_id = 1, .amount_in = u256_from_u64(1000) };
    struct unsigned_swap out;

    flaw = "another output";
    CHECK(build_direct(NULL, NULL, &q, "wallet", &out) == &E_INTERNAL);
}

TEST_MAIN(TEST(a_plan_that_is_kept_is_handed_out), TEST(a_plan_that_is_not_kept_is_handed_to_nobody))
