#include "base/test.h"
#include "chain/evm/multicall.c"

/* tests/api/gas-burners.test.mjs runs the code on a chain. */
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

/* Two calls, of which the second one failed: (true, 7), (false, nothing). */
static void answers_are_whole_or_not(void)
{
    static const uint64_t words[] = { 32, 2, 64, 192, 1, 64, 32, 7, 0, 64, 0 };
    struct buf b = BUF_INIT(1024);
    struct multicall_results r;
    struct u256 word;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        abi_u64(&b, words[i]);
    r = (struct multicall_results){ (const uint8_t *)b.data, b.len };
    CHECK(multicall_complete(&r, 2) && !multicall_complete(&r, 3));
    CHECK(multicall_word(&word, &r, 0) && word.limb[0] == 7 && !multicall_word(&word, &r, 1));
    r.len -= ABI_WORD;
    CHECK(multicall_complete(&r, 1) && !multicall_complete(&r, 2));
    r.len = 0;
    CHECK(!multicall_complete(&r, 1));
    buf_free(&b);
}

TEST_MAIN(TEST(jumps_lead_somewhere), TEST(two_forms), TEST(answers_are_whole_or_not))
