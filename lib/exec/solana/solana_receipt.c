#include "exec/solana/solana_receipt.h"

#include <string.h>

#include "chain/solana/solana_rpc.h"
#include "chain/tokens.h"
#include "exec/changes.h"

void solana_receipt_ask(struct rpc_batch *b, const char *signature)
{
    rpc_add(b, "getTransaction",
            "[\"%s\",{\"commitment\":\"" SOLANA_CONFIRMED
            "\",\"encoding\":\"json\",\"maxSupportedTransactionVersion\":0}]",
            signature);
}

bool solana_receipt_amount(uint64_t *out, const json_t *balance)
{
    const char *text =
        json_string_value(json_object_get(json_object_get(balance, "uiTokenAmount"), "amount"));
    struct u256 wide;

    return text != NULL && u256_parse(&wide, text) && u256_to_u64(out, wide);
}

/* The wallet's balance of a mint, in all of its accounts. */
static bool token_sum(uint64_t *out, const json_t *list, const char *wallet, const char *mint)
{
    const json_t *each;
    size_t i;

    *out = 0;
    json_array_foreach(list, i, each)
    {
        const char *owner = json_string_value(json_object_get(each, "owner")),
                   *its = json_string_value(json_object_get(each, "mint"));
        uint64_t amount;

        if (owner == NULL || its == NULL)
            return false;
        if (strcmp(owner, wallet) != 0 || strcmp(its, mint) != 0)
            continue;
        if (!solana_receipt_amount(&amount, each) || __builtin_add_overflow(*out, amount, out))
            return false;
    }
    return json_is_array(list);
}

/* The wallet pays, so its coin stands first; that of its accounts which hold the wrapped form stands where
 * these say. */
static bool coin_sum(uint64_t *out, const json_t *coins, const json_t *list, const char *wallet,
                     const char *mint)
{
    const json_t *each;
    size_t i;

    if (!solana_rpc_number(out, json_array_get(coins, 0)))
        return false;
    json_array_foreach(list, i, each)
    {
        const char *owner = json_string_value(json_object_get(each, "owner")),
                   *its = json_string_value(json_object_get(each, "mint"));
        uint64_t place, coin;

        if (owner == NULL || its == NULL || strcmp(owner, wallet) != 0 || strcmp(its, mint) != 0)
            continue;
        if (!solana_rpc_number(&place, json_object_get(each, "accountIndex")) ||
            !solana_rpc_number(&coin, json_array_get(coins, (size_t)place)) ||
            __builtin_add_overflow(*out, coin, out))
            return false;
    }
    return json_is_array(list);
}

static bool coin_arrived(struct u256 *out, const json_t *meta, const char *wallet, const char *mint)
{
    uint64_t before, after, fee;

    return coin_sum(&before, json_object_get(meta, "preBalances"), json_object_get(meta, "preTokenBalances"),
                    wallet, mint) &&
           coin_sum(&after, json_object_get(meta, "postBalances"), json_object_get(meta, "postTokenBalances"),
                    wallet, mint) &&
           solana_rpc_number(&fee, json_object_get(meta, "fee")) &&
           !__builtin_add_overflow(after, fee, &after) &&
           u256_sub(out, u256_from_u64(after), u256_from_u64(before));
}

static bool token_sums(struct u256 *before, struct u256 *after, const json_t *meta, const char *wallet,
                       const char *mint)
{
    uint64_t then, now;

    if (!token_sum(&then, json_object_get(meta, "preTokenBalances"), wallet, mint) ||
        !token_sum(&now, json_object_get(meta, "postTokenBalances"), wallet, mint))
        return false;
    *before = u256_from_u64(then);
    *after = u256_from_u64(now);
    return true;
}

static bool token_arrived(struct u256 *out, const json_t *meta, const char *wallet, const char *mint)
{
    struct u256 before, after;

    return token_sums(&before, &after, meta, wallet, mint) && u256_sub(out, after, before);
}

/* Unwrapping pays the coin without a transfer: the amount is what the wrapped balance lost. */
static bool unwrapped(struct u256 *out, const json_t *meta, const char *wallet, const char *mint)
{
    struct u256 before, after;

    return token_sums(&before, &after, meta, wallet, mint) && u256_sub(out, before, after);
}

bool solana_receipt_arrived(struct u256 *out, const struct rpc_answer *r, const struct execution *x,
                            const char *wallet)
{
    const json_t *meta = json_object_get(r->result, "meta");
    const struct token *sold = token_known(&x->from), *bought = token_known(&x->to);

    if (bought == NULL || !token_is_native(bought))
        return token_arrived(out, meta, wallet, x->to.address);
    return (sold != NULL && sold->wrapped_native ? unwrapped : coin_arrived)(out, meta, wallet,
                                                                             x->to.address);
}

/* Balances before count as what left, those after as what came. */
static bool tokens_add(struct account_change *out, const json_t *list, const char *wallet, bool after)
{
    const json_t *each;
    size_t i;

    json_array_foreach(list, i, each)
    {
        const char *owner = json_string_value(json_object_get(each, "owner")),
                   *mint = json_string_value(json_object_get(each, "mint"));
        struct token_change *t;
        uint64_t amount;

        if (owner == NULL || mint == NULL || !solana_receipt_amount(&amount, each))
            return false;
        if (strcmp(owner, wallet) != 0)
            continue;
        t = change_of(out, mint);
        if (t == NULL ||
            !u256_add(after ? &t->came : &t->left, after ? t->came : t->left, u256_from_u64(amount)))
            return false;
    }
    return json_is_array(list);
}

bool solana_receipt_changes(struct account_change *out, const struct rpc_answer *r, const char *wallet)
{
    const json_t *meta = json_object_get(r->result, "meta");
    struct token_change *coin = change_of(out, "");
    uint64_t before, after;

    if (!solana_rpc_number(&before, json_array_get(json_object_get(meta, "preBalances"), 0)) ||
        !solana_rpc_number(&after, json_array_get(json_object_get(meta, "postBalances"), 0)))
        return false;
    coin->left = u256_from_u64(before);
    coin->came = u256_from_u64(after);
    return tokens_add(out, json_object_get(meta, "preTokenBalances"), wallet, false) &&
           tokens_add(out, json_object_get(meta, "postTokenBalances"), wallet, true);
}
