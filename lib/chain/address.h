/* Addresses as text, whatever the family of the chain. */
#ifndef CHAIN_ADDRESS_H
#define CHAIN_ADDRESS_H

#include "chain/chains.h"

/* Whether a wallet of the family may have the address. True for families whose addresses are not read here.
 */
bool address_is_wallet(enum chain_type family, const char *address);

#endif
