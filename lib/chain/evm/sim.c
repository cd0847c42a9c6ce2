#include "chain/evm/sim.h"

#include "chain/evm/abi.h"
#include "chain/evm/ops.h"

/* Memory: the gas of each call, how many bytes each reading returned, both readings with as much room each as
 * they may take, then the calldata of a call, on whose first word stands what it returned: nothing looks at
 * that word unless the call has written all of it. */
enum { WORD = 32, LENGTHS = WORD * SIM_MAX_CALLS, READINGS = LENGTHS + 2 * WORD, OFFSET_MAX = 0xffffff };

static size_t scratch_at(size_t room)
{
    return READINGS + 2 * room;
}

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

static void emit_calldata(struct buf *out, const struct sim_call *call, size_t data_at, size_t scratch)
{
    push_size(out, call->data_len);
    push_size(out, data_at);
    push_size(out, scratch);
    buf_addc(out, OP_CODECOPY);
}

/* The first reading, or the second. */
static void emit_reading(struct buf *out, const struct sim_call *reading, size_t which, size_t room,
                         size_t data_at)
{
    size_t scratch = scratch_at(room);

    emit_calldata(out, reading, data_at, scratch);
    OPS(out, OP_PUSH1, 0, OP_PUSH1, 0);
    push_size(out, reading->data_len);
    push_size(out, scratch);
    push_addr(out, reading->to);
    push_size(out, SIM_READING_GAS);
    OPS(out, OP_STATICCALL, OP_ISZERO, OP_PUSH1, AT_FAIL, OP_JUMPI, OP_RETURNDATASIZE);
    push_size(out, room);
    OPS(out, OP_LT, OP_PUSH1, AT_FAIL, OP_JUMPI, OP_RETURNDATASIZE);
    push_size(out, LENGTHS + which * WORD);
    OPS(out, OP_MSTORE, OP_RETURNDATASIZE, OP_PUSH1, 0);
    push_size(out, READINGS + which * room);
    buf_addc(out, OP_RETURNDATACOPY);
}

static void emit_call(struct buf *out, const struct sim_call *call, size_t index, size_t data_at,
                      size_t scratch)
{
    emit_calldata(out, call, data_at, scratch);
    OPS(out, OP_GAS, OP_PUSH1, WORD);
    push_size(out, scratch);
    push_size(out, call->data_len);
    push_size(out, scratch);
    push_u256(out, call->value);
    push_addr(out, call->to);
    OPS(out, OP_GAS, OP_CALL, OP_GAS, OP_SWAP1, OP_ISZERO, OP_PUSH1, AT_FAIL, OP_JUMPI, OP_SWAP1, OP_SUB);
    push_small(out, WORD * index);
    /* A token that says false has not done it; one that says nothing has. */
    OPS(out, OP_MSTORE, OP_RETURNDATASIZE, OP_PUSH1, WORD, OP_EQ);
    push_size(out, scratch);
    OPS(out, OP_MLOAD, OP_ISZERO, OP_AND, OP_PUSH1, AT_FALSE, OP_JUMPI);
}

/* The program without the calldata behind it, of the reading first; `length` is its own length, where that
 * begins. */
static void emit(struct buf *out, const struct sim_call *calls, size_t n, const struct sim_call *reading,
                 size_t room, size_t length)
{
    size_t data_at = length + reading->data_len;

    buf_add(out, prologue, sizeof prologue);
    buf_addc(out, OP_JUMPDEST);
    emit_reading(out, reading, 0, room, length);
    for (size_t i = 0; i < n; i++) {
        emit_call(out, &calls[i], i, data_at, scratch_at(room));
        data_at += calls[i].data_len;
    }
    emit_reading(out, reading, 1, room, length);
    push_size(out, scratch_at(room));
    OPS(out, OP_PUSH1, 0, OP_RETURN);
}

/* False when the sum is more than offsets can say. */
static bool add_length(size_t *total, const struct sim_call *call)
{
    if (call->data_len > OFFSET_MAX - *total)
        return false;
    *total += call->data_len;
    return true;
}

bool sim_code(struct buf *out, const struct sim_call *calls, size_t n, const struct sim_call *reading,
              size_t room)
{
    struct buf measure = BUF_INIT(MAX_TX);
    size_t length, total;

    if (n == 0 || n > SIM_MAX_CALLS || room > SIM_READING_MAX)
        return false;
    emit(&measure, calls, n, reading, room, 0);
    total = length = measure.len;
    buf_free(&measure);
    if (!add_length(&total, reading))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!add_length(&total, &calls[i]))
            return false;
    emit(out, calls, n, reading, room, length);
    buf_add(out, reading->data, reading->data_len);
    for (size_t i = 0; i < n; i++)
        buf_add(out, calls[i].data, calls[i].data_len);
    return !out->overflow;
}

bool sim_read(struct sim_result *out, const uint8_t *p, size_t n)
{
    size_t room = n < READINGS ? 0 : (n - READINGS) / 2;
    uint64_t before, after;

    *out = (struct sim_result){ .before_len = 0 };
    if (n < READINGS || n != scratch_at(room) || !abi_get_u64(&before, p, n, LENGTHS / WORD) ||
        !abi_get_u64(&after, p, n, LENGTHS / WORD + 1) || before > room || after > room)
        return false;
    for (unsigned i = 0; i < SIM_MAX_CALLS; i++)
        if (!abi_get_u256(&out->used[i], p, n, i))
            return false;
    out->before = p + READINGS;
    out->before_len = before;
    out->after = p + READINGS + room;
    out->after_len = after;
    return true;
}
