/* Wallet policies and approvals, as they are kept. What a policy's params say is read by policy/rule. */
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

/* What a swap took out of its wallet, for the sums of policies. */
struct spend {
    int64_t at_ms;
    struct token_ref from;
    struct u256 amount_in;
    bool has_usd, has_ether;
    struct u256 usd, ether; /* as valued then, 18 places */
};

enum approval_state {
    APPROVAL_WAITING = 1,
    APPROVAL_GRANTED = 2,
    APPROVAL_DENIED = 3,
    APPROVAL_USED = 4,   /* its swap is signed */
    APPROVAL_LAPSED = 5, /* its time was over before */
};

struct approval {
    struct uuid id;
    uint64_t agent_id;
    uint64_t execution_id;
    enum exec_kind_id kind; /* of the execution */
    enum approval_state state;
    bool expired; /* by the database's clock */
    struct ppm slippage;
    const char *why;
    int64_t created_ms, expires_ms;
    int64_t decided_ms; /* granted or denied; 0: not decided */
};

enum { APPROVAL_ID_TEXT_LEN = 3 + 32, APPROVAL_LIFETIME_S = 24 * 60 * 60 };
void approval_id_text(char out[static APPROVAL_ID_TEXT_LEN + 1], const struct uuid *id);
bool approval_id_parse(struct uuid *out, const char *text);
const char *approval_state_text(enum approval_state s); /* "waiting" */
bool approval_state_parse(enum approval_state *out, const char *text);
/* A denial takes back a grant that is not used yet. */
bool approval_may_move(enum approval_state from, enum approval_state to);

#endif
