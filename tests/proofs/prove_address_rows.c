/* address_verdict and url_addr_allowed of url.c
 * @bounds all addresses of IPv6 and, mapped, of IPv4
 * @shows every address has a row of the table; none of a private, link-local or loopback network counts as
 * public, in any form of writing
 * @unwind 30
 */
#include "net/url.c"
#include "proof.h"

static bool v4_is_inner(const uint8_t *p)
{
    return p[0] == 0 || p[0] == 10 || p[0] == 127 || (p[0] == 169 && p[1] == 254) ||
           (p[0] == 172 && p[1] >= 16 && p[1] < 32) || (p[0] == 192 && p[1] == 168) ||
           (p[0] == 100 && p[1] >= 64 && p[1] < 128) || p[0] >= 224;
}

void harness(void)
{
    uint8_t addr[ADDR_LEN], mapped[ADDR_LEN];
    ANY(uint32_t, v4);
    uint8_t four[4] = { (uint8_t)(v4 >> 24), (uint8_t)(v4 >> 16), (uint8_t)(v4 >> 8), (uint8_t)v4 };
    enum verdict v = address_verdict(addr);

    MUST(v == PUBLIC || v == LOOPBACK || v == REFUSED);
    MUST(v != PUBLIC || (addr[0] & 0xe0) == 0x20 ||
         addr[0] == 0); /* IPv6 that has been given out, or holds IPv4 */
    map_v4(mapped, four);
    MUST(!v4_is_inner(four) || address_verdict(mapped) != PUBLIC);
    memcpy(addr, (const uint8_t[]){ 0x20, 0x02 }, 2); /* 6to4 */
    memcpy(addr + 2, four, 4);
    MUST(!v4_is_inner(four) || address_verdict(addr) == REFUSED);
    memset(addr, 0, V4_AT);
    memcpy(addr, (const uint8_t[]){ 0x00, 0x64, 0xff, 0x9b }, 4); /* translation */
    memcpy(addr + V4_AT, four, 4);
    MUST(!v4_is_inner(four) || address_verdict(addr) == REFUSED);
}
