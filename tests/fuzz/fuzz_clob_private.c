/* Any answer of the exchange to its own customers: it is refused, or what was read is whole and safe to
 * pass on. The first byte says which answer it is. */
#include <string.h>

#include "answers.h"
#include "base/safe_text.h"
#include "predict/clob_private.h"
#include "venue/polymarket_order.h"

static void read_credentials(struct arena *a, const struct buf *answer)
{
    struct clob_credentials c;
    char signature[CLOB_SIGNATURE_LEN + 1];

    (void)a;
    if (!clob_read_credentials(answer, &c))
        return;
    for (const char *p = c.key; *p != '\0'; p++)
        MUST(*p > ' ' && *p < 0x7f);
    for (const char *p = c.passphrase; *p != '\0'; p++)
        MUST(*p > ' ' && *p < 0x7f);
    MUST(clob_sign(signature, &c, 1785636706, "GET", "/data/orders", NULL));
    MUST(strlen(signature) == CLOB_SIGNATURE_LEN);
}

static void read_account(struct arena *a, const struct buf *answer)
{
    struct clob_balance b;
    bool closed_only;

    (void)a;
    (void)clob_read_balance(answer, polymarket_exchange_addr(POLYMARKET_V2), &b);
    (void)clob_read_closed_only(answer, &closed_only);
}

static void read_exchange(struct arena *a, const struct buf *answer)
{
    struct clob_market m;
    const char *condition;
    uint64_t fee, more;
    unsigned version;
    int64_t seconds;

    if (clob_read_time(answer, &seconds))
        MUST(seconds >= 0);
    if (clob_read_version(answer, &version))
        MUST(version > 0);
    if (clob_read_condition(a, answer, &condition))
        MUST(strlen(condition) == 66);
    if (!clob_read_market(answer, &m))
        return;
    MUST(m.tick > 0 && m.tick < POLYMARKET_PRICE_ONE);
    MUST(m.fee_rate <= CLOB_RATE_ONE && m.fee_exponent <= CLOB_EXPONENT_MAX);
    MUST(clob_fee(&fee, &m, 4000, 20000000) && fee <= 20000000); /* never more than the shares are worth */
    MUST(clob_fee(&more, &m, 4000, 20010000) && more >= fee);
}

static void read_error(struct arena *a, const struct buf *answer)
{
    static const int statuses[] = { 200, 302, 400, 401, 403, 404, 425, 429, 500, 503 };

    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        struct call c = { .result = CALL_ANSWERED, .status = statuses[i], .answer = *answer };
        struct clob_error e;

        clob_error_read(a, &c, &e);
        MUST((e.fault == CLOB_FINE) == (e.err == NULL));
        MUST(safe_text_ok(e.text));
        MUST(e.fault != CLOB_REFUSED || *e.text != '\0'); /* each refusal has a reason */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static answer_fn *const readers[] = { read_credentials, read_account, read_exchange, read_error };

    return answers_fuzz(readers, sizeof readers / sizeof readers[0], data, size);
}
