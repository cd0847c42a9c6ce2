/* Commands about perpetuals. */
#ifndef API_COMMAND_PERPS_H
#define API_COMMAND_PERPS_H

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

#endif
