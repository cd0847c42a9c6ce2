/* The forms in which providers' services write tokens, amounts and shares, and checks that an answer repeats
 * the question as it was asked. Answers are read with every number as a text (provider_answer), so that "1"
 * and 1 are the same here. Texts that are made are in the arena. */
#ifndef ROUTE_PROVIDER_JSON_H
#define ROUTE_PROVIDER_JSON_H

#include <jansson.h>

#include "route/provider.h"

/* The address that many services write for the chain's coin. */
#define PROVIDER_JSON_COIN "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"

/* The address that asks for a price while no wallet is known. Nothing that is built for it may be used. */
#define WIRE_NOBODY           "0x000000000000000000000000000000000000dEaD"
#define WIRE_NOBODY_ON_SOLANA "1nc1nerator11111111111111111111111111111111"

/* The gas of a trade if a service does not report it. */
enum { PROVIDER_JSON_GAS = 300000 };

/* Whether it is one EVM chain. */
bool provider_json_one_chain(const struct chain *from, const struct chain *to);
/* Whether its key is in a list that ends with a NULL. */
bool provider_json_lists(const char *const *keys, const struct chain *c);

/* ---- writing ---- */

bool provider_json_is_coin(const struct token_ref *t);
/* The token's address, with its checksum (EIP-55) where the chain's have one; `coin` for the chain's coin. */
const char *provider_json_token(struct arena *a, const struct token_ref *t, const char *coin);
/* The zero address of the token's chain, which some write for its coin. */
const char *provider_json_zero(const struct token_ref *t);
/* The payer and the recipient, as far as they are known. */
const char *provider_json_payer(const struct route_in *in);
const char *provider_json_payee(const struct route_in *in);
const char *provider_json_amount(struct arena *a, struct u256 amount); /* digits */
/* In basis points, rounded down: 3 % is 300. Percents are written by ppm_percent, shares of one by ppm_text.
 */
unsigned provider_json_bps(struct ppm share);
struct ppm provider_json_of_bps(unsigned bps);
/* The part of `out` that may be lost before it is less than `min_out`, in whole basis points and no more than
 * `limit`: the slippage to build a transaction with. False when it is less already. */
bool provider_json_tolerance(struct ppm *slippage, struct u256 out, struct u256 min_out, struct ppm limit);

/* ---- reading ----
 * All are false, or NULL, where `doc` has no such member or it is something else. */

bool provider_json_u64(uint64_t *out, const json_t *doc, const char *name); /* digits */
bool provider_json_quantity(struct u256 *out, const json_t *doc,
                            const char *name); /* digits, or hex behind "0x" */
/* With places too, which are cut off: "153000.7". PROVIDER_JSON_GAS where it cannot be read, or is zero. */
uint64_t provider_json_gas(const json_t *doc, const char *name);
bool provider_json_seconds(unsigned *out, const json_t *doc,
                           const char *name); /* with places, which are cut off */
const char *provider_json_address(struct arena *a, const json_t *doc,
                                  const char *name); /* with its checksum */
/* The address of an account or token on that chain, as the chain writes it; zero too. */
const char *provider_json_account(struct arena *a, const json_t *doc, const char *name,
                                  const struct chain *c);
/* The hash of a transaction on that chain, as the chain writes it. */
const char *provider_json_tx_hash(struct arena *a, const json_t *hash, const struct chain *c);
const char *provider_json_hash(struct arena *a, const json_t *hash); /* of the value itself, in lower case */
/* Hex behind "0x". */
const uint8_t *provider_json_bytes(struct arena *a, size_t *len, const json_t *doc, const char *name);

/* Whether the member is there and says the same. */
bool provider_json_says(const json_t *doc, const char *name, const char *text);
/* In any case, where that does not matter to the chain. */
bool provider_json_says_address(const json_t *doc, const char *name, const char *address);
bool provider_json_says_token(const json_t *doc, const char *name, const struct token_ref *t,
                              const char *coin);
bool provider_json_says_amount(const json_t *doc, const char *name,
                               struct u256 amount); /* as provider_json_quantity */
bool provider_json_says_chain(const json_t *doc, const char *name, const struct chain *c); /* by its id */

/* ---- offers ---- */

/* The meaning of a service's own code for a failure. */
struct provider_json_code {
    const char *code;
    enum ask_end end;
};

/* The result of asking, by the status and, where that leaves it open, by the code in the answer (NULL: none)
 * in a table that ends with a NULL. For answers that offer nothing: never ASK_OFFERED, ASK_UNAVAILABLE where
 * they give no reason either. */
enum ask_end provider_json_refusal(const struct call *call, const char *code,
                                   const struct provider_json_code *codes);
/* The only offer of an answer: ASK_OFFERED, or ASK_TOO_SMALL where nothing comes out. */
enum ask_end provider_json_offer(struct route_answer *out, const char *label, struct u256 amount_out,
                                 uint64_t gas);

/* ---- transactions ---- */

/* The slippage to ask for before the output is known: half of the quote's, so that the price may lose the
 * other half meanwhile before the transaction promises less than the quote. */
struct ppm provider_json_half(struct ppm slippage);
/* The result of asking for a transaction that was not answered with one. */
enum tx_end provider_json_tx_end(enum ask_end end);

/* Reads the call in the members `to`, `data` and `value` of `doc`, where `from` and `chainId` are absent or
 * as asked: `to` gets an allowance if a token is sold, and `value` may be missing. */
bool provider_json_tx(struct wallet_call *out, const json_t *doc, const struct route_in *in, struct arena *a);
/* Whether the value is the sold token and nothing else. */
bool provider_json_pays_input(const struct wallet_call *tx, const struct route_in *in);

#endif
