/* Addresses of accounts and contracts, of all types of chains. */
#ifndef CHAIN_ADDRESS_H
#define CHAIN_ADDRESS_H

#include "chain/chains.h"
#include "model/wallet_ref.h"

/* Writes it as chains of the type do. False when the text is no such address, or the zero address. Texts for
 * types without a codec of ours are accepted as they are. */
bool address_canonical(char out[static WALLET_ADDR_MAX], enum chain_type type, const char *text);

/* Whether a wallet of that type may have the address, in any spelling. */
bool address_is_wallet(enum chain_type type, const char *text);

/* The fault of an address that may be of any type that wallets have, or NULL. */
const char *address_fault(const char *text);

/* Whether a text reads as an address of any chain, or has one in it, with or without faults: many hex digits,
 * or a word of as many characters of Base58 as 32 bytes have, or of TON's 48 of Base64. So it does with a
 * chain in front of it (ERC-3770, CAIP-10). */
bool address_is_written(const char *text);

/* The type of the chains on which a wallet works. */
enum chain_type wallet_chain_type(enum wallet_kind kind);
/* The kind of wallets that work on a chain; of those that have none, EVM. */
enum wallet_kind wallet_kind_on(const struct chain *c);

/* Whether both texts are one address: those of EVM chains are the same in any case, others are not. */
bool address_same(const char *x, const char *y);

#endif
