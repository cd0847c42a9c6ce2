#include "base/test.h"
#include "exec/follow.c"

#include <unistd.h>

enum { HEAD = 100, CONFIRM = 2, SETTLE = 10, NONCE = 5 };

/* A swap with up to three transactions, under observation. */
struct scene {
    struct watch watch;
    struct execution swap;
    struct transaction txs[3];
    struct receipt receipts[3];
};

struct row {
    enum exec_status from;
    uint64_t block; /* of the swap's transaction; 0: in none */
    bool succeeded, accepted, foreign;
    uint64_t cancel_block; /* of a cancel with the same nonce; 0: in none */
    enum exec_status to;
    const char *code;
};

static void add_tx(struct scene *s, enum tx_kind kind, uint64_t nonce, uint64_t block, bool succeeded)
{
    unsigned i = s->watch.count++;

    s->txs[i] = (struct transaction){ .kind = kind,
                                      .nonce = nonce,
                                      .hash = { (uint8_t)(i + 1) },
                                      .state = block != 0 ? EFFECT_INCLUDED : EFFECT_OPEN,
                                      .block_number = block,
                                      .succeeded = succeeded };
    s->receipts[i] = (struct receipt){ .block = block, .succeeded = succeeded };
}

static void set(struct scene *s, enum exec_status from)
{
    *s = (struct scene){ .swap = { .id = 7, .agent_id = 8, .status = from } };
    s->watch = (struct watch){
        .swap = &s->swap,
        .txs = s->txs,
        .receipts = s->receipts,
        .swap_nonce = NONCE,
        .head = { .block = HEAD, .confirm = CONFIRM, .settle = SETTLE },
    };
}

static void set_row(struct scene *s, const struct row *r)
{
    set(s, r->from);
    add_tx(s, TX_SPEND, NONCE, r->block, r->succeeded);
    s->txs[0].accepted = r->accepted;
    add_tx(s, TX_CANCEL, NONCE, r->cancel_block, true);
    s->watch.foreign = r->foreign;
    s->watch.chain_count = r->foreign ? NONCE + 1 : NONCE;
}

/* As if nothing of it had been recorded before. */
static void set_first_sight(struct scene *s)
{
    for (unsigned i = 0; i < s->watch.count; i++) {
        s->txs[i].state = EFFECT_OPEN;
        s->txs[i].block_number = 0;
    }
}

static void belongs(const struct scene *s, const struct row *r)
{
    struct execution_move m = verdict(&s->watch);

    CHECK(m.id == 7 && m.agent_id == 8 && m.from == r->from);
    CHECK(m.to == r->to);
    if (m.to != r->to)
        fprintf(stderr, "from %s to %s\n", exec_status_text(m.from), exec_status_text(m.to));
    CHECK((m.error_code == NULL) == (r->code == NULL));
    if (r->code != NULL && m.error_code != NULL)
        CHECK_STR(m.error_code, r->code);
    CHECK((m.error_code == NULL) == (m.error_message == NULL));
    CHECK(m.to == m.from || m.why != NULL);
}

static void where_a_swap_belongs(void)
{
    static const struct row rows[] = {
        /* nothing seen */
        { EXEC_PENDING, 0, false, false, false, 0, EXEC_PENDING, NULL },
        { EXEC_PENDING, 0, false, true, false, 0, EXEC_PENDING, NULL },
        { EXEC_SUBMITTED, 0, false, true, false, 0, EXEC_SUBMITTED, NULL },
        /* in a block, not deep enough */
        { EXEC_PENDING, HEAD, true, false, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_SUBMITTED, HEAD, true, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_SUBMITTED, HEAD, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_PROCESSING, HEAD, true, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_SUBMITTED, HEAD + 1, true, true, false, 0, EXEC_PROCESSING, NULL },
        /* deep enough */
        { EXEC_PENDING, HEAD - 1, true, false, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_SUBMITTED, HEAD - 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_PROCESSING, HEAD - 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_PROCESSING, 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_SUBMITTED, HEAD - 1, false, true, false, 0, EXEC_FAILED, "SIMULATION_REVERTED" },
        { EXEC_PROCESSING, HEAD - 1, false, true, false, 0, EXEC_FAILED, "SIMULATION_REVERTED" },
        { EXEC_COMPLETED, HEAD - 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_FAILED, HEAD - 1, false, true, false, 0, EXEC_FAILED, "SIMULATION_REVERTED" },
        /* reorganised away */
        { EXEC_PROCESSING, 0, false, true, false, 0, EXEC_SUBMITTED, NULL },
        { EXEC_PROCESSING, 0, false, false, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, 0, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, HEAD, true, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, HEAD - 1, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, 0, false, true, true, 0, EXEC_PROCESSING, NULL },
        { EXEC_FAILED, 0, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_FAILED, HEAD, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_FAILED, HEAD - 1, true, true, false, 0, EXEC_PROCESSING, NULL },
        /* taken back: only what cannot come back any more is a failure */
        { EXEC_PENDING, 0, false, false, false, HEAD, EXEC_PENDING, NULL },
        { EXEC_SUBMITTED, 0, false, true, false, HEAD - SETTLE + 2, EXEC_SUBMITTED, NULL },
        { EXEC_SUBMITTED, 0, false, true, false, HEAD - SETTLE + 1, EXEC_FAILED, "QUOTE_EXPIRED" },
        { EXEC_PENDING, 0, false, false, false, HEAD - SETTLE + 1, EXEC_FAILED, "QUOTE_EXPIRED" },
        { EXEC_PROCESSING, 0, false, true, false, HEAD - SETTLE + 1, EXEC_FAILED, "QUOTE_EXPIRED" },
        { EXEC_FAILED, 0, false, true, false, HEAD - SETTLE + 1, EXEC_FAILED, "QUOTE_EXPIRED" },
        { EXEC_COMPLETED, 0, false, true, false, HEAD, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, 0, false, true, false, HEAD - SETTLE + 1, EXEC_PROCESSING, NULL },
        /* the nonce went to somebody else's transaction */
        { EXEC_PENDING, 0, false, false, true, 0, EXEC_FAILED, "CONFLICT" },
        { EXEC_SUBMITTED, 0, false, true, true, 0, EXEC_FAILED, "CONFLICT" },
        { EXEC_PROCESSING, 0, false, true, true, 0, EXEC_FAILED, "CONFLICT" },
        { EXEC_FAILED, 0, false, true, true, 0, EXEC_FAILED, "CONFLICT" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        set_row(&s, &rows[i]);
        belongs(&s, &rows[i]);
    }
}

/* What is seen for the first time speaks for a swap, and not against it. */
static void what_is_not_believed_at_once(void)
{
    static const struct row rows[] = {
        { EXEC_SUBMITTED, HEAD - 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_SUBMITTED, HEAD - 1, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_PROCESSING, 1, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, HEAD - 1, false, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_FAILED, HEAD - 1, true, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_PENDING, 0, false, false, false, 1, EXEC_PENDING, NULL },
        { EXEC_SUBMITTED, 0, false, true, false, 1, EXEC_SUBMITTED, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        set_row(&s, &rows[i]);
        set_first_sight(&s);
        belongs(&s, &rows[i]);
    }
}

/* While the nonce counts as used a receipt that is missing says nothing. */
static void absence_proves_nothing(void)
{
    for (enum exec_status from = EXEC_PENDING; from <= EXEC_FAILED; from++) {
        struct row r = { from, 0, false, true, false, 0, from, NULL };
        struct scene s;

        set_row(&s, &r);
        s.watch.chain_count = NONCE + 1;
        belongs(&s, &r);
    }
}

/* One refusal may be a node that lags behind; a refused cancel says nothing about the swap. */
static void what_nodes_will_never_take(void)
{
    struct transaction txs[] = { { .kind = TX_APPROVAL }, { .kind = TX_SPEND }, { .kind = TX_CANCEL } };
    struct watch w = { .txs = txs, .count = 3 };

    txs[1].refusals = REFUSALS - 1;
    txs[2].refusals = REFUSALS;
    CHECK(!refused(&w));
    txs[1].refusals = REFUSALS;
    CHECK(refused(&w));
    txs[1].refusals = 0;
    txs[0].refusals = REFUSALS;
    CHECK(refused(&w));
}

static void what_nodes_refused_is_no_expiry(void)
{
    struct scene s;

    set(&s, EXEC_PENDING);
    add_tx(&s, TX_SPEND, NONCE, 0, false);
    add_tx(&s, TX_CANCEL, NONCE, 1, true);
    s.watch.refused = true;
    CHECK(verdict(&s.watch).to == EXEC_FAILED);
    CHECK_STR(verdict(&s.watch).error_code, "SIMULATION_REVERTED");
}

/* The approval before it says nothing about the swap; of several attempts the one in a block counts. */
static void the_nonce_of_the_swap_decides(void)
{
    struct scene s;

    set(&s, EXEC_SUBMITTED);
    add_tx(&s, TX_APPROVAL, NONCE - 1, 1, true);
    add_tx(&s, TX_SPEND, NONCE, 0, false);
    CHECK(verdict(&s.watch).to == EXEC_SUBMITTED);

    set(&s, EXEC_SUBMITTED);
    add_tx(&s, TX_APPROVAL, NONCE - 1, 1, false);
    add_tx(&s, TX_SPEND, NONCE, HEAD - 1, true);
    CHECK(verdict(&s.watch).to == EXEC_COMPLETED);

    set(&s, EXEC_SUBMITTED);
    add_tx(&s, TX_SPEND, NONCE, 0, false);
    add_tx(&s, TX_SPEND, NONCE, HEAD - 1, true);
    CHECK(verdict(&s.watch).to == EXEC_COMPLETED);
    CHECK(verdict(&s.watch).tx_hash == s.txs[1].hash);

    set(&s, EXEC_SUBMITTED);
    add_tx(&s, TX_CANCEL, NONCE, 0, false);
    add_tx(&s, TX_SPEND, NONCE, HEAD - 1, false);
    CHECK(verdict(&s.watch).to == EXEC_FAILED);
    CHECK_STR(verdict(&s.watch).error_message, "The transaction was included and reverted");
}

static struct row row_of(unsigned n)
{
    static const uint64_t blocks[] = { 0, 1, HEAD - SETTLE + 1, HEAD - 1, HEAD, HEAD + 1 };
    enum { BLOCKS = sizeof blocks / sizeof blocks[0] };
    struct row r = { .from = (enum exec_status)(EXEC_PENDING + n % 5) };

    n /= 5;
    r.block = blocks[n % BLOCKS];
    n /= BLOCKS;
    r.cancel_block = blocks[n % BLOCKS];
    n /= BLOCKS;
    r.succeeded = n & 1;
    r.accepted = n & 2;
    r.foreign = n & 4;
    return r;
}

/* Whatever a node shows, the move is one of the table, or the store would end the program. */
static void every_move_is_allowed(void)
{
    for (unsigned n = 0; n < 5 * 6 * 6 * 8 * 4; n++) {
        struct row r = row_of(n / 4);
        struct scene s;
        struct execution_move m;

        set_row(&s, &r);
        if (n & 2)
            set_first_sight(&s);
        s.watch.chain_count = NONCE + n % 2;
        m = verdict(&s.watch);
        CHECK(m.to == m.from || exec_may_move(m.from, m.to));
        CHECK(m.to != EXEC_FAILED || (m.error_code != NULL || m.to == m.from));
        CHECK(m.to != EXEC_COMPLETED || m.to == m.from || (r.block != 0 && r.succeeded));
        CHECK(m.to == EXEC_FAILED || m.error_code == NULL);
    }
}

/* Nothing at first sight; what is, is looked at once more. */
static void how_failures_are_settled(void)
{
    static const struct {
        enum exec_status from;
        uint64_t block;
        bool succeeded, fresh, settled;
        enum exec_follow next;
    } rows[] = {
        { EXEC_PROCESSING, 1, true, true, true, FOLLOW_NOT },
        { EXEC_COMPLETED, 1, true, false, true, FOLLOW_NOT },
        { EXEC_COMPLETED, HEAD - SETTLE + 2, true, false, false, FOLLOW_NOT },
        { EXEC_SUBMITTED, 1, false, true, false, FOLLOW_NOT },
        { EXEC_PROCESSING, 1, false, false, true, FOLLOW_ONCE_MORE },
        { EXEC_FAILED, 1, false, false, true, FOLLOW_ONCE_MORE },
        { EXEC_FAILED, HEAD - SETTLE + 2, false, false, false, FOLLOW_ONCE_MORE },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct record_job job = { .w = &s.watch };

        set(&s, rows[i].from);
        s.swap.follow = FOLLOW_IN_FLIGHT;
        add_tx(&s, TX_SPEND, NONCE, rows[i].block, rows[i].succeeded);
        if (rows[i].fresh)
            set_first_sight(&s);
        decide(&job);
        CHECK(job.settle == rows[i].settled && job.next == rows[i].next);
    }
}

static void failures_are_looked_at_once_more(void)
{
    static const struct {
        uint64_t swap, cancel; /* blocks */
        bool succeeded, foreign;
        int64_t age_ms;
        bool corrected, settled;
    } rows[] = {
        { 0, 0, false, false, 0, false, false }, /* the node shows nothing: later again */
        { 1, 0, false, false, 0, false, true },
        { 0, 1, false, false, 0, false, true },
        { 0, 0, false, true, 0, false, true },
        { 1, 0, true, false, 0, true, true },
        { HEAD - SETTLE + 2, 0, true, false, 0, false, false },
        { HEAD - SETTLE + 1, 0, true, false, 0, true, true },
        { 0, 0, false, false, REVIEWED_FOR_MS + 1, false, true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct record_job job = { .w = &s.watch };

        set(&s, EXEC_FAILED);
        s.swap.follow = FOLLOW_ONCE_MORE;
        add_tx(&s, TX_SPEND, NONCE, rows[i].swap, rows[i].succeeded);
        add_tx(&s, TX_CANCEL, NONCE, rows[i].cancel, true);
        s.watch.foreign = rows[i].foreign;
        s.watch.now_ms = rows[i].age_ms;
        decide(&job);
        CHECK((job.move.to == EXEC_COMPLETED) == rows[i].corrected && job.settle == rows[i].settled);
        CHECK(job.next == FOLLOW_NOT && (!rows[i].corrected || job.move.tx_hash == s.txs[0].hash));
    }
}

static void who_is_doubted(void)
{
    struct scene s;

    set(&s, EXEC_PROCESSING);
    add_tx(&s, TX_SPEND, NONCE, 50, true);
    CHECK(!doubted(&s.watch));
    s.txs[0].succeeded = false;
    CHECK(doubted(&s.watch));
    s.txs[0].succeeded = true;
    add_tx(&s, TX_CANCEL, NONCE, 0, false);
    CHECK(!doubted(&s.watch));
    s.txs[1].block_number = 50;
    CHECK(doubted(&s.watch));
    set(&s, EXEC_FAILED);
    CHECK(doubted(&s.watch));
}

static void when_it_is_settled(void)
{
    static const struct {
        uint64_t approval, swap, again; /* blocks of the approval, and of two attempts at the swap */
        bool settled;
    } rows[] = {
        { 0, 0, 0, false },
        { 1, 1, 0, true },
        { 1, 0, 1, true },
        { 1, 0, 0, false },
        { 0, 1, 0, false },
        { HEAD - SETTLE + 1, HEAD - SETTLE + 1, 0, true },
        { HEAD - SETTLE + 2, HEAD - SETTLE + 1, 0, false },
        { HEAD - SETTLE + 1, HEAD - SETTLE + 2, 0, false },
        { 1, HEAD + 1, 0, false }, /* a block that the node does not know yet has no depth */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        set(&s, EXEC_COMPLETED);
        add_tx(&s, TX_APPROVAL, NONCE - 1, rows[i].approval, true);
        add_tx(&s, TX_SPEND, NONCE, rows[i].swap, true);
        add_tx(&s, TX_SPEND, NONCE, rows[i].again, true);
        CHECK(deep_enough(&s.watch) == rows[i].settled);
    }
}

/* Where the node tells what is final, that decides, however many blocks there are. */
static void what_is_final_is_settled(void)
{
    static const struct {
        uint64_t finalized, block;
        bool settled;
    } rows[] = {
        { 50, 50, true },
        { 50, 51, false },
        { 50, HEAD - SETTLE + 1, false },
        { HEAD, HEAD, true },
        { HEAD, HEAD + 1, false },
        { 50, 0, false },
        { 0, HEAD - SETTLE + 1, true }, /* not told */
        { 0, HEAD - SETTLE + 2, false },
        { 0, 0, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        set(&s, EXEC_COMPLETED);
        add_tx(&s, TX_SPEND, NONCE, rows[i].block, true);
        s.watch.head.finalized = rows[i].finalized;
        CHECK(deep_enough(&s.watch) == rows[i].settled);
    }
}

/* There is no receipt to wait for, and the swap behind it did not fail for being late. */
static void an_approval_whose_nonce_went_elsewhere(void)
{
    struct scene s;

    set(&s, EXEC_SUBMITTED);
    add_tx(&s, TX_APPROVAL, NONCE - 1, 0, false);
    add_tx(&s, TX_SPEND, NONCE, 0, false);
    add_tx(&s, TX_CANCEL, NONCE, 1, true);
    CHECK(!deep_enough(&s.watch));
    CHECK_STR(verdict(&s.watch).error_code, "QUOTE_EXPIRED");
    s.receipts[0].foreign = true;
    CHECK(deep_enough(&s.watch));
    CHECK(verdict(&s.watch).to == EXEC_FAILED);
    CHECK_STR(verdict(&s.watch).error_code, "CONFLICT");
}

static void what_is_news(void)
{
    struct scene s;

    set(&s, EXEC_PROCESSING);
    add_tx(&s, TX_SPEND, NONCE, 50, true);
    s.txs[0].state = EFFECT_OPEN;
    CHECK(txs_changed(&s.watch));
    s.txs[0].block_number = 50;
    s.txs[0].state = EFFECT_INCLUDED;
    CHECK(!txs_changed(&s.watch));
    s.txs[0].succeeded = false;
    CHECK(txs_changed(&s.watch));
    s.txs[0].succeeded = true;
    s.receipts[0].block = 51;
    CHECK(txs_changed(&s.watch));
    s.receipts[0].block = 0;
    CHECK(txs_changed(&s.watch));
    s.watch.chain_count = NONCE + 1; /* the receipt is missing, no more */
    CHECK(!txs_changed(&s.watch));
    s.watch.chain_count = NONCE;
    s.txs[0].state = EFFECT_SETTLED;
    CHECK(!txs_changed(&s.watch));
}

/* Neighbours in one list become one watch each; what cannot be followed is left out. */
static void transactions_find_their_swaps(void)
{
    struct arena *a = arena_new();
    struct execution swaps[] = { { .id = 3, .from = { .chain_id = 1 } },
                                 { .id = 5, .from = { .chain_id = 1 } },
                                 { .id = 6, .from = { .chain_id = 999 } },
                                 { .id = 9, .from = { .chain_id = 8453 } } };
    struct transaction txs[] = {
        { .execution_id = 2, .nonce = 1 },
        { .execution_id = 3, .nonce = 40, .kind = TX_APPROVAL },
        { .execution_id = 3, .nonce = 41, .kind = TX_SPEND },
        { .execution_id = 3, .nonce = 41, .kind = TX_CANCEL },
        { .execution_id = 6, .nonce = 7, .kind = TX_SPEND },
        { .execution_id = 9, .nonce = 8, .kind = TX_SPEND },
    };
    struct watch w[4 + 1];

    CHECK(watches_make(w, swaps, 4, txs, 6, a) == 2);
    CHECK(w[0].swap == &swaps[0] && w[0].count == 3 && w[0].txs == &txs[1] && w[0].swap_nonce == 41);
    CHECK(w[1].swap == &swaps[3] && w[1].count == 1 && w[1].txs == &txs[5] && w[1].swap_nonce == 8);
    CHECK(w[1].chain == chain_by_id(8453) && w[0].receipts[2].block == 0);
    CHECK(watches_make(w, swaps, 0, txs, 6, a) == 0 && watches_make(w, swaps, 4, txs, 0, a) == 0);
    arena_free(a);
}

static struct conf *conf_of(const char *text)
{
    char path[] = "/tmp/test_track.XXXXXX";
    int fd = mkstemp(path);
    struct conf *c;

    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
    c = conf_load(path);
    CHECK(unlink(path) == 0);
    return c;
}

/* Where chains.c says that the tag is known, unless the operator has said what is deep enough. */
static void who_is_asked_what_is_final(void)
{
    static const struct {
        const char *conf, *chain;
        bool asked;
    } rows[] = {
        { "", "ethereum", true },
        { "settle_depth.base = 5\n", "ethereum", true },
        { "settle_depth.ethereum =\n", "ethereum", true },
        { "settle_depth.ethereum = 5\n", "ethereum", false },
        { "", "polygon", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct conf *conf = conf_of(rows[i].conf);
        struct ctx ctx = { .conf = conf };
        struct slice sl = { .chain = chain_find(rows[i].chain) };

        ask(&ctx, &sl);
        CHECK((sl.at_finalized != 0) == rows[i].asked);
        CHECK(sl.batch.count == (rows[i].asked ? 3 : 2));
        CHECK((strstr(sl.body.data, "\"eth_getBlockByNumber\",\"params\":[\"finalized\",false]") != NULL) ==
              rows[i].asked);
        buf_free(&sl.body);
        conf_free(conf);
    }
}

/* What is not told, or cannot be, leaves the rest of the answers as good as they are. */
static void what_a_node_calls_final(void)
{
    static const struct {
        const char *answer;
        uint64_t finalized;
    } rows[] = {
        { "\"result\":{\"number\":\"0x32\"}", 50 },
        { "\"result\":{\"number\":\"0x64\"}", HEAD },
        { "\"result\":{\"number\":\"0x65\"}", 0 }, /* above its head */
        { "\"result\":{\"number\":\"0xffffffffffffffff\"}", 0 },
        { "\"result\":{\"number\":\"0x0\"}", 0 },
        { "\"result\":{\"number\":50}", 0 },
        { "\"result\":{}", 0 },
        { "\"result\":\"0x32\"", 0 },
        { "\"result\":null", 0 },
        { "\"error\":{\"code\":-39001,\"message\":\"finalized block not found\"}", 0 },
        { "\"error\":{\"code\":-32602,\"message\":\"invalid block tag\"}", 0 },
    };
    struct conf *conf = conf_of("");
    struct ctx ctx = { .conf = conf };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct buf body = BUF_INIT(4096);
        struct rpc_answers answers;
        struct scene s;
        struct slice sl = { .chain = chain_find("gnosis"), .w = &s.watch, .count = 1, .at_finalized = 2 };

        set(&s, EXEC_SUBMITTED);
        s.watch.at_count = 3;
        buf_addf(
            &body,
            "[{\"id\":0,\"result\":\"0x64\"},{\"id\":1,\"result\":{\"baseFeePerGas\":[\"0x7\"],\"reward\":[]}},{\"id\":2,%s},{\"id\":3,\"result\":\"0x6\"}]",
            rows[i].answer);
        CHECK(rpc_read(&answers, a, &body, 4));
        read_answers(&ctx, &sl, &answers);
        CHECK(s.watch.known && s.watch.head.block == HEAD && s.watch.head.settle == 64);
        CHECK(s.watch.head.finalized == rows[i].finalized);
        rpc_answers_free(&answers);
        buf_free(&body);
        arena_free(a);
    }
    conf_free(conf);
}

/* An error about one of them makes nothing known: nothing may be concluded from it. */
static void only_whole_answers_count(void)
{
    static const struct {
        const char *count, *receipt;
        bool known;
    } rows[] = {
        { "\"result\":\"0x6\"", "\"result\":null", true },
        { "\"result\":\"0x6\"", "\"result\":{\"blockNumber\":\"0x63\",\"status\":\"0x1\"}", true },
        { "\"result\":\"0x6\"", "\"error\":{\"code\":-32000,\"message\":\"header not found\"}", false },
        { "\"result\":\"0x6\"", "\"result\":{\"blockNumber\":\"0x63\"}", false },
        { "\"result\":\"0x6\"", "\"result\":\"0x\"", false },
        { "\"result\":null", "\"result\":null", false },
        { "\"error\":{\"code\":1}", "\"result\":null", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct buf body = BUF_INIT(4096);
        struct rpc_answers answers;
        struct scene s;

        set(&s, EXEC_SUBMITTED);
        add_tx(&s, TX_SPEND, NONCE, 0, false);
        buf_addf(&body, "[{\"id\":1,%s},{\"id\":0,%s}]", rows[i].receipt, rows[i].count);
        CHECK(rpc_read(&answers, a, &body, 2));
        read_watch(&s.watch, &answers);
        CHECK(s.watch.known == rows[i].known);
        CHECK(!rows[i].known || s.watch.chain_count == 6);
        rpc_answers_free(&answers);
        buf_free(&body);
        arena_free(a);
    }
}

TEST_MAIN(TEST(where_a_swap_belongs), TEST(what_is_not_believed_at_once), TEST(absence_proves_nothing),
          TEST(what_nodes_will_never_take), TEST(what_nodes_refused_is_no_expiry),
          TEST(the_nonce_of_the_swap_decides), TEST(every_move_is_allowed), TEST(when_it_is_settled),
          TEST(an_approval_whose_nonce_went_elsewhere), TEST(what_is_news), TEST(how_failures_are_settled),
          TEST(failures_are_looked_at_once_more), TEST(who_is_doubted), TEST(transactions_find_their_swaps),
          TEST(only_whole_answers_count), TEST(what_is_final_is_settled), TEST(who_is_asked_what_is_final),
          TEST(what_a_node_calls_final))
