#include "exec/evm/data_fee.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"

enum {
    SEL_GET_L1_FEE_UPPER_BOUND = 0xf1c7a58b,
    SEL_GET_L1_FEE = 0x49948e0e,
    SEL_GET_OPERATOR_FEE = 0x275aedd2,
    SEL_TOKEN_RATIO = 0x06f837d3,
    TX_OVERHEAD = 200, /* bytes of a signed transaction around its calldata */
    GAS_UNITS = 1000000,
};

/* The questions, in this order: on the OP stack for all steps at once, elsewhere for the bytes of each. The
 * last one where the oracle counts in ether. */
enum { AT_POSTING, AT_OPERATING, AT_WITH_GAS, AT_RATIO };

static void add_sizes(struct multicall *m, const struct plan *p, struct evm_addr oracle)
{
    static const uint64_t gas[] = { 0, GAS_UNITS };
    struct buf data = BUF_INIT(64);
    uint64_t bytes = 0;

    for (unsigned i = 0; i < p->count; i++)
        bytes += p->steps[i].data_len + TX_OVERHEAD;
    abi_selector(&data, SEL_GET_L1_FEE_UPPER_BOUND);
    abi_u64(&data, bytes);
    multicall_add(m, oracle, &data);
    for (size_t i = 0; i < sizeof gas / sizeof gas[0]; i++) {
        buf_reset(&data);
        abi_selector(&data, SEL_GET_OPERATOR_FEE);
        abi_u64(&data, gas[i]);
        multicall_add(m, oracle, &data);
    }
    if (p->chain->fee_in_ether) {
        buf_reset(&data);
        abi_selector(&data, SEL_TOKEN_RATIO);
        multicall_add(m, oracle, &data);
    }
    buf_free(&data);
}

/* The bytes around its calldata are not known yet, and do not compress. */
static void add_bytes(struct multicall *m, const struct step *s, struct evm_addr oracle)
{
    struct buf tx = BUF_INIT(MAX_TX), data = BUF_INIT(2 * MAX_TX);
    uint8_t around[TX_OVERHEAD];

    for (size_t i = 0; i < sizeof around; i++)
        around[i] = (uint8_t)(i * 151 + 89);
    buf_add(&tx, around, sizeof around);
    buf_add(&tx, s->data, s->data_len);
    abi_selector(&data, SEL_GET_L1_FEE);
    abi_u64(&data, ABI_WORD);
    abi_bytes_tail(&data, tx.data, tx.len);
    multicall_add(m, oracle, &data);
    buf_free(&tx);
    buf_free(&data);
}

void data_fee_ask(struct rpc_batch *b, const struct plan *p)
{
    struct evm_addr oracle = evm_addr_or_zero(p->chain->fee_oracle);
    struct multicall m = MULTICALL_INIT(4 * MAX_TX);
    struct buf data = BUF_INIT(4 * MAX_TX);

    if (p->chain->fee_by_bytes)
        for (unsigned i = 0; i < p->count; i++)
            add_bytes(&m, &p->steps[i], oracle);
    else
        add_sizes(&m, p, oracle);
    multicall_finish(&m, &data);
    multicall_call(b, &data);
    buf_free(&data);
    multicall_free(&m);
}

static const struct u256 MOST = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };

static struct u256 told(const struct multicall_results *r, unsigned i)
{
    struct u256 word;

    return multicall_word(&word, r, i) ? word : U256_ZERO;
}

/* Beyond all numbers it becomes the largest, which no bound lets pass. An oracle without a ratio counts in
 * the chain's coin. */
static struct u256 in_coin(struct u256 ether, struct u256 ratio)
{
    struct u256 coin;

    if (u256_is_zero(ratio))
        return ether;
    return u256_mul(&coin, ether, ratio) ? coin : MOST;
}

static unsigned questions(const struct plan *p)
{
    if (p->chain->fee_by_bytes)
        return p->count;
    return p->chain->fee_in_ether ? AT_RATIO + 1 : AT_WITH_GAS + 1;
}

bool data_fee_read(struct data_charge *out, struct arena *a, const struct plan *p, const struct rpc_answer *r)
{
    struct multicall_results results = { NULL, 0 };

    *out = (struct data_charge){ .posting = U256_ZERO };
    if (!rpc_bytes(&results.data, &results.len, a, r) || !multicall_complete(&results, questions(p)))
        return false;
    if (!p->chain->fee_by_bytes) {
        *out = (struct data_charge){ told(&results, AT_POSTING), told(&results, AT_OPERATING),
                                     told(&results, AT_WITH_GAS) };
        if (p->chain->fee_in_ether)
            out->posting = in_coin(out->posting, told(&results, AT_RATIO));
        return true;
    }
    for (unsigned i = 0; i < p->count; i++)
        if (!u256_add(&out->posting, out->posting, told(&results, i)))
            out->posting = MOST;
    return true;
}

/* A part of it is there for each transaction, the rest grows with the gas. */
static bool add_operating(struct u256 *sum, const struct data_charge *f, uint64_t gas)
{
    struct u256 more = u256_sub_or_zero(f->with_gas, f->operating);

    return u256_muldiv(&more, more, u256_from_u64(gas), u256_from_u64(GAS_UNITS)) &&
           u256_add(sum, *sum, more) && u256_add(sum, *sum, f->operating);
}

bool data_fee_total(struct u256 *out, const struct plan *p, const struct data_charge *f)
{
    struct u256 sum = f->posting;

    for (unsigned i = 0; i < p->count; i++)
        if (!add_operating(&sum, f, p->steps[i].gas_limit))
            return false;
    return u256_muldiv(out, sum, u256_from_u64(3), u256_from_u64(2));
}
