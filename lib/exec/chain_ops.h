/* A family of chains that work alike, such as those of the EVM, as the engine sees it: one row of functions.
 * The row is in the family's folder (exec/evm); the engine lies below, so it is found by chain_ops_of, which
 * registry/chain_families.c defines. */
#ifndef EXEC_CHAIN_OPS_H
#define EXEC_CHAIN_OPS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/lookup.h"
#include "chain/chains.h"
#include "codec/hash.h"
#include "exec/holdings.h"
#include "exec/payable.h"
#include "exec/payment.h"
#include "exec/plan.h"
#include "exec/tracked.h"
#include "model/execution.h"
#include "model/wallet.h"
#include "model/withdrawal.h"
#include "service/ctx.h"
#include "store/account_changes.h"
#include "store/db.h"
#include "store/transactions.h"

/* The MAC with which the signer signs a plain transfer: made where the operator's key is. */
struct operator_mac {
    void (*make)(uint8_t out[static HASH_LEN], void *arg, const struct wallet_ref *w, const uint8_t *tx,
                 size_t len);
    void *arg;
};

/* A step on its way to the signer. */
struct signing {
    const struct wallet *wallet;
    const struct chain *chain;
    const struct plan *plan; /* that the bytes have to keep; NULL: they repair what was committed before */
    const struct step *step;
    const struct fees *fees;
    uint64_t nonce;
    const uint8_t *proof; /* what the signer is shown in addition to the bytes; of nothing 0 bytes */
    size_t proof_len;
    const struct wallet *far_wallet; /* whom a bridge pays, if not the wallet itself; NULL */
    const struct operator_mac *by;   /* the operator orders it; NULL: what the signer's own rules allow */
    const struct address_record *to; /* it pays this known address; NULL: as the signer's own rules allow */
};

enum { FAMILY_TOKENS_MAX = 100 };

struct chain_ops {
    enum chain_type type;

    /* ---- plans: exec/plan.h, exec/commit.h ---- */

    /* Appends the steps that allow `spender` to take exactly so much of the token. Pure. NULL: the family has
     * no allowances. */
    void (*allow)(struct plan *p, struct arena *a, const char *token, const char *spender,
                  struct u256 amount);
    /* Makes the plan, whose recipient is `to`, a transfer of so much of what leaves; what an earlier
     * simulation or `complete` has found out is kept. Pure. */
    void (*transfer)(struct plan *p, struct arena *a, const char *to, struct u256 amount);
    /* Asks a node for what has to be known to read the steps, which keep it as their proof, and for what a
     * transfer has to name. E_UPSTREAM when no node answered. NULL: steps are as they should be. */
    const struct err *(*complete)(const struct ctx *ctx, struct arena *a, struct plan *p);
    /* Asks a node, once, for everything in *st, and sets the gas limits of the steps. E_UPSTREAM when no node
     * answered. */
    const struct err *(*try_plan)(const struct ctx *ctx, struct arena *a, struct plan *p,
                                  struct chain_state *st);
    /* The most native coin that the steps may take out of the wallet: their values and fees. False on
     * overflow. Pure. */
    bool (*cost)(const struct plan *p, const struct chain_state *st, struct u256 *value, struct u256 *fees);
    /* Reads the steps back and compares them with what leaves and what must arrive: NULL, or why the plan
     * must not be handed out to be signed. What the service itself signs is compared when it is signed. Pure.
     */
    const char *(*guard)(const struct plan *p);
    /* After when the chain itself refuses the spending step, in Unix seconds, as its bytes say; 0: at no
     * time. Pure. NULL: of no step a time is known. */
    int64_t (*refused_after)(const struct plan *p);
    /* Through the signer; *out has no ids. False when the signer is away or refuses (logged). The only call
     * to another process that may happen inside a database transaction. */
    bool (*sign)(const struct ctx *ctx, struct arena *a, const struct signing *in, struct transaction *out);
    /* A token or an account as transactions are stored with it. Pure. */
    void (*address_bytes)(struct address_bytes *out, const char *text);
    /* A transaction's hash as agents and explorers know it, in the arena. Pure. */
    char *(*hash_text)(struct arena *a, const struct tx_hash *hash);
    /* The hash in such a text, in any case of its letters. False, and none, for any other text. Pure. */
    bool (*hash_read)(struct tx_hash *out, const char *text);

    /* ---- wallets and tokens ---- */

    /* Adds what the family's wallets among these hold, on its chains or on `only`; *out is there already. */
    void (*balances)(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                     const struct chain *only, struct holdings *out);
    /* A token by its address alone, with the symbol that it gives itself as far as that is plain text. The
     * error of a silent chain; *told is how many nodes say so, 0 where there is no such token. */
    const struct err *(*describe_token)(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                        const char *address, struct token_ref *out, unsigned *told);
    /* The decimals of at most FAMILY_TOKENS_MAX addresses; -1 where no token is. False when the chain is
     * silent. */
    bool (*token_decimals)(const struct ctx *ctx, struct arena *a, const struct chain *c,
                           const char *const *addresses, size_t count, int *out);

    /* Finds out what the chain knows of at most 50 wallets and the database may not, since an older one is in
     * place: takes over nonces that are used up, and writes into unknown[i] how many transactions since then
     * are not stored. False: the chain or the database did not answer for all of them. */
    bool (*reconcile)(const struct ctx *ctx, struct arena *a, const struct chain *c,
                      const struct wallet *list, size_t count, int64_t since_ms, uint64_t *unknown);

    /* ---- recipients: exec/payable.h ---- */

    /* Pure. */
    const char *(*recipient_fault)(const char *address);
    /* Judges a recipient without such a fault. */
    const struct err *(*judge)(const struct ctx *ctx, struct arena *a, const struct recipient *r);

    /* ---- far chains ---- */

    /* The chain's newest block. LOOKUP_NONE: the chain has no node; LOOKUP_ERROR: it is silent. */
    enum lookup (*newest_block)(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                uint64_t *block);
    /* Makes the call that asks the chain's node about all of them. False: the chain has no node. */
    bool (*payments_begin)(const struct ctx *ctx, struct arena *a, struct payments *p, struct call *call);
    /* Ends the call, which has been run, and frees it. Arrivals are in the arena. */
    void (*payments_end)(const struct ctx *ctx, struct arena *a, struct payments *p);

    /* ---- sending ---- */

    /* Sends the stored bytes of `n` transactions of one chain to its nodes, in this order. out[i] is the
     * reply to txs[i]; every reply but acceptance is logged. False: no node answered. */
    bool (*send)(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
                 unsigned deadline_ms, enum broadcast_result *out);

    /* Sets the block of each that is in one by now: two nodes show it, where there are two. */
    void (*place)(const struct ctx *ctx, struct arena *a, const struct chain *c, struct unplaced_list *list);

    /* ---- following ---- */

    /* The number of questions in one poll: one about each transaction, and one about each wallet where those
     * have nonces. */
    unsigned poll_questions;
    bool has_nonces;
    /* Makes the call that asks the chain's node about all executions of the batch. False: there is no node;
     * then nothing else is done with the batch. */
    bool (*poll_begin)(const struct ctx *ctx, struct arena *a, struct chain_batch *s, struct call *call);
    /* Ends the call, which has been run, and frees it. Sets `known` and `observations` of each tracked
     * execution about which all was answered. */
    void (*poll_end)(const struct ctx *ctx, struct arena *a, struct chain_batch *s);
    /* Asks what a first poll cannot tell: whose a taken place is (`foreign`). */
    void (*poll_closely)(const struct ctx *ctx, struct arena *a, struct tracked *w);
    /* Stores and sends repairs of transactions in no block: the same bytes, a higher fee, or a cancel; and
     * revocations of allowances that failed executions left. */
    void (*repair)(const struct ctx *ctx, struct arena *a, struct tracked *w);
    /* The amount of the bought token that arrived by txs[i], which is in a block, or the amount taken where
     * the kind gives. False: the chain does not show it. */
    bool (*arrived)(struct u256 *out, const struct tracked *w, unsigned i);
    /* The changes of its wallet's balances by txs[i], which is in a block. False: the chain does not show
     * them. */
    bool (*changes)(struct account_change *out, const struct tracked *w, unsigned i);
    /* Once nothing reads the batch any more. */
    void (*poll_free)(struct chain_batch *s);
    /* Inside the transaction that ends the following: removes what the family has recorded for it. */
    bool (*follow_end)(struct db *db, const struct tracked *w);
};

extern const struct chain_ops *const chain_families[]; /* NULL ends the list */
/* NULL for a chain that nothing is executed on, and for NULL. */
const struct chain_ops *chain_ops_of(const struct chain *c);

#endif
