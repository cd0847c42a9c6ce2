#include "base/test.h"
#include "chain/evm/multicall.c"

/* What the code does is seen on a chain: tests/api/gas-burners.test.mjs. */
static void jumps_lead_somewhere(void)
{
    unsigned dests = 0;

    CHECK(bounded[LOOP] == OP_JUMPDEST && bounded[END] == OP_JUMPDEST);
    for (size_t i = 0; i < sizeof bounded; i++)
        if (bounded[i] >= OP_PUSH1 && bounded[i] <= OP_PUSH32)
            i += bounded[i] - OP_PUSH1 + 1u;
        else
            dests += bounded[i] == OP_JUMPDEST;
    CHECK(dests == 2);
}

/* With an override where there is one, else straight to the contract, and the same calldata in both. */
static void two_forms(void)
{
    struct buf out = BUF_INIT(65536), data = BUF_INIT(64);
    struct rpc_batch b = rpc_begin(&out);
    struct rpc_cursor c = { NULL };
    struct rpc_item item;
    json_t *first, *second;

    buf_adds(&data, "calls");
    multicall_call(&b, &data);
    rpc_end(&b);
    CHECK(b.count == 1 && rpc_next(&item, &c, &b, 0) && item.need == RPC_NEEDS_OVERRIDE);
    first = json_loadb(item.text, item.len, 0, NULL);
    CHECK(json_array_size(json_object_get(first, "params")) == 3);
    c = (struct rpc_cursor){ NULL };
    CHECK(rpc_next(&item, &c, &b, RPC_NEEDS_OVERRIDE) && item.need == RPC_NEEDS_NOTHING);
    second = json_loadb(item.text, item.len, 0, NULL);
    CHECK(json_array_size(json_object_get(second, "params")) == 2);
    CHECK(json_equal(json_object_get(json_array_get(json_object_get(first, "params"), 0), "data"),
                     json_object_get(json_array_get(json_object_get(second, "params"), 0), "data")));
    json_decref(first);
    json_decref(second);
    buf_free(&out);
    buf_free(&data);
}

TEST_MAIN(TEST(jumps_lead_somewhere), TEST(two_forms))
