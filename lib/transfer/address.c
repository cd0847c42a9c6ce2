#include "transfer/address.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "chain/address.h"
#include "chain/chains.h"
#include "exec/payable.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/wallets.h"
#include "store/withdrawal_addresses.h"
#include "webhook/payload.h"
#include "webhook/security.h"

enum { HOSTS_WAIT_MS = 8000, HOSTS_POLL_MS = 100, REMOVED_WAIT_S = 60 };

/* ---- valid addresses ---- */

static enum wallet_kind kind_of(const char *address, const char *chain_type)
{
    if (chain_type != NULL)
        return strcmp(chain_type, "solana") == 0 ? WALLET_SOLANA : WALLET_EVM;
    return address_is_wallet(CHAIN_SOLANA, address) ? WALLET_SOLANA : WALLET_EVM;
}

static const struct err *own_wallet(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                    const struct withdrawal_address *wa)
{
    struct wallet w;
    enum lookup found = wallets_pick(ctx->db, agent->id, wa->kind, wa->address, &w);

    if (found == LOOKUP_NONE)
        return NULL;
    return found == LOOKUP_FOUND
               ? err_hint(a, &E_WITHDRAWAL_TARGET, "It is a managed wallet of the agent itself")
               : &E_INTERNAL;
}

static const struct err *address_check(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                       const struct withdrawal_address *wa)
{
    const char *fault = recipient_fault(wallet_chain_type(wa->kind), wa->address);

    if (fault != NULL)
        return err_on(a, err_hint(a, &E_WITHDRAWAL_TARGET, fault), "address");
    return own_wallet(ctx, a, agent, wa);
}

enum lookup address_named(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind, const char *text,
                          struct withdrawal_address *out)
{
    char canonical[WALLET_ADDR_MAX];
    enum lookup found;

    if (address_canonical(canonical, wallet_chain_type(kind), text))
        return withdrawal_addresses_at(ctx->db, agent_id, kind, canonical, out);
    if (address_is_written(text))
        return LOOKUP_NONE;
    found = withdrawal_addresses_labelled(ctx->db, agent_id, kind, text, out);
    return found == LOOKUP_FOUND && address_is_written(out->label) ? LOOKUP_NONE : found;
}

/* The keys of chains as they are stored, each once, or the error of a name that is none of the family's. */
static const struct err *chains_keep(struct arena *a, struct withdrawal_address *wa, const char *const *names)
{
    char *out = wa->allow_contract;

    for (; names != NULL && *names != NULL; names++) {
        const struct chain *c = chain_find(*names);
        size_t used = strlen(out);

        if (c == NULL)
            return err_on(a, err_fmt(a, &E_CHAIN_UNKNOWN, *names, NULL), "allow_contract");
        if (c->type != wallet_chain_type(wa->kind))
            return err_on(a, &E_WITHDRAWAL_FAMILY, "allow_contract");
        if (!chain_listed(out, c) && used + strlen(c->key) + 2 <= sizeof wa->allow_contract)
            (void)snprintf(out + used, sizeof wa->allow_contract - used, "%s%s", used == 0 ? "" : ",",
                           c->key);
    }
    return NULL;
}

/* ---- the signer ---- */

static struct allowlist_address payee_of(const struct withdrawal_address *wa)
{
    struct allowlist_address p = { .agent = wa->agent, .type = wallet_chain_type(wa->kind) };

    memcpy(p.address, wa->address, sizeof p.address);
    return p;
}

const struct err *address_register(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                   const char *address, const char *chain_type, const char *label,
                                   const char *const *allow_contract, const uint8_t *operator_mac,
                                   struct withdrawal_address *out, uint64_t *wait_s)
{
    struct allowlist_address payee;
    const struct err *e;

    *out = (struct withdrawal_address){ .agent_id = agent->id,
                                        .agent = agent->uuid,
                                        .kind = kind_of(address, chain_type) };
    if (!address_canonical(out->address, wallet_chain_type(out->kind), address))
        return err_on(a, &E_WITHDRAWAL_ADDRESS, "address");
    if (label != NULL && address_is_written(label))
        return err_on(a, &E_LABEL_IS_ADDRESS, "label");
    if (label != NULL)
        (void)snprintf(out->label, sizeof out->label, "%s", label);
    if ((e = chains_keep(a, out, allow_contract)) != NULL || (e = address_check(ctx, a, agent, out)) != NULL)
        return e;
    payee = payee_of(out);
    switch (signer_allow_address(ctx->signer, &payee, operator_mac, &out->record, wait_s)) {
    case SIGNER_OK:
        return NULL;
    case SIGNER_LIMITED:
        return &E_PAUSED;
    default:
        break;
    }
    if (signer_rule(ctx->signer) == RULE_WAITING)
        return err_wait(a, &E_BUSY, REMOVED_WAIT_S,
                        "This address was removed too often: try again in a minute");
    return &E_INTERNAL;
}

static bool signer_takes_removal(const struct ctx *ctx, const struct withdrawal_address *wa)
{
    const struct allowlist_address p = payee_of(wa);

    return signer_remove_address(ctx->signer, &p, &wa->record) == SIGNER_OK;
}

/* This host's is the last one, so that it has not taken what another has not. */
static bool other_hosts_take(const struct ctx *ctx, const struct withdrawal_address *wa)
{
    int64_t deadline = clock_mono_ms() + HOSTS_WAIT_MS;
    uint64_t hosts = 0;

    if (!withdrawal_addresses_ask(ctx->db, wa->id, &ctx->host))
        return false;
    while (hosts + 1 < ctx->conf->hosts && clock_mono_ms() < deadline) {
        usleep(HOSTS_POLL_MS * 1000);
        if (withdrawal_addresses_hosts(ctx->db, wa->id, &hosts) != LOOKUP_FOUND)
            return false;
    }
    return hosts + 1 >= ctx->conf->hosts;
}

const struct err *address_revoke(const struct ctx *ctx, const struct withdrawal_address *wa)
{
    if (ctx->conf->hosts > 1 && !other_hosts_take(ctx, wa)) {
        (void)withdrawal_addresses_recall(ctx->db, wa->id);
        return &E_REMOVAL_FAILED;
    }
    return signer_takes_removal(ctx, wa) ? NULL : &E_REMOVAL_FAILED;
}

void address_revocations_take(const struct ctx *ctx, struct arena *a)
{
    struct withdrawal_address *list;
    int n = ctx->conf->hosts > 1 ? withdrawal_addresses_asked(ctx->db, a, &ctx->host, &list) : 0;

    for (int i = 0; i < n; i++)
        if (signer_takes_removal(ctx, &list[i]))
            (void)withdrawal_addresses_taken(ctx->db, list[i].id, &ctx->host);
}

/* ---- as agents see it ---- */

static void address_chains_write(struct json_writer *w, const struct withdrawal_address *wa)
{
    jw_array(w, "allow_contract");
    for (size_t i = 0; i < chains_count; i++)
        if (chain_listed(wa->allow_contract, &chains[i]))
            jw_string(w, NULL, chains[i].key);
    jw_end(w);
}

bool address_tell(const struct ctx *ctx, struct db *db, struct arena *a, const char *type,
                  const struct withdrawal_address *wa)
{
    struct json_writer w;

    payload_open(&w, a, type, clock_ms());
    withdrawal_address_view(&w, wa);
    return security_event_add(ctx, db, wa->agent_id, type, payload_close(&w));
}

void withdrawal_address_view(struct json_writer *w, const struct withdrawal_address *wa)
{
    jw_integer(w, "id", (int64_t)wa->id);
    jw_string(w, "address", wa->address);
    jw_string(w, "chain_type", chain_type_text(wallet_chain_type(wa->kind)));
    jw_string_or_null(w, "label", wa->label[0] == '\0' ? NULL : wa->label);
    jw_time(w, "active_at", wa->active_ms);
    jw_string(w, "status", withdrawal_address_status(wa));
    address_chains_write(w, wa);
    jw_time(w, "created_at", wa->created_ms);
}
