/* RLP: what is read, written again, is what was there; what fails leaves the reader where it was. */
#include <string.h>

#include "chain/evm/rlp.h"
#include "fuzz.h"

enum { MAX_DEPTH = 64 };

static void check_integers(struct rlp r)
{
    struct buf out = BUF_INIT(64);
    struct rlp narrow = r, wide = r;
    struct u256 v;
    uint64_t small;

    if (rlp_u64(&narrow, &small)) {
        rlp_add_u64(&out, small);
        MUST(out.len == (size_t)(narrow.p - r.p) && memcmp(out.data, r.p, out.len) == 0);
        buf_reset(&out);
    }
    if (rlp_u256(&wide, &v)) {
        rlp_add_u256(&out, v);
        MUST(out.len == (size_t)(wide.p - r.p) && memcmp(out.data, r.p, out.len) == 0);
    }
    buf_free(&out);
}

static bool copy_items(struct buf *out, struct rlp r, unsigned depth);

static bool copy_item(struct buf *out, struct rlp *r, unsigned depth)
{
    struct buf items = BUF_INIT(MAX_UPSTREAM);
    const uint8_t *p, *before = r->p;
    struct rlp list;
    bool ok = false;
    size_t n;

    check_integers(*r);
    if (rlp_bytes(r, &p, &n)) {
        rlp_add_bytes(out, p, n);
        return true;
    }
    MUST(r->p == before);
    if (depth < MAX_DEPTH && rlp_list(r, &list)) {
        ok = copy_items(&items, list, depth + 1);
        rlp_add_list(out, &items);
    }
    buf_free(&items);
    return ok;
}

static bool copy_items(struct buf *out, struct rlp r, unsigned depth)
{
    while (!rlp_at_end(&r)) {
        if (!copy_item(out, &r, depth))
            return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf copy = BUF_INIT(MAX_UPSTREAM);

    if (size > 0 && size <= MAX_UPSTREAM && copy_items(&copy, rlp_reader(data, size), 0))
        MUST(copy.len == size && memcmp(copy.data, data, size) == 0);
    buf_free(&copy);
    return 0;
}
