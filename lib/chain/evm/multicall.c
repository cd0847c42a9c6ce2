#include "chain/evm/multicall.h"

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/ops.h"

enum {
    SEL_AGGREGATE3 = 0x82ad56cb,
    SEL_GET_ETH_BALANCE = 0x4d2301cc,
    SEL_GET_TIMESTAMP = 0x0f28c97d,
    SEL_GET_BLOCK_NUMBER = 0x42cbb15c,
};
static const uint32_t SEL_ARB_BLOCK_NUMBER = 0xa3b1b31d;

struct evm_addr multicall_addr(void)
{
    struct evm_addr at = { { 0 } };

    (void)evm_addr_read(&at, "0xcA11bde05977b3631167028862bE2a173976CA11");
    return at;
}

void multicall_coin_balance(struct buf *out, struct evm_addr owner)
{
    abi_selector(out, SEL_GET_ETH_BALANCE);
    abi_addr(out, owner);
}

void multicall_block_time(struct buf *out)
{
    abi_selector(out, SEL_GET_TIMESTAMP);
}

void multicall_block_number(struct multicall *m, const char *arbsys)
{
    struct buf data = BUF_INIT(ABI_SELECTOR);

    abi_selector(&data, arbsys != NULL ? SEL_ARB_BLOCK_NUMBER : SEL_GET_BLOCK_NUMBER);
    multicall_add(m, arbsys != NULL ? evm_addr_or_zero(arbsys) : multicall_addr(), &data);
    buf_free(&data);
}

void multicall_add(struct multicall *m, struct evm_addr target, const struct buf *data)
{
    abi_u64(&m->heads, m->tails.len); /* completed by the offsets' own length at the end */
    abi_addr(&m->tails, target);
    abi_u64(&m->tails, 1); /* may fail: a missing pool reverts */
    abi_u64(&m->tails, 96);
    abi_bytes_tail(&m->tails, data->data, data->len);
    m->count++;
}

void multicall_finish(const struct multicall *m, struct buf *out)
{
    abi_selector(out, SEL_AGGREGATE3);
    abi_u64(out, 32);
    abi_u64(out, m->count);
    for (unsigned i = 0; i < m->count; i++) {
        struct u256 offset;

        if (abi_get_u256(&offset, (const uint8_t *)m->heads.data, m->heads.len, i) &&
            u256_add(&offset, offset, u256_from_u64((uint64_t)m->count * ABI_WORD)))
            abi_u256(out, offset);
    }
    buf_add(out, m->tails.data, m->tails.len);
}

/* ---- parts of the gas ---- */

/* aggregate3 hands all of its gas to each call, so a single one, such as the price of a pool without
 * liquidity, may burn what the others need. This code does the same in its place, from the same calldata, but
 * gives each call gas / (SHARES + calls left / 4): the first of a hundred a thirtieth, the last a quarter. At
 * most RETURN_MAX bytes of what a call returns are kept. In memory: */
enum {
    VAR_I = 0,   /* the call */
    VAR_AT = 32, /* where its result goes */
    VAR_N = 64,  /* how many there are */
    RESULT = 128,
    HEADS = RESULT + 64,
    LIST = 68, /* in the calldata, behind the array's length: offsets are counted from here */
    SHARES = 4,
    LOOP = 30, /* places of JUMPDESTs */
    END = 195,
};

#define LOAD(var)  OP_PUSH1, var, OP_MLOAD
#define STORE(var) OP_PUSH1, var, OP_MSTORE

static const uint8_t bounded[] = {
    /* n, the result's first words, and its end behind the heads */
    OP_PUSH1, LIST - 32, OP_CALLDATALOAD, OP_DUP1, STORE(VAR_N), OP_DUP1, STORE(RESULT + 32), OP_PUSH1, 32,
    STORE(RESULT), OP_PUSH1, 5, OP_SHL, OP_PUSH1, HEADS, OP_ADD, STORE(VAR_AT), OP_PUSH1, 0, STORE(VAR_I),
    /* LOOP: */
    OP_JUMPDEST, LOAD(VAR_N), LOAD(VAR_I), OP_LT, OP_ISZERO, OP_PUSH1, END, OP_JUMPI,
    /* the call's place in the calldata; its result's offset */
    LOAD(VAR_I), OP_PUSH1, 5, OP_SHL, OP_PUSH1, LIST, OP_ADD, OP_CALLDATALOAD, OP_PUSH1, LIST, OP_ADD,
    OP_PUSH1, HEADS, LOAD(VAR_AT), OP_SUB, LOAD(VAR_I), OP_PUSH1, 5, OP_SHL, OP_PUSH1, HEADS, OP_ADD,
    OP_MSTORE,
    /* its data, where its result will be; the call */
    OP_DUP1, OP_PUSH1, 96, OP_ADD, OP_CALLDATALOAD, OP_DUP1, OP_DUP3, OP_PUSH1, 128, OP_ADD, LOAD(VAR_AT),
    OP_PUSH1, 96, OP_ADD, OP_CALLDATACOPY, OP_PUSH1, 0, OP_PUSH1, 0, OP_DUP3, LOAD(VAR_AT), OP_PUSH1, 96,
    OP_ADD, OP_PUSH1, 0, OP_DUP7, OP_CALLDATALOAD, LOAD(VAR_I), LOAD(VAR_N), OP_SUB, OP_PUSH1, 2, OP_SHR,
    OP_PUSH1, SHARES, OP_ADD, OP_GAS, OP_DIV, OP_CALL, LOAD(VAR_AT), OP_MSTORE, OP_POP, OP_POP,
    /* the lesser of what was returned and of RETURN_MAX = 0x400 */
    OP_RETURNDATASIZE, OP_PUSH2, 0x04, 0x00, OP_DUP2, OP_DUP2, OP_LT, OP_DUP3, OP_DUP3, OP_XOR, OP_MUL,
    OP_SWAP1, OP_POP, OP_XOR,
    /* the result: whether it succeeded (above), where the bytes are, how many, the bytes */
    OP_PUSH1, 64, LOAD(VAR_AT), OP_PUSH1, 32, OP_ADD, OP_MSTORE, OP_DUP1, LOAD(VAR_AT), OP_PUSH1, 64, OP_ADD,
    OP_MSTORE, OP_DUP1, OP_PUSH1, 0, LOAD(VAR_AT), OP_PUSH1, 96, OP_ADD, OP_RETURNDATACOPY, OP_PUSH1, 31,
    OP_ADD, OP_PUSH1, 31, OP_NOT, OP_AND, OP_PUSH1, 96, OP_ADD, LOAD(VAR_AT), OP_ADD, STORE(VAR_AT),
    /* the next one */
    LOAD(VAR_I), OP_PUSH1, 1, OP_ADD, STORE(VAR_I), OP_PUSH1, LOOP, OP_JUMP,
    /* END: */
    OP_JUMPDEST, OP_PUSH1, RESULT, LOAD(VAR_AT), OP_SUB, OP_PUSH1, RESULT, OP_RETURN
};

void multicall_call(struct rpc_batch *b, const struct buf *data)
{
    static const struct evm_addr here = { "gas-bounded-multical" }; /* an address without a contract */

    rpc_add_call_of_code(b, here, bounded, sizeof bounded, data);
    rpc_or(b, RPC_NEEDS_OVERRIDE);
    rpc_add_call(b, NULL, multicall_addr(), data);
    if (data->len > 0)
        rpc_cannot_fail(b);
}

/* ---- results ---- */

void multicall_free(struct multicall *m)
{
    buf_free(&m->heads);
    buf_free(&m->tails);
}

/* Reads whether the call at index i succeeded, and what it returned; false when that is not there. */
static bool multicall_item(const struct multicall_results *r, unsigned i, uint64_t *ok, const uint8_t **p,
                           size_t *n)
{
    enum { ARRAY = 64 }; /* behind the array's offset and length */
    uint64_t offset, count;

    return abi_get_u64(&count, r->data, r->len, 1) && i < count &&
           abi_get_u64(&offset, r->data, r->len, 2 + i) && offset % ABI_WORD == 0 && offset < r->len &&
           abi_get_u64(ok, r->data, r->len, (ARRAY + offset) / ABI_WORD) &&
           abi_get_bytes(p, n, r->data, r->len, ARRAY + offset, ARRAY + offset + ABI_WORD);
}

bool multicall_complete(const struct multicall_results *r, unsigned count)
{
    const uint8_t *p;
    uint64_t ok;
    size_t n;

    for (unsigned i = 0; i < count; i++)
        if (!multicall_item(r, i, &ok, &p, &n))
            return false;
    return true;
}

bool multicall_result(const struct multicall_results *r, unsigned i, const uint8_t **p, size_t *n)
{
    uint64_t ok;

    return multicall_item(r, i, &ok, p, n) && ok == 1;
}

bool multicall_word(struct u256 *out, const struct multicall_results *r, unsigned i)
{
    const uint8_t *p;
    size_t n;

    return multicall_result(r, i, &p, &n) && n == ABI_WORD && abi_get_u256(out, p, n, 0);
}
