/* A quote: what was offered to an agent, for 60 seconds, and how to build its transaction. */
#ifndef MODEL_QUOTE_H
#define MODEL_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/uuid.h"
#include "model/amount.h"
#include "model/execution.h"
#include "model/wallet_ref.h"

enum { QUOTE_LIFETIME_S = 60, QUOTE_ROUTE_MAX = 512, QUOTE_ID_TEXT_LEN = 2 + 32 };

/* A few routes of one provider: each in its own encoding, behind a byte with its length. */
enum { ROUTE_LIST_BYTES = 3 * (1 + 96) };
struct route_list {
    uint8_t bytes[ROUTE_LIST_BYTES];
    size_t len;
};

enum { QUOTE_OFFERS_MAX = 8 };

/* A runner-up of a quote: another offer for the same trade, by the same provider or another one. */
struct quote_offer {
    char provider[33];
    struct u256 amount_out, min_out;
    uint64_t gas_units;
    const uint8_t *payload; /* the provider's own encoding */
    size_t payload_len;
};

struct quote {
    struct uuid id; /* 128 random bits, shown as q_ and 32 hex digits */
    uint64_t agent_id;
    char provider[33];
    struct token_ref from, to;
    struct u256 amount_in, amount_out, min_out;
    struct ppm slippage;
    struct ppm price_impact; /* as quoted, PPM_NONE when it is not known; not stored */
    struct ppm max_impact;   /* what the agent allows; PPM_NONE: the operator's setting */
    uint64_t gas_units;
    uint8_t route[QUOTE_ROUTE_MAX]; /* the provider's own encoding */
    size_t route_len;
    /* Through the chain's pools, the best ones when it was quoted: the trade is compared with what they pay
     * for a small part. Empty: against all there are. */
    struct route_list reference;
    char wallet_address[WALLET_ADDR_MAX]; /* "" when the request named none */
    /* The recipient on a chain of another family. "": the payer, whose address is good there too, or none
     * yet. */
    char recipient[WALLET_ADDR_MAX];
    bool consumed;
    bool expired; /* by the database's clock */
    /* The runners-up of a new quote, in the arena of the request, the best first. They are stored with it,
     * but not read with it. */
    const struct quote_offer *offers;
    unsigned offer_count;
};

void quote_id_text(char out[static QUOTE_ID_TEXT_LEN + 1], const struct uuid *id);
bool quote_id_parse(struct uuid *out, const char *text);

/* Leaves out a route that is in the list already, or that does not fit in. */
void route_list_add(struct route_list *l, const uint8_t *route, size_t len);
/* The route at *at, which moves on to the next one; NULL at the end. Begin with 0. */
const uint8_t *route_list_next(const struct route_list *l, size_t *at, size_t *len);

#endif
