/* read_access_list of tx.c
 * @bounds all lists up to 90 bytes: up to 3 addresses, and 2 keys
 * @shows no access outside of the list, which lies within what is read
 * @unwind 5
 * @with tests/proofs/rlp.c
 */
#include "chain/evm/tx.c"
#include "proof.h"

enum { LIST_BYTES_MAX = 90 };

void harness(void)
{
    ANY_BYTES(bytes, len, LIST_BYTES_MAX);
    struct rlp r = { bytes, bytes + len };
    struct evm_tx tx;

    if (!read_access_list(&r, &tx))
        return;
    MUST(r.p > bytes && r.p <= bytes + len);
    MUST(tx.access_list == NULL ? tx.access_list_len == 0
                                : tx.access_list > bytes && tx.access_list + tx.access_list_len == r.p);
}
