#include "predict/gamma.h"

#include <ctype.h>
#include <string.h>

#include "base/json_numbers.h"
#include "base/safe_text.h"
#include "codec/hex.h"
#include "codec/query_string.h"

enum { ROWS_MAX = 500, PRICE_TEXT_MAX = 80, DECIMAL_MAX = 48, TAGS_MAX = 64 };

/* ---- requests ---- */

static const char *const ended_names[] = {
    [GAMMA_OPEN] = "closed=false&", [GAMMA_ENDED] = "closed=true&", [GAMMA_ALL] = ""
};

static char *list_url(struct arena *a, const char *base, const char *list, const struct gamma_page *p)
{
    const char *tag = p->tag_id == NULL ? ""
                                        : arena_printf(a, "&tag_id=%s&tag_slug=%s&related_tags=true",
                                                       p->tag_id, query_escape(a, p->tag_slug));

    return arena_printf(a,
                        "%s/%s?%sactive=true&limit=%d&offset=%u&order=volume24hr&ascending=false"
                        "&include_tag=true%s",
                        base, list, ended_names[p->ended], GAMMA_PAGE, p->number * GAMMA_PAGE, tag);
}

char *gamma_page_url(struct arena *a, const char *base, const char *list, const struct gamma_page *p)
{
    return p->query != NULL
               ? arena_printf(a, "%s/public-search?q=%s&limit_per_type=%d&page=%u&keep_closed_markets=%d",
                              base, query_escape(a, p->query), GAMMA_PAGE, p->number + 1,
                              p->ended != GAMMA_OPEN)
               : list_url(a, base, list, p);
}

char *gamma_market_url(struct arena *a, const char *base, const char *id)
{
    return arena_printf(a, "%s/markets/%s?include_tag=true", base, id);
}

char *gamma_condition_url(struct arena *a, const char *base, const char *condition, enum gamma_ended ended)
{
    return arena_printf(a, "%s/markets?%scondition_ids=%s", base, ended_names[ended], condition);
}

char *gamma_tag_url(struct arena *a, const char *base, const char *slug)
{
    return arena_printf(a, "%s/tags/slug/%s", base, query_escape(a, slug));
}

/* ---- members ---- */

/* Words for people and models, by unknown authors. */
static const char *member_words(struct arena *a, const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text == NULL || *text == '\0' ? NULL : safe_text_copy(a, text);
}

static const char *member_decimal_or(struct arena *a, const json_t *row, const char *name, const char *other)
{
    const char *text = json_numbers_member(a, row, name, DECIMAL_MAX);

    return text != NULL ? text : json_numbers_member(a, row, other, DECIMAL_MAX);
}

static bool member_true(const json_t *row, const char *name)
{
    return json_is_true(json_object_get(row, name));
}

static bool is_digits(const char *text, size_t max)
{
    size_t n = text == NULL ? 0 : strspn(text, "0123456789");

    return n > 0 && n <= max && text[n] == '\0';
}

/* A list that is in a string, as most do, or for itself. NULL: neither. Owned by the caller. */
static json_t *member_list(const json_t *row, const char *name)
{
    json_t *member = json_object_get(row, name), *list;
    const char *text = json_string_value(member);

    if (text == NULL)
        return json_is_array(member) ? json_incref(member) : NULL;
    list = json_read_texts(text, strlen(text));
    if (json_is_array(list))
        return list;
    json_decref(list);
    return NULL;
}

/* "2026-11-03" becomes midnight. */
static const char *member_date(struct arena *a, const json_t *row, const char *name, const char *other)
{
    const char *text = member_words(a, row, name);

    if (text == NULL && other != NULL)
        text = member_words(a, row, other);
    if (text == NULL || strlen(text) < strlen("2026-11-03") || !isdigit((unsigned char)*text))
        return NULL;
    return strchr(text, 'T') != NULL ? text : arena_printf(a, "%sT00:00:00Z", text);
}

static const char *lower_words(struct arena *a, const char *text)
{
    char *lower = safe_text_copy(a, text);

    for (char *p = lower; *p != '\0'; p++)
        *p = (char)tolower((unsigned char)*p);
    return lower;
}

/* Its own, else those of the event that it is listed with. */
static struct market_tags tags_of(struct arena *a, const json_t *row, const json_t *event)
{
    const json_t *tags = json_object_get(row, "tags"), *tag;
    struct market_tags out = { .count = 0 };
    size_t i;

    if (json_array_size(tags) == 0)
        tags = json_object_get(json_array_get(json_object_get(row, "events"), 0), "tags");
    if (json_array_size(tags) == 0)
        tags = json_object_get(event, "tags");
    json_array_foreach(tags, i, tag)
    {
        const char *slug = json_string_value(json_object_get(tag, "slug"));

        if (slug == NULL || *slug == '\0' || out.count == TAGS_MAX)
            continue;
        out.list = arena_grow(a, out.list, out.count, sizeof *out.list);
        out.list[out.count++] = lower_words(a, slug);
    }
    return out;
}

/* The tags come in any order: these are those that the venue's own pages are divided by. */
static bool is_category(const char *tag)
{
    static const char *const known[] = { "politics", "sports",      "crypto",   "weather", "tech",
                                         "economy",  "finance",     "business", "science", "culture",
                                         "esports",  "geopolitics", "world",    "health" };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(tag, known[i]) == 0)
            return true;
    return false;
}

/* Its own, else a tag that is a category, else the first. */
static const char *category_of(struct arena *a, const json_t *row, const struct market_tags *tags)
{
    const char *text = json_string_value(json_object_get(row, "category"));

    if (text != NULL && *text != '\0')
        return lower_words(a, text);
    for (size_t i = 0; i < tags->count; i++)
        if (is_category(tags->list[i]))
            return tags->list[i];
    return tags->count > 0 ? tags->list[0] : "other";
}

/* ---- markets ---- */

/* 1 less a decimal between 0 and 1, exactly. */
static const char *complement(struct arena *a, const char *price)
{
    char *out = arena_printf(a, "%s", price);
    size_t n = strlen(out);
    char *point = strchr(out, '.');
    bool carried = false;

    if (point == NULL)
        return *out == '0' ? "1" : "0";
    if (*out == '1' || strspn(point + 1, "0") == strlen(point + 1))
        return *out == '1' ? "0" : "1";
    for (char *p = out + n - 1; p > point; p--) {
        int digit = carried ? '9' - *p : ('9' + 1 - *p) % 10;

        carried = carried || *p != '0';
        *p = (char)('0' + digit);
    }
    return out;
}

/* Whether the decimal is at most 1. */
static bool is_price(const char *text)
{
    const char *point;

    if (text == NULL || strlen(text) > PRICE_TEXT_MAX || !json_numbers_plain(text))
        return false;
    point = strchr(text, '.');
    text += strspn(text, "0");
    if (*text == '\0' || *text == '.')
        return true;
    return *text == '1' && (text[1] == '\0' || text[1] == '.') &&
           (point == NULL || strspn(point + 1, "0") == strlen(point + 1));
}

/* The last trade's price stands for the first of two outcomes when there are no prices. */
static const char *price_of(struct arena *a, const json_t *row, const json_t *prices, size_t i)
{
    const char *text = json_string_value(json_array_get(prices, i));
    const char *last = json_string_value(json_object_get(row, "lastTradePrice"));

    if (is_price(text))
        return arena_strdup(a, text);
    if (!is_price(last) || i > 1)
        return "0";
    return i == 0 ? arena_strdup(a, last) : complement(a, last);
}

static bool read_outcomes(struct market *m, struct arena *a, const json_t *row)
{
    const bool v3 = m->has_exchange && m->exchange == POLYMARKET_V3;
    json_t *names = member_list(row, "outcomes"), *prices = member_list(row, "outcomePrices");
    json_t *tokens = member_list(row, v3 ? "positionIds" : "clobTokenIds");
    size_t n = json_array_size(names);
    bool ok = n > 0 && n <= MARKET_OUTCOMES_MAX && n == json_array_size(tokens);

    for (size_t i = 0; ok && i < n; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        const char *token = json_string_value(json_array_get(tokens, i));

        ok = name != NULL && is_digits(token, TOKEN_ID_MAX);
        if (!ok)
            break;
        m->outcomes[i] = (struct outcome){ .name = safe_text_copy(a, name),
                                           .price = price_of(a, row, prices, i),
                                           .token = arena_strdup(a, token) };
    }
    m->outcome_count = ok ? n : 0;
    json_decref(names);
    json_decref(prices);
    json_decref(tokens);
    return ok;
}

/* By the version that the market names, never by which members are filled. */
static void read_exchange(struct market *m, const json_t *row)
{
    const char *version = json_string_value(json_object_get(row, "version"));

    if (version == NULL && json_object_get(row, "clobTokenIds") != NULL)
        version = "v1";
    m->has_exchange = version != NULL && (strcmp(version, "v1") == 0 || strcmp(version, "v2") == 0);
    if (!m->has_exchange)
        return;
    m->exchange = strcmp(version, "v2") == 0 ? POLYMARKET_V3
                  : m->neg_risk              ? POLYMARKET_NEG_RISK
                                             : POLYMARKET_V2;
}

/* The outcome whose price is 1, of a market that its oracle has decided. */
static const char *resolved_outcome(const struct market *m, const json_t *row)
{
    const char *oracle = json_string_value(json_object_get(row, "umaResolutionStatus"));

    if (!m->closed || oracle == NULL || strcmp(oracle, "resolved") != 0)
        return NULL;
    for (size_t i = 0; i < m->outcome_count; i++)
        if (m->outcomes[i].price[strspn(m->outcomes[i].price, "0")] == '1')
            return m->outcomes[i].name;
    return NULL;
}

static enum market_status market_status_of(const struct market *m, const json_t *row)
{
    if (m->closed)
        return m->resolved_outcome != NULL ? MARKET_RESOLVED : MARKET_CLOSED;
    return m->active && member_true(row, "acceptingOrders") && member_true(row, "enableOrderBook")
               ? MARKET_OPEN
               : MARKET_PAUSED;
}

static const char *condition_of(struct arena *a, const json_t *row)
{
    const char *text = json_string_value(json_object_get(row, "conditionId"));
    uint8_t bytes[HASH_LEN];
    size_t n;

    return text != NULL && hex_decode_0x(bytes, sizeof bytes, &n, text) && n == HASH_LEN
               ? arena_strdup(a, text)
               : NULL;
}

/* `event`: that it is listed with, or NULL. */
static bool read_market(struct market *m, struct arena *a, const json_t *row, const json_t *event)
{
    const char *id = json_string_value(json_object_get(row, "id")), *zero = "0";

    *m = (struct market){ .condition = condition_of(a, row),
                          .question = member_words(a, row, "question"),
                          .description = member_words(a, row, "description"),
                          .end_date = member_date(a, row, "endDate", "endDateIso"),
                          .created = member_date(a, row, "createdAt", NULL),
                          .volume = member_decimal_or(a, row, "volume", "volumeNum"),
                          .liquidity = member_decimal_or(a, row, "liquidity", "liquidityNum"),
                          .tick = json_numbers_member(a, row, "orderPriceMinTickSize", DECIMAL_MAX),
                          .min_size = json_numbers_member(a, row, "orderMinSize", DECIMAL_MAX),
                          .active = member_true(row, "active"),
                          .closed = member_true(row, "closed"),
                          .neg_risk = member_true(row, "negRisk") };
    read_exchange(m, row);
    if (!is_digits(id, MARKET_ID_MAX) || m->condition == NULL || m->question == NULL ||
        !read_outcomes(m, a, row))
        return false;
    m->id = arena_strdup(a, id);
    m->tags = tags_of(a, row, event);
    m->category = category_of(a, row, &m->tags);
    m->volume = m->volume != NULL ? m->volume : zero;
    m->liquidity = m->liquidity != NULL ? m->liquidity : zero;
    m->resolved_outcome = resolved_outcome(m, row);
    m->status = market_status_of(m, row);
    return true;
}

/* ---- answers ---- */

/* The well-formed rows, behind those that `out` has. */
static void add_markets(struct arena *a, const json_t *rows, const json_t *event, struct market **out,
                        size_t *count)
{
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        struct market m;

        if (*count == ROWS_MAX || !read_market(&m, a, row, event))
            continue;
        *out = arena_grow(a, *out, *count, sizeof **out);
        (*out)[(*count)++] = m;
    }
}

/* A search answers with events. */
static const json_t *events_of(const json_t *doc, bool *more)
{
    const json_t *found = json_object_get(doc, "events");

    if (json_is_array(doc)) {
        *more = json_array_size(doc) > 0;
        return doc;
    }
    *more = json_is_true(json_object_get(json_object_get(doc, "pagination"), "hasMore"));
    return json_is_array(found) ? found : NULL;
}

bool gamma_read_markets(struct arena *a, const struct buf *answer, struct market **out, size_t *count,
                        bool *more)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *rows = events_of(doc, more), *event;
    bool ok = rows != NULL;
    size_t i;

    *out = NULL;
    *count = 0;
    if (json_is_array(doc))
        add_markets(a, rows, NULL, out, count);
    else
        json_array_foreach(rows, i, event)
            add_markets(a, json_object_get(event, "markets"), event, out, count);
    json_decref(doc);
    return ok;
}

static bool read_event(struct market_event *e, struct arena *a, const json_t *row)
{
    const char *id = json_string_value(json_object_get(row, "id"));

    *e = (struct market_event){ .title = member_words(a, row, "title"),
                                .description = member_words(a, row, "description"),
                                .tags = tags_of(a, row, NULL),
                                .end_date = member_date(a, row, "endDate", NULL),
                                .volume = json_numbers_member(a, row, "volume", DECIMAL_MAX),
                                .liquidity = json_numbers_member(a, row, "liquidity", DECIMAL_MAX) };
    if (!is_digits(id, MARKET_ID_MAX) || e->title == NULL)
        return false;
    e->id = arena_strdup(a, id);
    e->category = category_of(a, row, &e->tags);
    e->volume = e->volume != NULL ? e->volume : "0";
    e->liquidity = e->liquidity != NULL ? e->liquidity : "0";
    add_markets(a, json_object_get(row, "markets"), row, &e->markets, &e->count);
    return true;
}

bool gamma_read_events(struct arena *a, const struct buf *answer, struct market_event **out, size_t *count,
                       bool *more)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *rows = events_of(doc, more), *row;
    bool ok = rows != NULL;
    size_t i;

    *out = NULL;
    *count = 0;
    json_array_foreach(rows, i, row)
    {
        struct market_event e;

        if (*count == ROWS_MAX || !read_event(&e, a, row))
            continue;
        *out = arena_grow(a, *out, *count, sizeof **out);
        (*out)[(*count)++] = e;
    }
    json_decref(doc);
    return ok;
}

bool gamma_read_market(struct arena *a, const struct buf *answer, struct market *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    bool ok = read_market(out, a, doc, NULL);

    json_decref(doc);
    return ok;
}

bool gamma_read_tag(struct arena *a, const struct buf *answer, const char **tag_id)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const char *id = json_string_value(json_object_get(doc, "id"));
    bool ok = is_digits(id, MARKET_ID_MAX);

    if (ok)
        *tag_id = arena_strdup(a, id);
    json_decref(doc);
    return ok;
}
