/* What a failed execution has left allowed, by the words of two nodes. */
#include "base/test.h"
#include "exec/evm/revoke.c"

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc_class.h"

/* A node's answer to the two questions; "" for nonsense. */
static struct rpc_answers told_by(struct arena *a, const char *allowance, const char *coins)
{
    struct buf body = BUF_INIT(2048);
    struct rpc_answers out;

#define ZEROS   "0000000000000000000000000000000000000000000000000000000000000000"
#define WORD(n) "00000000000000000000000000000000000000000000000000000000000000" n
#define ROW     WORD("01") WORD("40") WORD("20")
    if (*allowance == '\0')
        buf_adds(&body, "[{\"id\":0,\"result\":7}]");
    else
        buf_addf(&body,
                 "[{\"id\":0,\"result\":\"0x" WORD("20") WORD("02") WORD("40") WORD("c0") ROW "%.62s%s" ROW
                                                                                              "%.62s%s\"}]",
                 ZEROS, allowance, ZEROS, coins);
    CHECK(rpc_read(&out, a, &body, 1, evm_classify));
    buf_free(&body);
    return out;
}

static void one_node_leaves_no_allowance(void)
{
    static const struct {
        const char *allowance[NODE_OPINIONS], *coins[NODE_OPINIONS];
        bool told;
        uint64_t left, least;
    } rows[] = {
        { { "05", "05" }, { "09", "09" }, true, 5, 9 }, { { "00", "05" }, { "09", "09" }, true, 5, 9 },
        { { "05", "00" }, { "09", "09" }, true, 5, 9 }, { { "00", "00" }, { "09", "09" }, true, 0, 9 },
        { { "05", "05" }, { "09", "ff" }, true, 5, 9 }, { { "", "05" }, { "", "09" }, true, 5, 9 },
        { { "05", "" }, { "09", "" }, true, 5, 9 },     { { "", "" }, { "", "" }, false, 0, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct revoking r = { .arena = a };
        struct rpc_answers answers[NODE_OPINIONS];

        for (size_t k = 0; k < NODE_OPINIONS; k++)
            answers[k] = told_by(a, rows[i].allowance[k], rows[i].coins[k]);
        CHECK(left_read(&r, answers, NODE_OPINIONS) == rows[i].told);
        CHECK(u256_cmp(r.left, u256_from_u64(rows[i].left)) == 0);
        CHECK(u256_cmp(r.coins, u256_from_u64(rows[i].least)) == 0);
        for (size_t k = 0; k < NODE_OPINIONS; k++)
            rpc_answers_free(&answers[k]);
        arena_free(a);
    }
}

TEST_MAIN(TEST(one_node_leaves_no_allowance))
