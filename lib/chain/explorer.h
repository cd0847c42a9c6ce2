/* Where people look up a transaction. Chains of a sandbox are in no explorer: the setting explorer.<chain>
 * changes what the table of chains says. */
#ifndef CHAIN_EXPLORER_H
#define CHAIN_EXPLORER_H

#include "chain/chains.h"
#include "service/conf.h"

/* At the program's start; the settings must stay. */
void explorer_configure(const struct conf *c);
/* The URL that a transaction's hash completes; NULL: there is none. */
const char *explorer_of(const struct chain *c);

#endif
