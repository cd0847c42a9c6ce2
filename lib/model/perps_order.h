/* An order for perpetuals, from its placing to the last of its trades; what takes its gains or stops its
 * losses is an order too, and stands behind it. */
#ifndef MODEL_PERPS_ORDER_H
#define MODEL_PERPS_ORDER_H

#include "base/arena.h"
#include "codec/hash.h"
#include "model/order.h"

enum { PERPS_CLOID_LEN = 16, PERPS_ASSET_MAX = 16, PERPS_CHILDREN_MAX = 2 };

enum perps_role { PERPS_ORDER = 0, PERPS_TAKE_PROFIT = 1, PERPS_STOP_LOSS = 2 };
enum perps_tif { PERPS_GTC = 0, PERPS_IOC = 1, PERPS_ALO = 2 };

/* The members of a trigger that its order shows. */
struct perps_child {
    enum order_status status; /* 0: there is none */
    uint8_t cloid[PERPS_CLOID_LEN];
    uint64_t trigger;
};

/* Prices, sizes and dollars are whole numbers of 10^-8, as venue/hyperliquid_format.h has them. */
struct perps_order {
    uint64_t id, execution_id, agent_id, wallet_id;
    enum perps_role role;
    unsigned behind;                /* how many orders of other roles its execution has; of those 0 */
    struct perps_child gain, loss;  /* these, by role; of those none */
    uint8_t cloid[PERPS_CLOID_LEN]; /* its id */
    uint64_t oid;                   /* the venue's; 0: not known yet */
    char asset[PERPS_ASSET_MAX + 1];
    bool sells;
    bool is_market; /* at the best prices up to `price`; otherwise a limit */
    enum perps_tif tif;
    bool reduce_only;
    uint64_t size;
    uint64_t price;   /* the worst that it takes; of triggers that the venue is asked for */
    uint64_t trigger; /* of the other roles; 0 */
    unsigned leverage;
    bool isolated;
    enum order_status status;
    uint64_t filled;
    uint64_t paid;                          /* dollars for that, by its trades */
    int64_t fee;                            /* dollars; below 0: received */
    bool final;                             /* nothing of it can change any more */
    const char *error_code, *error_message; /* of a rejected one; else NULL */
    int64_t cancel_requested_ms;            /* 0: not */
    int64_t polled_ms;                      /* since when it is missed; 0: it is not */
    int64_t created_ms, updated_ms;
};

/* A trade of a wallet, be it of an order of ours or not. */
struct perps_fill {
    uint64_t wallet_id, agent_id;
    uint64_t trade; /* the venue's number, or one made of what it says */
    uint64_t oid;
    uint8_t cloid[PERPS_CLOID_LEN]; /* of the order of ours; zeros: none */
    char asset[PERPS_ASSET_MAX + 1];
    bool sells;
    bool liquidation;
    uint64_t price, size;
    int64_t fee, gain; /* dollars; gain: what it closed has made */
    int64_t at_ms;
};

/* A funding payment to a position, or by it. */
struct perps_payment {
    uint64_t wallet_id, agent_id;
    char asset[PERPS_ASSET_MAX + 1];
    int64_t rate;   /* of 10^-18 */
    int64_t size;   /* below 0: of a short one */
    int64_t amount; /* dollars; below 0: paid */
    int64_t at_ms;
};

const char *perps_tif_text(enum perps_tif t);                /* "GTC" */
const char *perps_role_text(enum perps_role r);              /* "takeProfit" */
bool perps_tif_parse(enum perps_tif *out, const char *text); /* in any case of letters */

/* "0x" and 32 digits, in the arena. */
char *perps_cloid_text(struct arena *a, const uint8_t cloid[static PERPS_CLOID_LEN]);
bool perps_cloid_parse(uint8_t out[static PERPS_CLOID_LEN], const char *text);

/* Dollars for so much at that price, rounded down; the most that fits where it is more. */
uint64_t perps_worth(uint64_t price, uint64_t size);
/* Units of 10^-8, of either sign, without needless digits; in the arena. */
char *perps_units_text(struct arena *a, int64_t units);

#endif
