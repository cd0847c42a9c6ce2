/* The grammar, a table of rules (rules.c), and the matcher that applies it to a sentence. It finds every way
 * of accounting for all words, so that an ambiguous sentence can be told from a clear one. */
#ifndef COMMAND_GRAMMAR_H
#define COMMAND_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of words. The first ones are what a rule names in capitals; the rest are the literal words of the
 * rules, each standing for its synonyms too. */
enum kind {
    NUM = 1,  /* a plain number */
    ID,       /* its digits alone, as typed */
    PCT,      /* with a per cent sign or word */
    BPS,      /* with "bps" */
    USD,      /* with a dollar sign */
    USDW,     /* with the word for dollars */
    CENTS,    /* with that for cents: so many dollars */
    X,        /* so many times: "5x" */
    TOKEN,    /* a symbol of the tables, or a word that may be meant as one */
    CHAIN,    /* a key, alias or name, or a word that may be meant as one */
    NET,      /* a chain that is no token as well */
    COIN,     /* what people call a coin, where no token is moved */
    LENDER,   /* a lender: what people call it */
    MAKER,    /* a provider, which prices and carries out trades: its key, or what people call it */
    QUOTE,    /* a quote's id */
    HASH,     /* an order's id, or a lending market's */
    CLOID,    /* the id of an order for perpetuals */
    APPROVAL, /* an approval's id */
    ADDRESS,  /* of an account, of any type that wallets have */
    FREE,     /* a word that no rule uses */
    LITERALS
};

enum { KINDS_MAX = 512, KIND_WORDS = KINDS_MAX / 64 };
struct kinds {
    uint64_t bits[KIND_WORDS];
};

/* The meaning of a rule, noted when it applies; a capital word of a pattern is noted as its enum kind. */
enum mark {
    NO_MARK = LITERALS,
    /* actions */
    M_SWAP, /* both sides may be the measured one */
    M_SELL, /* what is given is measured */
    M_BUY,
    M_BRIDGE,
    M_WITHDRAW,
    M_SUPPLY,    /* to a lender */
    M_DEPOSIT,   /* to a lender, where it is said to which */
    M_TAKE_BACK, /* from a lender */
    M_BORROW,
    M_REPAY,
    M_PLEDGE,   /* what is supplied to a lender serves as collateral from now on, */
    M_RELEASE,  /* or no longer */
    M_PERPS_IN, /* dollars to the venue of perpetuals */
    M_PERPS_OUT,
    M_PREDICT_IN, /* collateral to the prediction venue */
    M_PREDICT_OUT,
    M_QUOTE, /* next to one of the above: only a price */
    M_BALANCE,
    M_PRICE,
    M_TAKE, /* a quote, by its id */
    M_STATUS,
    M_HISTORY,
    M_LAST, /* the last swap: one */
    M_WALLET,
    M_WALLETS,
    M_CHAINS,
    M_TOKENS,
    M_MARKETS,
    M_MARKET_PRICE,
    M_ORDER_BUY,
    M_ORDER_SELL,
    M_CANCEL,
    M_ORDERS,
    M_POSITIONS,
    M_BOOK,
    M_REDEEM,
    M_PREDICT_ACCOUNT,
    M_PREDICT_TRANSFERS,
    M_POLICIES,
    M_SPENDING_LIMIT, /* a policy to be added, as the next four */
    M_APPROVAL_LIMIT,
    M_SLIPPAGE_LIMIT,
    M_LEVERAGE_LIMIT,
    M_HEALTH_LIMIT,
    M_LOOSEN, /* a policy */
    M_APPROVALS,
    M_APPROVAL,
    M_RESUME, /* what waited for an approval */
    M_GRANT,
    M_ADDRESSES, /* for withdrawals */
    M_ADD_ADDRESS,
    M_REMOVE_ADDRESS,
    M_HEALTH, /* of loans */
    M_LENDING_MARKETS,
    M_LENDING_POSITIONS,
    M_PERPS_ORDER,
    M_PERPS_CLOSE,
    M_PERPS_LEVERAGE,
    M_PERPS_FUNDING,
    M_PERPS_MARKET,
    M_PERPS_MARKETS,
    M_PERPS_POSITIONS,
    M_PERPS_ACCOUNT,
    M_PERPS_ORDERS,
    M_PERPS_ORDER_SHOWN,
    M_PERPS_CANCEL,
    M_PERPS_FILLS,
    M_PERPS_PAYMENTS,
    M_PERPS_TRANSFERS,
    M_HELP,
    /* parts */
    M_ASKED, /* "could you …": a question mark is only polite */
    M_SOURCE,
    M_DEST,
    M_EXACT,
    M_DOLLARS,
    M_SHARE,
    M_HALF,
    M_QUARTER,
    M_ALL,
    M_MINE, /* "my ETH", with no amount */
    M_ON,
    M_VIA,
    M_FROM,
    M_TO,
    M_SLIPPAGE,
    M_BY,     /* these providers alone */
    M_NOT_BY, /* all but these */
    M_PLACE,  /* a chain of a question, or a kind of wallet */
    M_PRICED,
    M_NEWEST,     /* swap or withdrawal */
    M_WITHDRAWAL, /* not a swap */
    M_LENDING,    /* not a swap: an operation at a lender */
    M_AGAINST,    /* a token that serves as collateral */
    M_SECURED,    /* by any asset that serves as one */
    M_PLEDGED,    /* what is moved is to be one, or was */
    M_OWED,
    M_NAME, /* of an address: what it is called */
    M_EVM,
    M_SUBMITTED,
    M_PENDING,
    M_COMPLETED,
    M_FAILED,
    M_OPEN, /* of orders */
    M_FILLED,
    M_CANCELLED,
    M_REJECTED,
    M_WAITING, /* of approvals */
    M_GRANTED,
    M_DENIED,
    M_USED,
    M_LAPSED,
    M_CAP, /* dollars of a policy, and in which time */
    M_PER_ONE,
    M_PER_HOUR,
    M_PER_DAY,
    M_PER_WEEK,
    M_SHARES,
    M_WAGER, /* dollars on an outcome */
    M_OUTCOME,
    M_MARKET, /* by its number */
    M_AT,
    M_QUERY,
    M_QUERIED, /* a query, by a word that is in other rules too */
    M_CATEGORY,
    M_TOPIC, /* a category, by a word that is in other rules too */
    M_ASSET, /* of a perpetual */
    M_LONG,
    M_SHORT,
    M_SIZE,
    M_NOTIONAL, /* a size in dollars */
    M_MARGIN,   /* dollars that a position binds */
    M_EITHER,   /* one of these two */
    M_PART,     /* a size, but neither in the asset nor in dollars */
    M_LEVER,
    M_LEVERED, /* with leverage, but not how much */
    M_LIMIT,
    M_AT_MARKET,
    M_AT_PRICE,
    M_AT_NUMBER, /* a price, where the sentence says "limit" */
    M_GAIN,      /* at which to take it */
    M_LOSS,      /* at which to stop it */
    M_ISOLATED,
    M_CROSS,
    M_REDUCES, /* a position, and opens none */
    M_POSTS,   /* and takes no resting order */
};

struct rule {
    const char *name;
    const char *pattern;
    enum mark mark;
};

/* The first of each list is the word that the patterns use. */
extern const char *const synonyms[];
extern const size_t synonyms_count;
extern const struct rule rules[];
extern const size_t rules_count;

struct noted {
    unsigned mark; /* enum mark, or enum kind of the word */
    unsigned at;   /* index of the word */
};

enum { NOTED_MAX = 64 };

/* A sentence under the grammar; its words are given by their kinds. */
struct reader {
    const char *start; /* name of the rules for the whole of it */
    const struct kinds *const *words;
    unsigned count;
    void (*found)(void *arg, const struct noted *list, unsigned n);
    void *arg;
    /* afterwards */
    unsigned reach; /* words that made sense; equal to count: something is missing at the end */
    bool gave_up;   /* more readings than any sensible sentence has */
    /* within */
    unsigned steps;
    struct noted noted[NOTED_MAX];
};

/* Calls r->found for each way in which the rules account for all words. */
void grammar_read(struct reader *r);
/* The kind of a word of the rules (in lower case) and 0 when they do not have it. */
unsigned grammar_kind(const char *word, size_t len);

void kinds_add(struct kinds *k, unsigned kind);
bool kinds_has(const struct kinds *k, unsigned kind);

#endif
