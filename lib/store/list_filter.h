/* The condition of struct list_filter on executions `e`: the agent's rows are
 * read by another condition's index, so that it costs nothing more for rows of
 * others. */
#ifndef STORE_LIST_FILTER_H
#define STORE_LIST_FILTER_H

#include "model/list_filter.h"
#include "store/db.h"

/* A condition on a column of a time. */
#define SQL_LIST_PERIOD(at)                                                                                  \
    " AND " at " >= COALESCE(?, " at ") AND " at " < COALESCE(?, " at " + INTERVAL 1 SECOND)"
void bind_list_period(struct stmt *st, const struct list_period *p);

#define SQL_LIST_FILTER                                                                                      \
    " AND (? = 0 OR e.from_chain = ? OR e.to_chain = ?)"                                                     \
    " AND (? = '' OR UPPER(e.from_symbol) = ? OR UPPER(e.to_symbol) = ?)"                                    \
    " AND (? = '' OR e.from_address = ? OR e.to_address = ?)" SQL_LIST_PERIOD("e.created_at")
void bind_list_filter(struct stmt *st, const struct list_filter *f);

#endif
