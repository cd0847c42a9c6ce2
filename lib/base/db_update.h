/* The result of a change that may be refused. */
#ifndef BASE_DB_UPDATE_H
#define BASE_DB_UPDATE_H

enum db_update {
    QUOTA_FULL = -2, /* the agent has as much as it may have */
    DB_ERROR = -1,   /* database error; assume that nothing was written */
    UNCHANGED = 0,   /* each function says what may stand against it */
    UPDATED = 1,
    HALTED = 2, /* the operator has stopped the agent */
};

#endif
