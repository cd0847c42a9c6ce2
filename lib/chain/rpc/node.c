#include "chain/rpc/node.h"

#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/log.h"
#include "chain/rpc/dialect.h"
#include "chain/silence.h"
#include "net/call.h"

enum { MAX_URLS = 8, ROLES = NODE_VERIFY + 1, BATCH_MAX = 100, LOOK_AGAIN_MS = 60000 };

struct urls {
    struct target target[MAX_URLS + 1]; /* no url ends the list */
};

/* What was learnt about the node behind a URL. Processes write it as they learn it, each member on its own:
 * what is lost in a race is learnt again. */
struct peer {
    struct breaker breaker;
    enum { CHAIN_UNKNOWN, CHAIN_RIGHT, CHAIN_WRONG } chain;
    int64_t wrong_until_ms; /* then it is asked for its chain again; monotonic */
    unsigned batch_less;    /* by how many items than BATCH_MAX a batch may have */
    unsigned lacks;         /* of enum rpc_need */
};

struct nodes {
    struct urls *of;    /* of each role one per row of chains[] */
    struct peer *peers; /* MAX_URLS for each of them, shared with the processes that are forked */
};

static void add_url(struct urls *u, struct peer *peers, const char *s, size_t n)
{
    for (size_t i = 0; i < MAX_URLS; i++) {
        if (u->target[i].url != NULL)
            continue;
        u->target[i] = (struct target){ strndup(s, n), &peers[i].breaker };
        return;
    }
}

static void list_split(struct urls *u, struct peer *peers, const char *list)
{
    while (*list != '\0') {
        size_t skip = strspn(list, ", \t"), n = strcspn(list + skip, ", \t");

        if (n > 0)
            add_url(u, peers, list + skip, n);
        list += skip + n;
    }
}

/* Settings name a chain by its key alone: with an alias a second line could say something else. */
static bool is_key(const char *text)
{
    const struct chain *c = chain_find(text);

    return c != NULL && strcmp(c->key, text) == 0;
}

static size_t peers_size(void)
{
    return ROLES * chains_count * MAX_URLS * sizeof(struct peer);
}

static struct peer *new_peers(void)
{
    void *p = mmap(NULL, peers_size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        log_fatal("msg=\"out of memory\"");
    return p;
}

static size_t lane_number(const struct chain *c, enum node_role role)
{
    return (size_t)role * chains_count + (size_t)(c - chains);
}

static void add_list(struct nodes *n, const struct chain *c, enum node_role role, const char *list)
{
    size_t place = lane_number(c, role);

    if (list != NULL)
        list_split(&n->of[place], n->peers + place * MAX_URLS, list);
}

static void add_chain(struct nodes *n, const struct conf *conf, const struct chain *c)
{
    const char *rpc = conf_chain(conf, "rpc", c->key), *send = conf_chain(conf, "send", c->key);

    if (rpc == NULL)
        rpc = c->rpc_default;
    add_list(n, c, NODE_READ, rpc);
    add_list(n, c, NODE_SEND, send);
    if (conf->send_fallback || send == NULL || *send == '\0')
        add_list(n, c, NODE_SEND, rpc);
    add_list(n, c, NODE_VERIFY, conf_chain(conf, "verify", c->key));
}

struct nodes *nodes_new(const struct conf *conf)
{
    struct nodes *n = calloc(1, sizeof *n);
    const char *unknown = conf_unknown_chain(conf, is_key);

    if (unknown != NULL)
        log_fatal("msg=\"setting for an unknown chain\" name=%s", unknown);

    if (n == NULL || (n->of = calloc(ROLES * chains_count, sizeof *n->of)) == NULL)
        log_fatal("msg=\"out of memory\"");
    n->peers = new_peers();
    for (size_t i = 0; i < chains_count; i++)
        add_chain(n, conf, &chains[i]);
    return n;
}

void nodes_free(struct nodes *n)
{
    for (size_t i = 0; i < ROLES * chains_count; i++)
        for (size_t j = 0; j < MAX_URLS; j++)
            free((char *)(uintptr_t)n->of[i].target[j].url);
    (void)munmap(n->peers, peers_size());
    free(n->of);
    free(n);
}

static const struct target *targets_of(const struct nodes *n, const struct chain *c, enum node_role role)
{
    return n->of[lane_number(c, role)].target;
}

bool nodes_known(const struct nodes *n, const struct chain *c)
{
    return targets_of(n, c, NODE_READ)[0].url != NULL;
}

bool nodes_verify(const struct nodes *n, const struct chain *c)
{
    return targets_of(n, c, NODE_VERIFY)[0].url != NULL;
}

/* By the place that the URL has in the list, whatever the order in which they are asked. */
static struct peer *peer_of(const struct nodes *n, const struct node_query *q, const char *url)
{
    const struct target *t = targets_of(n, q->chain, q->role);
    size_t i = 0;

    while (i + 1 < MAX_URLS && t[i].url != url)
        i++;
    return &n->peers[lane_number(q->chain, q->role) * MAX_URLS + i];
}

/* ---- a query on its way ---- */

struct asking {
    struct node_query *query;
    const struct nodes *nodes;
    struct arena *arena;
    const char *url; /* that is asked */
    struct peer *peer;
    bool *asked;           /* items that this one was asked and need not be asked again */
    bool for_chain;        /* what is under way is the question for its chain */
    unsigned sent;         /* items under way: those that are awaited */
    struct rpc_item *item; /* as each was asked */
};

static unsigned batch_max(const struct peer *p)
{
    return BATCH_MAX - p->batch_less;
}

static void take_up(struct asking *k, const char *url)
{
    if (url == k->url)
        return;
    k->url = url;
    k->peer = peer_of(k->nodes, k->query, url);
    memset(k->asked, 0, k->query->batch->count * sizeof k->asked[0]);
}

static bool query_is_open(const struct asking *k, unsigned id)
{
    return !k->asked[id] && !rpc_is_final(k->query->answers.items[id].class);
}

static void query_add_item(struct asking *k, struct buf *body, const struct rpc_item *item)
{
    if (k->sent++ > 0)
        buf_addc(body, ',');
    buf_add(body, item->text, item->len);
    k->query->answers.items[item->id].awaited = true;
    k->item[item->id] = *item;
}

/* As many of the open items as the node takes at once; a single one is no batch, which some nodes do not
 * know. */
static bool write_items(struct asking *k, struct buf *body)
{
    unsigned max = batch_max(k->peer);
    struct rpc_cursor cursor = { NULL };
    struct rpc_item item;

    k->sent = 0;
    if (max > 1)
        buf_addc(body, '[');
    while (k->sent < max && rpc_next(&item, &cursor, k->query->batch, k->peer->lacks))
        if (query_is_open(k, item.id))
            query_add_item(k, body, &item);
    if (max > 1)
        buf_addc(body, ']');
    return k->sent > 0;
}

static bool query_prepare(struct call *call)
{
    struct node_query *q = call->owner;
    struct asking *k = q->asking;

    take_up(k, call->url);
    buf_reset(&call->body);
    if (k->peer->chain == CHAIN_WRONG && clock_mono_ms() < k->peer->wrong_until_ms)
        return false;
    k->for_chain = k->peer->chain != CHAIN_RIGHT;
    if (!k->for_chain)
        return write_items(k, &call->body);
    buf_addf(&call->body, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"%s\",\"params\":[]}",
             dialect_of(q->chain)->which);
    return true;
}

/* ---- what a node said ---- */

static void note_chain(const struct asking *k, bool right)
{
    const struct chain *c = k->query->chain;

    if (!right && k->peer->chain != CHAIN_WRONG) /* not its URL: a key may stand in it */
        log_error("msg=\"a node is of another chain and is not used\" chain=%s place=%zu", c->key,
                  (size_t)(k->peer - k->nodes->peers) % MAX_URLS + 1);
    k->peer->wrong_until_ms = clock_mono_ms() + LOOK_AGAIN_MS;
    k->peer->chain = right ? CHAIN_RIGHT : CHAIN_WRONG;
}

/* Whether it is of the right chain; without an answer to that it is not used now. */
static bool read_chain(const struct asking *k, const struct call *call)
{
    const struct chain *c = k->query->chain;
    struct rpc_answers as = rpc_answers_new(k->arena, 1, dialect_of(c)->classify);
    bool right;

    (void)rpc_answers_add(&as, &call->answer, call->status);
    if (dialect_of(c)->read_which(&right, c, &as.items[0]))
        note_chain(k, right);
    else if (k->query->role == NODE_SEND && as.items[0].class == RPC_LACKS)
        k->peer->chain = CHAIN_RIGHT; /* it only takes transactions, and these name their chain */
    rpc_answers_free(&as);
    return k->peer->chain == CHAIN_RIGHT;
}

/* A node that does not know overrides may ignore them, and finds no code where it looks. */
static bool ignored(const struct rpc_answer *r, const struct rpc_item *item)
{
    const char *text = json_string_value(r->result);

    return item->need == RPC_NEEDS_OVERRIDE && text != NULL && strcmp(text, "0x") == 0;
}

static bool cannot_fail(const struct rpc_batch *b, unsigned id)
{
    return id < 64 && (b->certain >> id & 1) != 0;
}

/* What follows from its answer for an item, and for the node. */
static void note_item(struct asking *k, unsigned id, bool others)
{
    const struct rpc_item *item = &k->item[id];
    struct rpc_answer *r = &k->query->answers.items[id];
    bool left_out = r->result == NULL && r->error == NULL;

    if (ignored(r, item)) {
        r->class = RPC_LACKS;
        r->result = NULL;
    }
    if (cannot_fail(k->query->batch, id) && rpc_is_final(r->class) && r->class != RPC_RESULT)
        r->class = RPC_TROUBLE;
    r->awaited = false;
    r->form = item->form;
    /* What it answered nothing to while it answered others is asked once more. */
    k->asked[id] = !(left_out && others);
    if (r->class == RPC_LACKS && item->need != RPC_NEEDS_NOTHING) {
        k->peer->lacks |= (unsigned)item->need;
        k->asked[id] = false; /* in another form */
    }
}

static unsigned count_awaited(const struct rpc_answers *as, bool (*which)(enum rpc_class))
{
    unsigned n = 0;

    for (unsigned i = 0; i < as->count; i++)
        n += as->items[i].awaited && which(as->items[i].class);
    return n;
}

static bool is_batch(enum rpc_class class)
{
    return class == RPC_BATCH;
}

/* Smaller batches from now on, and what was in this one again. */
static void halve(struct asking *k)
{
    unsigned max = k->sent / 2;

    if (max < batch_max(k->peer))
        k->peer->batch_less = BATCH_MAX - max;
    for (unsigned i = 0; i < k->query->batch->count; i++)
        k->query->answers.items[i].awaited = false;
}

static void note_answers(struct asking *k, const struct call *call)
{
    struct rpc_answers *as = &k->query->answers;
    bool understood = rpc_answers_add(as, &call->answer, call->status);
    bool refused = understood ? count_awaited(as, is_batch) > 0 : is_batch(as->classify(0, "", call->status));
    bool others = count_awaited(as, rpc_is_final) > 0;

    if (refused && k->sent > 1)
        halve(k);
    for (unsigned i = 0; i < as->count; i++)
        if (as->items[i].awaited)
            note_item(k, i, others);
}

static bool any_open(const struct asking *k)
{
    for (unsigned i = 0; i < k->query->batch->count; i++)
        if (query_is_open(k, i))
            return true;
    return false;
}

static bool all_final(const struct rpc_answers *as)
{
    for (unsigned i = 0; i < as->count; i++)
        if (!rpc_is_final(as->items[i].class))
            return false;
    return true;
}

/* What this node leaves open is for the next one. */
static bool read_answers(struct call *call)
{
    struct node_query *q = call->owner;

    if (q->asking->for_chain) {
        call->again = read_chain(q->asking, call);
        return false;
    }
    note_answers(q->asking, call);
    call->again = any_open(q->asking);
    return all_final(&q->answers);
}

/* ---- asking ---- */

/* The first node becomes the last one. */
static void turn_round(struct call *call, struct arena *a)
{
    const struct target *targets = call->more;
    struct target *turned;
    size_t n = 0;

    while (targets[n].url != NULL)
        n++;
    turned = ARENA_ARRAY(a, struct target, n + 1);
    for (size_t i = 0; i < n; i++)
        turned[i] = targets[(i + 1) % n];
    call->more = turned;
}

bool node_begin(struct call *call, const struct ctx *ctx, struct node_query *q, struct arena *a)
{
    unsigned count = q->batch->count;

    q->answered = false;
    if (targets_of(ctx->nodes, q->chain, q->role)[0].url == NULL)
        return false;
    call_init(call, NULL, MAX_UPSTREAM);
    call->more = targets_of(ctx->nodes, q->chain, q->role);
    call->slots = ctx->slots;
    call->lane = chain_lane(q->chain);
    if (q->second_opinion)
        turn_round(call, a);
    call->headers[0] = "Content-Type: application/json";
    call->owner = q;
    call->prepare = query_prepare;
    call->usable = read_answers;
    q->answers = rpc_answers_new(a, count, dialect_of(q->chain)->classify);
    for (unsigned i = 0; i < count; i++)
        q->answers.items[i].awaited = false;
    q->asking = ARENA_NEW(a, struct asking);
    *q->asking = (struct asking){ .query = q,
                                  .nodes = ctx->nodes,
                                  .arena = a,
                                  .asked = ARENA_ARRAY(a, bool, count),
                                  .item = ARENA_ARRAY(a, struct rpc_item, count) };
    return true;
}

bool node_end(struct node_query *q)
{
    for (unsigned i = 0; i < q->answers.count; i++)
        q->answered = q->answered || rpc_is_final(q->answers.items[i].class);
    if (!q->answered)
        rpc_answers_free(&q->answers);
    return q->answered;
}

bool node_call_end(struct call *call)
{
    struct node_query *q = call->owner;
    bool answered = node_end(q);

    if (!answered)
        log_warn("msg=\"node gave no answer\" chain=%s status=%d why=\"%s\"", q->chain->key, call->status,
                 call->why);
    call_free(call);
    return answered;
}

void node_ask_all(const struct ctx *ctx, struct node_query *queries, size_t count, unsigned deadline_ms,
                  struct arena *a)
{
    struct call *calls = ARENA_ARRAY(a, struct call, count);
    size_t asked = 0;

    for (size_t i = 0; i < count; i++)
        asked += node_begin(&calls[asked], ctx, &queries[i], a);
    (void)calls_run(ctx->net, calls, asked, deadline_ms);
    for (size_t i = 0; i < asked; i++)
        (void)node_call_end(&calls[i]);
}

bool node_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
              unsigned deadline_ms, struct arena *a, struct rpc_answers *out)
{
    struct node_query q = { .chain = c, .batch = batch, .role = NODE_READ };

    node_ask_all(ctx, &q, 1, deadline_ms, a);
    *out = q.answers;
    return q.answered;
}
