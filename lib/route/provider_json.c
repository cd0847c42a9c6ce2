#include "route/provider_json.h"

#include <limits.h>
#include <string.h>

#include "chain/address.h"
#include "chain/evm/evm_addr.h"
#include "chain/tokens.h"
#include "codec/base58.h"
#include "codec/hex.h"
#include "codec/u256_member.h"
#include "route/provider_service.h"

#define SOLANA_ZERO "11111111111111111111111111111111" /* the system's program too */

enum { PPM_PER_BPS = PPM_ONE / 10000, SOLANA_TX_LEN = 64 };

bool provider_json_one_chain(const struct chain *from, const struct chain *to)
{
    return from == to && from->type == CHAIN_EVM;
}

bool provider_json_lists(const char *const *keys, const struct chain *c)
{
    while (*keys != NULL && strcmp(*keys, c->key) != 0)
        keys++;
    return *keys != NULL;
}

/* ---- writing ---- */

static bool is_coin(const struct token_ref *t, const struct token *known)
{
    struct evm_addr a;

    return known != NULL ? token_is_native(known) : evm_addr_read(&a, t->address) && evm_addr_is_zero(a);
}

bool provider_json_is_coin(const struct token_ref *t)
{
    return is_coin(t, token_known(t));
}

const char *provider_json_zero(const struct token_ref *t)
{
    const struct chain *c = chain_by_id(t->chain_id);

    return c != NULL && c->type == CHAIN_SOLANA ? SOLANA_ZERO : EVM_ADDR_ZERO;
}

const char *provider_json_token(struct arena *a, const struct token_ref *t, const char *coin)
{
    const struct token *known = token_known(t);
    struct evm_addr at;

    if (is_coin(t, known))
        return coin;
    if (known != NULL)
        return known->address_text;
    return evm_addr_read(&at, t->address) ? evm_addr_print(a, at) : t->address;
}

static const char *provider_json_nobody(const struct chain *c)
{
    return c->type == CHAIN_SOLANA ? WIRE_NOBODY_ON_SOLANA : WIRE_NOBODY;
}

const char *provider_json_payer(const struct route_in *in)
{
    return in->wallet == NULL ? provider_json_nobody(in->from_chain) : in->wallet;
}

const char *provider_json_payee(const struct route_in *in)
{
    if (in->recipient != NULL)
        return in->recipient;
    return in->from_chain->type == in->to_chain->type ? provider_json_payer(in)
                                                      : provider_json_nobody(in->to_chain);
}

const char *provider_json_amount(struct arena *a, struct u256 amount)
{
    char text[U256_DECIMAL_LEN + 1];

    u256_decimal(text, amount);
    return arena_strdup(a, text);
}

unsigned provider_json_bps(struct ppm share)
{
    return share.value / PPM_PER_BPS;
}

struct ppm provider_json_of_bps(unsigned bps)
{
    return (struct ppm){ bps * PPM_PER_BPS };
}

bool provider_json_tolerance(struct ppm *slippage, struct u256 out, struct u256 min_out, struct ppm limit)
{
    struct u256 spare, share;
    uint64_t bps;

    if (u256_is_zero(out) || !u256_sub(&spare, out, min_out) ||
        !u256_muldiv(&share, spare, u256_from_u64(PPM_ONE / PPM_PER_BPS), out) || !u256_to_u64(&bps, share))
        return false;
    if (bps > provider_json_bps(limit))
        bps = provider_json_bps(limit);
    *slippage = provider_json_of_bps((unsigned)bps);
    return true;
}

/* ---- reading ---- */

static const char *provider_json_text(const json_t *doc, const char *name)
{
    return json_string_value(json_object_get(doc, name));
}

bool provider_json_u64(uint64_t *out, const json_t *doc, const char *name)
{
    struct u256 n;

    return u256_member(&n, doc, name) && u256_to_u64(out, n);
}

bool provider_json_quantity(struct u256 *out, const json_t *doc, const char *name)
{
    const char *text = provider_json_text(doc, name);

    return text != NULL && (strncmp(text, "0x", 2) == 0 ? u256_parse_hex(out, text) : u256_parse(out, text));
}

static bool provider_json_whole(uint64_t *out, const json_t *doc, const char *name)
{
    const char *text = provider_json_text(doc, name);
    struct amount whole;

    return text != NULL && amount_of_number(&whole, text, 0) && u256_to_u64(out, whole.raw);
}

uint64_t provider_json_gas(const json_t *doc, const char *name)
{
    uint64_t units;

    return provider_json_whole(&units, doc, name) && units > 0 ? units : PROVIDER_JSON_GAS;
}

bool provider_json_seconds(unsigned *out, const json_t *doc, const char *name)
{
    uint64_t seconds;

    if (!provider_json_whole(&seconds, doc, name) || seconds > UINT_MAX)
        return false;
    *out = (unsigned)seconds;
    return true;
}

const char *provider_json_address(struct arena *a, const json_t *doc, const char *name)
{
    const char *text = provider_json_text(doc, name);
    struct evm_addr at;

    return text != NULL && evm_addr_parse(&at, text) ? evm_addr_print(a, at) : NULL;
}

const char *provider_json_account(struct arena *a, const json_t *doc, const char *name, const struct chain *c)
{
    const char *text = provider_json_text(doc, name);
    char canonical[WALLET_ADDR_MAX];

    if (text != NULL && strcmp(text, c->type == CHAIN_SOLANA ? SOLANA_ZERO : EVM_ADDR_ZERO) == 0)
        return arena_strdup(a, text);
    return text != NULL && address_canonical(canonical, c->type, text) ? arena_strdup(a, canonical) : NULL;
}

const char *provider_json_tx_hash(struct arena *a, const json_t *hash, const struct chain *c)
{
    const char *text = json_string_value(hash);
    uint8_t bytes[SOLANA_TX_LEN];
    size_t n;

    if (c->type != CHAIN_SOLANA)
        return provider_json_hash(a, hash);
    return text != NULL && base58_decode(bytes, sizeof bytes, &n, text) && n == sizeof bytes
               ? arena_strdup(a, text)
               : NULL;
}

const char *provider_json_hash(struct arena *a, const json_t *hash)
{
    const char *text = json_string_value(hash);
    char lower[2 * HASH_LEN + 1];
    uint8_t bytes[HASH_LEN];
    size_t n;

    if (text == NULL || !hex_decode_0x(bytes, sizeof bytes, &n, text) || n != sizeof bytes)
        return NULL;
    hex_encode(lower, bytes, sizeof bytes);
    return arena_printf(a, "0x%s", lower);
}

const uint8_t *provider_json_bytes(struct arena *a, size_t *len, const json_t *doc, const char *name)
{
    const char *text = provider_json_text(doc, name);
    size_t max = text == NULL ? 0 : strlen(text) / 2;
    uint8_t *bytes = arena_alloc(a, max);

    return text != NULL && hex_decode_0x(bytes, max, len, text) ? bytes : NULL;
}

bool provider_json_says(const json_t *doc, const char *name, const char *text)
{
    const char *said = provider_json_text(doc, name);

    return said != NULL && strcmp(said, text) == 0;
}

bool provider_json_says_address(const json_t *doc, const char *name, const char *address)
{
    const char *text = provider_json_text(doc, name);
    struct evm_addr said, asked;

    if (text == NULL)
        return false;
    return evm_addr_read(&asked, address) ? evm_addr_read(&said, text) && evm_addr_eq(said, asked)
                                          : strcmp(text, address) == 0;
}

bool provider_json_says_token(const json_t *doc, const char *name, const struct token_ref *t,
                              const char *coin)
{
    return provider_json_says_address(doc, name, provider_json_is_coin(t) ? coin : t->address);
}

bool provider_json_says_amount(const json_t *doc, const char *name, struct u256 amount)
{
    struct u256 said;

    return provider_json_quantity(&said, doc, name) && u256_cmp(said, amount) == 0;
}

bool provider_json_says_chain(const json_t *doc, const char *name, const struct chain *c)
{
    return provider_json_says_amount(doc, name, u256_from_u64(c->id));
}

/* ---- offers ---- */

enum ask_end provider_json_refusal(const struct call *call, const char *code,
                                   const struct provider_json_code *codes)
{
    enum ask_end end = provider_end(call);

    if (end == ASK_OFFERED)
        end = code == NULL ? ASK_UNAVAILABLE : ASK_NO_ROUTE;
    if (end == ASK_REFUSED && code != NULL && (call->status == 404 || call->status == 410))
        end = ASK_NO_ROUTE; /* who gives a code is there */
    if (code == NULL || (end != ASK_NO_ROUTE && end != ASK_UNAVAILABLE))
        return end;
    while (codes->code != NULL && strcmp(codes->code, code) != 0)
        codes++;
    return codes->code == NULL ? end : codes->end;
}

enum ask_end provider_json_offer(struct route_answer *out, const char *label, struct u256 amount_out,
                                 uint64_t gas)
{
    if (u256_is_zero(amount_out))
        return ASK_TOO_SMALL;
    out->offers[out->count++] = (struct offer){
        .label = label,
        .out = amount_out,
        .gas_units = gas,
        .payload = { (const uint8_t *)"", 0 },
    };
    return ASK_OFFERED;
}

/* ---- transactions ---- */

struct ppm provider_json_half(struct ppm slippage)
{
    return (struct ppm){ slippage.value / 2 };
}

enum tx_end provider_json_tx_end(enum ask_end end)
{
    if (end == ASK_REFUSED)
        return TX_NOT_SERVED;
    return end == ASK_NO_ROUTE || end == ASK_TOO_SMALL ? TX_NO_ROUTE : TX_UNAVAILABLE;
}

static bool provider_json_lacks(const json_t *doc, const char *name)
{
    return json_object_get(doc, name) == NULL;
}

bool provider_json_tx(struct wallet_call *out, const json_t *doc, const struct route_in *in, struct arena *a)
{
    if ((!provider_json_lacks(doc, "from") && !provider_json_says_address(doc, "from", in->wallet)) ||
        (!provider_json_lacks(doc, "chainId") && !provider_json_says_chain(doc, "chainId", in->from_chain)) ||
        (!provider_json_lacks(doc, "value") && !provider_json_quantity(&out->value, doc, "value")))
        return false;
    out->to = provider_json_address(a, doc, "to");
    out->spender = provider_json_is_coin(&in->from) ? NULL : out->to;
    out->data = provider_json_bytes(a, &out->data_len, doc, "data");
    return out->to != NULL && out->data != NULL && out->data_len >= 4;
}

bool provider_json_pays_input(const struct wallet_call *tx, const struct route_in *in)
{
    return u256_cmp(tx->value, provider_json_is_coin(&in->from) ? in->amount_in : U256_ZERO) == 0;
}
