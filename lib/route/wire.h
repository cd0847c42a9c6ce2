/* The forms in which providers' services write tokens, amounts and shares, and checks that an answer repeats
 * the question as it was asked. Answers are read with every number as a text (provider_answer), so that "1"
 * and 1 are the same here. Texts that are made are in the arena. */
#ifndef ROUTE_WIRE_H
#define ROUTE_WIRE_H

#include <jansson.h>

#include "route/provider.h"

/* The address that many services write for the chain's coin. */
#define WIRE_COIN "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"

/* The address that asks for a price while no wallet is known. Nothing that is built for it may be used. */
#define WIRE_NOBODY           "0x000000000000000000000000000000000000dEaD"
#define WIRE_NOBODY_ON_SOLANA "1nc1nerator11111111111111111111111111111111"

/* The gas of a trade if a service does not report it. */
enum { WIRE_GAS = 300000 };

/* Whether it is one EVM chain. */
bool wire_one_chain(const struct chain *from, const struct chain *to);
/* Whether its key is in a list that ends with a NULL. */
bool wire_lists(const char *const *keys, const struct chain *c);

/* ---- writing ---- */

bool wire_is_coin(const struct token_ref *t);
/* The token's address, with its checksum (EIP-55) where the chain's have one; `coin` for the chain's coin. */
const char *wire_token(struct arena *a, const struct token_ref *t, const char *coin);
/* The zero address of the token's chain, which some write for its coin. */
const char *wire_zero(const struct token_ref *t);
/* The payer and the recipient, as far as they are known. */
const char *wire_payer(const struct route_in *in);
const char *wire_payee(const struct route_in *in);
const char *wire_amount(struct arena *a, struct u256 amount); /* digits */
/* In basis points, rounded down: 3 % is 300. Percents are written by ppm_percent, shares of one by ppm_text.
 */
unsigned wire_bps(struct ppm share);
struct ppm wire_of_bps(unsigned bps);
/* The part of `out` that may be lost before it is less than `min_out`, in whole basis points and no more than
 * `limit`: the slippage to build a transaction with. False when it is less already. */
bool wire_tolerance(struct ppm *slippage, struct u256 out, struct u256 min_out, struct ppm limit);

/* ---- reading ----
 * All are false, or NULL, where `doc` has no such member or it is something else. */

bool wire_u64(uint64_t *out, const json_t *doc, const char *name);         /* digits */
bool wire_quantity(struct u256 *out, const json_t *doc, const char *name); /* digits, or hex behind "0x" */
/* With places too, which are cut off: "153000.7". WIRE_GAS where it cannot be read, or is zero. */
uint64_t wire_gas(const json_t *doc, const char *name);
bool wire_seconds(unsigned *out, const json_t *doc, const char *name); /* with places, which are cut off */
const char *wire_address(struct arena *a, const json_t *doc, const char *name); /* with its checksum */
/* The address of an account or token on that chain, as the chain writes it; zero too. */
const char *wire_account(struct arena *a, const json_t *doc, const char *name, const struct chain *c);
/* The hash of a transaction on that chain, as the chain writes it. */
const char *wire_tx_hash(struct arena *a, const json_t *hash, const struct chain *c);
const char *wire_hash(struct arena *a, const json_t *hash); /* of the value itself, in lower case */
/* Hex behind "0x". */
const uint8_t *wire_bytes(struct arena *a, size_t *len, const json_t *doc, const char *name);

/* Whether the member is there and says the same. */
bool wire_says(const json_t *doc, const char *name, const char *text);
/* In any case, where that does not matter to the chain. */
bool wire_says_address(const json_t *doc, const char *name, const char *address);
bool wire_says_token(const json_t *doc, const char *name, const struct token_ref *t, const char *coin);
bool wire_says_amount(const json_t *doc, const char *name, struct u256 amount);   /* as wire_quantity */
bool wire_says_chain(const json_t *doc, const char *name, const struct chain *c); /* by its id */

/* ---- offers ---- */

/* The meaning of a service's own code for a failure. */
struct wire_code {
    const char *code;
    enum ask_end end;
};

/* The result of asking, by the status and, where that leaves it open, by the code in the answer (NULL: none)
 * in a table that ends with a NULL. For answers that offer nothing: never ASK_OFFERED, ASK_SILENT where they
 * give no reason either. */
enum ask_end wire_refusal(const struct call *call, const char *code, const struct wire_code *codes);
/* The only offer of an answer: ASK_OFFERED, or ASK_TOO_SMALL where nothing comes out. */
enum ask_end wire_offer(struct route_answer *out, const char *label, struct u256 amount_out, uint64_t gas);

/* ---- transactions ---- */

/* The slippage to ask for before the output is known: half of the quote's, so that the price may lose the
 * other half meanwhile before the transaction promises less than the quote. */
struct ppm wire_half(struct ppm slippage);
/* The result of asking for a transaction that was not answered with one. */
enum tx_end wire_tx_end(enum ask_end end);

/* Reads the call in the members `to`, `data` and `value` of `doc`, where `from` and `chainId` are absent or
 * as asked: `to` gets an allowance if a token is sold, and `value` may be missing. */
bool wire_tx(struct wallet_call *out, const json_t *doc, const struct route_in *in, struct arena *a);
/* Whether the value is what is sold and nothing else. */
bool wire_pays_input(const struct wallet_call *tx, const struct route_in *in);

#endif
