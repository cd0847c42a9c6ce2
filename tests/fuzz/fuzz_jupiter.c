/* Answers of Jupiter, any bytes, to a question for offers and to one for a transaction: an offer's minimum is
 * of its own price, and a transaction is no larger than the chain takes. */
#include "chain/tokens.h"
#include "fuzz.h"
#include "route/jupiter.h"
#include "route/provider_service.h"
#include "service/conf.h"

#define TAKER "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"

enum { TRANSACTION_MAX = 1232 };

static const int statuses[] = { 200, 400, 429, 500 };

static struct tx_in question(void)
{
    const struct chain *c = chain_find("solana");

    return (struct tx_in){ .route = { .from_chain = c,
                                      .to_chain = c,
                                      .from = token_ref_of(token_find(c, "SOL")),
                                      .to = token_ref_of(token_find(c, "USDC")),
                                      .amount_in = u256_from_u64(1000000000),
                                      .slippage = { 10000 },
                                      .wallet = TAKER },
                           .min_out = u256_from_u64(148000000) };
}

static void answered(struct call *call, int status, const uint8_t *data, size_t size)
{
    call->result = CALL_ANSWERED;
    call->status = status;
    buf_add(&call->answer, data, size);
}

static void offers_read(const struct ctx *ctx, const struct route_in *in, struct arena *a, int status,
                        const uint8_t *data, size_t size)
{
    struct route_answer *out = ARENA_NEW(a, struct route_answer);
    const struct offer *o = &out->offers[0];
    struct call call;
    enum ask_end end;
    uint64_t units;

    MUST(jupiter.ask(&call, ctx, in, a));
    answered(&call, status, data, size);
    end = jupiter.read(&call, in, a, out);
    MUST((end == ASK_OFFERED) == (out->count == 1) && (end != ASK_OFFERED || status == 200));
    MUST(out->count == 0 || (u256_to_u64(&units, o->out) && units > 0 && o->gas_units == 0));
    MUST(out->count == 0 || (u256_cmp(o->min_out, o->out) <= 0 && u256_to_u64(&units, o->fee)));
    MUST(u256_is_zero(out->reference_out) || u256_cmp(out->reference_out, o->out) >= 0);
    MUST(u256_is_zero(out->gas.usd.get) || !u256_is_zero(out->gas.usd.give));
    call_free(&call);
}

static void tx_read(const struct ctx *ctx, const struct tx_in *in, struct arena *a, int status,
                    const uint8_t *data, size_t size)
{
    struct wallet_call out = { .to = NULL };
    struct call call;
    enum tx_end end;

    MUST(jupiter.ask_tx(&call, ctx, in, a));
    answered(&call, status, data, size);
    end = jupiter.read_tx(&call, in, a, &out);
    MUST(end != TX_ASKS_MORE && (end != TX_READY || status == 200));
    MUST(end != TX_READY || (out.to != NULL && out.data_len > 0 && out.data_len <= TRANSACTION_MAX));
    MUST(end != TX_READY ||
         (u256_cmp(out.value, in->route.amount_in) == 0 && u256_cmp(out.min_out, in->min_out) >= 0));
    call_free(&call);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct conf conf;
    struct provider_services *services = provider_services_new(&conf);
    const struct ctx ctx = { .conf = &conf, .providers = services };
    const struct tx_in in = question();
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        offers_read(&ctx, &in.route, a, statuses[i], data, size);
        tx_read(&ctx, &in, a, statuses[i], data, size);
    }
    provider_services_free(services);
    arena_free(a);
    return 0;
}
