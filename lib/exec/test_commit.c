/* A commit with a database, a chain and a signer of the test's own, which write down what they are asked. */
#include "base/test.h"

#define clock_mono_ms           mono_now
#define db_transact             run_transaction
#define trading_halts_hold      hold_halts
#define approvals_move          move_approval
#define wallets_lock            lock_wallet
#define wallets_nonce_set       set_nonce
#define wallet_reserved         read_reserved
#define wallet_place            look_up_blocks
#define policy_value            value_it
#define policy_decide           decide_it
#define policy_count_spend      count_it
#define commit_approval_request request_it
#define commit_approval_used    use_approval
#define commit_approval_explain explain_approval
#define executions_add          add_execution
#define executions_begin        begin_execution
#define executions_count        count_execution
#define executions_by_once      find_execution
#define transactions_add        add_transaction
#define transactions_of         list_transactions
#define bridges_add             add_bridge
#define signing_nonces_next     reserve_request_nonce
#define requests_add            add_request
#define requests_of             list_requests
#define requests_send           send_requests_of
#define outcomes_record         record_outcomes
#define signer_limited          limited_by_operator
#define broadcast_txs           broadcast_them
#define chain_ops_of            family_of_tests
#define exec_kind_of            kind_of_tests
#define elsewhere_explain       explain_elsewhere
#include "exec/commit.c"
#include "exec/spend_facts.c"

#define COIN "0x0000000000000000000000000000000000000000"
#define ME   "0x1111111111111111111111111111111111111111"

/* The answers of the test's world, and a letter for each question. */
static struct {
    unsigned nonces;  /* given out */
    uint64_t counted; /* transactions, by one node; 0: 40, by two */
    struct buf asked;
    enum tx_result end; /* of a transaction that says TX_COMMIT */
    int halted, taken, locked, added, noted;
    enum lookup far;
    const struct err *try, *check, *fit;
    bool has_key, duplicate;
    int64_t age_ms;                           /* of the state when the transaction looks at it */
    uint64_t native, reserved, left_reserved; /* the last one once blocks were looked up */
    enum policy_verdict verdict;
    bool unlimited;
    uint64_t turn; /* that the locked wallet has */
    bool recorded;
    uint8_t recorded_hash;
    enum kind_halts halts;
    enum kind_policies policies;
} world;

static struct exec_kind kind;

static struct plan plan;
static struct commit commit;

static void ask_letter(const char *letter)
{
    buf_adds(&world.asked, letter);
}

int64_t clock_mono_ms(void)
{
    return 1000000;
}

enum tx_result db_transact(struct db *db, tx_fn *fn, void *arg)
{
    ask_letter("(");
    switch (fn(db, arg)) {
    case TX_COMMIT:
        ask_letter(")");
        return world.end;
    case TX_ROLLBACK:
        ask_letter("!");
        return TX_REFUSED;
    case TX_FAILED:
        break;
    }
    ask_letter("?");
    return TX_BROKEN;
}

enum lookup trading_halts_hold(struct db *db, uint64_t agent_id)
{
    (void)db;
    CHECK(agent_id == (world.halts == HALTED_BY_ALL ? HALT_ALL : 5));
    ask_letter("h");
    return world.halted;
}

enum db_update approvals_move(struct db *db, const struct approval *ap, enum approval_state to)
{
    (void)db;
    (void)ap;
    CHECK(to == APPROVAL_USED);
    ask_letter("a");
    return world.taken;
}

enum lookup wallets_lock(struct db *db, uint64_t id, uint64_t chain_id, struct wallet_locked *out)
{
    (void)db;
    CHECK(id == 9 && chain_id == (plan.count > 0 ? 1 : 0));
    ask_letter("l");
    *out = (struct wallet_locked){ .turn = world.turn, .next_nonce = 41, .asked_ms = 2000 };
    return world.locked;
}

bool wallets_nonce_set(struct db *db, uint64_t id, uint64_t chain_id, uint64_t next)
{
    (void)db;
    CHECK(id == 9 && chain_id == 1 && next == (world.counted > 41 ? world.counted : 41) + 2);
    ask_letter("N");
    return true;
}

bool wallet_reserved(struct db *db, const struct wallet *w, const struct plan *p,
                     const struct chain_state *st, struct reservation *out)
{
    (void)db;
    (void)w;
    (void)p;
    ask_letter("r");
    *out = (struct reservation){ .native = u256_from_u64(st->placed.count > 0 ? world.left_reserved
                                                                              : world.reserved) };
    return true;
}

void wallet_place(const struct ctx *ctx, struct arena *a, const struct wallet *w, const struct plan *p,
                  struct chain_state *st)
{
    (void)ctx;
    (void)a;
    CHECK(w->id == 9 && p == &plan);
    ask_letter("P");
    st->placed.count = 1;
}

bool policy_value(const struct ctx *ctx, struct arena *a, struct spend_facts *o)
{
    (void)ctx;
    (void)a;
    CHECK(o->wallet_id == 9 && o->agent_id == 5 && o->slippage.value == 30000);
    ask_letter("v");
    o->unlimited = world.unlimited;
    return true;
}

enum policy_verdict policy_decide(struct db *db, struct arena *a, const struct spend_facts *o,
                                  const struct err **why)
{
    (void)db;
    (void)a;
    (void)o;
    ask_letter("p");
    *why = &E_POLICY;
    return world.verdict;
}

bool policy_count_spend(struct db *db, const struct spend_facts *o, uint64_t execution_id)
{
    (void)db;
    (void)o;
    CHECK(execution_id == 77);
    ask_letter("c");
    return true;
}

enum tx_verdict commit_approval_request(struct db *db, struct commit *c, const struct err *why)
{
    (void)db;
    CHECK(why == &E_POLICY);
    ask_letter("A");
    c->out->awaits = true;
    return TX_COMMIT;
}

bool commit_approval_used(struct db *db, const struct commit *c)
{
    (void)db;
    (void)c;
    ask_letter("u");
    return true;
}

const struct err *commit_approval_explain(struct commit *c, const struct err *e)
{
    (void)c;
    ask_letter("E");
    return e != NULL ? e : &E_APPROVAL_NOT_FOUND;
}

bool executions_add(struct db *db, struct execution *x, unsigned hands_off_s)
{
    (void)db;
    (void)hands_off_s;
    CHECK(x->status == EXEC_PENDING && x->agent_id == 5 && x->wallet_id == 9 && x->valid_until_ms == 7000);
    ask_letter("x");
    x->id = 77;
    return true;
}

enum db_update executions_begin(struct db *db, const struct execution *x, unsigned hands_off_s)
{
    (void)db;
    (void)hands_off_s;
    CHECK(x->id == 77);
    ask_letter("b");
    return UPDATED;
}

enum db_update executions_count(struct db *db, const struct execution_move *m, size_t n)
{
    (void)db;
    CHECK(n == 1 && m->id == 77 && m->agent_id == 5 &&
          m->from == (commit.approved != NULL ? EXEC_PENDING : 0));
    ask_letter("k");
    return world.added;
}

enum lookup executions_by_once(struct db *db, uint64_t agent_id, const struct uuid *once, uint64_t *id)
{
    (void)db;
    CHECK(agent_id == 5 && once->bytes[0] == 3);
    ask_letter("f");
    *id = 77;
    return world.recorded;
}

bool transactions_add(struct db *db, struct transaction *t)
{
    (void)db;
    CHECK(t->effect.execution_id == 77);
    ask_letter("t");
    return true;
}

int transactions_of(struct db *db, struct arena *a, uint64_t execution_id, struct transaction **out)
{
    (void)db;
    CHECK(execution_id == 77);
    *out = ARENA_NEW(a, struct transaction);
    (*out)->hash = (struct tx_hash){ { world.recorded_hash }, 32 };
    return 1;
}

bool bridges_add(struct db *db, const struct bridge *b)
{
    (void)db;
    CHECK(b->execution_id == 77 && b->far_block == 500 && b->deadline_ms == 9000 && b->seconds == 40);
    CHECK(b->proof_len == 5 && b->reference == NULL);
    CHECK_STR(b->bridge_provider, "carrier");
    CHECK_STR(b->recipient, ME);
    ask_letter("B");
    return true;
}

bool signing_nonces_next(struct db *db, const uint8_t *signing_key, size_t len, uint64_t *nonce)
{
    (void)db;
    CHECK(len == 3 && memcmp(signing_key, "key", 3) == 0);
    ask_letter("m");
    *nonce = 70 + world.nonces++;
    return true;
}

bool requests_add(struct db *db, struct venue_request *r)
{
    (void)db;
    CHECK(r->effect.execution_id == 77 && r->effect.wallet_id == 9 && r->expires_ms == 5000);
    CHECK(r->signing_key_len == 3 && r->has_nonce && r->venue_key[0] == r->nonce && r->body_len == 4);
    ask_letter("w");
    return !world.duplicate;
}

int requests_of(struct db *db, struct arena *a, uint64_t execution_id, struct venue_request **out)
{
    (void)db;
    CHECK(execution_id == 77);
    *out = ARENA_NEW(a, struct venue_request);
    (*out)->venue_key[0] = world.recorded_hash;
    return 1;
}

void requests_send(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned deadline_ms,
                   bool first)
{
    (void)ctx;
    (void)a;
    CHECK(w->execution->id == 77 && w->request_count == 2 && w->chain == NULL && deadline_ms == 3000);
    CHECK(first && w->requests[1].nonce == 71);
    ask_letter("R");
    w->request_observations[0].says = VENUE_HAS;
}

void outcomes_record(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n)
{
    CHECK(n == 1 && w->known);
    (void)ctx;
    (void)a;
    CHECK(w->request_observations[0].says == VENUE_HAS &&
          w->request_observations[1].says == VENUE_UNAVAILABLE);
    ask_letter("O");
    w->execution->status = EXEC_SUBMITTED;
}

bool signer_limited(const struct signer *s)
{
    (void)s;
    return false;
}

bool broadcast_txs(const struct ctx *ctx, struct arena *a, const struct chain *c, const struct execution *x,
                   const struct transaction *txs, unsigned n, unsigned deadline_ms, bool *accepted)
{
    (void)ctx;
    (void)a;
    (void)deadline_ms;
    CHECK(c->id == 1 && x->id == 77 && n == 2 && txs[1].nonce == 42);
    ask_letter("S");
    *accepted = true;
    return true;
}

/* ---- the family ---- */

static const struct err *try_it(const struct ctx *ctx, struct arena *a, struct plan *p,
                                struct chain_state *st)
{
    (void)ctx;
    (void)a;
    ask_letter("T");
    *st = (struct chain_state){ .asked_ms = 1000000 - world.age_ms,
                                .arrives = p->arrives.amount,
                                .nonce = world.counted != 0 ? world.counted : 40,
                                .nonce_alone = world.counted != 0,
                                .native_balance = u256_from_u64(world.native),
                                .tried = true,
                                .leaves = p->leaves.amount };
    return world.try;
}

/* 100 that leave, and 10 of fees. */
static bool cost_of_it(const struct plan *p, const struct chain_state *st, struct u256 *value,
                       struct u256 *fees)
{
    (void)st;
    *value = p->leaves.amount;
    *fees = u256_from_u64(10);
    return true;
}

static bool sign_it(const struct ctx *ctx, struct arena *a, const struct signing *in, struct transaction *out)
{
    (void)ctx;
    (void)a;
    ask_letter("s");
    *out =
        (struct transaction){ .has_nonce = true, .nonce = in->nonce, .hash = { { (uint8_t)in->nonce }, 32 } };
    return world.has_key;
}

static enum lookup poll_at_far_chain(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                     uint64_t *block)
{
    (void)ctx;
    (void)a;
    CHECK(c->id == 8453);
    ask_letter("H");
    *block = 500;
    return world.far;
}

const struct err *elsewhere_explain(const struct ctx *ctx, struct arena *arena, const char *address,
                                    const struct chain *here, const char *symbol, const struct err *e)
{
    (void)ctx;
    (void)arena;
    (void)address;
    (void)here;
    (void)symbol;
    return e;
}

const struct chain_ops *chain_ops_of(const struct chain *c)
{
    static const struct chain_ops family = {
        .try_plan = try_it, .cost = cost_of_it, .sign = sign_it, .newest_block = poll_at_far_chain
    };

    CHECK(c == NULL || c->id == 1 || c->id == 8453);
    return c == NULL ? NULL : &family;
}

const struct exec_kind *exec_kind_of(enum exec_kind_id id)
{
    CHECK(id == KIND_SWAP);
    kind = (struct exec_kind){ .name = "swap", .halts = world.halts, .policies = world.policies };
    return &kind;
}

/* ---- the venue ---- */

static bool sign_request(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                         struct venue_request *out)
{
    (void)ctx;
    (void)a;
    CHECK(in->wallet->id == 9 && in->request->order != NULL && in->nonce == out->nonce);
    CHECK(in->expires_ms == 5000);
    ask_letter("k");
    out->venue_key[0] = (uint8_t)in->nonce;
    out->body = (const uint8_t *)"body";
    out->body_len = 4;
    return world.has_key;
}

static const struct venue exchange = { .name = "exchange", .has_nonces = true, .sign = sign_request };

/* ---- the market ---- */

static const struct err *check_it(const struct commit *c)
{
    (void)c;
    ask_letter("C");
    return world.check;
}

static int take_it(const struct commit *c, struct db *db)
{
    (void)c;
    (void)db;
    ask_letter("q");
    return world.taken;
}

static const struct err *fit_it(struct commit *c, const struct reservation *reserved)
{
    CHECK(u256_cmp(reserved->native, u256_from_u64(c->looks_up ? world.left_reserved : world.reserved)) == 0);
    ask_letter("F");
    c->plan->leaves.amount = u256_from_u64(50);
    return world.fit;
}

static const struct err *explain_it(struct commit *c, const struct err *e)
{
    (void)c;
    ask_letter("e");
    return e != NULL ? e : &E_QUOTE_NOT_FOUND;
}

static int note_it(void *arg, const struct commit_result *r)
{
    (void)arg;
    CHECK(r->awaits || r->execution.id == 77);
    ask_letter("o");
    return world.noted;
}

/* ---- cases ---- */

static struct arena *a;
static const struct ctx ctx;
static const struct wallet wallet = { .id = 9, .agent_id = 5, .ref.address = ME };
static const struct commit_hooks sell = { .check = check_it, .take = take_it, .explain = explain_it };
static const struct commit_hooks empty = { .fit = fit_it };
static const struct commit_note note = { .fn = note_it };
static const struct approval approval = { .execution_id = 77 };
static const struct operator_mac operator_mac;
static struct commit_result result;

static void begin_case(const struct commit_hooks *hooks)
{
    buf_free(&world.asked);
    memset(&world, 0, sizeof world);
    world.asked = (struct buf)BUF_INIT(1024);
    world.taken = world.locked = world.added = world.noted = 1;
    world.has_key = true;
    world.native = 1000;
    world.verdict = POLICY_FREE;
    result = (struct commit_result){ .lost_to = 0 };
    plan = (struct plan){ .chain = chain_by_id(1),
                          .wallet = ME,
                          .deadline = 7,
                          .steps = { { .to = ME }, { .to = ME } },
                          .count = 2,
                          .spend = 1,
                          .leaves = { .token.address = COIN, .native = true, .amount = u256_from_u64(100) } };
    commit = (struct commit){ .ctx = &ctx,
                              .arena = a,
                              .wallet = &wallet,
                              .plan = &plan,
                              .terms = { .kind = KIND_SWAP, .once = { { 3 } } },
                              .slippage = { 30000 },
                              .hooks = hooks,
                              .failure = &E_SWAP_EXECUTION,
                              .out = &result };
}

static const char *letters_asked(void)
{
    return buf_text(&world.asked);
}

/* Nothing is signed before all locks are held and all checks have passed, and nothing is sent that is not
 * committed. */
static void the_order_of_work(void)
{
    begin_case(&sell);
    commit.note = &note;
    CHECK(commit_run(&commit) == NULL && result.execution.id == 77);
    commit_send(&commit);
    CHECK_STR(letters_asked(), "TCv(hqlrpssNxttko)S");
    CHECK(result.execution.status == EXEC_SUBMITTED && result.execution.tx_hash.bytes[0] == 42);
}

/* The far chain is asked before anything is signed. */
static void a_bridge_is_stored_beside_its_transaction(void)
{
    static const struct plan_bridge bridge = { .bridge_provider = "carrier", .deadline = 9, .seconds = 40 };

    begin_case(&sell);
    plan.bridge = &bridge;
    plan.steps[plan.spend].proof = (const uint8_t *)"order";
    plan.steps[plan.spend].proof_len = 5;
    plan.arrives.token.chain_id = 8453;
    world.far = LOOKUP_ERROR;
    CHECK(err_is(commit_run(&commit), &E_UPSTREAM));
    CHECK_STR(letters_asked(), "He");
    begin_case(&sell);
    plan.bridge = &bridge;
    plan.steps[plan.spend].proof = (const uint8_t *)"order";
    plan.steps[plan.spend].proof_len = 5;
    plan.arrives.token.chain_id = 8453;
    world.far = LOOKUP_FOUND;
    CHECK(commit_run(&commit) == NULL);
    CHECK_STR(letters_asked(), "HTCv(hqlrpssNxttBk)");
}

/* Results from before the transaction hold as long as the wallet's turn is the same. */
static void a_policy_that_comes_meanwhile_counts(void)
{
    for (uint64_t turn = 0; turn < 2; turn++) {
        begin_case(&sell);
        world.unlimited = true;
        world.turn = turn;
        world.verdict = POLICY_REFUSES;
        CHECK(commit_run(&commit) == (turn == 0 ? NULL : &E_POLICY));
        CHECK_STR(letters_asked(), turn == 0 ? "TCv(hqlrssNxttk)" : "TCv(hqlrp!e");
    }
}

static void an_approval_takes_the_place_of_the_quote(void)
{
    begin_case(&sell);
    commit.approved = &approval;
    world.verdict = POLICY_ALLOWS;
    CHECK(commit_run(&commit) == NULL);
    CHECK_STR(letters_asked(), "TCv(halrpssNbttkcu)");
}

static void executions_awaiting_approval_are_not_sent(void)
{
    begin_case(&sell);
    commit.note = &note;
    world.verdict = POLICY_ASKS;
    CHECK(commit_run(&commit) == NULL && result.awaits);
    commit_send(&commit);
    CHECK_STR(letters_asked(), "TCv(hqlrpAo)");
}

/* Neither halts nor policies hold the operator, and what leaves is set under the lock. */
static void the_operator_is_held_by_nothing(void)
{
    begin_case(&empty);
    commit.operator_mac = &operator_mac;
    world.halts = HALTED_NEVER;
    world.policies = POLICIES_NONE;
    world.halted = 1;
    world.verdict = POLICY_REFUSES;
    world.native = 60; /* too little for what leaves at first */
    CHECK(commit_run(&commit) == NULL);
    CHECK_STR(letters_asked(), "T(lrFssNxttk)");
}

/* 41 are known here: far above that it is one node's word against our own record. */
static void one_node_cannot_open_a_long_nonce_gap(void)
{
    begin_case(&sell);
    world.counted = 105;
    CHECK(commit_run(&commit) == NULL);
    begin_case(&sell);
    world.counted = 106;
    CHECK(err_is(commit_run(&commit), &E_UPSTREAM));
    CHECK_STR(letters_asked(), "TCv(hqlr!e");
}

/* Money that comes home: the stop of all holds it, that of its agent is not looked for. */
static void withdrawals_home_are_halted_by_the_stop_of_all_only(void)
{
    for (int halted = 0; halted < 2; halted++) {
        begin_case(&sell);
        world.halts = HALTED_BY_ALL;
        world.policies = POLICIES_NONE;
        world.verdict = POLICY_REFUSES;
        world.halted = halted;
        CHECK(commit_run(&commit) == (halted == 0 ? NULL : &E_PAUSED));
        CHECK_STR(letters_asked(), halted == 0 ? "TC(hqlrssNxttk)" : "TC(h!e");
    }
}

/* Policies decide what goes where, and nothing of it counts in their limits. */
static void funds_that_stay_the_wallets_do_not_count(void)
{
    begin_case(&sell);
    world.policies = POLICIES_WATCH;
    world.verdict = POLICY_ALLOWS;
    CHECK(commit_run(&commit) == NULL && u256_is_zero(commit.spend_facts.amount_in));
    CHECK_STR(letters_asked(), "TCv(hqlrpssNxttk)");
    begin_case(&sell);
    world.policies = POLICIES_WATCH;
    world.verdict = POLICY_REFUSES;
    CHECK(commit_run(&commit) == &E_POLICY);
}

static void market_tells(const struct commit *c, struct spend_facts *o)
{
    CHECK(c == &commit);
    o->has_health = true;
    o->health_after = u256_from_u64(7);
}

/* Policies see what arrives, and what its market knows of it, and count that. */
static void policies_count_what_a_loan_brings(void)
{
    struct commit_hooks hooks = sell;

    hooks.spend_facts = market_tells;
    begin_case(&hooks);
    world.policies = POLICIES_DEBT;
    world.verdict = POLICY_ALLOWS;
    (void)snprintf(plan.arrives.token.symbol, sizeof plan.arrives.token.symbol, "DEBT");
    plan.arrives.amount = u256_from_u64(50);
    CHECK(commit_run(&commit) == NULL && commit.spend_facts.borrowed);
    CHECK(u256_cmp(commit.spend_facts.amount_in, u256_from_u64(50)) == 0);
    CHECK_STR(commit.spend_facts.from.symbol, "DEBT");
    CHECK(commit.spend_facts.has_health && commit.spend_facts.health_after.limb[0] == 7);
    CHECK_STR(letters_asked(), "TCv(hqlrpssNxttkc)");
    begin_case(&sell);
    CHECK(commit_run(&commit) == NULL && !commit.spend_facts.borrowed);
    CHECK(u256_cmp(commit.spend_facts.amount_in, plan.leaves.amount) == 0);
}

static void add_requests(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        plan.requests[plan.request_count++] = (struct plan_request){ .venue = &exchange,
                                                                     .order = "sell",
                                                                     .signing_key = (const uint8_t *)"key",
                                                                     .signing_key_len = 3,
                                                                     .expires_ms = i == 0 ? 5000 : 0,
                                                                     .valid_ms = i == 0 ? 0 : 3000 };
}

/* Requests ask no chain, get their nonces under the wallet's lock, and are sent only after the commit. */
static void requests_in_the_order_of_work(void)
{
    begin_case(&sell);
    plan.chain = NULL;
    plan.count = 0;
    add_requests(2);
    commit.note = &note;
    world.native = 0;
    CHECK(commit_run(&commit) == NULL && result.execution.id == 77);
    CHECK(commit.requests[0].nonce == 70 && commit.requests[1].nonce == 71);
    commit_send(&commit);
    CHECK_STR(letters_asked(), "Cv(hqlmmpkkxwwko)RO");
    CHECK(result.execution.status == EXEC_SUBMITTED);
}

/* An allowance on the chain, then an order that needs it: the order is signed and stored with it, and is sent
 * by the follower. */
static void steps_and_requests_together(void)
{
    begin_case(&sell);
    add_requests(1);
    CHECK(commit_run(&commit) == NULL);
    commit_send(&commit);
    CHECK_STR(letters_asked(), "TCv(hqlmrpsskNxttwk)S");
}

static void refusals_of_requests(void)
{
    begin_case(&empty);
    plan.count = 0;
    add_requests(1);
    world.fit = &E_BALANCE; /* what is at the venue is counted by the market */
    CHECK(commit_run(&commit) == &E_BALANCE);
    CHECK_STR(letters_asked(), "v(hlmF!");

    begin_case(&sell);
    plan.count = 0;
    add_requests(1);
    world.has_key = false;
    CHECK(commit_run(&commit) == &E_SWAP_EXECUTION);
    CHECK_STR(letters_asked(), "Cv(hqlmpk!e");

    begin_case(&sell);
    plan.count = 0;
    add_requests(1);
    world.duplicate = true; /* key or nonce: nothing is stored and nothing is sent */
    CHECK(commit_run(&commit) == &E_SWAP_EXECUTION);
    CHECK_STR(letters_asked(), "Cv(hqlmpkxw?");
}

static void an_unknown_commit_of_requests(void)
{
    for (int ours = 0; ours < 2; ours++) {
        begin_case(&sell);
        plan.count = 0;
        add_requests(1);
        commit.approved = &approval;
        world.end = TX_UNKNOWN;
        world.recorded = true;
        world.recorded_hash = ours == 1 ? 70 : 0;
        CHECK(commit_run(&commit) == (ours == 1 ? NULL : &E_SWAP_EXECUTION));
    }
}

static void refusals(void)
{
    static const struct {
        const char *asked;
        const struct err *want;
        int halted, taken, locked, added, noted;
        bool no_key;
        uint64_t native, reserved;
        enum policy_verdict verdict;
    } rows[] = {
        { "TCv(h!e", &E_PAUSED, 1, 1, 1, 1, 1, false, 1000, 0, POLICY_FREE },
        { "TCv(h?", &E_SWAP_EXECUTION, -1, 1, 1, 1, 1, false, 1000, 0, POLICY_FREE },
        { "TCv(hq!e", &E_QUOTE_NOT_FOUND, 0, 0, 1, 1, 1, false, 1000, 0, POLICY_FREE },
        { "TCv(hql!e", &E_UNAUTHORIZED, 0, 1, 0, 1, 1, false, 1000, 0, POLICY_FREE },
        { "TCv(hqlr!TCvP(hqlr!e", &E_GAS, 0, 1, 1, 1, 1, false, 1000, 891, POLICY_FREE },
        { "TCv(hqlrp!e", &E_POLICY, 0, 1, 1, 1, 1, false, 1000, 890, POLICY_REFUSES },
        { "TCv(hqlrp?", &E_SWAP_EXECUTION, 0, 1, 1, 1, 1, false, 1000, 0, POLICY_BROKEN },
        { "TCv(hqlrps!e", &E_SWAP_EXECUTION, 0, 1, 1, 1, 1, true, 1000, 0, POLICY_FREE },
        { "TCv(hqlrpssNxttk!e", &E_UNAUTHORIZED, 0, 1, 1, 0, 1, false, 1000, 0, POLICY_FREE },
        { "TCv(hqlrpssNxttko!e", &E_IN_PROGRESS, 0, 1, 1, 1, 0, false, 1000, 0, POLICY_FREE },
        { "Te", &E_GAS, 0, 1, 1, 1, 1, false, 109, 0, POLICY_FREE },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin_case(&sell);
        commit.note = &note;
        world.halted = rows[i].halted;
        world.taken = rows[i].taken;
        world.locked = rows[i].locked;
        world.added = rows[i].added;
        world.noted = rows[i].noted;
        world.has_key = !rows[i].no_key;
        world.native = rows[i].native;
        world.reserved = world.left_reserved = rows[i].reserved;
        world.verdict = rows[i].verdict;
        CHECK(commit_run(&commit) == rows[i].want);
        CHECK_STR(letters_asked(), rows[i].asked);
    }
}

/* An amount that has been taken already counts once, as taken: before a reservation decides, blocks are
 * looked up. */
static void nothing_counts_twice(void)
{
    begin_case(&sell);
    commit.note = &note;
    world.reserved = 900;
    world.left_reserved = 800;
    CHECK(commit_run(&commit) == NULL && result.execution.id == 77);
    CHECK_STR(letters_asked(), "TCv(hqlr!TCvP(hqlrpssNxttko)");
    begin_case(&empty); /* all that there is: any reservation makes it less */
    world.native = 1000;
    world.reserved = 1;
    CHECK(commit_run(&commit) == NULL);
    CHECK_STR(letters_asked(), "Tv(hlr!TvP(hlrFpssNxttk)");
    begin_case(&sell); /* there is too little without it */
    world.native = 109;
    world.reserved = 1;
    CHECK(commit_run(&commit) == &E_GAS);
    CHECK_STR(letters_asked(), "Te");
}

static void refusals_of_chain_and_market_are_returned(void)
{
    begin_case(&sell);
    world.try = &E_UPSTREAM;
    CHECK(commit_run(&commit) == &E_UPSTREAM);
    CHECK_STR(letters_asked(), "Te");
    begin_case(&sell);
    world.check = &E_PRICE_IMPACT;
    CHECK(commit_run(&commit) == &E_PRICE_IMPACT);
    CHECK_STR(letters_asked(), "TCe");
    begin_case(&empty);
    world.fit = &E_BALANCE;
    CHECK(commit_run(&commit) == &E_BALANCE);
    CHECK_STR(letters_asked(), "Tv(hlrF!");
}

/* Others may reserve the whole balance of a token: an execution that takes nothing of it still runs. */
static void nothing_that_leaves_needs_no_balance(void)
{
    const struct reservation taken = { .native = U256_ZERO, .token = { { 5 } } };

    begin_case(&sell);
    commit.family = chain_ops_of(plan.chain);
    commit.state.native_balance = u256_from_u64(1000);
    plan.leaves.native = false;
    plan.leaves.amount = U256_ZERO;
    CHECK(check_funds(&commit, &taken) == NULL);
    plan.leaves.amount = u256_from_u64(1);
    CHECK(err_is(check_funds(&commit, &taken), &E_BALANCE));
}

/* A chain's answer that is too old is asked for again, but not for ever. */
static void old_news(void)
{
    begin_case(&sell);
    world.age_ms = STATE_GOOD_MS + 1;
    CHECK(commit_run(&commit) == &E_SWAP_EXECUTION);
    CHECK_STR(letters_asked(), "TCv(hqlr!eTCv(hqlr!eTCv(hqlr!e");
}

/* The connection died during COMMIT: what is recorded decides, and only if it is ours. */
static void an_unknown_commit(void)
{
    begin_case(&sell);
    world.end = TX_UNKNOWN;
    CHECK(commit_run(&commit) == &E_SWAP_EXECUTION);
    begin_case(&sell);
    world.end = TX_UNKNOWN;
    world.recorded = true;
    CHECK(commit_run(&commit) == NULL);
    CHECK_STR(letters_asked(), "TCv(hqlrpssNxttk)f");
    for (int ours = 0; ours < 2; ours++) {
        begin_case(&sell);
        commit.approved = &approval;
        world.end = TX_UNKNOWN;
        world.recorded = true;
        world.recorded_hash = ours == 1 ? 41 : 0;
        CHECK(commit_run(&commit) == (ours == 1 ? NULL : &E_SWAP_EXECUTION));
    }
}

static void commit_test_start(void)
{
    a = arena_new();
}

static void commit_test_end(void)
{
    buf_free(&world.asked);
    arena_free(a);
}

TEST_MAIN(TEST(commit_test_start), TEST(the_order_of_work), TEST(a_bridge_is_stored_beside_its_transaction),
          TEST(a_policy_that_comes_meanwhile_counts), TEST(an_approval_takes_the_place_of_the_quote),
          TEST(executions_awaiting_approval_are_not_sent), TEST(one_node_cannot_open_a_long_nonce_gap),
          TEST(the_operator_is_held_by_nothing), TEST(withdrawals_home_are_halted_by_the_stop_of_all_only),
          TEST(funds_that_stay_the_wallets_do_not_count), TEST(policies_count_what_a_loan_brings),
          TEST(refusals), TEST(nothing_counts_twice), TEST(requests_in_the_order_of_work),
          TEST(steps_and_requests_together), TEST(refusals_of_requests), TEST(an_unknown_commit_of_requests),
          TEST(refusals_of_chain_and_market_are_returned), TEST(nothing_that_leaves_needs_no_balance),
          TEST(old_news), TEST(an_unknown_commit), TEST(commit_test_end))
