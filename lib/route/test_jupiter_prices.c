/* Reading Jupiter's prices, their time in the cache, and their renewal. */
#include "route/jupiter_prices.c"

#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"
#include "service/conf.h"

#define URL       "http://127.0.0.1:1/j"
#define SOL_MINT  "So11111111111111111111111111111111111111112"
#define USDC_MINT "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
#define BONK_MINT "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"

static const char good[] = "{\"" SOL_MINT "\":{\"usdPrice\":150.25,\"decimals\":9,\"priceChange24h\":-1.5},"
                           "\"" USDC_MINT "\":{\"usdPrice\":0.9998,\"decimals\":6,\"priceChange24h\":null},"
                           "\"" BONK_MINT "\":{\"usdPrice\":2.05e-5,\"decimals\":5}}";

static struct ctx ctx;
static struct arena *arena;
static struct call call;

static void open_with(const char *settings)
{
    char path[] = "/tmp/test_prices.XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

    CHECK(f != NULL && fputs(settings, f) >= 0 && fputs("\n", f) >= 0 && fclose(f) == 0);
    arena = arena_new();
    ctx.conf = conf_load(path);
    ctx.providers = provider_services_new(ctx.conf);
    CHECK(unlink(path) == 0);
}

static void close_again(void)
{
    provider_services_free((struct provider_services *)ctx.providers);
    conf_free((struct conf *)ctx.conf);
    arena_free(arena);
}

static void plays(int status, const char *answer)
{
    call.result = CALL_ANSWERED;
    call.status = status;
    buf_adds(&call.answer, answer);
    jupiter_prices.keep(&call);
}

static bool asks_if(bool needed)
{
    return jupiter_prices.renew(&call, &ctx, arena, needed);
}

static bool asks(void)
{
    return asks_if(true);
}

/* The question is put, and answered. */
static void answered(int status, const char *answer)
{
    shm_cache_clear(&cached_prices);
    CHECK(asks());
    plays(status, answer);
}

static bool priced(struct feed_price *out, const char *symbol)
{
    return jupiter_prices.last(out, token_find(chain_find("solana"), symbol)) && out->has_usd;
}

static bool is_worth(const char *symbol, const char *usd)
{
    struct feed_price said;

    return priced(&said, symbol) && strcmp(amount_text(arena, said.usd), usd) == 0;
}

static void kept_since(int64_t age_ms)
{
    struct cached_prices kept;

    CHECK(shm_cache_read(&cached_prices, 0, &kept));
    kept.said_ms = clock_mono_ms() - age_ms;
    shm_cache_write(&cached_prices, 0, &kept);
}

static void every_mint_is_named_once(void)
{
    unsigned commas = 0, mints = 0;

    CHECK(asks());
    CHECK(strstr(call.url, URL "/price/v3?ids=" SOL_MINT "," USDC_MINT ",") == call.url);
    CHECK(strstr(strstr(call.url, SOL_MINT) + 1, SOL_MINT) == NULL);
    for (const char *at = call.url; *at != '\0'; at++)
        commas += *at == ',';
    for (size_t i = 0; i < tokens_count; i++)
        mints += strcmp(tokens[i].chain, "solana") == 0 && !tokens[i].wrapped_native;
    CHECK(mints == commas + 1 && mints < NAMED_MAX);
    CHECK(call.timeout_ms == TIMEOUT_MS);
    call_free(&call);
}

static void answered_prices_are_cached(void)
{
    struct feed_price said;

    answered(200, good);
    CHECK(is_worth("SOL", "150.25") && is_worth("WSOL", "150.25"));
    CHECK(is_worth("USDC", "0.9998") && is_worth("BONK", "0.0000205"));
    CHECK(priced(&said, "SOL") && said.has_change && said.change_minus);
    CHECK_STR(amount_text(arena, said.change), "1.5");
    CHECK(priced(&said, "USDC") && !said.has_change);
    CHECK(!priced(&said, "JUP")); /* does not trade */
    CHECK(!jupiter_prices.last(&said, token_find(chain_by_id(1), "USDC")));
}

static void malformed_prices_are_ignored(void)
{
    static const char *const none[] = {
        "0",   "0.0", "-1",           "-0.5", "null",  "true",  "\"abc\"",  "\"\"",
        "[1]", "{}",  "1000000000.1", "1e9",  "1e-19", "1e400", "\"0x10\"", "\" 1\"",
    };
    struct feed_price said;

    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        answered(200, arena_printf(arena, "{\"" SOL_MINT "\":{\"usdPrice\":%s,\"decimals\":9}}", none[i]));
        CHECK(priced(&said, "SOL") == (strcmp(none[i], "1e9") == 0));
    }
    answered(200, "{\"" SOL_MINT "\":{\"usdPrice\":150,\"decimals\":8}}"); /* not the table's */
    CHECK(!priced(&said, "SOL"));
    answered(200, "{\"" SOL_MINT "\":{\"usdPrice\":150}}");
    CHECK(!priced(&said, "SOL"));
    answered(200, "{\"" SOL_MINT "\":150}");
    CHECK(!priced(&said, "SOL"));
    answered(200, "{}");
    CHECK(!priced(&said, "SOL"));
    answered(200, "{\"so11111111111111111111111111111111111111112\":{\"usdPrice\":150,\"decimals\":9}}");
    CHECK(!priced(&said, "SOL"));
}

static void prices_are_cached_for_a_minute(void)
{
    struct feed_price said;

    answered(200, good);
    CHECK(!asks());
    kept_since(FRESH_MS);
    CHECK(asks() && is_worth("SOL", "150.25"));
    plays(503, "{}"); /* no answer takes nothing away */
    CHECK(is_worth("SOL", "150.25"));
    kept_since(KEPT_MS);
    CHECK(!priced(&said, "SOL"));
    CHECK(asks());
    plays(200, "[]");
    CHECK(!priced(&said, "SOL"));
}

/* Questions at 1000 a second count for some ms more. */
static void until_nothing_counts(void)
{
    for (unsigned ms = 0; ms < 1000 && provider_health(&ctx, &jupiter) == PROVIDER_SPENT; ms++)
        CHECK(usleep(1000) == 0);
    CHECK(provider_health(&ctx, &jupiter) == PROVIDER_READY);
}

/* Cached prices are not renewed at the cost of an offer; without any, the question is asked. */
static void its_rate_is_that_of_offers(void)
{
    close_again();
    open_with("provider.jupiter.url = " URL "\nprovider.jupiter.rate = 1/2h");
    shm_cache_clear(&cached_prices);
    until_nothing_counts();
    CHECK(asks());
    plays(200, good);
    CHECK(provider_admits(&ctx, &jupiter) == PROVIDER_SPENT);
    kept_since(FRESH_MS);
    CHECK(!asks());
    kept_since(KEPT_MS);
    CHECK(!asks_if(false) && asks());
    plays(429, "{}");
    CHECK(provider_health(&ctx, &jupiter) == PROVIDER_PAUSED);
    CHECK(!asks()); /* even without a kept price */
}

static void jupiter_prices_serve_solana_only(void)
{
    const struct chain *solana = chain_find("solana"), *ethereum = chain_by_id(1);
    const struct token *coin = token_find(solana, "SOL");
    struct nodes *nodes;

    close_again();
    open_with("provider.jupiter.url = " URL "\nrpc.solana = http://127.0.0.1:2");
    nodes = nodes_new(ctx.conf);
    ctx.nodes = nodes;
    CHECK(jupiter_prices.lists(&ctx, solana, coin));
    CHECK(!jupiter_prices.lists(&ctx, ethereum, token_find(ethereum, "ETH")));
    nodes_free(nodes);
    close_again();
    open_with("provider.jupiter.url = " URL "\nrpc.solana =");
    ctx.nodes = nodes = nodes_new(ctx.conf);
    CHECK(!jupiter_prices.lists(&ctx, solana, coin)); /* nothing is traded there */
    nodes_free(nodes);
    close_again();
    open_with("provider.jupiter.url =\nrpc.solana = http://127.0.0.1:2");
    ctx.nodes = nodes = nodes_new(ctx.conf);
    CHECK(!jupiter_prices.lists(&ctx, solana, coin) && !asks());
    nodes_free(nodes);
    ctx.nodes = NULL;
}

static void prices_test_start(void)
{
    open_with("provider.jupiter.url = " URL "\nprovider.jupiter.rate = 1000/s");
}

static void prices_test_end(void)
{
    close_again();
}

TEST_MAIN(TEST(prices_test_start), TEST(every_mint_is_named_once), TEST(answered_prices_are_cached),
          TEST(malformed_prices_are_ignored), TEST(prices_are_cached_for_a_minute),
          TEST(its_rate_is_that_of_offers), TEST(jupiter_prices_serve_solana_only), TEST(prices_test_end))
