/* A call's arguments by their types, which the first byte chooses; then any bytes. What is read lies inside
 * of them, and every word of them is read. */
#include "chain/evm/abi.h"
#include "chain/evm/abi_form.h"
#include "fuzz.h"

static const char *const forms[] = {
    "address,uint256,bytes",
    "uint256,uint256,address[],address,uint256",
    "(address,bytes[],(uint8,bytes4)[]),bool",
    "bytes32,string,string,address,uint256,(address,address,uint256,bytes,bool)[]",
};

static void leaf_must_lie_inside(const struct abi_leaf *l, const uint8_t *data, size_t size)
{
    MUST((l->count == 0) == (l->first == NULL) && (l->count == 0) == (l->last == NULL));
    MUST(l->count <= size / ABI_WORD);
    if (l->count == 0)
        return;
    MUST(l->first >= data && l->first_len <= size && l->first + l->first_len <= data + size);
    MUST(l->last >= data && l->last_len <= size && l->last + l->last_len <= data + size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct abi_leaves leaves;

    if (size == 0 ||
        !abi_read_form(&leaves, forms[data[0] % (sizeof forms / sizeof forms[0])], data + 1, size - 1))
        return 0;
    for (unsigned i = 0; i < leaves.count; i++)
        leaf_must_lie_inside(&leaves.leaf[i], data + 1, size - 1);
    return 0;
}
