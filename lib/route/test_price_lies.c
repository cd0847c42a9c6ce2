/* Prices that limits go by, on Solana, where the service that says them or the one that trades lies. */
#include "codec/test_liar.h"

#define calls_run services_say
#include "route/jupiter_prices.c"
#include "route/price.c"
#include "route/price_trades.c"

#include <unistd.h>

#include "service/conf.h"

#define SOL_MINT "So11111111111111111111111111111111111111112"

static struct ctx ctx;
static struct arena *arena;
static struct nodes *nodes;
static const json_t *says_price, *says_order;

/* Whatever is asked for, in the form of what was recorded: the price in dollars, and a small trade against
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
    board_clear(&kept_prices);
    board_clear(&kept_trades);
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
          TEST(lies_test_end))
