/* Calls of aggregators, as an independent library encodes them: the honest ones pass the guard, and each lie
 * is refused. */
#include "exec/evm/guard.c"

#include <stdio.h>

#include "venue/test_aggregator_rows.h"

static struct plan_amount amount_of(const char *token, const char *amount, bool native)
{
    struct plan_amount out = { .native = native };

    CHECK(u256_parse(&out.amount, json_string_value(test_member(amount))));
    (void)snprintf(out.token.address, sizeof out.token.address, "%s",
                   native ? TRADE_COIN : json_string_value(test_member(token)));
    return out;
}

static bool is_bridge(const struct aggregator_row *row)
{
    return strncmp(row->kind, "bridge", 6) == 0;
}

/* On the same chain, or on Base. */
static struct plan_amount arrives_of(const struct aggregator_row *row)
{
    bool far = is_bridge(row), coin = strstr(row->kind, "to coin") != NULL;
    struct plan_amount out = amount_of(far ? "bought_far" : "bought", "minimum", coin);

    out.token.chain_id = far ? 8453 : row->tx.chain_id;
    return out;
}

/* LI.FI's offers say nothing of a deadline. */
static int64_t deadline_of(const struct aggregator_row *row)
{
    return strncmp(row->form, "across", 6) == 0
               ? strtoll(json_string_value(test_member("far_deadline")), NULL, 10)
               : 0;
}

static void check_row(const struct aggregator_row *row)
{
    const struct plan_bridge bridge = { .carrier = "lifi", .deadline = deadline_of(row) };
    const struct plan p = { .chain = chain_by_id(row->tx.chain_id),
                            .wallet = json_string_value(test_member("wallet")),
                            .deadline = 1800000000,
                            .leaves = amount_of("sold", "amount", strstr(row->kind, "from coin") != NULL),
                            .arrives = arrives_of(row),
                            .bridge = is_bridge(row) ? &bridge : NULL };
    const char *why = check_tx(&p, &row->tx, NO_PROOF);
    struct trade t;

    /* Which Settler is genuine, the registry says while the plan is tried. */
    if (why == NULL && trade_read_evm(&t, p.chain, &row->tx, p.wallet, NO_PROOF) == TRADE_READ &&
        t.executor[0] != '\0' && strcmp(t.executor, json_string_value(test_member("settler"))) != 0)
        why = "a Settler that is not known";

    if ((why == NULL) != (row->lie == NULL))
        printf("%s, %s, %s: %s\n", row->form, row->kind, row->lie == NULL ? "honest" : row->lie,
               why == NULL ? "passed" : why);
    CHECK((why == NULL) == (row->lie == NULL));
}

static void lies_are_refused(void)
{
    aggregator_rows_each(check_row);
}

TEST_MAIN(TEST(lies_are_refused))
