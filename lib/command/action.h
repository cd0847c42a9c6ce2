/* What a sentence can ask for: one row each, with the action's name in answers, the tool that carries it out
 * and what the other parts of the service have to know about it. */
#ifndef COMMAND_ACTION_H
#define COMMAND_ACTION_H

#include <stdbool.h>

enum action_flags {
    ACTION_CHANGES = 1 << 0,      /* it changes something: an order asks for it, never a question */
    ACTION_PRICED = 1 << 1,       /* max_price_impact bounds it */
    ACTION_LENDS = 1 << 2,        /* an operation at a lender */
    ACTION_OF_ASSET = 1 << 3,     /* answers call its token "asset" */
    ACTION_TRADES_PERPS = 1 << 4, /* it changes something at the venue of perpetuals */
    LENDING = ACTION_CHANGES | ACTION_LENDS | ACTION_OF_ASSET,
    PERPS_TRADE = ACTION_CHANGES | ACTION_TRADES_PERPS,
};

/* X(id, name, tool or NULL, flags) */
#define ACTIONS(X)                                                                                           \
    X(SWAP, "swap", "execute_swap", ACTION_CHANGES | ACTION_PRICED)                                          \
    X(QUOTE, "quote", "get_quote", ACTION_PRICED)                                                            \
    X(BALANCE, "balance", "get_portfolio", 0)                                                                \
    X(PRICE, "price", "get_prices", 0)                                                                       \
    X(PRICES, "prices", "get_prices", 0)                                                                     \
    X(STATUS, "status", "get_swap_status", 0)                                                                \
    X(HISTORY, "history", "list_swaps", 0)                                                                   \
    X(WALLET, "wallet_create", "create_wallet", ACTION_CHANGES)                                              \
    X(WALLETS, "wallets", "list_wallets", 0)                                                                 \
    X(CHAINS, "chains", "get_chains", 0)                                                                     \
    X(TOKENS, "tokens", "get_tokens", 0)                                                                     \
    X(MARKETS, "markets", "search_prediction_markets", 0)                                                    \
    X(MARKET_PRICE, "predict_price", "get_prediction_price", 0)                                              \
    X(ORDER, "predict_order", "place_prediction_order", ACTION_CHANGES)                                      \
    X(CANCEL, "predict_cancel", "cancel_prediction_order", ACTION_CHANGES)                                   \
    X(ORDERS, "predict_orders", "list_prediction_orders", 0)                                                 \
    X(POSITIONS, "predict_positions", "list_prediction_positions", 0)                                        \
    X(PREDICT_QUOTE, "predict_quote", "quote_prediction", 0)                                                 \
    X(PREDICT_BOOK, "predict_book", "get_prediction_book", 0)                                                \
    X(PREDICT_ACCOUNT, "predict_account", "get_prediction_account", 0)                                       \
    X(PREDICT_DEPOSIT, "predict_deposit", "deposit_prediction", ACTION_CHANGES)                              \
    X(PREDICT_WITHDRAW, "predict_withdraw", "withdraw_prediction", ACTION_CHANGES)                           \
    X(PREDICT_REDEEM, "predict_redeem", "redeem_prediction", ACTION_CHANGES)                                 \
    X(PREDICT_TRANSFERS, "predict_transfers", "list_prediction_transfers", 0)                                \
    X(WITHDRAW, "withdraw", "withdraw", ACTION_CHANGES)                                                      \
    X(WITHDRAWAL, "withdrawal_status", "get_withdrawal", 0)                                                  \
    X(WITHDRAWALS, "withdrawals", "list_withdrawals", 0)                                                     \
    X(POLICIES, "policies", "list_wallet_policies", 0)                                                       \
    X(ADD_POLICY, "policy_add", "create_wallet_policy", ACTION_CHANGES)                                      \
    X(APPROVALS, "approvals", "list_approvals", 0)                                                           \
    X(APPROVAL, "approval_status", "get_approval", 0)                                                        \
    X(RESUME, "approval_resume", "get_approval", ACTION_CHANGES)                                             \
    X(ADDRESSES, "withdrawal_addresses", "list_withdrawal_addresses", 0)                                     \
    X(ADD_ADDRESS, "withdrawal_address_add", "add_withdrawal_address", ACTION_CHANGES)                       \
    X(REMOVE_ADDRESS, "withdrawal_address_remove", "remove_withdrawal_address", ACTION_CHANGES)              \
    X(LEND_SUPPLY, "lend_supply", "supply_lending", LENDING)                                                 \
    X(LEND_WITHDRAW, "lend_withdraw", "withdraw_lending", LENDING)                                           \
    X(LEND_BORROW, "lend_borrow", "borrow_lending", LENDING)                                                 \
    X(LEND_REPAY, "lend_repay", "repay_lending", LENDING)                                                    \
    X(LEND_COLLATERAL, "lend_collateral", "set_lending_collateral", LENDING)                                 \
    X(LEND_HEALTH, "lend_health", "get_lending_positions", 0)                                                \
    X(LEND_MARKETS, "lend_markets", "get_lending_markets", ACTION_OF_ASSET)                                  \
    X(LEND_POSITIONS, "lend_positions", "get_lending_positions", ACTION_OF_ASSET)                            \
    X(LEND_OPERATION, "lend_operation", "get_lending_operation", 0)                                          \
    X(LEND_OPERATIONS, "lend_operations", "list_lending_operations", 0)                                      \
    X(PERPS_ORDER, "perps_order", "place_perps_order", PERPS_TRADE)                                          \
    X(PERPS_QUOTE, "perps_quote", "quote_perps", 0)                                                          \
    X(PERPS_CLOSE, "perps_close", "close_perps_position", PERPS_TRADE)                                       \
    X(PERPS_LEVERAGE, "perps_leverage", "set_perps_leverage", PERPS_TRADE)                                   \
    X(PERPS_CANCEL, "perps_cancel", "cancel_perps_order", PERPS_TRADE)                                       \
    X(PERPS_DEPOSIT, "perps_deposit", "deposit_perps", PERPS_TRADE)                                          \
    X(PERPS_WITHDRAW, "perps_withdraw", "withdraw_perps", PERPS_TRADE)                                       \
    X(PERPS_FUNDING, "perps_funding", "get_perps_market", 0)                                                 \
    X(PERPS_MARKET, "perps_market", "get_perps_market", 0)                                                   \
    X(PERPS_MARKETS, "perps_markets", "get_perps_markets", 0)                                                \
    X(PERPS_POSITIONS, "perps_positions", "list_perps_positions", 0)                                         \
    X(PERPS_ACCOUNT, "perps_account", "get_perps_account", 0)                                                \
    X(PERPS_ORDERS, "perps_orders", "list_perps_orders", 0)                                                  \
    X(PERPS_ORDER_SHOWN, "perps_order_status", "get_perps_order", 0)                                         \
    X(PERPS_FILLS, "perps_fills", "list_perps_fills", 0)                                                     \
    X(PERPS_PAYMENTS, "perps_payments", "list_perps_funding", 0)                                             \
    X(PERPS_TRANSFERS, "perps_transfers", "list_perps_transfers", 0)                                         \
    X(HELP, "help", NULL, 0)

#define X(id, name, tool, flags) ACTION_##id,
enum command_action { ACTIONS(X) };
#undef X

#define X(id, name, tool, flags) +1
enum { ACTIONS_COUNT = ACTIONS(X) };
#undef X

/* By the action; a NULL ends them. */
extern const char *const action_names[ACTIONS_COUNT + 1];
/* NULL for help. This server need not have it. */
const char *action_tool(enum command_action action);
bool action_has(enum command_action action, enum action_flags flag);

#endif
