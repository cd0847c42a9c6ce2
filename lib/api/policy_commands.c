#include "api/policy_commands.h"

#include <string.h>

#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "base/json_reader.h"
#include "model/agent.h"
#include "model/amount.h"
#include "store/approvals.h"

enum { LIMIT_PLACES = 18 };

/* ---- policies ---- */

struct reply *command_policies(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*}", "wallet_address", x->in->wallet_address));
}

/* Of a floor the higher one is stricter, of all else the lower one. */
static bool is_as_strict(struct arena *a, const struct command *c, const char *has)
{
    bool floor = strcmp(c->policy_member, "minHealthFactor") == 0;
    struct amount old, new;

    if (amount_parse_down(a, &old, has, LIMIT_PLACES) != AMOUNT_FINE ||
        amount_parse(&new, c->policy_value, LIMIT_PLACES) != AMOUNT_FINE)
        return false;
    return floor ? u256_cmp(old.raw, new.raw) >= 0 : u256_cmp(old.raw, new.raw) <= 0;
}

/* Whether the policy, whose numbers are texts, forbids already what the new one would. */
static bool covers(const struct sentence *x, const json_t *policy)
{
    const struct command *c = x->c;
    const json_t *params = json_object_get(policy, "params");
    const char *window = phrase_text(params, "timeWindowSeconds"),
               *has = phrase_text(params, c->policy_member);
    const char *wanted = arena_printf(x->call->arena, "%llu", (unsigned long long)c->window_s);
    bool all_wallets = json_is_null(json_object_get(policy, "wallet_address"));

    return strcmp(phrase_text(policy, "type"), c->policy) == 0 && *has != '\0' &&
           is_as_strict(x->call->arena, c, has) && strcmp(*window == '\0' ? "0" : window, wanted) == 0 &&
           *phrase_text(params, "venue") == '\0' && json_object_get(policy, "pending") == NULL &&
           (all_wallets || x->in->wallet_address != NULL);
}

/* A policy that is no stricter would look as if it had replaced one. NULL, or the answer that says so. */
static struct reply *stricter_check(const struct sentence *x)
{
    struct reply *got = sentence_step(x, "list_wallet_policies",
                                      json_pack("{s:s*}", "wallet_address", x->in->wallet_address));
    struct arena *a = x->call->arena;
    const char *text, *has = NULL;
    json_t *body, *policy;
    size_t i;

    if (!reply_succeeds(got))
        return got;
    text = reply_text(got);
    body = json_read_texts(text, strlen(text));
    json_array_foreach(json_object_get(body, "policies"), i, policy)
    {
        if (has == NULL && covers(x, policy))
            has = arena_strdup(a, phrase_text(json_object_get(policy, "params"), x->c->policy_member));
    }
    json_decref(body);
    return has == NULL
               ? NULL
               : reply_err(x->call->rq,
                           err_hint(a, &E_COMMAND,
                                    arena_printf(a,
                                                 "A %s with %s %s is in force already; a sentence adds "
                                                 "what is stricter, and loosens nothing",
                                                 x->c->policy, x->c->policy_member, has)));
}

struct reply *command_policy_add(const struct sentence *x)
{
    struct reply *lost = stricter_check(x);

    if (lost != NULL)
        return reply_error(lost) != NULL && err_is(reply_error(lost), &E_COMMAND) ? lost
                                                                                  : sentence_finish(x, lost);
    if (x->in->dry_run)
        return sentence_simulate(x);
    return sentence_act(x, json_pack("{s:s, s:o, s:s*}", "type", x->c->policy, "params",
                                     sentence_policy(x->c), "wallet_address", x->in->wallet_address));
}

/* ---- approvals ---- */

struct reply *command_approvals(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*}", "status", x->c->status));
}

struct reply *command_approval(const struct sentence *x)
{
    return sentence_act_on(x, x->c->approval_id);
}

struct reply *command_approval_resume(const struct sentence *x)
{
    struct approval ap;
    struct uuid id;
    enum lookup found = approval_id_parse(&id, x->c->approval_id)
                            ? approvals_get(x->call->ctx->db, x->call->arena, x->call->agent->id, &id, &ap)
                            : LOOKUP_NONE;
    const struct endpoint *ep = found == LOOKUP_FOUND ? endpoints_find_kind(ap.kind) : NULL;

    if (found == LOOKUP_ERROR)
        return sentence_refuse(x, &E_INTERNAL);
    if (found == LOOKUP_NONE)
        return sentence_refuse(x, &E_APPROVAL_NOT_FOUND);
    if (ep == NULL)
        return sentence_refuse(x, &E_NOT_CONFIGURED);
    if (x->in->dry_run)
        return sentence_act_on(x, x->c->approval_id);
    return sentence_work(x, ep->tool, json_pack("{s:s}", "approval_id", x->c->approval_id));
}
