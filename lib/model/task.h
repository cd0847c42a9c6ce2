/* An A2A task: one message of an agent, and its outcome. */
#ifndef MODEL_TASK_H
#define MODEL_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/uuid.h"
#include "model/execution.h"

enum task_state {
    TASK_SUBMITTED = 1, /* recorded; being done, or a swap that no node has yet */
    TASK_WORKING = 2,   /* a swap in progress */
    TASK_INPUT_REQUIRED = 3,
    TASK_COMPLETED = 4,
    TASK_FAILED = 5,
    TASK_REJECTED = 6,
    TASK_CANCELED = 7,
};

/* The protocol's versions, by their words. */
enum task_version { TASK_V03 = 3, TASK_V10 = 10 };

enum { TASK_ID_MAX = 128 /* of ids that clients choose */, TASK_NOTE_MAX = 500, TASK_ANSWER_MAX = 8192 };

struct task {
    uint64_t seq; /* ours: the order of making */
    struct uuid id;
    uint64_t agent_id;
    const char *context_id;
    const char *operation; /* by its tool name */
    enum task_state state; /* with a swap: as the swap says, but for task_state_is_own */
    uint64_t execution_id; /* 0: none */
    const char *note;      /* the sentence of its status, or NULL */
    const char *answer;    /* JSON, or NULL */
    bool idle;             /* submitted, but no process is working on it any more */
    int64_t created_ms;
    int64_t updated_ms; /* since when it is in this state */
};

/* The receiver of a task's moves. */
struct task_push {
    uint64_t seq;
    uint64_t agent_id;
    struct uuid task_id;
    const char *context_id;
    const char *config_id;
    enum task_version version;
    const char *url;
    const char *scheme; /* of the authentication, or NULL */
    const uint8_t *sealed_headers;
    unsigned sealed_headers_len;
};

/* "input-required", "TASK_STATE_INPUT_REQUIRED". */
const char *task_state_text(enum task_version v, enum task_state s);
bool task_state_parse(enum task_state *out, enum task_version v, const char *text);
bool task_state_ends(enum task_state s); /* nothing follows */
/* States that a task has independent of its swap: while the operator's grant waits to be used, after a
 * denial, and after the task was canceled. */
bool task_state_is_own(enum task_state s);
/* The state of a task by the execution that it asked for. */
enum task_state task_state_of(enum exec_status s);

#endif
