/* order_part of model/order.c, by which order_holds and order_brings count
 * @bounds all orders, all parts of them
 * @shows what a part of an order takes is rounded up: never counted as less than it is, and never as more
 * than the whole
 * @unwind 5
 * @with codec/u256.c
 */
#include "quotient.h"

#include "model/order.c"

void harness(void)
{
    ANY(uint64_t, whole);
    ANY(uint64_t, part);
    ANY(uint64_t, all);
    uint64_t counted = order_part(whole, part, all);

    MUST(equal(asked.a, u256_from_u64(whole)) && equal(asked.b, u256_from_u64(part)));
    if (counted == whole)
        return;
    MUST(equal(asked.by, u256_from_u64(all)));
    SUPPOSE(u256_cmp(asked.quotient, u256_from_u64(whole)) < 0); /* as it is a part */
    MUST(counted == asked.quotient.limb[0] + !u256_is_zero(asked.rest));
    MUST(counted <= whole);
}
