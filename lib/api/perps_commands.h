/* Commands about perpetuals. */
#ifndef API_PERPS_COMMANDS_H
#define API_PERPS_COMMANDS_H

#include "api/sentence.h"

/* A dry run of an order at the market's price quotes it. */
struct reply *command_perps_order(const struct sentence *x);
struct reply *command_perps_quote(const struct sentence *x);
struct reply *command_perps_close(const struct sentence *x);
struct reply *command_perps_leverage(const struct sentence *x);
/* Deposits and withdrawals. */
struct reply *command_perps_transfer(const struct sentence *x);
struct reply *command_perps_market(const struct sentence *x);
/* The wallet's balances there. */
struct reply *command_perps_holdings(const struct sentence *x);

/* Those of all that a command may do there. */
#define PERPS_ERRORS                                                                                         \
    &E_PERPS_NOT_CONFIGURED, &E_PERPS_TERM, &E_PERPS_MARKET, &E_PERPS_SIZE_PLACES, &E_PERPS_LEVERAGE,        \
        &E_PERPS_PRICE, &E_PERPS_ISOLATED, &E_PERPS_MIN_VALUE, &E_PERPS_TAKE_PROFIT, &E_PERPS_STOP_LOSS,     \
        &E_PERPS_MARGIN, &E_PERPS_NOT_FUNDED, &E_PERPS_NO_POSITION, &E_PERPS_MODE,                           \
        &E_PERPS_LEVERAGE_REFUSED, &E_PERPS_ORDER_NOT_FOUND, &E_PERPS_ORDER_NOT_OPEN, &E_PERPS_FAILED,       \
        &E_PERPS_LEAST, &E_PERPS_CHAIN, &E_PERPS_TRANSFER_FAILED

#endif
