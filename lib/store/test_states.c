#include "base/test.h"

#include <stdlib.h>

#include "model/approval.h"
#include "model/bridge.h"
#include "model/event.h"
#include "model/execution.h"
#include "model/order.h"
#include "model/perps_order.h"
#include "model/task.h"
#include "store/queues.h"
#include "store/states.h"

static void lists_have_the_values_of_their_enumerations(void)
{
    char list[32];

    (void)snprintf(list, sizeof list, "%d, %d, %d", KIND_PREDICT_DEPOSIT, KIND_PREDICT_WITHDRAWAL,
                   KIND_PREDICT_REDEMPTION);
    CHECK_STR(SQL_PREDICT_TRANSFERS, list);
    (void)snprintf(list, sizeof list, "%d, %d, %d, %d, %d", KIND_LEND_SUPPLY, KIND_LEND_WITHDRAW,
                   KIND_LEND_BORROW, KIND_LEND_REPAY, KIND_LEND_COLLATERAL);
    CHECK_STR(SQL_LENDING, list);
    (void)snprintf(list, sizeof list, "%d, %d", KIND_PERPS_DEPOSIT, KIND_PERPS_WITHDRAWAL);
    CHECK_STR(SQL_PERPS_TRANSFERS, list);
    (void)snprintf(list, sizeof list, "%d, %d", WALLET_EVM, WALLET_SOLANA);
    CHECK_STR(SQL_WALLET_KINDS, list);
}

/* The values in SQL are those of the enumerations. */
static void names_have_the_values_of_their_enumerations(void)
{
    static const struct {
        const char *sql;
        int value;
    } rows[] = {
        { SQL_QUEUE_MOST, QUEUE_MOST },
        { SQL_PENDING, EXEC_PENDING },
        { SQL_SUBMITTED, EXEC_SUBMITTED },
        { SQL_PROCESSING, EXEC_PROCESSING },
        { SQL_COMPLETED, EXEC_COMPLETED },
        { SQL_FAILED, EXEC_FAILED },
        { SQL_WITHDRAWAL, KIND_WITHDRAWAL },
        { SQL_BORROWING, KIND_LEND_BORROW },
        { SQL_PERPS_WITHDRAWAL, KIND_PERPS_WITHDRAWAL },
        { SQL_IN_FLIGHT, FOLLOW_IN_FLIGHT },
        { SQL_ONCE_MORE, FOLLOW_ONCE_MORE },
        { SQL_FOLLOW_BRIDGE, FOLLOW_BRIDGE },
        { SQL_BRIDGE_DONE, BRIDGE_DONE },
        { SQL_BRIDGE_REFUNDED, BRIDGE_REFUNDED },
        { SQL_OPEN, EFFECT_OPEN },
        { SQL_INCLUDED, EFFECT_INCLUDED },
        { SQL_SETTLED, EFFECT_SETTLED },
        { SQL_LOST, EFFECT_LOST },
        { SQL_APPROVAL_WAITING, APPROVAL_WAITING },
        { SQL_APPROVAL_GRANTED, APPROVAL_GRANTED },
        { SQL_APPROVAL_DENIED, APPROVAL_DENIED },
        { SQL_APPROVAL_LAPSED, APPROVAL_LAPSED },
        { SQL_ORDER_PENDING, ORDER_PENDING },
        { SQL_ORDER_OPEN, ORDER_OPEN },
        { SQL_ORDER_REJECTED, ORDER_REJECTED },
        { SQL_ORDER_WAITING, ORDER_WAITING },
        { SQL_ORDER_FOK, ORDER_FOK },
        { SQL_ORDER_FAK, ORDER_FAK },
        { SQL_PERPS_IOC, PERPS_IOC },
        { SQL_EVENT_PENDING, EVENT_PENDING },
        { SQL_EVENT_DELIVERED, EVENT_DELIVERED },
        { SQL_EVENT_FAILED, EVENT_FAILED },
        { SQL_TASK_SUBMITTED, TASK_SUBMITTED },
        { SQL_TASK_WORKING, TASK_WORKING },
        { SQL_TASK_INPUT_REQUIRED, TASK_INPUT_REQUIRED },
        { SQL_TASK_REJECTED, TASK_REJECTED },
        { SQL_TASK_CANCELED, TASK_CANCELED },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(strtol(rows[i].sql, NULL, 10) == rows[i].value);
}

TEST_MAIN(TEST(names_have_the_values_of_their_enumerations),
          TEST(lists_have_the_values_of_their_enumerations))
