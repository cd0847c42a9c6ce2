#include "chain/solana/solana_rpc.h"

#include <string.h>

#include "base/buf.h"
#include "codec/base64.h"

enum { JUPITER_SLIPPAGE = 6001 }; /* the aggregator's own code for it */

/* ---- accounts ---- */

void solana_ask_accounts(struct rpc_batch *b, const struct solana_addr *list, size_t n,
                         const char *commitment, size_t bytes)
{
    struct buf params = BUF_INIT(SOLANA_ACCOUNTS_ASKED_MAX * (SOLANA_ADDR_TEXT_LEN + 3) + 256);
    char text[SOLANA_ADDR_TEXT_LEN + 1];

    for (size_t i = 0; i < n; i++) {
        solana_addr_text(text, &list[i]);
        buf_addf(&params, "%s\"%s\"", i > 0 ? "," : "", text);
    }
    if (bytes > 0)
        rpc_add(b, "getMultipleAccounts",
                "[[%s],{\"commitment\":\"%s\",\"encoding\":\"base64\","
                "\"dataSlice\":{\"offset\":0,\"length\":%zu}}]",
                buf_text(&params), commitment, bytes);
    else
        rpc_add(b, "getMultipleAccounts", "[[%s],{\"commitment\":\"%s\",\"encoding\":\"base64\"}]",
                buf_text(&params), commitment);
    buf_free(&params);
}

bool solana_rpc_number(uint64_t *out, const json_t *value)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *out = (uint64_t)json_integer_value(value);
    return true;
}

const json_t *solana_rpc_value(const struct rpc_answer *r, uint64_t *slot)
{
    uint64_t at;

    if (!solana_rpc_number(&at, json_object_get(json_object_get(r->result, "context"), "slot")))
        return NULL;
    if (slot != NULL)
        *slot = at;
    return json_object_get(r->result, "value");
}

static bool read_data(struct solana_state *out, struct arena *a, const json_t *data)
{
    const char *text = json_string_value(json_array_get(data, 0)),
               *encoding = json_string_value(json_array_get(data, 1));
    size_t max;
    uint8_t *bytes;

    if (text == NULL || encoding == NULL || strcmp(encoding, "base64") != 0)
        return false;
    max = strlen(text) / 4 * 3 + 3;
    out->data = bytes = arena_alloc(a, max);
    return base64_decode(bytes, max, &out->len, text, strlen(text));
}

bool solana_read_account(struct solana_state *out, struct arena *a, const json_t *value)
{
    const char *program = json_string_value(json_object_get(value, "owner"));

    *out = (struct solana_state){ .exists = false };
    if (json_is_null(value))
        return true;
    out->exists = true;
    return program != NULL && solana_addr_parse(&out->program, program) &&
           solana_rpc_number(&out->lamports, json_object_get(value, "lamports")) &&
           read_data(out, a, json_object_get(value, "data"));
}

bool solana_read_accounts(struct solana_state *out, size_t n, uint64_t *slot, struct arena *a,
                          const struct rpc_answer *r)
{
    const json_t *list = solana_rpc_value(r, slot);

    if (json_array_size(list) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!solana_read_account(&out[i], a, json_array_get(list, i)))
            return false;
    return true;
}

/* ---- transactions ---- */

void solana_ask_statuses(struct rpc_batch *b, const char *const *signatures, size_t n)
{
    struct buf params = BUF_INIT(SOLANA_STATUSES_MAX * (BASE58_LEN(SOLANA_SIGNATURE_LEN) + 3) + 64);

    for (size_t i = 0; i < n; i++)
        buf_addf(&params, "%s\"%s\"", i > 0 ? "," : "", signatures[i]);
    rpc_add(b, "getSignatureStatuses", "[[%s],{\"searchTransactionHistory\":true}]", buf_text(&params));
    buf_free(&params);
}

void solana_ask_signatures_of(struct rpc_batch *b, const char *address)
{
    rpc_add(b, "getSignaturesForAddress", "[\"%s\",{\"commitment\":\"" SOLANA_CONFIRMED "\"}]", address);
}

void solana_ask_tokens_of(struct rpc_batch *b, const char *owner, const struct solana_addr *program)
{
    char text[SOLANA_ADDR_TEXT_LEN + 1];

    solana_addr_text(text, program);
    rpc_add(b, "getTokenAccountsByOwner",
            "[\"%s\",{\"programId\":\"%s\"},{\"commitment\":\"" SOLANA_CONFIRMED
            "\",\"encoding\":\"base64\"}]",
            owner, text);
}

void solana_ask_blockhash(struct rpc_batch *b)
{
    rpc_add(b, "getLatestBlockhash", "[{\"commitment\":\"" SOLANA_CONFIRMED "\"}]");
}

bool solana_read_blockhash(uint8_t out[static SOLANA_BLOCKHASH_LEN], const struct rpc_answer *r)
{
    const char *text = json_string_value(json_object_get(solana_rpc_value(r, NULL), "blockhash"));
    size_t n;

    return text != NULL && base58_decode(out, SOLANA_BLOCKHASH_LEN, &n, text) && n == SOLANA_BLOCKHASH_LEN;
}

bool solana_is_too_little(const json_t *error)
{
    const json_t *custom =
        json_object_get(json_array_get(json_object_get(error, "InstructionError"), 1), "Custom");

    return json_integer_value(custom) == JUPITER_SLIPPAGE;
}

static bool read_status(struct solana_status *out, const json_t *value)
{
    const char *level = json_string_value(json_object_get(value, "confirmationStatus"));
    const json_t *error = json_object_get(value, "err");

    *out = (struct solana_status){ .known = false };
    if (json_is_null(value))
        return true;
    if (level == NULL || error == NULL || !solana_rpc_number(&out->slot, json_object_get(value, "slot")) ||
        out->slot == 0)
        return false;
    out->known = true;
    out->succeeded = json_is_null(error);
    out->too_little = solana_is_too_little(error);
    out->finalized = strcmp(level, "finalized") == 0;
    out->confirmed = out->finalized || strcmp(level, "confirmed") == 0;
    return true;
}

bool solana_read_statuses(struct solana_status *out, size_t n, uint64_t *slot, const struct rpc_answer *r)
{
    const json_t *list = solana_rpc_value(r, slot);

    if (json_array_size(list) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!read_status(&out[i], json_array_get(list, i)))
            return false;
    return true;
}
