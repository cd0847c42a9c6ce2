/* signer_answer_read
 * @bounds all messages up to 512 bytes, the most there are
 * @shows no access outside of the message; signature and record fit where they are kept
 * @unwind 2
 * @with tests/proofs/packet.c
 */
#include "proof.h"

extern const uint8_t *packet_end;

static void *text_searched(const void *s, int c, size_t n)
{
    ANY(bool, found);

    (void)c;
    MUST(n == 0 || __CPROVER_r_ok(s, n));
    return found ? (void *)s : NULL;
}

/* The record's bytes are copied as they stand. */
static void *room_checked(void *to, const void *from, size_t n)
{
    MUST(n == 0 || (__CPROVER_w_ok(to, n) && __CPROVER_r_ok(from, n)));
    return to;
}

#define memchr text_searched
#define memcpy room_checked
#include "signer/signer_message.c"

void harness(void)
{
    ANY_BYTES(bytes, len, SIGNER_MAX_ANSWER);
    struct signer_answer an;

    packet_end = bytes_all + SIGNER_MAX_ANSWER;
    if (!signer_answer_read(&an, bytes, len))
        return;
    MUST(an.status <= SIGNER_LIMITED && an.rule < RULES);
    MUST(an.sig.len <= SIGNATURE_MAX && an.record.len <= ADDRESS_RECORD_MAX);
    MUST(an.address[WALLET_ADDR_MAX - 1] == '\0');
}
