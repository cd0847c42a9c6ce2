/* Wallet policies, as they are kept. What a policy's params say is read by policy/rule. */
#ifndef MODEL_POLICY_H
#define MODEL_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/uuid.h"
#include "model/amount.h"
#include "model/execution.h"
#include "model/wallet_ref.h"

enum policy_type {
    POLICY_SPENDING = 1,  /* at most so much leaves the wallet */
    POLICY_APPROVAL = 2,  /* beyond so much the operator is asked */
    POLICY_WHITELIST = 3, /* only there, only those */
    POLICY_EXECUTION = 4, /* at most so much slippage, so much gas */
};

struct policy {
    struct uuid id;
    uint64_t agent_id;
    uint64_t wallet_id;                   /* 0: each wallet of the agent, for itself */
    char wallet_address[WALLET_ADDR_MAX]; /* "" likewise */
    bool by_operator;
    enum policy_type type;
    const char *params; /* JSON */
    int64_t created_ms;
    int64_t ends_ms; /* deleted, but in force until then; 0: not deleted */
};

/* The spend facts of an execution, for the sums of policies. */
struct spend {
    int64_t at_ms;
    bool borrowed; /* not given: it was lent to the wallet */
    struct token_ref from;
    struct u256 amount_in;
    bool has_usd, has_ether;
    struct u256 usd, ether; /* as valued then, 18 places */
    bool margin;            /* bound by an order for a perpetual: what left the wallet counted before */
    uint64_t part, whole;   /* so much of it counts; an order's rest that is not filled was given back */
};

#endif
