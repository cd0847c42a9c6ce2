/* The signer's list of prices: any bytes, also with the digest that makes them whole. What was read can be
 * written and read again. */
#include <string.h>

#include "fuzz.h"
#include "signer/min_output.h"

static const struct min_output_side wanted[] = { { .chain_id = 1, .token = "0x0" },
                                                 { .chain_id = 2, .token = "mint" } };
static const struct min_output_side *const sides[] = { &wanted[0], &wanted[1] };

static bool read_text(int64_t *when, struct min_output_price out[static 2], const struct buf *b)
{
    char *text = malloc(b->len + 1);
    bool ok;

    MUST(text != NULL);
    memcpy(text, buf_text(b), b->len + 1);
    ok = min_output_read(when, out, sides, 2, text, b->len);
    free(text);
    return ok;
}

static void check_again(int64_t when, const struct min_output_price said[static 2])
{
    struct buf b = BUF_INIT(FLOOR_FILE_MAX);
    struct min_output_price again[2];
    int64_t at;

    min_output_begin(&b, when);
    for (size_t i = 0; i < 2; i++)
        if (said[i].known)
            min_output_add(&b, wanted[i].chain_id, wanted[i].token, said[i].decimals, said[i].usd);
    min_output_end(&b);
    MUST(read_text(&at, again, &b) && at == when);
    for (size_t i = 0; i < 2; i++)
        MUST(again[i].known == said[i].known && again[i].decimals == said[i].decimals &&
             u256_cmp(again[i].usd, said[i].usd) == 0);
    buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf b = BUF_INIT(2 * FLOOR_FILE_MAX);
    struct min_output_price said[2];
    int64_t when;

    if (size > FLOOR_FILE_MAX)
        return 0;
    buf_add(&b, data, size);
    (void)read_text(&when, said, &b);
    min_output_end(&b);
    if (read_text(&when, said, &b)) {
        for (size_t i = 0; i < 2; i++)
            MUST(!said[i].known || (!u256_is_zero(said[i].usd) && said[i].decimals <= AMOUNT_MAX_DECIMALS));
        check_again(when, said);
    }
    buf_free(&b);
    return 0;
}
