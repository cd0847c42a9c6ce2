#include "predict/catalogue.h"

#include <ctype.h>
#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/log.h"
#include "model/amount.h"
#include "net/call.h"
#include "net/venues.h"
#include "predict/clob.h"
#include "predict/clob_private.h"
#include "predict/data_api.h"
#include "predict/gamma.h"
#include "predict/predict_venue.h"
#include "predict/predict_view.h"
#include "service/conf.h"

enum { LIST_LIFE_MS = 10000, DETAIL_LIFE_MS = 30000, BOOK_LIFE_MS = 1000, TRADES_LIFE_MS = 5000 };
enum { PAGES_MAX = 20 }; /* of the catalogue, that a filter may look through */

/* ---- one question to the venue ---- */

enum asked { ASKED_ANSWERED, ASKED_NOT_FOUND, ASKED_FAILED };

static enum asked asked_how(const struct call *c)
{
    if (c->result == CALL_ANSWERED && c->status == 404)
        return ASKED_NOT_FOUND;
    if (c->result == CALL_ANSWERED && c->status == 200)
        return ASKED_ANSWERED;
    log_repeated("venue_no_answer", "asked=catalogue",
                 "msg=\"the prediction venue gave no answer\" status=%d why=\"%s\"", c->status, c->why);
    return ASKED_FAILED;
}

/* The caller frees the call. */
static enum asked catalogue_ask(const struct ctx *ctx, struct call *c, const char *url, int64_t until)
{
    int64_t left = until - clock_mono_ms();

    call_init(c, url, MAX_UPSTREAM);
    if (left > 0)
        (void)venue_calls_run(ctx->net, c, 1, (unsigned)left);
    return asked_how(c);
}

static const struct err *senseless(enum venue_service v, const char *what)
{
    venue_senseless(v);
    log_repeated("venue_bad_reply", "asked=catalogue",
                 "msg=\"the prediction venue's answer makes no sense\" answer=%s", what);
    return &E_UPSTREAM;
}

/* ---- filters ---- */

static bool same_word(const char *a, const char *b, size_t n)
{
    return strncasecmp(a, b, n) == 0;
}

/* Whether each of the words begins a word of the text. */
static bool has_words(const char *text, const char *words)
{
    for (words += strspn(words, " "); *words != '\0'; words += strspn(words, " ")) {
        size_t n = strcspn(words, " ");
        const char *at = text;

        while (*at != '\0' && !(same_word(at, words, n) && (at == text || !isalnum((unsigned char)at[-1]))))
            at++;
        if (*at == '\0')
            return false;
        words += n;
    }
    return true;
}

/* Whether `wanted` is its category, or one of its tags. */
static bool is_filed(const char *category, const struct market_tags *tags, const char *wanted)
{
    bool filed = wanted == NULL || strcmp(category, wanted) == 0;

    for (size_t i = 0; i < tags->count && !filed; i++)
        filed = strcmp(tags->list[i], wanted) == 0;
    return filed;
}

static bool market_fits(const struct market *m, const struct catalogue_query *q)
{
    return (q->any_status || m->status == q->status) && is_filed(m->category, &m->tags, q->category) &&
           (q->words == NULL || has_words(m->question, q->words));
}

static bool event_fits(const struct market_event *e, const struct catalogue_query *q)
{
    return is_filed(e->category, &e->tags, q->category) &&
           (q->words == NULL || has_words(e->title, q->words));
}

/* ---- lists ---- */

/* The state of a list: pages of the catalogue are read until the requested part of the matches is shown, and
 * one more is seen. */
struct listing {
    const struct ctx *ctx;
    struct json_writer *w;
    const struct catalogue_query *q;
    struct gamma_page at;
    int64_t until;
    uint64_t seen, shown;
    bool more; /* than is shown */
};

/* Whether it is to be shown. */
static bool listing_takes(struct listing *l)
{
    uint64_t n = l->seen++;

    if (n < l->q->page.offset)
        return false;
    l->more = l->shown == l->q->page.limit;
    l->shown += !l->more;
    return !l->more;
}

/* The tag of the category; *none: there is no such category. */
static const struct err *find_tag(struct listing *l, bool *none)
{
    const char *url = gamma_tag_url(l->w->arena, l->ctx->conf->predict_gamma_url, l->q->category);
    const struct err *e = NULL;
    struct call c;
    enum asked how = catalogue_ask(l->ctx, &c, url, l->until);

    *none = how == ASKED_NOT_FOUND;
    if (how == ASKED_FAILED)
        e = venue_failure(l->w->arena, &c, &E_UPSTREAM);
    else if (!*none && !gamma_read_tag(l->w->arena, &c.answer, &l->at.tag_id))
        e = senseless(VENUE_GAMMA, "tag");
    call_free(&c);
    return e;
}

typedef const struct err *page_fn(struct listing *l, const struct call *c, bool *further);

static const struct err *markets_page(struct listing *l, const struct call *c, bool *further)
{
    struct market *list;
    size_t n;

    if (!gamma_read_markets(l->w->arena, &c->answer, &list, &n, further))
        return senseless(VENUE_GAMMA, "markets");
    for (size_t i = 0; i < n && !l->more; i++) {
        if (!market_fits(&list[i], l->q) || !listing_takes(l))
            continue;
        jw_object(l->w, NULL);
        market_view(l->w, &list[i]);
        jw_end(l->w);
    }
    return NULL;
}

static const struct err *events_page(struct listing *l, const struct call *c, bool *further)
{
    struct market_event *list;
    size_t n;

    if (!gamma_read_events(l->w->arena, &c->answer, &list, &n, further))
        return senseless(VENUE_GAMMA, "events");
    for (size_t i = 0; i < n && !l->more; i++) {
        if (!event_fits(&list[i], l->q) || !listing_takes(l))
            continue;
        jw_object(l->w, NULL);
        event_view(l->w, &list[i]);
        jw_end(l->w);
    }
    return NULL;
}

/* `list` is the catalogue's name of it, and ours. */
static const struct err *listing_pages(struct listing *l, const char *list, page_fn *page)
{
    bool further = true;

    for (; further && !l->more && l->at.number < PAGES_MAX; l->at.number++) {
        struct call c;
        enum asked how = catalogue_ask(
            l->ctx, &c, gamma_page_url(l->w->arena, l->ctx->conf->predict_gamma_url, list, &l->at), l->until);
        const struct err *e =
            how == ASKED_ANSWERED ? page(l, &c, &further) : venue_failure(l->w->arena, &c, &E_UPSTREAM);

        call_free(&c);
        if (e != NULL)
            return e;
    }
    return NULL;
}

static const struct err *listing_run(struct listing *l, const char *list, page_fn *page)
{
    const struct err *e = NULL;
    bool none = false;

    l->until = clock_mono_ms() + PREDICT_DEADLINE_MS;
    l->at = (struct gamma_page){ .query = l->q->words,
                                 .ended = l->q->any_status                ? GAMMA_ALL
                                          : l->q->status >= MARKET_CLOSED ? GAMMA_ENDED
                                                                          : GAMMA_OPEN };
    jw_array(l->w, list);
    l->at.tag_slug = l->q->category;
    if (l->q->category != NULL && l->q->words == NULL)
        e = find_tag(l, &none);
    if (e == NULL && !none)
        e = listing_pages(l, list, page);
    jw_end(l->w);
    jw_object(l->w, "pagination");
    jw_integer(l->w, "limit", (int64_t)l->q->page.limit);
    jw_integer(l->w, "offset", (int64_t)l->q->page.offset);
    jw_bool(l->w, "has_more", l->more);
    jw_end(l->w);
    return e;
}

static const struct err *make_markets(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    struct listing l = { .ctx = ctx, .w = w, .q = what };

    return listing_run(&l, "markets", markets_page);
}

static const struct err *make_events(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    struct listing l = { .ctx = ctx, .w = w, .q = what };

    return listing_run(&l, "events", events_page);
}

static const char *list_question(struct arena *a, const char *list, const struct catalogue_query *q)
{
    return arena_printf(a, "%s\n%s\n%s\n%d\n%llu\n%llu", list, q->words != NULL ? q->words : "",
                        q->category != NULL ? q->category : "", q->any_status ? -1 : (int)q->status,
                        (unsigned long long)q->page.limit, (unsigned long long)q->page.offset);
}

static const struct err *list_kept(const struct ctx *ctx, struct arena *a, const char *list,
                                   const struct catalogue_query *q, cache_fill *make, const char **text)
{
    const struct cache_query asked = { &prediction_venue, list_question(a, list, q), LIST_LIFE_MS, make, q };

    return cached_answer_often(ctx, a, &asked, text);
}

const struct err *catalogue_markets(const struct ctx *ctx, struct arena *a, const struct catalogue_query *q,
                                    const char **text)
{
    return list_kept(ctx, a, "markets", q, make_markets, text);
}

const struct err *catalogue_events(const struct ctx *ctx, struct arena *a, const struct catalogue_query *q,
                                   const char **text)
{
    return list_kept(ctx, a, "events", q, make_events, text);
}

/* ---- one market ---- */

struct market_query {
    const char *id;
    uint64_t limit; /* of trades */
};

/* The catalogue does not have them: what takers pay, as the exchange says it. A market that has ended is not
 * known to it any more, and one that gives no answer leaves them unknown. */
static void fees_ask(const struct ctx *ctx, struct arena *a, struct market *m)
{
    const char *url = arena_printf(a, "%s/clob-markets/%s", ctx->conf->predict_clob_url, m->condition);
    struct clob_market rules;
    struct call c;
    enum asked how = catalogue_ask(ctx, &c, url, clock_mono_ms() + PREDICT_DEADLINE_MS);

    if (how == ASKED_ANSWERED && clob_read_market(&c.answer, &rules)) {
        m->fee_rate = amount_text(a, (struct amount){ u256_from_u64(rules.fee_rate), CLOB_RATE_PLACES });
        m->fee_exponent = rules.fee_exponent;
    }
    call_free(&c);
}

static const struct err *make_market(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct market_query *q = what;
    const char *url = gamma_market_url(w->arena, ctx->conf->predict_gamma_url, q->id);
    const struct err *e = NULL;
    struct market m;
    struct call c;
    enum asked how = catalogue_ask(ctx, &c, url, clock_mono_ms() + PREDICT_DEADLINE_MS);
    bool known = how == ASKED_ANSWERED && gamma_read_market(w->arena, &c.answer, &m);

    if (how == ASKED_NOT_FOUND)
        e = &E_MARKET_NOT_FOUND;
    else if (how == ASKED_FAILED)
        e = venue_failure(w->arena, &c, &E_UPSTREAM);
    else if (!known)
        e = senseless(VENUE_GAMMA, "market");
    call_free(&c);
    if (!known)
        return e;
    if (m.status == MARKET_OPEN || m.status == MARKET_PAUSED)
        fees_ask(ctx, w->arena, &m);
    market_view_detail(w, &m);
    return NULL;
}

/* An id that no market can have is not asked about. */
static const struct err *market_cached(const struct ctx *ctx, struct arena *a, const char *what,
                                       const struct market_query *q, unsigned life_ms, cache_fill *make,
                                       const char **text)
{
    size_t digits = strspn(q->id, "0123456789");
    const struct cache_query asked = {
        &prediction_venue,
        arena_printf(a, "%s\n%s\n%llu", what, q->id, (unsigned long long)q->limit),
        life_ms,
        make,
        q,
    };

    if (digits == 0 || digits > MARKET_ID_MAX || q->id[digits] != '\0')
        return &E_MARKET_NOT_FOUND;
    return cached_answer(ctx, a, &asked, text);
}

const struct err *catalogue_market(const struct ctx *ctx, struct arena *a, const char *id, const char **text)
{
    const struct market_query q = { .id = id };

    return market_cached(ctx, a, "market", &q, DETAIL_LIFE_MS, make_market, text);
}

/* The market of books and trades, as its own page shows it. */
static const struct err *market_known(const struct ctx *ctx, struct arena *a, const char *id,
                                      struct market *out)
{
    const char *text = NULL;
    const struct err *e = catalogue_market(ctx, a, id, &text);
    json_t *doc;

    if (e != NULL)
        return e;
    doc = json_loads(text, 0, NULL);
    market_of_view(out, a, doc);
    json_decref(doc);
    return NULL;
}

/* The books of all outcomes at once. A book that the exchange does not have is empty: the market takes no
 * orders. */
static const struct err *books_ask(const struct ctx *ctx, struct arena *a, const struct market *m,
                                   struct book *books)
{
    struct call calls[MARKET_OUTCOMES_MAX];
    const struct err *e = NULL;

    for (size_t i = 0; i < m->outcome_count; i++)
        call_init(&calls[i], clob_book_url(a, ctx->conf->predict_clob_url, m->outcomes[i].token),
                  MAX_UPSTREAM);
    (void)venue_calls_run(ctx->net, calls, m->outcome_count, PREDICT_DEADLINE_MS);
    for (size_t i = 0; i < m->outcome_count; i++) {
        enum asked how = asked_how(&calls[i]);

        books[i] = (struct book){ .bid_count = 0 };
        if (how == ASKED_FAILED)
            e = venue_failure(a, &calls[i], &E_UPSTREAM);
        else if (how == ASKED_ANSWERED && !clob_read_book(a, &calls[i].answer, &books[i]))
            e = senseless(VENUE_CLOB, "book");
        call_free(&calls[i]);
    }
    return e;
}

static const struct err *market_and_books(const struct ctx *ctx, struct arena *a, const char *id,
                                          struct market *m, struct book *books)
{
    const struct err *e = market_known(ctx, a, id, m);

    return e != NULL ? e : books_ask(ctx, a, m, books);
}

static void head_write(struct json_writer *w, const struct market *m)
{
    jw_string(w, "marketId", m->id);
    jw_string(w, "question", m->question);
}

/* A list with an item for each outcome and its book. */
static const struct err *books_write(const struct ctx *ctx, struct json_writer *w, const char *id,
                                     const char *member, book_view_fn *view)
{
    struct book books[MARKET_OUTCOMES_MAX];
    struct market m;
    const struct err *e = market_and_books(ctx, w->arena, id, &m, books);

    if (e != NULL)
        return e;
    head_write(w, &m);
    jw_array(w, member);
    for (size_t i = 0; i < m.outcome_count; i++) {
        jw_object(w, NULL);
        view(w, &m, &m.outcomes[i], &books[i]);
        jw_end(w);
    }
    jw_end(w);
    return NULL;
}

static const struct err *make_book(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct market_query *q = what;

    return books_write(ctx, w, q->id, "outcomes", book_view);
}

static const struct err *make_price(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct market_query *q = what;

    return books_write(ctx, w, q->id, "prices", price_view);
}

static const struct err *trades_ask(const struct ctx *ctx, struct json_writer *w, const struct market *m,
                                    uint64_t limit)
{
    const char *url = data_trades_url(w->arena, ctx->conf->predict_data_url, m->condition, limit);
    struct market_trade *list;
    const struct err *e = NULL;
    struct call c;
    size_t n = 0;

    if (catalogue_ask(ctx, &c, url, clock_mono_ms() + PREDICT_DEADLINE_MS) != ASKED_ANSWERED)
        e = venue_failure(w->arena, &c, &E_UPSTREAM);
    else if (!data_read_trades(w->arena, &c.answer, limit, &list, &n))
        e = senseless(VENUE_DATA, "trades");
    call_free(&c);
    jw_array(w, "trades");
    for (size_t i = 0; e == NULL && i < n; i++) {
        jw_object(w, NULL);
        trade_view(w, &list[i]);
        jw_end(w);
    }
    jw_end(w);
    return e;
}

static const struct err *make_trades(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct market_query *q = what;
    struct market m;
    const struct err *e = market_known(ctx, w->arena, q->id, &m);

    if (e != NULL)
        return e;
    head_write(w, &m);
    return trades_ask(ctx, w, &m, q->limit);
}

const struct err *catalogue_book(const struct ctx *ctx, struct arena *a, const char *id, const char **text)
{
    const struct market_query q = { .id = id };

    return market_cached(ctx, a, "book", &q, BOOK_LIFE_MS, make_book, text);
}

const struct err *catalogue_price(const struct ctx *ctx, struct arena *a, const char *id, const char **text)
{
    const struct market_query q = { .id = id };

    return market_cached(ctx, a, "price", &q, BOOK_LIFE_MS, make_price, text);
}

const struct err *catalogue_trades(const struct ctx *ctx, struct arena *a, const char *id, uint64_t limit,
                                   const char **text)
{
    const struct market_query q = { .id = id, .limit = limit };

    return market_cached(ctx, a, "trades", &q, TRADES_LIFE_MS, make_trades, text);
}
