/* In the place of chain/evm/rlp.c, which has a proof of its own: items of any kind and length, as long as
 * they lie within what is read and behind their prefix. */
#include "chain/evm/rlp.h"

#include "proof.h"

struct rlp rlp_reader(const void *p, size_t n)
{
    return (struct rlp){ p, (const uint8_t *)p + n };
}

bool rlp_at_end(const struct rlp *r)
{
    return r->p == r->end;
}

/* Behind a prefix, which a single byte can do without. */
static bool item_any(struct rlp *r, const uint8_t **p, size_t *n, bool prefixed)
{
    ANY(bool, is_one);
    ANY(uint16_t, len);
    ANY(uint8_t, prefix);

    MUST(r->p <= r->end);
    if (!is_one || r->p == r->end)
        return false;
    SUPPOSE(prefix <= 3 && (prefix > 0 || (len == 1 && !prefixed)));
    SUPPOSE((size_t)prefix + len <= (size_t)(r->end - r->p));
    *p = r->p + prefix;
    *n = len;
    r->p = *p + len;
    return true;
}

bool rlp_bytes(struct rlp *r, const uint8_t **p, size_t *n)
{
    return item_any(r, p, n, false);
}

bool rlp_u64(struct rlp *r, uint64_t *v)
{
    ANY(uint64_t, number);
    const uint8_t *p;
    size_t n;

    *v = number;
    return rlp_bytes(r, &p, &n);
}

bool rlp_u256(struct rlp *r, struct u256 *v)
{
    ANY(struct u256, wide_number);
    const uint8_t *p;
    size_t n;

    *v = wide_number;
    return rlp_bytes(r, &p, &n);
}

bool rlp_list(struct rlp *r, struct rlp *items)
{
    const uint8_t *p;
    size_t n;

    if (!item_any(r, &p, &n, true))
        return false;
    *items = (struct rlp){ p, p + n };
    return true;
}
