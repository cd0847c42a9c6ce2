/* An order of Relay's as processes of the service pass it: its members in the order of the struct, texts
 * with the NUL that ends them. */
#include <string.h>

#include "codec/packet.h"
#include "venue/relay_calls.h"

enum { TEXT_MAX = 32, BYTES_MAX = 64 };

/* ---- writing ---- */

static void put_text(struct buf *out, const char *text)
{
    packet_put_bytes(out, text, strlen(text) + 1, TEXT_MAX);
}

static void put_bytes(struct buf *out, struct relay_bytes b)
{
    packet_put_bytes(out, b.p, b.n, BYTES_MAX);
}

static void put_amount(struct buf *out, struct u256 v)
{
    uint8_t word[U256_BYTES];

    u256_to_be(word, v);
    buf_add(out, word, sizeof word);
}

static void put_input(struct buf *out, const struct relay_order *o)
{
    put_text(out, o->input.chain);
    put_bytes(out, o->input.currency);
    put_amount(out, o->input.amount);
    put_amount(out, o->input.weight);
    buf_addc(out, (uint8_t)o->input.refund_count);
    for (const struct relay_refund *r = o->input.refunds; r < o->input.refunds + o->input.refund_count; r++) {
        put_text(out, r->chain);
        put_bytes(out, r->recipient);
        put_bytes(out, r->currency);
        put_amount(out, r->minimum);
        packet_put_u32(out, r->deadline);
        put_bytes(out, r->extra);
    }
}

void relay_order_write(struct buf *out, const struct relay_order *o)
{
    put_text(out, o->version);
    put_text(out, o->solver_chain);
    put_bytes(out, o->solver);
    put_amount(out, o->salt);
    put_input(out, o);
    put_text(out, o->output.chain);
    put_bytes(out, o->output.recipient);
    put_bytes(out, o->output.currency);
    put_amount(out, o->output.minimum);
    put_amount(out, o->output.expected);
    packet_put_u32(out, o->output.deadline);
    put_bytes(out, o->output.extra);
    buf_addc(out, (uint8_t)o->fee_count);
    for (const struct relay_fee *f = o->fees; f < o->fees + o->fee_count; f++) {
        put_text(out, f->recipient_chain);
        put_bytes(out, f->recipient);
        put_text(out, f->currency_chain);
        put_bytes(out, f->currency);
        put_amount(out, f->amount);
    }
}

/* ---- reading ---- */

static bool take_text(struct packet *in, const char **text)
{
    const uint8_t *p;
    size_t n;

    if (!packet_take_bytes(in, &p, &n, TEXT_MAX) || n == 0 || memchr(p, '\0', n) != p + n - 1)
        return false;
    *text = (const char *)p;
    return true;
}

static bool take_bytes(struct packet *in, struct relay_bytes *b)
{
    return packet_take_bytes(in, &b->p, &b->n, BYTES_MAX);
}

static bool take_amount(struct packet *in, struct u256 *v)
{
    uint8_t word[U256_BYTES];

    if (!packet_take(in, word, sizeof word))
        return false;
    *v = u256_from_be(word);
    return true;
}

static bool take_count(struct packet *in, size_t *n, size_t max)
{
    uint8_t count;

    if (!packet_take_u8(in, &count))
        return false;
    *n = count;
    return count <= max;
}

static bool take_refund(struct packet *in, struct relay_refund *r)
{
    return take_text(in, &r->chain) && take_bytes(in, &r->recipient) && take_bytes(in, &r->currency) &&
           take_amount(in, &r->minimum) && packet_take_u32(in, &r->deadline) && take_bytes(in, &r->extra);
}

static bool take_input(struct packet *in, struct relay_order *o)
{
    bool ok = take_text(in, &o->input.chain) && take_bytes(in, &o->input.currency) &&
              take_amount(in, &o->input.amount) && take_amount(in, &o->input.weight) &&
              take_count(in, &o->input.refund_count, RELAY_REFUNDS);

    for (size_t i = 0; ok && i < o->input.refund_count; i++)
        ok = take_refund(in, &o->input.refunds[i]);
    return ok;
}

static bool take_output(struct packet *in, struct relay_order *o)
{
    return take_text(in, &o->output.chain) && take_bytes(in, &o->output.recipient) &&
           take_bytes(in, &o->output.currency) && take_amount(in, &o->output.minimum) &&
           take_amount(in, &o->output.expected) && packet_take_u32(in, &o->output.deadline) &&
           take_bytes(in, &o->output.extra);
}

static bool take_fee(struct packet *in, struct relay_fee *f)
{
    return take_text(in, &f->recipient_chain) && take_bytes(in, &f->recipient) &&
           take_text(in, &f->currency_chain) && take_bytes(in, &f->currency) && take_amount(in, &f->amount);
}

static bool take_fees(struct packet *in, struct relay_order *o)
{
    bool ok = take_count(in, &o->fee_count, RELAY_FEES);

    for (size_t i = 0; ok && i < o->fee_count; i++)
        ok = take_fee(in, &o->fees[i]);
    return ok;
}

bool relay_order_read(struct relay_order *out, const uint8_t *p, size_t n)
{
    struct packet in = { p, n };

    *out = (struct relay_order){ .version = "" };
    return take_text(&in, &out->version) && take_text(&in, &out->solver_chain) &&
           take_bytes(&in, &out->solver) && take_amount(&in, &out->salt) && take_input(&in, out) &&
           take_output(&in, out) && take_fees(&in, out) && in.left == 0;
}
