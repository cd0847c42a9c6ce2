/* An operation of a wallet at a lender, in addition to its execution, whose kind names it. */
#ifndef MODEL_LEND_OPERATION_H
#define MODEL_LEND_OPERATION_H

#include "model/execution.h"

enum { LEND_MARKET_ID_MAX = 80 };

struct lend_operation {
    uint64_t execution_id;
    uint64_t agent_id;
    enum exec_kind_id kind;
    char market[LEND_MARKET_ID_MAX + 1]; /* id */
    bool everything; /* all that is supplied, or owed: the execution's amount is what it was then */
    bool collateral; /* of Morpho, collateral is moved; of KIND_LEND_COLLATERAL: it is one from then on */
    bool has_health; /* there was debt behind the steps in the simulation, and its health factor, of 10^18,
                        was: */
    struct u256 health;
};

/* "supply", "withdraw" and so on, in the order of the kinds; ends with NULL. */
extern const char *const lend_types[];
const char *lend_type_of(enum exec_kind_id kind);
/* The kind of a type of operations; 0: no such type. */
enum exec_kind_id lend_kind_of(const char *type);

#endif
