/* What an order has to know of an outcome's token: its market, and the exchange's rules for it. */
#ifndef PREDICT_OUTCOME_TOKEN_H
#define PREDICT_OUTCOME_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "codec/hash.h"
#include "codec/u256.h"
#include "exec/cached_answer.h"
#include "predict/clob_private.h"
#include "service/ctx.h"
#include "venue/polymarket_order.h"

struct predict_token {
    const char *text; /* decimal, as agents name it */
    struct u256 id;
    const char *market; /* the catalogue's id of its market */
    const char *question, *outcome;
    uint8_t condition[HASH_LEN];
    enum polymarket_exchange exchange; /* by the version that the market names */
    struct clob_market rules;          /* at most a minute old */
    bool accepting;                    /* orders, as the exchange and the catalogue say */
};

/* Sets what its name says: text and id. NULL, or E_TOKEN_ID. */
const struct err *predict_token_read(struct arena *a, const char *token, struct predict_token *out);
/* The question whose answer (exec/cached_answer.h) predict_token_find wants to know. */
const char *predict_token_question(struct arena *a, const struct predict_token *t);
/* Fills in the rest. Asks the venue unless it did so within the minute. NULL, or E_TOKEN_ID for one that no
 * market has or that is of a market of an unknown version, E_PREDICT_ORDER_FAILED, E_INTERNAL. Texts are in
 * the arena. */
const struct err *predict_token_find(const struct ctx *ctx, struct arena *a,
                                     const struct cached_answers *known, struct predict_token *t);

#endif
