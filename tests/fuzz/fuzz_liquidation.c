/* Any JSON as a log: what is read as a liquidation is one of the chain's lenders', and whole. */
#include <jansson.h>
#include <string.h>

#include "base/json_reader.h"
#include "fuzz.h"
#include "lend/liquidation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lend_liquidation list[4], l;
    const struct chain *c = chain_by_id(1);
    json_t *log = json_read((const char *)data, size);
    size_t n = 0;

    if (log != NULL && liquidation_read(&l, c, log)) {
        MUST(strcmp(l.protocol, "aave-v3") == 0 || strcmp(l.protocol, "morpho") == 0);
        MUST(l.tx.len == HASH_LEN);
        n = liquidations_append(list, n, l);
        MUST(n == 1 && liquidations_append(list, n, l) == 1);
        l.log_index++;
        n = liquidations_append(list, n, l);
        MUST(n == 2 && list[1].place == 1);
    }
    json_decref(log);
    return 0;
}
