/* The venue's answers about a wallet: its worth there, its positions, its fees, the keys that may trade for
 * it. Numbers are those of perps/number.h. */
#ifndef PERPS_WALLET_STATE_H
#define PERPS_WALLET_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "model/amount.h"

struct perps_position {
    const char *asset;
    bool is_short, is_cross;
    unsigned leverage;
    const char *size;          /* of the asset, on either side */
    const char *entry, *value; /* dollars for one; for all of it now */
    const char *margin, *gain; /* what it binds; what closing it would gain, of either sign */
    const char *liquidation;   /* dollars for one; "0": at no price */
    const char *funding;       /* paid since it was opened, of either sign: less than 0 was received */
};

struct perps_state {
    const char *value; /* of either sign */
    const char *withdrawable, *margin;
    struct perps_position *positions;
    size_t count;
};

/* An answer to `clearinghouseState` about that wallet. False when any part of it is malformed: half of a
 * wallet's holdings is never shown. The same holds for the next ones. */
bool perps_read_state(struct arena *a, const struct buf *answer, const struct evm_addr *user,
                      struct perps_state *out);

/* Balances outside of positions, by `spotClearinghouseState`. */
struct perps_coin {
    const char *name, *total;
};
struct perps_spot {
    const char *total, *hold; /* dollars; what is held for orders and positions is in both */
    struct perps_coin *coins; /* all others, as far as they can be read */
    size_t coin_count;
};
bool perps_read_spot(struct arena *a, const struct buf *answer, struct perps_spot *out);

/* The account's mode of collateral, an answer to `userAbstraction`. */
enum perps_mode {
    PERPS_DEFAULT, /* apart from what it has on the spot market; so the next one, by the owner's choice */
    PERPS_DISABLED,
    PERPS_UNIFIED, /* all in one, as the spot state shows it; so the next one */
    PERPS_PORTFOLIO,
    PERPS_MODES
};
bool perps_read_mode(const struct buf *answer, enum perps_mode *out);
/* "default", "unifiedAccount", … as the venue has them. */
const char *perps_mode_name(enum perps_mode m);
bool perps_mode_find(enum perps_mode *out, const char *name);
bool perps_mode_is_unified(enum perps_mode m);

/* The fee of a trade that takes from the book, a share of its worth: of an answer to `userFees`. */
bool perps_read_fees(struct arena *a, const struct buf *answer, const char **taker);

/* A key that may trade for the wallet, of an answer to `extraAgents`. */
struct perps_agent {
    const char *address; /* with its checksum */
    int64_t until_ms;    /* 0: as long as it is */
};
/* The one of these names (NULL ends them) that may the longest. *there is false when there is none. */
bool perps_read_agent(struct arena *a, const struct buf *answer, const char *const *names,
                      struct perps_agent *out, bool *there);
/* The key with that address, under any name. */
bool perps_read_key(const struct buf *answer, const struct evm_addr *key, bool *there);

/* Leverage and mode of orders for an asset, of an answer to `activeAssetData` about that wallet and asset. */
struct perps_leverage {
    bool is_cross;
    unsigned value;
};
bool perps_read_leverage(const struct buf *answer, const struct evm_addr *user, const char *asset,
                         struct perps_leverage *out);

/* Read from the same answer: how many dollars a purchase may bind, and a sale. */
struct perps_available {
    struct amount to_buy, to_sell; /* with PERPS_PLACES */
};
bool perps_read_available(struct arena *a, const struct buf *answer, struct perps_available *out);

#endif
