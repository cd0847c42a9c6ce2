/* A payment on Solana as a node shows it: any JSON. What arrived is no less than one unit and no more than
 * there can be, each in an account of its own, and nothing is read of what was not shown, or failed. */
#include "exec/solana/solana_payments.c"
#include "fuzz.h"

static const char *const recipients[] = { "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                                          "11111111111111111111111111111111" };

static void check_arrivals(const struct payment *p)
{
    uint64_t units;

    for (unsigned i = 0; i < p->count; i++) {
        const struct arrival *m = &p->arrivals[i];

        MUST(u256_to_u64(&units, m->amount) && units > 0 && !m->of_block);
        MUST(m->log_index == ARRIVAL_COIN || (m->log_index >= 0 && m->log_index <= UINT8_MAX));
    }
}

static void read_as(struct arena *a, const struct rpc_answer *r, const char *recipient)
{
    static const struct solana_status shown[] = {
        { .known = true, .slot = 7, .succeeded = true, .confirmed = true },
        { .known = true, .slot = 7, .succeeded = true },
        { .known = true, .slot = 7, .confirmed = true },
        { .known = false },
    };

    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        struct payment p = { .recipient = recipient, .seen_block = 7 };

        payment_read(&p, a, &shown[i], 7, r);
        MUST(p.known || i == 0);
        MUST(p.count == 0 || i == 0);
        MUST(p.block == shown[i].slot);
        check_arrivals(&p);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rpc_answer r = { .result = json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL) };
    struct arena *a = arena_new();

    for (size_t i = 0; r.result != NULL && i < sizeof recipients / sizeof recipients[0]; i++)
        read_as(a, &r, recipients[i]);
    json_decref(r.result);
    arena_free(a);
    return 0;
}
