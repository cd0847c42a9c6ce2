#include "model/operator_token.h"

#include <string.h>

bool operator_name_ok(const char *name)
{
    size_t n = strlen(name);

    return n > 0 && n <= OPERATOR_NAME_MAX &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@-") == n;
}
