/* Markets of perpetuals as agents read them, cached for a moment for all of them (exec/cached_answer.h):
 * prices for two seconds, books for one; for calls that only read five times as long while the venue is busy.
 */
#ifndef PERPS_PERPS_MARKETS_H
#define PERPS_PERPS_MARKETS_H

#include "base/err.h"
#include "perps/depth.h"
#include "perps/universe.h"
#include "service/ctx.h"

/* Each sets its result, in the arena, and returns NULL or why not: E_UPSTREAM, E_BUSY, E_INTERNAL. */

/* An object with the reply's list "markets". */
const struct err *perps_markets(const struct ctx *ctx, struct arena *a, const char **text);

/* The markets themselves, of whose assets only names, decimals and leverage are known. */
struct perps_list {
    struct perps_market *markets;
    size_t count;
};
const struct err *perps_list(const struct ctx *ctx, struct arena *a, struct perps_list *out);
/* The one that is meant; NULL: there is none. */
const struct perps_market *perps_list_find(const struct perps_list *list, const char *market);

/* An asset with its number and its tiers, as the venue had them within the hour. *there is false when no
 * market of that name is listed. */
const struct err *perps_asset_find(const struct ctx *ctx, struct arena *a, const char *market,
                                   struct perps_asset *out, bool *there);
/* The name of the one with that number; NULL: none that is listed has it. */
const char *perps_asset_name(const struct ctx *ctx, struct arena *a, unsigned index);
/* Has the venue asked when that is older, where agents may trade; for the job that sees to it. */
void perps_assets_poll(const struct ctx *ctx, struct arena *a);

/* An object with the reply's members: the market's, "bids" and "asks". E_MARKET_NOT_FOUND too. */
const struct err *perps_market(const struct ctx *ctx, struct arena *a, const char *name, const char **text);
const struct err *perps_depth_find(const struct ctx *ctx, struct arena *a, const char *asset,
                                   struct perps_depth *out);

/* The most leverage that a caller may ask for, of so much that the venue allows. */
unsigned perps_leverage_allowed(const struct ctx *ctx, unsigned most);

#endif
