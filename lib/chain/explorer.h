/* Block explorers. No explorer knows a sandbox chain, so the setting explorer.<chain> overrides the table of
 * chains. */
#ifndef CHAIN_EXPLORER_H
#define CHAIN_EXPLORER_H

#include "chain/chains.h"
#include "service/conf.h"

/* Call once at the start; `conf` must outlive all calls. */
void explorer_configure(const struct conf *c);
/* The URL prefix that a transaction's hash completes; NULL: there is none. */
const char *explorer_of(const struct chain *c);

#endif
