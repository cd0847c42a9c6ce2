/* Whatever the prediction venue says of a wallet's orders and trades: it is refused, or everything that was
 * read is whole. The first byte says which answer it is. */
#include <string.h>

#include "fuzz.h"
#include "predict/clob_orders.h"

static void order_check(const struct clob_order *o)
{
    MUST(o->status >= CLOB_LIVE && o->status <= CLOB_ENDED);
    MUST(o->matched <= o->size && o->size <= INT64_MAX);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(struct arena *, const struct buf *) = { read_orders, read_trades,
                                                                           read_order };
    struct arena *a = arena_new();

    if (size > 0) {
        struct buf answer = { .data = (char *)(uintptr_t)data + 1, .len = size - 1 };

        readers[data[0] % 3](a, &answer);
    }
    arena_free(a);
    return 0;
}
