/* Requests for the operator's approval, as they are kept, and the moves between their states. */
#ifndef MODEL_APPROVAL_H
#define MODEL_APPROVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/uuid.h"
#include "model/amount.h"
#include "model/execution.h"

enum approval_state {
    APPROVAL_WAITING = 1,
    APPROVAL_GRANTED = 2,
    APPROVAL_DENIED = 3,
    APPROVAL_USED = 4,   /* its execution is signed */
    APPROVAL_LAPSED = 5, /* its time ran out before */
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
/* A grant that is not used yet can still be denied. */
bool approval_may_move(enum approval_state from, enum approval_state to);

#endif
