#include "predict/positions.h"

#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/json_numbers.h"
#include "chain/evm/evm_addr.h"
#include "net/venues.h"
#include "predict/account.h"
#include "predict/data_api.h"
#include "predict/predict_lately.h"
#include "predict/predict_venue.h"
#include "predict/predict_view.h"
#include "service/conf.h"
#include "store/agent_versions.h"
#include "store/predict_accounts.h"

enum { POSITIONS_LIFE_MS = 3000, PAGES_MAX = 20 }; /* the service does not skip more */

/* The owner of the positions. */
struct holder {
    const char *user;
    const struct wallet *wallet;
};

static void row_write(struct json_writer *w, const struct market_position *p)
{
    jw_object(w, NULL);
    position_view(w, p);
    jw_end(w);
}

static const struct err *page_write(struct json_writer *w, const struct call *c, const char *user,
                                    struct predict_lately *lately, bool *more)
{
    struct market_position *list;
    size_t n, rows;

    if (c->result != CALL_ANSWERED || c->status != 200 ||
        !data_read_positions(w->arena, &c->answer, user, &list, &n, &rows)) {
        log_repeated("venue_no_answer", "asked=positions",
                     "msg=\"the prediction venue tells no positions\" status=%d why=\"%s\"", c->status,
                     c->why);
        if (c->result == CALL_ANSWERED && c->status == 200)
            venue_senseless(VENUE_DATA);
        return venue_failure(w->arena, c, &E_UPSTREAM);
    }
    for (size_t i = 0; i < n; i++)
        if (predict_lately_lay(lately, w->arena, &list[i]))
            row_write(w, &list[i]);
    *more = rows == POSITIONS_PAGE;
    return NULL;
}

static const struct err *positions_make(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    int64_t until = clock_mono_ms() + PREDICT_DEADLINE_MS;
    const struct holder *h = what;
    struct predict_lately *lately;
    const struct err *e = predict_lately_read(ctx, w->arena, h->wallet, &lately);
    struct market_position added;
    bool more = true;

    jw_array(w, "positions");
    for (unsigned page = 0; e == NULL && more && page < PAGES_MAX; page++) {
        int64_t left = until - clock_mono_ms();
        struct call c;

        call_init(&c,
                  data_positions_url(w->arena, ctx->conf->predict_data_url, h->user, page * POSITIONS_PAGE),
                  MAX_UPSTREAM);
        if (left > 0)
            (void)venue_calls_run(ctx->net, &c, 1, (unsigned)left);
        e = page_write(w, &c, h->user, lately, &more);
        call_free(&c);
    }
    while (e == NULL && predict_lately_next(lately, w->arena, &added))
        row_write(w, &added);
    jw_end(w);
    return e;
}

const struct err *positions_of(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                               const char **text)
{
    struct predict_account account;
    struct cache_query q;
    const char *version;
    struct holder h = { .wallet = w };

    *text = "{\"positions\":[]}";
    switch (predict_accounts_get(ctx->db, w, &account)) {
    case LOOKUP_FOUND:
        break;
    case LOOKUP_NONE:
        return NULL;
    case LOOKUP_ERROR:
        return &E_INTERNAL;
    }
    h.user = evm_addr_print(a, account_trading(&account));
    version = agent_versions_read(ctx->db, a, w->agent_id);
    if (version == NULL)
        return &E_INTERNAL;
    q = (struct cache_query){ &prediction_venue, arena_printf(a, "positions\n%s\n%s", h.user, version),
                              POSITIONS_LIFE_MS, positions_make, &h };
    return cached_answer(ctx, a, &q, text);
}

static bool is_positive(const json_t *row, const char *name)
{
    const char *number = json_string_value(json_object_get(row, name));

    return number != NULL && strpbrk(number, "123456789") != NULL;
}

enum lookup positions_held(const struct ctx *ctx, struct arena *a, const struct wallet *w)
{
    enum lookup held = LOOKUP_NONE;
    const json_t *row;
    const char *text;
    json_t *doc;
    size_t i;

    if (positions_of(ctx, a, w, &text) != NULL)
        return LOOKUP_ERROR;
    doc = json_read_texts(text, strlen(text));
    json_array_foreach(json_object_get(doc, "positions"), i, row)
    {
        if (is_positive(row, "size") && is_positive(row, "currentPrice"))
            held = LOOKUP_FOUND;
    }
    json_decref(doc);
    return held;
}
