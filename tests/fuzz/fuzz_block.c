/* A whole block as a node shows it: any JSON. What is found in it is a transaction that it names. */
#include "exec/evm/foreign_nonce.c"
#include "fuzz.h"

enum { NONCE = 7, NUMBER = 100 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *block = json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL);
    struct taken_nonce n = { .nonce = NONCE };
    struct evm_addr me;

    MUST(evm_addr_parse(&me, "0x1111111111111111111111111111111111111111"));
    if (block != NULL && block_read(&n, block, me, NUMBER) == SHOWS_IT)
        MUST(json_array_size(json_object_get(block, "transactions")) > 0);
    json_decref(block);
    return 0;
}
