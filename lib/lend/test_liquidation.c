#include "lend/liquidation.c"

#include "base/json_reader.h"
#include "base/test.h"

#define WORD(last)  "000000000000000000000000000000000000000000000000000000000000" last
#define WALLET      "1111111111111111111111111111111111111111"
#define TOPIC(last) "\"0x" WORD(last) "\""
#define OF_WALLET   "\"0x000000000000000000000000" WALLET "\""
#define POOL        "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2"
#define BLUE        "0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb"
#define TX          "0xabababababababababababababababababababababababababababababababab"

static const char *const FORM = "{\"address\":\"%s\",\"topics\":[\"%s\"," TOPIC("000a") "," TOPIC(
    "000b") "," OF_WALLET "%s],"
            "\"data\":\"0x%s\",\"blockNumber\":\"0x10\",\"transactionHash\":\"" TX
            "\",\"logIndex\":\"0x%x\"%s}";
static const char FOUR[] = WORD("0007") WORD("0008") WORD("0009") WORD("0000");
static const char FIVE[] = WORD("0007") WORD("0008") WORD("0009") WORD("0000") WORD("0000");

static bool read_log(struct lend_liquidation *out, const char *at, const char *event, const char *data,
                     const char *topic, const char *more)
{
    char text[2048];
    json_t *log;
    bool is;

    snprintf(text, sizeof text, FORM, at, event, topic, data, 3, more);
    log = json_read(text, strlen(text));
    CHECK(log != NULL);
    is = liquidation_read(out, chain_by_id(1), log);
    json_decref(log);
    return is;
}

static void aaves(void)
{
    struct lend_liquidation l;

    CHECK(read_log(&l, POOL, AAVE, FOUR, "", ""));
    CHECK_STR(l.protocol, "aave-v3");
    CHECK(l.wallet.bytes[0] == 0x11 && l.collateral.bytes[19] == 0x0a && l.debt.bytes[19] == 0x0b);
    CHECK(l.repaid.limb[0] == 7 && l.taken.limb[0] == 8 && l.block == 16 && l.log_index == 3);
    CHECK(l.tx.len == 32 && l.tx.bytes[31] == 0xab);
}

static void morphos(void)
{
    struct lend_liquidation l;

    CHECK(read_log(&l, BLUE, MORPHO, FIVE, "", ""));
    CHECK_STR(l.protocol, "morpho");
    CHECK(l.market[31] == 0x0a && l.wallet.bytes[19] == 0x11);
    CHECK(l.repaid.limb[0] == 7 && l.taken.limb[0] == 9);
}

static void others(void)
{
    struct lend_liquidation l;

    CHECK(!read_log(&l, BLUE, AAVE, FOUR, "", "")); /* another contract can log what it likes */
    CHECK(!read_log(&l, POOL, MORPHO, FIVE, "", ""));
    CHECK(!read_log(&l, "0x1111111111111111111111111111111111111111", AAVE, FOUR, "", ""));
    CHECK(!read_log(&l, POOL, AAVE, FIVE, "", "") && !read_log(&l, BLUE, MORPHO, FOUR, "", ""));
    CHECK(!read_log(&l, POOL, AAVE, FOUR, "," TOPIC("0001"), ""));
    CHECK(!read_log(&l, POOL, AAVE, FOUR, "", ",\"removed\":true"));
    CHECK(!liquidation_read(&l, chain_by_id(1), NULL));
}

static void places_in_a_transaction(void)
{
    struct lend_liquidation list[8], l = { .block = 5, .tx = { { 1 }, 32 } };
    size_t n = 0;

    n = liquidations_append(list, n, l);
    CHECK(n == 1 && liquidations_append(list, n, l) == 1); /* told twice */
    l.log_index = 1;
    n = liquidations_append(list, n, l);
    CHECK(n == 2 && list[1].place == 1);
    l.log_index = 2;
    l.wallet.bytes[0] = 9;
    n = liquidations_append(list, n, l);
    CHECK(n == 3 && list[2].place == 0);
    l.tx.bytes[0] = 2;
    n = liquidations_append(list, n, l);
    CHECK(n == 4 && list[3].place == 0);
}

static void the_question(void)
{
    const struct evm_addr wallets[] = { { { 0x11 } }, { { 0x22 } } };
    struct buf body = BUF_INIT(4096);
    struct rpc_batch b = rpc_begin(&body);

    liquidations_ask(&b, chain_by_id(1), 16, 31, wallets, 2);
    rpc_end(&b);
    CHECK(strstr(buf_text(&body), "\"fromBlock\":\"0x10\",\"toBlock\":\"0x1f\",\"address\":[\"" POOL
                                  "\",\"" BLUE "\"]") != NULL);
    CHECK(strstr(buf_text(&body), "null,null,[\"0x0000000000000000000000001100") != NULL);
    CHECK(strstr(buf_text(&body), "\",\"0x0000000000000000000000002200") != NULL);
    buf_free(&body);
}

TEST_MAIN(TEST(aaves), TEST(morphos), TEST(others), TEST(places_in_a_transaction), TEST(the_question))
