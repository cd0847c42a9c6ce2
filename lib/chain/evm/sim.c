#include "chain/evm/sim.h"

#include "chain/evm/ops.h"

/* Memory: the result words from 0, then the calldata of a call, on whose first word stands what it returned:
 * nothing looks at that word unless the call has written all of it. */
enum { WORD = 32, SCRATCH = WORD * (1 + SIM_MAX_CALLS), RETURNED = SCRATCH, OFFSET_MAX = 0xffffff };

_Static_assert(SCRATCH + 4 <= UINT8_MAX, "offsets in memory are pushed as one byte");

/* Jump targets: where the prologue's parts begin. */
enum { AT_FAIL = 8, AT_FALSE = 19, AT_RUN = 72 };

/* The run starts on exactly one byte of calldata, so that a transfer to the wallet (none) and a token's
 * receive hook (four or more) find an account that just agrees, as one without code does. */
static const uint8_t prologue[] = { OP_CALLDATASIZE, OP_PUSH1, 1, OP_EQ, OP_PUSH1, AT_RUN, OP_JUMPI, OP_STOP,
                                    /* AT_FAIL: revert with what the call returned */
                                    OP_JUMPDEST, OP_RETURNDATASIZE, OP_PUSH1, 0, OP_PUSH1, 0,
                                    OP_RETURNDATACOPY, OP_RETURNDATASIZE, OP_PUSH1, 0, OP_REVERT,
                                    /* AT_FALSE: revert with Error("call returned false") */
                                    OP_JUMPDEST, OP_PUSH4, 0x08, 0xc3, 0x79, 0xa0, OP_PUSH1, 224, OP_SHL,
                                    OP_PUSH1, 0, OP_MSTORE, OP_PUSH1, WORD, OP_PUSH1, 4, OP_MSTORE, OP_PUSH1,
                                    19, OP_PUSH1, 36, OP_MSTORE, OP_PUSH19, 'c', 'a', 'l', 'l', ' ', 'r', 'e',
                                    't', 'u', 'r', 'n', 'e', 'd', ' ', 'f', 'a', 'l', 's', 'e', OP_PUSH1,
                                    8 * (32 - 19), OP_SHL, OP_PUSH1, 68, OP_MSTORE, OP_PUSH1, 100, OP_PUSH1,
                                    0, OP_REVERT };

_Static_assert(sizeof prologue == AT_RUN, "the run begins behind the prologue");

#define OPS(out, ...)                                                                                        \
    do {                                                                                                     \
        static const uint8_t ops_[] = { __VA_ARGS__ };                                                       \
        buf_add((out), ops_, sizeof ops_);                                                                   \
    } while (0)

/* Sizes and offsets always take three bytes: the length of the code does not depend on them. */
static void push_size(struct buf *out, size_t n)
{
    const uint8_t ops[] = { OP_PUSH3, (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n };

    buf_add(out, ops, sizeof ops);
}

static void push_small(struct buf *out, size_t n)
{
    const uint8_t ops[] = { OP_PUSH1, (uint8_t)n };

    buf_add(out, ops, sizeof ops);
}

static void push_u256(struct buf *out, struct u256 v)
{
    uint8_t word[U256_BYTES];

    u256_to_be(word, v);
    buf_addc(out, OP_PUSH32);
    buf_add(out, word, sizeof word);
}

static void push_addr(struct buf *out, struct evm_addr a)
{
    buf_addc(out, OP_PUSH20);
    buf_add(out, a.bytes, EVM_ADDR_LEN);
}

/* Leaves the wallet's balance on the stack. */
static void emit_balance(struct buf *out, struct evm_addr token)
{
    if (evm_addr_is_zero(token)) {
        buf_addc(out, OP_SELFBALANCE);
        return;
    }
    /* balanceOf(address) at SCRATCH */
    OPS(out, OP_PUSH4, 0x70, 0xa0, 0x82, 0x31, OP_PUSH1, 224, OP_SHL, OP_PUSH1, SCRATCH, OP_MSTORE,
        OP_ADDRESS, OP_PUSH1, SCRATCH + 4, OP_MSTORE);
    OPS(out, OP_PUSH1, WORD, OP_PUSH1, RETURNED, OP_PUSH1, 36, OP_PUSH1, SCRATCH);
    push_addr(out, token);
    OPS(out, OP_GAS, OP_STATICCALL, OP_ISZERO, OP_PUSH1, AT_FAIL, OP_JUMPI);
    OPS(out, OP_RETURNDATASIZE, OP_PUSH1, WORD, OP_GT, OP_PUSH1, AT_FAIL, OP_JUMPI);
    OPS(out, OP_PUSH1, RETURNED, OP_MLOAD);
}

static void emit_call(struct buf *out, const struct sim_call *call, size_t index, size_t data_at)
{
    push_size(out, call->data_len);
    push_size(out, data_at);
    OPS(out, OP_PUSH1, SCRATCH, OP_CODECOPY, OP_GAS);
    OPS(out, OP_PUSH1, WORD, OP_PUSH1, RETURNED);
    push_size(out, call->data_len);
    push_small(out, SCRATCH);
    push_u256(out, call->value);
    push_addr(out, call->to);
    OPS(out, OP_GAS, OP_CALL, OP_GAS, OP_SWAP1, OP_ISZERO, OP_PUSH1, AT_FAIL, OP_JUMPI, OP_SWAP1, OP_SUB);
    push_small(out, WORD * (1 + index));
    buf_addc(out, OP_MSTORE);
    /* A token that says false has not done it; one that says nothing has. */
    OPS(out, OP_RETURNDATASIZE, OP_PUSH1, WORD, OP_EQ, OP_PUSH1, RETURNED, OP_MLOAD, OP_ISZERO, OP_AND,
        OP_PUSH1, AT_FALSE, OP_JUMPI);
}

/* The program without the calldata behind it; `length` is its own length, where the calldata begins. */
static void emit(struct buf *out, const struct sim_call *calls, size_t n, struct evm_addr token,
                 size_t length)
{
    buf_add(out, prologue, sizeof prologue);
    buf_addc(out, OP_JUMPDEST);
    emit_balance(out, token);
    OPS(out, OP_PUSH1, 0, OP_MSTORE);
    for (size_t i = 0; i < n; i++) {
        emit_call(out, &calls[i], i, length);
        length += calls[i].data_len;
    }
    emit_balance(out, token);
    OPS(out, OP_PUSH1, 0, OP_MLOAD, OP_SWAP1, OP_SUB, OP_PUSH1, 0, OP_MSTORE); /* after - before */
    push_small(out, WORD * (1 + n));
    OPS(out, OP_PUSH1, 0, OP_RETURN);
}

bool sim_code(struct buf *out, const struct sim_call *calls, size_t n, struct evm_addr token)
{
    struct buf measure = BUF_INIT(MAX_TX);
    size_t length, total;

    if (n == 0 || n > SIM_MAX_CALLS)
        return false;
    emit(&measure, calls, n, token, 0);
    length = measure.len;
    buf_free(&measure);
    total = length;
    for (size_t i = 0; i < n; i++) {
        if (calls[i].data_len > OFFSET_MAX - total)
            return false;
        total += calls[i].data_len;
    }
    emit(out, calls, n, token, length);
    for (size_t i = 0; i < n; i++)
        buf_add(out, calls[i].data, calls[i].data_len);
    return !out->overflow;
}
