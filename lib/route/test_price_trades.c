/* Prices that small trades have: who is asked, for how much, what of the answer counts and for how long. */
#include "base/test.h"

#define provider_is_on           fake_is_on
#define provider_admits          fake_admits
#define provider_tell            fake_tell
#define provider_unavailable_log fake_log
#define question_ask             fake_ask
#define question_read            fake_read
#include "route/price_trades.c"

#include "model/amount.h"

static struct arena *a;
static struct ctx ctx;

static struct {
    bool relay, jupiter; /* are on */
    enum provider_health health;
    unsigned asks;
    const struct provider *asked;
    struct route_in in;
    enum ask_end end;
    const char *out; /* smallest units of USDC */
    enum ask_end told;
} world;

bool provider_is_on(const struct ctx *c, const struct provider *p)
{
    (void)c;
    return p == &jupiter ? world.jupiter : strcmp(p->key, "relay") == 0 && world.relay;
}

enum provider_health provider_admits(const struct ctx *c, const struct provider *p)
{
    (void)c;
    (void)p;
    return world.health;
}

void provider_tell(const struct provider *p, const struct call *call, enum ask_end end)
{
    CHECK(p == world.asked && call != NULL);
    world.told = end;
}

void provider_unavailable_log(const struct provider *p, const struct call *call, bool outlier)
{
    CHECK(p == world.asked && call != NULL && !outlier);
}

bool question_ask(struct question *q, const struct provider *p, const struct route_in *in, struct call *call,
                  const struct ctx *c, struct arena *arena)
{
    (void)c;
    (void)arena;
    call_init(call, "http://127.0.0.1:1/", MAX_UPSTREAM);
    *q = (struct question){ .provider = p, .in = *in, .call = call };
    world.asks++;
    world.asked = p;
    world.in = *in;
    return true;
}

void question_read(struct question *q, struct arena *arena)
{
    q->answer = ARENA_NEW(arena, struct route_answer);
    q->end = world.end;
    if (q->end != ASK_OFFERED)
        return;
    q->answer->count = 1;
    CHECK(u256_parse(&q->answer->offers[0].out, world.out));
}

/* Only another service than Jupiter's is on, and gives what it takes. */
static void world_reset(void)
{
    memset(&world, 0, sizeof world);
    world.relay = world.jupiter = true;
    world.end = ASK_OFFERED;
    world.out = "100000000";
    shm_cache_clear(&cached_trades);
}

/* The price of a token that Jupiter has said to be worth so much, afterwards. */
static struct price confirmed(const char *symbol, const char *usd)
{
    const struct chain *solana = chain_find("solana");
    struct price p = { .symbol = symbol,
                       .state = PRICE_KNOWN,
                       .chain = solana,
                       .token = token_find(solana, symbol),
                       .wants_bounds = true };
    struct price_query x = { .price = &p };
    struct call call;

    CHECK(amount_of_number(&p.usd, usd, RATE_PLACES));
    p.sources = 0;
    price_add(&p, p.usd, true);
    (void)price_trade_ask(&x, &ctx, a, &call);
    price_trade_read(&x, a);
    return p;
}

static bool amount_is(struct u256 v, const char *digits)
{
    struct u256 want;

    return u256_parse(&want, digits) && u256_cmp(v, want) == 0;
}

static void a_hundred_dollars_worth_is_asked_of_another(void)
{
    struct price p;

    world_reset();
    p = confirmed("SOL", "150");
    CHECK(p.has_bounds && p.sources == 2 && world.asks == 1 && strcmp(world.asked->key, "relay") == 0);
    CHECK(amount_is(world.in.amount_in, "666666666")); /* two thirds of a coin */
    CHECK(world.in.to_chain == chain_by_id(FAR_CHAIN) && strcmp(world.in.to.symbol, "USDC") == 0);
    CHECK(world.told == ASK_OFFERED);
    world_reset();
    world.out = "50";
    CHECK(confirmed("BONK", "0.00002").sources == 2);
    CHECK(amount_is(world.in.amount_in, "500000000000")); /* five millions of them */
}

/* Jupiter's lie changes the amount that is asked for, not the other service's price. */
static void a_lie_stands_alone(void)
{
    struct price p;

    world_reset();
    world.out = "99999990000"; /* 150 dollars each */
    p = confirmed("SOL", "0.15");
    CHECK(amount_is(world.in.amount_in, "666666666666"));
    CHECK_STR(amount_text(a, p.low), "0.15");
    CHECK(strncmp(amount_text(a, p.high), "149.9999", 8) == 0);
}

static void no_answer_is_no_source(void)
{
    static const enum ask_end ends[] = { ASK_NO_ROUTE, ASK_TOO_SMALL, ASK_UNAVAILABLE, ASK_TIMEOUT,
                                         ASK_REFUSED };

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        world_reset();
        world.end = ends[i];
        CHECK(!confirmed("SOL", "150").has_bounds && world.told == ends[i]);
    }
    world_reset();
    world.health = PROVIDER_FAILING;
    CHECK(!confirmed("SOL", "150").has_bounds && world.asks == 0);
    world.relay = world.jupiter = false;
    CHECK(!confirmed("SOL", "150").has_bounds && world.asks == 0);
    world_reset();
    CHECK(!confirmed("SOL", "0").has_bounds && world.asks == 0);
}

static void an_answer_serves_half_a_minute(void)
{
    struct cached_trade kept;

    world_reset();
    CHECK(confirmed("SOL", "150").has_bounds && confirmed("SOL", "150").has_bounds);
    CHECK(confirmed("WSOL", "150").has_bounds && world.asks == 1); /* what wraps it is the same */
    CHECK(shm_cache_read(&cached_trades, trade_place(token_find(chain_find("solana"), "SOL")), &kept));
    kept.said_ms -= TRADE_FRESH_MS;
    shm_cache_write(&cached_trades, trade_place(kept.token), &kept);
    world.health = PROVIDER_SPENT; /* what is kept is not renewed in an offer's stead */
    CHECK(confirmed("SOL", "150").has_bounds && world.asks == 1);
    kept.said_ms -= TRADE_KEPT_MS - TRADE_FRESH_MS;
    shm_cache_write(&cached_trades, trade_place(kept.token), &kept);
    CHECK(confirmed("SOL", "150").has_bounds && world.asks == 2); /* what is missing is asked for */
}

/* The operator has no other service, which the check shows. */
static void its_own_trades_stand_in(void)
{
    const struct chain *solana = chain_find("solana");

    world_reset();
    CHECK(price_has_trader(&ctx, solana));
    world.relay = false;
    CHECK(!price_has_trader(&ctx, solana));
    CHECK(confirmed("SOL", "150").has_bounds && world.asked == &jupiter && world.in.to_chain == solana);
    /* One that is on and does not answer has no stand-in. */
    world_reset();
    world.end = ASK_UNAVAILABLE;
    CHECK(!confirmed("SOL", "150").has_bounds && world.asked != &jupiter);
}

static void dollars_are_what_is_counted_in(void)
{
    struct price p;

    world_reset();
    p = confirmed("USDC", "0.001");
    CHECK(world.asks == 0 && p.has_bounds);
    CHECK_STR(amount_text(a, p.high), "1");
}

static void trades_test_start(void)
{
    a = arena_new();
}

static void trades_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(trades_test_start), TEST(a_hundred_dollars_worth_is_asked_of_another),
          TEST(a_lie_stands_alone), TEST(no_answer_is_no_source), TEST(an_answer_serves_half_a_minute),
          TEST(its_own_trades_stand_in), TEST(dollars_are_what_is_counted_in), TEST(trades_test_end))
