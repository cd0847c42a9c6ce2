#include "base/test.h"

#define approvals_get      fake_get
#define approvals_waiting  fake_waiting
#define executions_get     fake_execution
#define wallets_get        fake_wallet
#define execution_own_read fake_own
#define approval_grant     fake_grant
#define approval_deny      fake_deny
#include "operator/admin_approvals.c"

#define APPROVAL "ap_00112233445566778899aabbccddeeff"

static struct arena *a;
static const struct ctx ctx;
static int found = 1, decided = 1, waiting = 3;
static int grants, denials;

int approvals_get(struct db *db, struct arena *arena, uint64_t agent_id, const struct uuid *id,
                  struct approval *out)
{
    (void)db;
    (void)arena;
    CHECK(agent_id == 0);
    *out = (struct approval){ .id = *id };
    return found;
}

int approvals_waiting(struct db *db, struct arena *arena, struct approval **out)
{
    (void)db;
    *out = ARENA_ARRAY(arena, struct approval, 3);
    for (unsigned i = 0; i < 3; i++)
        (*out)[i] = (struct approval){ .execution_id = i + 1, .kind = KIND_SWAP };
    return waiting;
}

int executions_get(struct db *db, struct arena *arena, uint64_t agent_id, uint64_t id, struct execution *out)
{
    (void)db;
    (void)arena;
    CHECK(agent_id == 0);
    *out = (struct execution){ .id = id,
                               .kind = KIND_SWAP,
                               .wallet_id = 10 + id,
                               .from = { 1, "ETH", "0x0000000000000000000000000000000000000000", 0 },
                               .to = { 8453, "USDC", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", 6 },
                               .amount_in = u256_from_u64(7) };
    return id != 2; /* purged meanwhile */
}

/* A bridge has no row before it is approved. */
bool execution_own_read(struct db *db, struct arena *arena, struct execution_shown *x)
{
    (void)db;
    (void)arena;
    x->own = NULL;
    return true;
}

int wallets_get(struct db *db, uint64_t id, struct wallet *out)
{
    (void)db;
    *out = (struct wallet){ .id = id };
    return 1;
}

enum db_update approval_grant(struct db *db, struct arena *arena, const struct approval *ap)
{
    (void)db;
    (void)arena;
    CHECK(ap->id.bytes[1] == 0x11);
    grants++;
    return decided;
}

enum db_update approval_deny(struct db *db, struct arena *arena, const struct approval *ap)
{
    (void)db;
    (void)arena;
    (void)ap;
    denials++;
    return decided;
}

static void approvals_test_start(void)
{
    a = arena_new();
}

static void those_that_wait_are_listed_with_their_terms(void)
{
    const struct approval_terms *list;
    size_t n;

    CHECK(operator_list_approvals(&ctx, a, &list, &n) == NULL && n == 2);
    CHECK(list[0].approval.execution_id == 1 && list[0].wallet.id == 11);
    CHECK(list[1].approval.execution_id == 3 && list[1].wallet.id == 13);
    CHECK_STR(list[1].name, "swap");
    CHECK_STR(list[1].text,
              "7 ETH for at least 0 USDC  ETH: ethereum 0x0000000000000000000000000000000000000000, "
              "listed  USDC: base 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913, listed");
    waiting = 0;
    CHECK(operator_list_approvals(&ctx, a, &list, &n) == NULL && n == 0);
    waiting = -1;
    CHECK_STR(operator_list_approvals(&ctx, a, &list, &n), OPERATOR_DATABASE_FAILED);
    CHECK(n == 0);
}

static void a_decision_is_taken_once(void)
{
    CHECK(operator_decide_approval(&ctx, a, APPROVAL, true) == NULL && grants == 1 && denials == 0);
    CHECK(operator_decide_approval(&ctx, a, APPROVAL, false) == NULL && grants == 1 && denials == 1);
    decided = 0;
    CHECK_STR(operator_decide_approval(&ctx, a, APPROVAL, true), "it is decided, used or over already");
    decided = -1;
    CHECK_STR(operator_decide_approval(&ctx, a, APPROVAL, true), OPERATOR_DATABASE_FAILED);
    grants = 0;
    CHECK_STR(operator_decide_approval(&ctx, a, "ap_x", true), "no such request: ap_x");
    found = 0;
    CHECK_STR(operator_decide_approval(&ctx, a, APPROVAL, true), "no such request: " APPROVAL);
    found = -1;
    CHECK_STR(operator_decide_approval(&ctx, a, APPROVAL, true), OPERATOR_DATABASE_FAILED);
    CHECK(grants == 0);
}

static void approvals_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(approvals_test_start), TEST(those_that_wait_are_listed_with_their_terms),
          TEST(a_decision_is_taken_once), TEST(approvals_test_end))
