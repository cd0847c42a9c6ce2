#include "exec/kind.h"

bool execution_own_read(struct db *db, struct arena *a, struct execution_shown *x)
{
    const struct exec_kind *k = exec_kind_of(x->execution->kind);

    return k->read == NULL || k->read(db, a, x->execution, &x->own);
}
