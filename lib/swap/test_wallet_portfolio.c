/* A family of the test's own reports the balances of wallets. */
#include "base/test.h"

#define price_of_token  price_named
#define price_of_symbol price_elsewhere
#define prices_ask      set_prices
#define chain_families  all_families
#include "swap/wallet_portfolio.c"

#define ME "0x2222222222222222222222222222222222222222"

static struct arena *a;
static struct ctx ctx;
static struct holdings p;
static unsigned prices_asked;
static bool no_price, no_price_here;

struct price price_of_token(const struct ctx *c, struct arena *arena, const struct chain *chain,
                            const struct token *t)
{
    (void)c;
    (void)arena;
    return (struct price){ .symbol = t->symbol, .chain = chain, .token = t };
}

/* As ethereum prices it. */
struct price price_of_symbol(const struct ctx *c, struct arena *arena, const char *symbol)
{
    const struct chain *chain = chain_find("ethereum");

    (void)c;
    (void)arena;
    return (struct price){ .symbol = symbol, .chain = chain, .token = token_find(chain, symbol) };
}

/* ETH at 3000 dollars, everything else at one. */
void prices_ask(const struct ctx *c, struct arena *arena, struct price *list, size_t n)
{
    (void)c;
    (void)arena;
    prices_asked = (unsigned)n;
    for (size_t i = 0; i < n && !no_price; i++) {
        struct u256 dollar = u256_from_u64(1000000000000000000);

        if (no_price_here && list[i].chain == chain_find("base"))
            continue;
        list[i].state = PRICE_KNOWN;
        list[i].usd.decimals = RATE_PLACES;
        CHECK(
            u256_mul(&list[i].usd.raw, dollar, u256_from_u64(strcmp(list[i].symbol, "ETH") == 0 ? 3000 : 1)));
    }
}

static void add_holding(struct holdings *out, const char *wallet, const char *symbol, uint64_t raw)
{
    const struct chain *base = chain_find("base");
    const struct token *t = token_find(base, symbol);

    out->held[out->count++] = (struct holding){
        .chain = base, .token = t, .wallet = wallet, .balance = { u256_from_u64(raw), t->decimals }
    };
}

/* Each EVM wallet holds the same. */
static void hold(const struct ctx *c, struct arena *arena, const struct wallet *wallets, size_t count,
                 const struct chain *only, struct holdings *out)
{
    (void)c;
    (void)only;
    out->held = ARENA_ARRAY(arena, struct holding, 2 * count + 1);
    for (size_t i = 0; i < count; i++) {
        if (wallets[i].ref.kind != WALLET_EVM)
            continue;
        add_holding(out, wallets[i].ref.address, "ETH", 1000000000000000001);
        add_holding(out, wallets[i].ref.address, "DAI", 7500000000000000000);
    }
}

static const struct chain_ops holder = { .type = CHAIN_EVM, .balances = hold };
const struct chain_ops *const chain_families[] = { &holder, NULL };

static struct wallet wallet(enum wallet_kind kind, const char *address)
{
    struct wallet w = { .ref.kind = kind };

    snprintf(w.ref.address, sizeof w.ref.address, "%s", address);
    return w;
}

static void portfolio_ask_for(const struct wallet *wallets, size_t n, const char *only)
{
    prices_asked = 0;
    portfolio_read(&ctx, a, wallets, n, only == NULL ? NULL : chain_find(only), &p);
}

static void worth_to_the_last_digit(void)
{
    struct wallet w = wallet(WALLET_EVM, ME);

    portfolio_ask_for(&w, 1, "base");
    CHECK(p.count == 2 && p.unread_count == 0 && prices_asked == 2);
    CHECK_STR(amount_text(a, p.held[0].usd), "3000.000000000000003");
    CHECK_STR(amount_text(a, p.held[1].usd), "7.5");
    CHECK_STR(amount_text(a, p.total), "3007.500000000000003");
}

/* Several wallets hold one token: it has one price. */
static void each_token_is_priced_once(void)
{
    struct wallet w[] = { wallet(WALLET_EVM, ME),
                          wallet(WALLET_EVM, "0x1111111111111111111111111111111111111111") };

    portfolio_ask_for(w, 2, "base");
    CHECK(p.count == 4 && prices_asked == 2);
    CHECK_STR(amount_text(a, p.total), "6015.000000000000006");
}

static void without_a_price_it_is_held_all_the_same(void)
{
    struct wallet w = wallet(WALLET_EVM, ME);

    no_price = true;
    portfolio_ask_for(&w, 1, "base");
    CHECK(p.count == 2 && !p.held[0].priced && !p.held[1].priced && amount_is_zero(p.total));
    no_price = false;
}

/* A token that calls itself USDC is worth nothing that is known. */
static void unlisted_tokens_have_no_price(void)
{
    const struct token fake = { .chain = "base", .symbol = "USDC", .address_text = ME };
    struct holding held[] = {
        { .chain = chain_find("base"), .token = &fake, .balance = { u256_from_u64(7), 6 } }
    };
    struct holdings h = { .held = held, .count = 1, .total.decimals = RATE_PLACES };

    struct holding *const list[] = { &held[0] };

    prices_asked = 0;
    portfolio_value(&ctx, a, &h);
    portfolio_value_shown(&ctx, a, list, 1);
    CHECK(!held[0].priced && prices_asked == 0 && amount_is_zero(h.total));
}

/* Where a token's own chain gives no price, that of its symbol is shown and marked; a limit never sees it. */
static void a_price_by_symbol_is_shown_alone(void)
{
    struct wallet w = wallet(WALLET_EVM, ME);
    struct holding *list[2];

    no_price_here = true;
    portfolio_ask_for(&w, 1, "base");
    CHECK(p.count == 2 && !p.held[0].priced && !p.held[1].priced && amount_is_zero(p.total));
    list[0] = &p.held[0];
    list[1] = &p.held[1];
    portfolio_value_shown(&ctx, a, list, 2);
    CHECK(p.held[0].priced && p.held[0].by_symbol && p.held[1].priced && p.held[1].by_symbol);
    CHECK_STR(amount_text(a, p.held[0].usd), "3000.000000000000003");
    no_price_here = false;
    portfolio_ask_for(&w, 1, "base");
    CHECK(p.held[0].priced && !p.held[0].by_symbol);
}

static void without_wallets_nothing_is_held(void)
{
    portfolio_ask_for(NULL, 0, NULL);
    CHECK(p.count == 0 && p.unread_count == 0);
    CHECK_STR(amount_places_down(a, p.total, 2), "0.00");
}

static void portfolio_test_start(void)
{
    a = arena_new();
}

static void portfolio_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(portfolio_test_start), TEST(worth_to_the_last_digit), TEST(each_token_is_priced_once),
          TEST(without_a_price_it_is_held_all_the_same), TEST(without_wallets_nothing_is_held),
          TEST(unlisted_tokens_have_no_price), TEST(a_price_by_symbol_is_shown_alone),
          TEST(portfolio_test_end))
