/* The notes of one reading of a sentence, by its parts, and the common part of its meanings. */
#ifndef COMMAND_PARSE_STATE_H
#define COMMAND_PARSE_STATE_H

#include "command/parse.h"
#include "command/words.h"

/* One side of a trade, as said. */
struct side {
    const struct word *token, *number;
    enum amount_kind kind;
    const char *share; /* per cent, said as a word */
    bool mine;
    const struct word *chain; /* "… on base" next to it */
};

/* Words that stand together. */
struct span {
    const struct word *first, *last;
};

/* Words of a sentence about perpetuals. */
struct perps_pieces {
    const struct word *asset, *size, *leverage, *price, *gain, *loss, *cloid;
    const struct word *notional, *margin; /* dollars */
    const struct word *margin_token;      /* in which they are said, or NULL */
    bool twice;                           /* one of them */
    unsigned side;                        /* M_LONG or M_SHORT; 0: neither */
    bool either;                          /* a number that may be of one thing or of another */
    bool part;                            /* a size is there, but neither in the asset nor in dollars */
    bool levered;                         /* with leverage, but not how much */
    bool limit, limit_said;               /* such an order, by its price or in that word */
    bool market;
    bool number_alone; /* the price may be anything else too */
    bool isolated, cross, reduces, posts;
};

/* All that was noted, by its part in the sentence. */
struct parse_state {
    struct arena *a;
    const struct sentence *s;
    unsigned trade; /* M_SWAP … M_PREDICT_OUT; 0: none */
    bool quote, asked;
    unsigned question; /* M_BALANCE … */
    struct side source, dest;
    struct side other; /* of neither: what a question is about */
    struct side piece; /* what was said alone, and belongs to one of them */
    struct side *side; /* the one said last */
    const struct word *chain_at_large, *from_chain, *to_chain;
    bool chain_twice;
    const struct err *lack; /* the first piece that was not said, as it is asked for; or NULL */
    const struct word *slippage;
    enum kind slippage_kind;
    unsigned slippages;
    const char
        *named_providers[2][NAMED_PROVIDERS_MAX]; /* keys of providers that are wanted, and that are not */
    unsigned providers_count[2];                  /* NAMED_PROVIDERS_MAX + 1: too many */
    const struct word *place, *id, *quote_id, *hash, *market, *address;
    bool place_twice;
    const struct word *priced[PRICED_MAX];
    unsigned priced_count;            /* PRICED_MAX + 1: too many */
    bool newest, withdrawal, lending; /* the last two: not a swap */
    const struct word *lender, *against;
    bool lender_twice, against_twice, secured, pledged, owed;
    const struct word *cap, *approval; /* of a policy; an approval's id */
    unsigned per;                      /* M_PER_ONE … M_PER_WEEK; 0: not said */
    bool per_twice;
    bool evm;
    const char *status;
    const struct word *price, *category;
    const struct word *wager, *wager_token; /* dollars on an outcome, and in which token they are said */
    struct span outcome, query, name;
    struct perps_pieces perps;
};

/* The action that a mark of the rules asks for, and what fills in its members, or chooses one of its kin:
 * NULL where it has none. */
struct question {
    unsigned mark;
    enum command_action action;
    const struct err *(*read)(const struct parse_state *x, struct command *out);
};

/* E_COMMAND with the hint. */
const struct err *parse_refuse(const struct parse_state *x, const char *hint);
/* In the arena: the word as typed, and as the token tables may have it. */
const char *parse_word(const struct parse_state *x, const struct word *w);
const char *parse_symbol(const struct parse_state *x, const struct word *w);
/* The words of the span, with one blank where there were some. */
const char *parse_span(const struct parse_state *x, const struct span *span);
/* E_CHAIN_UNKNOWN */
const struct err *parse_chain(const struct parse_state *x, const struct word *w, const struct chain **out);
/* The amount of what moves; what is missing is noted in x->lack. */
const struct err *parse_amount(struct parse_state *x, struct command *out);
/* Whether a per cent of something is one. */
const struct err *parse_share(const struct parse_state *x, const char *per_cent);
const struct err *parse_slippage(const struct parse_state *x, struct command *out);
/* The number of items to list; E_LIMIT. */
const struct err *parse_limit(const struct parse_state *x, struct command *out);

#endif
