#include "chain/evm/evm_dialect.h"

#include "chain/evm/evm_rpc.h"
#include "chain/evm/evm_rpc_class.h"

static bool read_chain_id(bool *right, const struct chain *c, const struct rpc_answer *r)
{
    uint64_t id;

    if (!rpc_u64(&id, r))
        return false;
    *right = id == c->id;
    return true;
}

static bool read_block(uint64_t *height, uint64_t *time, const struct rpc_answer *r)
{
    return rpc_member_u64(height, r->result, "number") && rpc_member_u64(time, r->result, "timestamp");
}

static bool read_hash(uint8_t hash[32], const struct rpc_answer *r)
{
    return rpc_member_bytes(hash, 32, r->result, "hash");
}

const struct dialect evm_dialect = { .which = "eth_chainId",
                                     .read_which = read_chain_id,
                                     .classify = evm_classify,
                                     .newest = "eth_getBlockByNumber",
                                     .newest_params = "[\"latest\",false]",
                                     .read_newest = read_block,
                                     .by_number = "eth_getBlockByNumber",
                                     .read_hash = read_hash };
