/* The perpetuals that there are, as the venue's `meta` and `metaAndAssetCtxs` describe them. A perpetual is
 * known by its name; the number by which orders name it is where it is in the venue's list, and is never
 * assumed. */
#ifndef PERPS_UNIVERSE_H
#define PERPS_UNIVERSE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json_writer.h"
#include "model/amount.h"
#include "service/conf.h"

enum {
    PERPS_ASSETS_MAX = 32, /* that an operator lists */
    PERPS_TIERS_MAX = 16,
    PERPS_NAME_MAX = 16,
    PERPS_LEVERAGE_MAX = 1000, /* that is valid */
    PERPS_OWN_LEVERAGE_MAX = 20,
    PERPS_SIZE_PLACES_MAX = 6, /* a price has as many places as a size lacks of these */
};

/* Positions worth `from` dollars (with PERPS_WORTH_PLACES) or more have at most that leverage. */
struct perps_tier {
    struct amount from;
    unsigned leverage;
};

struct perps_asset {
    const char *name; /* "ETH"; its market is "ETH-USD" */
    unsigned index;   /* by which orders name it */
    unsigned sz_decimals;
    unsigned leverage; /* the most that the venue allows */
    bool only_isolated;
    struct perps_tier tiers[PERPS_TIERS_MAX]; /* the first one from 0 on; ever less leverage */
    size_t tier_count;
};

/* An asset with what changes all the time, in numbers of perps/number.h. */
struct perps_market {
    struct perps_asset asset;
    const char *mark, *oracle; /* dollars */
    const char *mid;           /* NULL: its book lacks a side */
    const char *funding;       /* a share of the position each hour, of either sign */
    const char *open_interest; /* in the asset */
    const char *volume;        /* dollars in a day */
    const char *change;        /* of the price in a day, per cent, of either sign */
};

struct perps_universe {
    struct perps_market *markets; /* in the order in which the operator lists them */
    size_t count;
    const char *missing; /* one that is listed and that the venue does not have, or NULL */
};

/* Which assets the operator lists. */
struct perps_names {
    const char *list[PERPS_ASSETS_MAX];
    size_t count;
};
/* False when the setting is none. */
bool perps_names_of(struct perps_names *out, struct arena *a, const struct conf *conf);
/* Rejects an invalid setting. */
void perps_check_settings(const struct conf *conf);

/* Letters and digits, not too many of them. */
bool perps_is_name(const char *text);
/* Whether a caller means that asset: "ETH-USD" or "ETH", in any case. */
bool perps_is_meant(const char *asset, const char *market);
char *perps_market_name(struct arena *a, const char *asset);

/* Reads an answer to `meta`, or to `metaAndAssetCtxs`: the assets that are listed and not delisted there.
 * False when it is malformed as a whole; an asset that is malformed is missing. Only the second has more than
 * `asset` of each market. */
bool perps_read_meta(struct arena *a, const struct buf *answer, const struct perps_names *names,
                     struct perps_universe *out);
bool perps_read_contexts(struct arena *a, const struct buf *answer, const struct perps_names *names,
                         struct perps_universe *out);

/* The asset as it is kept, with all its tiers, and read again from a document whose numbers are texts. */
void perps_asset_write(struct json_writer *w, const struct perps_asset *p);
bool perps_asset_read(struct arena *a, const json_t *row, struct perps_asset *out);

#endif
