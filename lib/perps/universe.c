#include "perps/universe.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/json_reader.h"
#include "perps/number.h"

enum { CHANGE_PLACES = 4, UNIVERSE_MAX = 5000 };

static const char SEPARATORS[] = " ,\t";

/* ---- which assets ---- */

bool perps_is_name(const char *text)
{
    size_t n = 0;

    while (isalnum((unsigned char)text[n]))
        n++;
    return n > 0 && n <= PERPS_NAME_MAX && text[n] == '\0';
}

static bool name_is_new(const struct perps_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcasecmp(names->list[i], name) == 0)
            return false;
    return true;
}

bool perps_names_of(struct perps_names *out, struct arena *a, const struct conf *conf)
{
    const char *at = conf->perps_assets;

    out->count = 0;
    for (at += strspn(at, SEPARATORS); *at != '\0'; at += strspn(at, SEPARATORS)) {
        size_t n = strcspn(at, SEPARATORS);
        const char *name = arena_strndup(a, at, n);

        if (out->count == PERPS_ASSETS_MAX || !perps_is_name(name) || !name_is_new(out, name))
            return false;
        out->list[out->count++] = name;
        at += n;
    }
    return out->count > 0;
}

void perps_check_settings(const struct conf *conf)
{
    struct arena *a = arena_new();
    struct perps_names names;

    if (!perps_names_of(&names, a, conf))
        conf_refuse(conf, "perps_assets", NULL);
    arena_free(a);
}

bool perps_is_meant(const char *asset, const char *market)
{
    size_t n = strlen(asset);

    return strncasecmp(market, asset, n) == 0 && (market[n] == '\0' || strcasecmp(market + n, "-USD") == 0);
}

char *perps_market_name(struct arena *a, const char *asset)
{
    return arena_printf(a, "%s-USD", asset);
}

/* ---- tiers ---- */

/* Each begins above the one before and allows less. */
static bool tier_add(struct arena *a, struct perps_asset *p, const json_t *row)
{
    const struct perps_tier *before = p->tier_count > 0 ? &p->tiers[p->tier_count - 1] : NULL;
    struct perps_tier *t = &p->tiers[p->tier_count];
    const char *from = perps_number(a, row, "lowerBound");

    if (p->tier_count == PERPS_TIERS_MAX || from == NULL ||
        amount_parse(&t->from, from, PERPS_WORTH_PLACES) != AMOUNT_FINE ||
        !perps_whole(&t->leverage, row, "maxLeverage", PERPS_LEVERAGE_MAX) || t->leverage == 0)
        return false;
    if (before == NULL ? !amount_is_zero(t->from)
                       : u256_cmp(t->from.raw, before->from.raw) <= 0 || t->leverage > before->leverage)
        return false;
    p->tier_count++;
    return true;
}

static bool tiers_read(struct arena *a, struct perps_asset *p, const json_t *list)
{
    const json_t *row;
    size_t i;

    p->tier_count = 0;
    json_array_foreach(list, i, row)
    {
        if (!tier_add(a, p, row))
            return false;
    }
    return p->tier_count > 0;
}

/* The table with that id: [id, {marginTiers}]. NULL: there is none, and so one tier. */
static const json_t *margin_table(const json_t *tables, const char *id)
{
    const json_t *row;
    size_t i;

    json_array_foreach(tables, i, row)
    {
        const char *own = json_string_value(json_array_get(row, 0));

        if (own != NULL && id != NULL && strcmp(own, id) == 0)
            return json_object_get(json_array_get(row, 1), "marginTiers");
    }
    return NULL;
}

/* ---- assets ---- */

static bool flag_is_set(const json_t *row, const char *name)
{
    return json_is_true(json_object_get(row, name));
}

static const char *name_in(const json_t *row)
{
    const char *name = json_string_value(json_object_get(row, "name"));

    return name != NULL ? name : "";
}

/* If the venue names a margin mode, it is one that isolates positions. */
static bool is_only_isolated(const json_t *row)
{
    return flag_is_set(row, "onlyIsolated") || json_is_string(json_object_get(row, "marginMode"));
}

static bool asset_read(struct arena *a, struct perps_asset *p, const json_t *row, const json_t *tables)
{
    const json_t *tiers = margin_table(tables, json_string_value(json_object_get(row, "marginTableId")));

    *p = (struct perps_asset){ .name = arena_strdup(a, name_in(row)),
                               .index = p->index,
                               .only_isolated = is_only_isolated(row) };
    if (flag_is_set(row, "isDelisted") ||
        !perps_whole(&p->sz_decimals, row, "szDecimals", PERPS_SIZE_PLACES_MAX) ||
        !perps_whole(&p->leverage, row, "maxLeverage", PERPS_LEVERAGE_MAX) || p->leverage == 0)
        return false;
    if (tiers != NULL)
        return tiers_read(a, p, tiers);
    p->tiers[0] = (struct perps_tier){ { U256_ZERO, PERPS_WORTH_PLACES }, p->leverage };
    p->tier_count = 1;
    return true;
}

/* The place of the name in the venue's list; the list's length: nowhere; SIZE_MAX: more than once. */
static size_t place_of(const json_t *universe, const char *name)
{
    size_t found = json_array_size(universe), i;
    const json_t *row;

    json_array_foreach(universe, i, row)
    {
        if (strcmp(name_in(row), name) != 0)
            continue;
        if (found < i)
            return SIZE_MAX;
        found = i;
    }
    return found;
}

/* ---- contexts ---- */

/* The change of the price since a day ago; 0 where that is not known. */
static const char *change_of(struct arena *a, const char *mark, const char *before)
{
    struct amount now, then, change = { .decimals = CHANGE_PLACES };
    bool minus;

    if (!perps_is_positive(before) || !perps_amount(&now, mark) || !perps_amount(&then, before))
        return "0";
    minus = u256_cmp(now.raw, then.raw) < 0;
    if (!u256_muldiv(&change.raw,
                     minus ? u256_difference(then.raw, now.raw) : u256_difference(now.raw, then.raw),
                     u256_from_u64(1000000), then.raw))
        return "0";
    return arena_printf(a, "%s%s", minus && !amount_is_zero(change) ? "-" : "", amount_text(a, change));
}

static bool context_read(struct arena *a, struct perps_market *m, const json_t *row)
{
    m->mark = perps_number(a, row, "markPx");
    m->oracle = perps_number(a, row, "oraclePx");
    m->mid = perps_number(a, row, "midPx");
    m->funding = perps_signed(a, row, "funding");
    m->open_interest = perps_number(a, row, "openInterest");
    m->volume = perps_number(a, row, "dayNtlVlm");
    if (!perps_is_positive(m->mark) || !perps_is_positive(m->oracle) || m->funding == NULL ||
        m->open_interest == NULL || m->volume == NULL)
        return false;
    m->change = change_of(a, m->mark, perps_number(a, row, "prevDayPx"));
    return true;
}

/* ---- answers ---- */

/* `contexts` are in the order of the universe; NULL: there are none. */
static bool universe_read(struct arena *a, const json_t *meta, const json_t *contexts,
                          const struct perps_names *names, struct perps_universe *out)
{
    const json_t *universe = json_object_get(meta, "universe"),
                 *tables = json_object_get(meta, "marginTables");
    size_t n = json_array_size(universe);

    *out = (struct perps_universe){ .markets = ARENA_ARRAY(a, struct perps_market, names->count + 1) };
    if (n == 0 || n > UNIVERSE_MAX || (contexts != NULL && json_array_size(contexts) != n))
        return false;
    for (size_t i = 0; i < names->count; i++) {
        struct perps_market *m = &out->markets[out->count];
        size_t at = place_of(universe, names->list[i]);

        if (at == SIZE_MAX)
            return false;
        m->asset.index = (unsigned)at;
        if (at < n && asset_read(a, &m->asset, json_array_get(universe, at), tables) &&
            (contexts == NULL || context_read(a, m, json_array_get(contexts, at))))
            out->count++;
        else
            out->missing = names->list[i];
    }
    return true;
}

bool perps_read_meta(struct arena *a, const struct buf *answer, const struct perps_names *names,
                     struct perps_universe *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    bool ok = universe_read(a, doc, NULL, names, out);

    json_decref(doc);
    return ok;
}

bool perps_read_contexts(struct arena *a, const struct buf *answer, const struct perps_names *names,
                         struct perps_universe *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *contexts = json_array_get(doc, 1);
    bool ok = json_is_array(contexts) && universe_read(a, json_array_get(doc, 0), contexts, names, out);

    json_decref(doc);
    return ok;
}

/* ---- as they are kept ---- */

void perps_asset_write(struct json_writer *w, const struct perps_asset *p)
{
    jw_object(w, NULL);
    jw_string(w, "name", p->name);
    jw_integer(w, "index", p->index);
    jw_integer(w, "szDecimals", p->sz_decimals);
    jw_integer(w, "maxLeverage", p->leverage);
    jw_bool(w, "onlyIsolated", p->only_isolated);
    jw_array(w, "marginTiers");
    for (size_t i = 0; i < p->tier_count; i++) {
        jw_object(w, NULL);
        amount_write(w, "lowerBound", p->tiers[i].from);
        jw_integer(w, "maxLeverage", p->tiers[i].leverage);
        jw_end(w);
    }
    jw_end(w);
    jw_end(w);
}

bool perps_asset_read(struct arena *a, const json_t *row, struct perps_asset *out)
{
    return perps_whole(&out->index, row, "index", UNIVERSE_MAX) && asset_read(a, out, row, NULL) &&
           tiers_read(a, out, json_object_get(row, "marginTiers"));
}
