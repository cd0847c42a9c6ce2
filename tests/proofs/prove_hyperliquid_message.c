/* hyperliquid_message_read
 * @bounds all messages up to 1,024 bytes, the most there are
 * @shows no access outside of the message; there are no more orders than room for
 * them
 * @unwind 18
 * @with tests/proofs/packet.c venue/hyperliquid_action.c
 */
#include "proof.h"

extern const uint8_t *packet_end;

/* The name's bytes are copied as they stand. */
static void *room_checked(void *to, const void *from, size_t n)
{
    MUST(n == 0 || (__CPROVER_w_ok(to, n) && __CPROVER_r_ok(from, n)));
    return to;
}

static size_t name_spanned(const char *s, const char *accept)
{
    ANY(size_t, span);

    (void)accept;
    MUST(__CPROVER_r_ok(s, 1));
    return span;
}

#define memcpy room_checked
#define strspn name_spanned
#include "venue/hyperliquid_message.c"

void harness(void)
{
    ANY_BYTES(bytes, len, HYPERLIQUID_MESSAGE_MAX);
    struct hyperliquid_action action;

    packet_end = bytes_all + HYPERLIQUID_MESSAGE_MAX;
    if (!hyperliquid_message_read(&action, bytes, len))
        return;
    MUST(action.kind >= HYPERLIQUID_ORDER && action.kind <= HYPERLIQUID_SEND);
    MUST(action.count <= HYPERLIQUID_ORDERS_MAX);
    MUST(action.approval.name[HYPERLIQUID_NAME_MAX] == '\0');
}
