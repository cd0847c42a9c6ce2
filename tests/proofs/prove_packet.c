/* packet_take and its kin
 * @bounds all packets up to 24 bytes, every length and maximum
 * @shows no access outside of the packet, and what is left of it is always its end
 * @unwind 10
 */
#include "codec/packet.c"
#include "proof.h"

enum { PACKET_MAX = 24 };

void harness(void)
{
    ANY_BYTES(bytes, len, PACKET_MAX);
    ANY(size_t, n);
    ANY(size_t, max);
    ANY(unsigned, what);
    struct packet in = { bytes, len };
    uint8_t small, copy[PACKET_MAX];
    const uint8_t *p = bytes;
    uint32_t middle;
    uint64_t wide;
    bool taken = false;

    switch (what) {
    case 0:
        taken = packet_take(&in, copy, n);
        break;
    case 1:
        taken = packet_take_u8(&in, &small);
        break;
    case 2:
        taken = packet_take_u32(&in, &middle);
        break;
    case 3:
        taken = packet_take_u64(&in, &wide);
        break;
    case 4:
        taken = packet_take_bytes(&in, &p, &n, max);
        MUST(!taken || (n <= max && p + n == in.p));
        break;
    }
    MUST(in.p + in.left == bytes + len && in.left <= len);
    MUST(taken || what == 4 || in.left == len);
}
