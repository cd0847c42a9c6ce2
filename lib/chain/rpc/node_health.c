#include "chain/rpc/node_health.h"

#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/clock_skew.h"
#include "chain/rpc/dialect.h"
#include "chain/rpc/node_cause.h"
#include "chain/rpc/node_peer.h"

enum {
    POLL_MS = 1000,
    IN_USE_MS = 5 * 60 * 1000, /* how long after a question a chain is looked at */
    LAST_MS = 10 * 1000,       /* how long one is asked last; the next poll renews it */
    LAST_CONTRADICTING_MS = 60 * 1000,
    LAG_BLOCKS = 5,
    LAG_MS = 3000,       /* of blocks that are made faster: the answers to one poll are not of one instant */
    FAR_BLOCKS = 100000, /* ahead of all others */
    STALE_S = 3600,
    HALTED_MS = 60 * 1000,
    UNANSWERED = 2, /* looks in a row */
    SETTLED_EVERY_MS = 30 * 1000,
    QUESTIONS = 2, /* to one node */
};

/* ---- consequences of a poll ---- */

/* A poll's result for one node. */
struct observation {
    bool known;      /* to be of the chain; else it has no say */
    uint64_t height; /* of its newest block; 0: it did not answer */
    uint64_t time;   /* of that block; 0: unknown */
    bool stale;      /* that block is old by the clock: it may still be loading the chain */
    uint64_t before; /* its height at the poll before; 0: unknown */
    bool rewrote;    /* a settled block is another one than it was */
    unsigned unanswered;
    enum node_health health; /* what follows */
};

/* The node with the newest block, apart from `but`; `n` where none answered. */
static size_t highest(const struct observation *s, size_t n, size_t but)
{
    size_t best = n;

    for (size_t i = 0; i < n; i++)
        if (i != but && s[i].known && s[i].height > 0 && (best == n || s[i].height > s[best].height))
            best = i;
    return best;
}

/* The node with whose block the others are compared. A single one that is ahead by more blocks than a chain
 * makes while a node lags is not believed, unless all others show old blocks. */
static size_t measure(const struct observation *s, size_t n, size_t *liar)
{
    size_t first = highest(s, n, n), second = highest(s, n, first);

    *liar = n;
    if (second == n || s[second].stale || s[first].height - s[second].height <= FAR_BLOCKS)
        return first;
    *liar = first;
    return second;
}

static enum node_health observation_health(const struct observation *s, uint64_t best, uint64_t lag)
{
    if (!s->known)
        return NODE_READY;
    if (s->height == 0)
        return best > 0 && s->unanswered >= UNANSWERED ? NODE_UNAVAILABLE : NODE_READY;
    if (s->rewrote || s->before >= s->height + lag)
        return NODE_CONTRADICTING;
    return s->height + lag <= best ? NODE_BEHIND : NODE_READY;
}

static uint64_t lag_of(const struct chain *c)
{
    uint64_t blocks = LAG_MS / block_time_ms(c);

    return blocks > LAG_BLOCKS ? blocks : LAG_BLOCKS;
}

static void observations_judge(struct observation *s, size_t n, uint64_t lag)
{
    size_t liar, best = measure(s, n, &liar);
    uint64_t height = best < n ? s[best].height : 0;

    for (size_t i = 0; i < n; i++)
        s[i].health = i == liar ? NODE_CONTRADICTING : observation_health(&s[i], height, lag);
}

/* ---- their states ---- */

size_t nodes_count(const struct nodes *n, const struct chain *c)
{
    const struct target *t = nodes_targets(n, c, NODE_READ);
    size_t count = 0;

    while (t[count].url != NULL)
        count++;
    return count;
}

/* A single node is looked at for its head only; its standing is not judged. */
bool nodes_looked_at(const struct nodes *n, const struct chain *c)
{
    int64_t asked_ms = nodes_peers(n, c, NODE_READ)->asked_ms;

    return nodes_count(n, c) > 0 && asked_ms != 0 && clock_mono_ms() - asked_ms < IN_USE_MS;
}

bool nodes_watched(const struct nodes *n, const struct chain *c)
{
    return nodes_count(n, c) > 1 && nodes_looked_at(n, c);
}

const char *nodes_name(const struct nodes *n, const struct chain *c, size_t place)
{
    return nodes_targets(n, c, NODE_READ)[place].node;
}

void nodes_each(const struct nodes *n, void (*one)(void *arg, const struct chain *c, const char *name),
                void *arg)
{
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        for (enum node_role role = NODE_READ; role <= NODE_VERIFY; role++)
            for (const struct target *t = nodes_targets(n, c, role); t->url != NULL; t++)
                one(arg, c, t->node);
}

bool nodes_answers(const struct nodes *n, const struct chain *c, size_t place)
{
    return nodes_peers(n, c, NODE_READ)->of[place].unanswered < UNANSWERED;
}

bool nodes_head(const struct nodes *n, const struct chain *c, size_t place, struct node_head *out)
{
    const struct peer *p = &nodes_peers(n, c, NODE_READ)->of[place];

    if (!nodes_looked_at(n, c) || p->head_s == 0)
        return false;
    *out = (struct node_head){ .height = p->height, .age_s = clock_seconds() - p->head_s };
    return true;
}

bool nodes_best(const struct nodes *n, const struct chain *c, size_t *place, struct node_head *out)
{
    size_t count = nodes_count(n, c);
    struct node_head head;

    *place = count;
    for (size_t i = 0; i < count; i++) {
        if (nodes_health(n, c, i) != NODE_READY || !nodes_head(n, c, i, &head) ||
            (*place < count && head.height <= out->height))
            continue;
        *place = i;
        *out = head;
    }
    return *place < count;
}

enum node_health nodes_health(const struct nodes *n, const struct chain *c, size_t place)
{
    const struct peer *p = &nodes_peers(n, c, NODE_READ)->of[place];
    int64_t now = clock_mono_ms();

    if (p->chain == CHAIN_WRONG)
        return NODE_OTHER_CHAIN;
    for (enum node_health s = NODE_BEHIND; s <= NODE_UNAVAILABLE; s++)
        if (now < p->until_ms[s])
            return s;
    return NODE_READY;
}

const char *node_health_text(enum node_health s)
{
    static const char *const texts[NODE_STANDINGS] = {
        [NODE_READY] = "ready",
        [NODE_BEHIND] = "behind",
        [NODE_CONTRADICTING] = "contradicting",
        [NODE_UNAVAILABLE] = "silent",
        [NODE_OTHER_CHAIN] = "other chain",
    };

    return texts[s];
}

/* The cause of a node's bad standing; CAUSE_NONE: it is healthy. */
static unsigned cause_of(const struct nodes *n, const struct chain *c, size_t place)
{
    static const unsigned causes[NODE_STANDINGS] = {
        [NODE_BEHIND] = CAUSE_BEHIND,
        [NODE_CONTRADICTING] = CAUSE_CONTRADICTING,
        [NODE_OTHER_CHAIN] = CAUSE_OTHER_CHAIN,
    };
    enum node_health health = nodes_health(n, c, place);
    unsigned cause = nodes_peers(n, c, NODE_READ)->of[place].cause;

    if (health == NODE_UNAVAILABLE || (health != NODE_OTHER_CHAIN && !nodes_answers(n, c, place)))
        return cause != CAUSE_NONE ? cause : CAUSE_NO_ANSWER;
    return causes[health];
}

const char *nodes_incident(const struct nodes *n, const struct chain *c, struct arena *a)
{
    const char *text = NULL;

    for (size_t i = 0; nodes_looked_at(n, c) && i < nodes_count(n, c); i++) {
        unsigned cause = cause_of(n, c, i);

        if (cause == CAUSE_NONE)
            return NULL;
        text = arena_printf(a, "%s%snode %zu: %s", text != NULL ? text : "", text != NULL ? "; " : "", i + 1,
                            node_cause_text(a, cause));
    }
    return text;
}

const char *nodes_clock(const struct nodes *n, struct arena *a)
{
    struct clock_skew l = { .nodes = 0 };

    for (const struct chain *c = chains; c < chains + chains_count; c++)
        for (size_t i = 0; nodes_looked_at(n, c) && i < nodes_count(n, c); i++) {
            const struct peer *p = &nodes_peers(n, c, NODE_READ)->of[i];

            if (p->cause == CAUSE_NONE && p->head_s != 0)
                clock_skew_add(&l, c, p->lag_s);
        }
    return clock_skew_text(&l, a);
}

/* One that lags is still asked where no other answers. */
static bool chain_works(const struct nodes *n, const struct chain *c)
{
    for (size_t i = 0; i < nodes_count(n, c); i++)
        if (nodes_answers(n, c, i) && nodes_health(n, c, i) != NODE_OTHER_CHAIN)
            return true;
    return false;
}

bool nodes_work(const struct nodes *n)
{
    bool any = false;

    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        if (chain_works(n, c))
            return true;
        any = any || nodes_count(n, c) > 0;
    }
    return !any;
}

/* ---- looking ---- */

/* The questions to one node. */
struct poll_question {
    const struct chain *chain;
    struct peer *peer;
    struct observation *observation;
    uint64_t settled;        /* the block that is asked for; 0: the newest, or the chain */
    struct target target[2]; /* this node alone */
};

struct poll {
    const struct ctx *ctx;
    struct arena *arena;
    struct poll_question *questions;
    struct call *calls; /* one each, which points to it */
    size_t count;
};

/* A single question is no batch, which some nodes do not know. */
static void question_add(struct poll *l, struct poll_question q, const char *method, const char *params)
{
    struct poll_question *kept = &l->questions[l->count];
    struct call *call = &l->calls[l->count++];

    *kept = q;
    call_init(call, NULL, MAX_UPSTREAM);
    call->more = kept->target;
    call->owner = kept;
    call->headers[0] = "Content-Type: application/json";
    buf_addf(&call->body, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"%s\",\"params\":%s}", method, params);
}

/* Which settled block it is asked for now: one that it has named before, or the next to keep; 0: none. */
static uint64_t settled_due(const struct peer *p, const struct chain *c)
{
    if (dialect_of(c)->by_number == NULL || p->height <= c->settle_depth ||
        clock_mono_ms() < p->settled_next_ms)
        return 0;
    return p->settled != 0 ? p->settled : p->height - c->settle_depth;
}

static void node_probe(struct poll *l, const struct chain *c, size_t place, struct observation *s)
{
    struct peer *p = &nodes_peers(l->ctx->nodes, c, NODE_READ)->of[place];
    struct poll_question q = { .chain = c, .peer = p, .observation = s };
    const struct dialect *dialect = dialect_of(c);
    uint64_t settled = settled_due(p, c);

    *s = (struct observation){ .known = p->chain == CHAIN_RIGHT, .before = p->height };
    q.target[0] = nodes_targets(l->ctx->nodes, c, NODE_READ)[place];
    if (s->known)
        question_add(l, q, dialect->newest, dialect->newest_params);
    else if (peer_chain_is_due(p))
        question_add(l, q, dialect->which, "[]");
    if (!s->known || settled == 0)
        return;
    q.settled = settled;
    question_add(l, q, dialect->by_number,
                 arena_printf(l->arena, "[\"0x%llx\",false]", (unsigned long long)settled));
}

/* A hash that it gives for the first time is kept until it is asked for that block again. */
static void note_settled(const struct poll_question *q, const struct rpc_answer *r)
{
    struct peer *p = q->peer;
    uint8_t hash[sizeof p->settled_hash];

    if (!dialect_of(q->chain)->read_hash(hash, r))
        return;
    q->observation->rewrote = p->settled == q->settled && memcmp(hash, p->settled_hash, sizeof hash) != 0;
    p->settled = p->settled == q->settled ? 0 : q->settled;
    memcpy(p->settled_hash, hash, sizeof hash);
    p->settled_next_ms = clock_mono_ms() + SETTLED_EVERY_MS;
}

static bool note_newest(const struct poll_question *q, const struct rpc_answer *r)
{
    uint64_t height, time;

    if (!dialect_of(q->chain)->read_newest(&height, &time, r))
        return false;
    q->observation->height = height;
    q->observation->time = time;
    q->observation->stale = time != 0 && time + STALE_S < (uint64_t)clock_seconds();
    return true;
}

static bool note_which(const struct poll_question *q, const struct rpc_answer *r)
{
    bool right, read = dialect_of(q->chain)->read_which(&right, q->chain, r);

    if (read)
        peer_note_chain(q->peer, q->target[0].name, right);
    return read;
}

/* One that is left alone for a moment keeps the cause for which it is. */
static void note_cause(const struct poll_question *q, const struct call *call, bool parsed, bool answered)
{
    if (answered)
        q->peer->cause = CAUSE_NONE;
    else if (call->result != CALL_HELD || q->peer->cause == CAUSE_NONE)
        q->peer->cause = node_cause_of(call, parsed);
}

static void question_read(const struct poll_question *q, const struct call *call, struct arena *a)
{
    struct rpc_answers as;
    bool parsed = node_answer_read(&as, a, call, q->chain);

    if (parsed && q->settled != 0)
        note_settled(q, &as.items[0]);
    if (q->settled == 0)
        note_cause(q, call, parsed,
                   parsed && (q->observation->known ? note_newest : note_which)(q, &as.items[0]));
    if (parsed)
        rpc_answers_free(&as);
}

static void note_health(struct peer *p, const struct observation *s, const char *name)
{
    if (s->health == NODE_READY) {
        if (s->height > 0)
            log_incident_over("node_demoted", name);
        return;
    }
    log_incident("node_demoted", name, "msg=\"a node is asked last\" why=\"%s\"",
                 node_health_text(s->health));
    p->until_ms[s->health] =
        clock_mono_ms() + (s->health == NODE_CONTRADICTING ? LAST_CONTRADICTING_MS : LAST_MS);
}

/* Chains make blocks all the time: one that does not halts, or all of its nodes have lost it. */
static void head_note(struct peers *p, const struct chain *c, uint64_t height)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    (void)snprintf(about, sizeof about, "chain=%s", c->key);
    if (height != p->head) {
        log_incident_over("chain_halted", about);
        p->head = height;
        p->head_ms = clock_mono_ms();
    } else if (clock_mono_ms() - p->head_ms >= HALTED_MS) {
        log_incident("chain_halted", about, "msg=\"no node of a chain has new blocks\" height=%llu",
                     (unsigned long long)p->head);
    }
}

static void note_head(struct peer *p, const struct observation *s)
{
    if (s->height == 0)
        return;
    p->height = s->height;
    p->head_s = (int64_t)s->time;
    p->lag_s = clock_seconds() - p->head_s;
}

/* Notes the pace of blocks of the nodes that are believed. */
static void pace_note(struct peer *p, const struct chain *c, const struct observation *s, size_t count)
{
    unsigned block_ms[NODES_MAX] = { 0 };
    uint64_t heights[NODES_MAX] = { 0 };

    for (size_t i = 0; i < count; i++) {
        if (s[i].height > 0 && s[i].health != NODE_CONTRADICTING) {
            block_pace_note(&p[i].pace, s[i].height);
            heights[i] = s[i].height;
        }
        block_ms[i] = p[i].pace.block_ms;
    }
    block_time_tell(c, block_ms, count);
    block_height_tell(c, heights, count);
}

/* One that has not even said of which chain it is, too. */
static bool is_silent(const struct peer *p, const struct observation *s)
{
    return s->height == 0 && (s->known || p->chain == CHAIN_UNKNOWN);
}

static void chain_judge(const struct nodes *n, const struct chain *c, struct observation *s)
{
    struct peer *p = nodes_peers(n, c, NODE_READ)->of;
    size_t count = nodes_count(n, c), best, liar;

    for (size_t i = 0; i < count; i++)
        s[i].unanswered = p[i].unanswered = is_silent(&p[i], &s[i]) ? p[i].unanswered + 1 : 0;
    observations_judge(s, count, lag_of(c));
    best = measure(s, count, &liar);
    if (best < count)
        head_note(nodes_peers(n, c, NODE_READ), c, s[best].height);
    pace_note(p, c, s, count);
    for (size_t i = 0; i < count; i++) {
        note_head(&p[i], &s[i]);
        if (count > 1)
            note_health(&p[i], &s[i], nodes_targets(n, c, NODE_READ)[i].name);
    }
}

/* Whether it is told that no node of any chain works only by looks at all of them. */
static bool looks_everywhere(const struct nodes *n)
{
    bool any = false;

    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        if (nodes_looked_at(n, c) && chain_works(n, c))
            return false;
        any = any || nodes_looked_at(n, c);
    }
    return any || !nodes_work(n);
}

void nodes_probe(const struct ctx *ctx, struct arena *a)
{
    bool everywhere = looks_everywhere(ctx->nodes), *polls = arena_calloc(a, chains_count, sizeof *polls);
    struct observation(*observations)[NODES_MAX] = arena_calloc(a, chains_count, sizeof *observations);
    struct poll l = { .ctx = ctx,
                      .arena = a,
                      .questions = ARENA_ARRAY(a, struct poll_question, chains_count * NODES_MAX * QUESTIONS),
                      .calls = ARENA_ARRAY(a, struct call, chains_count * NODES_MAX * QUESTIONS) };

    for (size_t i = 0; i < chains_count; i++) {
        polls[i] = everywhere || nodes_looked_at(ctx->nodes, &chains[i]);
        for (size_t j = 0; polls[i] && j < nodes_count(ctx->nodes, &chains[i]); j++)
            node_probe(&l, &chains[i], j, &observations[i][j]);
    }
    (void)calls_run(ctx->net, l.calls, l.count, POLL_MS);
    for (size_t i = 0; i < l.count; i++) {
        question_read(&l.questions[i], &l.calls[i], a);
        call_free(&l.calls[i]);
    }
    for (size_t i = 0; i < chains_count; i++)
        if (polls[i])
            chain_judge(ctx->nodes, &chains[i], observations[i]);
}
