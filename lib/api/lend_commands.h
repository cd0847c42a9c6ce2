/* Commands about lending. */
#ifndef API_LEND_COMMANDS_H
#define API_LEND_COMMANDS_H

#include "api/sentence.h"

/* Supplies, withdraws, borrows or repays; a dry run simulates it. */
struct reply *command_lend(const struct sentence *x);
/* Sets whether a supply to Aave serves as collateral. */
struct reply *command_lend_collateral(const struct sentence *x);
/* The wallet's positions, which say how healthy they are too. */
struct reply *command_lend_positions(const struct sentence *x);
struct reply *command_lend_markets(const struct sentence *x);
struct reply *command_lend_operation(const struct sentence *x);

/* Those of all that a command may do at lenders. */
#define LENDING_ERRORS                                                                                       \
    &E_LEND_CHAIN, &E_LEND_INACTIVE, &E_LEND_FROZEN, &E_LEND_PAUSED, &E_LEND_NO_BORROWING,                   \
        &E_LEND_SUPPLY_CAP, &E_LEND_BORROW_CAP, &E_LEND_COLLATERAL, &E_LEND_NO_COLLATERAL,                   \
        &E_LEND_LIQUIDITY, &E_LEND_HEALTH, &E_LEND_NO_DEBT, &E_LEND_SUPPLIED, &E_LEND_REFUSED,               \
        &E_LEND_OPERATION_NOT_FOUND, &E_LEND_IN_PROGRESS, &E_LEND_FAILED

#endif
