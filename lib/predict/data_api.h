/* The Data API of Polymarket: trades that happened, and who holds what. */
#ifndef PREDICT_DATA_API_H
#define PREDICT_DATA_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

struct market_trade {
    const char *id; /* the transaction's hash, and a number where it holds several */
    const char *side, *price, *size, *outcome, *token, *tx_hash; /* outcome: NULL when it has no name */
    int64_t time_ms;
};

char *data_trades_url(struct arena *a, const char *base, const char *condition, uint64_t limit);
/* False when the answer is none. Newest first, at most `max`; a malformed row is left out. */
bool data_read_trades(struct arena *a, const struct buf *answer, uint64_t max, struct market_trade **out,
                      size_t *count);

/* Shares of an outcome that a wallet holds. Numbers are plain decimals. */
struct market_position {
    const char *token, *condition;
    const char *size, *average_price, *price;
    const char *realized_profit, *unrealized_profit; /* dollars, negative for losses; NULL: unknown */
    const char *question, *outcome;                  /* NULL: unknown */
};

enum { POSITIONS_PAGE = 500 }; /* rows that the service gives at most */
/* `user` is the trading address. */
char *data_positions_url(struct arena *a, const char *base, const char *user, unsigned offset);
/* False when the answer is none. Those of `user`; a malformed row is left out. *rows is how many
 * there were before. */
bool data_read_positions(struct arena *a, const struct buf *answer, const char *user,
                         struct market_position **out, size_t *count, size_t *rows);

#endif
