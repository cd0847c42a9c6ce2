/* Orders of Relay's: what is read, written again, is what was there, and has the same id. */
#include <string.h>

#include "fuzz.h"
#include "venue/relay_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf out = BUF_INIT(RELAY_ORDER_MAX * 4);
    uint8_t id[HASH_LEN];
    struct relay_order o;

    if (relay_order_read(&o, data, size)) {
        relay_order_write(&out, &o);
        MUST(out.len == size && memcmp(out.data, data, size) == 0);
        relay_order_id(id, &o);
    }
    buf_free(&out);
    return 0;
}
