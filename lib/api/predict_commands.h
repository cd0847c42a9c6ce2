/* Commands about prediction markets. */
#ifndef API_PREDICT_COMMANDS_H
#define API_PREDICT_COMMANDS_H

#include "api/sentence.h"

/* Dollars without a price buy at once, for what the book asks, or not at all; a dry run of that quotes it. */
struct reply *command_predict_order(const struct sentence *x);
struct reply *command_predict_quote(const struct sentence *x);
struct reply *command_predict_deposit(const struct sentence *x);
struct reply *command_predict_withdraw(const struct sentence *x);
struct reply *command_predict_redeem(const struct sentence *x);
/* Price or book of the market that is named. */
struct reply *command_predict_market(const struct sentence *x);
struct reply *command_predict_account(const struct sentence *x);

/* Those of all that a command may do there, but for ORDER_ERRORS. */
#define PREDICT_ERRORS                                                                                       \
    &E_NO_MATCH, &E_NO_LIQUIDITY, &E_DEPOSIT_TOKEN, &E_TRANSFER_UNDER_WAY, &E_NOT_RESOLVED,                  \
        &E_NOTHING_TO_REDEEM, &E_TRANSFER_FAILED

#endif
