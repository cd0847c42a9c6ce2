#include "store/test_store.h"

static struct execution awaiting_swap(uint64_t agent_id)
{
    struct execution s = swap_terms(agent_id, 1);

    s.has_approval = true;
    s.approval = uuid_random();
    add_swap(&s, APPROVAL_LIFETIME_S);
    return s;
}

static struct approval ask_for(const struct execution *x)
{
    struct approval ap = { .id = x->approval,
                           .agent_id = x->agent_id,
                           .execution_id = x->id,
                           .state = APPROVAL_WAITING,
                           .slippage = { 30000 },
                           .why = "more than a day's worth" };

    CHECK(approvals_add(db, &ap) && ap.expires_ms != 0);
    return ap;
}

static void approvals_say_of_what(void)
{
    struct agent agent = new_agent(NULL);
    struct execution swap = awaiting_swap(agent.id), transfer = awaiting_swap(agent.id);
    struct approval first = ask_for(&swap), second = ask_for(&transfer), got, list[4];
    const struct page all = { .limit = 4 };
    const struct list_filter open = { 0 }, from = { .created = { .since_ms = 1000 } },
                             before = { .created = { .until_ms = 1000 } }, elsewhere = { .chain_id = 424242 };
    uint64_t total;

    CHECK(RAW("UPDATE executions SET kind = %d WHERE id = %d", KIND_TRANSFER, (int)transfer.id));
    CHECK(approvals_get(db, a, agent.id, &first.id, &got) == LOOKUP_FOUND && got.kind == KIND_SWAP);
    CHECK(got.execution_id == swap.id && got.state == APPROVAL_WAITING && !got.expired);
    CHECK(got.slippage.value == 30000 && got.expires_ms == first.expires_ms && got.decided_ms == 0);
    CHECK_STR(got.why, "more than a day's worth");
    CHECK(approvals_get(db, a, agent.id + 1, &first.id, &got) == LOOKUP_NONE);
    CHECK(approvals_get(db, a, 0, &second.id, &got) == LOOKUP_FOUND && got.kind == KIND_TRANSFER);
    CHECK(approvals_of_execution(db, a, transfer.id, &got) == LOOKUP_FOUND && got.kind == KIND_TRANSFER);
    CHECK(approvals_page(db, a, agent.id, 0, &open, &all, list, &total) == 2 && total == 2);
    CHECK(approvals_page(db, a, agent.id, APPROVAL_GRANTED, &open, &all, list, &total) == 0 && total == 0);
    CHECK(approvals_page(db, a, agent.id, 0, &from, &all, list, &total) == 2 && total == 2);
    CHECK(approvals_page(db, a, agent.id, APPROVAL_GRANTED, &from, &all, list, &total) == 0 && total == 0);
    CHECK(approvals_page(db, a, agent.id, 0, &before, &all, list, &total) == 0 && total == 0);
    CHECK(approvals_page(db, a, agent.id, 0, &elsewhere, &all, list, &total) == 0 && total == 0);
    CHECK(RAW("DELETE FROM executions WHERE id = %d", (int)swap.id)); /* by a purge */
    CHECK(approvals_get(db, a, agent.id, &first.id, &got) == LOOKUP_NONE);
}

static void approvals_move_once(void)
{
    struct agent agent = new_agent(NULL);
    struct execution s = awaiting_swap(agent.id);
    struct approval ap = ask_for(&s);

    CHECK(approvals_count(db, agent.id) == 1);
    CHECK(approvals_move(db, &ap, APPROVAL_LAPSED) == UNCHANGED); /* its time has not run out */
    CHECK(approvals_move(db, &ap, APPROVAL_GRANTED) == UPDATED &&
          approvals_move(db, &ap, APPROVAL_DENIED) == UNCHANGED);
    CHECK(approvals_get(db, a, agent.id, &ap.id, &ap) == LOOKUP_FOUND && ap.decided_ms != 0);
    CHECK(ap.state == APPROVAL_GRANTED && approvals_move(db, &ap, APPROVAL_USED) == UPDATED);
    CHECK(approvals_count(db, agent.id) == 0);
}

static void executions_show_their_approval(void)
{
    struct agent agent = new_agent(NULL);
    struct execution s = awaiting_swap(agent.id), without = new_swap(agent.id, 1), listed[2], got;
    struct approval ap = ask_for(&s);
    const struct page all = { .limit = 2 };

    CHECK(executions_get(db, a, 0, s.id, &got) == LOOKUP_FOUND && got.has_approval);
    CHECK(memcmp(&got.approval, &ap.id, sizeof ap.id) == 0 && got.approval_expires_ms == ap.expires_ms);
    CHECK(ap.expires_ms == got.created_ms + APPROVAL_LIFETIME_S * 1000LL);
    CHECK(executions_page(db, a, agent.id, 0, &all, listed) == 2 && listed[0].id == without.id);
    CHECK(!listed[0].has_approval && listed[0].approval_expires_ms == 0);
    CHECK(listed[1].has_approval && memcmp(&listed[1].approval, &ap.id, sizeof ap.id) == 0);
    CHECK(listed[1].approval_expires_ms == ap.expires_ms);
}

static void terms_are_kept_once(void)
{
    struct agent agent = new_agent(NULL);
    struct execution s = awaiting_swap(agent.id);
    struct approval ap = ask_for(&s);
    const char *text = "";

    CHECK(approvals_terms(db, a, agent.id, &ap.id, &text) == LOOKUP_FOUND && text == NULL);
    CHECK(approvals_keep_terms(db, agent.id + 1, &ap.id, "{}") &&
          approvals_keep_terms(db, agent.id, &ap.id, "{\"a\":1}"));
    CHECK(approvals_keep_terms(db, agent.id, &ap.id, "{}"));
    CHECK(approvals_terms(db, a, agent.id, &ap.id, &text) == LOOKUP_FOUND);
    CHECK_STR(text, "{\"a\":1}");
    CHECK(approvals_terms(db, a, agent.id + 1, &ap.id, &text) == LOOKUP_NONE);
}

STORE_TEST_MAIN(TEST(terms_are_kept_once), TEST(approvals_say_of_what), TEST(approvals_move_once),
                TEST(executions_show_their_approval))
