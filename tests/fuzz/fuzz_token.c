/* What a node and an unknown token say of the token: any bytes, and any bytes as what symbol() returned. The
 * symbol that comes of it is plain text. */
#include "fuzz.h"

#define node_ask input_says
#include "swap/token.c"

#include "core/hex.h"

#define WORD_18 "0x0000000000000000000000000000000000000000000000000000000000000012"

static const uint8_t *input;
static size_t input_len;
static bool as_symbol;

static void symbol_answer(struct buf *body)
{
    char *hex = malloc(2 * input_len + 1);

    MUST(hex != NULL);
    hex_encode(hex, input, input_len);
    buf_adds(body, "[{\"id\":0,\"result\":\"" WORD_18 "\"},{\"id\":1,\"result\":\"0x");
    buf_adds(body, hex);
    buf_adds(body, "\"}]");
    free(hex);
}

bool input_says(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                unsigned deadline_ms, struct arena *a, struct rpc_answers *out)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    bool ok;

    (void)ctx;
    (void)c;
    (void)deadline_ms;
    if (as_symbol)
        symbol_answer(&body);
    else
        buf_add(&body, input, input_len);
    ok = rpc_read(out, a, &body, batch->count);
    buf_free(&body);
    return ok;
}

static void resolve(const struct ctx *ctx, struct arena *a)
{
    struct swap_token t;

    if (token_resolve(ctx, a, chain_by_id(1), "0x1111111111111111111111111111111111111111", &t) != NULL)
        return;
    MUST(t.decimals <= AMOUNT_MAX_DECIMALS && t.symbol[0] != '\0');
    for (const char *s = t.symbol; *s != '\0'; s++)
        MUST(*s > ' ' && *s < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct conf conf;
    struct arena *a = arena_new();
    struct nodes *nodes = nodes_new(&conf);
    struct ctx ctx = { .conf = &conf, .nodes = nodes };

    input = data;
    input_len = size;
    as_symbol = false;
    resolve(&ctx, a);
    as_symbol = true;
    resolve(&ctx, a);
    nodes_free(nodes);
    arena_free(a);
    return 0;
}
