/* An execution under observation: what the follower, the families and the kinds' verdicts share. */
#ifndef EXEC_TRACKED_H
#define EXEC_TRACKED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "chain/chains.h"
#include "model/bridge.h"
#include "model/execution.h"
#include "model/wallet.h"

struct call;

/* The chain's state of one transaction of ours at this poll. */
struct observation {
    uint64_t block; /* 0: in none */
    bool succeeded;
    bool confirmed; /* deep enough to be reported as done */
    bool settled;   /* no reorganisation is expected to take it away any more */
    bool taken;     /* its place counts as used, and nothing of ours is seen there: by whom is not known */
    bool foreign;   /* proven: its place is gone for good to a transaction that is not ours */
    bool expired;   /* proven: it is in no block, and none will ever take it any more */
    bool disputed;  /* another node that was asked at this poll shows something else */
    bool otherwise; /* something else has come of it than is recorded: its block is another one by now */
    bool has_fee;
    struct u256 fee;       /* that it has cost, of the chain's coin */
    const struct err *why; /* of one that failed in its block; NULL: nothing more is known */
};

/* The venue's answer about a request. */
enum venue_says {
    VENUE_UNAVAILABLE, /* nothing that can be relied on: nothing follows from it */
    VENUE_UNKNOWN,     /* it does not know it: not yet, not any more, or not at this moment */
    VENUE_HAS,         /* it took it, and has not finished with it */
    VENUE_DROPPED,     /* it took it, has not carried it out, and will not unless it gets it once more */
    VENUE_FILLED,      /* it has carried it out, for good */
    VENUE_REFUSED,     /* it will not carry it out, for good: refused, or cancelled there */
    VENUE_EXPIRED,     /* it will not carry it out, since its time is over */
    VENUE_OUTDATED,    /* it will not carry it out, since it wants another form by now */
};

/* The observation of one request of ours at this poll. */
struct request_observation {
    enum venue_says says;
    bool cancelled; /* at this poll, without its having been taken: it cannot be taken any more */
    bool again;     /* the venue took offence at the sending alone: it may be sent once more, at once */
    bool more;      /* at once there is more to see of it than that the venue took it */
    bool sent;      /* it is an answer to a sending that is not recorded yet */
    const struct err *why;  /* of REFUSED or EXPIRED, for the agent; NULL: nothing more is known */
    const char *venue_ref;  /* the id that it bears there, or that of what fills it; NULL: nothing new */
    struct tx_hash tx_hash; /* by which the venue says that it carries it out; none: nothing new */
    bool has_brought;       /* of FILLED: so much has come of it, in the smallest units of the bought token */
    struct u256 brought;
    uint64_t
        block; /* of FILLED: what it brought to the wallet is in it, or in one before; 0: no chain tells */
};

/* The observation of a bridge at this poll. */
struct bridge_observation {
    bool due;                  /* its turn has come; otherwise nothing else is set */
    struct bridge next;        /* as it will be recorded: with what its bridge provider says now */
    struct bridge_status says; /* BRIDGE_UNKNOWN: nothing that can be relied on */
    bool unverifiable;         /* no node of ours can show whether it was paid */
    bool shown;                /* a chain has told of the transaction that the bridge provider names */
    uint64_t block;            /* then: it is in that one; 0: in none */
    bool confirmed, settled;   /* as in struct observation */
    bool paid;                 /* it moved what is owed, or what is paid back */
    bool in_part;              /* it paid back less than was deposited, or a token that nothing compares */
    bool amount_unknown;       /* the chain cannot tell how much coin it moved */
    struct token_ref token;    /* that instead of the bought token; chain 0: the bought token */
    struct u256 amount;
    const struct arrival *arrivals; /* that prove it */
    unsigned arrival_count;
    int rivals; /* claims of others that were counted with it */
};

struct tracked {
    struct execution *execution;
    /* The chain that is asked about its transactions. NULL: it has none, or they have settled, and the
     * observations are what is recorded. */
    const struct chain *chain;
    struct wallet wallet;
    struct transaction *txs;          /* by place, then in the order of signing */
    struct observation *observations; /* one for each */
    unsigned count;
    unsigned spend;                 /* txs[spend] is an attempt at what the execution is for */
    struct venue_request *requests; /* in the order of signing */
    struct request_observation *request_observations; /* one for each */
    unsigned request_count;
    const struct bridge *bridge; /* as it is recorded; NULL: there is none */
    struct bridge_observation bridge_observation;
    int64_t now_ms;  /* by the database's clock, as the rows' times are: hosts' clocks may be wrong */
    bool doubted;    /* by what is recorded something speaks against it: another node is asked */
    bool unfinished; /* more has to be sent of it than there is by now: it is followed further */
    bool known; /* the observations are there: all that its chain, if any, was asked about it was answered */
    void *seen; /* the family's own: what its node said */
};

/* Executions on one chain, neighbours in the list of all, that are asked about at once. */
struct chain_batch {
    const struct chain *chain;
    bool doubted; /* all of them are, or none */
    struct tracked *w;
    unsigned count;
    struct call *call; /* NULL: none could be asked */
    void *poll;        /* the family's own, from poll_begin to poll_free */
};

/* Whether at most one of both can get into the chain: attempts at one place. They are neighbours. */
bool txs_compete(const struct transaction *a, const struct transaction *b);
/* Whether txs[i] is the first of its place. */
bool first_of_place(const struct tracked *w, unsigned i);
/* Which of the place of txs[i] is in a block; -1: none. */
int place_winner(const struct tracked *w, unsigned i);
/* Whether txs[i] is as it was at the last poll, and no node disputes it. Evidence against an execution counts
 * only then: two nodes have reported it, where there are two. */
bool seen_before(const struct tracked *w, unsigned i);

/* Refusals for good before an effect is given up: a single one may come from a node that lags behind. */
enum { REFUSALS = 2 };

#endif
