#include "route/uniswap_contracts.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/shm_cache.h"
#include "chain/evm/abi.h"
#include "venue/contracts.h"
#include "venue/uniswap_v2.h"
#include "venue/uniswap_v3.h"
#include "venue/wrapped_native.h"

enum {
    STANDING_PLACES = 16,
    ASKED_AGAIN_MS = 10 * 1000,
};

/* ---- their answers ---- */

enum { SEL_FACTORY = 0xc45a0155, SEL_WETH = 0xad5c4648, SEL_WETH9 = 0x4aa4a4fc };
enum { SEL_GET_BLOCK_NUMBER = 0x42cbb15c }; /* Multicall3's own */

struct claim {
    enum uniswap_kind version;
    const struct contract_kind *of, *names;
    uint32_t selector;
    const char *text;
};

static const struct claim claims[] = {
    { UNISWAP_V2, &uniswap_v2_router, &uniswap_v2_factory, SEL_FACTORY, "its router's factory()" },
    { UNISWAP_V2, &uniswap_v2_router, &wrapped_native_contract, SEL_WETH, "its router's WETH()" },
    { UNISWAP_V3, &uniswap_v3_quoter, &uniswap_v3_factory, SEL_FACTORY, "its quoter's factory()" },
    { UNISWAP_V3, &uniswap_v3_quoter, &wrapped_native_contract, SEL_WETH9, "its quoter's WETH9()" },
    { UNISWAP_V3, &uniswap_v3_router, &uniswap_v3_factory, SEL_FACTORY, "its router's factory()" },
    { UNISWAP_V3, &uniswap_v3_router, &wrapped_native_contract, SEL_WETH9, "its router's WETH9()" },
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

static const enum uniswap_kind versions[] = { UNISWAP_V2, UNISWAP_V3 };
enum { VERSIONS = sizeof versions / sizeof versions[0] };

static const char *version_text(enum uniswap_kind version)
{
    return version == UNISWAP_V2 ? "V2" : "V3";
}

static unsigned bit_of(enum uniswap_kind version)
{
    return version == UNISWAP_V2 ? 1 : 2;
}

/* ---- known facts ---- */

/* The standing of one version on one chain. */
struct contracts_state {
    const struct chain *chain; /* a place may be another one's */
    enum { NOT_ASKED, IS_RIGHT, IS_OTHER } is;
    size_t claim;     /* the first that is not borne out */
    int64_t again_ms; /* on the monotonic clock: then it is asked again */
};

static struct shm_cache standings = SHM_CACHE_INIT(STANDING_PLACES * VERSIONS, struct contracts_state);

void uniswap_contracts_share(void)
{
    shm_cache_share(&standings);
}

static size_t standing_place(const struct chain *c, enum uniswap_kind version)
{
    return (size_t)(c - chains) % STANDING_PLACES * VERSIONS + (version == UNISWAP_V2 ? 0 : 1);
}

static struct contracts_state contracts_state_of(const struct chain *c, enum uniswap_kind version)
{
    struct contracts_state s;

    if (shm_cache_read(&standings, standing_place(c, version), &s) && s.chain == c)
        return s;
    return (struct contracts_state){ .chain = c };
}

static bool is_due(const struct contracts_state *s)
{
    return s->is != IS_RIGHT && clock_mono_ms() >= s->again_ms;
}

bool uniswap_is_off(const struct chain *c, enum uniswap_kind version)
{
    return contracts_state_of(c, version).is == IS_OTHER;
}

/* ---- their states ---- */

static const struct contract *priced_by(const struct chain *c, enum uniswap_kind version)
{
    return contract_of(c, version == UNISWAP_V2 ? &uniswap_v2_router : &uniswap_v3_quoter);
}

bool uniswap_listed(const struct chain *c)
{
    return priced_by(c, UNISWAP_V2) != NULL || priced_by(c, UNISWAP_V3) != NULL;
}

static struct evm_addr *address_of(struct uniswap_contracts *at, enum uniswap_kind version)
{
    return version == UNISWAP_V2 ? &at->v2_router : &at->v3_quoter;
}

static bool contract_take(struct uniswap_contracts *out, enum uniswap_kind version)
{
    *address_of(out, version) = contract_addr(priced_by(out->chain, version));
    return true;
}

bool uniswap_contracts(struct uniswap_contracts *out, const struct chain *c)
{
    bool any = false;

    *out = (struct uniswap_contracts){ .chain = c };
    for (size_t i = 0; i < VERSIONS; i++)
        if (priced_by(c, versions[i]) != NULL && !uniswap_is_off(c, versions[i]))
            any = contract_take(out, versions[i]);
    return any;
}

/* ---- asking ---- */

static void claim_ask(struct multicall *m, struct evm_addr at, uint32_t selector)
{
    struct buf data = BUF_INIT(ABI_WORD);

    abi_selector(&data, selector);
    multicall_add(m, at, &data);
    buf_free(&data);
}

static void claims_ask(const struct uniswap_contracts *at, struct multicall *m)
{
    claim_ask(m, multicall_addr(), SEL_GET_BLOCK_NUMBER);
    for (size_t i = 0; i < CLAIMS; i++)
        if ((at->asked & bit_of(claims[i].version)) != 0)
            claim_ask(m, contract_addr(contract_of(at->chain, claims[i].of)), claims[i].selector);
}

bool uniswap_contracts_ask(struct uniswap_contracts *out, const struct chain *c, struct multicall *m)
{
    bool any = uniswap_contracts(out, c);

    for (size_t i = 0; i < VERSIONS; i++) {
        struct contracts_state s = contracts_state_of(c, versions[i]);

        if (priced_by(c, versions[i]) == NULL || !is_due(&s))
            continue;
        any = contract_take(out, versions[i]);
        out->asked |= bit_of(versions[i]);
    }
    out->first_at = m->count;
    if (out->asked != 0)
        claims_ask(out, m);
    return any;
}

/* ---- their answers ---- */

static bool is_borne_out(const struct claim *k, const struct chain *c, const struct multicall_results *r,
                         unsigned i)
{
    struct evm_addr named;
    const uint8_t *p;
    size_t n;

    return multicall_result(r, i, &p, &n) && abi_get_addr(&named, p, n, 0) &&
           evm_addr_eq(named, contract_addr(contract_of(c, k->names)));
}

static void note_contracts(const struct contracts_state *now, enum uniswap_kind version)
{
    const struct contracts_state before = contracts_state_of(now->chain, version);

    shm_cache_write(&standings, standing_place(now->chain, version), now);
    if (before.is == now->is)
        return;
    if (now->is == IS_OTHER)
        log_warn("contracts_refused",
                 "msg=\"not the contracts of the table: they are not used\" venue=uniswap version=%s "
                 "chain=%s why=\"%s\"",
                 version_text(version), now->chain->key, claims[now->claim].text);
    else if (before.is == IS_OTHER)
        log_info("contracts_accepted",
                 "msg=\"the contracts of the table again\" venue=uniswap version=%s chain=%s",
                 version_text(version), now->chain->key);
}

/* Its answers begin at *i, which is moved behind them. */
static void version_read(struct uniswap_contracts *at, enum uniswap_kind version,
                         const struct multicall_results *r, unsigned *i)
{
    struct contracts_state s = { .chain = at->chain, .is = IS_RIGHT };

    for (size_t k = 0; k < CLAIMS; k++) {
        if (claims[k].version != version || is_borne_out(&claims[k], at->chain, r, (*i)++) ||
            s.is == IS_OTHER)
            continue;
        s.is = IS_OTHER;
        s.claim = k;
        s.again_ms = clock_mono_ms() + ASKED_AGAIN_MS;
    }
    note_contracts(&s, version);
    if (s.is == IS_OTHER)
        *address_of(at, version) = (struct evm_addr){ { 0 } };
}

void uniswap_contracts_read(struct uniswap_contracts *at, const struct multicall_results *r)
{
    unsigned i = at->first_at + 1;
    struct u256 block;
    bool shown = at->asked != 0 && multicall_word(&block, r, at->first_at);

    for (size_t v = 0; v < VERSIONS; v++) {
        if ((at->asked & bit_of(versions[v])) == 0)
            continue;
        if (shown)
            version_read(at, versions[v], r, &i);
        else
            *address_of(at, versions[v]) = (struct evm_addr){ { 0 } };
    }
}

/* ---- for the operator ---- */

void uniswap_contracts_notes(struct json_writer *w)
{
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        for (size_t v = 0; v < VERSIONS; v++) {
            struct contracts_state s = contracts_state_of(c, versions[v]);

            if (s.is == IS_OTHER)
                jw_string(w, NULL,
                          arena_printf(w->arena, "Uniswap %s is not used on %s: %s names another contract",
                                       version_text(versions[v]), c->key, claims[s.claim].text));
        }
}
