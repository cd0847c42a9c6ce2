#include "model/swap.h"

#include <string.h>

#define BIT(s) (1u << (s))

static const unsigned next[] = {
    /* expired: nothing was signed, since its approval lapsed */
    [SWAP_PENDING] = BIT(SWAP_SUBMITTED) | BIT(SWAP_PROCESSING) | BIT(SWAP_COMPLETED) | BIT(SWAP_FAILED) |
                     BIT(SWAP_EXPIRED),
    [SWAP_SUBMITTED] = BIT(SWAP_PROCESSING) | BIT(SWAP_COMPLETED) | BIT(SWAP_FAILED),
    [SWAP_PROCESSING] = BIT(SWAP_SUBMITTED) | BIT(SWAP_COMPLETED) | BIT(SWAP_FAILED),
    [SWAP_COMPLETED] = BIT(SWAP_PROCESSING), /* only after a reorganisation */
    /* likewise; completed: a correction, as the chain says otherwise after all */
    [SWAP_FAILED] = BIT(SWAP_PROCESSING) | BIT(SWAP_COMPLETED),
    [SWAP_EXPIRED] = 0,
};

bool swap_may_move(enum swap_status from, enum swap_status to)
{
    return (next[from] & BIT(to)) != 0;
}

const char *swap_status_text(enum swap_status s)
{
    switch (s) {
    case SWAP_PENDING:
        return "pending";
    case SWAP_SUBMITTED:
        return "submitted";
    case SWAP_PROCESSING:
        return "processing";
    case SWAP_COMPLETED:
        return "completed";
    case SWAP_FAILED:
        return "failed";
    case SWAP_EXPIRED:
        return "expired";
    }
    return "";
}

enum swap_status swap_listed(enum swap_status s)
{
    switch (s) {
    case SWAP_PROCESSING:
        return SWAP_PENDING;
    case SWAP_EXPIRED:
        return SWAP_FAILED;
    case SWAP_PENDING:
    case SWAP_SUBMITTED:
    case SWAP_COMPLETED:
    case SWAP_FAILED:
        return s;
    }
    return s;
}

bool swap_listed_parse(enum swap_status *out, const char *text)
{
    static const enum swap_status listed[] = { SWAP_PENDING, SWAP_SUBMITTED, SWAP_COMPLETED, SWAP_FAILED };

    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++) {
        if (strcmp(text, swap_status_text(listed[i])) == 0) {
            *out = listed[i];
            return true;
        }
    }
    return false;
}

const char *tx_kind_text(enum tx_kind k)
{
    switch (k) {
    case TX_APPROVAL:
        return "approval";
    case TX_SWAP:
        return "swap";
    case TX_CANCEL:
        return "cancel";
    case TX_BRIDGE_IN:
        return "bridge_in";
    case TX_BRIDGE_OUT:
        return "bridge_out";
    }
    return "";
}
