#include "chain/rpc/node.h"

#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/log.h"
#include "chain/rpc/dialect.h"
#include "chain/rpc/node_peer.h"
#include "chain/unavailable.h"
#include "net/url.h"

enum {
    ROLES = NODE_VERIFY + 1,
    BATCH_MAX = 100,
    POLL_AGAIN_MS = 60000,
    TURNS_MAX = 3,
    LOG_BLOCKS_LEAST = 5,
    NARROWER = 4, /* by so much after a refusal: a job has few polls */
};

/* The part of a URL that monitors may see: scheme, host and port. */
static char *url_origin(const char *url)
{
    const char *scheme_end = strstr(url, "://");
    size_t n;
    const char *host = url_host(url, &n);
    char *origin;

    if (asprintf(&origin, "%.*s%.*s", scheme_end == NULL ? 0 : (int)(scheme_end + 3 - url), url, (int)n,
                 host) < 0)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    return origin;
}

static size_t targets_count(const struct target *t)
{
    size_t n = 0;

    while (t[n].url != NULL)
        n++;
    return n;
}

/* The setting that has the node, as the log names it. */
struct list {
    const struct chain *chain;
    const char *setting;
    const char *urls; /* NULL: none */
};

/* Not its URL: a key may be in it. */
static char *node_name(const struct list *list, unsigned number, const char *url)
{
    char host[URL_HOST_TEXT_LEN], *name;

    url_host_text(host, url);
    if (asprintf(&name, "chain=%s node=%s/%u host=%s", list->chain->key, list->setting, number, host) < 0)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    return name;
}

static void add_url(struct urls *u, struct peers *peers, const struct list *list, unsigned number, char *url)
{
    size_t i = targets_count(u->target);

    if (url == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    if (i == NODES_MAX) {
        free(url);
        return;
    }
    u->target[i] = (struct target){ url, &peers->of[i].breaker, node_name(list, number, url),
                                    list->chain->key, url_origin(url) };
}

static void list_split(struct urls *u, struct peers *peers, const struct list *list)
{
    unsigned number = 0;

    for (const char *s = list->urls; *s != '\0';) {
        size_t skip = strspn(s, ", \t"), n = strcspn(s + skip, ", \t");

        if (n > 0)
            add_url(u, peers, list, ++number, strndup(s + skip, n));
        s += skip + n;
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
    return ROLES * chains_count * sizeof(struct peers);
}

static size_t lane_number(const struct chain *c, enum node_role role)
{
    return (size_t)role * chains_count + (size_t)(c - chains);
}

static void add_list(struct nodes *n, enum node_role role, const struct list *list)
{
    size_t place = lane_number(list->chain, role);

    if (list->urls != NULL)
        list_split(&n->of[place], &n->peers[place], list);
}

static struct list list_of(const struct conf *conf, const struct chain *c, const char *setting)
{
    return (struct list){ .chain = c, .setting = setting, .urls = conf_chain(conf, setting, c->key) };
}

static void add_chain(struct nodes *n, const struct conf *conf, const struct chain *c)
{
    struct list rpc = list_of(conf, c, "rpc"), send = list_of(conf, c, "send"),
                verify = list_of(conf, c, "verify");
    struct urls *senders = &n->of[lane_number(c, NODE_SEND)];
    bool private = send.urls != NULL && *send.urls != '\0';

    if (rpc.urls == NULL)
        rpc.urls = c->rpc_default;
    add_list(n, NODE_READ, &rpc);
    add_list(n, NODE_SEND, private ? &send : &rpc);
    senders->alike = targets_count(senders->target);
    if (private && conf->send_fallback)
        add_list(n, NODE_SEND, &rpc);
    add_list(n, NODE_VERIFY, &verify);
}

struct nodes *nodes_new(const struct conf *conf)
{
    struct nodes *n = calloc(1, sizeof *n);

    conf_refuse_unknown(conf, "chain", is_key);
    if (n == NULL || (n->of = calloc(ROLES * chains_count, sizeof *n->of)) == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    n->peers = mmap(NULL, peers_size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n->peers == MAP_FAILED)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    for (size_t i = 0; i < chains_count; i++)
        add_chain(n, conf, &chains[i]);
    return n;
}

static void target_free(const struct target *t)
{
    free((char *)(uintptr_t)t->url);
    free((char *)(uintptr_t)t->name);
    free((char *)(uintptr_t)t->node);
}

void nodes_free(struct nodes *n)
{
    for (size_t i = 0; i < ROLES * chains_count; i++)
        for (size_t j = 0; j < NODES_MAX; j++)
            target_free(&n->of[i].target[j]);
    (void)munmap(n->peers, peers_size());
    free(n->of);
    free(n);
}

const struct target *nodes_targets(const struct nodes *n, const struct chain *c, enum node_role role)
{
    return n->of[lane_number(c, role)].target;
}

struct peers *nodes_peers(const struct nodes *n, const struct chain *c, enum node_role role)
{
    return &n->peers[lane_number(c, role)];
}

bool nodes_known(const struct nodes *n, const struct chain *c)
{
    return nodes_targets(n, c, NODE_READ)[0].url != NULL;
}

bool nodes_verify(const struct nodes *n, const struct chain *c)
{
    return nodes_targets(n, c, NODE_VERIFY)[0].url != NULL;
}

unsigned node_log_blocks(const struct nodes *n, const struct chain *c, unsigned most)
{
    unsigned blocks = nodes_peers(n, c, NODE_READ)->log_blocks;

    return blocks != 0 && blocks < most ? blocks : most;
}

/* ---- a query on its way ---- */

struct asking {
    struct node_query *query;
    const struct nodes *nodes;
    struct arena *arena;
    struct node_query *hedge;    /* NULL: there is none */
    const struct asking *beside; /* in a hedge: the question that it is the hedge of */
    const char *first;           /* that is asked before all others */
    const char *url, *name;      /* that is asked, and what the log calls it */
    struct peer *peer;
    size_t place;              /* of all three */
    unsigned tried;            /* places that were asked, as bits */
    bool *asked;               /* items that this one was asked and need not be asked again */
    bool for_chain;            /* what is in progress is the question for its chain */
    unsigned sent;             /* items in progress: those that are awaited */
    struct rpc_item *item;     /* as each was asked */
    unsigned turns;            /* how often in a row this node's answers were behind */
    struct rpc_answers behind; /* the newest of all that were, with their block; of nothing 0 items */
    uint64_t behind_block;
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
    /* The place of the URL in the list, independent of the order in which they are asked. */
    const struct target *t = nodes_targets(k->nodes, k->query->chain, k->query->role);

    k->place = 0;
    while (k->place + 1 < NODES_MAX && t[k->place].url != url)
        k->place++;
    k->name = nodes_targets(k->nodes, k->query->chain, k->query->role)[k->place].name;
    k->peer = &nodes_peers(k->nodes, k->query->chain, k->query->role)->of[k->place];
    memset(k->asked, 0, k->query->batch->count * sizeof k->asked[0]);
    k->turns = 0;
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

/* The node has none of the item's forms. */
static void query_lacks_item(struct asking *k, unsigned id)
{
    k->asked[id] = true;
    if (!rpc_is_final(k->query->answers.items[id].class))
        k->query->answers.items[id].class = RPC_LACKS;
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
        if (item.len == 0)
            query_lacks_item(k, item.id);
        else if (query_is_open(k, item.id))
            query_add_item(k, body, &item);
    if (max > 1)
        buf_addc(body, ']');
    return k->sent > 0;
}

bool peer_chain_is_due(const struct peer *p)
{
    return p->chain == CHAIN_UNKNOWN || (p->chain == CHAIN_WRONG && clock_mono_ms() >= p->wrong_until_ms);
}

/* A hedge leaves the nodes alone that the other call has come to before it. */
static bool is_needless(const struct asking *k)
{
    return k->beside != NULL && (k->beside->tried >> k->place & 1) != 0;
}

static bool query_prepare(struct call *call)
{
    struct node_query *q = call->owner;
    struct asking *k = q->asking;

    take_up(k, call->url);
    buf_reset(&call->body);
    k->for_chain = peer_chain_is_due(k->peer);
    if (is_needless(k) || (!k->for_chain && k->peer->chain == CHAIN_WRONG))
        return false;
    k->tried |= 1u << k->place;
    if (!k->for_chain)
        return write_items(k, &call->body);
    buf_addf(&call->body, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"%s\",\"params\":[]}",
             dialect_of(q->chain)->which);
    return true;
}

/* ---- a node's answers ---- */

void peer_note_chain(struct peer *p, const char *name, bool right)
{
    if (right)
        log_incident_over("node_of_other_chain", name);
    else
        log_incident("node_of_other_chain", name, "msg=\"a node is of another chain and is not used\"");
    p->wrong_until_ms = clock_mono_ms() + POLL_AGAIN_MS;
    p->chain = right ? CHAIN_RIGHT : CHAIN_WRONG;
}

/* Whether it is of the right chain; without an answer to that it is not used now. */
static bool read_chain(const struct asking *k, const struct call *call)
{
    const struct chain *c = k->query->chain;
    struct rpc_answers as = rpc_answers_new(k->arena, 1, dialect_of(c)->classify);
    bool right;

    (void)rpc_answers_add(&as, &call->answer, call->status);
    if (dialect_of(c)->read_which(&right, c, &as.items[0]))
        peer_note_chain(k->peer, k->name, right);
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

/* All nodes are asked alike from now on: what two are to agree on, each has to be able to answer. */
static void note_range(const struct asking *k, const char *said)
{
    unsigned blocks = k->query->batch->blocks, fewer = blocks / NARROWER;
    struct peers *p = nodes_peers(k->nodes, k->query->chain, NODE_READ);

    if (blocks == 0)
        return;
    log_repeated("logs_refused", k->name,
                 "msg=\"a node refuses a question for logs of so many blocks\" blocks=%u said=\"%.100s\"",
                 blocks, said);
    if (fewer < LOG_BLOCKS_LEAST)
        fewer = LOG_BLOCKS_LEAST;
    if (p->log_blocks == 0 || fewer < p->log_blocks)
        p->log_blocks = fewer;
}

/* Draws conclusions from its answer for an item, and for the node. */
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
        r->class = RPC_INCIDENT;
    if (r->class == RPC_RANGE)
        note_range(k, r->error_text);
    r->awaited = false;
    r->form = item->form;
    /* An item without an answer, while others have one, is asked once more. */
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

static struct rpc_answers no_answers(const struct node_query *q, struct arena *a)
{
    struct rpc_answers as = rpc_answers_new(a, q->batch->count, dialect_of(q->chain)->classify);

    for (unsigned i = 0; i < as.count; i++)
        as.items[i].awaited = false;
    return as;
}

static bool is_behind(const struct asking *k, uint64_t *block)
{
    const struct node_query *q = k->query;

    return q->since != 0 && q->block_of(block, q, k->arena) && *block < q->since;
}

/* Keeps the newer answers of two nodes that lag. */
static void keep_newer(struct asking *k, struct rpc_answers *as, uint64_t block)
{
    struct rpc_answers older = *as;

    if (k->behind.count == 0 || block > k->behind_block) {
        older = k->behind;
        k->behind = *as;
        k->behind_block = block;
    }
    rpc_answers_free(&older);
}

/* Whether the same node is asked once more. */
static bool set_aside(struct asking *k, uint64_t block)
{
    bool again = ++k->turns < TURNS_MAX;

    keep_newer(k, &k->query->answers, block);
    k->query->answers = no_answers(k->query, k->arena);
    for (unsigned i = 0; i < k->query->batch->count; i++)
        k->asked[i] = !again;
    return again;
}

/* Items that this node leaves open go to the next one. */
static bool read_answers(struct call *call)
{
    struct node_query *q = call->owner;
    uint64_t block;

    if (q->asking->for_chain) {
        call->again = read_chain(q->asking, call);
        return false;
    }
    note_answers(q->asking, call);
    if (all_final(&q->answers) && is_behind(q->asking, &block)) {
        call->again = set_aside(q->asking, block);
        return false;
    }
    call->again = any_open(q->asking);
    return all_final(&q->answers);
}

/* ---- asking ---- */

/* The first of so many nodes, or the first few, become the last ones of them. */
static const struct target *turned_round(const struct target *t, size_t few, size_t of, struct arena *a)
{
    size_t n = targets_count(t);
    struct target *turned = ARENA_ARRAY(a, struct target, n + 1);

    for (size_t i = 0; i < n; i++)
        turned[i] = i < of ? t[(i + few) % of] : t[i];
    return turned;
}

/* Transactions for send nodes go to others only when all of these have failed. */
static size_t alike_count(const struct nodes *n, const struct node_query *q, const struct target *t)
{
    return q->role == NODE_SEND ? n->of[lane_number(q->chain, NODE_SEND)].alike : targets_count(t);
}

/* A node of another chain is not asked last: query_prepare skips it, until it is asked for its chain
 * again. */
static bool is_last(const struct nodes *n, const struct chain *c, size_t place)
{
    enum node_health health = nodes_health(n, c, place);

    return health != NODE_READY && health != NODE_OTHER_CHAIN;
}

static bool is_unfit(const struct nodes *n, const struct chain *c, size_t place)
{
    return nodes_health(n, c, place) != NODE_READY;
}

/* Unhealthy ones are asked when all others have not helped. */
static const struct target *best_first(const struct nodes *n, const struct chain *c, struct arena *a,
                                       bool (*comes_last)(const struct nodes *n, const struct chain *c,
                                                          size_t place))
{
    const struct target *t = nodes_targets(n, c, NODE_READ);
    size_t count = nodes_count(n, c), placed = 0;
    struct target *sorted = ARENA_ARRAY(a, struct target, count + 1);
    bool last[NODES_MAX];

    for (size_t i = 0; i < count; i++) {
        last[i] = comes_last(n, c, i);
        if (!last[i])
            sorted[placed++] = t[i];
    }
    for (size_t i = 0; i < count; i++)
        if (last[i])
            sorted[placed++] = t[i];
    return sorted;
}

static const struct target *first_alone(const struct target *t, struct arena *a)
{
    struct target *one = ARENA_ARRAY(a, struct target, 2);

    one[0] = t[0];
    return one;
}

/* All that `apart` does not ask. */
static const struct target *all_but(const struct target *t, const struct node_query *apart, struct arena *a)
{
    const char *url = apart->asking != NULL ? apart->asking->first : t[0].url;
    struct target *others = ARENA_ARRAY(a, struct target, targets_count(t) + 1);
    size_t n = 0;

    for (; t->url != NULL; t++)
        if (t->url != url)
            others[n++] = *t;
    return others;
}

static bool goes_to_the_best(const struct node_query *q)
{
    return q->role == NODE_READ && q->order == NODE_BEST_FIRST;
}

static const struct target *in_order(const struct nodes *n, const struct node_query *q, struct arena *a)
{
    const struct target *t = nodes_targets(n, q->chain, q->role);

    switch (q->order) {
    case NODE_SECOND_OPINION:
        return turned_round(t, 1, alike_count(n, q, t), a);
    case NODE_FIRST_ALONE:
        return first_alone(best_first(n, q->chain, a, is_unfit), a);
    case NODE_OTHERS:
        return all_but(best_first(n, q->chain, a, is_unfit), q->apart, a);
    case NODE_FALLBACK_FIRST:
        return turned_round(t, alike_count(n, q, t), targets_count(t), a);
    case NODE_AS_CONFIGURED:
    case NODE_BEST_FIRST:
        break;
    }
    return goes_to_the_best(q) ? best_first(n, q->chain, a, is_last) : t;
}

static void query_begin(struct call *call, const struct ctx *ctx, struct node_query *q,
                        const struct target *targets, struct arena *a)
{
    unsigned count = q->batch->count;

    call_init(call, NULL, MAX_UPSTREAM);
    call->more = targets;
    call->timeout_ms = q->timeout_ms;
    call->headers[0] = "Content-Type: application/json";
    call->owner = q;
    call->prepare = query_prepare;
    call->usable = read_answers;
    q->answers = no_answers(q, a);
    q->asking = ARENA_NEW(a, struct asking);
    *q->asking = (struct asking){ .query = q,
                                  .nodes = ctx->nodes,
                                  .arena = a,
                                  .first = targets[0].url,
                                  .asked = ARENA_ARRAY(a, bool, count),
                                  .item = ARENA_ARRAY(a, struct rpc_item, count) };
}

/* A question to the same nodes from the second on, with answers of its own: what belongs together comes from
 * one node wherever it can. */
static void hedge_begin(struct call *call, const struct ctx *ctx, struct node_query *q,
                        const struct target *targets, struct arena *a)
{
    struct node_query *hedge = ARENA_NEW(a, struct node_query);

    *hedge = *q;
    call->hedge = ARENA_NEW(a, struct call);
    query_begin(call->hedge, ctx, hedge, targets, a);
    hedge->asking->beside = q->asking;
    q->asking->hedge = hedge;
}

/* The nodes that may be asked in parallel to the first one; none: there is no hedge. A transaction for send
 * nodes goes to no others while these alone have time. */
static const struct target *beside_first(const struct nodes *n, const struct node_query *q,
                                         const struct target *t, struct arena *a)
{
    static const struct target none[1];
    size_t alike = n->of[lane_number(q->chain, NODE_SEND)].alike;
    struct target *list;

    if (goes_to_the_best(q))
        return t + 1;
    if (q->role != NODE_SEND || alike < 2 || q->order == NODE_FALLBACK_FIRST)
        return none;
    list = ARENA_ARRAY(a, struct target, alike);
    memcpy(list, t + 1, (alike - 1) * sizeof *list);
    return list;
}

bool node_begin(struct call *call, const struct ctx *ctx, struct node_query *q, struct arena *a)
{
    const struct target *targets, *beside;

    q->answered = q->behind = false;
    if (nodes_targets(ctx->nodes, q->chain, q->role)[0].url == NULL)
        return false;
    if (ctx->second_opinion && goes_to_the_best(q))
        q->order = NODE_SECOND_OPINION;
    targets = in_order(ctx->nodes, q, a);
    if (targets[0].url == NULL)
        return false;
    nodes_peers(ctx->nodes, q->chain, q->role)->asked_ms = clock_mono_ms();
    query_begin(call, ctx, q, targets, a);
    call_use_lane(call, ctx->bulkhead, chain_lane(q->chain));
    beside = beside_first(ctx->nodes, q, call->more, a);
    if (beside->url != NULL)
        hedge_begin(call, ctx, q, beside, a);
    return true;
}

static unsigned count_final(const struct rpc_answers *as)
{
    unsigned n = 0;

    for (unsigned i = 0; i < as->count; i++)
        n += rpc_is_final(as->items[i].class);
    return n;
}

static void take_better_answers(struct node_query *q)
{
    struct asking *hedge = q->asking->hedge->asking;
    struct rpc_answers *other = &q->asking->hedge->answers, worse = *other;

    if (count_final(other) > count_final(&q->answers)) {
        worse = q->answers;
        q->answers = *other;
    }
    rpc_answers_free(&worse);
    if (hedge->behind.count > 0)
        keep_newer(q->asking, &hedge->behind, hedge->behind_block);
    q->asking->hedge = NULL;
}

/* If no node knew the block, takes the answers closest to it. */
static void take_behind(struct node_query *q)
{
    struct asking *k = q->asking;

    if (count_final(&q->answers) == 0 && k->behind.count > 0) {
        rpc_answers_free(&q->answers);
        q->answers = k->behind;
        q->behind = true;
    } else {
        rpc_answers_free(&k->behind);
    }
    k->behind = (struct rpc_answers){ .docs = NULL };
}

bool node_end(struct node_query *q)
{
    if (q->asking->hedge != NULL)
        take_better_answers(q);
    take_behind(q);
    q->answered = count_final(&q->answers) > 0;
    if (!q->answered)
        rpc_answers_free(&q->answers);
    return q->answered;
}

static void chain_tell(const struct chain *c, const struct call *call, bool answered)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    (void)snprintf(about, sizeof about, "chain=%s", c->key);
    if (answered)
        log_incident_over("chain_no_answer", about);
    else
        log_incident("chain_no_answer", about,
                     "msg=\"no node of a chain gives an answer\" status=%d why=\"%s\"", call->status,
                     call->why);
}

/* Otherwise that one node is silent says nothing of the chain. */
static bool asks_all(const struct node_query *q)
{
    return q->order != NODE_FIRST_ALONE && q->order != NODE_OTHERS;
}

bool node_call_end(struct call *call)
{
    struct node_query *q = call->owner;
    bool answered = node_end(q);

    if (asks_all(q))
        chain_tell(q->chain, call, answered);
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

void node_pair(struct node_query queries[static NODE_OPINIONS], const struct chain *c,
               const struct rpc_batch *batch, unsigned timeout_ms)
{
    static const enum node_order orders[NODE_OPINIONS] = { NODE_FIRST_ALONE, NODE_OTHERS };

    for (size_t i = 0; i < NODE_OPINIONS; i++)
        queries[i] = (struct node_query){
            .chain = c, .batch = batch, .order = orders[i], .timeout_ms = timeout_ms, .apart = &queries[0]
        };
}

size_t node_ask_two(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                    unsigned deadline_ms, struct arena *a, struct rpc_answers out[static NODE_OPINIONS])
{
    struct node_query q[NODE_OPINIONS];
    size_t n = 0;

    node_pair(q, c, batch, 0);
    node_ask_all(ctx, q, NODE_OPINIONS, deadline_ms, a);
    for (size_t i = 0; i < NODE_OPINIONS; i++)
        if (q[i].answered)
            out[n++] = q[i].answers;
    return n;
}

bool node_answer_read(struct rpc_answers *out, struct arena *a, const struct call *call,
                      const struct chain *c)
{
    return call->result == CALL_ANSWERED && rpc_read(out, a, &call->answer, 1, dialect_of(c)->classify);
}

void node_answers_free(struct rpc_answers *answers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpc_answers_free(&answers[i]);
}

bool node_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
              unsigned deadline_ms, struct arena *a, struct rpc_answers *out)
{
    struct node_query q = { .chain = c, .batch = batch, .role = NODE_READ };

    node_ask_all(ctx, &q, 1, deadline_ms, a);
    *out = q.answers;
    return q.answered;
}
