/* The fan-out, with providers and a network of the test's own. */
#include "base/test.h"
#include "route/provider.h"

static const struct provider *fakes[4];
#define providers       fakes
#define provider_find   fake_find
#define calls_run       fake_run
#define provider_url    fake_url
#define provider_is_on  fake_is_on
#define provider_key    fake_key
#define provider_tell   fake_tell
#define provider_admits fake_health
#include "route/provider_service.h"
#include "route/provider_state.h"
static const struct provider *fake_find(const char *key);
size_t fake_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms);
#include "route/round.c"
#include "route/route.c"
#undef providers
#undef provider_find
#undef calls_run
#undef provider_url
#undef provider_is_on
#undef provider_key
#undef provider_tell
#undef provider_admits

enum { GAS_OF_A_UNIT = 50000 }; /* so much costs one of the bought token */

static struct arena *a;
static struct conf conf;
static struct nodes *nodes;
static struct ctx ctx = { .conf = &conf };

static const struct provider *fake_find(const char *key)
{
    for (const struct provider *const *p = fakes; *p != NULL; p++)
        if (strcmp((*p)->key, key) == 0)
            return *p;
    return NULL;
}

static const char *our_key; /* that the fakes know us by */

const char *fake_url(const struct ctx *c, const struct provider *p)
{
    (void)c;
    return p->key;
}

bool fake_is_on(const struct ctx *c, const struct provider *p)
{
    return p->service == NULL || fake_url(c, p) != NULL;
}

const char *fake_key(const struct ctx *c, const struct provider *p)
{
    (void)c;
    (void)p;
    return our_key;
}

static enum provider_health admitted;

enum provider_health fake_health(const struct ctx *c, const struct provider *p)
{
    (void)c;
    (void)p;
    return admitted;
}

void fake_tell(const struct provider *p, const struct call *call, enum ask_end end)
{
    (void)p;
    (void)call;
    (void)end;
}

/* The answer of a fake: as many offers as there are outputs, the first of them the least. */
struct script {
    uint64_t out[6], gas, min_out;
    bool silent, held, dust, priced;
    unsigned calls;         /* of ask_tx's call */
    enum tx_end tx_ends[3]; /* of one call after the other */
};

static struct script first, second;
static unsigned runs;

static const struct script *script_of(const struct call *call)
{
    return call->owner;
}

size_t fake_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    (void)n;
    runs++;
    CHECK(runs == 1 ? deadline_ms == 2500 : deadline_ms > 0 && deadline_ms <= 2500);
    for (size_t i = 0; i < count; i++)
        calls[i].result = script_of(&calls[i])->silent ? CALL_TIMEOUT
                          : script_of(&calls[i])->held ? CALL_HELD
                                                       : CALL_ANSWERED;
    return count;
}

static bool on_one_chain(const struct chain *from, const struct chain *to)
{
    return from == to && from->type == CHAIN_EVM;
}

static bool call_of(struct call *call, struct script *s)
{
    call_init(call, "http://127.0.0.1/", 1000);
    call->owner = s;
    return true;
}

static bool ask_first(struct call *call, const struct ctx *c, const struct route_in *in, struct arena *arena)
{
    (void)c;
    (void)in;
    (void)arena;
    return call_of(call, &first);
}

static bool ask_second(struct call *call, const struct ctx *c, const struct route_in *in, struct arena *arena)
{
    (void)c;
    (void)in;
    (void)arena;
    return call_of(call, &second);
}

static enum ask_end read_script(const struct call *call, const struct route_in *in, struct arena *arena,
                                struct route_answer *out)
{
    static const uint8_t payload[] = { 7 };
    const struct script *s = script_of(call);

    (void)in;
    (void)arena;
    if (s->silent)
        return ASK_UNAVAILABLE;
    for (size_t i = 0; i < 6 && s->out[i] > 0; i++)
        out->offers[out->count++] = (struct offer){ .label = "a route",
                                                    .out = u256_from_u64(s->out[i]),
                                                    .min_out = u256_from_u64(s->min_out),
                                                    .gas_units = s->gas,
                                                    .payload = { payload, 1 } };
    if (s->priced) {
        struct u256 one = u256_from_u64(1);

        out->reference_out = u256_from_u64(5000);
        out->gas = (struct gas_price){ .per_unit = one, .output = { u256_from_u64(GAS_OF_A_UNIT), one } };
    }
    return out->count > 0 ? ASK_OFFERED : s->dust ? ASK_TOO_SMALL : ASK_NO_ROUTE;
}

static bool ask_first_tx(struct call *call, const struct ctx *c, const struct tx_in *in, struct arena *arena)
{
    (void)c;
    (void)in;
    (void)arena;
    first.calls = 0;
    return call_of(call, &first);
}

static enum tx_end read_first_tx(struct call *call, const struct tx_in *in, struct arena *arena,
                                 struct wallet_call *out)
{
    enum tx_end end = call->result == CALL_ANSWERED ? first.tx_ends[first.calls] : TX_UNAVAILABLE;

    (void)in;
    (void)arena;
    first.calls++;
    out->min_out = u256_from_u64(first.min_out);
    if (end == TX_ASKS_MORE) {
        call_free(call);
        (void)call_of(call, &first);
    }
    return end;
}

static const struct provider one = { .key = "one",
                                     .name = "one",
                                     .supports = on_one_chain,
                                     .ask = ask_first,
                                     .read = read_script,
                                     .ask_tx = ask_first_tx,
                                     .read_tx = read_first_tx },
                             two = { .key = "two",
                                     .name = "two",
                                     .supports = on_one_chain,
                                     .ask = ask_second,
                                     .read = read_script };

/* Hardly to be asked without a key. */
static const struct provider_service rare = { .keyless_rate = "1/h" };
static const struct provider shy = { .key = "shy",
                                     .name = "shy",
                                     .service = &rare,
                                     .supports = on_one_chain,
                                     .ask = ask_first,
                                     .read = read_script };

static const struct err *offered(struct offers *out)
{
    const struct route_in in = { .from_chain = chain_by_id(1),
                                 .to_chain = chain_by_id(1),
                                 .amount_in = u256_from_u64(1000),
                                 .slippage = { 10000 } };

    runs = 0;
    return route_offers(&ctx, a, &in, out);
}

static bool out_is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

/* Six of one and one of another: each has places of its own, and one price of gas counts for all. */
static void every_provider_has_places_of_its_own(void)
{
    struct offers out;

    first = (struct script){ .out = { 1001, 1002, 1003, 1004, 1005, 1006 },
                             .gas = 10 * GAS_OF_A_UNIT,
                             .priced = true };
    second = (struct script){ .out = { 990 }, .gas = 100 * GAS_OF_A_UNIT };
    CHECK(offered(&out) == NULL && out.count == OFFERS_EACH + 1 && out_is(out.reference_out, 5000));
    CHECK(out.reference.len == 2 && out.reference.bytes[0] == 1); /* of the provider that knew it */
    CHECK(out.best_first[0].provider == &one && out_is(out.best_first[0].out, 1006));
    CHECK(out_is(out.best_first[0].net, 996) && out_is(out.best_first[3].out, 1003));
    CHECK(out.best_first[4].provider == &two && out_is(out.best_first[4].net, 890));
    second.gas = GAS_OF_A_UNIT;
    second.out[0] = 999;
    CHECK(offered(&out) == NULL && out.best_first[0].provider == &two && out_is(out.best_first[0].net, 998));
}

static void minimums_are_capped_by_the_slippage(void)
{
    struct offers out;

    first = (struct script){ .out = { 1000 } };
    second = (struct script){ .out = { 999 }, .min_out = 900 };
    CHECK(offered(&out) == NULL && out.count == 2);
    CHECK(out_is(out.best_first[0].min_out, 990)); /* it named none: out less one per cent */
    CHECK(out_is(out.best_first[1].min_out, 900));
    second.min_out = 999;
    CHECK(offered(&out) == NULL && out_is(out.best_first[1].min_out, 989));
}

static void silent_providers_do_not_spoil_other_offers(void)
{
    struct offers out;

    first = (struct script){ .silent = true };
    second = (struct script){ .out = { 990 } };
    CHECK(offered(&out) == NULL && out.count == 1 && out.best_first[0].provider == &two);
    second.out[0] = 0;
    CHECK(offered(&out) == &E_NO_LIQUIDITY);
    second.dust = true;
    CHECK(offered(&out) == &E_TOO_LITTLE);
    second = (struct script){ .silent = true };
    CHECK(strstr(offered(&out)->hint, "node of the chain") != NULL);
    fakes[0] = &shy; /* a service, and the only one */
    fakes[1] = NULL;
    CHECK(err_is(offered(&out), &E_UPSTREAM) && strstr(offered(&out)->hint, "this pair") != NULL);
    fakes[0] = &one;
    fakes[1] = &two;
}

/* Two tokens of one asset, be it on two chains, or the coin and its wrapped form. */
static void offers_of_more_of_the_same_asset_are_rejected(void)
{
    static const struct {
        const char *sold, *bought_on, *bought;
        uint64_t put_in; /* 0: another asset */
    } rows[] = {
        { "USDC", "base", "USDC", 1000 },    { "ETH", "base", "WETH", 1000 },
        { "ETH", "ethereum", "WETH", 1000 }, { "USDC", "base", "DAI", 0 },
        { "ETH", "base", "USDC", 0 },
    };
    struct route_in in = { .amount_in = u256_from_u64(1000) };
    struct route_answer answer = { .count = 1 };
    const struct question q = { .answer = &answer };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        in.from = token_ref_of(token_find(chain_by_id(1), rows[i].sold));
        in.to = token_ref_of(token_find(chain_find(rows[i].bought_on), rows[i].bought));
        CHECK(out_is(round_put_in(&in), rows[i].put_in));
    }
    answer.offers[0].out = u256_from_u64(1000);
    CHECK(outlier_why(&q, U256_ZERO, u256_from_u64(1000)) == NULL);
    answer.offers[0].out = u256_from_u64(1001);
    CHECK(outlier_why(&q, U256_ZERO, u256_from_u64(1000)) != NULL &&
          outlier_why(&q, U256_ZERO, U256_ZERO) == NULL);
}

/* One knows what gas costs, the other what the coin is worth. */
static void gas_prices_of_providers_are_merged(void)
{
    struct rate half = { u256_from_u64(2), u256_from_u64(1) }, nothing = { U256_ZERO, U256_ZERO };
    struct gas_price known = { .per_unit = u256_from_u64(7), .output = half, .usd = nothing },
                     said = { .per_unit = u256_from_u64(9), .output = nothing, .usd = half };

    round_learn(&known, &said);
    CHECK(out_is(known.per_unit, 7) && out_is(known.output.give, 2) && out_is(known.usd.give, 2));
    known = (struct gas_price){ .per_unit = U256_ZERO };
    round_learn(&known, &said);
    CHECK(out_is(known.per_unit, 9) && u256_is_zero(known.output.get) && out_is(known.usd.get, 1));
}

/* Though it is the first in the table. */
static void keyless_providers_are_asked_last(void)
{
    struct offers out;

    fakes[0] = &shy;
    first = (struct script){ .out = { 1000 } };
    second = (struct script){ .out = { 990 } };
    CHECK(offered(&out) == NULL && out.count == 1 && out.best_first[0].provider == &two && runs == 1);
    CHECK(out.asked_count == 2 && out.asked[0].provider == &shy && out.asked[0].end == ASK_SKIPPED);
    second = (struct script){ .silent = true };
    CHECK(offered(&out) == NULL && out.count == 1 && out.best_first[0].provider == &shy && runs == 2);
    CHECK(out.asked_count == 2);
    first = (struct script){ .dust = true };
    CHECK(offered(&out) == &E_TOO_LITTLE);
    our_key = "ours"; /* like all others, then */
    second = (struct script){ .out = { 990 } };
    first = (struct script){ .out = { 1000 } };
    CHECK(offered(&out) == NULL && out.count == 2 && runs == 1);
    our_key = NULL;
    fakes[0] = &one;
}

static const struct err *carried_out(const char *key)
{
    const struct tx_in in = { .route = { .from_chain = chain_by_id(1), .to_chain = chain_by_id(1) },
                              .min_out = u256_from_u64(900) };
    struct wallet_call out;

    runs = 0;
    return route_tx(&ctx, a, key, &in, &out);
}

static void a_transaction_may_take_several_questions(void)
{
    first = (struct script){ .min_out = 900, .tx_ends = { TX_ASKS_MORE, TX_READY } };
    CHECK(carried_out("one") == NULL && first.calls == 2);
    first = (struct script){ .min_out = 900, .tx_ends = { TX_ASKS_MORE, TX_ASKS_MORE, TX_ASKS_MORE } };
    CHECK(err_is(carried_out("one"), &E_UPSTREAM) && first.calls == TX_ROUNDS_MAX);
}

static void failed_offers_are_not_carried_out(void)
{
    first = (struct script){ .min_out = 899, .tx_ends = { TX_READY } };
    CHECK(carried_out("one") == &E_PRICE_MOVED);
    first = (struct script){ .min_out = 900, .tx_ends = { TX_NO_ROUTE } };
    CHECK(carried_out("one") == &E_NO_LIQUIDITY);
    first.tx_ends[0] = TX_TOO_LITTLE;
    CHECK(carried_out("one") == &E_PRICE_MOVED);
    first.tx_ends[0] = TX_LACKS_INPUT;
    CHECK(carried_out("one") == &E_BALANCE);
    first.tx_ends[0] = TX_LACKS_GAS;
    CHECK(carried_out("one") == &E_GAS);
    first.silent = true;
    CHECK(err_is(carried_out("one"), &E_UPSTREAM));
    CHECK(carried_out("gone") == &E_PRICE_MOVED); /* which ended since */
}

/* Neither is the provider's silence. */
static void paused_providers_are_not_asked_for_a_transaction(void)
{
    first = (struct script){ .min_out = 900, .held = true };
    CHECK(err_is(carried_out("one"), &E_BUSY) && runs == 1);
    first.held = false;
    admitted = PROVIDER_FAILING;
    CHECK(strstr(carried_out("one")->hint, "are not asked at the moment") != NULL && runs == 0);
    admitted = PROVIDER_READY;
}

static void route_test_start(void)
{
    a = arena_new();
    nodes = nodes_new(&conf);
    ctx.nodes = nodes;
    fakes[0] = &one;
    fakes[1] = &two;
}

static void route_test_end(void)
{
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(route_test_start), TEST(every_provider_has_places_of_its_own),
          TEST(minimums_are_capped_by_the_slippage), TEST(silent_providers_do_not_spoil_other_offers),
          TEST(offers_of_more_of_the_same_asset_are_rejected), TEST(gas_prices_of_providers_are_merged),
          TEST(keyless_providers_are_asked_last), TEST(a_transaction_may_take_several_questions),
          TEST(failed_offers_are_not_carried_out), TEST(paused_providers_are_not_asked_for_a_transaction),
          TEST(route_test_end))
