/* Prices from answers that a node and a feed would give; the network is a function of the test's own. */
#include "base/test.h"

#define calls_run answer_calls
#include "route/shortlist.c"
#include "route/uniswap.c"
#include "route/uniswap_contracts.c"

#include "route/feed.c"
#include "route/price.c"

#include "chain/evm/abi.h"
#include "chain/evm/test_play.h"
#include "codec/hex.h"
#include "route/test_contracts_state.h"

static struct arena *a;
static struct conf conf;
static struct nodes *nodes;
static struct ctx ctx = { .conf = &conf };

/* The outputs of a request's first paths, by the token sold; the others have no pool. */
static struct {
    const char *sold;
    uint64_t out[2];
} pools[] = {
    { "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", { 0, 0 } },
    { "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599", { 0, 0 } },
    { "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", { 0, 0 } },
    { "0xdAC17F958D2ee523a2206206994597C13D831ec7", { 0, 0 } },
};
enum { WETH, WBTC, USDC, USDT };

static bool node_is_silent, feed_is_silent;
static int feed_calls, pool_calls;
static const char *feed_text =
    "{\"solana\":{\"usd\":150.5,\"usd_24h_change\":-2.5},\"ethereum\":{\"usd\":1,\"usd_24h_change\":3.25}}";

static uint64_t paid(const struct uniswap_pools *p, unsigned path)
{
    struct evm_addr sold;

    for (size_t i = 0; i < sizeof pools / sizeof pools[0] && path < 2; i++)
        if (evm_addr_parse(&sold, pools[i].sold) && evm_addr_eq(sold, p->from))
            return pools[i].out[path];
    return 0;
}

static void add_result(struct buf *heads, struct buf *tails, bool ok, const struct buf *data)
{
    abi_u64(heads, tails->len);
    abi_u64(tails, ok);
    abi_u64(tails, 64);
    abi_bytes_tail(tails, data->data, data->len);
}

/* The base fee is so high that gas outweighs every output: it must not count. */
static void answer_pools(struct call *call)
{
    const struct uniswap_query *q = onchain_owner(call);
    const char *text;
    struct buf heads = BUF_INIT(8192), tails = BUF_INIT(65536), word = BUF_INIT(512), all = BUF_INIT(131072);
    unsigned first = q->gas.known ? 0 : 1, count = first + q->pools.count + q->gas.output_count;
    char *hex;

    abi_u64(&word, 1000000000000);
    if (!q->gas.known)
        add_result(&heads, &tails, true, &word);
    for (unsigned i = 0; i < count - first; i++) {
        uint64_t out = i < q->pools.count ? paid(&q->pools, i) : 0;

        buf_reset(&word);
        for (unsigned w = 0; w < 4; w++) /* a V2 answer's last word, or a V3 answer's first */
            abi_u64(&word, i == 0 || w == 0 ? out : 1);
        add_result(&heads, &tails, out > 0, &word);
    }
    abi_u64(&all, 32);
    abi_u64(&all, count);
    for (unsigned i = 0; i < count; i++) {
        uint64_t offset = 0;

        CHECK(abi_get_u64(&offset, (const uint8_t *)heads.data, heads.len, i));
        abi_u64(&all, offset + (uint64_t)count * ABI_WORD);
    }
    buf_add(&all, tails.data, tails.len);
    hex = arena_alloc(a, 2 * all.len + 1);
    hex_encode(hex, (const uint8_t *)all.data, all.len);
    text = arena_printf(a, "[{\"id\":0,\"result\":\"0x%s\"}]", hex);
    node_plays(call, text, strlen(text));
    buf_free(&heads);
    buf_free(&tails);
    buf_free(&word);
    buf_free(&all);
}

size_t calls_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    (void)n;
    CHECK(deadline_ms <= 2500);
    for (size_t i = 0; i < count; i++) {
        bool to_feed = calls[i].url != NULL && strstr(calls[i].url, "?ids=") != NULL;
        bool silent = to_feed ? feed_is_silent : node_is_silent;

        feed_calls += to_feed;
        pool_calls += !to_feed;
        calls[i].result = silent ? CALL_TIMEOUT : CALL_ANSWERED;
        calls[i].status = 200;
        if (to_feed)
            buf_adds(&calls[i].answer, feed_text);
        else if (!silent)
            answer_pools(&calls[i]);
    }
    return count;
}

static struct price ask_price(const char *symbol)
{
    struct price p = price_of_symbol(&ctx, a, symbol);

    shm_cache_clear(&shortlists);
    prices_ask(&ctx, a, &p, 1);
    return p;
}

static void price_test_reset(void)
{
    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++)
        pools[i].out[0] = pools[i].out[1] = 0;
    node_is_silent = feed_is_silent = false;
    feed_calls = pool_calls = 0;
    conf.price_feed_url = "";
    free(feed.coins);
    memset(&feed, 0, sizeof feed);
}

/* ---- the pools ---- */

static void prices_come_from_the_best_pool(void)
{
    struct price p;

    price_test_reset();
    pools[WETH].out[0] = 299835000; /* for a tenth */
    pools[WETH].out[1] = 299835001;
    p = ask_price("eth");
    CHECK_STR(p.symbol, "ETH");
    CHECK(p.state == PRICE_KNOWN && !p.has_change && pool_calls == 1);
    CHECK_STR(amount_text(a, p.usd), "2998.35001");
    CHECK_STR(amount_text(a, ask_price("WETH").usd), "2998.35001");
    pools[WBTC].out[1] = 5981447040;
    CHECK_STR(amount_text(a, ask_price("WBTC").usd), "59814.4704");
    CHECK_STR(amount_text(a, ask_price("btc").usd), "59814.4704");
    CHECK_STR(ask_price("btc").symbol, "BTC");
}

static void dollars_follow_their_pools(void)
{
    price_test_reset();
    pools[USDC].out[0] = 88000000; /* for a hundred */
    pools[USDT].out[0] = 113000000;
    CHECK_STR(amount_text(a, ask_price("USDC").usd), "0.88");
    CHECK_STR(amount_text(a, ask_price("USDT").usd), "1.13");
    /* The other one lost its worth: that makes this one no dearer. */
    pools[USDC].out[0] = 200000000;
    pools[USDT].out[0] = 50000000;
    CHECK_STR(amount_text(a, ask_price("USDC").usd), "1");
    CHECK_STR(amount_text(a, ask_price("USDT").usd), "0.5");
}

static void without_an_answer_there_is_no_price(void)
{
    price_test_reset();
    CHECK(ask_price("ETH").state == PRICE_UNAVAILABLE); /* no pool pays anything */
    pools[WETH].out[0] = 299835000;
    node_is_silent = true;
    CHECK(ask_price("ETH").state == PRICE_UNAVAILABLE);
    CHECK(ask_price("SOL").state == PRICE_UNAVAILABLE); /* listed, but no pools here */
    CHECK(ask_price("FTM").state == PRICE_UNAVAILABLE);
    CHECK(pool_calls == 3);
    CHECK(ask_price("NOPE").state == PRICE_UNKNOWN);
    CHECK(ask_price("ARB").state == PRICE_UNKNOWN); /* the feed's alone */
    CHECK(ask_price("").state == PRICE_UNKNOWN);
    CHECK(ask_price("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48").state == PRICE_UNKNOWN);
}

/* A token at par has the price of a dollar without asking the pools. */
static void tokens_at_par_cost_a_dollar(void)
{
    const struct chain *polygon = chain_find("polygon");
    struct price p = price_of_token(&ctx, a, polygon, token_find(polygon, "pUSD"));

    price_test_reset();
    p.wants_bounds = true;
    prices_ask(&ctx, a, &p, 1);
    CHECK(p.state == PRICE_KNOWN && p.has_bounds && !p.apart && pool_calls == 0);
    CHECK_STR(amount_text(a, p.usd), "1");
    CHECK(u256_cmp(p.low.raw, p.high.raw) == 0 && u256_cmp(p.high.raw, p.usd.raw) == 0);
    CHECK_STR(amount_text(a, ask_price("PUSD").usd), "1");
}

static void several_at_once(void)
{
    struct price list[3] = { price_of_symbol(&ctx, a, "ETH"), price_of_symbol(&ctx, a, "NOPE"),
                             price_of_symbol(&ctx, a, "USDT") };

    price_test_reset();
    pools[WETH].out[0] = 299835000;
    pools[USDT].out[0] = 100000000;
    shm_cache_clear(&shortlists);
    prices_ask(&ctx, a, list, 3);
    CHECK_STR(amount_text(a, list[0].usd), "2998.35");
    CHECK(list[1].state == PRICE_UNKNOWN);
    CHECK_STR(amount_text(a, list[2].usd), "1");
}

static void the_chain_that_is_asked(void)
{
    struct price p = price_of_symbol(&ctx, a, "ETH");
    const struct chain *base = chain_find("base"), *gnosis = chain_find("gnosis");

    CHECK(p.chain == chain_find("ethereum"));
    CHECK(price_of_symbol(&ctx, a, "DAI").chain == base);
    CHECK(price_of_symbol(&ctx, a, "POL").chain == chain_find("polygon"));
    CHECK(price_of_symbol(&ctx, a, "usdc.e").chain == chain_find("optimism"));
    p = price_of_token(&ctx, a, base, token_find(base, "ETH"));
    CHECK(p.chain == base && strcmp(p.token->chain, "base") == 0);
    p = price_of_token(&ctx, a, gnosis, token_find(gnosis, "WETH"));
    CHECK(p.chain == gnosis && strcmp(p.token->symbol, "WETH") == 0);
}

/* ---- the feed ---- */

static void the_feed_fills_in(void)
{
    struct price p;

    price_test_reset();
    conf.price_feed_url = "https://feed.example/price";
    pools[WETH].out[0] = 299835000;
    p = ask_price("SOL");
    CHECK(p.state == PRICE_KNOWN && p.has_change && p.change_minus);
    CHECK_STR(amount_text(a, p.usd), "150.5");
    CHECK_STR(amount_text(a, p.change_24h), "2.5");
    p = ask_price("ETH"); /* the pools' price, the feed's change */
    CHECK_STR(amount_text(a, p.usd), "2998.35");
    CHECK_STR(amount_text(a, p.change_24h), "3.25");
    CHECK(p.has_change && !p.change_minus);
    node_is_silent = true;
    CHECK_STR(amount_text(a, ask_price("ETH").usd), "1");
    CHECK(ask_price("ARB").state == PRICE_UNAVAILABLE); /* the feed knows it and says nothing */
    CHECK(ask_price("NOPE").state == PRICE_UNKNOWN);
    CHECK(feed_calls == 1); /* one answer serves a minute */
    feed.until_ms = 0;
    (void)ask_price("SOL");
    CHECK(feed_calls == 2);
}

static void a_silent_feed_is_left_alone_for_a_moment(void)
{
    price_test_reset();
    conf.price_feed_url = "https://feed.example/price";
    feed_is_silent = true;
    CHECK(ask_price("SOL").state == PRICE_UNAVAILABLE);
    CHECK(ask_price("SOL").state == PRICE_UNAVAILABLE && feed_calls == 1);
    feed.until_ms = 0;
    feed_is_silent = false;
    CHECK(ask_price("SOL").state == PRICE_KNOWN && feed_calls == 2);
}

/* ---- Solana ---- */

static bool kept_is_there;
static struct feed_price kept_said;
static int kept_calls;

static bool kept_lists(const struct ctx *c, const struct chain *chain, const struct token *t)
{
    return c != NULL && t != NULL && chain->type == CHAIN_SOLANA && kept_is_there;
}

static bool kept_renew(struct call *call, const struct ctx *c, struct arena *arena, bool needed)
{
    (void)c;
    (void)arena;
    CHECK(needed);
    call_init(call, "http://127.0.0.1:1/?ids=none", MAX_UPSTREAM); /* answered as a feed, and not read */
    kept_calls++;
    return true;
}

static bool cached_answers(struct feed_price *out, const struct token *t)
{
    *out = kept_said;
    return t != NULL && kept_said.has_usd;
}

/* The output of a small trade; NULL: no other service answers. */
static const char *traded;
static int trade_calls;

static size_t trade_ask(struct price_query *x, const struct ctx *c, struct arena *arena, struct call *calls)
{
    (void)c;
    (void)arena;
    (void)calls;
    CHECK(x->price->wants_bounds && x->price->state == PRICE_KNOWN);
    trade_calls++;
    return 0;
}

static void trade_read(struct price_query *x, struct arena *arena)
{
    struct amount usd;

    (void)arena;
    if (traded != NULL && amount_of_number(&usd, traded, RATE_PLACES))
        price_add(x->price, usd, false);
}

const struct price_source jupiter_prices = {
    .type = CHAIN_SOLANA,
    .lists = kept_lists,
    .renew = kept_renew,
    .keep = call_free,
    .last = cached_answers,
    .confirm = trade_ask,
    .confirmed = trade_read,
};

static struct price ask_coin(const char *usd)
{
    const struct chain *solana = chain_find("solana");
    struct price p = price_of_token(&ctx, a, solana, token_find(solana, "WSOL"));

    p.wants_bounds = true;
    kept_said.has_usd = usd != NULL && amount_of_number(&kept_said.usd, usd, RATE_PLACES);
    prices_ask(&ctx, a, &p, 1);
    return p;
}

static void prices_come_from_the_familys_service(void)
{
    const struct chain *solana = chain_find("solana");
    struct token_ref ref = token_ref_of(token_find(solana, "SOL"));
    struct amount usd;
    struct price p;

    price_test_reset();
    kept_is_there = true;
    p = ask_coin("150.25");
    CHECK(p.chain == solana && p.state == PRICE_KNOWN && !p.has_bounds && !p.apart);
    CHECK_STR(amount_text(a, p.usd), "150.25");
    CHECK(kept_calls == 1 && pool_calls == 0);
    CHECK(price_of_symbol(&ctx, a, "bonk").chain == solana);
    CHECK(price_of_symbol(&ctx, a, "USDC").chain == chain_find("ethereum"));
    CHECK(price_last(&ctx, &ref, &usd) && u256_cmp(usd.raw, p.usd.raw) == 0);
    CHECK(ask_coin(NULL).state == PRICE_UNAVAILABLE && !price_last(&ctx, &ref, &usd));
    kept_is_there = false;
}

/* One source says nothing that limits may rest on. */
static void a_trade_is_held_against_it(void)
{
    struct price p;

    price_test_reset();
    kept_is_there = true;
    conf.price_divergence_max = 50000;
    traded = "149";
    p = ask_coin("150.25");
    CHECK(p.has_bounds && !p.apart && p.sources == 2);
    CHECK_STR(amount_text(a, p.usd), "150.25");
    CHECK_STR(amount_text(a, p.low), "149");
    CHECK(ask_coin("0.15025").apart && ask_coin("150250").apart);
    traded = NULL;
    CHECK(!ask_coin("150.25").has_bounds);
    trade_calls = 0;
    CHECK(ask_coin(NULL).state == PRICE_UNAVAILABLE && trade_calls == 0);
    conf.price_feed_url = "https://feed.example/price";
    CHECK(ask_coin("150.25").has_bounds && trade_calls == 0); /* the feed's is enough */
    conf.price_divergence_max = 0;
    kept_is_there = false;
}

/* The feed's is counted too, and shown where there is no other; alone it decides nothing. */
static void the_feed_is_held_against_it(void)
{
    const struct chain *solana = chain_find("solana");
    struct token_ref ref = token_ref_of(token_find(solana, "SOL"));
    struct amount usd;
    struct price p;

    price_test_reset();
    kept_is_there = true;
    conf.price_feed_url = "https://feed.example/price";
    conf.price_divergence_max = 50000;
    p = ask_coin("149");
    CHECK(p.state == PRICE_KNOWN && !p.apart && p.has_change);
    CHECK_STR(amount_text(a, p.usd), "149");
    CHECK_STR(amount_text(a, p.high), "150.5");
    CHECK(ask_coin("130").apart && ask_coin("170").apart);
    p = ask_coin(NULL);
    CHECK(p.state == PRICE_KNOWN && !p.has_bounds && !p.apart);
    CHECK_STR(amount_text(a, p.usd), "150.5");
    CHECK(price_last(&ctx, &ref, &usd));
    CHECK_STR(amount_text(a, usd), "150.5");
    conf.price_divergence_max = 0;
    kept_is_there = false;
}

static void symbols_are_listed_once(void)
{
    const char **list = price_symbols(&ctx, a);
    size_t without, n;

    price_test_reset();
    list = price_symbols(&ctx, a);
    for (n = 0; list[n] != NULL; n++) {
        CHECK(price_of_symbol(&ctx, a, list[n]).state != PRICE_UNKNOWN);
        for (size_t i = 0; i < n; i++)
            CHECK(strcmp(list[i], list[n]) != 0);
    }
    without = n;
    conf.price_feed_url = "https://feed.example/price";
    list = price_symbols(&ctx, a);
    for (n = 0; list[n] != NULL; n++)
        CHECK(price_of_symbol(&ctx, a, list[n]).state != PRICE_UNKNOWN);
    CHECK(n > without);
}

static void price_test_start(void)
{
    a = arena_new();
    nodes = nodes_new(&conf);
    ctx.nodes = nodes;
    contracts_are_right("ethereum");
}

static void price_test_end(void)
{
    free(feed.coins);
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(price_test_start), TEST(prices_come_from_the_best_pool), TEST(dollars_follow_their_pools),
          TEST(without_an_answer_there_is_no_price), TEST(tokens_at_par_cost_a_dollar), TEST(several_at_once),
          TEST(the_chain_that_is_asked), TEST(the_feed_fills_in),
          TEST(a_silent_feed_is_left_alone_for_a_moment), TEST(prices_come_from_the_familys_service),
          TEST(a_trade_is_held_against_it), TEST(the_feed_is_held_against_it), TEST(symbols_are_listed_once),
          TEST(price_test_end))
