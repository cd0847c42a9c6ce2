/* Labels of tokens, and the trust in their decimals. */
#include "base/test.h"

#define chain_ops_of         family_of_tests
#define opinions_differ      others_are_there
#define tokens_named         no_list_has
#define tokens_decimals_keep keep_them
#define tokens_decimals_get  get_them
#include "swap/token.c"

#define SOMEWHERE "0x52908400098527886E0F7030069857D2E4169EE7"
#define ENDS      "0x5290…9EE7"
#define USDC      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"

static struct token_ref token(uint64_t chain_id, const char *symbol, const char *address)
{
    struct token_ref t = { .chain_id = chain_id };

    snprintf(t.symbol, sizeof t.symbol, "%s", symbol);
    snprintf(t.address, sizeof t.address, "%s", address);
    return t;
}

static void labels(void)
{
    static const struct {
        uint64_t chain_id;
        const char *symbol, *address, *shown;
        bool listed, unverified;
    } rows[] = {
        { 1, "USDC", USDC, "USDC", true, false },
        { 1, "ETH", "0x0000000000000000000000000000000000000000", "ETH", true, false },
        { 8453, "USDC", USDC, "0xA0b8…eB48", false, true }, /* another chain's */
        { 1, "PEPE", SOMEWHERE, "PEPE", false, false },
        { 1, "DAI", SOMEWHERE, "DAI", false, false }, /* not of this chain */
        { 8453, "DAI", SOMEWHERE, ENDS, false, true },
        { 1, "USDC", SOMEWHERE, ENDS, false, true },
        { 1, "uSdC", SOMEWHERE, ENDS, false, true },
        { 1, "U5DC", SOMEWHERE, ENDS, false, true },
        { 1, "$USDC", SOMEWHERE, ENDS, false, true },
        { 1, "U$DC", SOMEWHERE, ENDS, false, true },
        { 1, "USDC.", SOMEWHERE, ENDS, false, true },
        { 1, "U-S-D-C", SOMEWHERE, ENDS, false, true },
        { 1, "W8TC", SOMEWHERE, ENDS, false, true },
        { 1, "USDC.e", SOMEWHERE, "USDC.e", false, false },
        { 10, "USDCe", SOMEWHERE, ENDS, false, true },
        { 137, "POL", SOMEWHERE, ENDS, false, true }, /* as MATIC is called today */
        { 1, "", SOMEWHERE, ENDS, false, true },
        { 1, ENDS, SOMEWHERE, ENDS, false, true },
        { 1, "0xA0b8..eB48", SOMEWHERE, ENDS, false, true },
        { 424242, "PEPE", SOMEWHERE, ENDS, false, true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct token_ref t = token(rows[i].chain_id, rows[i].symbol, rows[i].address);
        const struct token_label label = token_label(&t);

        CHECK_STR(label.symbol, rows[i].shown);
        CHECK(label.listed == rows[i].listed && label.unverified == rows[i].unverified);
    }
}

/* ---- decimals of what no list has ---- */

enum { DECIMALS_MOST = 255, NOTHING = -1 };

static struct {
    uint8_t says;    /* the node, or two of them */
    unsigned told;   /* so many nodes say it */
    bool has_others; /* the chain has more nodes */
    int kept;
} world;

static const struct err *describe(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                  const char *address, struct token_ref *out, unsigned *told)
{
    (void)ctx, (void)a;
    *out = token(c->id, "NEW", address);
    out->decimals = world.says;
    *told = world.told;
    return NULL;
}

const struct chain_ops *chain_ops_of(const struct chain *c)
{
    static const struct chain_ops family = { .describe_token = describe };

    (void)c;
    return &family;
}

bool opinions_differ(const struct ctx *ctx, const struct chain *c)
{
    (void)ctx, (void)c;
    return world.has_others;
}

int tokens_named(struct db *db, struct arena *a, uint64_t chain_id, const char *text, uint64_t limit,
                 struct token_row **out)
{
    (void)db, (void)a, (void)chain_id, (void)text, (void)limit;
    *out = NULL;
    return 0;
}

bool tokens_decimals_keep(struct db *db, const struct token_ref *t, uint8_t *kept)
{
    (void)db;
    if (world.kept == NOTHING)
        world.kept = t->decimals;
    *kept = (uint8_t)world.kept;
    return true;
}

enum lookup tokens_decimals_get(struct db *db, const struct token_ref *t, uint8_t *kept, int64_t *since_ms)
{
    (void)db, (void)t, (void)since_ms;
    if (world.kept == NOTHING)
        return LOOKUP_NONE;
    *kept = (uint8_t)world.kept;
    return LOOKUP_FOUND;
}

/* -1: it is refused. */
static int decimals_said(unsigned says, unsigned told, bool has_others)
{
    const struct ctx ctx = { .db = NULL };
    struct arena *a = arena_new();
    struct token_ref t;
    const struct err *e;

    world.says = (uint8_t)says;
    world.told = told;
    world.has_others = has_others;
    e = token_resolve(&ctx, a, chain_by_id(1), SOMEWHERE, &t);
    CHECK(e == NULL || err_is(e, &E_TOKEN_UNKNOWN));
    arena_free(a);
    return e == NULL ? t.decimals : -1;
}

/* Stored decimals never change: a node that reports others, for any stored value, is refused. */
static void stored_decimals_never_change(void)
{
    for (int first = 0; first <= DECIMALS_MOST; first += 17) {
        world.kept = NOTHING;
        CHECK(decimals_said((unsigned)first, 2, true) == first && world.kept == first);
        for (unsigned says = 0; says <= DECIMALS_MOST; says++)
            for (unsigned told = 0; told <= 2; told++)
                for (int others = 0; others <= 1; others++) {
                    int got = decimals_said(says, told, others == 1);

                    CHECK(got == (told > 0 && (int)says == first ? first : -1) && world.kept == first);
                }
    }
}

/* Decimals of a single node, while others are silent, are not stored: those of two are, later. */
static void one_liar_keeps_nothing(void)
{
    for (unsigned lie = 0; lie <= DECIMALS_MOST; lie++) {
        world.kept = NOTHING;
        CHECK(decimals_said(lie, 1, true) == (int)lie && world.kept == NOTHING);
        CHECK(decimals_said(18, 2, true) == 18 && world.kept == 18);
        CHECK(decimals_said(lie, 1, true) == (lie == 18 ? 18 : -1));
        world.kept = NOTHING; /* where there is no other, it is all there is */
        CHECK(decimals_said(lie, 1, false) == (int)lie && world.kept == (int)lie);
    }
}

TEST_MAIN(TEST(labels), TEST(stored_decimals_never_change), TEST(one_liar_keeps_nothing))
