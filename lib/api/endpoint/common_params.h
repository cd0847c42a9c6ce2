/* Parameters that several endpoints take, and the checks that are declared with them. */
#ifndef API_ENDPOINT_COMMON_PARAMS_H
#define API_ENDPOINT_COMMON_PARAMS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/params.h"
#include "model/amount.h"
#include "model/list_filter.h"
#include "model/page.h"

/* Longest symbol, address or chain name in characters; default slippage in millionths. */
enum { PARAM_NAME_MAX = 64, PARAM_SLIPPAGE_DEFAULT = 30000 };

enum { WAIT_MAX_S = 30 };

/* A member that says all, so that no other one may stand next to it. */
#define PARAM_ALONE ((const char *const[]){ NULL })
/* The members allowed next to a quote_id, which names the trade. */
#define PARAM_QUOTED ((const char *const[]){ "wallet_address", "max_price_impact", "allow_contract", NULL })

/* clang-format off */
#define PARAM_WALLET(type) \
    { "wallet_address", P_TEXT, INTO(type, wallet_address), .max = PARAM_NAME_MAX, \
      .about = "One of the agent's wallets; default the oldest" }

#define PARAM_MAX_IMPACT(type, member) \
    { "max_price_impact", P_FRACTION, INTO(type, member), .number = PPM_NONE, \
      .about = "Allows a price that is this much worse than that of a small trade; 0.1 is ten per cent. Absent: what the operator allows, 0.05 unless set otherwise" }

#define PARAMS_PAGE(type) \
    { "limit", P_WHOLE, INTO(type, limit), .number = PAGE_DEFAULT, .min = 1, .max = PAGE_MAX, .bad = &E_LIMIT, \
      .about = "Page size" }, \
    { "offset", P_WHOLE, INTO(type, offset), .max = INT64_MAX, .bad = &E_OFFSET, .about = "Items to skip" }

/* Into a struct list_period. */
#define PARAMS_PERIOD(type, period) \
    { "since", P_TIME, INTO(type, period.since_ms), .about = "Those created from then on" }, \
    { "until", P_TIME, INTO(type, period.until_ms), .about = "Those created before that" }

/* Which of the agent's executions a list has, into a struct list_terms. */
#define PARAMS_LIST(type, terms) \
    { "chain", P_TEXT, INTO(type, terms.chain), .max = PARAM_NAME_MAX, .about = "Those on this chain, by key or alias" }, \
    { "token", P_TEXT, INTO(type, terms.token), .max = PARAM_NAME_MAX, .about = "Those of this token, by symbol or address" }, \
    PARAMS_PERIOD(type, terms.created)

#define PARAM_RECIPIENT(type, member) \
    { "to_wallet_address", P_TEXT, INTO(type, member), .max = PARAM_NAME_MAX, \
      .about = "Between Solana and other chains: who gets the output; default the agent's oldest wallet there. Executed for the agent's own wallets alone" }

/* Of calls that begin an execution or show one (api/admission/waiting.h); behind the struct, which is the
 * market's. */
#define PARAM_WAIT(type) \
    { "wait", P_WHOLE, .at = sizeof(type), .max = WAIT_MAX_S, .aside = true, \
      .about = "Seconds that the answer may wait for the end" }

#define PARAMS_PROVIDERS(type, asked, excluded) \
    { "providers", P_TEXTS, INTO(type, asked), .max = PROVIDERS_MAX, \
      .about = "Ask these providers alone", .known = provider_keys }, \
    { "exclude_providers", P_TEXTS, INTO(type, excluded), .max = PROVIDERS_MAX, \
      .about = "Ask all but these" }

/* A trade in place of a quote_id, into a struct quote_in. */
#define PARAMS_TRADE(type, trade) \
    { "from_token", P_TEXT, INTO(type, trade.from_token), .max = PARAM_NAME_MAX, \
      .about = "Instead of quote_id, with to_token and amount" }, \
    { "to_token", P_TEXT, INTO(type, trade.to_token), .max = PARAM_NAME_MAX, .about = "Destination token" }, \
    { "amount", P_QUANTITY, INTO(type, trade.amount), .bad = &E_AMOUNT, .about = "Human-readable amount" }, \
    { "chain", P_TEXT, INTO(type, trade.chain), .max = PARAM_NAME_MAX, .assumed = "ethereum", \
      .about = "Default ethereum" }, \
    { "from_chain", P_TEXT, INTO(type, trade.from_chain), .max = PARAM_NAME_MAX, \
      .about = "Source chain, as in POST /quote" }, \
    { "to_chain", P_TEXT, INTO(type, trade.to_chain), .max = PARAM_NAME_MAX, .about = "Destination chain" }, \
    PARAM_RECIPIENT(type, trade.to_wallet_address), \
    { "slippage", P_FRACTION, INTO(type, trade.slippage), .number = PARAM_SLIPPAGE_DEFAULT, .bad = &E_SLIPPAGE, \
      .about = "0.03 allows three per cent less than quoted" }, \
    PARAM_MAX_IMPACT(type, trade.max_impact), \
    PARAMS_PROVIDERS(type, trade.providers, trade.exclude_providers)
/* clang-format on */

/* Of rows that show one execution and take nothing else. */
struct wait_in {
    const void *nothing;
};
extern const struct param wait_params[];

/* For a parameter's `check`: what is wrong with the value, or NULL; `env` is the process's struct ctx. */
const char *param_callback_fault(const char *url, const void *env);
/* Takes an address of any kind of chain: whether it fits can be told only once the chain is known. */
const char *param_wallet_fault(const char *address, const void *env);

/* Text that shows all of itself (base/safe_text.h). */
const char *param_line_fault(const char *text, const void *env);

struct list_terms {
    const char *chain, *token;
    struct list_period created;
};
/* As a filter, in the arena. NULL, or E_CHAIN_UNKNOWN. */
const struct err *list_terms_read(struct list_filter *out, struct arena *a, const struct list_terms *in);

/* The chain's key, by any of its names in any case; NULL: none has it. */
const char *param_chain_key(const char *name);

enum { CHAINS_NAMED_MAX = 15 }; /* in a list of chains */

#endif
