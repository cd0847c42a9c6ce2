/* agentctl: the operator's command for agents. Agents are named by the id that they see themselves. Changes
 * act on the next request, on every worker and every host. Here are the commands and what they print;
 * lib/operator does the work. */
#include "jobs/agentctl.h"

#include <curl/curl.h>
#include <getopt.h>
#include <limits.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "base/program.h"
#include "base/safe_text.h"
#include "chain/rpc/node.h"
#include "codec/hex.h"
#include "keys/keyfile.h"
#include "keys/operator_mac.h"
#include "keys/secret.h"
#include "net/call.h"
#include "operator/admin_agents.h"
#include "operator/admin_approvals.h"
#include "operator/admin_audit.h"
#include "operator/admin_events.h"
#include "operator/admin_executions.h"
#include "operator/admin_policies.h"
#include "operator/admin_prices.h"
#include "operator/admin_reconcile.h"
#include "operator/admin_settlers.h"
#include "operator/admin_sweep.h"
#include "operator/admin_tokens.h"
#include "operator/admin_withdrawal_addresses.h"
#include "operator/decimals.h"
#include "operator/halts.h"
#include "policy/rule.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/agents.h"
#include "store/audit.h"
#include "store/trading_halts.h"
#include "swap/token.h"

enum { EXIT_USAGE = 2, PAGE = 500, CONNECTIONS = 64, ARGS_MAX = 2, OPTION = 256 /* behind all letters */ };

static const char usage[] =
    "usage: agentctl [-c FILE] [--json] [--reason TEXT] COMMAND\n"
    "       agentctl --help | --version\n"
    "  status             how the service stands, on one screen: programs, jobs, chains with their nodes, queues,\n"
    "                     approvals, stops, and what this host's logs tell of that is not over\n"
    "  check              the same in a line for monitors like Nagios, with figures: exit status 0 good, 1 degraded,\n"
    "                     2 something is missing without which nothing works\n"
    "  find TEXT          an object by its id or name: an agent, a wallet, a transaction, a swap, an event, a\n"
    "                     request: what it made, and the lines that this host's logs have of it\n"
    "  swaps [AGENT] [--stuck|--failed]\n"
    "                     the latest executions; --stuck: those that have not moved for ten minutes\n"
    "  swap ID            one: what happened to it, its transactions, what happens next and when\n"
    "  reopen ID          has one followed again that is over: what its chain shows decides anew\n"
    "  events [AGENT] [--waiting|--failed]\n"
    "                     the latest webhooks and how their deliveries stand\n"
    "  redeliver ID       sends a webhook again\n"
    "  top                agents by the work that they have made on this host in this and the last minute\n"
    "  audit [AGENT]      the latest lines of the audit log, of all agents or of one\n"
    "  list [TIER]        agents: id, tier, status, stops, requests, completed swaps, registration, name\n"
    "  show AGENT         one agent\n"
    "  key TIER           registers an agent of the tier and prints its API key, which is shown only once\n"
    "  tier AGENT TIER    changes its tier: standard, premium, unlimited or one of the settings' tiers\n"
    "  deactivate AGENT   its key stops working, except for deleting the agent\n"
    "  reactivate AGENT   its key works again, whether the agent or an operator deactivated it\n"
    "  ban AGENT          its key stops working for everything, and nothing is signed for it\n"
    "  unban AGENT        lifts the ban; a stop or a deactivation remains\n"
    "  rotate AGENT       replaces its API key and prints the new one, which is shown only once; the old\n"
    "                     one no longer works when this returns\n"
    "  stop AGENT|all     stops signing for it: when this returns, executing swaps and creating wallets are\n"
    "                     refused, and so is everything that a stolen key could do harm with: deleting or\n"
    "                     deactivating the agent, changing its key, callback, webhook secret or policies.\n"
    "                     It can still read; swaps under way are still followed\n"
    "  resume AGENT|all   lifts the stop; an agent stopped by itself stays so when all are resumed\n"
    "  policies AGENT     what limits its wallets, with the ids\n"
    "  policy AGENT JSON  sets a policy that the agent cannot delete, such as\n"
    "                     '{\"type\":\"spending_limit\",\"params\":{\"maxAmountUsd\":\"1000\"}}'\n"
    "  unpolicy AGENT ID  ends a policy at once\n"
    "  approvals          requests that wait for approval, oldest first\n"
    "  approve ID         grants one: the agent may execute this swap, once, on these terms\n"
    "  deny ID            denies one, or takes back a grant that is not used yet\n"
    "  sweep AGENT ADDRESS  empties its wallets on all chains to that address: nothing else can send there.\n"
    "                     Stop or ban the agent first. Each transfer is followed as a swap of the agent's is; what\n"
    "                     is left (dust for fees, what was under way) is taken by sweeping again\n"
    "  withdrawal-address AGENT [ADDRESS --now]\n"
    "                     the addresses to which it may withdraw; --now: this one at once, whether or not it was\n"
    "                     added: the signer takes the operator's word in place of the waiting time\n"
    "  reconcile          once an older dump of the database is in place, for which trading is stopped: compares\n"
    "                     every wallet with every chain, ends quotes and requests for approval that are open, and\n"
    "                     lets trading go on\n"
    "  drift [NAME] [--record DIR]\n"
    "                     asks each provider, venue and node of the settings a known question, with the keys named\n"
    "                     there and from this host, reads and judges the answer as for a trade, signs nothing, and\n"
    "                     says which of them work; NAME: one of them, or a chain, for its nodes. --record: writes\n"
    "                     their answers into that folder, without keys, tokens and signatures\n"
    "  settlers [--needed]\n"
    "                     asks 0x's registry on every chain which contracts do its work, and writes the list\n"
    "                     by which the signer of this host knows them. They change every few weeks. --needed: only\n"
    "                     if 0x has a key\n"
    "  prices [--needed]  asks the service's own sources what tokens are worth, and writes the list by which\n"
    "                     the signer of this host holds trades to signer_floor. --needed: only if that is set\n"
    "  token NAME [--read-only|--revoke]\n"
    "                     makes a token for the operator's page and API, and prints it, which is shown only once; it opens\n"
    "                     them under this name, and with --read-only changes nothing. --revoke: ends it at once\n"
    "  tokens             the names, and since when each is in force\n"
    "  decimals CHAIN TOKEN [--forget]\n"
    "                     what a token that no list has, named by its address, first said of its decimals, which is\n"
    "                     held against it from then on. --forget: what its nodes say at the next quote counts in its\n"
    "                     place, for where the first word was a lie; look at the contract first\n"
    "  audit-verify       reads the audit log of every host from its first line; prints the hash of each last\n"
    "                     line, to be noted elsewhere\n"
    "AGENT is the agent's id. --json prints one object instead of lines. Every change is written into the audit log before it is made, with the reason. Exit status: 0 done, 1 failed or no such agent, 2 wrong usage.\n";

static int agentctl_usage(void)
{
    fputs(usage, stderr);
    return EXIT_USAGE;
}

int agentctl_end(struct env *env, const char *problem)
{
    env->problem = problem;
    return problem == NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- agents ---- */

static const struct output_column agent_columns[] = {
    { "id", 36 },      { "tier", 10 },      { "status", 11 },
    { "trading", 7 },  { "requests", -10 }, { "swaps", -8 },
    { "created", 24 }, { "name", 0 },       { 0 },
};

static void print_agent(struct env *env, const struct agent *a, bool halted)
{
    struct output *o = &env->out;
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, a->uuid);
    output_row(o, agent_columns);
    output_text(o, NULL, id);
    output_text(o, NULL, a->tier);
    output_text(o, NULL, operator_status_text(a));
    output_text(o, NULL, halted ? "stopped" : "allowed");
    output_number(o, NULL, (int64_t)a->total_requests);
    output_number(o, NULL, (int64_t)a->swaps_completed);
    output_time(o, NULL, a->created_ms);
    output_text(o, NULL, a->name);
    output_row_end(o);
}

static int cmd_list(struct env *env, char **args)
{
    struct agent *page = calloc(PAGE, sizeof *page);
    struct arena *of_page = arena_new();
    struct trading_halt *halts;
    int halted = trading_halts_list(env->ctx.db, env->arena, &halts), n = halted;
    uint64_t last = 0;

    if (page == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    output_table(&env->out, "agents", agent_columns, true);
    while (n >= 0 && (n = agents_page(env->ctx.db, of_page, args[0], last, page, PAGE)) > 0) {
        for (int i = 0; i < n; i++)
            print_agent(env, &page[i], trading_halts_name(halts, halted, page[i].id));
        last = page[n - 1].id;
        arena_reset(of_page);
    }
    output_table_end(&env->out);
    arena_free(of_page);
    free(page);
    return agentctl_end(env, n < 0 ? OPERATOR_DATABASE_FAILED : NULL);
}

static const char *tier_shown(struct env *env, const struct agent_report *r)
{
    const char *limit = r->per_minute > 0 ? arena_printf(env->arena, " (%u a minute)", r->per_minute) : "";

    return env->out.json ? r->agent.tier
                         : arena_printf(env->arena, "%s%s%s", r->agent.tier, limit,
                                        r->tier_known ? "" : " (not in the settings: counts as standard)");
}

static void print_swap_totals(struct env *env, const struct agent *a)
{
    int64_t under_way = (int64_t)(a->swaps_pending + a->swaps_submitted);
    struct output *o = &env->out;

    if (!o->json) {
        output_text(o, "swaps",
                    arena_printf(env->arena, "%lld completed, %lld failed, %lld under way",
                                 (long long)a->swaps_completed, (long long)a->swaps_failed,
                                 (long long)under_way));
        return;
    }
    output_number(o, "swaps_completed", (int64_t)a->swaps_completed);
    output_number(o, "swaps_failed", (int64_t)a->swaps_failed);
    output_number(o, "swaps_under_way", under_way);
}

static int cmd_show(struct env *env, char **args)
{
    char id[UUID_TEXT_LEN + 1];
    struct output *o = &env->out;
    struct agent_report r;
    const struct agent *a = &r.agent;
    const char *problem = operator_report_agent(&env->ctx, env->arena, args[0], &r);

    if (problem != NULL)
        return agentctl_end(env, problem);
    uuid_text(id, a->uuid);
    output_text(o, "id", id);
    output_text(o, "tier", tier_shown(env, &r));
    /* The status shows whether the agent itself can undo its deactivation. */
    output_text(o, "status",
                !a->banned && a->status == AGENT_SHUT ? "deactivated by the operator"
                                                      : operator_status_text(a));
    output_text(o, "trading", r.halted ? "stopped" : "allowed");
    output_number(o, "requests", (int64_t)a->total_requests);
    print_swap_totals(env, a);
    output_time(o, "created", a->created_ms);
    output_time(o, "last_active", a->last_active_ms);
    output_text(o, "name", a->name);
    return EXIT_SUCCESS;
}

/* Prints the result of an order on a line of its own, or why it was refused. */
static int made(struct env *env, const char *problem, const char *name, const char *text)
{
    if (problem == NULL && env->out.json)
        output_text(&env->out, name, text);
    else if (problem == NULL)
        puts(text);
    return agentctl_end(env, problem);
}

/* Prints the change that an order made to `whom`, or why it was refused. */
static int changed(struct env *env, const char *problem, const char *whom, const char *what)
{
    if (problem == NULL)
        output_done(&env->out, "%s: %s", whom, what);
    return agentctl_end(env, problem);
}

static int cmd_key(struct env *env, char **args)
{
    struct api_key key;
    const char *problem = operator_register_agent(&env->ctx, env->arena, args[0], &key);

    return made(env, problem, "api_key", problem == NULL ? key.text : NULL);
}

static int cmd_rotate(struct env *env, char **args)
{
    struct api_key key;
    const char *problem = operator_rotate_key(&env->ctx, env->arena, args[0], &key);

    return made(env, problem, "api_key", problem == NULL ? key.text : NULL);
}

static int cmd_tier(struct env *env, char **args)
{
    return changed(env, operator_set_tier(&env->ctx, env->arena, args[0], args[1]), args[0],
                   arena_printf(env->arena, "tier %s", args[1]));
}

static int cmd_deactivate(struct env *env, char **args)
{
    return changed(env, operator_set_status(&env->ctx, env->arena, args[0], AGENT_SHUT), args[0],
                   "deactivated");
}

static int cmd_reactivate(struct env *env, char **args)
{
    return changed(env, operator_set_status(&env->ctx, env->arena, args[0], AGENT_ACTIVE), args[0], "active");
}

static int cmd_ban(struct env *env, char **args)
{
    return changed(env, operator_set_ban(&env->ctx, env->arena, args[0], true), args[0], "banned");
}

static int cmd_unban(struct env *env, char **args)
{
    return changed(env, operator_set_ban(&env->ctx, env->arena, args[0], false), args[0], "not banned");
}

static int cmd_stop(struct env *env, char **args)
{
    return changed(env, operator_set_stop(&env->ctx, env->arena, args[0], true), args[0],
                   strcmp(args[0], "all") == 0
                       ? "stopped, nothing is signed any more but cancellations"
                       : "stopped, nothing is signed any more but what ends positions and brings money home");
}

static int cmd_resume(struct env *env, char **args)
{
    return changed(env, operator_set_stop(&env->ctx, env->arena, args[0], false), args[0], "resumed");
}

/* ---- policies ---- */

static const struct output_column policy_columns[] = {
    { "id", 36 }, { "type", 15 }, { "set_by", 8 }, { "ends", 24 }, { "wallet", 12 }, { "params", 0 }, { 0 },
};

static void print_policy(struct env *env, const struct policy *p)
{
    struct output *o = &env->out;
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, p->id);
    output_row(o, policy_columns);
    output_text(o, NULL, id);
    output_text(o, NULL, policy_type_text(p->type));
    output_text(o, NULL, p->by_operator ? "operator" : "agent");
    output_time(o, NULL, p->ends_ms);
    output_text(o, NULL, p->wallet_address[0] != '\0' ? p->wallet_address : "every wallet");
    output_text(o, NULL, p->params);
    output_row_end(o);
}

static int cmd_policies(struct env *env, char **args)
{
    const struct policy *list;
    size_t n = 0;
    const char *problem = operator_list_policies(&env->ctx, env->arena, args[0], &list, &n);

    output_table(&env->out, "policies", policy_columns, false);
    for (size_t i = 0; i < n; i++)
        print_policy(env, &list[i]);
    output_table_end(&env->out);
    return agentctl_end(env, problem);
}

static int cmd_policy(struct env *env, char **args)
{
    struct uuid id;
    char text[UUID_TEXT_LEN + 1] = "";
    const char *problem = operator_add_policy(&env->ctx, env->arena, args[0], args[1], &id);

    if (problem == NULL)
        uuid_text(text, id);
    return made(env, problem, "policy", text);
}

static int cmd_unpolicy(struct env *env, char **args)
{
    return changed(env, operator_end_policy(&env->ctx, env->arena, args[0], args[1]), args[1], "ended");
}

/* ---- approvals ---- */

static const struct output_column terms_columns[] = {
    { "id", 35 },      { "agent", 36 }, { "wallet", 42 }, { "kind", 8 }, { "execution", 8 },
    { "expires", 24 }, { "terms", 20 }, { "why", 0 },     { 0 },
};

static void print_terms(struct env *env, const struct approval_terms *terms)
{
    char id[APPROVAL_ID_TEXT_LEN + 1], agent[UUID_TEXT_LEN + 1];
    struct output *o = &env->out;

    approval_id_text(id, &terms->approval.id);
    uuid_text(agent, terms->wallet.ref.agent);
    output_row(o, terms_columns);
    output_text(o, NULL, id);
    output_text(o, NULL, agent);
    output_text(o, NULL, terms->wallet.ref.address);
    output_text(o, NULL, terms->name);
    output_number(o, NULL, (int64_t)terms->approval.execution_id);
    output_time(o, NULL, terms->approval.expires_ms);
    output_text(o, NULL, terms->text);
    output_text(o, NULL, terms->approval.why);
    output_row_end(o);
}

static int cmd_approvals(struct env *env, char **args)
{
    const struct approval_terms *list;
    size_t n = 0;
    const char *problem = operator_list_approvals(&env->ctx, env->arena, &list, &n);

    (void)args;
    output_table(&env->out, "approvals", terms_columns, false);
    for (size_t i = 0; i < n; i++)
        print_terms(env, &list[i]);
    output_table_end(&env->out);
    return agentctl_end(env, problem);
}

static int cmd_approve(struct env *env, char **args)
{
    return changed(env, operator_decide_approval(&env->ctx, env->arena, args[0], true), args[0], "granted");
}

static int cmd_deny(struct env *env, char **args)
{
    return changed(env, operator_decide_approval(&env->ctx, env->arena, args[0], false), args[0], "denied");
}

const char *const agentctl_needs[] = {
    "db_servers", "db_user", "db_password_file", "db_name", "db_tls", "db_tls_ca", "signer_socket", NULL,
};

/* Commands that stop harm work with settings that are wrong elsewhere. */
static void settings_insist(const struct env *env)
{
    if (env->urgent)
        conf_insist_on(env->ctx.conf, agentctl_needs);
    else
        conf_insist(env->ctx.conf);
}

/* ---- nodes, for the orders that ask some ---- */

void agentctl_connect(struct env *env)
{
    (void)curl_global_init(CURL_GLOBAL_ALL);
    env->nodes = nodes_new(env->ctx.conf);
    if (!env->urgent)
        conf_insist(env->ctx.conf);
    env->ctx.nodes = env->nodes;
    env->ctx.net = net_new("agent-gateway/1", CONNECTIONS);
    env->ctx.signer = signer_new(env->ctx.conf->signer_socket);
}

void agentctl_disconnect(struct env *env)
{
    signer_free(env->ctx.signer);
    net_free(env->ctx.net);
    nodes_free(env->nodes);
    curl_global_cleanup();
}

/* ---- sweeping ---- */

static const struct output_column swept_columns[] = {
    { "wallet", 42 }, { "chain", 9 }, { "transfer", 13 }, { "what", 0 }, { 0 },
};

static const char *swept_text(struct env *env, const struct sweep_result *r)
{
    const struct execution *s = r->execution;

    switch (r->outcome) {
    case SWEEP_SENT:
        return arena_printf(env->arena, "%s %s",
                            amount_text(env->arena, (struct amount){ s->amount_in, s->from.decimals }),
                            s->from.symbol);
    case SWEEP_REFUSED:
        return arena_printf(env->arena, "%s not swept: %s", r->token->symbol, r->refusal->text);
    case SWEEP_UNREAD:
        return "not everything could be read";
    case SWEEP_DEPOSITED:
        return arena_printf(
            env->arena, "%s not swept: its deposit wallet has it, and POST /predict/withdraw brings it back",
            r->token->symbol);
    case SWEEP_NOT_SWEPT:
        return "is left alone: the target is no address of its chains";
    }
    return NULL;
}

static void print_swept(void *arg, const struct sweep_result *r)
{
    struct env *env = arg;
    struct output *o = &env->out;

    output_row(o, swept_columns);
    output_text(o, NULL, r->wallet->ref.address);
    output_text(o, NULL, r->chain != NULL ? r->chain->key : NULL);
    if (r->outcome != SWEEP_SENT)
        output_text(o, NULL, NULL);
    else if (o->json)
        output_number(o, NULL, (int64_t)r->execution->id);
    else
        output_text(o, NULL, arena_printf(env->arena, "transfer %llu", (unsigned long long)r->execution->id));
    output_text(o, NULL, swept_text(env, r));
    output_row_end(o);
}

static void make_operator_mac(uint8_t out[static HASH_LEN], void *key, const struct wallet_ref *w,
                              const uint8_t *tx, size_t len)
{
    operator_mac_make(out, key, w, tx, len);
}

static bool sweep_with(struct env *env, const struct sweep_order *order, struct secret *key)
{
    const struct operator_mac mac = { make_operator_mac, key };
    bool ok;

    agentctl_connect(env);
    ok = operator_sweep(&env->ctx, env->arena, order, &mac, print_swept, env);
    agentctl_disconnect(env);
    return ok;
}

/* NULL with *problem: there is none. */
static struct secret *operator_key(struct env *env, const char **problem)
{
    char path[PATH_MAX], why[512] = "libsodium does not start";
    struct secret *key = NULL;

    (void)snprintf(path, sizeof path, "%s/" OPERATOR_KEY, env->ctx.conf->key_dir);
    if (secrets_init())
        key = keyfile_secret(path, why, sizeof why);
    if (key == NULL)
        *problem = arena_printf(env->arena, "the operator's key (keyctl create): %s", why);
    return key;
}

static int cmd_sweep(struct env *env, char **args)
{
    struct sweep_order order;
    const char *problem = operator_sweep_order(&env->ctx, env->arena, args[0], args[1], &order);
    struct secret *key = problem == NULL ? operator_key(env, &problem) : NULL;
    bool ok;

    if (key == NULL)
        return agentctl_end(env, problem);
    output_table(&env->out, "wallets", swept_columns, false);
    ok = sweep_with(env, &order, key);
    output_table_end(&env->out);
    secret_free(key);
    return agentctl_end(env, ok ? NULL : "not everything was swept");
}

/* ---- withdrawal addresses ---- */

static const struct output_column address_columns[] = {
    { "id", -6 }, { "address", 44 }, { "status", 8 }, { "active_at", 24 }, { "label", 0 }, { 0 },
};

static void print_address(struct env *env, const struct withdrawal_address *wa)
{
    struct output *o = &env->out;

    output_row(o, address_columns);
    output_number(o, NULL, (int64_t)wa->id);
    output_text(o, NULL, wa->address);
    output_text(o, NULL, withdrawal_address_status(wa));
    output_time(o, NULL, wa->active_ms);
    output_text(o, NULL, wa->label[0] == '\0' ? NULL : wa->label);
    output_row_end(o);
}

static int cmd_withdrawal_addresses(struct env *env, char **args)
{
    const struct withdrawal_address *list;
    int n;
    const char *problem = operator_withdrawal_addresses(&env->ctx, env->arena, args[0], &list, &n);

    output_table(&env->out, "withdrawal_addresses", address_columns, false);
    for (int i = 0; i < n; i++)
        print_address(env, &list[i]);
    output_table_end(&env->out);
    return agentctl_end(env, problem);
}

/* An order counts from the second after a removal, by the signer's count. */
enum { ORDERS_MAX = 4, SECOND_US = 1000000 };

static int cmd_withdrawal_address_now(struct env *env, char **args)
{
    struct address_order order;
    uint8_t mac[HASH_LEN];
    const char *problem = operator_address_order(&env->ctx, env->arena, args[0], args[1], &order);
    struct secret *key = problem == NULL ? operator_key(env, &problem) : NULL;

    if (key == NULL)
        return agentctl_end(env, problem);
    agentctl_connect(env);
    for (unsigned i = 0; i < ORDERS_MAX && (i == 0 || problem == operator_order_over); i++) {
        if (i > 0)
            (void)usleep(SECOND_US);
        operator_mac_make_address(mac, key, order.payee.agent, order.payee.type, order.payee.address,
                                  clock_ms() / 1000);
        problem = operator_address_now(&env->ctx, env->arena, &order, mac);
    }
    agentctl_disconnect(env);
    secret_free(key);
    return changed(env, problem, order.payee.address, "may be withdrawn to from now on");
}

/* ---- an older database ---- */

static const struct output_column unknown_columns[] = {
    { "wallet", 42 },
    { "chain", 9 },
    { "unknown", 0 },
    { 0 },
};

static void print_unknown(void *arg, const struct reconcile_report *r)
{
    struct env *env = arg;
    struct output *o = &env->out;

    output_row(o, unknown_columns);
    output_text(o, NULL, r->wallet->ref.address);
    output_text(o, NULL, r->chain->key);
    if (o->json)
        output_number(o, NULL, (int64_t)r->unknown);
    else
        output_text(o, NULL,
                    arena_printf(env->arena, "%llu transactions that the database does not know",
                                 (unsigned long long)r->unknown));
    output_row_end(o);
}

static int cmd_reconcile(struct env *env, char **args)
{
    struct reconcile_result result;
    const char *problem, *also = "";

    (void)args;
    agentctl_connect(env);
    output_table(&env->out, "wallets", unknown_columns, false);
    problem = operator_reconcile(&env->ctx, env->arena, print_unknown, env, &result);
    output_table_end(&env->out);
    agentctl_disconnect(env);
    if (problem == NULL && result.accounts > 0)
        also = arena_printf(env->arena, ", and order-poll looks at %llu accounts at the prediction venue",
                            (unsigned long long)result.accounts);
    if (problem == NULL)
        output_done(&env->out, "%llu wallets are compared with the chains%s. %s",
                    (unsigned long long)result.wallets, also,
                    result.still_stopped ? "Trading stays stopped until agentctl resume all."
                                         : "Trading goes on.");
    return agentctl_end(env, problem);
}

/* ---- facts for the signer ---- */

/* Lines of one chain each, and whether all of them are good ones. */
struct listing {
    struct env *env;
    bool complete;
};

static const struct output_column settlers_columns[] = {
    { "chain", 9 }, { "first", 42 }, { "second", 42 }, { "problem", 0 }, { 0 },
};

static void print_settlers(void *arg, const struct settlers_report *r)
{
    struct listing *l = arg;
    struct output *o = &l->env->out;

    l->complete = l->complete && r->problem == NULL;
    output_row(o, settlers_columns);
    output_text(o, NULL, r->chain->key);
    output_text(o, NULL, r->problem == NULL ? r->first : NULL);
    output_text(o, NULL, r->problem == NULL ? r->second : NULL);
    output_text(o, NULL, r->problem);
    output_row_end(o);
}

static int cmd_settlers(struct env *env, char **args)
{
    struct listing l = { env, true };
    const char *problem;

    (void)args;
    agentctl_connect(env);
    output_table(&env->out, "chains", settlers_columns, false);
    problem = operator_settlers(&env->ctx, env->arena, print_settlers, &l);
    output_table_end(&env->out);
    agentctl_disconnect(env);
    return agentctl_end(env, problem == NULL && !l.complete ? "the registry did not answer for every chain"
                                                            : problem);
}

static const struct output_column prices_columns[] = {
    { "chain", 9 },
    { "tokens", -6 },
    { "absent", 0 },
    { 0 },
};

static void print_prices(void *arg, const struct prices_report *r)
{
    struct listing *l = arg;
    struct output *o = &l->env->out;

    l->complete = l->complete && r->count > 0;
    output_row(o, prices_columns);
    output_text(o, NULL, r->chain->key);
    output_number(o, NULL, (int64_t)r->count);
    output_text(o, NULL, r->absent);
    output_row_end(o);
}

static int cmd_prices(struct env *env, char **args)
{
    struct listing l = { env, true };
    const char *problem;

    (void)args;
    agentctl_connect(env);
    output_table(&env->out, "chains", prices_columns, true);
    problem = operator_prices(&env->ctx, env->arena, print_prices, &l);
    output_table_end(&env->out);
    agentctl_disconnect(env);
    return agentctl_end(env, problem == NULL && !l.complete ? "a chain has no price at all" : problem);
}

/* ---- tokens ---- */

static int token_make(struct env *env, const char *name, bool read_only)
{
    struct api_key token;
    const char *problem = operator_add_token(&env->ctx, env->arena, name, read_only, &token);

    return made(env, problem, "token", problem == NULL ? token.text : NULL);
}

static int cmd_token(struct env *env, char **args)
{
    return token_make(env, args[0], false);
}

static int cmd_token_read_only(struct env *env, char **args)
{
    return token_make(env, args[0], true);
}

static int cmd_token_revoke(struct env *env, char **args)
{
    return changed(env, operator_revoke_token(&env->ctx, env->arena, args[0]), args[0], "revoked");
}

static const struct output_column token_columns[] = {
    { "name", 24 }, { "read_only", 9 }, { "created", 24 }, { "revoked", 0 }, { 0 },
};

static int cmd_tokens(struct env *env, char **args)
{
    const struct operator_token *list;
    struct output *o = &env->out;
    size_t n = 0;
    const char *problem = operator_list_tokens(&env->ctx, env->arena, &list, &n);

    (void)args;
    output_table(o, "tokens", token_columns, true);
    for (size_t i = 0; i < n; i++) {
        output_row(o, token_columns);
        output_text(o, NULL, list[i].name);
        output_flag(o, NULL, list[i].read_only);
        output_time(o, NULL, list[i].created_ms);
        output_time(o, NULL, list[i].revoked_ms);
        output_row_end(o);
    }
    output_table_end(o);
    return agentctl_end(env, problem);
}

/* ---- decimals ---- */

static const struct output_column decimals_columns[] = {
    { "chain", 10 }, { "token", 44 }, { "decimals", -8 }, { "since", 0 }, { 0 },
};

static int cmd_decimals(struct env *env, char **args)
{
    struct output *o = &env->out;
    struct kept_decimals kept;
    const char *problem = operator_decimals(&env->ctx, env->arena, args[0], args[1], &kept);

    output_table(o, "decimals", decimals_columns, false);
    if (problem == NULL) {
        output_row(o, decimals_columns);
        output_text(o, NULL, kept.chain);
        output_text(o, NULL, kept.token);
        output_number(o, NULL, (int64_t)kept.decimals);
        output_time(o, NULL, kept.since_ms);
        output_row_end(o);
    }
    output_table_end(o);
    return agentctl_end(env, problem);
}

static int cmd_decimals_forget(struct env *env, char **args)
{
    return changed(env, operator_forget_decimals(&env->ctx, env->arena, args[0], args[1]), args[1],
                   "its decimals are forgotten");
}

/* ---- audit ---- */

static const struct output_column sound_columns[] = { { "host", 0 }, { "verdict", 0 }, { 0 } };

static int cmd_audit_verify(struct env *env, char **args)
{
    struct output *o = &env->out;
    struct audit_chain *list;
    int n = audit_verify(env->ctx.db, env->arena, &list);
    bool sound = true;

    (void)args;
    output_table(o, "hosts", sound_columns, false);
    for (int i = 0; i < n; i++) {
        char head[AUDIT_DIGEST_LEN + 1];

        hex_encode(head, list[i].head, HASH_LEN);
        output_row(o, sound_columns);
        output_text(o, NULL, list[i].host);
        output_text(o, NULL,
                    list[i].broken != 0
                        ? arena_printf(env->arena, "BROKEN at line %llu", (unsigned long long)list[i].broken)
                        : arena_printf(env->arena, "%llu lines, sound, the last one is %s",
                                       (unsigned long long)list[i].lines, head));
        output_row_end(o);
        sound = sound && list[i].broken == 0;
    }
    output_table_end(o);
    return agentctl_end(env, n < 0 ? OPERATOR_DATABASE_FAILED : sound ? NULL : "a line was changed");
}

static int cmd_redeliver(struct env *env, char **args)
{
    return changed(env, operator_redeliver(&env->ctx, env->arena, args[0]), args[0], "is sent again");
}

static int cmd_reopen(struct env *env, char **args)
{
    return changed(env, operator_reopen(&env->ctx, env->arena, args[0]), args[0], "is followed again");
}

/* ---- the command ---- */

static const struct agentctl_command {
    const char *name;
    int least, most; /* arguments */
    bool changes;    /* written into the audit log */
    int (*run)(struct env *env, char **args);
    unsigned options; /* that it takes, of which one may be given; one that changes something needs it */
    bool urgent;      /* works with settings that are wrong elsewhere */
} commands[] = {
    { "status", 0, 0, false, cmd_status, 0, true },
    { "check", 0, 0, false, cmd_check, 0, true },
    { "find", 1, 1, false, cmd_find, 0, false },
    { "swaps", 0, 1, false, cmd_swaps, OPT_STUCK | OPT_FAILED, false },
    { "swap", 1, 1, false, cmd_swap, 0, false },
    { "reopen", 1, 1, true, cmd_reopen, 0, false },
    { "events", 0, 1, false, cmd_events, OPT_WAITING | OPT_FAILED, false },
    { "redeliver", 1, 1, true, cmd_redeliver, 0, false },
    { "top", 0, 0, false, cmd_top, 0, false },
    { "audit", 0, 1, false, cmd_audit, 0, false },
    { "list", 0, 1, false, cmd_list, 0, false },
    { "show", 1, 1, false, cmd_show, 0, false },
    { "key", 1, 1, true, cmd_key, 0, false },
    { "tier", 2, 2, true, cmd_tier, 0, false },
    { "deactivate", 1, 1, true, cmd_deactivate, 0, false },
    { "reactivate", 1, 1, true, cmd_reactivate, 0, false },
    { "activate", 1, 1, true, cmd_reactivate, 0, false }, /* its older name */
    { "ban", 1, 1, true, cmd_ban, 0, true },
    { "unban", 1, 1, true, cmd_unban, 0, true },
    { "rotate", 1, 1, true, cmd_rotate, 0, false },
    { "stop", 1, 1, true, cmd_stop, 0, true },
    { "resume", 1, 1, true, cmd_resume, 0, true },
    { "policies", 1, 1, false, cmd_policies, 0, false },
    { "policy", 2, 2, true, cmd_policy, 0, false },
    { "unpolicy", 2, 2, true, cmd_unpolicy, 0, false },
    { "approvals", 0, 0, false, cmd_approvals, 0, false },
    { "approve", 1, 1, true, cmd_approve, 0, false },
    { "deny", 1, 1, true, cmd_deny, 0, false },
    { "sweep", 2, 2, true, cmd_sweep, 0, false },
    { "withdrawal-address", 1, 1, false, cmd_withdrawal_addresses, 0, false },
    { "withdrawal-address", 2, 2, true, cmd_withdrawal_address_now, OPT_NOW, false },
    { "reconcile", 0, 0, true, cmd_reconcile, 0, false },
    { "drift", 0, 1, false, cmd_drift, OPT_RECORD, false },
    { "settlers", 0, 0, true, cmd_settlers, 0, false },
    { "settlers", 0, 0, true, cmd_settlers, OPT_NEEDED, false },
    { "prices", 0, 0, true, cmd_prices, 0, false },
    { "prices", 0, 0, true, cmd_prices, OPT_NEEDED, false },
    { "token", 1, 1, true, cmd_token, 0, false },
    { "token", 1, 1, true, cmd_token_read_only, OPT_READ_ONLY, false },
    { "token", 1, 1, true, cmd_token_revoke, OPT_REVOKE, false },
    { "tokens", 0, 0, false, cmd_tokens, 0, false },
    { "decimals", 2, 2, false, cmd_decimals, 0, false },
    { "decimals", 2, 2, true, cmd_decimals_forget, OPT_FORGET, false },
    { "audit-verify", 0, 0, false, cmd_audit_verify, 0, false },
};

/* A call as it was typed. */
struct call_line {
    const char *conf, *reason, *record;
    bool json;
    unsigned options;
    const struct agentctl_command *command;
    char **args; /* ends with NULL, and so does what may be left out */
};

static bool command_takes(const struct agentctl_command *c, int args, unsigned options)
{
    bool needs_one = c->changes && c->options != 0;

    return args >= c->least && args <= c->most && (options & ~c->options) == 0 &&
           (options != 0 || !needs_one);
}

static const struct agentctl_command *command_of(int n, char **args, unsigned options)
{
    for (size_t i = 0; n > 0 && i < sizeof commands / sizeof commands[0]; i++) {
        const struct agentctl_command *c = &commands[i];

        if (strcmp(c->name, args[0]) == 0 && command_takes(c, n - 1, options))
            return c;
    }
    return NULL;
}

static const struct option options[] = {
    { "json", no_argument, NULL, 'j' },
    { "reason", required_argument, NULL, 'r' },
    { "stuck", no_argument, NULL, OPTION + OPT_STUCK },
    { "failed", no_argument, NULL, OPTION + OPT_FAILED },
    { "waiting", no_argument, NULL, OPTION + OPT_WAITING },
    { "now", no_argument, NULL, OPTION + OPT_NOW },
    { "read-only", no_argument, NULL, OPTION + OPT_READ_ONLY },
    { "revoke", no_argument, NULL, OPTION + OPT_REVOKE },
    { "forget", no_argument, NULL, OPTION + OPT_FORGET },
    { "needed", no_argument, NULL, OPTION + OPT_NEEDED },
    { "record", required_argument, NULL, OPTION + OPT_RECORD },
    { 0 },
};

static bool call_line_read(struct call_line *line, int argc, char **argv)
{
    int c;

    *line = (struct call_line){ .json = false };
    while ((c = getopt_long(argc, argv, "c:", options, NULL)) != -1) {
        switch (c) {
        case 'c':
            line->conf = optarg;
            break;
        case 'j':
            line->json = true;
            break;
        case 'r':
            line->reason = optarg;
            break;
        default:
            if (c < OPTION)
                return false;
            line->options |= (unsigned)(c - OPTION);
            line->record = c == OPTION + OPT_RECORD ? optarg : line->record;
        }
    }
    line->command = command_of(argc - optind, argv + optind, line->options);
    line->args = argv + optind + 1;
    /* A reason is for what is written down, and of two picks none is meant. */
    return line->command != NULL && (line->reason == NULL || line->command->changes) &&
           (line->options & (line->options - 1)) == 0;
}

/* The option that makes another order of the same command, as it was typed; NULL: none does. */
static const char *option_typed(struct arena *a, unsigned bit)
{
    for (const struct option *o = options; o->name != NULL; o++)
        if (bit != 0 && o->val == OPTION + (int)bit)
            return arena_printf(a, "--%s", o->name);
    return NULL;
}

static const char *order_audit(struct env *env, const struct call_line *line)
{
    struct operator_order order = { .act = line->command->name, .reason = line->reason };
    const char *args[ARGS_MAX + 2] = { NULL };
    size_t n = 0;

    for (char **arg = line->args; *arg != NULL && n < ARGS_MAX; arg++)
        args[n++] = *arg;
    args[n] = option_typed(env->arena, line->options);
    order.args = args;
    return operator_audit(&env->ctx, env->arena, &order);
}

/* Whether the settings have a use for the list that the command writes. */
static bool is_needed(const struct conf *conf, const struct agentctl_command *c)
{
    const char *url = conf_provider(conf, "0x", "url"), *key = conf_provider(conf, "0x", "key_file");

    if (c->run == cmd_prices)
        return conf->signer_floor > 0;
    return key != NULL && *key != '\0' && (url == NULL || *url != '\0');
}

static int command_run(struct env *env, const struct call_line *line)
{
    const struct agentctl_command *c = line->command;
    const char *problem;

    if ((line->options & OPT_NEEDED) != 0 && !is_needed(env->ctx.conf, c))
        return EXIT_SUCCESS;
    problem = c->changes ? order_audit(env, line) : NULL;

    return problem != NULL ? agentctl_end(env, problem) : c->run(env, line->args);
}

int main(int argc, char **argv)
{
    struct call_line line;
    struct conf *conf;
    struct env env;
    int status;

    log_init("agentctl");
    process_close();
    program_greet(argc, argv, "agentctl", usage);
    if (!call_line_read(&line, argc, argv))
        return agentctl_usage();
    conf = conf_read(conf_path(line.conf));
    env = (struct env){ .ctx = { .conf = conf, .db = db_from_conf(conf) },
                        .arena = arena_new(),
                        .urgent = line.command->urgent,
                        .options = line.options,
                        .record = line.record };
    if (line.command->run != cmd_check) /* which says of settings what it says of all else */
        settings_insist(&env);
    output_open(&env.out, line.json);
    status = command_run(&env, &line);
    output_close(&env.out, env.problem);
    arena_free(env.arena);
    db_free(env.ctx.db);
    conf_free(conf);
    return status;
}
