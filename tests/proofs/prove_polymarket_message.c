/* polymarket_message_read
 * @bounds all messages up to 20,480 bytes, the most there are
 * @shows no access outside of the message; there are no more calls than room for them, and what they hand
 * over lies within it
 * @unwind 18
 * @options --unwindset u256_from_be.0:5
 * @with tests/proofs/packet.c codec/u256.c
 */
#include "proof.h"

extern const uint8_t *packet_end;
#include "venue/polymarket_message.c"

void harness(void)
{
    ANY_BYTES(bytes, len, POLYMARKET_MESSAGE_MAX);
    ANY(size_t, at);
    struct polymarket_message m;

    packet_end = bytes_all + POLYMARKET_MESSAGE_MAX;
    if (!polymarket_message_read(&m, bytes, len) || m.kind != POLYMARKET_BATCH)
        return;
    MUST(m.batch.count > 0 && m.batch.count <= POLYMARKET_CALLS_MAX);
    SUPPOSE(at < m.batch.count);
    MUST(m.calls[at].len <= POLYMARKET_CALL_MAX && m.calls[at].data >= bytes);
    MUST(m.calls[at].data + m.calls[at].len <= bytes + len);
}
