#include "chain/rpc/rpc_class.h"

#include <string.h>

static bool contains(const char *text, const char *part)
{
    return part == NULL || strcasestr(text, part) != NULL;
}

enum rpc_class rpc_class_of(const struct rpc_class_row *rows, size_t n, int64_t code, const char *text,
                            int status)
{
    for (const struct rpc_class_row *r = rows; r < rows + n; r++)
        if ((r->code == 0 || r->code == code) && (r->status == 0 || r->status == status) &&
            contains(text, r->text))
            return r->class;
    return RPC_INCIDENT;
}
