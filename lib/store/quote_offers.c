#include "store/quote_offers.h"

#include <string.h>

static const char GET[] = "SELECT offers FROM quotes WHERE id = ? AND agent_id = ?";

/* Each offer has length and text of the provider, two amounts, gas, length and bytes of the payload; lengths
 * and gas are big-endian. */
enum { AMOUNTS = 2 * U256_BYTES, GAS = 8, PAYLOAD_LEN = 4 };

static void put_number(struct buf *out, uint64_t v, unsigned bytes)
{
    while (bytes-- > 0)
        buf_addc(out, (uint8_t)(v >> (8 * bytes)));
}

static uint64_t number_at(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;

    while (bytes-- > 0)
        v = v << 8 | *p++;
    return v;
}

void quote_offers_encode(struct buf *out, const struct quote_offer *offers, unsigned n)
{
    for (const struct quote_offer *o = offers; o < offers + n; o++) {
        uint8_t amounts[AMOUNTS];

        u256_to_be(amounts, o->amount_out);
        u256_to_be(amounts + U256_BYTES, o->min_out);
        put_number(out, strlen(o->provider), 1);
        buf_adds(out, o->provider);
        buf_add(out, amounts, sizeof amounts);
        put_number(out, o->gas_units, GAS);
        put_number(out, o->payload_len, PAYLOAD_LEN);
        buf_add(out, o->payload, o->payload_len);
    }
}

/* Reads the first offer of n bytes and returns its end; NULL when it is cut off. */
static const uint8_t *offer_decode(struct quote_offer *o, const uint8_t *p, size_t n)
{
    size_t head = n == 0 ? 0 : 1 + (size_t)*p + AMOUNTS + GAS + PAYLOAD_LEN;
    const uint8_t *at;

    *o = (struct quote_offer){ .payload_len = 0 };
    if (head == 0 || head > n || *p >= sizeof o->provider)
        return NULL;
    memcpy(o->provider, p + 1, *p);
    at = p + 1 + *p;
    o->amount_out = u256_from_be(at);
    o->min_out = u256_from_be(at + U256_BYTES);
    o->gas_units = number_at(at + AMOUNTS, GAS);
    o->payload_len = (size_t)number_at(at + AMOUNTS + GAS, PAYLOAD_LEN);
    o->payload = p + head;
    return o->payload_len <= n - head ? o->payload + o->payload_len : NULL;
}

int quote_offers_of(struct db *db, struct arena *a, const struct uuid *quote_id, uint64_t agent_id,
                    struct quote_offer out[static QUOTE_OFFERS_MAX])
{
    struct stmt *st = db_prepare(db, GET);
    const uint8_t *p, *end;
    enum lookup found;
    int n = 0;
    size_t len;

    bind_uuid(st, quote_id);
    bind_u64(st, agent_id);
    if ((found = db_one(st)) != LOOKUP_FOUND)
        return found == LOOKUP_ERROR ? -1 : 0;
    p = col_bytes(st, 0, a, &len);
    for (end = p + len; p != NULL && p < end && n < QUOTE_OFFERS_MAX; n++)
        if ((p = offer_decode(&out[n], p, (size_t)(end - p))) == NULL)
            return n;
    return n;
}
