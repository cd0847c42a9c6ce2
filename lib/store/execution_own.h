/* Data of a kind in addition to its executions, in a table of its own, one row `o` for each of them, by
 * (agent_id, execution_id): read by its execution, or by the page with the columns that lists show. */
#ifndef STORE_EXECUTION_OWN_H
#define STORE_EXECUTION_OWN_H

#include "base/arena.h"
#include "base/lookup.h"
#include "model/agent.h"
#include "model/execution.h"
#include "model/page.h"
#include "store/columns.h"
#include "store/db.h"
#include "store/list_filter.h"
#include "store/states.h"

/* Columns of execution `x` that lists show; its token is in the columns `name` and in `t`. */
#define OWN_SHOWN(NEXT, name, t)                                                                             \
    NEXT("e.kind", x->kind = (enum exec_kind_id)col_u64(st, i))                                              \
    NEXT("e.status", x->status = (enum exec_status)col_u64(st, i))                                           \
    NEXT("e.venue", col_string(st, i, x->venue, sizeof x->venue))                                            \
    TOKEN(NEXT, name, t)                                                                                     \
    NEXT("e.amount_in", x->amount_in = col_u256(st, i))                                                      \
    NEXT("e.expected_out", x->expected_out = col_u256(st, i))                                                \
    NEXT("e.amount_out", x->has_amount_out = col_maybe_u256(st, i, &x->amount_out))                          \
    NEXT("e.tx_hash", col_tx_hash(st, i, &x->tx_hash))                                                       \
    NEXT("e.error_message", x->error_message = col_text(st, i, a))                                           \
    NEXT("e.created_at", x->created_ms = col_ms(st, i))                                                      \
    NEXT("e.completed_at", x->completed_ms = col_ms(st, i))

#define OWN_TOTAL(kinds)                                                                                     \
    "SELECT COALESCE(SUM(n), 0) FROM execution_totals WHERE agent_id = ? AND "                               \
    "kind IN (" kinds ") AND (? = 0 OR kind = ?) AND (? = 0 OR listed = ?)"

/* The pages, each of one statement, whose first column is the total: with `kinds` the numbers of all its
 * kinds, `columns` of the table and of what it is joined with by `more`. Where nearly all is wanted they
 * begin with the table's rows, newest first, by `index`; where what has not completed is, with the agent's
 * few executions of that status that no swaps are, and so read as little. The server would rather begin
 * elsewhere. `only` is a further condition with one value. */
enum own_way { OWN_ANY, OWN_COMPLETED, OWN_OTHERS, OWN_WAYS };
#define OWN_PAGES(kinds, columns, table, more, index, only)                                                  \
    {                                                                                                        \
        [OWN_ANY] = OWN_SELECT(kinds, columns) OWN_BY_ROWS(table, more, index, only) OWN_NEWEST,             \
        [OWN_COMPLETED] =                                                                                    \
            OWN_SELECT(kinds, columns) OWN_BY_ROWS(table, more, index, only) " AND e.listed = ?" OWN_NEWEST, \
        [OWN_OTHERS] = OWN_SELECT(kinds, columns)                                                            \
            OWN_BY_STATUS(table, more, only) " AND e.listed = ? ORDER BY e.id" OWN_PART,                     \
    }
#define OWN_SELECT(kinds, columns) "SELECT STRAIGHT_JOIN (" OWN_TOTAL(kinds) "), " columns
/* The one of all, where the agent's row has their total. */
#define OWN_WHOLE_PAGE(columns, table, index)                                                                \
    "SELECT STRAIGHT_JOIN 0, " columns OWN_BY_ROWS(table, "", index, "") OWN_NEWEST
#define OWN_BY_ROWS(table, more, index, only)                                                                \
    " FROM " table " o FORCE INDEX (" index ") JOIN executions e ON e.id = o.execution_id" more              \
    " WHERE o.agent_id = ?" only
#define OWN_BY_STATUS(table, more, only)                                                                     \
    " FROM executions e FORCE INDEX (agent_listed_page) JOIN " table                                         \
    " o ON o.agent_id = e.agent_id AND o.execution_id = e.id" more                                           \
    " WHERE e.agent_id = ? AND e.in_swaps = 0" only
#define OWN_PART   " DESC LIMIT ? OFFSET ?"
#define OWN_NEWEST " ORDER BY o.execution_id" OWN_PART

/* Where chain, token or time are wanted too: the agent's rows, newest first,
 * and a total that counts them. */
#define OWN_FILTERED(columns, table, more, index)                                                            \
    "SELECT STRAIGHT_JOIN 0, " columns OWN_FILTERED_ROWS(table, more, index) OWN_NEWEST
#define OWN_FILTERED_TOTAL(table, index) "SELECT STRAIGHT_JOIN COUNT(*)" OWN_FILTERED_ROWS(table, "", index)
#define OWN_FILTERED_ROWS(table, more, index)                                                                \
    OWN_BY_ROWS(table, more, index, "")                                                                      \
    " AND (? = 0 OR e.kind = ?) AND (? = 0 OR e.listed = ?)" SQL_LIST_FILTER

/* Which of an agent's are wanted; 0: any. */
struct own_filter {
    enum exec_kind_id kind;
    enum exec_status listed;
    struct list_filter more;
};
bool own_filter_is_open(const struct own_filter *f); /* to all */
bool own_filter_counts(const struct own_filter *f);  /* whether its total is counted rather than kept */

/* A row of a page. */
struct own_listed {
    struct execution execution; /* what lists show of it, and its id and kind */
    const void *own;            /* in the arena; NULL: nothing was read with it */
};
/* The agent's, newest first, at most p->limit, texts in the arena, and how many there are. Returns how many
 * are read, or -1. */
typedef int own_page_fn(struct db *db, struct arena *a, const struct agent *agent, const struct own_filter *f,
                        const struct page *p, struct own_listed *out, uint64_t *total);

/* A table's statements. */
struct own_statements {
    const char *get;                /* of one execution's row, whose id is the only value */
    const char *total;              /* OWN_TOTAL */
    const char *pages[2][OWN_WAYS]; /* OWN_PAGES; of one kind: those of [1], which may be missing */
    const char *whole;              /* OWN_WHOLE_PAGE, in place of the one of all; or NULL */
    const char *filtered, *filtered_total;
};

/* Runs one of them; the caller reads the row, or the rows that follow. */
enum lookup own_get(struct db *db, const struct own_statements *s, uint64_t execution_id, struct stmt **st);
/* NULL: the database failed. The rows of a page with own_filter_counts show no
 * total. */
struct stmt *own_page(struct db *db, const struct own_statements *s, uint64_t agent_id,
                      const struct own_filter *f, const struct page *p);
/* The total where no row shows it: of a page after the last row, or with
 * own_filter_counts. */
bool own_count(struct db *db, const struct own_statements *s, uint64_t agent_id, const struct own_filter *f,
               uint64_t *total);

#endif
