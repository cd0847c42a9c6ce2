/* abi_get_u256, abi_get_u64, abi_get_addr, abi_get_bytes
 * @bounds all inputs up to 200 bytes, every index, base and place, also of what is not there
 * @shows no access outside of the input; bytes lie within it
 * @unwind 34
 * @with codec/u256.c
 */
#include "chain/evm/abi.c"
#include "proof.h"

enum { INPUT_MAX = 200 };

void harness(void)
{
    ANY_BYTES(data, n, INPUT_MAX);
    ANY(size_t, index);
    ANY(size_t, base);
    ANY(size_t, at);
    struct evm_addr addr;
    const uint8_t *p;
    struct u256 wide;
    uint64_t small;
    size_t len;

    MUST(abi_get_u256(&wide, data, n, index) == (index < n / ABI_WORD));
    (void)abi_get_u64(&small, data, n, index);
    (void)abi_get_addr(&addr, data, n, index);
    if (abi_get_bytes(&p, &len, data, n, base, at))
        MUST(p >= data && len <= n && p + len <= data + n);
}
