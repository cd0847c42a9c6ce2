/* Any answer of the prediction venue: it is refused, or everything that was read is whole. The first byte
 * says which answer it is. */
#include <string.h>

#include "fuzz.h"
#include "predict/clob.h"
#include "predict/data_api.h"
#include "predict/gamma.h"
#include "predict/predict_view.h"

static void read_gamma(struct json_writer *w, const struct buf *answer)
{
    struct market *markets, one;
    struct market_event *events;
    size_t n;
    bool more;

    if (gamma_read_markets(w->arena, answer, &markets, &n, &more))
        for (size_t i = 0; i < n; i++) {
            jw_object(w, NULL);
            market_view_detail(w, &markets[i]);
            jw_end(w);
        }
    if (gamma_read_events(w->arena, answer, &events, &n, &more))
        for (size_t i = 0; i < n; i++) {
            jw_object(w, NULL);
            event_view(w, &events[i]);
            jw_end(w);
        }
    if (gamma_read_market(w->arena, answer, &one)) {
        jw_object(w, NULL);
        market_view(w, &one);
        jw_end(w);
    }
}

static void read_book(struct json_writer *w, const struct buf *answer)
{
    const struct market m = { .condition = "0x1" };
    const struct outcome o = { .name = "Yes", .token = "1" };
    struct book b;

    if (!clob_read_book(w->arena, answer, &b))
        return;
    jw_object(w, NULL);
    book_view(w, &m, &o, &b);
    jw_end(w);
}

static void read_trades(struct json_writer *w, const struct buf *answer)
{
    struct market_trade *list;
    size_t n;

    if (!data_read_trades(w->arena, answer, 100, &list, &n))
        return;
    MUST(n <= 100);
    for (size_t i = 0; i < n; i++) {
        jw_object(w, NULL);
        trade_view(w, &list[i]);
        jw_end(w);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(struct json_writer *, const struct buf *) = { read_gamma, read_book,
                                                                                 read_trades };
    struct arena *a = arena_new();
    struct json_writer w;
    json_t *doc;
    const char *text;

    if (size > 0) {
        struct buf answer = { .data = (char *)(uintptr_t)data + 1, .len = size - 1 };

        jw_init(&w, a, 64 * 1024 * 1024);
        jw_array(&w, NULL);
        readers[data[0] % 3](&w, &answer);
        jw_end(&w);
        text = jw_finish(&w);
        MUST(text != NULL);
        doc = json_loads(text, 0, NULL);
        MUST(doc != NULL);
        json_decref(doc);
    }
    arena_free(a);
    return 0;
}
