/* In the place of codec/packet.c, which has a proof of its own: takes what is there, and says anything of it.
 * Of what is copied the last byte alone is, since the others steer nothing. */
#include "codec/packet.h"

#include "proof.h"

/* Where the packet ends: what is left, of 16 bits, then says where it is, and the solver has no sums to add
 * up. */
const uint8_t *packet_end;

static bool step(struct packet *in, size_t n)
{
    if (in->left < n)
        return false;
    in->left = (uint16_t)(in->left - n);
    in->p = packet_end - in->left;
    return true;
}

bool packet_take(struct packet *in, void *out, size_t n)
{
    ANY(uint8_t, last);

    MUST(n == 0 || __CPROVER_w_ok(out, n));
    if (!step(in, n))
        return false;
    if (n > 0)
        ((uint8_t *)out)[n - 1] = last;
    return true;
}

bool packet_take_u8(struct packet *in, uint8_t *v)
{
    ANY(uint8_t, byte);

    if (!step(in, 1))
        return false;
    *v = byte;
    return true;
}

bool packet_take_u32(struct packet *in, uint32_t *v)
{
    ANY(uint32_t, number);

    if (!step(in, 4))
        return false;
    *v = number;
    return true;
}

bool packet_take_u64(struct packet *in, uint64_t *v)
{
    ANY(uint64_t, wide_number);

    if (!step(in, 8))
        return false;
    *v = wide_number;
    return true;
}

bool packet_take_bytes(struct packet *in, const uint8_t **p, size_t *n, size_t max)
{
    ANY(uint16_t, len);
    ANY(bool, more);

    if (!step(in, 4) || more || len > max || len > in->left)
        return false;
    *p = in->p;
    *n = len;
    return step(in, len);
}
