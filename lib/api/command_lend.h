/* Commands about lending. */
#ifndef API_COMMAND_LEND_H
#define API_COMMAND_LEND_H

#include "api/sentence.h"

/* Supplies, withdraws, borrows or repays; a dry run simulates it. */
struct reply *command_lend(const struct sentence *x);
/* Sets whether a supply to Aave serves as collateral. */
struct reply *command_lend_collateral(const struct sentence *x);
/* The wallet's positions, which say how healthy they are too. */
struct reply *command_lend_positions(const struct sentence *x);
struct reply *command_lend_markets(const struct sentence *x);
struct reply *command_lend_operation(const struct sentence *x);

#endif
