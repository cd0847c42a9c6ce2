/* A message to be signed for Polymarket: it is refused, or it is written as it was read. */
#include <string.h>

#include "fuzz.h"
#include "venue/polymarket_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct polymarket_message m;
    struct buf b = BUF_INIT(POLYMARKET_MESSAGE_MAX);

    if (polymarket_message_read(&m, data, size)) {
        polymarket_message_write(&b, &m);
        MUST(!b.overflow && b.len == size && memcmp(b.data, data, size) == 0);
    }
    buf_free(&b);
    return 0;
}
