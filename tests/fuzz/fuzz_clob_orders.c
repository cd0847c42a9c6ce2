/* Any answer of the prediction venue about a wallet's orders, trades and positions: it is refused, or
 * everything that was read is whole. The first byte says which answer it is. */
#include <string.h>

#include "answers.h"
#include "predict/clob_orders.h"
#include "predict/predict_view.h"

static void order_check(const struct clob_order *o)
{
    MUST(o->status >= CLOB_LIVE && o->status <= CLOB_ENDED);
    MUST(o->matched <= INT64_MAX && o->size <= INT64_MAX);
}

static void read_orders(struct arena *a, const struct buf *answer)
{
    struct clob_page page;

    if (!clob_read_orders(a, answer, &page))
        return;
    for (size_t i = 0; i < page.count; i++)
        order_check(&page.orders[i]);
    MUST(page.next == NULL || strlen(page.next) > 0);
}

static void read_trades(struct arena *a, const struct buf *answer)
{
    struct clob_page page;

    if (!clob_read_trades(a, answer, &page))
        return;
    for (size_t i = 0; i < page.count; i++) {
        const struct fill *f = &page.fills[i].fill;

        MUST(f->state >= FILL_MATCHED && f->state <= FILL_FAILED);
        MUST(strlen(f->trade) > 0 && f->size > 0 && f->size <= INT64_MAX && f->paid <= f->size &&
             f->fee <= f->size && f->price <= ORDER_PRICE_ONE);
    }
}

static void read_order(struct arena *a, const struct buf *answer)
{
    struct clob_order o;
    bool known;

    (void)a;
    if (clob_read_order(answer, &o, &known) && known)
        order_check(&o);
}

static void read_cancel(struct arena *a, const struct buf *answer)
{
    static const uint8_t hash[HASH_LEN] = { 7 };
    enum clob_cancel said = clob_read_cancel(a, answer, hash);

    MUST(said == CLOB_CANCEL_UNSAID || answer->len > 2 * HASH_LEN);
}

static void read_positions(struct arena *a, const struct buf *answer)
{
    struct market_position *list;
    struct json_writer w;
    size_t n, rows;

    if (!data_read_positions(a, answer, "0x0000000000000000000000000000000000000001", &list, &n, &rows))
        return;
    MUST(n <= rows && rows <= POSITIONS_PAGE);
    jw_init(&w, a, 64 * 1024 * 1024);
    jw_array(&w, NULL);
    for (size_t i = 0; i < n; i++) {
        jw_object(&w, NULL);
        position_view(&w, &list[i]);
        jw_end(&w);
    }
    jw_end(&w);
    MUST(jw_finish(&w) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static answer_fn *const readers[] = { read_orders, read_trades, read_order, read_positions, read_cancel };

    return answers_fuzz(readers, sizeof readers / sizeof readers[0], data, size);
}
