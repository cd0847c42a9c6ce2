/* Executions with requests from their commit to their end: the engine as it is, over a real database, with
 * a kind, a family of chains and a venue of the test's own in place of the registry's. The venue takes each
 * key once, and lives outside of the process, so that the process may be killed. */
#include <signal.h>
#include <sys/mman.h>

#define calls_run answer_calls
#include "base/clock.h"
#include "codec/hex.h"
#include "exec/commit.h"
#include "exec/follow.c"
#include "exec/notify.h"
#include "exec/venue_request.c"
#include "exec/verdict.h"
#include "model/task.h"
#include "store/test_store.h"

enum { KIND_HERE = 9, ORDERS = 64 };

/* ---- the world ---- */

static struct {
    bool down;         /* answers nothing, and takes nothing */
    bool loses;        /* takes what comes, but its answer is lost */
    bool forgets;      /* says that it knows nothing */
    bool refuses;      /* what comes */
    bool fills;        /* at once */
    bool kills;        /* the caller, once it took what came */
    const char *proof; /* what others say of it; NULL: they are silent */
    unsigned posts;    /* bodies that arrived */
    unsigned polls;    /* questions */
    unsigned cancels;
    unsigned count;
    struct {
        char key[2 * HASH_LEN + 1];
        const char *status;
    } orders[ORDERS];
    /* The chain's: in which block its transactions are. */
    uint64_t block;
    bool reverted;
    unsigned kept;     /* times that the market wrote its row */
    bool unkept;       /* it fails to */
    unsigned moved;    /* moves that the market followed */
    bool outdated;     /* the form that comes, unless it was renewed */
    bool unknown_form; /* the venue calls every request outdated */
    bool denied;       /* the first sending */
    unsigned renewed;
    unsigned told; /* moves that were announced */
    enum exec_status told_last;
} * world;

static int order_find(const char *key)
{
    for (unsigned i = 0; i < world->count; i++)
        if (strcmp(world->orders[i].key, key) == 0)
            return (int)i;
    return -1;
}

static void key_text(char out[static 2 * HASH_LEN + 1], const void *body, size_t n)
{
    uint8_t key[HASH_LEN];

    sha256(key, body, n);
    hex_encode(out, key, sizeof key);
}

static bool is_outdated(const struct call *call)
{
    return world->unknown_form ||
           (world->outdated && memmem(call->body.data, call->body.len, "renewed", 7) == NULL);
}

static void order_take(const struct call *call)
{
    char key[2 * HASH_LEN + 1];

    world->posts++;
    key_text(key, call->body.data, call->body.len);
    if (order_find(key) >= 0 && strcmp(world->orders[order_find(key)].status, "dropped") == 0)
        world->orders[order_find(key)].status = "has";
    if (world->refuses || world->denied || is_outdated(call) || order_find(key) >= 0 ||
        world->count == ORDERS)
        return;
    memcpy(world->orders[world->count].key, key, sizeof key);
    world->orders[world->count++].status = world->fills ? "filled" : "has";
}

static void world_answer(struct call *call)
{
    bool post = call->body.len > 0;
    int known;

    if (strcmp(call->url, "proof") == 0 && world->proof != NULL) {
        call->result = CALL_ANSWERED;
        buf_adds(&call->answer, world->proof);
        return;
    }
    if (strcmp(call->url, "chain") == 0 || strcmp(call->url, "proof") == 0 || world->down)
        return;
    world->polls += !post;
    if (post)
        order_take(call);
    if (post && world->kills)
        (void)raise(SIGKILL);
    if (post && world->loses)
        return;
    known = post ? (int)world->count - 1 : order_find(call->url);
    call->result = CALL_ANSWERED;
    if (post && world->denied)
        buf_adds(&call->answer, "denied");
    else if (post && is_outdated(call))
        buf_adds(&call->answer, "outdated");
    else if (post && world->refuses)
        buf_adds(&call->answer, "refused");
    else
        buf_adds(&call->answer, known < 0 || world->forgets ? "unknown" : world->orders[known].status);
}

size_t calls_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    (void)n;
    (void)deadline_ms;
    for (size_t i = 0; i < count; i++)
        world_answer(&calls[i]);
    return count;
}

/* ---- the venue's row ---- */

static bool order_sign(const struct ctx *ctx, struct arena *arena, const struct request_signing *in,
                       struct venue_request *out)
{
    const char *body = arena_printf(arena, "%s nonce=%llu by %s", (const char *)in->request->order,
                                    (unsigned long long)in->nonce, in->wallet->ref.address);

    (void)ctx;
    out->body = (const uint8_t *)body;
    out->body_len = strlen(body);
    sha256(out->venue_key, body, out->body_len);
    return true;
}

static bool order_ask_send(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                           struct arena *arena)
{
    (void)ctx;
    (void)arena;
    call_init(call, "order", 100);
    buf_add(&call->body, r->body, r->body_len);
    return true;
}

static bool order_ask_status(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                             struct arena *arena)
{
    char *key = arena_alloc(arena, 2 * HASH_LEN + 1);

    (void)ctx;
    hex_encode(key, r->venue_key, sizeof r->venue_key);
    call_init(call, key, 100);
    return true;
}

static void order_read(const struct call *call, const struct venue_request *r, struct arena *arena,
                       struct request_observation *out)
{
    static const char *const words[] = {
        [VENUE_UNAVAILABLE] = "",    [VENUE_UNKNOWN] = "unknown",  [VENUE_HAS] = "has",
        [VENUE_FILLED] = "filled",   [VENUE_REFUSED] = "refused",  [VENUE_EXPIRED] = "expired",
        [VENUE_DROPPED] = "dropped", [VENUE_OUTDATED] = "outdated"
    };

    (void)r;
    (void)arena;
    for (enum venue_says s = VENUE_UNAVAILABLE; s <= VENUE_OUTDATED; s++)
        if (strcmp(buf_text(&call->answer), words[s]) == 0)
            out->says = s;
    out->again = strcmp(buf_text(&call->answer), "denied") == 0;
    world->denied = false;
    if (out->says == VENUE_REFUSED)
        out->why = &E_BALANCE;
    if (out->says == VENUE_HAS && call->body.len > 0)
        out->venue_ref = "ref-1";
    if (out->says == VENUE_HAS && call->body.len == 0)
        out->tx_hash = (struct tx_hash){ { 7 }, 32 };
}

static bool order_ask_proof(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                            struct arena *arena)
{
    (void)ctx;
    (void)r;
    (void)arena;
    call_init(call, "proof", 100);
    return true;
}

/* Silence leaves the venue's answer. */
static void order_read_proof(const struct call *call, const struct venue_request *r, struct arena *arena,
                             struct request_observation *out)
{
    if (call->result == CALL_ANSWERED)
        order_read(call, r, arena, out);
}

static bool order_renew(const struct ctx *ctx, struct arena *arena, const struct wallet *w,
                        const struct venue_request *old, struct venue_request *out)
{
    const char *body = arena_printf(arena, "renewed %.*s", (int)old->body_len, (const char *)old->body);

    (void)ctx;
    (void)w;
    out->body = (const uint8_t *)body;
    out->body_len = strlen(body);
    out->nonce++;
    sha256(out->venue_key, body, out->body_len);
    return true;
}

static bool order_renewed(struct db *d, const struct venue_request *r)
{
    (void)d;
    CHECK(r->effect.id != 0);
    world->renewed++;
    return true;
}

static bool order_ask_cancel(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                             struct arena *arena)
{
    bool asks = order_ask_status(call, ctx, r, arena);

    world->cancels++;
    return asks;
}

/* Any answer counts as a cancel. */
static bool order_read_cancel(const struct call *call, const struct venue_request *r, struct arena *arena)
{
    (void)r;
    (void)arena;
    return call->result == CALL_ANSWERED;
}

static struct venue exchange = { .name = "exchange",
                                 .has_nonces = true,
                                 .sign = order_sign,
                                 .ask_send = order_ask_send,
                                 .read_send = order_read,
                                 .renew = order_renew,
                                 .renewed = order_renewed,
                                 .ask_status = order_ask_status,
                                 .read_status = order_read,
                                 .ask_proof = order_ask_proof,
                                 .read_proof = order_read_proof,
                                 .ask_cancel = order_ask_cancel,
                                 .read_cancel = order_read_cancel };
const struct venue *const venues[] = { &exchange, NULL };

const struct venue *venue_of(const char *name)
{
    return strcmp(name, exchange.name) == 0 ? &exchange : NULL;
}

/* ---- the kind's row ---- */

static bool market_moved(struct db *d, const struct execution_move *moves, size_t n)
{
    (void)d;
    for (size_t i = 0; i < n; i++)
        CHECK(moves[i].from != moves[i].to);
    world->moved += (unsigned)n;
    return true;
}

const struct exec_kind *exec_kind_of(enum exec_kind_id id)
{
    static const struct exec_kind order = { .name = "order",
                                            .verdict = verdict_by_requests,
                                            .moved = market_moved };

    return (int)id == KIND_HERE ? &order : NULL;
}

bool exec_in_swaps(enum exec_kind_id kind)
{
    return (int)kind != KIND_HERE;
}

bool executions_notify(struct db *d, struct arena *arena, const struct execution_move *moves, size_t n)
{
    (void)d;
    (void)arena;
    world->told += (unsigned)n;
    world->told_last = moves[n - 1].to;
    return true;
}

/* ---- the family's row ---- */

static const struct err *chain_try(const struct ctx *ctx, struct arena *arena, struct plan *p,
                                   struct chain_state *st)
{
    (void)ctx;
    (void)arena;
    (void)p;
    *st = (struct chain_state){ .asked_ms = clock_mono_ms(), .nonce = 3, .tried = true };
    st->native_balance = u256_from_u64(1000);
    return NULL;
}

static bool chain_cost(const struct plan *p, const struct chain_state *st, struct u256 *value,
                       struct u256 *fees)
{
    (void)p;
    (void)st;
    *value = U256_ZERO;
    *fees = u256_from_u64(1);
    return true;
}

static bool chain_sign(const struct ctx *ctx, struct arena *arena, const struct signing *in,
                       struct transaction *out)
{
    (void)ctx;
    (void)arena;
    *out = (struct transaction){ .effect.wallet_id = in->wallet->id,
                                 .leg = LEG_SOURCE,
                                 .chain_id = in->chain->id,
                                 .has_nonce = true,
                                 .nonce = in->nonce,
                                 .kind = in->step->kind,
                                 .hash.len = 32,
                                 .raw = (const uint8_t *)"raw",
                                 .raw_len = 3 };
    rand_bytes(out->hash.bytes, out->hash.len);
    return true;
}

static void chain_address(struct address_bytes *out, const char *text)
{
    (void)text;
    *out = (struct address_bytes){ .len = 20 };
}

static bool chain_send(const struct ctx *ctx, struct arena *arena, const struct transaction *txs, unsigned n,
                       unsigned deadline_ms, enum broadcast_result *out)
{
    (void)ctx;
    (void)arena;
    (void)txs;
    (void)deadline_ms;
    for (unsigned i = 0; i < n; i++)
        out[i] = BROADCAST_ACCEPTED;
    return true;
}

static bool chain_poll(const struct ctx *ctx, struct arena *arena, struct chain_batch *s, struct call *call)
{
    (void)ctx;
    (void)arena;
    (void)s;
    call_init(call, "chain", 1);
    return true;
}

static void chain_poll_end(const struct ctx *ctx, struct arena *arena, struct chain_batch *s)
{
    bool mined = world->block != 0;

    (void)ctx;
    (void)arena;
    call_free(s->call);
    for (struct tracked *w = s->w; w < s->w + s->count; w++) {
        w->known = true;
        for (unsigned i = 0; i < w->count; i++)
            w->observations[i] = (struct observation){ .block = world->block,
                                                       .succeeded = mined && !world->reverted,
                                                       .confirmed = mined,
                                                       .settled = mined };
    }
}

static void chain_leave(const struct ctx *ctx, struct arena *arena, struct tracked *w)
{
    (void)ctx;
    (void)arena;
    (void)w;
}

static void chain_repair(const struct ctx *ctx, struct arena *arena, struct tracked *w)
{
    (void)ctx;
    (void)arena;
    (void)w;
}

static void chain_free(struct chain_batch *s)
{
    (void)s;
}

static bool chain_end(struct db *d, const struct tracked *w)
{
    (void)d;
    (void)w;
    return true;
}

static bool chain_changes(struct account_change *out, const struct tracked *w, unsigned i)
{
    (void)out;
    (void)w;
    (void)i;
    return false;
}

static const struct chain_ops chain_family = { .try_plan = chain_try,
                                               .cost = chain_cost,
                                               .sign = chain_sign,
                                               .address_bytes = chain_address,
                                               .send = chain_send,
                                               .poll_begin = chain_poll,
                                               .poll_end = chain_poll_end,
                                               .changes = chain_changes,
                                               .poll_closely = chain_leave,
                                               .repair = chain_repair,
                                               .poll_free = chain_free,
                                               .follow_end = chain_end };
const struct chain_ops *const chain_families[] = { &chain_family, NULL };

const struct chain_ops *chain_ops_of(const struct chain *c)
{
    return c == NULL ? NULL : &chain_family;
}

/* ---- the cases ---- */

static const struct conf settings = { .recheck_s = 3600 };
static struct ctx ctx = { .conf = &settings };
static struct wallet wallet;
static struct commit_result result;

static void world_begin(void)
{
    struct agent agent;

    if (world == NULL)
        world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(world, 0, sizeof *world);
    ctx.db = db;
    agent = new_agent(NULL);
    wallet = new_wallet(&agent, arena_printf(a, "0x%040d", (int)agent.id), WALLET_EVM);
}

static struct plan_request world_order(const char *what, int64_t expires_ms)
{
    return (struct plan_request){ .venue = &exchange,
                                  .order = what,
                                  .signing_key = (const uint8_t *)wallet.ref.address,
                                  .signing_key_len = 42,
                                  .to = "0xexchange",
                                  .expires_ms = expires_ms };
}

static int64_t now_ms(void)
{
    int64_t now = 0;

    CHECK(db_clock_ms(db, &now));
    return now;
}

static bool market_store(struct commit *c, struct db *d)
{
    (void)d;
    CHECK(c->out->execution.id != 0 && c->requests[0].effect.id != 0);
    world->kept++;
    return !world->unkept;
}

/* An order that the venue refuses after a minute; with `allowance`, a transaction in front of it. */
static const struct err *order_commit(struct commit *c, struct plan *p, bool allowance)
{
    static const struct commit_hooks hooks = { .store = market_store };

    *p = (struct plan){ .wallet = wallet.ref.address, .deadline = now_ms() / 1000 + 3600 };
    p->leaves.token = (struct token_ref){ 1, "USDC", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", 6 };
    p->requests[p->request_count++] = world_order("buy", now_ms() + 60000);
    if (allowance) {
        p->chain = chain_by_id(1);
        p->steps[p->count++] = (struct step){ .kind = TX_APPROVAL, .to = "0xtoken" };
    }
    result = (struct commit_result){ .lost_to = 0 };
    *c = (struct commit){ .ctx = &ctx,
                          .arena = a,
                          .wallet = &wallet,
                          .plan = p,
                          .terms = { .kind = (enum exec_kind_id)KIND_HERE,
                                     .venue = "exchange",
                                     .once = uuid_random(),
                                     .from = p->leaves.token },
                          .hooks = &hooks,
                          .failure = &E_INTERNAL,
                          .out = &result };
    return commit_run(c);
}

static uint64_t order_place(void)
{
    struct commit c;
    struct plan p;

    CHECK(order_commit(&c, &p, false) == NULL && world->posts == 0);
    commit_send(&c);
    return result.execution.id;
}

static uint64_t order_with_allowance(void)
{
    struct commit c;
    struct plan p;

    CHECK(order_commit(&c, &p, true) == NULL);
    commit_send(&c);
    return result.execution.id;
}

static bool never(void)
{
    return false;
}

/* The follower comes by, and what it did before is a while ago. */
static void time_passes(void)
{
    requests_grow_older();
    CHECK(follow_due(&ctx, never) >= 0);
}

static void minutes_pass(void)
{
    requests_run_out();
    time_passes();
}

static struct execution execution_now(uint64_t id)
{
    struct execution x = { .id = 0 };

    CHECK(executions_get(db, a, 0, id, &x) == LOOKUP_FOUND);
    return x;
}

static bool stands(uint64_t id, enum exec_status status, enum effect_state state)
{
    struct venue_request *r;

    return requests_of(db, a, id, &r) == 1 && r->effect.state == state && execution_now(id).status == status;
}

static void in_child(void (*work)(void))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        ctx.db = db = db_new(&conf);
        work();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* ---- cases ---- */

static void an_order_from_end_to_end(void)
{
    uint64_t id;

    world_begin();
    id = order_place();
    CHECK(result.execution.status == EXEC_SUBMITTED && world->posts == 1 && world->count == 1);
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED) && world->told_last == EXEC_SUBMITTED);
    time_passes();
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED) && world->posts == 1);
    world->orders[0].status = "filled";
    time_passes();
    CHECK(stands(id, EXEC_COMPLETED, EFFECT_SETTLED) && world->told_last == EXEC_COMPLETED);
    CHECK(execution_now(id).follow == FOLLOW_NOT && world->told == 2);
    CHECK(world->kept == 1 && world->moved == 2);
    world->polls = 0;
    time_passes();
    CHECK(world->polls == 0 && world->posts == 1);
}

/* No execution without what its market keeps of it. */
static void an_order_that_the_market_cannot_keep(void)
{
    uint64_t before = newest_execution();
    struct commit c;
    struct plan p;

    world_begin();
    world->unkept = true;
    CHECK(order_commit(&c, &p, false) == &E_INTERNAL && world->posts == 0);
    CHECK(newest_execution() == before);
}

/* The venue wants another form: the request that it never took is lost, and one takes its place. */
static void an_order_that_is_outdated(void)
{
    struct venue_request *r;
    uint64_t id;

    world_begin();
    world->outdated = true;
    id = order_place();
    CHECK(result.execution.status == EXEC_SUBMITTED && world->posts == 2 && world->count == 1);
    CHECK(world->renewed == 1 && requests_of(db, a, id, &r) == 2);
    CHECK(r[0].effect.state == EFFECT_RENEWED && r[1].effect.state == EFFECT_INCLUDED);
    CHECK(memcmp(r[0].venue_key, r[1].venue_key, sizeof r[0].venue_key) != 0);
    world->orders[0].status = "filled";
    world->polls = 0;
    time_passes();
    CHECK(execution_now(id).status == EXEC_COMPLETED && world->polls == 1 && world->posts == 2);
}

/* The process that has claimed it may be about to send the same bytes, and the venue to take them. */
static void an_order_that_is_outdated_while_it_is_followed(void)
{
    struct venue_request *r;
    struct commit c;
    struct plan p;

    world_begin();
    world->outdated = true;
    CHECK(order_commit(&c, &p, false) == NULL);
    newest_execution_claimed();
    commit_send(&c);
    CHECK(world->renewed == 0 && world->posts == 1);
    CHECK(requests_of(db, a, result.execution.id, &r) == 1 && r[0].effect.state == EFFECT_OPEN);
    newest_execution_dropped();
}

/* One that takes its place is not replaced: nothing is known of the form that the venue wants. */
static void an_order_of_no_form_that_is_taken(void)
{
    struct venue_request *r;
    uint64_t id;

    world_begin();
    world->unknown_form = true;
    id = order_place();
    CHECK(result.execution.status == EXEC_FAILED && world->posts == 2 && world->count == 0);
    CHECK(world->renewed == 1 && requests_of(db, a, id, &r) == 2);
    CHECK(r[0].effect.state == EFFECT_RENEWED && r[1].effect.state == EFFECT_SETTLED);
    CHECK(!r[1].effect.succeeded && r[1].effect.refusals == 1);
}

/* A refusal of bytes that may have been taken before, when their answer was lost, says nothing of those: only
 * the venue's not knowing them does, and no other request takes their place. */
static void an_order_that_is_outdated_when_it_is_sent_again(void)
{
    struct venue_request *r;
    uint64_t id;

    world_begin();
    world->loses = true;
    id = order_place();
    world->loses = false;
    world->unknown_form = world->forgets = true;
    time_passes();
    CHECK(world->posts == 2 && stands(id, EXEC_PENDING, EFFECT_OPEN));
    world->forgets = false;
    time_passes();
    CHECK(execution_now(id).status == EXEC_SUBMITTED && world->count == 1);
    CHECK(world->renewed == 0 && requests_of(db, a, id, &r) == 1);
}

/* An answer that is about the sending alone, such as one to outdated credentials. */
static void an_order_that_is_sent_again_at_once(void)
{
    uint64_t id;

    world_begin();
    world->denied = true;
    id = order_place();
    CHECK(world->posts == 2 && world->count == 1 && stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
}

/* Filled within the request itself: nothing is left for the follower. */
static void an_order_that_is_filled_at_once(void)
{
    uint64_t id;

    world_begin();
    world->fills = true;
    id = order_place();
    CHECK(result.execution.status == EXEC_COMPLETED && stands(id, EXEC_COMPLETED, EFFECT_SETTLED));
    CHECK(execution_now(id).follow == FOLLOW_NOT && world->polls == 0);
}

/* The first answer to the first bytes is the whole truth, in the venue's reason. */
static void an_order_that_is_refused_at_once(void)
{
    uint64_t id;

    world_begin();
    world->refuses = true;
    id = order_place();
    CHECK(result.execution.status == EXEC_FAILED && stands(id, EXEC_FAILED, EFFECT_SETTLED));
    CHECK_STR(execution_now(id).error_code, E_BALANCE.code);
    CHECK_STR(result.execution.error_message, E_BALANCE.text);
    CHECK(execution_now(id).follow == FOLLOW_ONCE_MORE);
    world->refuses = false;
    time_passes();
    CHECK(stands(id, EXEC_FAILED, EFFECT_SETTLED) && execution_now(id).follow == FOLLOW_NOT);
    CHECK(world->posts == 1);
}

static void killed_before_it_is_sent_child(void)
{
    struct commit c;
    struct plan p;

    if (order_commit(&c, &p, false) == NULL)
        (void)raise(SIGKILL);
}

static void placed_by_a_child(void)
{
    (void)order_place();
}

static void killed_before_it_is_sent(void)
{
    uint64_t id;

    world_begin();
    in_child(killed_before_it_is_sent_child);
    id = newest_execution();
    CHECK(world->posts == 0 && stands(id, EXEC_PENDING, EFFECT_OPEN));
    time_passes();
    CHECK(world->posts == 1 && world->count == 1 && stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
}

/* The venue has the order, but no record here says so: it is looked up, not sent again. Where the venue
 * forgets, the same bytes arrive twice, which is one order. */
static void killed_while_it_is_sent(void)
{
    for (int forgets = 0; forgets < 2; forgets++) {
        uint64_t id;

        world_begin();
        world->kills = true;
        in_child(placed_by_a_child);
        id = newest_execution();
        CHECK(world->posts == 1 && stands(id, EXEC_PENDING, EFFECT_OPEN));
        world->kills = false;
        world->forgets = forgets == 1;
        time_passes();
        world->forgets = false;
        time_passes();
        CHECK(world->posts == (forgets == 1 ? 2 : 1) && world->count == 1);
        CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
    }
}

static void an_answer_that_is_lost(void)
{
    uint64_t id;

    world_begin();
    world->loses = true;
    id = order_place();
    CHECK(result.execution.status == EXEC_PENDING && stands(id, EXEC_PENDING, EFFECT_OPEN));
    world->forgets = true; /* its reads lag behind */
    time_passes();
    CHECK(stands(id, EXEC_PENDING, EFFECT_OPEN) && world->posts == 2 && world->count == 1);
    world->forgets = false;
    time_passes();
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED) && world->count == 1);
}

/* Sent for as long as the venue would take it; when that is over it is lost, and only once the venue has said
 * so twice. */
static void an_order_that_never_arrives(void)
{
    uint64_t id;

    world_begin();
    world->down = true;
    id = order_place();
    time_passes();
    minutes_pass();
    time_passes();
    CHECK(stands(id, EXEC_PENDING, EFFECT_OPEN)); /* silence proves nothing */
    world->down = false;
    time_passes();
    CHECK(stands(id, EXEC_PENDING, EFFECT_OPEN) && world->posts == 0);
    time_passes();
    CHECK(stands(id, EXEC_FAILED, EFFECT_LOST) && world->posts == 0);
    CHECK_STR(execution_now(id).error_message, "The venue did not take the request in time");
    CHECK(execution_now(id).follow == FOLLOW_ONCE_MORE && world->told == 1);
}

/* A venue that knows no expiry would take it at any time: it is cancelled there once it is not sent any more,
 * and lost when the venue knows it neither before nor afterwards. */
static void an_order_without_an_end(void)
{
    uint64_t id;

    world_begin();
    world->down = true;
    id = order_place();
    requests_know_no_end();
    world->down = false;
    world->refuses = true;
    time_passes();
    minutes_pass();
    time_passes();
    CHECK(world->posts == REFUSALS && world->cancels == 0 && stands(id, EXEC_PENDING, EFFECT_OPEN));
    executions_run_out();
    world->down = true;
    time_passes();
    CHECK(world->cancels == 0 && stands(id, EXEC_PENDING, EFFECT_OPEN));
    world->down = false;
    time_passes();
    CHECK(world->cancels == 1 && stands(id, EXEC_PENDING, EFFECT_OPEN));
    time_passes();
    CHECK(world->cancels == 1 && stands(id, EXEC_FAILED, EFFECT_LOST));
}

/* An order that the venue once had is not lost if the venue denies it later. */
static void a_venue_that_forgets(void)
{
    uint64_t id;

    world_begin();
    id = order_place();
    world->forgets = true;
    time_passes();
    minutes_pass();
    time_passes();
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED) && world->posts == 1);
    world->forgets = false;
    world->orders[0].status = "expired";
    time_passes();
    CHECK(stands(id, EXEC_FAILED, EFFECT_SETTLED));
    CHECK_STR(execution_now(id).error_message, "The request expired at the venue");
}

/* One whose taking it is all that there is to it: that was recorded, and not yet what it means. */
static void a_venue_that_forgets_what_it_has_carried_out(void)
{
    uint64_t id;

    world_begin();
    exchange.forgets = true;
    id = order_place();
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
    world->forgets = true;
    time_passes();
    CHECK(stands(id, EXEC_COMPLETED, EFFECT_SETTLED) && world->posts == 1);

    world_begin();
    world->loses = true;
    id = order_place();
    world->loses = false;
    world->forgets = true;
    CHECK(follow_due(&ctx, never) >= 0);
    CHECK(stands(id, EXEC_PENDING, EFFECT_OPEN)); /* it was not seen to take this one */

    world_begin();
    world->refuses = true;
    id = order_place();
    CHECK(stands(id, EXEC_FAILED, EFFECT_SETTLED));
    world->forgets = true;
    minutes_pass();
    time_passes();
    CHECK(stands(id, EXEC_FAILED, EFFECT_SETTLED));
    exchange.forgets = false;
}

/* The venue took it, and has dropped it: the same bytes once more, for another of its ids. */
static void a_venue_that_drops_it(void)
{
    struct venue_request *r;
    uint64_t id;

    world_begin();
    id = order_place();
    CHECK(requests_of(db, a, id, &r) == 1 && strcmp(r->venue_ref, "ref-1") == 0);
    world->orders[0].status = "dropped";
    CHECK(follow_due(&ctx, never) >= 0);
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_OPEN) && world->posts == 1);
    CHECK(requests_of(db, a, id, &r) == 1 && !r->effect.accepted && *r->venue_ref == '\0');
    time_passes();
    CHECK(world->posts == 2 && world->count == 1 && stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
    world->orders[0].status = "dropped";
    time_passes();
    minutes_pass();
    CHECK(world->posts == 2 && stands(id, EXEC_SUBMITTED, EFFECT_OPEN));
    time_passes();
    CHECK(stands(id, EXEC_FAILED, EFFECT_LOST));
}

/* The proof of an order's end is believed, not the venue. The transaction that the venue names is shown. */
static void a_venue_that_lies(void)
{
    struct venue_request *r;
    uint64_t id;

    world_begin();
    id = order_place();
    time_passes();
    CHECK(requests_of(db, a, id, &r) == 1 && r->tx_hash.len == 32 && r->tx_hash.bytes[0] == 7);
    world->orders[0].status = "filled";
    world->proof = "has";
    time_passes();
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
    world->orders[0].status = "refused";
    world->proof = "filled";
    time_passes();
    CHECK(stands(id, EXEC_COMPLETED, EFFECT_SETTLED) && execution_now(id).tx_hash.bytes[0] == 7);
}

/* Told as lost, and there after all: the one more poll adopts it, and says so once it has been filled. */
static void an_order_that_turns_up_later(void)
{
    uint64_t id;

    world_begin();
    world->loses = world->forgets = true;
    id = order_place();
    minutes_pass();
    time_passes();
    CHECK(stands(id, EXEC_FAILED, EFFECT_LOST));
    world->loses = world->forgets = false;
    time_passes();
    CHECK(stands(id, EXEC_FAILED, EFFECT_INCLUDED) && execution_now(id).follow == FOLLOW_ONCE_MORE);
    world->orders[0].status = "filled";
    time_passes();
    CHECK(stands(id, EXEC_COMPLETED, EFFECT_SETTLED) && execution_now(id).corrected);
    CHECK(execution_now(id).follow == FOLLOW_NOT && world->posts == 1);
}

/* A refusal of bytes that may have arrived before proves nothing: they are looked up until their time is
 * over. */
static void a_refusal_of_the_second_sending(void)
{
    uint64_t id;

    world_begin();
    world->loses = true;
    id = order_place();
    world->loses = false;
    world->refuses = world->forgets = true;
    time_passes();
    time_passes();
    time_passes();
    CHECK(world->posts == 1 + REFUSALS && stands(id, EXEC_PENDING, EFFECT_OPEN));
    world->forgets = false;
    time_passes();
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
}

/* Two followers at once, or one that comes back from the dead: what was recorded wins. */
static void a_follower_that_comes_too_late(void)
{
    struct venue_request *r;
    struct request_observation observation = { .says = VENUE_EXPIRED };
    struct execution x;
    struct tracked w = {
        .execution = &x, .request_observations = &observation, .request_count = 1, .known = true
    };
    uint64_t id;

    world_begin();
    world->down = true;
    id = order_place();
    x = execution_now(id);
    CHECK(requests_of(db, a, id, &r) == 1);
    w.requests = r;
    world->down = false;
    time_passes();
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
    outcomes_record(&ctx, a, &w, 1);
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
    x.status = EXEC_SUBMITTED; /* even if only the request gives it away */
    outcomes_record(&ctx, a, &w, 1);
    CHECK(stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
}

/* The order waits for its allowance; it is not sent when that reverts, and is lost with its time. */
static void an_order_behind_a_transaction(void)
{
    struct transaction *txs;
    uint64_t id;

    world_begin();
    id = order_with_allowance();
    time_passes();
    CHECK(world->posts == 0 && stands(id, EXEC_PENDING, EFFECT_OPEN));
    world->block = 100;
    time_passes();
    CHECK(world->posts == 1 && stands(id, EXEC_SUBMITTED, EFFECT_INCLUDED));
    world->orders[0].status = "filled";
    time_passes();
    CHECK(stands(id, EXEC_COMPLETED, EFFECT_SETTLED) && execution_now(id).follow == FOLLOW_NOT);
    CHECK(transactions_of(db, a, id, &txs) == 1 && txs[0].effect.state == EFFECT_SETTLED);

    world_begin();
    id = order_with_allowance();
    world->block = 101;
    world->reverted = true;
    time_passes();
    minutes_pass();
    time_passes();
    CHECK(world->posts == 0 && stands(id, EXEC_FAILED, EFFECT_LOST));
    CHECK_STR(execution_now(id).error_code, "SIMULATION_REVERTED");
}

/* By itself its refusal proves nothing, as the answer to an earlier sending may have been lost. Once it is
 * lost, an agent reads why. */
static void an_order_behind_a_transaction_that_is_refused(void)
{
    struct venue_request *r;
    uint64_t id;

    world_begin();
    id = order_with_allowance();
    world->refuses = true;
    world->block = 100;
    time_passes();
    CHECK(world->posts == 1 && execution_now(id).status != EXEC_FAILED);
    CHECK(requests_of(db, a, id, &r) == 1);
    CHECK_STR(r[0].refusal != NULL ? r[0].refusal : "", E_BALANCE.text);
    minutes_pass();
    time_passes();
    time_passes();
    CHECK(stands(id, EXEC_FAILED, EFFECT_LOST) && world->posts == 1);
    CHECK_STR(execution_now(id).error_code, E_BALANCE.code);
    CHECK_STR(execution_now(id).error_message, E_BALANCE.text);
}

/* The nonces of a key differ, also within one millisecond, and one venue's key is one order. */
static void nonces_of_one_key(void)
{
    enum { MANY = 8 };
    uint64_t last = 0;

    world_begin();
    for (int i = 0; i < MANY; i++) {
        struct venue_request *r;

        world->posts = 0;
        CHECK(requests_of(db, a, order_place(), &r) == 1 && r->has_nonce && r->nonce > last);
        last = r->nonce;
    }
    CHECK(world->count == MANY);
}

/* An execution that waits for an approval has no effects; one that has a request is signed. */
static void requests_are_signatures(void)
{
    uint64_t id;

    world_begin();
    world->down = true;
    id = order_place();
    lapsed_approval(wallet.agent_id, id);
    time_passes();
    CHECK(stands(id, EXEC_PENDING, EFFECT_OPEN));
}

/* An execution that another process claimed before its effects were read does not end as unsigned either. */
static void executions_claimed_by_another_process_are_signed(void)
{
    struct execution x;
    uint64_t id;

    world_begin();
    world->down = true;
    id = order_place();
    lapsed_approval(wallet.agent_id, id);
    x = execution_now(id);
    unsigned_end(&ctx, a, &(struct claimed){ .list = &x, .count = 1 });
    CHECK(stands(id, EXEC_PENDING, EFFECT_OPEN));
}

STORE_TEST_MAIN(TEST(an_order_from_end_to_end), TEST(an_order_that_the_market_cannot_keep),
                TEST(an_order_that_is_outdated), TEST(an_order_that_is_outdated_while_it_is_followed),
                TEST(an_order_of_no_form_that_is_taken),
                TEST(an_order_that_is_outdated_when_it_is_sent_again),
                TEST(an_order_that_is_sent_again_at_once), TEST(an_order_that_is_filled_at_once),
                TEST(an_order_that_is_refused_at_once), TEST(killed_before_it_is_sent),
                TEST(killed_while_it_is_sent), TEST(an_answer_that_is_lost),
                TEST(an_order_that_never_arrives), TEST(an_order_without_an_end), TEST(a_venue_that_forgets),
                TEST(a_venue_that_forgets_what_it_has_carried_out), TEST(a_venue_that_drops_it),
                TEST(a_venue_that_lies), TEST(an_order_that_turns_up_later),
                TEST(a_refusal_of_the_second_sending), TEST(a_follower_that_comes_too_late),
                TEST(an_order_behind_a_transaction), TEST(an_order_behind_a_transaction_that_is_refused),
                TEST(nonces_of_one_key), TEST(requests_are_signatures),
                TEST(executions_claimed_by_another_process_are_signed))
