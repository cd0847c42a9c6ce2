/* Following again what was called settled. */
#ifndef EXEC_REOPEN_H
#define EXEC_REOPEN_H

#include "base/db_update.h"
#include "store/db.h"

/* The execution is followed on its chain again, and all of its transactions are open: the chain's state of
 * them decides anew, and what no block has is sent again. UNCHANGED: it is followed already, or has none. */
enum db_update execution_reopen(struct db *db, uint64_t id);

#endif
