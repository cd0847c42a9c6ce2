/* Parses plain English for POST /v1/agent/execute. Pure: no network, no database, no clock. A sentence is
 * understood when the rules account for each of its words in exactly one way; everything else is refused,
 * with the reason as a hint. */
#ifndef COMMAND_PARSE_H
#define COMMAND_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "command/action.h"

enum { COMMAND_MAX = 500 /* code points */, PRICED_MAX = 20, NAMED_PROVIDERS_MAX = 12 };

enum amount_kind { AMOUNT_EXACT, AMOUNT_USD, AMOUNT_PERCENT };

/* The meaning of a sentence. Strings are in the arena; what was not said is NULL or 0. */
struct command {
    bool lacks_a_piece; /* refused only because an amount or a chain was not said */
    enum command_action action;
    /* swap, quote, withdraw, lend_supply, lend_withdraw, lend_borrow, lend_repay, perps_deposit,
     * perps_withdraw, and perps_close for a share of the position */
    const char *amount; /* plain decimal digits, more than zero */
    enum amount_kind amount_kind;
    /* swap, quote */
    const struct token *from, *to;
    bool amount_of_to;                         /* what is to be received is measured */
    const struct chain *from_chain, *to_chain; /* never NULL; equal for one chain */
    bool has_slippage;
    uint32_t slippage; /* millionths */
    const char *providers[NAMED_PROVIDERS_MAX + 1],
        *excluded[NAMED_PROVIDERS_MAX + 1]; /* keys; a NULL ends each list */
    /* the others */
    const char *token; /* its symbol as the tables spell it; BTC too, of which there is only a price */
    const char *symbols[PRICED_MAX]; /* prices: symbols as the tables spell them */
    unsigned symbols_count;
    const struct chain *chain;
    const char *quote_id; /* of a swap that is this quote alone: no tokens, no amount */
    uint64_t swap_id;     /* 0 with `newest` */
    bool newest;          /* the agent's newest swap, withdrawal or operation at a lender */
    uint64_t limit;
    const char *status; /* "failed" … */
    const char *chain_type;
    const char *query, *category;
    const char *token_id, *side, *price, *size;
    const char *market_id, *outcome; /* of an order: in place of its token_id, which they name */
    const char *order_id;
    uint64_t withdrawal_id;      /* 0 with `newest` */
    const char *recipient;       /* withdraw, remove: label or address in the agent's list */
    uint64_t address_id;         /* remove: or its number there */
    const char *address, *label; /* add */
    /* policy_add: its type, the one member of its params with a decimal, and the window of a limit */
    const char *policy, *policy_member, *policy_value;
    uint64_t window_s;       /* 0: of each execution for itself */
    const char *approval_id; /* approval_status, approval_resume */
    /* For lending, whose asset is `token` and whose market, where it is named, `market_id`: */
    const char *protocol;  /* the lender's key */
    const char *against;   /* borrow: symbol of a token that has to serve as collateral there */
    bool collateral;       /* what is supplied or withdrawn has to be collateral */
    bool enabled;          /* lend_collateral: it serves as collateral from now on */
    uint64_t operation_id; /* 0 with `newest` */
    /* For perpetuals, with side ("long" …), size, price and order_id as above: */
    const char *market;      /* "ETH-USD"; whether it exists only the venue knows */
    const char *leverage;    /* a whole number */
    const char *notional;    /* in place of a size: dollars that the position is worth, */
    const char *margin;      /* and those that it binds; NULL where there is no leverage */
    const char *order_type;  /* "market" or "limit" */
    const char *margin_mode; /* "isolated" or "cross" */
    const char *take_profit, *stop_loss;
    bool reduce_only, post_only;
};

/* NULL, or the refusal: E_COMMAND_LENGTH, E_COMMAND with a hint, or the message of a quote for an unknown
 * token or chain. Of a refused command only lacks_a_piece is set. */
const struct err *command_parse(struct arena *a, const char *text, struct command *out);

/* Parses a trade, withdrawal or operation at a lender that lacked pieces together with the pieces that came
 * since, each as a text of its own: "0.1", "half of my ETH", "on base". They may only say what is missing,
 * and all their words must be accounted for. */
const struct err *command_complete(struct arena *a, const char *text, const char *const *pieces, unsigned n,
                                   struct command *out);

/* Writes a swap or quote of two tokens, a withdrawal, or an operation at a lender as a sentence that parses
 * to the same. In the arena. */
const char *command_text(struct arena *a, const struct command *c);

const char *amount_kind_text(enum amount_kind kind);

#endif
