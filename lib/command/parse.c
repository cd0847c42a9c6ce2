#include "command/parse.h"

#include <string.h>

#include "command/meaning.h"
#include "command/names.h"
#include "command/words.h"

const char *action_text(enum action action)
{
    switch (action) {
    case ACTION_SWAP:
    case ACTION_TAKE_QUOTE:
        return "swap";
    case ACTION_QUOTE:
        return "quote";
    case ACTION_BALANCE:
        return "balance";
    case ACTION_PRICE:
        return "price";
    case ACTION_PRICES:
        return "prices";
    case ACTION_STATUS:
        return "status";
    case ACTION_HISTORY:
        return "history";
    case ACTION_WALLET:
        return "wallet_create";
    case ACTION_WALLETS:
        return "wallets";
    case ACTION_CHAINS:
        return "chains";
    case ACTION_TOKENS:
        return "tokens";
    case ACTION_MARKETS:
        return "markets";
    case ACTION_ORDER:
        return "predict_order";
    case ACTION_HELP:
        return "help";
    }
    return "";
}

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

/* What the rules find in a sentence. */
struct readings {
    struct arena *a;
    const struct sentence *sentence;
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

static bool same(const struct command *a, const struct command *b)
{
    return a->action == b->action && a->from == b->from && a->to == b->to &&
           same_text(a->amount, b->amount) && a->amount_kind == b->amount_kind &&
           a->amount_of_to == b->amount_of_to && a->from_chain == b->from_chain &&
           a->to_chain == b->to_chain && a->has_slippage == b->has_slippage && a->slippage == b->slippage &&
           same_text(a->token, b->token) && same_symbols(a, b) && a->chain == b->chain &&
           same_text(a->quote_id, b->quote_id) && a->swap_id == b->swap_id && a->newest == b->newest &&
           a->limit == b->limit && same_text(a->status, b->status) &&
           same_text(a->chain_type, b->chain_type) && same_text(a->query, b->query) &&
           same_text(a->category, b->category) && same_text(a->token_id, b->token_id) &&
           same_text(a->side, b->side) && same_text(a->price, b->price) && same_text(a->size, b->size);
}

static void found(void *arg, const struct noted *list, unsigned n)
{
    struct readings *r = arg;
    struct command c;
    const struct err *e = meaning_of(r->a, r->sentence, list, n, &c);

    if (e != NULL && r->refusal == NULL) {
        r->refusal = e;
        r->lacks_a_piece = c.lacks_a_piece;
    }
    if (e == NULL && (r->count == 0 || !same(&c, &r->first)))
        r->count++;
    if (e == NULL && r->count == 1)
        r->first = c;
}

/* Where the rules lost the thread. What is too long for a name may be a secret, and is not repeated. */
static const struct err *lost(struct arena *a, const struct sentence *s, unsigned at)
{
    const struct word *w = &s->words[at];

    if (at >= s->count)
        return err_hint(a, &E_COMMAND, "The command breaks off: something is missing at its end");
    if (w->len > NAME_MAX)
        return err_hint(
            a, &E_COMMAND,
            "The command has a word that is too long for a name; tokens are named by their symbols");
    return err_hint(a, &E_COMMAND, arena_printf(a, "Not understood from \"%.*s\" on", (int)w->len, w->text));
}

const struct err *command_parse(struct arena *a, const char *text, struct command *out)
{
    struct sentence sentence;
    const char *fault = words_split(&sentence, a, text);
    struct readings readings = { .a = a, .sentence = &sentence };
    struct reader reader = { .words = sentence.kinds, .found = found, .arg = &readings };

    out->lacks_a_piece = false;
    if (fault != NULL)
        return err_hint(a, &E_COMMAND, fault);
    reader.count = sentence.count;
    grammar_read(&reader);
    if (reader.gave_up)
        return err_hint(a, &E_COMMAND, "The command is too intricate: say it in fewer words");
    if (readings.count > 1)
        return err_hint(a, &E_COMMAND, "The command can be taken in more than one way");
    out->lacks_a_piece = readings.count == 0 && readings.lacks_a_piece;
    if (readings.count == 0)
        return readings.refusal != NULL ? readings.refusal : lost(a, &sentence, reader.reach);
    *out = readings.first;
    return NULL;
}
