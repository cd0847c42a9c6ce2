/* The audit log: what the operator does, what agents change about their safety, agents that are deleted. One
 * chain of lines per host (codec/audit_chain.h). Everything written on a host queues up for its head, so only
 * rare acts belong here; signatures are audited by the signer in a file of its own. An agent
 * appears as the SHA-256 of its id, so that nothing has to be removed when it is deleted. */
#ifndef STORE_AUDIT_H
#define STORE_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/hash.h"
#include "codec/uuid.h"
#include "store/db.h"

enum { AUDIT_HOST_MAX = 64, AUDIT_DIGEST_LEN = 2 * HASH_LEN };

struct audit_act {
    const char *by; /* "agent" or "operator" */
    const char
        *token;      /* the name of the operator's token; NULL: it was given at a shell, or by no operator */
    const char *act; /* such as "policy.create" */
    const struct uuid *agent; /* NULL: none */
    const char *detail;       /* JSON, or NULL */
    const char *reason;       /* why, in the operator's words; NULL: none was given */
};

/* Inside the transaction of the act, as the last of its locks. */
bool audit_write(struct db *db, const struct audit_act *act);
/* The digest that stands for an agent. */
void audit_digest(char out[static AUDIT_DIGEST_LEN + 1], const struct uuid *agent);

struct audit_chain {
    char host[AUDIT_HOST_MAX + 1];
    uint64_t lines;  /* of the head */
    uint64_t broken; /* the first line that does not follow the one before; 0: none */
    uint8_t head[HASH_LEN];
};
/* Reads every chain from its first line. Returns how many there are; they are in the arena. */
int audit_verify(struct db *db, struct arena *a, struct audit_chain **out);

/* The newest lines of all hosts, of one agent (NULL: of all), newest first; at most `max`, in the arena.
 * Returns how many. */
struct audit_line {
    const char *host;
    const char *line; /* JSON */
};
int audit_newest(struct db *db, struct arena *a, const struct uuid *agent, unsigned max,
                 struct audit_line **out);

#endif
