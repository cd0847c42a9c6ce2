/* The result of a change that may be refused. */
#ifndef BASE_DONE_H
#define BASE_DONE_H

enum done {
    QUOTA_FULL = -2,  /* the agent has as much as it may have */
    DONE_FAILED = -1, /* database error; assume that nothing was written */
    DONE_NOT = 0,     /* each function says what may stand against it */
    DONE = 1,
    HALTED = 2, /* the operator has stopped the agent */
};

#endif
