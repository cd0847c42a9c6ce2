#include "base/test.h"
#include "route/uniswap_path.c"

static struct arena *a;

static struct evm_addr path_token(const char *symbol)
{
    return token_addr(token_find(chain_by_id(1), symbol));
}

static struct uniswap_path paths[UNISWAP_PATHS_MAX];
static unsigned count;

static void find_paths(const char *from, const char *to)
{
    count = uniswap_paths(paths, chain_by_id(1), path_token(from), path_token(to));
}

static bool has_path(enum uniswap_kind kind, unsigned hops, const char *middle, uint32_t fee0, uint32_t fee1)
{
    for (unsigned i = 0; i < count; i++) {
        const struct pool_path *p = &paths[i].pools;

        if (paths[i].kind == kind && p->hops == hops && p->fee[0] == fee0 && p->fee[1] == fee1 &&
            (hops == 1 || evm_addr_eq(p->token[1], path_token(middle))))
            return true;
    }
    return false;
}

static void candidates_of_pairs(void)
{
    static const uint32_t tiers[] = { 100, 500, 3000, 10000 };

    find_paths("WETH", "USDC");
    CHECK(has_path(UNISWAP_V2, 1, NULL, 0, 0));
    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++)
        CHECK(has_path(UNISWAP_V3, 1, NULL, tiers[i], 0));
    CHECK(has_path(UNISWAP_V2, 2, "USDT", 0, 0) && has_path(UNISWAP_V3, 2, "USDT", 500, 100));
    CHECK(!has_path(UNISWAP_V2, 2, "USDC", 0, 0) && !has_path(UNISWAP_V2, 2, "WETH", 0, 0));

    find_paths("USDC", "WBTC");
    CHECK(has_path(UNISWAP_V2, 2, "WETH", 0, 0) && has_path(UNISWAP_V3, 2, "WETH", 500, 3000));
    CHECK(has_path(UNISWAP_V3, 2, "USDT", 100, 500) && count < UNISWAP_PATHS_MAX);
}

static void payloads_go_both_ways(void)
{
    const struct uniswap_path list[] = {
        { UNISWAP_V2, { .hops = 1, .token = { path_token("WETH"), path_token("USDC") } } },
        { UNISWAP_V2,
          { .hops = 2, .token = { path_token("WBTC"), path_token("WETH"), path_token("USDC") } } },
        { UNISWAP_V3, { .hops = 1, .token = { path_token("WETH"), path_token("USDC") }, .fee = { 500 } } },
        { UNISWAP_V3,
          { .hops = 2,
            .token = { path_token("WETH"), path_token("USDC"), path_token("USDT") },
            .fee = { 500, 100 } } },
        { UNISWAP_V3,
          { .hops = 1, .token = { path_token("WETH"), path_token("USDC") }, .fee = { 0xabcdef } } },
    };

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct payload payload = uniswap_path_payload(a, &list[i]);
        size_t len = payload.len;
        struct uniswap_path back;
        uint8_t longer[QUOTE_ROUTE_MAX] = { 0 };

        CHECK(len < QUOTE_ROUTE_MAX && uniswap_path_read(&back, &payload));
        CHECK(back.kind == list[i].kind && back.pools.hops == list[i].pools.hops);
        CHECK(memcmp(back.pools.token, list[i].pools.token, sizeof back.pools.token) == 0);
        CHECK(memcmp(back.pools.fee, list[i].pools.fee, sizeof back.pools.fee) == 0);
        for (payload.len = 0; payload.len < len; payload.len++)
            CHECK(!uniswap_path_read(&back, &payload));
        memcpy(longer, payload.data, len);
        CHECK(!uniswap_path_read(&back, &(struct payload){ longer, len + 1 }));
    }
}

/* As stored quotes have them, byte by byte. */
static void payloads_are_stable(void)
{
    const struct uniswap_path path = { UNISWAP_V3,
                                       { .hops = 1, .token = { { { 1 } }, { { 2 } } }, .fee = { 500 } } };
    static const uint8_t want[45] = { 4, 1, [2] = 1, [22] = 2, [43] = 1, [44] = 0xf4 };
    struct payload payload = uniswap_path_payload(a, &path);

    CHECK(payload.len == sizeof want && memcmp(payload.data, want, sizeof want) == 0);
}

static void payloads_that_are_none(void)
{
    static const uint8_t bad[][2] = { { 0, 0 },          { 5, 0 },           { 1, 0 }, { UNISWAP_V2, 0 },
                                      { UNISWAP_V3, 0 }, { UNISWAP_V2, 1 },  { 2, 0 }, { 3, 3 },
                                      { 1, 1 },          { UNISWAP_V3, 255 } };
    static const uint8_t zeros[QUOTE_ROUTE_MAX];
    struct uniswap_path path;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!uniswap_path_read(&path, &(struct payload){ bad[i], 2 }));
    for (size_t n = 0; n <= sizeof zeros; n++)
        CHECK(!uniswap_path_read(&path, &(struct payload){ zeros, n }));
}

static void labels_of_paths(void)
{
    static const struct {
        struct uniswap_path path;
        const char *label;
    } rows[] = {
        { { UNISWAP_V2, { .hops = 1 } }, "Uniswap V2" },
        { { UNISWAP_V2, { .hops = 2 } }, "Uniswap V2, two hops" },
        { { UNISWAP_V3, { .hops = 1, .fee = { 100 } } }, "Uniswap V3 0.01%" },
        { { UNISWAP_V3, { .hops = 1, .fee = { 10000 } } }, "Uniswap V3 1.00%" },
        { { UNISWAP_V3, { .hops = 2, .fee = { 500, 3000 } } }, "Uniswap V3 0.05%, two hops" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_STR(uniswap_path_label(a, &rows[i].path), rows[i].label);
}

static void uniswap_path_test_start(void)
{
    a = arena_new();
}

static void uniswap_path_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(uniswap_path_test_start), TEST(candidates_of_pairs), TEST(payloads_go_both_ways),
          TEST(payloads_are_stable), TEST(payloads_that_are_none), TEST(labels_of_paths),
          TEST(uniswap_path_test_end))
