#include "signer/history_mark.h"

#include <string.h>

#include "codec/hash.h"
#include "codec/packet.h"

enum { PROOF_LEN = 8, MEMBERS_LEN = 8 + UUID_LEN + 8 + 8 + 8 + 1 };
_Static_assert(MEMBERS_LEN + PROOF_LEN <= MARK_PLACE_LEN, "a place holds its members");

size_t history_mark_place(const struct history_mark *m)
{
    return (m->number & 1) * MARK_PLACE_LEN;
}

void history_mark_write(uint8_t out[static MARK_PLACE_LEN], const struct history_mark *m)
{
    struct buf b = BUF_INIT(MARK_PLACE_LEN);
    uint8_t proof[HASH_LEN];

    packet_put_u64(&b, m->number);
    buf_add(&b, m->boot.bytes, UUID_LEN);
    packet_put_u64(&b, (uint64_t)m->boot_s);
    packet_put_u64(&b, (uint64_t)m->time_s);
    packet_put_u64(&b, (uint64_t)m->wallets_len);
    buf_addc(&b, m->complete ? 1 : 0);
    sha256(proof, b.data, b.len);
    buf_add(&b, proof, PROOF_LEN);
    memset(out, 0, MARK_PLACE_LEN);
    memcpy(out, b.data, b.len);
    buf_free(&b);
}

static bool take_seconds(struct packet *in, int64_t *out)
{
    uint64_t v;

    if (!packet_take_u64(in, &v) || v > INT64_MAX / 2)
        return false;
    *out = (int64_t)v;
    return true;
}

static bool take_members(struct packet *in, struct history_mark *m)
{
    uint8_t complete;

    if (!packet_take_u64(in, &m->number) || !packet_take(in, m->boot.bytes, UUID_LEN) ||
        !take_seconds(in, &m->boot_s) || !take_seconds(in, &m->time_s) ||
        !take_seconds(in, &m->wallets_len) || !packet_take_u8(in, &complete))
        return false;
    m->complete = complete == 1;
    return complete <= 1;
}

static bool place_read(struct history_mark *out, const uint8_t place[static MARK_PLACE_LEN])
{
    struct packet in = { place, MEMBERS_LEN };
    uint8_t proof[HASH_LEN];

    sha256(proof, place, MEMBERS_LEN);
    return memcmp(proof, place + MEMBERS_LEN, PROOF_LEN) == 0 && take_members(&in, out);
}

enum lookup history_mark_read(struct history_mark *out, const uint8_t *file, size_t n)
{
    enum lookup found = n == 0 ? LOOKUP_NONE : LOOKUP_ERROR;
    struct history_mark m;

    for (; n >= MARK_PLACE_LEN; file += MARK_PLACE_LEN, n -= MARK_PLACE_LEN) {
        if (!place_read(&m, file) || (found == LOOKUP_FOUND && m.number < out->number))
            continue;
        *out = m;
        found = LOOKUP_FOUND;
    }
    return found;
}
