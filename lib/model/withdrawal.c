#include "model/withdrawal.h"

const char *withdrawal_address_status(const struct withdrawal_address *wa)
{
    if (wa->removed)
        return "removed";
    return wa->active ? "active" : "waiting";
}
