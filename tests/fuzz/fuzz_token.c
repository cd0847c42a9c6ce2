/* What a node and an unknown token say of the token: any bytes, and any bytes as what symbol() returned. The
 * symbol that comes of it is plain text. */
#define node_ask             input_says
#define node_ask_two         inputs_say
#define tokens_named         no_list_names
#define tokens_decimals_keep keep_as_said
#define tokens_decimals_get  none_is_kept
#define opinions_differ      two_are_asked
#include "node.h"

#include "exec/evm/evm_token.c"
#include "swap/token.c"

static const char before_symbol[] =
    "[{\"id\":0,\"result\":\"0x0000000000000000000000000000000000000000000000000000000000000012\"},{\"id\":1,\"result\":\"0x";

bool input_says(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                unsigned deadline_ms, struct arena *a, struct rpc_answers *out)
{
    (void)ctx;
    (void)c;
    (void)deadline_ms;
    return node_answers(batch, a, out);
}

size_t inputs_say(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                  unsigned deadline_ms, struct arena *a, struct rpc_answers out[static NODE_OPINIONS])
{
    size_t n = input_says(ctx, c, batch, deadline_ms, a, &out[0]);

    return n + input_says(ctx, c, batch, deadline_ms, a, &out[n]);
}

int no_list_names(struct db *db, struct arena *a, uint64_t chain_id, const char *text, uint64_t limit,
                  struct token_row **out)
{
    (void)db;
    (void)a;
    (void)chain_id;
    (void)text;
    (void)limit;
    (void)out;
    return 0;
}

bool keep_as_said(struct db *db, const struct token_ref *t, uint8_t *kept)
{
    (void)db;
    *kept = t->decimals;
    return true;
}

enum lookup none_is_kept(struct db *db, const struct token_ref *t, uint8_t *kept, int64_t *since_ms)
{
    (void)db;
    (void)t;
    (void)kept;
    (void)since_ms;
    return LOOKUP_NONE;
}

bool two_are_asked(const struct ctx *ctx, const struct chain *c)
{
    (void)ctx;
    (void)c;
    return true;
}

static void resolve(const struct ctx *ctx, struct arena *a)
{
    struct token_label label;
    struct token_ref t;

    if (token_resolve(ctx, a, chain_by_id(1), "0x1111111111111111111111111111111111111111", &t) != NULL)
        return;
    label = token_label(&t);
    MUST(t.decimals <= AMOUNT_MAX_DECIMALS && t.symbol[0] != '\0' && strcmp(t.symbol, label.symbol) == 0);
    for (const char *s = t.symbol; !label.unverified && *s != '\0'; s++)
        MUST(*s > ' ' && *s < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct conf conf;
    struct arena *a = arena_new();
    struct nodes *nodes = nodes_new(&conf);
    struct ctx ctx = { .conf = &conf, .nodes = nodes };

    node_input = data;
    node_input_len = size;
    node_prefix = NULL;
    resolve(&ctx, a);
    node_prefix = before_symbol;
    resolve(&ctx, a);
    nodes_free(nodes);
    arena_free(a);
    return 0;
}
