/* Prices that limits go by: on Solana, where the service that says them or the one that trades lies; by the
 * average of pools, where one of two nodes does. */
#include "codec/test_liar.h"

#define calls_run services_say
#define node_end  node_says
#include "route/jupiter_prices.c"
#include "route/price.c"
#include "route/price_trades.c"
#include "route/twap.c"

#include <unistd.h>

#include "chain/evm/evm_rpc.h"
#include "chain/evm/evm_rpc_class.h"
#include "codec/hex.h"
#include "service/conf.h"

#define SOL_MINT "So11111111111111111111111111111111111111112"

static struct ctx ctx;
static struct arena *arena;
static struct nodes *nodes;
static const json_t *says_price, *says_order;

/* Answers every question in the form of recorded answers: the price in dollars, and a small trade against
 * them. */
size_t services_say(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    (void)n, (void)deadline_ms;
    for (size_t i = 0; i < count; i++) {
        char *text =
            json_dumps(strstr(calls[i].url, "/price/") != NULL ? says_price : says_order, JSON_ENCODE_ANY);

        calls[i].result = CALL_ANSWERED;
        calls[i].status = 200;
        buf_reset(&calls[i].answer);
        buf_adds(&calls[i].answer, text);
        free(text);
    }
    return count;
}

struct priced {
    bool order_lies;
    struct u256 truly;
};

/* A higher price leaves less room. One that is lower by no more than sources may differ is near. */
static const char *price_by(const json_t *price, const json_t *order, struct priced *of)
{
    const struct chain *solana = chain_find("solana");
    struct price p = price_of_token(&ctx, arena, solana, token_find(solana, "SOL"));
    struct u256 least;

    says_price = json_array_get(price, 0);
    says_order = json_array_get(order, 0);
    shm_cache_clear(&cached_prices);
    shm_cache_clear(&cached_trades);
    p.wants_bounds = true;
    prices_ask(&ctx, arena, &p, 1);
    if (!p.has_bounds || p.apart)
        return NULL;
    if (u256_is_zero(of->truly))
        of->truly = p.high.raw;
    CHECK(u256_muldiv(&least, of->truly, u256_from_u64(PPM_ONE - ctx.conf->price_divergence_max),
                      u256_from_u64(PPM_ONE)));
    return u256_cmp(p.high.raw, least) < 0 ? "cheaper" : "near";
}

static void priced_with(const json_t *lie, const char *path, enum liar_way way, void *arg)
{
    struct priced *of = arg;
    json_t *truth = json_pack("[O]", liar_recorded(of->order_lies ? "jupiter_price" : "jupiter_order"));
    const char *got = of->order_lies ? price_by(truth, lie, of) : price_by(lie, truth, of);

    if (got != NULL && strcmp(got, "near") != 0) {
        fprintf(stderr, "%s, lie %d: %s\n", path, (int)way, got);
        test_case_failures++;
    }
    json_decref(truth);
}

static void one_liar_makes_nothing_cheaper(void)
{
    json_t *price = json_pack("[O]", liar_recorded("jupiter_price")),
           *order = json_pack("[O]", liar_recorded("jupiter_order"));
    struct priced of = { .order_lies = false };

    CHECK_STR(price_by(price, order, &of), "near");
    CHECK(liar_tells(liar_recorded("jupiter_price"), priced_with, &of) >= LIAR_WAYS);
    of.order_lies = true;
    CHECK(liar_tells(liar_recorded("jupiter_order"), priced_with, &of) >= LIAR_WAYS);
    json_decref(price);
    json_decref(order);
}

/* Together they would. */
static void two_liars_do(void)
{
    struct priced of = { .order_lies = false };
    json_t *price = json_pack("[O]", liar_recorded("jupiter_price")),
           *order = json_pack("[O]", liar_recorded("jupiter_order")), *lower = json_deep_copy(price),
           *less = json_deep_copy(order), *coin = json_object_get(json_array_get(lower, 0), SOL_MINT),
           *trade = json_array_get(less, 0);

    CHECK_STR(price_by(price, order, &of), "near");
    json_object_set_new(coin, "usdPrice", json_loads("0.15", JSON_DECODE_ANY, NULL));
    json_object_set_new(trade, "inAmount", json_string("666666666666")); /* as it is asked for then */
    json_object_set_new(trade, "outAmount", json_string("99985601"));
    json_object_set_new(trade, "otherAmountThreshold", json_string("99485672"));
    CHECK_STR(price_by(lower, less, &of), "cheaper");
    json_decref(price);
    json_decref(order);
    json_decref(lower);
    json_decref(less);
}

/* ---- the average of pools ---- */

enum { SEEN = 28 /* four pools, seven windows */, DEEP = 9, THIN = 2 /* what answered */ };

static const json_t *shows[NODE_OPINIONS]; /* boxed, what each node answers */
static const struct twap *asked_for;

bool node_says(struct node_query *q)
{
    const json_t *said = json_array_get(shows[q - asked_for->queries], 0);
    json_t *all = json_pack("[{s:i,s:O?}]", "id", 0, "result", said);
    char *text = json_dumps(all, 0);
    struct buf body = BUF_INIT(65536);
    bool read;

    buf_adds(&body, text);
    read = rpc_read(&q->answers, arena, &body, 1, evm_classify);
    buf_free(&body);
    free(text);
    json_decref(all);
    return read;
}

/* Ticks of ether in dollars, and the seconds of a unit of liquidity. */
static void observation_add(struct buf *out, uint64_t window, uint64_t seconds)
{
    enum { TICK = 196256, BEGUN = 20000000 };

    abi_u64(out, 64);
    abi_u64(out, 160);
    abi_u64(out, 2);
    abi_u64(out, BEGUN);
    abi_u64(out, BEGUN + TICK * window);
    abi_u64(out, 2);
    abi_u256(out, (struct u256){ { 0, 5, 0, 0 } });
    abi_u256(out, (struct u256){ { 0, 5 + seconds, 0, 0 } });
}

/* The multicall contract's answer: for each call, whether it succeeded, and its result. */
static json_t *observations(void)
{
    struct buf out = BUF_INIT(65536), list = BUF_INIT(65536);
    size_t at = (size_t)SEEN * ABI_WORD;
    char *hex;
    json_t *text;

    abi_u64(&out, 32);
    abi_u64(&out, SEEN);
    for (unsigned i = 0; i < SEEN; i++) {
        bool there = i == DEEP || i == THIN;
        size_t begun = list.len;

        abi_u64(&out, at);
        abi_u64(&list, there);
        abi_u64(&list, 64);
        abi_u64(&list, there ? 8 * ABI_WORD : 0);
        if (there)
            observation_add(&list, windows[i % WINDOWS], i == DEEP ? 100 : 200000);
        at += list.len - begun;
    }
    buf_add(&out, list.data, list.len);
    hex = arena_alloc(arena, 2 * out.len + 1);
    hex_encode(hex, (const uint8_t *)out.data, out.len);
    text = json_sprintf("0x%s", hex);
    buf_free(&list);
    buf_free(&out);
    return text;
}

static size_t twaps_read(struct amount usd[static NODE_OPINIONS], bool both)
{
    const struct chain *c = chain_find("ethereum");
    struct twap q = { .token = token_find(c, "ETH"),
                      .dollar = token_find(c, "USDC"),
                      .count = 1,
                      .at = { .chain = c, .v3_quoter = { { 1 } } },
                      .asked = { true, both } };

    q.legs[0] = (struct twap_leg){ token_addr(token_wrapped_native(c)), token_addr(q.dollar) };
    asked_for = &q;
    return twap_read(&q, arena, usd);
}

/* The first node reports the present price of pools, which fits its average. */
static const char *twap_by(const json_t *first, const json_t *second, void *arg)
{
    const struct chain *c = chain_find("ethereum");
    struct price p = price_of_token(&ctx, arena, c, token_find(c, "ETH"));
    struct amount usd[NODE_OPINIONS], now = { U256_ZERO, RATE_PLACES };
    struct u256 truly, least;
    size_t n;

    (void)arg;
    CHECK(u256_mul(&truly, u256_from_u64(3000104), u256_from_u64(1000000000000000)));
    shows[0] = first;
    shows[1] = second;
    now.raw = twaps_read(usd, false) == 1 ? usd[0].raw : truly;
    n = twaps_read(usd, true);
    for (size_t i = 0; i < n; i++)
        price_add(&p, usd[i], true);
    price_add(&p, now, false);
    if (!p.has_bounds || sources_far_apart(&ctx, &p))
        return NULL;
    CHECK(u256_muldiv(&least, truly, u256_from_u64(PPM_ONE - ctx.conf->price_divergence_max),
                      u256_from_u64(PPM_ONE)));
    return u256_cmp(p.high.raw, least) < 0 ? "cheaper" : "near";
}

static void one_liar_of_two_moves_no_average(void)
{
    json_t *truth = observations();

    liar_alone_changes_nothing("observe()", truth, twap_by, NULL);
    json_decref(truth);
}

static void settings_open(const char *text)
{
    char path[] = "/tmp/test_lies.XXXXXX";
    int fd = mkstemp(path);

    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
    ctx.conf = conf_load(path);
    ctx.providers = provider_services_new(ctx.conf);
    CHECK(unlink(path) == 0);
}

static void lies_test_start(void)
{
    arena = arena_new();
    settings_open("provider.jupiter.url = http://127.0.0.1:1/j\nprovider.jupiter.rate = 100000/s\n"
                  "provider.relay.url =\nrpc.solana = http://127.0.0.1:2\n");
    nodes = nodes_new(ctx.conf);
    ctx.nodes = nodes;
}

static void lies_test_end(void)
{
    nodes_free(nodes);
    provider_services_free((struct provider_services *)ctx.providers);
    conf_free((struct conf *)ctx.conf);
    arena_free(arena);
}

TEST_MAIN(TEST(lies_test_start), TEST(one_liar_makes_nothing_cheaper), TEST(two_liars_do),
          TEST(one_liar_of_two_moves_no_average), TEST(lies_test_end))
