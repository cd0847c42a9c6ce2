/* Following again what was called settled. */
#ifndef EXEC_REOPEN_H
#define EXEC_REOPEN_H

#include "base/done.h"
#include "store/db.h"

/* The execution is followed on its chain again, and all of its transactions are open: what the chain shows of
 * them decides anew, and what no block has is sent again. DONE_NOT: it is followed already, or has none. */
enum done execution_reopen(struct db *db, uint64_t id);

#endif
