#include "chain/evm/rlp.h"

/* First bytes: below STRING a byte stands for itself; a short payload's length is in the first byte; a long
 * one's (over SHORT_MAX) is behind it, big-endian, its own length in the first byte. */
enum { STRING = 0x80, LIST = 0xc0, SHORT_MAX = 55 };

static size_t minimal_be(uint8_t out[static 8], uint64_t v)
{
    size_t n = 0;

    for (unsigned shift = 64; shift > 0; shift -= 8) {
        uint8_t byte = (uint8_t)(v >> (shift - 8));

        if (n > 0 || byte != 0)
            out[n++] = byte;
    }
    return n;
}

static void add_head(struct buf *out, uint8_t kind, size_t n)
{
    uint8_t len[8];
    size_t len_len;

    if (n <= SHORT_MAX) {
        buf_addc(out, (uint8_t)(kind + n));
        return;
    }
    len_len = minimal_be(len, n);
    buf_addc(out, (uint8_t)(kind + SHORT_MAX + len_len));
    buf_add(out, len, len_len);
}

void rlp_add_bytes(struct buf *out, const void *p, size_t n)
{
    const uint8_t *bytes = p;

    if (n != 1 || bytes[0] >= STRING)
        add_head(out, STRING, n);
    buf_add(out, p, n);
}

void rlp_add_u64(struct buf *out, uint64_t v)
{
    uint8_t bytes[8];

    rlp_add_bytes(out, bytes, minimal_be(bytes, v));
}

void rlp_add_u256(struct buf *out, struct u256 v)
{
    uint8_t bytes[U256_BYTES];
    size_t zeros = 0;

    u256_to_be(bytes, v);
    while (zeros < U256_BYTES && bytes[zeros] == 0)
        zeros++;
    rlp_add_bytes(out, bytes + zeros, U256_BYTES - zeros);
}

void rlp_add_list(struct buf *out, const struct buf *items)
{
    add_head(out, LIST, items->len);
    buf_add(out, items->data, items->len);
    out->overflow |= items->overflow; /* a part of a list is not a list */
}

struct rlp rlp_reader(const void *p, size_t n)
{
    const uint8_t *bytes = p;

    return (struct rlp){ bytes, n > 0 ? bytes + n : bytes };
}

bool rlp_at_end(const struct rlp *r)
{
    return r->p == r->end;
}

/* The length of a long payload, from the `len_len` bytes at p. */
static bool long_length(size_t *out, const uint8_t *p, size_t len_len, size_t left)
{
    uint64_t n = 0;

    if (len_len > left || p[0] == 0)
        return false;
    for (size_t i = 0; i < len_len; i++)
        n = n << 8 | p[i];
    *out = (size_t)n;
    return n > SHORT_MAX && n <= left - len_len;
}

/* The payload of the next item of a kind; moves the reader behind it. */
static bool payload(struct rlp *r, uint8_t kind, struct rlp *out)
{
    size_t left = (size_t)(r->end - r->p), n, len_len = 0;
    const uint8_t *p = r->p;

    if (left == 0 || p[0] < kind || (kind == STRING && p[0] >= LIST))
        return false;
    n = (size_t)(p[0] - kind);
    p++;
    left--;
    if (n > SHORT_MAX) {
        len_len = n - SHORT_MAX;
        if (!long_length(&n, p, len_len, left))
            return false;
    }
    p += len_len;
    left -= len_len;
    if (n > left)
        return false;
    *out = rlp_reader(p, n);
    r->p = p + n;
    return true;
}

bool rlp_bytes(struct rlp *r, const uint8_t **p, size_t *n)
{
    struct rlp next = *r, item;

    if (rlp_at_end(r))
        return false;
    if (*r->p < STRING) {
        item = rlp_reader(r->p, 1);
        next.p++;
    } else {
        if (!payload(&next, STRING, &item))
            return false;
        if (item.end - item.p == 1 && *item.p < STRING) /* should stand for itself */
            return false;
    }
    *p = item.p;
    *n = (size_t)(item.end - item.p);
    *r = next;
    return true;
}

bool rlp_u256(struct rlp *r, struct u256 *v)
{
    struct rlp next = *r;
    const uint8_t *p;
    size_t n;

    if (!rlp_bytes(&next, &p, &n) || (n > 0 && p[0] == 0) || !u256_from_be_n(v, p, n))
        return false;
    *r = next;
    return true;
}

bool rlp_u64(struct rlp *r, uint64_t *v)
{
    struct rlp next = *r;
    struct u256 wide;

    if (!rlp_u256(&next, &wide) || !u256_to_u64(v, wide))
        return false;
    *r = next;
    return true;
}

bool rlp_list(struct rlp *r, struct rlp *items)
{
    return payload(r, LIST, items);
}
