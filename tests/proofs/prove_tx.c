/* evm_tx_decode_unsigned
 * @bounds all transactions up to 1,000 bytes
 * @shows no access outside of the transaction; its data and its access list lie within it
 * @unwind 2
 * @options --unwindset copy_bytes.0:22
 * @replace read_access_list:access_list_any
 * @with tests/proofs/rlp.c
 */
#include "bytewise.h"

#include "chain/evm/tx.c"
#include "proof.h"

enum { TX_BYTES_MAX = 1000 };

/* What it lists is shown by itself. */
bool access_list_any(struct rlp *r, struct evm_tx *tx)
{
    struct rlp list;
    ANY(bool, is_one);

    if (!rlp_list(r, &list) || !is_one)
        return false;
    tx->access_list = rlp_at_end(&list) ? NULL : list.p;
    tx->access_list_len = (size_t)(list.end - list.p);
    return true;
}

void harness(void)
{
    ANY_BYTES(bytes, len, TX_BYTES_MAX);
    struct evm_tx tx;

    if (!evm_tx_decode_unsigned(&tx, bytes, len))
        return;
    MUST(tx.chain_id != 0);
    MUST(tx.data_len == 0 || (tx.data > bytes && tx.data_len < len && tx.data + tx.data_len <= bytes + len));
    MUST(tx.access_list_len == 0 || (tx.access_list > bytes && tx.access_list_len < len &&
                                     tx.access_list + tx.access_list_len <= bytes + len));
}
