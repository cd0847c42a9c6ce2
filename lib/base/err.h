/* One error type and every message of the API, once. A domain function returns NULL or a pointer to one of
 * these constants, or to a copy of one that says more (err_fmt, err_on, err_hint, err_both). HTTP status,
 * JSON-RPC code, error_code and text travel together; the layer that knows most chooses, and no layer above
 * rewrites. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

struct arena;

struct err {
    int status;             /* HTTP */
    int rpc;                /* JSON-RPC 2.0 */
    const char *code;       /* error_code: what a program branches on */
    const char *text;       /* error: the specification's wording */
    const char *hint;       /* what an agent can do about it, or NULL */
    const char *field;      /* the member of the request that it is about, or NULL */
    const struct err *also; /* another fault of the same request, whose field is reported too; or NULL */
    const struct err *base; /* the constant that it is a copy of; NULL: it is one itself */
    unsigned wait_s;        /* in how many seconds it may be over; 0: unknown */
};

/* Whether it is that constant or a copy of it; false for NULL. */
bool err_is(const struct err *e, const struct err *base);

/* A copy with its text filled in, for the few messages that name what they refuse. The text of `base` is the
 * format, with at most two strings; pass them through err_shown. */
const struct err *err_fmt(struct arena *a, const struct err *base, const char *arg1, const char *arg2);

/* Text from a request in a form that an answer may repeat: nothing invisible, and no key that was put into
 * the wrong member. */
const char *err_shown(struct arena *a, const char *text);

/* A copy that names the member of the request at fault. */
const struct err *err_on(struct arena *a, const struct err *base, const char *field);

/* Combines two errors, either of which may be NULL: the first is the answer, the fields of both are reported.
 * An error that is not the request's fault (status 500) is the answer only when nothing else is wrong. */
const struct err *err_both(struct arena *a, const struct err *first, const struct err *second);

/* A copy with another hint, which must live as long as the arena. */
const struct err *err_hint(struct arena *a, const struct err *base, const char *hint);

/* A copy with another hint of an error that may be over in so many seconds. */
const struct err *err_wait(struct arena *a, const struct err *base, unsigned seconds, const char *hint);

#define ERR_LIST(X)                                                                                                    \
    /* name, status, rpc, code, text, hint */                                                                          \
    X(VALIDATION, 400, -32602, "VALIDATION_ERROR", "Validation failed", NULL)                                          \
    X(REQUIRED, 400, -32602, "VALIDATION_ERROR", "%s is required", NULL)                                               \
    X(UNKNOWN_FIELD, 400, -32602, "VALIDATION_ERROR", "Unknown field '%s'", NULL)                                      \
    X(NO_FIELDS, 400, -32602, "VALIDATION_ERROR", "At least one field must be provided", NULL)                         \
    X(AMOUNT, 400, -32602, "VALIDATION_ERROR", "Amount must be a positive number",                                     \
      "Send amount as a string of decimal digits, such as \"1.5\"")                                                    \
    X(ACCOUNT_LEAST, 400, -32602, "VALIDATION_ERROR", "Amount is too small for a new account", NULL)                   \
    X(SLIPPAGE, 400, -32602, "VALIDATION_ERROR", "Slippage must be between 0 and 1",                                   \
      "0.03 means three per cent")                                                                                     \
    X(SAME_TOKEN, 400, -32602, "VALIDATION_ERROR", "from_token and to_token must differ", NULL)                        \
    X(CHAIN_UNKNOWN, 400, -32602, "CHAIN_UNSUPPORTED", "Unknown chain '%s'", "GET /chains lists the keys")             \
    X(LEND_CHAIN, 400, -32602, "CHAIN_UNSUPPORTED", "Lending is not available on chain '%s'",                          \
      "GET /lend/markets lists markets of all chains that have some")                                                  \
    X(TOKEN_UNKNOWN, 400, -32602, "TOKEN_UNKNOWN", "Unknown token '%s' on chain '%s'",                                 \
      "GET /tokens?chain=<key> lists symbols; a contract address works too")                                           \
    X(NO_BRIDGE, 400, -32602, "NO_ROUTE", "Cross-chain route not available",                                           \
      "Swap on one chain, or try another pair of chains")                                                              \
    X(NO_LIQUIDITY, 400, -32602, "INSUFFICIENT_LIQUIDITY", "Insufficient liquidity for this trade",                    \
      "Try a smaller amount or another pair; GET /readyz shows which chains have a node")                              \
    X(SHALLOW, 400, -32602, "INSUFFICIENT_LIQUIDITY", "Insufficient liquidity for this trade",                         \
      "Try a smaller amount, or send max_price_impact")                                                                \
    X(TOO_LITTLE, 400, -32602, "INSUFFICIENT_LIQUIDITY", "Insufficient liquidity for this trade",                      \
      "The amount is too small to yield anything: try a larger one")                                                   \
    X(NO_PROVIDER, 400, -32602, "VALIDATION_ERROR", "No provider left to ask",                                         \
      "Of the providers that serve this pair none is left by providers and exclude_providers")                         \
    X(PROVIDER_UNKNOWN, 400, -32602, "VALIDATION_ERROR", "Unknown provider '%s'",                                      \
      "A quote's routes name the providers that were asked")                                                           \
    X(NO_WALLET_THERE, 400, -32602, "VALIDATION_ERROR",                                                                \
      "The recipient is an account of a program, and no wallet", NULL)                                                 \
    X(RECIPIENT_LOST, 400, -32602, "VALIDATION_ERROR", "The recipient cannot be paid", NULL)                           \
    X(CONTRACT_ELSEWHERE, 400, -32602, "VALIDATION_ERROR",                                                             \
      "The recipient is a contract on another chain, and nothing on this one", NULL)                                   \
    X(RECIPIENT, 400, -32602, "VALIDATION_ERROR", "to_wallet_address is not a valid address of %s",                    \
      "It is where the output arrives; GET /wallets lists your own")                                                   \
    X(RECIPIENT_NEAR, 400, -32602, "VALIDATION_ERROR",                                                                 \
      "to_wallet_address is for swaps between Solana and other chains",                                                \
      "On one chain the output goes to the paying wallet: leave it out")                                               \
    X(SWAP_MODE, 400, -32602, "VALIDATION_ERROR", "Provide quote_id or (from_token, to_token, amount)",                \
      NULL)                                                                                                            \
    X(QUOTE_EXPIRED_BUILD, 400, -32602, "QUOTE_EXPIRED", "Quote has expired",                                          \
      "A quote is valid for 60 seconds: ask for a new one")                                                            \
    X(QUOTE_EXPIRED_EXECUTE, 400, -32602, "QUOTE_EXPIRED", "Quote expired",                                            \
      "A quote is valid for 60 seconds: ask for a new one")                                                            \
    X(QUOTE_INVALID, 400, -32602, "QUOTE_NOT_FOUND", "Invalid quote_id",                                               \
      "Unknown, already executed, or another agent's: ask for a new quote")                                            \
    X(QUOTE_NOT_FOUND, 404, -32602, "QUOTE_NOT_FOUND", "Quote not found",                                              \
      "Unknown, already executed, or another agent's: ask for a new quote")                                            \
    X(WALLET_NOT_FOUND, 404, -32602, "WALLET_NOT_FOUND", "No managed wallet found",                                    \
      "POST /wallets creates one; fund it before you execute")                                                         \
    X(WALLET_NOT_YOURS, 404, -32602, "WALLET_NOT_FOUND", "No managed wallet found",                                    \
      "GET /wallets lists the addresses of your wallets")                                                              \
    X(SWAP_NOT_FOUND, 404, -32602, "SWAP_NOT_FOUND", "Swap not found", NULL)                                           \
    X(BALANCE, 400, -32602, "INSUFFICIENT_BALANCE", "Insufficient balance",                                            \
      "Fund the wallet or lower the amount; pending swaps reserve what they need")                                     \
    X(DUPLICATE_TX, 409, -32602, "CONFLICT",                                                                           \
      "An identical transaction of this wallet is already being sent",                                                 \
      "Nothing was signed, and the quote is still good: try again in a second")                                        \
    X(GAS, 400, -32602, "INSUFFICIENT_GAS", "Insufficient gas",                                                        \
      "The wallet needs the chain's native coin for fees")                                                             \
    X(PRICE_MOVED, 400, -32602, "SLIPPAGE_EXCEEDED", "Price moved beyond slippage",                                    \
      "Ask for a new quote, or allow more slippage")                                                                   \
    X(PRICE_IMPACT, 400, -32602, "PRICE_IMPACT", "Price impact too high",                                              \
      "Try a smaller amount, or send max_price_impact")                                                                \
    X(PRICE_UNVERIFIED, 400, -32602, "PRICE_UNVERIFIED", "Price could not be verified",                                \
      "Two nodes of the chain report different prices: try again in a moment")                                         \
    X(WOULD_REVERT, 400, -32602, "SIMULATION_REVERTED", "Transaction would revert", NULL)                              \
    X(WALLET_ADDRESS, 400, -32602, "VALIDATION_ERROR", "wallet_address is not a valid address", NULL)                  \
    X(PORTFOLIO_SIZE, 400, -32602, "VALIDATION_ERROR", "A portfolio shows at most 100 wallets",                        \
      "Name one of them as wallet_address")                                                                            \
    X(SYMBOLS, 400, -32602, "VALIDATION_ERROR", "symbols must have at most 20 symbols", NULL)                          \
    X(COMMAND, 400, -32602, "COMMAND_NOT_UNDERSTOOD", "Unable to parse command", NULL)                                 \
    X(NOT_CONFIGURED, 400, -32000, "NOT_CONFIGURED", "Not configured on this service",                                 \
      "The operator has not switched this on")                                                                         \
    X(COMMAND_LENGTH, 400, -32602, "VALIDATION_ERROR", "Command exceeds 500 character limit", NULL)                    \
    X(STATUS_FILTER, 400, -32602, "VALIDATION_ERROR", "Invalid status filter", NULL)                                   \
    X(LIMIT, 400, -32602, "VALIDATION_ERROR", "limit must be between 1 and 100", NULL)                                 \
    X(OFFSET, 400, -32602, "VALIDATION_ERROR", "offset must be 0 or more", NULL)                                       \
    X(PART_REQUIRED, 400, -32602, "VALIDATION_ERROR", "operation or tags is required",                                 \
      "Name the operations that you want to call; the whole document is for programs")                                 \
    X(ANSWER_LARGE, 400, -32602, "VALIDATION_ERROR", "The answer is too large for a tool",                             \
      "Ask for less: a smaller `limit`, one chain, or fewer names")                                                    \
    X(TOOL_UNKNOWN, 400, -32602, "VALIDATION_ERROR", "Unknown tool",                                                   \
      "Without names all that are not listed are shown")                                                               \
    X(DENIED, 401, -31401, "INVALID_API_KEY", "Invalid or missing API key",                                            \
      "Send Authorization: Bearer <API_KEY>; POST /register issues keys")                                              \
    X(UNAUTHORIZED, 401, -31401, "INVALID_API_KEY", "Unauthorized",                                                    \
      "Send Authorization: Bearer <API_KEY>; POST /register issues keys")                                              \
    X(INACTIVE_DENIED, 401, -31401, "AGENT_INACTIVE", "Invalid or missing API key",                                    \
      "The agent of this key is deactivated: POST /reactivate with the same key undoes it")                            \
    X(INACTIVE_UNAUTHORIZED, 401, -31401, "AGENT_INACTIVE", "Unauthorized",                                            \
      "The agent of this key is deactivated: POST /reactivate with the same key undoes it")                            \
    X(TOKEN, 401, -31401, "INVALID_TOKEN", "Invalid or missing token",                                                 \
      "Send Authorization: Bearer <TOKEN>; agentctl token NAME makes one")                                             \
    X(READ_ONLY, 403, -31403, "READ_ONLY", "The token is read-only",                                                   \
      "agentctl token NAME makes one that may change something")                                                       \
    X(IN_THE_CLEAR, 403, -31403, "HTTPS_REQUIRED", "HTTPS is required",                                                \
      "Nothing was done. Ask https:// instead, with a new key: one that was sent like this can be read on the way")    \
    X(AGENT_NOT_FOUND, 404, -32602, "NOT_FOUND", "Agent not found", "GET /agents lists them")                          \
    X(REASON, 400, -32602, "VALIDATION_ERROR", "reason is required",                                                   \
      "A line that says why: it stands in the audit log")                                                              \
    X(REFUSED, 409, -32602, "CONFLICT", "Refused: %s", NULL)                                                           \
    X(PAUSED, 403, -31403, "POLICY_VIOLATION", "Trading is paused by the operator",                                    \
      "Nothing was signed; an unused quote stays valid until it expires")                                              \
    X(STOPPED, 403, -31403, "AGENT_STOPPED", "Refused while the operator has stopped the agent",                       \
      "You can still read; only the operator can resume the agent")                                                    \
    X(SHUT, 403, -31403, "AGENT_STOPPED", "The operator has deactivated the agent",                                    \
      "Only the operator can reactivate it")                                                                           \
    X(FUNDED, 409, -32602, "WALLETS_FUNDED", "The agent's wallets still hold something",                               \
      "GET /portfolio shows what; POST /wallets/withdraw takes it out")                                                \
    X(CONFIRM, 400, -32602, "VALIDATION_ERROR", "confirm must be the agent's name",                                    \
      "GET /me shows it, with POST /reactivate before where the agent is deactivated: in its very letters")            \
    X(NOT_ENDED, 409, -32602, "WALLETS_FUNDED", "Something of the agent's has not ended",                              \
      "GET /swaps and the lists of orders and transfers show it")                                                      \
    X(PREDICT_ORDERS_OPEN, 409, -32602, "ORDERS_OPEN", "The agent has open orders",                                    \
      "GET /predict/orders lists them; DELETE /predict/order/{id} cancels one")                                        \
    X(FUNDS_UNREAD, 409, -32602, "WALLETS_FUNDED", "What the agent's wallets hold could not be read",                  \
      "Nothing was deleted: try again later")                                                                          \
    X(QUOTE_ID_REQUIRED, 400, -32602, "VALIDATION_ERROR", "quote_id is required",                                      \
      "POST /quote returns one; after an approval send approval_id instead")                                           \
    X(POLICY, 403, -32000, "POLICY_VIOLATION", "Refused by a wallet policy",                                           \
      "GET /wallet/policies lists what is allowed")                                                                    \
    X(POLICY_OPERATOR, 403, -32000, "POLICY_VIOLATION", "The policy is the operator's",                                \
      "Only the operator can end it")                                                                                  \
    X(POLICY_NOT_FOUND, 404, -32602, "POLICY_NOT_FOUND", "Policy not found",                                           \
      "GET /wallet/policies lists yours")                                                                              \
    X(QUOTA_WALLETS, 400, -32602, "QUOTA_EXCEEDED", "Storage limit reached",                                           \
      "Your tier allows no more wallets, and none can be deleted: use one of those that GET /wallets lists")           \
    X(QUOTA_POLICIES, 400, -32602, "QUOTA_EXCEEDED", "Storage limit reached",                                          \
      "Your tier allows no more policies: DELETE /wallet/policy/{id} ends one, which makes room after 24 hours")       \
    X(QUOTA_PUSHES, 400, -32602, "QUOTA_EXCEEDED", "Storage limit reached",                                            \
      "Your tier allows no more push configs: delete those of other tasks; they are also removed after 8 days")        \
    X(QUOTA_TASKS, 400, -32602, "QUOTA_EXCEEDED", "Storage limit reached",                                             \
      "Your tasks with their messages and answers use up their storage; each is removed 8 days after its last change") \
    X(QUOTA_MESSAGE, 400, -32602, "QUOTA_EXCEEDED", "Storage limit reached",                                           \
      "Your tier allows no message of that length: shorten it to 16 KB")                                               \
    X(QUOTA_RECORDS, 400, -32602, "QUOTA_EXCEEDED", "Storage limit reached",                                           \
      "Answers recorded under an Idempotency-Key use up their storage; each is removed after 24 hours")                \
    X(QUOTA_QUOTES, 429, -31429, "RATE_LIMITED", "Rate limit exceeded",                                                \
      "Your agent has used up its quotes of the day: more are possible after the seconds in Retry-After")              \
    X(QUOTA_AUDIT, 400, -32602, "QUOTA_EXCEEDED", "Storage limit reached",                                             \
      "Changes of keys and policies stay on record: more of them are possible tomorrow (UTC)")                         \
    X(CALLBACK_CHANGES, 429, -31429, "RATE_LIMITED", "Rate limit exceeded",                                            \
      "The callback and its secret may change 20 times a day: keep them, or wait for the seconds in Retry-After")      \
    X(APPROVAL_COUNT, 403, -32000, "POLICY_VIOLATION", "Too many approval requests are waiting",                       \
      "Wait until the operator has decided about some, or until they expire")                                          \
    X(APPROVAL_NOT_FOUND, 404, -32602, "APPROVAL_NOT_FOUND", "Approval not found",                                     \
      "Unknown, already used, or another agent's: begin anew")                                                         \
    X(APPROVAL_DENIED, 403, -32000, "POLICY_VIOLATION", "Approval denied",                                             \
      "The operator has refused it; nothing was signed")                                                               \
    X(APPROVAL_EXPIRED, 400, -32602, "APPROVAL_EXPIRED", "Approval expired",                                           \
      "Nothing was signed: begin anew, which asks again")                                                              \
    X(OPERATOR_LIMIT, 403, -32000, "POLICY_VIOLATION", "Refused by the operator's limits",                             \
      "Nothing was signed; try a smaller amount, or later")                                                            \
    X(WITHDRAWAL_ADDRESS_NOT_FOUND, 404, -32602, "WITHDRAWAL_ADDRESS_NOT_FOUND",                                       \
      "Withdrawal address not found",                                                                                  \
      "POST /withdrawal-addresses adds one, GET /withdrawal-addresses lists yours")                                    \
    X(WITHDRAWAL_ADDRESS_WAITING, 403, -32000, "WITHDRAWAL_ADDRESS_WAITING",                                           \
      "Withdrawal address is not active", NULL)                                                                        \
    X(WITHDRAWAL_ADDRESS_THERE, 409, -32602, "CONFLICT", "Withdrawal address is already known",                        \
      "GET /withdrawal-addresses shows it")                                                                            \
    X(WITHDRAWAL_LABEL, 409, -32602, "CONFLICT", "Another withdrawal address has this label",                          \
      "Choose another label, or remove that address")                                                                  \
    X(WITHDRAWAL_ADDRESS, 400, -32602, "VALIDATION_ERROR", "address is not a valid address",                           \
      "0x and 40 hexadecimal digits, whose letters match the checksum of EIP-55 or are all small; on Solana Base58")   \
    X(WITHDRAWAL_TARGET, 400, -32602, "VALIDATION_ERROR", "address cannot be withdrawn to", NULL)                      \
    X(LABEL_IS_ADDRESS, 400, -32602, "VALIDATION_ERROR", "label must not read as an address",                          \
      "A withdrawal that names an address means that address alone")                                                   \
    X(ADDRESS_ID_OTHER, 400, -32602, "VALIDATION_ERROR", "to and address_id name different addresses",                 \
      "Send one of them")                                                                                              \
    X(WITHDRAWAL_FAMILY, 400, -32602, "VALIDATION_ERROR", "Withdrawal address is for other chains", NULL)              \
    X(WITHDRAWAL_NOT_FOUND, 404, -32602, "WITHDRAWAL_NOT_FOUND", "Withdrawal not found",                               \
      "GET /withdrawals lists yours")                                                                                  \
    X(WITHDRAWAL_FAILED, 500, -32603, "INTERNAL_ERROR", "Withdrawal failed",                                           \
      "Nothing was sent: retry with backoff")                                                                          \
    X(REMOVAL_FAILED, 500, -32603, "INTERNAL_ERROR", "Withdrawal address was not removed",                             \
      "Not every host of the service could be reached: nothing has changed, retry with backoff")                       \
    X(TOKEN_KEEPS, 400, -32602, "SIMULATION_REVERTED", "Token keeps a part of each transfer",                          \
      "Less would arrive than is withdrawn: trade it for another token first")                                         \
    X(QUOTA_ADDRESSES, 400, -32602, "QUOTA_EXCEEDED", "Storage limit reached",                                         \
      "No more withdrawal addresses are possible: DELETE /withdrawal-addresses/{id} makes room at once")               \
    X(ADDRESS_ID_REQUIRED, 400, -32602, "VALIDATION_ERROR", "address_id is required",                                  \
      "GET /withdrawal-addresses lists the ids; after an approval send approval_id instead")                           \
    X(MARKET_NOT_FOUND, 404, -32602, "MARKET_NOT_FOUND", "Market not found",                                           \
      "GET /predict/markets lists the ids")                                                                            \
    X(PREDICT_NOT_CONFIGURED, 400, -32000, "NOT_CONFIGURED", "Prediction trading is not configured",                   \
      "The operator has not switched it on; markets, books and prices can be read")                                    \
    X(TOKEN_ID, 400, -32602, "TOKEN_UNKNOWN", "Unknown tokenId",                                                       \
      "GET /predict/market/{id} lists the tokenId of each outcome")                                                    \
    X(PRICE, 400, -32602, "VALIDATION_ERROR", "price must be between 0 and 1", NULL)                                   \
    X(SIZE, 400, -32602, "VALIDATION_ERROR", "size must be a positive number", NULL)                                   \
    X(SIZE_PLACES, 400, -32602, "VALIDATION_ERROR", "size must have at most 2 decimals", NULL)                         \
    X(SIDE, 400, -32602, "VALIDATION_ERROR", "side must be BUY or SELL", NULL)                                         \
    X(POST_ONLY, 400, -32602, "VALIDATION_ERROR", "postOnly is not possible with %s", NULL)                            \
    X(EXPIRATION_TYPE, 400, -32602, "VALIDATION_ERROR", "expiration is not possible with %s",                          \
      "An order of type GTD has one")                                                                                  \
    X(TICK, 400, -32602, "VALIDATION_ERROR", "Price must be a multiple of %s", NULL)                                   \
    X(MIN_SIZE, 400, -32602, "VALIDATION_ERROR", "Size must be at least %s", NULL)                                     \
    X(LEAST_AT_ONCE, 400, -32602, "VALIDATION_ERROR",                                                                  \
      "A purchase that matches at once must cost at least 1 dollar",                                                   \
      "price x size is what it costs: raise the size")                                                                 \
    X(PREDICT_ORDER_AMOUNTS, 400, -32602, "VALIDATION_ERROR",                                                          \
      "The venue does not take the amounts of price and size", "Choose a size whose cost is in whole cents")           \
    X(EXPIRATION, 400, -32602, "VALIDATION_ERROR", "expiration must be at least 180 seconds ahead", NULL)              \
    X(MARKET_PAUSED, 400, -32602, "MARKET_NOT_OPEN", "Market is not accepting orders",                                 \
      "GET /predict/market/{id} shows its status")                                                                     \
    X(ALLOWANCE, 400, -32602, "INSUFFICIENT_BALANCE", "Insufficient balance or allowance",                             \
      "GET /predict/account shows what is at hand; POST /predict/deposit adds to it")                                  \
    X(NOT_PERMITTED, 400, -32000, "NOT_PERMITTED", "Trading not permitted for this wallet",                            \
      "The venue refuses its orders; GET /predict/account shows whether it may still close positions")                 \
    X(WOULD_MATCH, 400, -32602, "ORDER_WOULD_MATCH", "A postOnly order must not match at once",                        \
      "Lower the price of a BUY or raise that of a SELL, or send postOnly: false")                                     \
    X(NO_MATCH, 400, -32602, "ORDER_NOT_MATCHED", "Nothing in the book matches the order",                             \
      "GET /predict/market/{id}/book shows what is offered")                                                           \
    X(PREDICT_ORDER_NOT_FOUND, 404, -32602, "ORDER_NOT_FOUND", "Order not found",                                      \
      "GET /predict/orders lists yours")                                                                               \
    X(PREDICT_ORDER_NOT_OPEN, 409, -32602, "ORDER_NOT_OPEN", "Order is not open",                                      \
      "GET /predict/order/{id} shows what became of it")                                                               \
    X(PREDICT_ORDER_FAILED, 500, -32603, "UPSTREAM_ERROR", "Prediction order failed",                                  \
      "The venue timed out, or sent an invalid reply: retry with backoff")                                             \
    X(TRANSFER_FAILED, 500, -32603, "UPSTREAM_ERROR", "Prediction transfer failed",                                    \
      "The venue or the chain did not answer in time: retry with backoff")                                             \
    X(DEPOSIT_TOKEN, 400, -32602, "VALIDATION_ERROR", "token must be USDC.e or pUSD", NULL)                            \
    X(TRANSFER_UNDER_WAY, 409, -32000, "TRANSFER_UNDER_WAY", "Another transfer of this wallet is under way",           \
      "GET /predict/transfers shows it; try again when it has ended")                                                  \
    X(TRANSFER_NOT_FOUND, 404, -32602, "TRANSFER_NOT_FOUND", "Transfer not found",                                     \
      "GET /predict/transfers lists them")                                                                             \
    X(NOT_RESOLVED, 400, -32602, "MARKET_NOT_RESOLVED", "Market is not resolved",                                      \
      "GET /predict/market/{id} shows resolvedOutcome once it is")                                                     \
    X(NOTHING_TO_REDEEM, 400, -32602, "NOTHING_TO_REDEEM", "Nothing to redeem",                                        \
      "The trading wallet holds no share that pays; GET /predict/positions shows what it holds")                       \
    X(RELAYER, 500, -32603, "UPSTREAM_ERROR", "The relayer did not carry it out in time",                              \
      "What had arrived at the trading address is still there: transfer it again")                                     \
    X(LEND_NO_COLLATERAL, 400, -32602, "VALIDATION_ERROR", "collateral is not possible in this market",                \
      "GET /lend/markets shows canBeCollateral")                                                                       \
    X(LEND_INACTIVE, 400, -32602, "MARKET_NOT_OPEN", "Market is not active",                                           \
      "GET /lend/markets shows which markets are open")                                                                \
    X(LEND_FROZEN, 400, -32602, "MARKET_NOT_OPEN", "Market is frozen",                                                 \
      "Only repaying and withdrawing are possible in it")                                                              \
    X(LEND_PAUSED, 400, -32602, "MARKET_NOT_OPEN", "Market is paused",                                                 \
      "Nothing is possible in it until the protocol resumes it")                                                       \
    X(LEND_NO_BORROWING, 400, -32602, "MARKET_NOT_OPEN", "Borrowing is not enabled for this asset",                    \
      "GET /lend/markets shows canBorrow")                                                                             \
    X(LEND_SUPPLY_CAP, 400, -32602, "CAP_REACHED", "Supply cap reached",                                               \
      "GET /lend/market/{id} shows supplyCap and totalSupply")                                                         \
    X(LEND_BORROW_CAP, 400, -32602, "CAP_REACHED", "Borrow cap reached",                                               \
      "GET /lend/market/{id} shows borrowCap and totalBorrow")                                                         \
    X(LEND_COLLATERAL, 400, -32602, "INSUFFICIENT_COLLATERAL", "Insufficient collateral",                              \
      "GET /lend/positions shows availableBorrowUsd")                                                                  \
    X(LEND_LIQUIDITY, 400, -32602, "INSUFFICIENT_LIQUIDITY", "Insufficient liquidity in this market",                  \
      "GET /lend/market/{id} shows availableLiquidityUsd")                                                             \
    X(LEND_HEALTH, 400, -32602, "HEALTH_FACTOR", "Health factor would fall below %s",                                  \
      "Lower the amount, or supply more collateral first")                                                             \
    X(LEND_NO_DEBT, 400, -32602, "NO_DEBT", "No debt to repay", "GET /lend/positions shows what is owed")              \
    X(LEND_SUPPLIED, 400, -32602, "INSUFFICIENT_BALANCE", "Amount exceeds supplied balance",                           \
      "GET /lend/positions shows what is supplied; \"max\" withdraws all of it")                                       \
    X(LEND_REFUSED, 400, -32602, "SIMULATION_REVERTED", "Market refuses this operation", NULL)                         \
    X(LEND_OPERATION_NOT_FOUND, 404, -32602, "OPERATION_NOT_FOUND", "Operation not found",                             \
      "GET /lend/operations lists yours")                                                                              \
    X(LEND_IN_PROGRESS, 409, -32602, "OPERATION_IN_PROGRESS", "Operation in progress",                                 \
      "Another operation of the wallet on that chain has not ended: GET /lend/operations shows it")                    \
    X(LEND_FAILED, 500, -32603, "INTERNAL_ERROR", "Lending operation failed",                                          \
      "Nothing was sent: retry with backoff")                                                                          \
    X(PERPS_NOT_CONFIGURED, 400, -32000, "NOT_CONFIGURED", "Perps trading is not configured",                          \
      "The operator has not switched it on; markets, quotes and positions can be read")                                \
    X(PERPS_MARKET, 400, -32602, "MARKET_NOT_FOUND", "Unknown market '%s'",                                            \
      "GET /perps/markets lists their names")                                                                          \
    X(PERPS_SIDE, 400, -32602, "VALIDATION_ERROR", "side must be long or short", NULL)                                 \
    X(PERPS_SIZE, 400, -32602, "VALIDATION_ERROR", "size must be a positive number",                                   \
      "How much of the asset, such as 0.5")                                                                            \
    X(PERPS_SIZE_PLACES, 400, -32602, "VALIDATION_ERROR", "size exceeds %s decimals",                                  \
      "szDecimals in GET /perps/markets says how many a market has")                                                   \
    X(PERPS_LEVERAGE, 400, -32602, "VALIDATION_ERROR", "Leverage must be between 1 and %s",                            \
      "A whole number; large positions have less: maxLeverage in GET /perps/markets is for small ones")                \
    X(PERPS_TYPE, 400, -32602, "VALIDATION_ERROR", "type must be market or limit", NULL)                               \
    X(PERPS_TIF, 400, -32602, "VALIDATION_ERROR", "timeInForce must be GTC, IOC or ALO", NULL)                         \
    X(PERPS_TERM, 400, -32602, "VALIDATION_ERROR", "%s belongs to %s orders",                                          \
      "Send the type that is meant, or leave it out: here it would have no effect")                                    \
    X(PERPS_MARGIN_MODE, 400, -32602, "VALIDATION_ERROR", "marginMode must be cross or isolated", NULL)                \
    X(PERPS_ISOLATED, 400, -32602, "VALIDATION_ERROR", "Market allows isolated margin only",                           \
      "Send marginMode isolated")                                                                                      \
    X(PERPS_PRICE_REQUIRED, 400, -32602, "VALIDATION_ERROR", "price is required for limit orders",                     \
      "The worst price in dollars, such as 3000.5")                                                                    \
    X(PERPS_PRICE, 400, -32602, "VALIDATION_ERROR", "Price has too many decimals or significant figures",              \
      "At most 5 significant figures, and 6 decimals less the market's szDecimals; whole numbers always fit")          \
    X(PERPS_MIN_VALUE, 400, -32602, "VALIDATION_ERROR", "Order value must be at least 10 USDC",                        \
      "Size times price; a position may be closed whole, however small")                                               \
    X(PERPS_TAKE_PROFIT, 400, -32602, "VALIDATION_ERROR", "takeProfit must be %s the price", NULL)                     \
    X(PERPS_STOP_LOSS, 400, -32602, "VALIDATION_ERROR", "stopLoss must be %s the price", NULL)                         \
    X(PERPS_MARGIN, 400, -32602, "INSUFFICIENT_BALANCE", "Insufficient margin",                                        \
      "GET /perps/account shows what is withdrawable; a smaller order or more leverage takes less")                    \
    X(PERPS_NOT_FUNDED, 400, -32602, "INSUFFICIENT_BALANCE", "Perpetuals account is not funded",                       \
      "POST /perps/deposit brings USDC there")                                                                         \
    X(PERPS_KEY_GONE, 400, -32602, "KEY_REPLACED", "Trading key was replaced at the venue",                            \
      "The next order has a new one: place it again")                                                                  \
    X(PERPS_NO_POSITION, 404, -32602, "POSITION_NOT_FOUND", "No open position for %s",                                 \
      "GET /perps/positions lists yours; only the opposite side reduces one")                                          \
    X(PERPS_NOTHING_REDUCED, 404, -32602, "POSITION_NOT_FOUND", "No open position to reduce", NULL)                    \
    X(PERPS_POST_ONLY, 400, -32602, "WOULD_MATCH", "Order would have matched at once", NULL)                           \
    X(PERPS_TRIGGER, 400, -32602, "VALIDATION_ERROR", "Take profit or stop loss would trigger at once",                \
      NULL)                                                                                                            \
    X(PERPS_FAR, 400, -32602, "VALIDATION_ERROR", "Price is too far from the market", NULL)                            \
    X(PERPS_CAP, 400, -32602, "CAP_REACHED", "Position would exceed what the venue allows", NULL)                      \
    X(PERPS_TOO_MANY, 400, -32602, "CAP_REACHED", "Too many open orders", "Cancel some first")                         \
    X(PERPS_MODE, 400, -32602, "VALIDATION_ERROR", "Margin mode cannot change while a position is open",               \
      "Close the position first")                                                                                      \
    X(PERPS_LEVERAGE_REFUSED, 400, -32602, "VALIDATION_ERROR", "Leverage was refused by the venue", NULL)              \
    X(PERPS_REFUSED, 400, -32602, "VENUE_REFUSED", "The venue refused the order", NULL)                                \
    X(PERPS_ORDER_NOT_FOUND, 404, -32602, "ORDER_NOT_FOUND", "Order not found",                                        \
      "GET /perps/orders lists yours")                                                                                 \
    X(PERPS_ORDER_NOT_OPEN, 409, -32602, "ORDER_NOT_OPEN", "Order is not open",                                        \
      "GET /perps/order/{id} shows what became of it")                                                                 \
    X(PERPS_FAILED, 500, -32603, "UPSTREAM_ERROR", "Perps order failed",                                               \
      "The venue timed out, or sent an invalid reply: retry with backoff")                                             \
    X(PERPS_LEAST, 400, -32602, "VALIDATION_ERROR", "Amount must be at least 5 USDC",                                  \
      "Smaller amounts would be lost to the venue's minimum or to fees")                                               \
    X(PERPS_CHAIN, 400, -32602, "CHAIN_UNSUPPORTED", "Perps transfers are not available on chain '%s'",                \
      "Transfers go by arbitrum, or by another way by base and ethereum too")                                          \
    X(PERPS_TRANSFER_FAILED, 500, -32603, "UPSTREAM_ERROR", "Perps transfer failed",                                   \
      "The venue or the chain did not answer in time, or refused: retry with backoff")                                 \
    X(NOT_FOUND, 404, -32601, "NOT_FOUND", "Not found", NULL)                                                          \
    X(METHOD, 405, -32601, "METHOD_NOT_ALLOWED", "Method not allowed", NULL)                                           \
    X(STORAGE, 503, -32603, "SERVICE_UNAVAILABLE", "Service unavailable",                                              \
      "The service stores nothing new until it has more room; closing, cancelling and withdrawing go on")              \
    X(BEHIND, 503, -32603, "NODES_BEHIND", "The chain's nodes are behind",                                             \
      "They do not show the wallet's last transaction there yet: repeat the same request in a few seconds")            \
    X(LENGTH, 411, -32600, "LENGTH_REQUIRED", "Content-Length is required",                                            \
      "Nothing was done: send the length of the body, 0 where there is none")                                          \
    X(TOO_LARGE, 413, -32600, "PAYLOAD_TOO_LARGE", "Request body too large", "At most 64 KB")                          \
    X(MEDIA_TYPE, 415, -32600, "UNSUPPORTED_MEDIA_TYPE", "Unsupported media type",                                     \
      "Send Content-Type: application/json, without a Content-Encoding")                                               \
    X(NO_CALLBACK, 400, -32602, "VALIDATION_ERROR", "No callback_url configured",                                      \
      "PATCH /me with callback_url sets where webhooks are sent")                                                      \
    X(EVENT_NOT_FOUND, 404, -32602, "NOT_FOUND", "Webhook event not found", "GET /webhooks lists the ids")             \
    X(DEACTIVATED, 409, -32602, "CONFLICT", "Agent is already deactivated", "POST /reactivate undoes it")              \
    X(ACTIVE, 409, -32602, "CONFLICT", "Agent is already active", NULL)                                                \
    X(IDEMPOTENCY_KEY, 400, -32602, "VALIDATION_ERROR", "Idempotency-Key must have 1 to 255 characters",               \
      "Use visible ASCII characters, or text in double quotes")                                                        \
    X(IDEMPOTENCY_MISMATCH, 422, -32602, "IDEMPOTENCY_MISMATCH",                                                       \
      "Idempotency-Key was already used with another body",                                                            \
      "It stands for a request with other terms, named here once it has an id: ask how that stands "                   \
      "before you send another one under a new key")                                                                   \
    X(IN_PROGRESS, 409, -31409, "REQUEST_IN_PROGRESS", "Request in progress",                                          \
      "A request with this Idempotency-Key is running: try again in a moment")                                         \
    X(BUSY, 429, -31429, "RATE_LIMITED", "Rate limit exceeded",                                                        \
      "Too many calls are waiting for third parties: try again in a second")                                           \
    X(KEY_ROTATION, 500, -32603, "INTERNAL_ERROR", "Key rotation failed", NULL)                                        \
    X(RATE_LIMITED, 429, -31429, "RATE_LIMITED", "Rate limit exceeded",                                                \
      "Wait for the seconds in Retry-After; RateLimit shows what remains")                                             \
    X(SWAP_EXECUTION, 500, -32603, "INTERNAL_ERROR", "Swap execution failed",                                          \
      "Retry with backoff: a quote becomes at most one swap, however often it is executed")                            \
    X(WALLET_CREATION, 500, -32603, "INTERNAL_ERROR", "Wallet creation failed", NULL)                                  \
    X(PROVIDER_REFUSED, 500, -32603, "PROVIDER_REFUSED", "Internal server error",                                      \
      "A provider refuses this service: another one, or another pair, may serve")                                      \
    X(UPSTREAM, 500, -32603, "UPSTREAM_ERROR", "Internal server error",                                                \
      "What was asked gave no usable answer in time: retry with backoff")                                              \
    X(INTERNAL, 500, -32603, "INTERNAL_ERROR", "Internal server error", NULL)

#define X(name, status, rpc, code, text, hint) extern const struct err E_##name;
ERR_LIST(X)
#undef X

#endif
