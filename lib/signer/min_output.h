/* The operator's floor under trades: the guaranteed minimum has to be worth a share of what is given for it,
 * by a list of prices that the operator's command has made. The list is a file (signer/operator_file.h) that
 * is read for each trade: prices UNIX_SECONDS CHAIN_ID ADDRESS DECIMALS PRICE sha256 HEX with a line for each
 * token; the price is that of a whole unit, in parts of a dollar of which it has 10^RATE_PLACES. The digest
 * of all lines before it tells a whole file from one that is being written. */
#ifndef SIGNER_MIN_OUTPUT_H
#define SIGNER_MIN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "codec/u256.h"
#include "model/amount.h"

enum { FLOOR_FILE_MAX = 32768 }; /* bytes */

struct min_output_terms {
    struct ppm least;   /* of what is given; 0: there is no floor */
    unsigned max_age_s; /* of the list */
};

/* One side of a trade: the amount given, or the least amount received. */
struct min_output_side {
    uint64_t chain_id;
    const char *token; /* as the chain writes it; TRADE_COIN: the coin */
    struct u256 amount;
};

/* NULL when it brings enough, else why it cannot be said to. `now` in Unix seconds. */
const char *min_output_check(const struct min_output_terms *terms, int fd,
                             const struct min_output_side *gives, const struct min_output_side *brings,
                             int64_t now);

/* For the operator's command: the first line, one of a token, and the last one. */
void min_output_begin(struct buf *text, int64_t now);
void min_output_add(struct buf *text, uint64_t chain_id, const char *token, uint8_t decimals,
                    struct u256 price);
void min_output_end(struct buf *text);

/* The price of a token of the list. */
struct min_output_price {
    bool known;
    uint8_t decimals;
    struct u256 usd; /* never zero */
};
/* Looks `n` of them up. False when the text, which ends with a NUL at `len` and is changed, is no list. */
bool min_output_read(int64_t *when, struct min_output_price *out, const struct min_output_side *const *sides,
                     size_t n, char *text, size_t len);

#endif
