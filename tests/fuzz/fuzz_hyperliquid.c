/* An action to be signed for Hyperliquid: it is refused, or it is written as it was read, and what is sent of
 * it is JSON. */
#include <jansson.h>
#include <string.h>

#include "fuzz.h"
#include "venue/hyperliquid_message.h"

static void check_json(const struct hyperliquid_action *a)
{
    struct buf b = BUF_INIT(HYPERLIQUID_ACTION_MAX);
    const uint8_t sig[65] = { 0 };
    json_t *body;

    hyperliquid_body(&b, a, sig);
    body = json_loadb(buf_text(&b), b.len, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    MUST(!b.overflow && json_is_object(body));
    json_decref(body);
    buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hyperliquid_action a;
    struct buf b = BUF_INIT(HYPERLIQUID_MESSAGE_MAX);
    uint8_t digest[HASH_LEN];

    if (hyperliquid_message_read(&a, data, size)) {
        hyperliquid_message_write(&b, &a);
        MUST(!b.overflow && b.len == size && memcmp(b.data, data, size) == 0);
        hyperliquid_action_digest(digest, &a);
        check_json(&a);
    }
    buf_free(&b);
    return 0;
}
