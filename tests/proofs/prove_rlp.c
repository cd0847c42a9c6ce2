/* rlp_bytes, rlp_u64, rlp_u256, rlp_list
 * @bounds all inputs up to 60 bytes
 * @shows no access outside of them; an item lies within the input and behind what was read; what is refused
 * moves nothing
 * @unwind 34
 * @with codec/u256.c base/buf.c
 */
#include "chain/evm/rlp.c"
#include "proof.h"

enum { INPUT_MAX = 60 };

void harness(void)
{
    ANY_BYTES(bytes, len, INPUT_MAX);
    ANY(unsigned, what);
    struct rlp r = rlp_reader(bytes, len), items;
    const uint8_t *p = bytes;
    size_t n = 0;
    struct u256 wide;
    uint64_t small;
    bool read = false;

    switch (what) {
    case 0:
        read = rlp_bytes(&r, &p, &n);
        break;
    case 1:
        read = rlp_u64(&r, &small);
        break;
    case 2:
        read = rlp_u256(&r, &wide);
        break;
    case 3:
        read = rlp_list(&r, &items);
        p = read ? items.p : bytes;
        n = read ? (size_t)(items.end - items.p) : 0;
        break;
    }
    MUST(read ? r.p > bytes && r.p <= bytes + len : r.p == bytes);
    MUST(r.end == bytes + len);
    MUST(p >= bytes && n <= len && p + n <= r.p);
}
