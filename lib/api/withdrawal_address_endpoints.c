#include "store/withdrawal_addresses.h"

#include "api/admission/api_call.h"
#include "api/admission/idempotency.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/withdrawals.h"
#include "model/agent.h"
#include "service/conf.h"
#include "store/audit.h"
#include "store/quotas.h"
#include "store/trading_halts.h"
#include "transfer/address.h"
#include "webhook/security.h"

/* ---- parameters ---- */

struct address_in {
    const char *address, *chain_type, *label;
    const char *const *allow_contract;
};

static const struct param address_params[] = {
    { "address", P_TEXT, INTO(struct address_in, address), .required = true, .min = 1,
      .max = 2 * PARAM_NAME_MAX,
      .about =
          "An account of your own outside of this service: a cold wallet, or a deposit address of an exchange",
      .example = A_WALLET },
    { "chain_type", P_TEXT, INTO(struct address_in, chain_type), .choices = wallet_types,
      .about = "evm or solana; by default what the address is" },
    { "label", P_TEXT, INTO(struct address_in, label), .min = 1, .max = ADDRESS_LABEL_MAX,
      .check = param_line_fault, .about = "What you call it, as in \"withdraw 100 USDC on base to cold\"",
      .example = "cold" },
    { "allow_contract", P_TEXTS, INTO(struct address_in, allow_contract), .max = CHAINS_NAMED_MAX,
      .about =
          "Keys of chains on which it may be paid though it is a contract on another chain and nothing there, or on Solana the vault of a program, such as a multisig's" },
    { 0 },
};

static const struct schema_field address_id = { "id", S_WHOLE, .example = "7",
                                                .about =
                                                    "The id of the address in GET /withdrawal-addresses" };

/* ---- answers ---- */

static const char *const address_statuses[] = { "waiting", "active", "removed", NULL };
static const char *const added_event[] = { EVENT_ADDRESS_ADDED, NULL };
static const char *const removed_event[] = { EVENT_ADDRESS_REMOVED, NULL };

/* clang-format off */
static const struct schema address_schema = { "WithdrawalAddress", "Where withdrawals may go", FIELDS {
    { "id",         WHOLE("7"),                          "Names it as address_id of a withdrawal" },
    { "address",    TEXT(A_WALLET),                      "The address" },
    { "chain_type", CHOICE(wallet_types, "evm"),         "The kind of chains on which it can be paid" },
    { "label",      TEXT("cold"),                        "What you call it", MAY_BE_NULL },
    { "active_at",  TIME(LATER),                         "From when on it can be paid" },
    { "status",     CHOICE(address_statuses, "waiting"), "waiting until then, then active; removed: for good" },
    { "allow_contract", TEXTS("base"),                   "Keys of chains on which it may be paid though no key of it is known there" },
    { "created_at", TIME(A_TIME),                        "When it was added" },
    END } };

static const struct schema address_added_schema = { "WithdrawalAddressFound", "The address", FIELDS {
    SUCCESS,
    { "withdrawal_address", OBJECT(address_schema), "The address" },
    END } };

static const struct schema addresses_schema = { "WithdrawalAddressList", "The addresses, newest first", FIELDS {
    SUCCESS,
    { "withdrawal_addresses", LIST(address_schema), "The addresses, removed ones too" },
    END } };

static const struct schema address_event_schema = { "WithdrawalAddressAddedEvent", "An address was added: if it was not you, remove it before it becomes active", FIELDS {
    { "type",      CHOICE(added_event, EVENT_ADDRESS_ADDED), "What happened" },
    { "timestamp", TIME(LATER),                "When" },
    { "data",      OBJECT(address_schema),     "The address" },
    END } };

static const struct schema address_removed_schema = { "WithdrawalAddressRemovedEvent", "An address was removed: nothing is paid there any more", FIELDS {
    { "type",      CHOICE(removed_event, EVENT_ADDRESS_REMOVED), "What happened" },
    { "timestamp", TIME(LATER),                "When" },
    { "data",      OBJECT(address_schema),     "The address" },
    END } };
/* clang-format on */

/* ---- adding one ---- */

struct adding {
    struct api_call *call;
    const struct withdrawal_address *asked;
    uint64_t wait_s;
    /* reset by each run of the transaction */
    struct reply *answer;
    const struct err *refusal;
};

static void address_write(struct json_writer *w, const char *key, const struct withdrawal_address *wa)
{
    jw_object(w, key);
    withdrawal_address_view(w, wa);
    jw_end(w);
}

static struct reply *reply_added(struct api_call *c, const struct withdrawal_address *wa)
{
    struct json_writer *w = reply_open(c->rq, 201);

    address_write(w, "withdrawal_address", wa);
    return reply_close(w);
}

static enum tx_verdict adding_refuse(struct adding *it, const struct err *e)
{
    it->refusal = e;
    return TX_ROLLBACK;
}

/* UNCHANGED: it->refusal says what there is no room for. */
static enum db_update adding_room(struct db *db, struct adding *it)
{
    const struct conf *conf = it->call->ctx->conf;
    const struct agent *agent = it->call->agent;
    enum db_update room =
        quotas_room(db, agent->id, QUOTA_ADDRESSES, 1, conf_quota(conf, agent->tier, QUOTA_ADDRESSES));

    it->refusal = &E_QUOTA_ADDRESSES;
    if (room != UPDATED)
        return room;
    it->refusal = &E_QUOTA_AUDIT;
    return quotas_audit_line(db, agent->id, conf_quota(conf, agent->tier, QUOTA_AUDIT_LINES));
}

static const struct err *why_not_added(struct db *db, const struct adding *it)
{
    const struct withdrawal_address *wa = it->asked;
    struct withdrawal_address there;

    if (withdrawal_addresses_at(db, wa->agent_id, wa->kind, wa->address, &there) == LOOKUP_FOUND)
        return &E_WITHDRAWAL_ADDRESS_THERE;
    if (withdrawal_addresses_labelled(db, wa->agent_id, wa->kind, wa->label, &there) == LOOKUP_FOUND)
        return &E_WITHDRAWAL_LABEL;
    return it->call->endpoint->denied;
}

static bool address_audit(struct db *db, struct api_call *c, const char *act,
                          const struct withdrawal_address *wa)
{
    const struct audit_act what = { .by = "agent",
                                    .act = act,
                                    .agent = &c->agent->uuid,
                                    .detail = arena_printf(c->arena, "{\"id\":%llu,\"address\":\"%s\"}",
                                                           (unsigned long long)wa->id, wa->address) };

    return audit_write(db, &what);
}

static enum tx_verdict adding_tx(struct db *db, void *arg)
{
    struct adding *it = arg;
    struct withdrawal_address wa = *it->asked;
    enum db_update room = adding_room(db, it), added, noted;

    if (room != UPDATED)
        return room == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    added = withdrawal_addresses_add(db, &wa, it->wait_s);
    if (added != UPDATED)
        return added == DB_ERROR ? TX_FAILED : adding_refuse(it, why_not_added(db, it));
    it->answer = reply_added(it->call, &wa);
    noted = it->answer != NULL ? idempotency_note(it->call, it->answer, false) : DB_ERROR;
    if (noted != UPDATED)
        return noted == DB_ERROR ? TX_FAILED : adding_refuse(it, &E_IN_PROGRESS);
    return address_tell(it->call->ctx, db, it->call->arena, EVENT_ADDRESS_ADDED, &wa) &&
                   address_audit(db, it->call, "withdrawal_address.add", &wa)
               ? TX_COMMIT
               : TX_FAILED;
}

static struct reply *add_address(struct api_call *c, const void *arg)
{
    const struct address_in *in = arg;
    struct adding it = { .call = c };
    struct withdrawal_address wa;
    enum lookup stopped = trading_halts_check(c->ctx->db, c->agent->id);
    const struct err *e;
    enum db_update added;

    if (stopped != LOOKUP_NONE)
        return stopped == LOOKUP_ERROR ? NULL : reply_err(c->rq, &E_PAUSED);
    e = address_register(c->ctx, c->arena, c->agent, in->address, in->chain_type, in->label,
                         in->allow_contract, NULL, &wa, &it.wait_s);
    if (e != NULL)
        return reply_err(c->rq, e);
    it.asked = &wa;
    added = trading_halts_transact(c->ctx->db, c->agent->id, adding_tx, &it);
    if (added == DB_ERROR)
        return NULL;
    if (added != UPDATED)
        return reply_err(c->rq, added == HALTED ? &E_PAUSED : it.refusal);
    security_event_log(&c->agent->uuid, EVENT_ADDRESS_ADDED, wa.address);
    return it.answer;
}

/* ---- the list ---- */

static struct reply *list_addresses(struct api_call *c, const void *arg)
{
    struct withdrawal_address *list;
    int n = withdrawal_addresses_list(c->ctx->db, c->arena, c->agent->id, &list);
    struct json_writer *w;

    (void)arg;
    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "withdrawal_addresses");
    for (int i = 0; i < n; i++)
        address_write(w, NULL, &list[i]);
    jw_end(w);
    return reply_close(w);
}

/* ---- removing one ---- */

struct removing {
    struct api_call *call;
    const struct withdrawal_address *address;
};

static enum tx_verdict removing_tx(struct db *db, void *arg)
{
    const struct removing *it = arg;
    struct api_call *c = it->call;
    struct withdrawal_address now = *it->address;
    enum db_update removed = withdrawal_addresses_remove(db, c->agent->id, now.id);

    if (removed != UPDATED)
        return removed == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    now.removed = true;
    return address_tell(c->ctx, db, c->arena, EVENT_ADDRESS_REMOVED, &now) &&
                   address_audit(db, c, "withdrawal_address.remove", &now)
               ? TX_COMMIT
               : TX_FAILED;
}

/* The signers remove it first: from then on nothing is paid there, even if the row stays. */
static struct reply *remove_address(struct api_call *c, const void *arg)
{
    struct withdrawal_address wa;
    uint64_t id;
    bool sound = c->captured != NULL && params_whole(&id, c->captured);
    enum lookup found = sound ? withdrawal_addresses_get(c->ctx->db, c->agent->id, id, &wa) : LOOKUP_NONE;
    struct removing it = { c, &wa };
    const struct err *e;
    enum db_update removed;

    (void)arg;
    if (found == LOOKUP_ERROR)
        return NULL;
    if (found == LOOKUP_NONE || wa.removed)
        return reply_err(c->rq, &E_WITHDRAWAL_ADDRESS_NOT_FOUND);
    if ((e = address_revoke(c->ctx, &wa)) != NULL)
        return reply_err(c->rq, e);
    removed = db_outcome(db_transact(c->ctx->db, removing_tx, &it));
    if (removed == DB_ERROR)
        return NULL;
    if (removed != UPDATED)
        return reply_err(c->rq, &E_WITHDRAWAL_ADDRESS_NOT_FOUND);
    security_event_log(&c->agent->uuid, EVENT_ADDRESS_REMOVED, wa.address);
    return reply_empty(c->rq, 204);
}

/* ---- as a sentence ---- */

static const char *address_phrase(struct arena *a, const json_t *item)
{
    const char *label = phrase_text(item, "label"), *status = phrase_text(item, "status");
    bool waits = strcmp(status, "waiting") == 0;

    return arena_printf(a, "%s%s%s (%s%s%s)", label, *label == '\0' ? "" : " ", phrase_text(item, "address"),
                        status, waits ? " until " : "", waits ? phrase_text(item, "active_at") : "");
}

static const char *added_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *added = json_object_get(body, "withdrawal_address");

    (void)asked;
    return added == NULL ? "A withdrawal address would be added"
                         : arena_printf(a, "Added the withdrawal address %s", address_phrase(a, added));
}

static const char *addresses_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "withdrawal_addresses");

    (void)asked;
    if (json_array_size(list) == 0)
        return "There is no withdrawal address yet";
    return arena_printf(a, "Withdrawal addresses: %s",
                        phrase_list(a, list, address_phrase, PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

#define ADDRESS_ROW                                                                                          \
    .auth = AUTH_ACTIVE, .denied = &E_DENIED, .internal = &E_INTERNAL, .tag = TAG_WALLETS,                   \
    .skill = SKILL_WITHDRAWALS

static const struct endpoint rows[] = {
    {
        ADDRESS_ROW,
        .method = POST,
        .path = V1 "/withdrawal-addresses",
        TAKES(address_params, struct address_in),
        .handler = add_address,
        .flags = ONCE | CORE,
        .tool = "add_withdrawal_address",
        .sentence = added_sentence,
        .summary = "Add a withdrawal address",
        .about =
            "A new one waits, a day unless the operator says otherwise, so that a stolen API key takes nothing out unnoticed (webhook `withdrawal_address.added`); only while the agent has never had a wallet is it active at once: add your cold wallet first. Next: POST /wallets/withdraw after `active_at`.",
        .status = 201,
        .answer = &address_added_schema,
        .errors = ERRORS{ ADDRESS_ERRORS, NULL },
        .hints = HINT_ADDITIVE,
    },
    {
        ADDRESS_ROW,
        .method = GET,
        .path = V1 "/withdrawal-addresses",
        .handler = list_addresses,
        .flags = LISTS | CORE,
        .tool = "list_withdrawal_addresses",
        .sentence = addresses_sentence,
        .summary = "List withdrawal addresses",
        .about = "The addresses to which the agent's wallets may be withdrawn, newest first.",
        .status = 200,
        .answer = &addresses_schema,
    },
    {
        ADDRESS_ROW,
        .method = DELETE,
        .path = V1 "/withdrawal-addresses/{id}",
        .handler = remove_address,
        .flags = WAITS,
        .tool = "remove_withdrawal_address",
        .summary = "Remove a withdrawal address",
        .about =
            "At once and for good, even while the operator has stopped the agent. Added again, it waits again.",
        .path_param = &address_id,
        .status = 204,
        .errors = ERRORS{ &E_WITHDRAWAL_ADDRESS_NOT_FOUND, &E_REMOVAL_FAILED, NULL },
    },
};

static const struct endpoint_event events[] = {
    { EVENT_ADDRESS_ADDED, "onWithdrawalAddressAdded", &address_event_schema },
    { EVENT_ADDRESS_REMOVED, "onWithdrawalAddressRemoved", &address_removed_schema },
    { .type = NULL },
};

const struct endpoint_group withdrawal_addresses_endpoints = { ENDPOINT_ROWS(rows), .events = events };
