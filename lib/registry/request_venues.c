/* The venues that take signed requests. A new one is a row here; the row itself is in a file of its
 * market. Venues that are contracts are called by transactions and have none: they are in lib/venue. */
#include "exec/venue.h"

#include <string.h>

#include "perps/credit_venue.h"
#include "perps/perps_order_venue.h"
#include "perps/withdrawal_venue.h"
#include "predict/balance_venue.h"
#include "predict/predict_order_venue.h"
#include "predict/relayer_venue.h"

const struct venue *const venues[] = { &order_venue,        &relayer_venue,          &balance_venue,
                                       &perps_key_venue,    &perps_leverage_venue,   &perps_order_venue,
                                       &perps_credit_venue, &perps_withdrawal_venue, NULL };

const struct venue *venue_of(const char *name)
{
    for (size_t i = 0; venues[i] != NULL; i++)
        if (strcmp(venues[i]->name, name) == 0)
            return venues[i];
    return NULL;
}
