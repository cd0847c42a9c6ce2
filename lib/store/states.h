/* States by name in SQL text: the values of the enumerations, which test_states.c compares. */
#ifndef STORE_STATES_H
#define STORE_STATES_H

/* enum wallet_kind: all that are wallets */
#define SQL_WALLET_KINDS "1, 2"

/* enum exec_status */
#define SQL_PENDING    "1"
#define SQL_SUBMITTED  "2"
#define SQL_PROCESSING "3"
#define SQL_COMPLETED  "4"
#define SQL_FAILED     "5"

/* enum exec_kind_id: to and from trading wallets */
#define SQL_PREDICT_TRANSFERS  "4, 5, 6"
#define SQL_PREDICT_REDEMPTION "6"
#define SQL_WITHDRAWAL         "7"
#define SQL_LENDING            "8, 9, 10, 11, 12"
#define SQL_BORROWING          "10"
#define SQL_PERPS_TRANSFERS    "17, 18"
#define SQL_PERPS_WITHDRAWAL   "18"

/* enum exec_follow */
#define SQL_IN_FLIGHT     "1"
#define SQL_ONCE_MORE     "2"
#define SQL_FOLLOW_BRIDGE "3"

/* enum bridge_state */
#define SQL_BRIDGE_DONE     "2"
#define SQL_BRIDGE_REFUNDED "3"

/* enum effect_state */
#define SQL_OPEN     "1"
#define SQL_INCLUDED "2"
#define SQL_SETTLED  "3"
#define SQL_LOST     "4"
/* The chain, or the venue, may still carry it out. */
#define SQL_UNSETTLED "(" SQL_OPEN ", " SQL_INCLUDED ")"

/* enum approval_state */
#define SQL_APPROVAL_WAITING "1"
#define SQL_APPROVAL_GRANTED "2"
#define SQL_APPROVAL_DENIED  "3"
#define SQL_APPROVAL_LAPSED  "5"

/* enum order_status */
#define SQL_ORDER_PENDING  "1"
#define SQL_ORDER_OPEN     "2"
#define SQL_ORDER_REJECTED "5"
#define SQL_ORDER_WAITING  "6"

/* enum order_type, enum perps_tif: those that never rest */
#define SQL_ORDER_FOK "3"
#define SQL_ORDER_FAK "4"
#define SQL_PERPS_IOC "1"

/* enum event_status */
#define SQL_EVENT_PENDING   "1"
#define SQL_EVENT_DELIVERED "2"
#define SQL_EVENT_FAILED    "3"

/* enum task_state */
#define SQL_TASK_SUBMITTED      "1"
#define SQL_TASK_WORKING        "2"
#define SQL_TASK_INPUT_REQUIRED "3"
#define SQL_TASK_REJECTED       "6"
#define SQL_TASK_CANCELED       "7"

/* The number of waiting rows that figures look at: QUEUE_MOST of queues.h. */
#define SQL_QUEUE_MOST "2000"

#endif
