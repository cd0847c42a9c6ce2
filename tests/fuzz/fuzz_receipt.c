/* A receipt as a node shows it: any JSON. What arrived, or was taken, the logs have to name. */
#include "exec/evm/evm_receipt.h"
#include "fuzz.h"

static const char ME[] = "0x1111111111111111111111111111111111111111";
static const char *const bought[] = { "0x0000000000000000000000000000000000000000",
                                      "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                                      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" };

static void read_receipt(const json_t *result)
{
    struct receipt r;

    if (!receipt_read(&r, result))
        return;
    MUST(r.block != 0 || !r.succeeded || json_is_object(result));
    for (size_t i = 0; i < sizeof bought / sizeof bought[0]; i++) {
        struct execution s = { .to = { .chain_id = 1 } };
        struct u256 arrived, taken;

        snprintf(s.to.address, sizeof s.to.address, "%s", bought[i]);
        if (receipt_arrived(&arrived, &r, &s, ME))
            MUST(json_array_size(r.logs) > 0);
        if (receipt_taken(&taken, &r, &s, ME))
            MUST(json_array_size(r.logs) > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *result = json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL);

    if (result != NULL)
        read_receipt(result);
    json_decref(result);
    return 0;
}
