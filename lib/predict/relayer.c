#include "predict/relayer.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/json_reader.h"
#include "base/params.h"
#include "codec/hex.h"
#include "predict/clob_private.h"

static const char CREATION[] = "WALLET-CREATE", BATCH[] = "WALLET";

/* ---- submissions ---- */

static void addr_write(struct buf *out, const char *key, struct evm_addr addr)
{
    char text[EVM_ADDR_TEXT_LEN + 1];

    evm_addr_text(text, addr);
    buf_addf(out, "\"%s\":\"%s\"", key, text);
}

static void hex_write(struct buf *out, const char *key, const uint8_t *p, size_t n)
{
    buf_addf(out, "\"%s\":\"0x", key);
    for (size_t i = 0; i < n; i++)
        buf_addf(out, "%02x", p[i]);
    buf_addc(out, '"');
}

static void head_write(struct buf *out, const char *type, struct evm_addr owner)
{
    buf_addf(out, "{\"type\":\"%s\",", type);
    addr_write(out, "from", owner);
    buf_addc(out, ',');
    addr_write(out, "to", polymarket_wallet_factory());
}

void relayer_write_creation(struct buf *out, struct evm_addr owner)
{
    head_write(out, CREATION, owner);
    buf_addc(out, '}');
}

static void calls_write(struct buf *out, const struct polymarket_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct polymarket_call *call = &b->calls[i];
        char value[U256_DECIMAL_LEN + 1];

        u256_decimal(value, call->value);
        buf_adds(out, i == 0 ? "{" : ",{");
        addr_write(out, "target", call->target);
        buf_addf(out, ",\"value\":\"%s\",", value);
        hex_write(out, "data", call->data, call->len);
        buf_addc(out, '}');
    }
}

void relayer_write_batch(struct buf *out, struct evm_addr owner, const struct polymarket_batch *b,
                         const uint8_t sig[static 65])
{
    uint8_t digest[HASH_LEN];

    polymarket_batch_digest(digest, b);
    head_write(out, BATCH, owner);
    buf_addf(out, ",\"nonce\":\"%" PRIu64 "\",", b->nonce);
    hex_write(out, "signature", sig, 65);
    buf_addc(out, ',');
    hex_write(out, "metadata", digest, sizeof digest);
    buf_adds(out, ",\"depositWalletParams\":{");
    addr_write(out, "depositWallet", b->wallet);
    buf_addf(out, ",\"deadline\":\"%" PRIu64 "\",\"calls\":[", b->deadline);
    calls_write(out, b);
    buf_adds(out, "]}}");
}

static bool member_addr(struct evm_addr *out, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL && evm_addr_parse(out, text);
}

static bool task_read(struct relayer_task *out, const json_t *body)
{
    const char *type = json_string_value(json_object_get(body, "type")),
               *nonce = json_string_value(json_object_get(body, "nonce"));
    struct evm_addr owner;

    *out = (struct relayer_task){ .creates = type != NULL && strcmp(type, CREATION) == 0 };
    if (out->creates) {
        if (!member_addr(&owner, body, "from"))
            return false;
        out->wallet = polymarket_wallet_of(owner, POLYMARKET_WALLET_BEACON);
        return true;
    }
    return nonce != NULL && params_whole(&out->nonce, nonce) &&
           member_addr(&out->wallet, json_object_get(body, "depositWalletParams"), "depositWallet");
}

bool relayer_read_task(struct relayer_task *out, const uint8_t *body, size_t n)
{
    json_t *tree = json_read((const char *)body, n);
    bool read = task_read(out, tree);

    json_decref(tree);
    return read;
}

static bool call_read(struct polymarket_call *out, struct arena *a, const json_t *item)
{
    const char *value = json_string_value(json_object_get(item, "value")),
               *data = json_string_value(json_object_get(item, "data"));
    uint8_t *bytes;

    if (value == NULL || data == NULL || !u256_parse(&out->value, value) ||
        !member_addr(&out->target, item, "target"))
        return false;
    bytes = arena_alloc(a, POLYMARKET_CALL_MAX);
    out->data = bytes;
    return hex_decode_0x(bytes, POLYMARKET_CALL_MAX, &out->len, data);
}

static bool batch_read(struct relayer_batch *out, struct arena *a, const json_t *body)
{
    const json_t *params = json_object_get(body, "depositWalletParams"),
                 *calls = json_object_get(params, "calls"), *item;
    const char *deadline = json_string_value(json_object_get(params, "deadline"));
    struct relayer_task task;
    size_t i;

    if (!task_read(&task, body) || task.creates || deadline == NULL ||
        !params_whole(&out->batch.deadline, deadline) || !member_addr(&out->owner, body, "from") ||
        json_array_size(calls) == 0 || json_array_size(calls) > POLYMARKET_CALLS_MAX)
        return false;
    json_array_foreach(calls, i, item) if (!call_read(&out->calls[i], a, item)) return false;
    out->batch.wallet = task.wallet;
    out->batch.nonce = task.nonce;
    out->batch.calls = out->calls;
    out->batch.count = json_array_size(calls);
    return true;
}

bool relayer_read_batch(struct relayer_batch *out, struct arena *a, const uint8_t *body, size_t n)
{
    json_t *tree = json_read((const char *)body, n);
    bool read = batch_read(out, a, tree);

    json_decref(tree);
    return read;
}

/* ---- the caller ---- */

static bool builder_head(struct call *call, struct arena *a, const struct relayer_key *key, int64_t now,
                         const char *method, const char *path, const char *body)
{
    struct clob_credentials c = { .key = "" };
    char signature[CLOB_SIGNATURE_LEN + 1];

    (void)snprintf(c.secret, sizeof c.secret, "%s", key->secret);
    if (!clob_sign(signature, &c, now, method, path, body))
        return false;
    call->headers[0] = arena_printf(a, "POLY_BUILDER_API_KEY: %s", key->key);
    call->headers[1] = arena_printf(a, "POLY_BUILDER_PASSPHRASE: %s", key->passphrase);
    call->headers[2] = arena_printf(a, "POLY_BUILDER_SIGNATURE: %s", signature);
    call->headers[3] = arena_printf(a, "POLY_BUILDER_TIMESTAMP: %" PRId64, now);
    call->headers[4] = "Content-Type: application/json";
    return true;
}

bool relayer_head(struct call *call, struct arena *a, const struct relayer_key *key, int64_t now,
                  const char *method, const char *path, const char *body)
{
    if (key->builder)
        return builder_head(call, a, key, now, method, path, body);
    call->headers[0] = arena_printf(a, "RELAYER_API_KEY: %s", key->key);
    call->headers[1] = arena_printf(a, "RELAYER_API_KEY_ADDRESS: %s", key->address);
    call->headers[2] = "Content-Type: application/json";
    return true;
}

/* ---- answers ---- */

/* One that fits into a URL as it is; NULL: none. */
static const char *id_of(struct arena *a, const json_t *object)
{
    const char *id = json_string_value(json_object_get(object, "transactionID"));
    size_t n = id == NULL ? 0 : strlen(id);

    if (n == 0 || n > VENUE_REF_MAX ||
        strspn(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") != n)
        return NULL;
    return arena_strdup(a, id);
}

bool relayer_read_submitted(struct arena *a, const struct buf *answer, const char **id)
{
    json_t *tree = json_read(answer->data, answer->len);

    *id = id_of(a, tree);
    json_decref(tree);
    return *id != NULL;
}

static bool is_wanted(const json_t *row, const char *found, const char *id, const char *metadata)
{
    const char *said = json_string_value(json_object_get(row, "metadata"));

    return *id != '\0' ? strcmp(found, id) == 0 : said != NULL && strcasecmp(said, metadata) == 0;
}

static void row_try(struct arena *a, const json_t *object, const char *id, const char *metadata,
                    struct relayer_row *row)
{
    const char *found = id_of(a, object);

    if (row->id != NULL || found == NULL || !is_wanted(object, found, id, metadata))
        return;
    row->id = found;
    /* "STATE_" may be missing. A state that is not known is none to give up at. */
    const char *state = json_string_value(json_object_get(object, "state"));

    if (state != NULL && strncasecmp(state, "STATE_", 6) == 0)
        state += 6;
    row->state = state != NULL && (strcasecmp(state, "FAILED") == 0 || strcasecmp(state, "INVALID") == 0)
                     ? RELAYER_GAVE_UP
                     : RELAYER_HAS;
    const char *text = json_string_value(json_object_get(object, "transactionHash"));
    size_t n;

    if (text != NULL && hex_decode_0x(row->tx_hash.bytes, HASH_LEN, &n, text) && n == HASH_LEN)
        row->tx_hash.len = HASH_LEN;
}

bool relayer_read_rows(struct arena *a, const struct buf *answer, const char *id,
                       const uint8_t digest[static HASH_LEN], struct relayer_row *row)
{
    json_t *tree = json_read(answer->data, answer->len);
    char metadata[2 * HASH_LEN + 3] = "0x";
    const json_t *item;
    size_t i;
    bool read = tree != NULL;

    *row = (struct relayer_row){ .id = NULL };
    hex_encode(metadata + 2, digest, HASH_LEN);
    if (json_is_object(tree))
        row_try(a, tree, id, metadata, row);
    json_array_foreach(tree, i, item) row_try(a, item, id, metadata, row);
    json_decref(tree);
    return read;
}
