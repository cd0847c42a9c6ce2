#include "perps/withdrawal_payment.c"

#include <jansson.h>

#include "base/test.h"

#define WALLET     "52908400098527886e0f7030069857d2e4169ee7"
#define BRIDGE_HEX "2df1c51e09aecf9cacb7bc98cb1742757f163df7"
#define OTHER_HEX  "1111111111111111111111111111111111111111"
#define ZERO_ADDR  "0000000000000000000000000000000000000000"
#define USDC       "0xaf88d065e77c8cc2239327c5edb3a432268e5831"
#define PAD        "0x000000000000000000000000"
#define TX(c)      "0x" c c c c c c c c c c c c c c c c
#define LOG(tx, index, from, to, amount, more)                                                               \
    "{\"address\":\"" USDC                                                                                   \
    "\",\"topics\":[\"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef\","                 \
    "\"" PAD from "\",\"" PAD to                                                                             \
    "\"],\"data\":\"0x00000000000000000000000000000000000000000000000000000000" amount                       \
    "\",\"transactionHash\":\"" tx "\",\"blockNumber\":\"0x64\",\"logIndex\":\"" index "\"" more "}"

static const char *const nobodys[] = { NULL };
static struct arena *a;

static struct withdrawal_payment_wanted wanted_of(enum perps_route route, const char *const *taken)
{
    struct withdrawal_payment_wanted w = { .chain = chain_find("arbitrum"),
                                           .route = route,
                                           .most = u256_from_u64(40000000),
                                           .expected = u256_from_u64(39000000),
                                           .least = u256_from_u64(37000000),
                                           .taken = taken };

    CHECK(evm_addr_read(&w.wallet, "0x" WALLET));
    return w;
}

/* False: it is malformed. */
static bool found(struct withdrawal_payment *out, const struct withdrawal_payment_wanted *w, const char *logs)
{
    struct rpc_answer answer = { .result = json_loads(logs, 0, NULL) };
    bool read = withdrawal_payments_read(a, &answer, w, out);

    json_decref(answer.result);
    return read;
}

static void logs_of_payments_are_asked_by_block(void)
{
    const struct withdrawal_payment_wanted bridge = wanted_of(PERPS_BRIDGE, nobodys),
                                           circle = wanted_of(PERPS_CCTP, nobodys);
    struct buf body = BUF_INIT(4096);
    struct rpc_batch b = rpc_begin(&body);

    a = arena_new();
    withdrawal_payments_ask(&b, &bridge, 100, 0);
    withdrawal_payments_ask(&b, &circle, 100, 200);
    rpc_end(&b);
    CHECK(strstr(buf_text(&body), "\"fromBlock\":\"0x64\",\"toBlock\":\"latest\"") != NULL);
    CHECK(strstr(buf_text(&body), "[\"" PAD BRIDGE_HEX "\"],\"" PAD WALLET "\"]") != NULL);
    CHECK(strstr(buf_text(&body), "\"toBlock\":\"0xc8\"") != NULL);
    CHECK(strstr(buf_text(&body), "\"" PAD ZERO_ADDR "\"],\"" PAD WALLET "\"]") != NULL);
    buf_free(&body);
}

static void the_payment_of_a_withdrawal(void)
{
    static const char *const others[] = { TX("aaaa") ":1", NULL };
    const struct withdrawal_payment_wanted bridge = wanted_of(PERPS_BRIDGE, nobodys),
                                           circle = wanted_of(PERPS_CCTP, nobodys),
                                           rest = wanted_of(PERPS_BRIDGE, others);
    struct withdrawal_payment p = { .id = "" };

    /* 38, 39 and 36 dollars from the bridge, 39 from another address */
    const char *logs = "[" LOG(TX("bbbb"), "0x2", BRIDGE_HEX, WALLET, "0243d580", "") "," LOG(
        TX("aaaa"), "0x1", BRIDGE_HEX, WALLET, "025317c0",
        "") "," LOG(TX("cccc"), "0x3", BRIDGE_HEX, WALLET, "02255100",
                    "") "," LOG(TX("dddd"), "0x4", OTHER_HEX, WALLET, "025317c0", "") "]";

    CHECK(found(&p, &bridge, logs));
    CHECK_STR(p.id, TX("aaaa") ":1");
    CHECK(p.block == 100 && p.tx.len == 32 && p.tx.bytes[0] == 0xaa);
    CHECK(u256_cmp(p.amount, u256_from_u64(39000000)) == 0);
    p = (struct withdrawal_payment){ .id = "" };
    CHECK(found(&p, &rest, logs));
    CHECK_STR(p.id, TX("bbbb") ":2");
    p = (struct withdrawal_payment){ .id = "" };
    CHECK(found(&p, &circle, logs) && *p.id == '\0');
    CHECK(found(&p, &circle, "[" LOG(TX("eeee"), "0x0", ZERO_ADDR, WALLET, "025317c0", "") "]") &&
          *p.id != '\0');
}

static void unrelated_logs_are_no_payment(void)
{
    static const char *const none[] = {
        "[" LOG(TX("aaaa"), "0x1", BRIDGE_HEX, OTHER_HEX, "025317c0", "") "]",
        "[" LOG(TX("aaaa"), "0x1", BRIDGE_HEX, WALLET, "025317c0", ",\"removed\":true") "]",
        "[" LOG(TX("aaaa"), "0x1", BRIDGE_HEX, WALLET, "02625a01", "") "]",
        "[]",
        "[null,3,{}]",
    };
    static const char *const wrong[] = { "{}", "[" LOG("0x12", "0x1", BRIDGE_HEX, WALLET, "025317c0", "") "]",
                                         "[" LOG(TX("aaaa"), "1", BRIDGE_HEX, WALLET, "025317c0", "") "]",
                                         "[" LOG(TX("aaaa"), "0x1", BRIDGE_HEX, WALLET, "0253", "") "]" };
    const struct withdrawal_payment_wanted w = wanted_of(PERPS_BRIDGE, nobodys);
    struct withdrawal_payment p = { .id = "" };

    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        CHECK(found(&p, &w, none[i]) && *p.id == '\0');
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!found(&p, &w, wrong[i]));
    arena_free(a);
}

TEST_MAIN(TEST(logs_of_payments_are_asked_by_block), TEST(the_payment_of_a_withdrawal),
          TEST(unrelated_logs_are_no_payment))
