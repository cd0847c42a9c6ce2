#include "perps/wallet_state.h"

#include <string.h>

#include "base/json_reader.h"
#include "base/params.h"
#include "perps/number.h"
#include "perps/universe.h"

enum { POSITIONS_MAX = 500, BALANCES_MAX = 5000, AGENTS_MAX = 100 };

static const char *text_in(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text != NULL ? text : "";
}

/* Not all answers say whom they are about. */
static bool is_about(const json_t *doc, const struct evm_addr *user)
{
    const json_t *named = json_object_get(doc, "user");
    struct evm_addr other;

    return named == NULL || (json_is_string(named) && evm_addr_read(&other, json_string_value(named)) &&
                             evm_addr_eq(other, *user));
}

static bool leverage_read(const json_t *row, bool *is_cross, unsigned *value)
{
    const json_t *leverage = json_object_get(row, "leverage");
    const char *type = text_in(leverage, "type");

    *is_cross = strcmp(type, "cross") == 0;
    return (*is_cross || strcmp(type, "isolated") == 0) &&
           perps_whole(value, leverage, "value", PERPS_LEVERAGE_MAX) && *value > 0;
}

/* ---- positions ---- */

/* There may be none, and one below 0 is none. */
static const char *liquidation_in(struct arena *a, const json_t *row)
{
    const json_t *price = json_object_get(row, "liquidationPx");

    if (price == NULL || json_is_null(price) || *text_in(row, "liquidationPx") == '-')
        return "0";
    return perps_number(a, row, "liquidationPx");
}

static bool position_read(struct arena *a, struct perps_position *p, const json_t *row)
{
    const char *size = perps_signed(a, row, "szi"), *asset = text_in(row, "coin");

    *p = (struct perps_position){ .asset = perps_is_name(asset) ? arena_strdup(a, asset) : NULL,
                                  .entry = perps_number(a, row, "entryPx"),
                                  .value = perps_number(a, row, "positionValue"),
                                  .margin = perps_number(a, row, "marginUsed"),
                                  .gain = perps_signed(a, row, "unrealizedPnl"),
                                  .liquidation = liquidation_in(a, row),
                                  .funding =
                                      perps_signed(a, json_object_get(row, "cumFunding"), "sinceOpen") };
    if (size == NULL || p->asset == NULL || p->entry == NULL || p->value == NULL || p->margin == NULL ||
        p->gain == NULL || p->liquidation == NULL || p->funding == NULL)
        return false;
    p->is_short = *size == '-';
    p->size = size + p->is_short;
    return leverage_read(row, &p->is_cross, &p->leverage);
}

/* One that was closed may be listed for a while. */
static bool is_closed(const json_t *row)
{
    const char *size = text_in(row, "szi");

    return *size != '\0' && size[strspn(size, "-0.")] == '\0';
}

static bool positions_read(struct arena *a, const json_t *list, struct perps_state *out)
{
    const json_t *item;
    size_t i;

    if (!json_is_array(list) || json_array_size(list) > POSITIONS_MAX)
        return false;
    out->positions = ARENA_ARRAY(a, struct perps_position, json_array_size(list) + 1);
    out->count = 0;
    json_array_foreach(list, i, item)
    {
        const json_t *row = json_object_get(item, "position");

        if (is_closed(row))
            continue;
        if (!position_read(a, &out->positions[out->count++], row))
            return false;
    }
    return true;
}

bool perps_read_state(struct arena *a, const struct buf *answer, const struct evm_addr *user,
                      struct perps_state *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *sums = json_object_get(doc, "marginSummary");
    bool ok;

    *out = (struct perps_state){ .value = perps_signed(a, sums, "accountValue"),
                                 .margin = perps_number(a, sums, "totalMarginUsed"),
                                 .withdrawable = perps_number(a, doc, "withdrawable") };
    ok = is_about(doc, user) && out->value != NULL && out->margin != NULL && out->withdrawable != NULL &&
         positions_read(a, json_object_get(doc, "assetPositions"), out);
    json_decref(doc);
    return ok;
}

/* ---- dollars ---- */

static bool balance_read(struct arena *a, const json_t *row, struct perps_spot *out)
{
    out->total = perps_number(a, row, "total");
    out->hold = perps_number(a, row, "hold");
    return out->total != NULL && out->hold != NULL;
}

/* Anyone may send a wallet what cannot be read: it is left out. */
static void coin_add(struct arena *a, const json_t *row, struct perps_spot *out)
{
    const char *name = text_in(row, "coin"), *total = perps_number(a, row, "total");

    if (perps_is_name(name) && total != NULL && !perps_is_zero(total))
        out->coins[out->coin_count++] = (struct perps_coin){ arena_strdup(a, name), total };
}

bool perps_read_spot(struct arena *a, const struct buf *answer, struct perps_spot *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *list = json_object_get(doc, "balances"), *row;
    bool ok = json_is_array(list) && json_array_size(list) <= BALANCES_MAX;
    size_t i, found = 0;

    *out =
        (struct perps_spot){ "0", "0",
                             .coins = ARENA_ARRAY(a, struct perps_coin, ok ? json_array_size(list) + 1 : 1) };
    json_array_foreach(list, i, row)
    {
        if (!ok)
            break;
        if (strcmp(text_in(row, "coin"), "USDC") == 0)
            ok = found++ == 0 && balance_read(a, row, out);
        else
            coin_add(a, row, out);
    }
    json_decref(doc);
    return ok;
}

/* ---- modes ---- */

static const char *const mode_names[PERPS_MODES] = {
    [PERPS_DEFAULT] = "default",
    [PERPS_DISABLED] = "disabled",
    [PERPS_UNIFIED] = "unifiedAccount",
    [PERPS_PORTFOLIO] = "portfolioMargin",
};

const char *perps_mode_name(enum perps_mode m)
{
    return mode_names[m];
}

bool perps_mode_find(enum perps_mode *out, const char *name)
{
    for (int m = 0; m < PERPS_MODES; m++)
        if (strcmp(mode_names[m], name) == 0) {
            *out = (enum perps_mode)m;
            return true;
        }
    return false;
}

bool perps_mode_is_unified(enum perps_mode m)
{
    return m == PERPS_UNIFIED || m == PERPS_PORTFOLIO;
}

bool perps_read_mode(const struct buf *answer, enum perps_mode *out)
{
    json_t *doc = json_loadb(buf_text(answer), answer->len, JSON_DECODE_ANY, NULL);
    const char *name = json_string_value(doc);
    bool ok = name != NULL && perps_mode_find(out, name);

    json_decref(doc);
    return ok;
}

/* ---- fees ---- */

/* At most a tenth of the trade, or it is no fee. */
static bool is_fee(const char *rate)
{
    struct amount share, most;

    return rate != NULL && perps_share(&share, rate) && perps_share(&most, "0.1") &&
           u256_cmp(share.raw, most.raw) <= 0;
}

bool perps_read_fees(struct arena *a, const struct buf *answer, const char **taker)
{
    json_t *doc = json_read_texts(answer->data, answer->len);

    *taker = perps_number(a, doc, "userCrossRate");
    json_decref(doc);
    return is_fee(*taker);
}

/* ---- keys that may trade for it ---- */

/* A name may say until when: "name valid_until 1790000000000". */
static bool is_named(const json_t *row, const char *name)
{
    static const char until[] = " valid_until ";
    const char *own = text_in(row, "name");
    size_t n = strlen(name);

    return strncmp(own, name, n) == 0 && (own[n] == '\0' || strncmp(own + n, until, strlen(until)) == 0);
}

static bool agent_read(struct arena *a, const json_t *row, struct perps_agent *out)
{
    const json_t *until = json_object_get(row, "validUntil");
    struct evm_addr address;
    uint64_t ms = 0;

    if (!evm_addr_read(&address, text_in(row, "address")) ||
        (!json_is_null(until) && !params_whole(&ms, text_in(row, "validUntil"))) || ms > INT64_MAX)
        return false;
    *out = (struct perps_agent){ evm_addr_print(a, address), (int64_t)ms };
    return true;
}

static bool has_one_of(const json_t *row, const char *const *names)
{
    while (*names != NULL && !is_named(row, *names))
        names++;
    return *names != NULL;
}

static bool lasts_longer(const struct perps_agent *a, const struct perps_agent *than)
{
    return than->until_ms != 0 && (a->until_ms == 0 || a->until_ms > than->until_ms);
}

static json_t *agents_list(const struct buf *answer)
{
    json_t *doc = json_read_texts(answer->data, answer->len);

    if (json_is_array(doc) && json_array_size(doc) <= AGENTS_MAX)
        return doc;
    json_decref(doc);
    return NULL;
}

bool perps_read_agent(struct arena *a, const struct buf *answer, const char *const *names,
                      struct perps_agent *out, bool *there)
{
    json_t *doc = agents_list(answer);
    bool ok = doc != NULL;
    struct perps_agent one;
    const json_t *row;
    size_t i;

    *there = false;
    json_array_foreach(doc, i, row)
    {
        if (!has_one_of(row, names))
            continue;
        if (!(ok = agent_read(a, row, &one)))
            break;
        if (!*there || lasts_longer(&one, out))
            *out = one;
        *there = true;
    }
    *there = *there && ok;
    json_decref(doc);
    return ok;
}

bool perps_read_key(const struct buf *answer, const struct evm_addr *key, bool *there)
{
    json_t *doc = agents_list(answer);
    bool ok = doc != NULL;
    struct evm_addr address;
    const json_t *row;
    size_t i;

    *there = false;
    json_array_foreach(doc, i, row)
    {
        if (evm_addr_read(&address, text_in(row, "address")) && evm_addr_eq(address, *key))
            *there = true;
    }
    json_decref(doc);
    return ok;
}

/* ---- acceptance of orders ---- */

bool perps_read_leverage(const struct buf *answer, const struct evm_addr *user, const char *asset,
                         struct perps_leverage *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    bool ok = json_object_get(doc, "user") != NULL && is_about(doc, user) &&
              strcmp(text_in(doc, "coin"), asset) == 0 && leverage_read(doc, &out->is_cross, &out->value);

    json_decref(doc);
    return ok;
}

/* As one that is an item of a list, instead of a member. */
static bool item_read(struct arena *a, struct amount *out, const json_t *list, size_t i)
{
    json_t *row = json_object();
    const char *number;

    (void)json_object_set(row, "item", json_array_get(list, i));
    number = perps_number(a, row, "item");
    json_decref(row);
    return number != NULL && perps_amount(out, number);
}

bool perps_read_available(struct arena *a, const struct buf *answer, struct perps_available *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *list = json_object_get(doc, "availableToTrade");
    bool ok = item_read(a, &out->to_buy, list, 0) && item_read(a, &out->to_sell, list, 1);

    json_decref(doc);
    return ok;
}
