/* What a chain answers about how a wallet stands in a market, before an operation and behind its simulation:
 * any bytes. The first one chooses the lender; the rest is what the multicall returned. */
#include "fuzz.h"
#include "lend/stand.h"
#include "venue/aave_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct contract_kind *const kinds[] = { &aave_pool, &morpho_blue };
    struct lend_place place = { .chain = chain_by_id(1) };
    struct lend_stand stand;

    if (size == 0)
        return 0;
    place.lender = contract_of(place.chain, kinds[data[0] & 1]);
    if (!lend_stand_read(&stand, &place, data + 1, size - 1))
        return 0;
    MUST(!stand.has_health || lend_place_is_morpho(&place) == ((data[0] & 1) != 0));
    MUST(!lend_place_is_morpho(&place) || stand.has_health == !u256_is_zero(stand.borrowed));
    return 0;
}
