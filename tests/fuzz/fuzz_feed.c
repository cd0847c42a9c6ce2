/* A price feed's answer: any bytes. A price that is read is not zero. */
#include "fuzz.h"
#include "route/price_feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct feed_price *coins = calloc((size_t)feed_coins_count, sizeof *coins);
    struct buf answer = BUF_INIT(MAX_UPSTREAM);

    buf_add(&answer, data, size);
    (void)feed_read(coins, &answer);
    for (int i = 0; i < feed_coins_count; i++)
        MUST(!coins[i].has_usd || !amount_is_zero(coins[i].usd));
    buf_free(&answer);
    free(coins);
    return 0;
}
