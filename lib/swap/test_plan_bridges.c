/* Plans whose output arrives on another chain, by an order behind their deposit. */
#include "base/test.h"

#define route_tx     fake_route_tx
#define chain_ops_of fake_chain_ops_of
#include "swap/swap_plan.c"
#undef route_tx
#undef chain_ops_of

#include "service/conf.h"

#define ME       "0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1"
#define VAULT    "0x4cD00E387622C35bDDB9b4c962C136462338BC31"
#define COIN     "0x0000000000000000000000000000000000000000"
#define FAR_USDC "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"

enum { AMOUNT = 1000, MINIMUM = 900 };

static struct arena *a;
static struct conf conf;
static struct ctx ctx = { .conf = &conf };

static struct {
    int64_t end;              /* of the order */
    const char *guard_says;   /* NULL: it keeps the plan */
    const struct plan *guard; /* what it was shown */
} world;

const struct err *fake_route_tx(const struct ctx *c, struct arena *arena, const char *provider,
                                const struct tx_in *in, struct wallet_call *out)
{
    (void)c;
    (void)arena;
    CHECK_STR(provider, "relay");
    CHECK_STR(in->route.wallet, ME);
    *out = (struct wallet_call){ .to = VAULT,
                                 .value = u256_from_u64(AMOUNT),
                                 .data = (const uint8_t *)"call",
                                 .data_len = 4,
                                 .min_out = u256_from_u64(MINIMUM),
                                 .reference = "0xab",
                                 .seconds = 7,
                                 .refund_after = world.end,
                                 .proof = (const uint8_t *)"order",
                                 .proof_len = 5 };
    return NULL;
}

static const char *keeps_plan(const struct plan *p)
{
    world.guard = p;
    return world.guard_says;
}

static void bytes_of(struct address_bytes *out, const char *text)
{
    *out = (struct address_bytes){ .len = 20 };
    memcpy(out->bytes, text, out->len);
}

const struct chain_ops *fake_chain_ops_of(const struct chain *c)
{
    static const struct chain_ops family = { .guard = keeps_plan, .address_bytes = bytes_of };

    CHECK(c->id == 1);
    return &family;
}

static const struct err *plan_made(struct plan *p, int64_t end)
{
    const struct quote q = { .provider = "relay",
                             .from = { .chain_id = 1, .address = COIN, .decimals = 18 },
                             .to = { .chain_id = 8453, .address = FAR_USDC, .decimals = 6 },
                             .amount_in = u256_from_u64(AMOUNT),
                             .min_out = u256_from_u64(MINIMUM) };

    world.end = end;
    world.guard = NULL;
    return swap_plan_make(p, &ctx, a, &q, ME, clock_seconds() + PLAN_VALID_FOR_S);
}

/* A reader of the bridge's plan needs the order, too. */
static void a_bridge_is_planned_with_its_order(void)
{
    int64_t end = clock_seconds() + 600;
    struct plan p;

    CHECK(plan_made(&p, end) == NULL && world.guard == &p);
    CHECK(p.count == 1 && p.spend == 0 && p.arrives.token.chain_id == 8453);
    CHECK_STR(p.bridge->bridge_provider, "relay");
    CHECK_STR(p.bridge->reference, "0xab");
    CHECK(p.bridge->seconds == 7 && p.bridge->deadline == end);
    CHECK(p.steps[p.spend].proof_len == 5 && memcmp(p.steps[p.spend].proof, "order", 5) == 0);
    CHECK(p.probe == NULL); /* no pool trades the two */
    world.guard_says = "recipient is not the wallet";
    CHECK(err_is(plan_made(&p, end), &E_UPSTREAM));
    world.guard_says = NULL;
}

/* It is sent while the order can still be filled, and not at all where that is nearly over. */
static void orders_that_end(void)
{
    struct plan p;

    CHECK(plan_made(&p, 0) == NULL && p.deadline > clock_seconds() + PLAN_VALID_FOR_S - 5);
    CHECK(plan_made(&p, clock_seconds() + 600) == NULL && p.deadline < world.end - BRIDGE_PAYS_S);
    CHECK(plan_made(&p, clock_seconds() + 150) == NULL && p.deadline == world.end - BRIDGE_PAYS_S);
    CHECK(err_is(plan_made(&p, clock_seconds() + BRIDGE_PAYS_S + BRIDGE_SIGNS_S - 1), &E_UPSTREAM));
    CHECK(err_is(plan_made(&p, clock_seconds() - 1), &E_UPSTREAM) && world.guard == NULL);
}

static void bridges_test_start(void)
{
    a = arena_new();
}

static void bridges_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(bridges_test_start), TEST(a_bridge_is_planned_with_its_order), TEST(orders_that_end),
          TEST(bridges_test_end))
