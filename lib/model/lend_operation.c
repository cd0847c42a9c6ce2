#include "model/lend_operation.h"

#include <string.h>

const char *const lend_types[] = { "supply", "withdraw", "borrow", "repay", "collateral", NULL };

const char *lend_type_of(enum exec_kind_id kind)
{
    return lend_types[kind - KIND_LEND_SUPPLY];
}

enum exec_kind_id lend_kind_of(const char *type)
{
    for (unsigned i = 0; lend_types[i] != NULL; i++)
        if (strcmp(lend_types[i], type) == 0)
            return (enum exec_kind_id)(KIND_LEND_SUPPLY + i);
    return (enum exec_kind_id)0;
}
