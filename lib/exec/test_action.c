#define commit_approval_find played_find
#define commit_explain       played_explain
#define commit_run           played_run
#define commit_send          played_send
#define exec_kind_of         played_kind
#define executions_get       played_execution
#define wallets_get          played_wallet
#include "exec/action.c"

#include "base/test.h"

/* A market's action that notes what is asked of it. */
struct scene_op {
    struct action_op op;
    int sum;
};
struct scene_asked {
    struct action_asked by;
    int number;
};

static struct {
    struct approval approval;
    enum lookup finds;
    struct execution stored;
    const struct err *begins, *plans, *runs; /* the refusal of each */
    unsigned begun, resumed, planned, run, sent, explained;
    struct execution terms;
    const struct approval *approved;
    struct ppm slippage;
    uint64_t wallet;
} scene;

static const struct err *scene_begin(void *op, const void *asked)
{
    scene.begun++;
    ((struct scene_op *)op)->sum += ((const struct scene_asked *)asked)->number;
    return scene.begins;
}

static const struct err *scene_resume(void *op, const struct execution *x)
{
    scene.resumed++;
    ((struct scene_op *)op)->sum += (int)x->amount_in.limb[0];
    return NULL;
}

static const struct err *scene_plan(void *op, struct commit *c)
{
    scene.planned++;
    c->terms = (struct execution){ .amount_in = u256_from_u64((uint64_t)((struct scene_op *)op)->sum) };
    return scene.plans;
}

static const struct err *scene_explain(void *op, const struct commit *c, const struct err *e)
{
    (void)op;
    (void)c;
    scene.explained++;
    return e == &E_BALANCE ? &E_ALLOWANCE : e;
}

static const struct commit_hooks scene_hooks;
static const struct action scene_action = { .op_size = sizeof(struct scene_op),
                                            .failure = &E_TRANSFER_FAILED,
                                            .hooks = &scene_hooks,
                                            .begin = scene_begin,
                                            .resume = scene_resume,
                                            .plan = scene_plan,
                                            .explain = scene_explain };
static const struct exec_kind scene_kind = { .action = &scene_action }, other_kind = { .name = "other" };

const struct exec_kind *played_kind(enum exec_kind_id id)
{
    return id == KIND_WITHDRAWAL ? &scene_kind : &other_kind;
}

enum lookup played_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *text,
                        struct approval *out)
{
    (void)ctx;
    (void)a;
    (void)agent_id;
    CHECK_STR(text, "ap_1");
    *out = scene.approval;
    return scene.finds;
}

const struct err *played_explain(struct commit *c, const struct err *e)
{
    return c->approved != NULL && e == &E_GAS ? &E_APPROVAL_EXPIRED : e;
}

const struct err *played_run(struct commit *c)
{
    scene.run++;
    scene.terms = c->terms;
    scene.approved = c->approved;
    scene.slippage = c->slippage;
    scene.wallet = c->wallet->id;
    return scene.runs;
}

void played_send(struct commit *c)
{
    (void)c;
    scene.sent++;
}

enum lookup played_execution(struct db *db, struct arena *a, uint64_t agent_id, uint64_t id,
                             struct execution *out)
{
    (void)db;
    (void)a;
    (void)agent_id;
    *out = scene.stored;
    return id == scene.stored.id ? LOOKUP_FOUND : LOOKUP_NONE;
}

enum lookup played_wallet(struct db *db, uint64_t id, struct wallet *out)
{
    (void)db;
    *out = (struct wallet){ .id = id };
    return LOOKUP_FOUND;
}

static struct arena *a;

static void scene_open(void)
{
    a = a != NULL ? a : arena_new();
    memset(&scene, 0, sizeof scene);
    scene.finds = LOOKUP_FOUND;
    scene.stored = (struct execution){
        .id = 7, .kind = KIND_WITHDRAWAL, .wallet_id = 3, .amount_in = u256_from_u64(40)
    };
    scene.stored.once.bytes[0] = 9;
    scene.approval = (struct approval){
        .execution_id = 7, .kind = KIND_WITHDRAWAL, .state = APPROVAL_GRANTED, .slippage = { 5000 }
    };
}

static const struct err *start(const char *approval_id, struct commit_result *out)
{
    const struct scene_asked asked = { .by = { approval_id }, .number = 20 };
    const struct agent agent = { .id = 1 };
    static const struct ctx ctx;

    return action_start(&ctx, a, &agent, KIND_WITHDRAWAL, &asked, NULL, out);
}

static void a_new_one_is_begun_planned_committed_and_sent(void)
{
    struct commit_result out;

    scene_open();
    CHECK(start(NULL, &out) == NULL && scene.begun == 1 && scene.resumed == 0 && scene.sent == 1);
    CHECK(scene.terms.kind == KIND_WITHDRAWAL && scene.terms.amount_in.limb[0] == 20);
    CHECK(scene.terms.once.bytes[0] != 0 || scene.terms.once.bytes[1] != 0);
    CHECK(scene.approved == NULL && scene.explained == 0);
}

static void a_refusal_ends_it_where_it_is_and_is_explained(void)
{
    struct commit_result out;

    scene_open();
    scene.begins = &E_BALANCE;
    CHECK(start(NULL, &out) == &E_ALLOWANCE && scene.planned == 0 && scene.run == 0);
    scene_open();
    scene.plans = &E_BALANCE;
    CHECK(start(NULL, &out) == &E_ALLOWANCE && scene.planned == 1 && scene.run == 0);
    scene_open();
    scene.runs = &E_BALANCE;
    CHECK(start(NULL, &out) == &E_ALLOWANCE && scene.run == 1 && scene.sent == 0);
}

static void an_approved_one_keeps_its_terms_wallet_and_identity(void)
{
    struct commit_result out;

    scene_open();
    CHECK(start("ap_1", &out) == NULL && scene.begun == 0 && scene.resumed == 1 && scene.sent == 1);
    CHECK(scene.terms.amount_in.limb[0] == 40 && scene.terms.once.bytes[0] == 9 && scene.wallet == 3);
    CHECK(scene.approved != NULL && scene.slippage.value == 5000);
    scene_open();
    scene.plans = &E_GAS; /* the approval's state comes before other refusals */
    CHECK(start("ap_1", &out) == &E_APPROVAL_EXPIRED && scene.run == 0);
}

static void an_approval_that_cannot_be_used_plans_nothing(void)
{
    struct commit_result out;

    scene_open();
    scene.approval.state = APPROVAL_WAITING;
    CHECK(start("ap_1", &out) == NULL && out.awaits && scene.resumed == 0 && scene.run == 0);
    scene_open();
    scene.approval.state = APPROVAL_DENIED;
    CHECK(start("ap_1", &out) == &E_APPROVAL_DENIED && scene.resumed == 0);
    scene_open();
    scene.approval.kind = KIND_SWAP;
    CHECK(start("ap_1", &out) == &E_APPROVAL_NOT_FOUND && scene.resumed == 0);
    scene_open();
    scene.finds = LOOKUP_ERROR;
    CHECK(start("ap_1", &out) == &E_TRANSFER_FAILED);
    scene.finds = LOOKUP_FOUND;
    scene.stored.id = 8;
    CHECK(start("ap_1", &out) == &E_TRANSFER_FAILED && scene.resumed == 0);
}

static void one_of_another_action_is_not_found(void)
{
    const struct ctx ctx = { .db = NULL };
    struct execution x;

    scene_open();
    CHECK(action_get(&ctx, a, 1, &scene_action, 7, &x) == LOOKUP_FOUND);
    CHECK(action_get(&ctx, a, 1, &scene_action, 8, &x) == LOOKUP_NONE);
    scene.stored.kind = KIND_SWAP;
    CHECK(action_get(&ctx, a, 1, &scene_action, 7, &x) == LOOKUP_NONE);
}

TEST_MAIN(TEST(a_new_one_is_begun_planned_committed_and_sent),
          TEST(a_refusal_ends_it_where_it_is_and_is_explained),
          TEST(an_approved_one_keeps_its_terms_wallet_and_identity),
          TEST(an_approval_that_cannot_be_used_plans_nothing), TEST(one_of_another_action_is_not_found))
