/* signer_request_read
 * @bounds all messages up to 65,535 bytes
 * @shows no access outside of the message; texts are terminated, and payload, proof and record lie within the
 * message
 * @unwind 2
 * @with tests/proofs/packet.c
 */
#include "proof.h"

extern const uint8_t *packet_end;

/* What is in a text decides whether it is taken, and nothing else. */
static void *text_searched(const void *s, int c, size_t n)
{
    ANY(bool, found);

    (void)c;
    MUST(n == 0 || __CPROVER_r_ok(s, n));
    return found ? (void *)s : NULL;
}

#define memchr text_searched
#include "signer/signer_message.c"

static bool lies_within(const uint8_t *p, size_t n, const uint8_t *bytes, size_t len)
{
    return n == 0 || (p >= bytes && n <= len && p + n <= bytes + len);
}

enum { MESSAGE_MAX = UINT16_MAX };

void harness(void)
{
    ANY_BYTES(bytes, len, MESSAGE_MAX);
    struct signer_request rq;

    packet_end = bytes_all + MESSAGE_MAX;
    if (!signer_request_read(&rq, bytes, len))
        return;
    MUST(rq.op >= SIGNER_PING && rq.op <= SIGNER_SIGN_ACTION);
    MUST(rq.wallet.address[WALLET_ADDR_MAX - 1] == '\0' && rq.payee.address[WALLET_ADDR_MAX - 1] == '\0');
    MUST(lies_within(rq.payload, rq.payload_len, bytes, len));
    MUST(lies_within(rq.proof, rq.proof_len, bytes, len));
    MUST(lies_within(rq.record, rq.record_len, bytes, len));
    MUST(rq.record_len <= ADDRESS_RECORD_MAX && rq.proof_len <= PROOF_MAX);
}
