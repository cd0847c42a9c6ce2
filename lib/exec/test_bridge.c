/* Bridges under observation, with a family of chains and bridge providers of the test's own. */
#include "base/test.h"

#define chain_ops_of            family_of_tests
#define arrivals_taken          list_taken
#define transactions_hash_known look_up_hash
#define bridge_provider_ask     ask_bridge_provider
#define bridge_provider_read    read_bridge_provider
#define rand_below              rand_least
#define nodes_known             have_a_node
#define spends_keep             keep_in_limits
#define opinions_do             do_opinions
#include "exec/bridge.c"

#include "codec/test_liar.h"

enum { FAR_BLOCK = 500, SOURCE_BLOCK = 90 };

static struct arena *a;
static const struct ctx ctx;

/* The answers of the test's world. */
static struct {
    bool ours; /* the transaction that the bridge provider names */
    struct arrival_taken taken[2];
    int taken_count;
    bool rate_left; /* the bridge provider may be asked */
    unsigned asks;
    struct bridge_status says;
    bool describes;
    bool unseen;   /* no chain has a node */
    uint64_t kept; /* of WHOLE, in limits; 0: nothing was written */
} world;

bool spends_keep(struct db *db, uint64_t execution_id, uint64_t part, uint64_t whole)
{
    CHECK(db == NULL && execution_id == 7 && whole == 1000000000 && part > 0 && part <= whole);
    world.kept = part;
    return true;
}

bool nodes_known(const struct nodes *n, const struct chain *c)
{
    CHECK(n == NULL && c != NULL);
    return !world.unseen;
}

/* Each chain has two nodes. */
bool opinions_do(const struct ctx *c, const struct chain *chain, size_t agreed, int64_t waited_ms,
                 int64_t patience_ms)
{
    CHECK(c == &ctx && chain != NULL);
    return agreed >= 2 || (agreed > 0 && waited_ms >= patience_ms);
}

uint32_t rand_below(uint32_t limit)
{
    CHECK(limit > 0);
    return 0;
}

enum lookup transactions_hash_known(struct db *db, const struct tx_hash *hash)
{
    (void)db;
    CHECK(hash->len != 0);
    return world.ours ? LOOKUP_FOUND : LOOKUP_NONE;
}

int arrivals_taken(struct db *db, struct arena *arena, const struct arrival_claim *c,
                   struct arrival_taken **out)
{
    (void)db;
    (void)arena;
    CHECK(c->execution_id == 7);
    *out = world.taken;
    return world.taken_count;
}

bool bridge_provider_ask(const char *bridge_provider, struct call *call, const struct ctx *c,
                         const struct bridge_in *in, struct arena *arena)
{
    (void)c;
    (void)arena;
    CHECK_STR(bridge_provider, "carrier");
    CHECK_STR(in->tx, "tx");
    CHECK(in->from_chain->id == 1 && in->to_chain->id == 8453 && in->reference == NULL);
    world.asks++;
    if (world.rate_left)
        call_init(call, NULL, 10);
    return world.rate_left;
}

void bridge_provider_read(const char *bridge_provider, const struct call *call, const struct bridge_in *in,
                          struct arena *arena, struct bridge_status *out)
{
    (void)bridge_provider;
    (void)call;
    (void)in;
    (void)arena;
    *out = world.says;
}

/* An address is the letters of its text. */
static void address_read(struct address_bytes *out, const char *text)
{
    *out = (struct address_bytes){ .len = (uint8_t)strlen(text) };
    memcpy(out->bytes, text, out->len);
}

static char *hash_write(struct arena *arena, const struct tx_hash *hash)
{
    (void)arena;
    CHECK(hash->len != 0);
    return (char *)(uintptr_t) "tx";
}

static bool hash_take(struct tx_hash *out, const char *text)
{
    *out = (struct tx_hash){ { text[0] != '?' ? (uint8_t)text[0] : 0 }, text[0] != '?' };
    return out->len != 0;
}

static const struct err *describe_it(const struct ctx *c, struct arena *arena, const struct chain *chain,
                                     const char *address, struct token_ref *out, unsigned *told)
{
    (void)c;
    (void)arena;
    *out = (struct token_ref){ .chain_id = chain->id, .symbol = "OTHER" };
    (void)snprintf(out->address, sizeof out->address, "%s", address);
    *told = world.describes;
    return NULL;
}

const struct chain_ops *chain_ops_of(const struct chain *c)
{
    static const struct chain_ops family = { .address_bytes = address_read,
                                             .hash_text = hash_write,
                                             .hash_read = hash_take,
                                             .describe_token = describe_it };

    return c == NULL || c->type != CHAIN_EVM ? NULL : &family;
}

/* ---- a swap of S on ethereum for at least 100 of B on base ---- */

struct bridge_scene {
    struct tracked tracked;
    struct execution swap;
    struct transaction tx;
    struct bridge bridge;
};

static void bridge_scene_begin(struct bridge_scene *s)
{
    *s = (struct bridge_scene){
        .swap = { .id = 7,
                  .follow = FOLLOW_BRIDGE,
                  .status = EXEC_PROCESSING,
                  .from = { .chain_id = 1, .address = "S", .symbol = "SOLD" },
                  .to = { .chain_id = 8453, .address = "B", .symbol = "BOUGHT" },
                  .amount_in = u256_from_u64(200),
                  .min_out = u256_from_u64(100) },
        .tx = { .kind = TX_SPEND,
                .hash = { { 1 }, 32 },
                .block_number = SOURCE_BLOCK,
                .effect.succeeded = true },
        .bridge = { .execution_id = 7,
                    .bridge_provider = "carrier",
                    .recipient = "R",
                    .far_block = FAR_BLOCK },
    };
    s->tracked = (struct tracked){
        .execution = &s->swap, .txs = &s->tx, .count = 1, .bridge = &s->bridge, .wallet.ref.address = "W"
    };
    s->tracked.bridge_observation.next = s->bridge;
    memset(&world, 0, sizeof world);
    world.rate_left = true;
}

static bool amount_is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

/* ---- its turn ---- */

static void the_pace_slows_down(void)
{
    static const struct {
        int64_t age_ms, every_ms;
    } rows[] = {
        { 0, 2 * SECOND_MS },
        { MINUTE_MS, 2 * SECOND_MS },
        { MINUTE_MS + 1, 5 * SECOND_MS },
        { 10 * MINUTE_MS, 15000 },
        { 30 * MINUTE_MS, MINUTE_MS },
        { HOUR_MS + 1, 5 * MINUTE_MS },
        { DAY_MS, 5 * MINUTE_MS },
        { 2 * DAY_MS + 1, HOUR_MS },
        { 9 * (int64_t)DAY_MS, HOUR_MS },
        { 400 * (int64_t)DAY_MS, HOUR_MS },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(bridge_pace(rows[i].age_ms) == rows[i].every_ms);
}

static unsigned turn_of(struct bridge_scene *s)
{
    struct call call;
    struct bridge_question q[2];
    unsigned n = bridges_ask(&ctx, a, &s->tracked, 1, &call, q);

    bridges_read(a, q, n);
    return n;
}

/* Once for each turn; never before the deposit is in a block, nor when all is known. */
static void bridge_providers_are_asked_once_a_turn(void)
{
    static const struct {
        enum exec_follow follow;
        uint64_t block;
        bool reverted;
        int64_t next_ask_ms;
        enum bridge_delivery delivery;
        bool rate_left;
        unsigned asked;
        bool due;
    } rows[] = {
        { FOLLOW_IN_FLIGHT, 0, false, 0, 0, true, 0, false },
        { FOLLOW_IN_FLIGHT, 90, true, 0, 0, true, 0, false },
        { FOLLOW_IN_FLIGHT, 90, false, 0, 0, true, 1, true },
        { FOLLOW_IN_FLIGHT, 90, false, 5001, 0, true, 0, false },
        { FOLLOW_BRIDGE, 90, false, 5001, 0, true, 1, true },
        { FOLLOW_BRIDGE, 90, false, 0, 0, false, 0, true },
        { FOLLOW_BRIDGE, 90, false, 0, DELIVERY_PROVEN, true, 0, true },
        { FOLLOW_ONCE_MORE, 90, false, 0, 0, true, 1, true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bridge_scene s;

        bridge_scene_begin(&s);
        s.tracked.now_ms = 5000;
        s.swap.follow = rows[i].follow;
        s.tx.block_number = rows[i].block;
        s.tx.effect.succeeded = !rows[i].reverted;
        s.bridge.next_ask_ms = rows[i].next_ask_ms;
        s.bridge.delivery = rows[i].delivery;
        world.rate_left = rows[i].rate_left;
        CHECK(turn_of(&s) == rows[i].asked && s.tracked.bridge_observation.due == rows[i].due);
        CHECK(!rows[i].due || s.tracked.bridge_observation.next.next_ask_ms == 7000);
        CHECK(!rows[i].due || s.tracked.bridge_observation.next.asks == 1);
    }
}

/* An hour is too long to wait for a rate. */
static void bridge_providers_at_their_rate_limit_are_asked_soon(void)
{
    struct bridge_scene s;

    bridge_scene_begin(&s);
    s.tracked.now_ms = 9 * (int64_t)DAY_MS;
    world.rate_left = false;
    CHECK(turn_of(&s) == 0);
    CHECK(s.tracked.bridge_observation.next.next_ask_ms == s.tracked.now_ms + MINUTE_MS);
}

/* ---- a bridge provider's answers ---- */

static void answers_of_bridge_providers_are_stored(void)
{
    static const struct {
        struct bridge_status says;
        enum bridge_state state;
        int64_t since_ms;
        uint64_t out_chain;
        uint8_t out_tx;
        uint64_t out_block;
    } rows[] = {
        { { .state = BRIDGE_UNKNOWN, .tx = "z" }, BRIDGE_DONE, 1000, 8453, 'x', 600 },
        { { .state = BRIDGE_DONE, .tx = "x" }, BRIDGE_DONE, 1000, 8453, 'x', 600 },
        { { .state = BRIDGE_DONE, .tx = "y" }, BRIDGE_DONE, 5000, 8453, 'y', 0 }, /* another one */
        { { .state = BRIDGE_DONE }, BRIDGE_DONE, 1000, 0, 0, 600 },
        { { .state = BRIDGE_DONE, .tx = "?" }, BRIDGE_DONE, 1000, 0, 0, 600 },
        { { .state = BRIDGE_UNDER_WAY }, BRIDGE_UNDER_WAY, 5000, 0, 0, 600 }, /* it goes back */
        { { .state = BRIDGE_REFUNDED, .tx = "x" }, BRIDGE_REFUNDED, 5000, 1, 'x', 600 },
        { { .state = BRIDGE_FAILED }, BRIDGE_FAILED, 5000, 0, 0, 600 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bridge_scene s;
        const struct bridge *next = &s.tracked.bridge_observation.next;

        bridge_scene_begin(&s);
        s.tracked.now_ms = 5000;
        s.bridge.state = BRIDGE_DONE;
        s.bridge.since_ms = 1000;
        s.bridge.out_chain_id = 8453;
        s.bridge.out_tx = (struct tx_hash){ { 'x' }, 1 };
        s.bridge.out_block = 600;
        world.says = rows[i].says;
        CHECK(turn_of(&s) == 1);
        CHECK(next->state == rows[i].state && next->since_ms == rows[i].since_ms);
        CHECK(next->out_chain_id == rows[i].out_chain && next->out_tx.bytes[0] == rows[i].out_tx);
        CHECK(next->out_block == rows[i].out_block);
    }
}

/* Our own transactions prove nothing; a refund is looked for on both chains; a payment that the bridge
 * provider does not name is not looked for. */
static void payments_are_looked_for_on_the_named_chains(void)
{
    static const struct {
        enum bridge_state state;
        bool named, ours;
        enum bridge_delivery delivery;
        unsigned polls;
    } rows[] = {
        { BRIDGE_DONE, true, false, 0, 1 },      { BRIDGE_DONE, false, false, 0, 0 },
        { BRIDGE_DONE, true, true, 0, 0 },       { BRIDGE_DONE, true, true, DELIVERY_PROVEN, 1 },
        { BRIDGE_REFUNDED, true, false, 0, 2 },  { BRIDGE_REFUNDED, true, true, 0, 0 },
        { BRIDGE_UNDER_WAY, true, false, 0, 0 }, { BRIDGE_FAILED, true, false, 0, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bridge_poll list[2];
        struct bridge_polls l = { .list = list };
        struct bridge_scene s;

        bridge_scene_begin(&s);
        s.tracked.bridge_observation.due = true;
        s.tracked.bridge_observation.next.state = rows[i].state;
        s.tracked.bridge_observation.next.delivery = rows[i].delivery;
        s.tracked.bridge_observation.next.out_tx.len = rows[i].named;
        world.ours = rows[i].ours;
        poll_choose(&l, &ctx, &s.tracked);
        CHECK(l.count == rows[i].polls && !s.tracked.bridge_observation.unverifiable);
    }
}

/* Without a node the bridge provider's word counts, even where it names no transaction; not where it names
 * ours. */
static void without_a_node_the_bridge_provider_is_believed(void)
{
    static const struct {
        bool named, ours, unverifiable;
    } rows[] = { { true, false, true }, { false, false, true }, { true, true, false } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bridge_poll list[2];
        struct bridge_polls l = { .list = list };
        struct bridge_scene s;

        bridge_scene_begin(&s);
        s.tracked.bridge_observation.due = true;
        s.tracked.bridge_observation.next.state = BRIDGE_DONE;
        s.tracked.bridge_observation.next.out_tx.len = rows[i].named;
        world.ours = rows[i].ours;
        world.unseen = true;
        poll_choose(&l, &ctx, &s.tracked);
        CHECK(s.tracked.bridge_observation.unverifiable == rows[i].unverifiable);
        CHECK(bridge_delivery_of(&s.tracked) == (rows[i].unverifiable ? DELIVERY_REPORTED : DELIVERY_NONE));
    }
}

/* ---- a chain's state ---- */

struct payment_row {
    enum bridge_state state;
    bool refund_chain; /* the source chain shows it */
    uint64_t block;
    bool failed;
    const char *tokens; /* of the logs */
    uint64_t amounts[3];
    const char *says_token;
    int taken; /* log that another execution has; 0: none */
    bool paid;
    uint64_t amount; /* of a part, too; 0: nothing came */
    uint64_t token_chain;
};

static void payment_show(struct bridge_scene *s, const struct payment_row *r)
{
    struct arrival arrivals[3];
    struct bridge_poll poll = { .tracked = &s->tracked, .chain = chain_by_id(r->refund_chain ? 1 : 8453) };
    struct payment p = { .recipient = "R",
                         .tx = &s->tracked.bridge_observation.next.out_tx,
                         .known = true,
                         .block = r->block,
                         .succeeded = !r->failed,
                         .confirmed = true,
                         .arrivals = arrivals,
                         .count = (unsigned)strlen(r->tokens) };

    for (unsigned i = 0; i < p.count; i++) {
        arrivals[i] = (struct arrival){ .log_index = (int)i + 1, .amount = u256_from_u64(r->amounts[i]) };
        arrivals[i].token = (struct address_bytes){ { (uint8_t)r->tokens[i] }, 1 };
    }
    world.taken[0] = (struct arrival_taken){ .same_tx = true, .log_index = r->taken };
    world.taken_count = r->taken != 0;
    world.describes = true;
    s->tracked.bridge_observation.due = true;
    s->tracked.bridge_observation.next.state = r->state;
    s->tracked.bridge_observation.says = (struct bridge_status){ .state = r->state, .token = r->says_token };
    payment_take(&ctx, a, &poll, &p);
    CHECK(s->tracked.bridge_observation.shown);
    for (unsigned i = 0; i < s->tracked.bridge_observation.arrival_count; i++)
        CHECK(!r->paid || s->tracked.bridge_observation.arrivals[i].log_index != r->taken);
}

/* A bridge provider may name what it likes. */
static void payments_that_complete_a_bridge(void)
{
    static const struct payment_row rows[] = {
        { BRIDGE_DONE, false, 501, false, "B", { 100 }, NULL, 0, true, 100, 0 },
        { BRIDGE_DONE, false, 501, false, "B", { 99 }, NULL, 0, false, 0, 0 },             /* short */
        { BRIDGE_DONE, false, 501, false, "BXB", { 60, 500, 40 }, NULL, 0, true, 100, 0 }, /* in two logs */
        { BRIDGE_DONE, false, 501, false, "BB", { 60, 40 }, NULL, 2, false, 0, 0 },        /* one is taken */
        { BRIDGE_DONE, false, 501, false, "BB", { 100, 100 }, NULL, 1, true, 100, 0 },
        { BRIDGE_DONE, false, 500, false, "B", { 100 }, NULL, 0, false, 0, 0 }, /* older */
        { BRIDGE_DONE, false, 501, true, "B", { 100 }, NULL, 0, false, 0, 0 },  /* reverted */
        { BRIDGE_DONE, false, 0, false, "", { 0 }, NULL, 0, false, 0, 0 },      /* nowhere */
        { BRIDGE_DONE, false, 501, false, "", { 0 }, NULL, 0, false, 0, 0 },
        { BRIDGE_DONE, false, 501, false, "X", { 500 }, NULL, 0, false, 0, 0 }, /* another token, not named */
        { BRIDGE_DONE, false, 501, false, "X", { 500 }, "X", 0, false, 0, 0 },  /* nor where it is */
        { BRIDGE_REFUNDED, true, 90, false, "S", { 200 }, NULL, 0, true, 200, 1 },
        { BRIDGE_REFUNDED, true, 90, false, "S", { 500 }, NULL, 0, true, 500, 1 },
        { BRIDGE_REFUNDED, true, 90, false, "S", { 196 }, NULL, 0, true, 196, 1 }, /* less a fee */
        { BRIDGE_REFUNDED, true, 90, false, "SS", { 100, 96 }, NULL, 0, true, 196, 1 },
        { BRIDGE_REFUNDED, true, 90, false, "S", { 195 }, NULL, 0, false, 195, 1 }, /* a part */
        { BRIDGE_REFUNDED, true, 90, false, "S", { 1 }, NULL, 0, false, 1, 1 },     /* dust */
        { BRIDGE_REFUNDED, true, 89, false, "S", { 200 }, NULL, 0, false, 0, 0 },   /* before the deposit */
        { BRIDGE_REFUNDED, true, 90, false, "X", { 200 }, NULL, 0, false, 0, 0 },
        { BRIDGE_REFUNDED, true, 90, false, "X", { 200 }, "X", 0, false, 200, 1 }, /* of unknown worth */
        { BRIDGE_REFUNDED, true, 90, false, "XS", { 200, 200 }, "X", 0, true, 200, 1 },
        { BRIDGE_REFUNDED, true, 90, false, "X", { 200 }, "Y", 0, false, 0, 0 },
        { BRIDGE_REFUNDED, true, 90, false, "S", { 0 }, "S", 0, false, 0, 0 },
        { BRIDGE_REFUNDED, true, 90, false, "X", { 0 }, "X", 0, false, 0, 0 },
        { BRIDGE_REFUNDED, false, 501, false, "B", { 98 }, NULL, 0, true, 98, 8453 },
        { BRIDGE_REFUNDED, false, 501, false, "B", { 97 }, NULL, 0, false, 97, 8453 },
        { BRIDGE_REFUNDED, true, 90, false, "S", { 200 }, NULL, 1, false, 0, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct payment_row *r = &rows[i];
        struct bridge_scene s;

        bridge_scene_begin(&s);
        payment_show(&s, r);
        if (s.tracked.bridge_observation.paid != r->paid)
            fprintf(stderr, "row %zu\n", i);
        CHECK(s.tracked.bridge_observation.paid == r->paid);
        CHECK(s.tracked.bridge_observation.in_part == (!r->paid && r->amount != 0));
        CHECK(r->amount == 0 || amount_is(s.tracked.bridge_observation.amount, r->amount));
        CHECK(r->amount == 0 || s.tracked.bridge_observation.token.chain_id == r->token_chain);
    }
}

static const struct token *on_base(const char *symbol)
{
    return token_find(chain_by_id(8453), symbol);
}

/* A bridge provider may name any token: one that can be compared has to be worth the minimum, and no other
 * counts. */
static void comparable_tokens_of_the_minimums_worth_count(void)
{
    static const struct {
        const char *bought, *least, *came, *amount;
        bool paid;
    } rows[] = {
        { "USDC", "100000000", "DAI", "100000000000000000000", true },
        { "USDC", "100000000", "DAI", "99999999999999999999", false },
        { "USDC", "100000000", "DAI", "100000000", false }, /* dust */
        { "DAI", "100000000000000000001", "USDC", "100000001", true },
        { "DAI", "100000000000000000001", "USDC", "100000000", false }, /* by less than a unit */
        { "WETH", "1000", "ETH", "1000", true },
        { "ETH", "1000", "WETH", "1000", true },
        { "ETH", "1000", "WETH", "999", false },
        { "USDC", "1", "WETH", "1000000000000000000", false },
        { "ETH", "1000", "USDC", "1000000000000", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bridge_scene s;
        const struct token_ref came = token_ref_of(on_base(rows[i].came));
        const struct bridge_poll poll = { .tracked = &s.tracked, .chain = chain_by_id(8453) };
        struct bridge_observation *observation = &s.tracked.bridge_observation;
        struct arrival arrival = { .log_index = 1 };
        struct payment p = {
            .known = true, .block = 501, .succeeded = true, .arrivals = &arrival, .count = 1
        };

        bridge_scene_begin(&s);
        s.swap.to = token_ref_of(on_base(rows[i].bought));
        address_read(&arrival.token, token_text(&came));
        CHECK(u256_parse(&s.swap.min_out, rows[i].least) && u256_parse(&arrival.amount, rows[i].amount));
        observation->next.state = BRIDGE_DONE;
        observation->says = (struct bridge_status){ .state = BRIDGE_DONE, .token = came.address };
        payment_take(&ctx, a, &poll, &p);
        CHECK(observation->paid == rows[i].paid);
        if (!observation->paid)
            continue;
        CHECK_STR(observation->token.symbol, rows[i].came);
        CHECK(u256_cmp(observation->amount, arrival.amount) == 0 && observation->arrival_count == 1);
    }
}

/* In tokens that can be compared without a price: by what was sold, or by the least that was to come. */
static void refunds_are_a_share_of_the_deposit(void)
{
    static const struct {
        const char *sold, *amount_in, *back_on, *back, *amount;
        uint64_t share;
    } rows[] = {
        { "USDC", "100000000", "ethereum", "USDC", "100000000", WHOLE },
        { "USDC", "100000000", "ethereum", "USDC", "900000000", WHOLE },
        { "USDC", "100000000", "ethereum", "USDC", "25000000", WHOLE / 4 },
        { "USDC", "100000000", "ethereum", "USDT", "25000000", WHOLE / 4 },
        { "USDC", "100000000", "base", "USDC", "25000000", WHOLE / 4 },
        { "USDC", "100000000", "base", "DAI", "25000000000000000000", WHOLE / 4 },
        { "USDC", "100000000", "ethereum", "USDC", "1", 10 },
        { "USDC", "100000000", "base", "DAI", "1", 0 },
        { "USDC", "100000000", "ethereum", "WETH", "100000000000000000000", 0 },
        { "ETH", "1000000000000000000", "ethereum", "WETH", "500000000000000000", WHOLE / 2 },
        { "ETH", "1000000000000000000", "base", "WETH", "500000000000000000", WHOLE / 2 },
        { "ETH", "1000000000000000000", "base", "USDC", "1500000000", WHOLE / 2 }, /* of 3000 that were due */
        { "ETH", "1000000000000000000", "ethereum", "USDC", "1500000000", WHOLE / 2 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct token_ref back = token_ref_of(token_find(chain_find(rows[i].back_on), rows[i].back));
        struct execution x = { .from = token_ref_of(token_find(chain_by_id(1), rows[i].sold)),
                               .to = token_ref_of(token_find(chain_by_id(8453), "USDC")),
                               .min_out = u256_from_u64(3000000000) };
        struct u256 amount;

        CHECK(u256_parse(&x.amount_in, rows[i].amount_in) && u256_parse(&amount, rows[i].amount));
        CHECK(refund_share(&x, &back, amount) == rows[i].share);
    }
}

/* Less than the deposit counts in limits no more, and the rest does: as long as it is all that came. */
static void partial_refunds_reduce_what_limits_count(void)
{
    static const struct {
        enum bridge_delivery was, is;
        uint64_t had, has, keeps; /* 0: nothing is written */
    } rows[] = {
        { 0, 0, 0, 0, 0 },
        { 0, 0, 0, 50, WHOLE / 4 * 3 },
        { 0, 0, 50, 50, 0 },
        { 0, 0, 50, 0, WHOLE },
        { 0, 0, 50, 100, WHOLE / 2 },
        { 0, DELIVERY_PROVEN, 50, 200, WHOLE },
        { 0, DELIVERY_PROVEN, 0, 200, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bridge_scene s;
        struct bridge *next = &s.tracked.bridge_observation.next;

        bridge_scene_begin(&s);
        s.bridge.delivery = rows[i].was;
        next->delivery = rows[i].is;
        if (rows[i].had != 0)
            s.bridge.arrived = s.swap.from;
        if (rows[i].has != 0)
            next->arrived = s.swap.from;
        s.bridge.arrived_amount = u256_from_u64(rows[i].had);
        next->arrived_amount = u256_from_u64(rows[i].has);
        CHECK(part_record(NULL, &s.tracked) && world.kept == rows[i].keeps);
    }
}

/* Coin leaves no log: it is looked for wherever it would do, and waited for where it was bought. */
static void coin_is_looked_for_where_it_was_bought(void)
{
    static const struct {
        const char *bought;
        bool coin, amount_unknown;
    } rows[] = { { "ETH", true, true }, { "WETH", true, false }, { "USDC", false, false } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bridge_scene s;
        const struct bridge_poll poll = { .tracked = &s.tracked, .chain = chain_by_id(8453) };
        struct payment p;

        bridge_scene_begin(&s);
        s.swap.to = token_ref_of(on_base(rows[i].bought));
        payment_make(&p, &poll);
        CHECK(p.coin == rows[i].coin);
        p.known = p.succeeded = p.amount_unknown = true;
        p.block = 501;
        payment_take(&ctx, a, &poll, &p);
        CHECK(s.tracked.bridge_observation.amount_unknown == rows[i].amount_unknown);
    }
}

/* Coin that came in a block is divided: the claims of others come off, and no more is taken than the bridge
 * provider reported. */
static void coin_of_a_block_is_divided(void)
{
    static const struct {
        uint64_t came, taken, said, left;
    } rows[] = {
        { 100, 0, 0, 100 }, { 100, 60, 0, 40 }, { 100, 101, 0, 0 }, { 100, 0, 70, 70 }, { 100, 60, 70, 40 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct arrival m = { .log_index = ARRIVAL_COIN,
                                   .amount = u256_from_u64(rows[i].came),
                                   .of_block = true };
        const struct arrival_taken taken = { .log_index = ARRIVAL_COIN,
                                             .amount = u256_from_u64(rows[i].taken) };

        CHECK(amount_is(arrival_left(&m, &taken, rows[i].taken != 0, u256_from_u64(rows[i].said)),
                        rows[i].left));
    }
}

/* Another bridge has claimed part of the block's payments since they were looked at. */
static void payments_divided_meanwhile_are_looked_at_again(void)
{
    static const struct {
        bool of_block;
        int rivals, taken;
        enum db_update want;
    } rows[] = { { true, 0, 0, UPDATED },
                 { true, 0, 1, UNCHANGED },
                 { true, 1, 1, UPDATED },
                 { true, 0, -1, DB_ERROR },
                 { false, 0, 1, UPDATED } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct arrival m = { .log_index = ARRIVAL_COIN, .of_block = rows[i].of_block };
        struct bridge_scene s;

        bridge_scene_begin(&s);
        s.tracked.bridge_observation = (struct bridge_observation){ .due = true,
                                                                    .next.delivery = DELIVERY_PROVEN,
                                                                    .arrivals = &m,
                                                                    .arrival_count = 1,
                                                                    .rivals = rows[i].rivals };
        world.taken_count = rows[i].taken;
        CHECK(bridge_recheck(NULL, a, &s.tracked) == rows[i].want);
    }
}

/* ---- records ---- */

static void proven_deliveries_are_stored(void)
{
    struct bridge_scene s;
    struct bridge_observation *observation = &s.tracked.bridge_observation;

    bridge_scene_begin(&s);
    *observation = (struct bridge_observation){ .due = true, .shown = true, .block = 501, .paid = true };
    observation->amount = u256_from_u64(120);
    bridge_judged(&s.tracked, DELIVERY_PROVEN);
    CHECK(observation->next.delivery == DELIVERY_PROVEN && observation->next.out_block == 501);
    CHECK(amount_is(observation->next.arrived_amount, 120) && observation->next.arrived.chain_id == 0);
    /* not shown at the next turn: all stays */
    s.bridge = observation->next;
    *observation = (struct bridge_observation){ .due = true, .next = s.bridge };
    bridge_judged(&s.tracked, DELIVERY_PROVEN);
    CHECK(observation->next.out_block == 501 && amount_is(observation->next.arrived_amount, 120));
    /* gone */
    *observation = (struct bridge_observation){ .due = true, .shown = true, .next = s.bridge };
    bridge_judged(&s.tracked, DELIVERY_NONE);
    CHECK(observation->next.out_block == 0 && u256_is_zero(observation->next.arrived_amount));
}

static void reported_deliveries_are_stored(void)
{
    struct bridge_scene s;
    struct bridge_observation *observation = &s.tracked.bridge_observation;

    bridge_scene_begin(&s);
    *observation = (struct bridge_observation){ .due = true, .says = { .state = BRIDGE_DONE } };
    observation->says.amount = u256_from_u64(110);
    observation->next.state = BRIDGE_DONE;
    bridge_judged(&s.tracked, DELIVERY_REPORTED);
    CHECK(observation->next.delivery == DELIVERY_REPORTED &&
          amount_is(observation->next.arrived_amount, 110));
    CHECK(observation->next.arrived.chain_id == 0);
}

/* A partial refund is reported, does not count as the delivery, and stays recorded while no chain shows
 * more. */
static void partial_refunds_are_stored(void)
{
    struct bridge_scene s;
    struct bridge_observation *observation = &s.tracked.bridge_observation;

    bridge_scene_begin(&s);
    *observation = (struct bridge_observation){ .due = true, .shown = true, .block = 91, .in_part = true };
    observation->next.state = BRIDGE_REFUNDED;
    observation->token = s.swap.from;
    observation->amount = u256_from_u64(3);
    bridge_judged(&s.tracked, DELIVERY_NONE);
    CHECK(observation->next.arrived.chain_id == 0); /* too young a block */
    observation->confirmed = true;
    bridge_judged(&s.tracked, DELIVERY_NONE);
    CHECK(amount_is(observation->next.arrived_amount, 3) && observation->next.arrived.chain_id == 1);
    CHECK(is_in_part(&observation->next) && is_claimed(&observation->next) &&
          observation->next.out_block == 91);
    /* not shown at the next turn */
    s.bridge = observation->next;
    *observation = (struct bridge_observation){ .due = true, .next = s.bridge };
    bridge_judged(&s.tracked, DELIVERY_NONE);
    CHECK(amount_is(observation->next.arrived_amount, 3));
    /* its bridge provider says that it pays after all */
    *observation = (struct bridge_observation){ .due = true, .next = s.bridge };
    observation->next.state = BRIDGE_UNDER_WAY;
    bridge_judged(&s.tracked, DELIVERY_NONE);
    CHECK(!is_in_part(&observation->next));
    /* gone */
    *observation = (struct bridge_observation){ .due = true, .shown = true, .next = s.bridge };
    bridge_judged(&s.tracked, DELIVERY_NONE);
    CHECK(!is_in_part(&observation->next) && u256_is_zero(observation->next.arrived_amount));
}

/* ---- two nodes ---- */

/* If one of two nodes shows no receipt, the other's counts in the end; a node that has it in another block,
 * or with another amount, contradicts. */
static void one_node_that_omits_a_payment_delays_it(void)
{
    static const struct {
        uint64_t lists;
        int64_t waited_ms;
        bool known;
    } rows[] = {
        { 0, HOUR_MS - 1, false },      { 0, HOUR_MS, true },   { 600, OPINION_LONG_MS - 1, false },
        { 600, OPINION_LONG_MS, true }, { 601, DAY_MS, false },
    };

    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        struct arrival moved = { .amount = u256_from_u64(100) };
        struct payment shows = { .known = true,
                                 .block = 600,
                                 .succeeded = true,
                                 .confirmed = true,
                                 .settled = true,
                                 .arrivals = &moved,
                                 .count = 1 },
                       omits = { .known = true, .lists = rows[i / 2].lists }, p = i % 2 == 0 ? shows : omits;
        struct bridge_scene s;
        const struct bridge_poll poll = { .tracked = &s.tracked };

        bridge_scene_begin(&s);
        s.tracked.bridge_observation.next.since_ms = 5000;
        s.tracked.now_ms = 5000 + rows[i / 2].waited_ms;
        payment_join(&ctx, &poll, &p, i % 2 == 0 ? &omits : &shows, true);
        CHECK(p.known == rows[i / 2].known && p.block == 600 && p.count == 1 && p.succeeded);
    }
}

static void two_nodes_that_contradict_each_other_show_nothing(void)
{
    struct arrival moved = { .amount = u256_from_u64(100) }, more = { .amount = u256_from_u64(200) };
    struct payment one = { .known = true, .block = 600, .succeeded = true, .arrivals = &moved, .count = 1 },
                   other = one;
    struct bridge_scene s;
    const struct bridge_poll poll = { .tracked = &s.tracked };

    bridge_scene_begin(&s);
    s.tracked.bridge_observation.next.since_ms = 5000;
    s.tracked.now_ms = 5000 + (int64_t)DAY_MS;
    other.arrivals = &more;
    payment_join(&ctx, &poll, &one, &other, true);
    CHECK(!one.known);
}

/* As a family reads it: what it cannot read is not known. */
static struct payment payment_said(const json_t *said, struct arrival *moved)
{
    const json_t *block = json_object_get(said, "block"), *succeeded = json_object_get(said, "succeeded"),
                 *place = json_object_get(said, "place");
    const char *amount = json_string_value(json_object_get(said, "amount")),
               *token = json_string_value(json_object_get(said, "token"));

    *moved = (struct arrival){ .log_index = (int)json_integer_value(place) };
    address_read(&moved->token, token != NULL ? token : "");
    return (struct payment){ .known = json_is_integer(block) && json_is_boolean(succeeded) &&
                                      json_is_integer(place) && token != NULL && amount != NULL &&
                                      u256_parse(&moved->amount, amount),
                             .block = (uint64_t)json_integer_value(block),
                             .succeeded = json_is_true(succeeded),
                             .confirmed = true,
                             .settled = true,
                             .arrivals = moved,
                             .count = json_integer_value(block) != 0 };
}

/* The reported amount of a refund, by each of two nodes' answers, after its bridge provider has named it for
 * so long. */
static const char *refunded_by(const json_t *first, const json_t *second, void *arg)
{
    static char text[U256_DECIMAL_LEN + 16];
    struct arrival mine, other;
    struct payment p = payment_said(json_array_get(first, 0), &mine),
                   q = payment_said(json_array_get(second, 0), &other);
    struct bridge_scene s;
    const struct bridge_poll poll = { .tracked = &s.tracked, .chain = chain_by_id(1) };
    struct bridge_observation *observation = &s.tracked.bridge_observation;

    bridge_scene_begin(&s);
    observation->next.state = BRIDGE_REFUNDED;
    observation->says = (struct bridge_status){ .state = BRIDGE_REFUNDED };
    s.tracked.now_ms = *(const int64_t *)arg;
    payment_join(&ctx, &poll, &p, &q, true);
    payment_take(&ctx, a, &poll, &p);
    if (!observation->paid && !observation->in_part)
        return NULL;
    u256_decimal(text, observation->amount);
    (void)snprintf(text + strlen(text), 16, " in %llu%s", (unsigned long long)observation->block % 1000,
                   observation->in_part ? ", part" : "");
    return text;
}

static void one_liar_changes_no_refund(void)
{
    json_t *truth = json_pack("{s:i,s:b,s:i,s:s,s:s}", "block", 95, "succeeded", 1, "place", 3, "token", "S",
                              "amount", "200");
    int64_t late_ms = DAY_MS;

    liar_alone_changes_nothing("a refund", truth, refunded_by, &late_ms);
    json_decref(truth);
}

static void bridge_test_start(void)
{
    a = arena_new();
}

static void bridge_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(bridge_test_start), TEST(the_pace_slows_down), TEST(bridge_providers_are_asked_once_a_turn),
          TEST(bridge_providers_at_their_rate_limit_are_asked_soon),
          TEST(answers_of_bridge_providers_are_stored), TEST(payments_are_looked_for_on_the_named_chains),
          TEST(without_a_node_the_bridge_provider_is_believed), TEST(payments_that_complete_a_bridge),
          TEST(comparable_tokens_of_the_minimums_worth_count), TEST(refunds_are_a_share_of_the_deposit),
          TEST(partial_refunds_reduce_what_limits_count), TEST(coin_is_looked_for_where_it_was_bought),
          TEST(coin_of_a_block_is_divided), TEST(payments_divided_meanwhile_are_looked_at_again),
          TEST(proven_deliveries_are_stored), TEST(reported_deliveries_are_stored),
          TEST(partial_refunds_are_stored), TEST(one_node_that_omits_a_payment_delays_it),
          TEST(two_nodes_that_contradict_each_other_show_nothing), TEST(one_liar_changes_no_refund),
          TEST(bridge_test_end))
