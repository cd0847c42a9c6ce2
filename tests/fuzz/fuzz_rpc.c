/* A node's answer: any bytes, read through every accessor. */
#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/evm_rpc_class.h"
#include "fuzz.h"

enum { COUNT = 4 };

static void read_bytes(struct arena *a, const struct rpc_answer *r)
{
    const uint8_t *p, *inner;
    struct evm_addr addr;
    size_t n, len;

    if (rpc_bytes(&p, &n, a, r)) {
        (void)abi_get_addr(&addr, p, n, 1);
        if (abi_get_bytes(&inner, &len, p, n, 0, 0))
            MUST(inner >= p && len <= n && inner + len <= p + n);
    }
    if (rpc_revert_data(&p, &n, a, r)) {
        MUST(r->error != NULL);
        (void)abi_revert_text(a, p, n);
    }
}

static void read_answer(struct arena *a, const struct rpc_answer *r)
{
    struct u256 wide;
    uint64_t small;
    uint8_t hash[32];

    MUST(r->result == NULL || r->error == NULL);
    MUST(r->error_text != NULL);
    if (rpc_u64(&small, r))
        MUST(rpc_u256(&wide, r) && wide.limb[0] == small);
    read_bytes(a, r);
    (void)rpc_member_u64(&small, r->result, "status");
    (void)rpc_member_bytes(hash, sizeof hash, r->result, "transactionHash");
    MUST((r->class == RPC_RESULT) == (r->result != NULL));
    MUST(r->error != NULL || r->result != NULL || !rpc_is_final(r->class));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct arena *a = arena_new();
    struct rpc_answers as;

    buf_add(&body, data, size);
    if (rpc_read(&as, a, &body, COUNT, evm_classify)) {
        for (unsigned i = 0; i < as.count; i++)
            read_answer(a, &as.items[i]);
        rpc_answers_free(&as);
    }
    arena_free(a);
    buf_free(&body);
    return 0;
}
