/* The common part of agentctl's commands. A command prints by env->out, and returns the exit status. */
#ifndef JOBS_AGENTCTL_H
#define JOBS_AGENTCTL_H

#include <stdbool.h>

#include "base/arena.h"
#include "jobs/output.h"
#include "service/ctx.h"

/* Options of single commands, as bits. */
enum {
    OPT_STUCK = 1,
    OPT_FAILED = 2,
    OPT_WAITING = 4,
    OPT_NOW = 8,
    OPT_READ_ONLY = 16,
    OPT_REVOKE = 32,
    OPT_FORGET = 64,
    OPT_RECORD = 128,
    OPT_NEEDED = 256
};

struct env {
    struct ctx ctx; /* conf and db, until an order adds the rest */
    struct nodes *nodes;
    struct arena *arena;
    struct output out;
    bool urgent;         /* goes on with wrong settings */
    unsigned options;    /* that were given */
    const char *record;  /* the folder of --record; NULL */
    const char *problem; /* why it failed; NULL: it did not */
};

/* The exit status of an order that `problem` kept from being carried out; NULL: nothing did. */
int agentctl_end(struct env *env, const char *problem);

/* By which database and signer are found: all that an urgent command insists on. */
extern const char *const agentctl_needs[];

/* Nodes and net for the orders that ask some, and the signer. */
void agentctl_connect(struct env *env);
void agentctl_disconnect(struct env *env);

/* ---- commands that change nothing, in agentctl_look.c; `args` ends with NULL ---- */

int cmd_status(struct env *env, char **args);
int cmd_check(struct env *env, char **args);
int cmd_find(struct env *env, char **args);
int cmd_swaps(struct env *env, char **args);
int cmd_swap(struct env *env, char **args);
int cmd_events(struct env *env, char **args);
int cmd_audit(struct env *env, char **args);
int cmd_top(struct env *env, char **args);

/* ---- known questions, in agentctl_drift.c ---- */

int cmd_drift(struct env *env, char **args);

#endif
