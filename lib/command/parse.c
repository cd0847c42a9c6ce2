#include "command/parse.h"

#include <string.h>
#include <strings.h>

#include "command/meaning.h"
#include "command/names.h"
#include "command/words.h"

const char *amount_kind_text(enum amount_kind kind)
{
    switch (kind) {
    case AMOUNT_EXACT:
        return "exact";
    case AMOUNT_USD:
        return "usd";
    case AMOUNT_PERCENT:
        return "percent";
    }
    return "";
}

/* The readings of a sentence by the rules. */
struct readings {
    struct arena *a;
    struct phrase *whole;          /* the sentence */
    const struct phrase **phrases; /* it, and the pieces that it lacked */
    unsigned phrases_count;
    struct command first;
    unsigned count;            /* different ones */
    const struct err *refusal; /* of a way that accounts for all words but cannot be meant */
    bool lacks_a_piece;        /* which is what the refusal says */
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_symbols(const struct command *a, const struct command *b)
{
    bool same = a->symbols_count == b->symbols_count;

    for (unsigned i = 0; same && i < a->symbols_count; i++)
        same = strcmp(a->symbols[i], b->symbols[i]) == 0;
    return same;
}

static bool same_list(const char *const *a, const char *const *b)
{
    while (*a != NULL && same_text(*a, *b)) {
        a++;
        b++;
    }
    return *a == NULL && *b == NULL;
}

static bool same_position(const struct command *a, const struct command *b)
{
    return same_text(a->market, b->market) && same_text(a->leverage, b->leverage) &&
           same_text(a->notional, b->notional) && same_text(a->margin, b->margin) &&
           same_text(a->order_type, b->order_type) && same_text(a->margin_mode, b->margin_mode) &&
           same_text(a->take_profit, b->take_profit) && same_text(a->stop_loss, b->stop_loss) &&
           a->reduce_only == b->reduce_only && a->post_only == b->post_only;
}

static bool commands_equal(const struct command *a, const struct command *b)
{
    return a->action == b->action && a->from == b->from && a->to == b->to &&
           same_text(a->amount, b->amount) && a->amount_kind == b->amount_kind &&
           a->amount_of_to == b->amount_of_to && a->from_chain == b->from_chain &&
           a->to_chain == b->to_chain && a->has_slippage == b->has_slippage && a->slippage == b->slippage &&
           same_list(a->providers, b->providers) && same_list(a->excluded, b->excluded) &&
           same_text(a->token, b->token) && same_symbols(a, b) && a->chain == b->chain &&
           same_text(a->quote_id, b->quote_id) && a->swap_id == b->swap_id && a->newest == b->newest &&
           a->limit == b->limit && same_text(a->status, b->status) &&
           same_text(a->chain_type, b->chain_type) && same_text(a->query, b->query) &&
           same_text(a->category, b->category) && same_text(a->token_id, b->token_id) &&
           same_text(a->side, b->side) && same_text(a->price, b->price) && same_text(a->size, b->size) &&
           same_text(a->market_id, b->market_id) && same_text(a->outcome, b->outcome) &&
           same_text(a->order_id, b->order_id) && a->withdrawal_id == b->withdrawal_id &&
           same_text(a->recipient, b->recipient) && a->address_id == b->address_id &&
           same_text(a->policy, b->policy) && same_text(a->policy_member, b->policy_member) &&
           same_text(a->policy_value, b->policy_value) && a->window_s == b->window_s &&
           same_text(a->approval_id, b->approval_id) && same_text(a->address, b->address) &&
           same_text(a->label, b->label) && same_text(a->protocol, b->protocol) &&
           same_text(a->against, b->against) && a->collateral == b->collateral && a->enabled == b->enabled &&
           a->operation_id == b->operation_id && same_position(a, b);
}

static void reading_found(void *arg, const struct noted *list, unsigned n)
{
    struct readings *r = arg;
    struct command c;
    const struct err *e;

    r->whole->list = list;
    r->whole->n = n;
    e = meaning_of(r->a, r->phrases, r->phrases_count, &c);
    if (e != NULL && r->refusal == NULL) {
        r->refusal = e;
        r->lacks_a_piece = c.lacks_a_piece;
    }
    if (e == NULL && (r->count == 0 || !commands_equal(&c, &r->first)))
        r->count++;
    if (e == NULL && r->count == 1)
        r->first = c;
}

/* The missing piece of sentences that break off after such a word. */
static const struct {
    const char *word, *lacks;
} unfinished[] = {
    { "buy", "say what to pay with, as in \"buy 5 WBTC with USDC\"" },
    { "purchase", "say what to pay with, as in \"buy 5 WBTC with USDC\"" },
    { "swap", "say what to get for it, as in \"swap 1 ETH to USDC\"" },
    { "sell", "say what to get for it, as in \"sell 1 ETH for USDC\"" },
    { "convert", "say what to get for it, as in \"convert 1 ETH to USDC\"" },
    { "exchange", "say what to get for it, as in \"exchange 1 ETH for USDC\"" },
    { "trade", "say what to get for it, as in \"trade 1 ETH for USDC\"" },
    { "bridge", "say where to, as in \"bridge 20 USDC from ethereum to base\"" },
    { "withdraw", "say where to, as in \"withdraw 5 USDC on base to cold\"" },
};

static bool word_is(const struct word *w, const char *text)
{
    return w->len == strlen(text) && strncasecmp(w->text, text, w->len) == 0;
}

static const char *lacks_of(const struct sentence *s)
{
    for (unsigned i = 0; i < s->count; i++)
        for (size_t k = 0; k < sizeof unfinished / sizeof unfinished[0]; k++)
            if (word_is(&s->words[i], unfinished[k].word))
                return unfinished[k].lacks;
    return "something is missing at its end";
}

/* The word at which no rule applied any more. A word that is too long for a name may be a secret, and is not
 * repeated. */
static const struct err *explain_lost_word(struct arena *a, const struct sentence *s, unsigned at)
{
    const struct word *w = &s->words[at];

    if (at >= s->count)
        return err_hint(a, &E_COMMAND, arena_printf(a, "The command breaks off: %s", lacks_of(s)));
    if (w->len > SPOKEN_NAME_MAX)
        return err_hint(
            a, &E_COMMAND,
            "The command has a word that is too long for a name; tokens are named by their symbols");
    return err_hint(a, &E_COMMAND, arena_printf(a, "Not understood from \"%.*s\" on", (int)w->len, w->text));
}

static size_t code_points(const char *s)
{
    size_t n = 0;

    for (; *s != '\0'; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

/* NULL, or why there is nothing to apply the rules to. */
static const struct err *sentence_split(struct arena *a, const char *text, struct sentence *out)
{
    const char *fault;

    if (code_points(text) > COMMAND_MAX)
        return &E_COMMAND_LENGTH;
    fault = words_split(out, a, text);
    return fault != NULL ? err_hint(a, &E_COMMAND, fault) : NULL;
}

static const struct err *too_intricate(struct arena *a)
{
    return err_hint(a, &E_COMMAND, "The command is too intricate: say it in fewer words");
}

static const struct err *ambiguous(struct arena *a)
{
    return err_hint(a, &E_COMMAND, "The command can be taken in more than one way");
}

/* ---- pieces ---- */

struct piece_reading {
    struct arena *a;
    struct phrase *phrase;
    unsigned ways;
};

static void found_piece(void *arg, const struct noted *list, unsigned n)
{
    struct piece_reading *r = arg;
    const struct phrase *first = r->phrase;

    if (r->ways > 0 && first->n == n && memcmp(first->list, list, n * sizeof *list) == 0)
        return;
    if (r->ways++ == 0) {
        r->phrase->list = arena_memdup(r->a, list, n * sizeof *list);
        r->phrase->n = n;
    }
}

static const struct err *read_piece(struct arena *a, const char *text, const struct phrase **out)
{
    struct phrase *phrase = ARENA_NEW(a, struct phrase);
    struct piece_reading reading = { a, phrase, 0 };
    struct reader reader = {
        .start = "piece", .words = phrase->sentence.kinds, .found = found_piece, .arg = &reading
    };
    const struct err *e = sentence_split(a, text, &phrase->sentence);

    *out = phrase;
    if (e != NULL)
        return e;
    reader.count = phrase->sentence.count;
    grammar_read(&reader);
    if (reader.gave_up)
        return too_intricate(a);
    if (reading.ways > 1)
        return ambiguous(a);
    if (reading.ways == 1)
        return NULL;
    return reader.reach < reader.count ? explain_lost_word(a, &phrase->sentence, reader.reach)
                                       : err_hint(a, &E_COMMAND, "That is not what was asked for");
}

/* ---- all of it ---- */

static const struct err *read_sentence(struct readings *r, struct command *out)
{
    const struct sentence *s = &r->whole->sentence;
    struct reader reader = {
        .start = "sentence", .words = s->kinds, .count = s->count, .found = reading_found, .arg = r
    };

    grammar_read(&reader);
    if (reader.gave_up)
        return too_intricate(r->a);
    if (r->count > 1)
        return ambiguous(r->a);
    out->lacks_a_piece = r->count == 0 && r->lacks_a_piece;
    if (r->count == 0)
        return r->refusal != NULL ? r->refusal : explain_lost_word(r->a, s, reader.reach);
    *out = r->first;
    return NULL;
}

const struct err *command_complete(struct arena *a, const char *text, const char *const *pieces, unsigned n,
                                   struct command *out)
{
    struct readings readings = { .a = a,
                                 .whole = ARENA_NEW(a, struct phrase),
                                 .phrases = ARENA_ARRAY(a, const struct phrase *, n + 1),
                                 .phrases_count = n + 1 };
    const struct err *e = sentence_split(a, text, &readings.whole->sentence);

    out->lacks_a_piece = false;
    readings.phrases[0] = readings.whole;
    for (unsigned i = 0; e == NULL && i < n; i++)
        e = read_piece(a, pieces[i], &readings.phrases[i + 1]);
    return e != NULL ? e : read_sentence(&readings, out);
}

const struct err *command_parse(struct arena *a, const char *text, struct command *out)
{
    return command_complete(a, text, NULL, 0, out);
}

/* ---- and back ---- */

static const char *sum_text(struct arena *a, const struct command *c)
{
    switch (c->amount_of_to ? AMOUNT_EXACT : c->amount_kind) {
    case AMOUNT_EXACT:
        return c->amount_of_to ? "" : arena_printf(a, "%s ", c->amount);
    case AMOUNT_USD:
        return arena_printf(a, "$%s worth of ", c->amount);
    case AMOUNT_PERCENT:
        return arena_printf(a, "%s%% of my ", c->amount);
    }
    return "";
}

/* ", only with kyberswap or velora"; "" for none. */
static const char *providers_text(struct arena *a, const char *words, const char *const *keys)
{
    const char *out = "";

    for (size_t i = 0; keys[i] != NULL; i++)
        out = arena_printf(a, "%s%s%s", out, i == 0 ? words : " or ", keys[i]);
    return out;
}

/* "withdraw 1 WETH collateral on base from aave", "borrow 5 USDC on base from aave against WETH" */
static const char *lending_text(struct arena *a, const struct command *c)
{
    bool gives = c->action == ACTION_LEND_SUPPLY || c->action == ACTION_LEND_REPAY;
    const char *verb = strchr(action_names[c->action], '_') + 1;
    const char *lender = c->market_id != NULL ? arena_printf(a, "market %s", c->market_id) : "aave";
    const char *place = c->chain != NULL ? arena_printf(a, " on %s", c->chain->key) : "";
    const char *against = c->against != NULL ? arena_printf(a, " against %s", c->against) : "";

    return arena_printf(a, "%s %s%s%s%s %s %s%s%s", verb, sum_text(a, c), c->token,
                        c->collateral && !gives ? " collateral" : "", place, gives ? "to" : "from", lender,
                        against, c->collateral && gives ? " as collateral" : "");
}

const char *command_text(struct arena *a, const struct command *c)
{
    const char *slippage = "";

    if (c->action == ACTION_WITHDRAW)
        return arena_printf(a, "withdraw %s%s on %s to %s", sum_text(a, c), c->token, c->chain->key,
                            c->recipient);
    if (c->action == ACTION_LEND_COLLATERAL)
        return arena_printf(a, "%s %s as collateral on %s", c->enabled ? "use" : "stop using", c->token,
                            c->chain->key);
    if (action_has(c->action, ACTION_LENDS))
        return lending_text(a, c);
    if (c->has_slippage)
        slippage = arena_printf(a, " with %u.%04u%% slippage", c->slippage / 10000, c->slippage % 10000);
    return arena_printf(
        a, "%s %s%s on %s to %s%s%s on %s%s%s%s", c->action == ACTION_QUOTE ? "quote" : "swap",
        sum_text(a, c), c->from->symbol, c->from_chain->key, c->amount_of_to ? c->amount : "",
        c->amount_of_to ? " " : "", c->to->symbol, c->to_chain->key, slippage,
        providers_text(a, " only with ", c->providers), providers_text(a, " except with ", c->excluded));
}
