#include "chain/evm/multicall.h"

#include "chain/evm/abi.h"

enum { SEL_AGGREGATE3 = 0x82ad56cb };

struct evm_addr multicall_addr(void)
{
    struct evm_addr at = { { 0 } };

    (void)evm_addr_parse(&at, "0xcA11bde05977b3631167028862bE2a173976CA11");
    return at;
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

void multicall_free(struct multicall *m)
{
    buf_free(&m->heads);
    buf_free(&m->tails);
}

bool multicall_result(const struct multicall_results *r, unsigned i, const uint8_t **p, size_t *n)
{
    enum { ARRAY = 64 }; /* behind the array's offset and length */
    uint64_t offset, count, ok;

    return abi_get_u64(&count, r->data, r->len, 1) && i < count &&
           abi_get_u64(&offset, r->data, r->len, 2 + i) && offset % ABI_WORD == 0 && offset < r->len &&
           abi_get_u64(&ok, r->data, r->len, (ARRAY + offset) / ABI_WORD) && ok == 1 &&
           abi_get_bytes(p, n, r->data, r->len, ARRAY + offset, ARRAY + offset + ABI_WORD);
}
