/* agentctl: the operator's command for agents. Agents are named by the id that they see themselves. Changes
 * act on the next request, on every worker and every host. Here are the commands and what they print;
 * lib/operator does the work. */
#include <curl/curl.h>
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
#include "operator/agents.h"
#include "operator/approvals.h"
#include "operator/audit.h"
#include "operator/halts.h"
#include "operator/policies.h"
#include "operator/prices.h"
#include "operator/reconcile.h"
#include "operator/settlers.h"
#include "operator/sweep.h"
#include "policy/rule.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/agents.h"
#include "store/audit.h"
#include "swap/token.h"

enum { EXIT_USAGE = 2, PAGE = 500, CONNECTIONS = 16 };

struct env {
    struct ctx ctx; /* conf and db, until an order adds the rest */
    struct nodes *nodes;
    struct arena *arena;
};

static const char usage[] =
    "usage: agentctl [-c FILE] COMMAND\n"
    "       agentctl --help | --version\n"
    "  list [TIER]        agents: id, tier, status, requests, completed swaps, registration, name\n"
    "  show AGENT         one agent\n"
    "  key TIER           registers an agent of the tier and prints its API key, which is shown only once\n"
    "  tier AGENT TIER    changes its tier: standard, premium, unlimited or one of the settings' tiers\n"
    "  deactivate AGENT   its key stops working, except for deleting the agent\n"
    "  reactivate AGENT   its key works again, whoever deactivated it\n"
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
    "  reconcile          once an older dump of the database is in place, for which trading is stopped: compares\n"
    "                     every wallet with every chain, ends quotes and requests for approval that are open, and\n"
    "                     lets trading go on\n"
    "  settlers           asks 0x's registry on every chain which contracts do its work, and writes the list\n"
    "                     by which the signer of this host knows them. They change every few weeks\n"
    "  prices             asks the service's own sources what tokens are worth, and writes the list by which\n"
    "                     the signer of this host holds trades to signer_floor\n"
    "  audit-verify       reads the audit log of every host from its first line; prints the hash of each last\n"
    "                     line, to be noted elsewhere\n"
    "AGENT is the agent's id. Every change is written into the audit log before it is made. Exit status: 0 done, 1 failed or no such agent, 2 wrong usage.\n";

static int agentctl_usage(void)
{
    fputs(usage, stderr);
    return EXIT_USAGE;
}

/* The exit status of an order. */
static int done(const char *problem)
{
    if (problem == NULL)
        return EXIT_SUCCESS;
    fprintf(stderr, "agentctl: %s\n", problem);
    return EXIT_FAILURE;
}

/* ---- agents ---- */

/* Names are the agents' own: nothing in them may steer a terminal or look like another line. */
static const char *shown(const struct env *env, const char *text)
{
    return safe_text_terminal(env->arena, text);
}

static void print_agent(const struct env *env, const struct agent *a)
{
    char id[UUID_TEXT_LEN + 1], created[ISO8601_LEN + 1];

    uuid_text(id, a->uuid);
    clock_iso8601(created, a->created_ms);
    printf("%s  %-10s  %-11s  %10llu  %8llu  %s  %s\n", id, a->tier, operator_status_text(a),
           (unsigned long long)a->total_requests, (unsigned long long)a->swaps_completed, created,
           shown(env, a->name));
}

static int cmd_list(struct env *env, char **args)
{
    struct agent *page = calloc(PAGE, sizeof *page);
    uint64_t last = 0;
    int n;

    if (page == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    printf("%-36s  %-10s  %-11s  %10s  %8s  %-24s  %s\n", "id", "tier", "status", "requests", "swaps",
           "created", "name");
    while ((n = agents_page(env->ctx.db, env->arena, args[0], last, page, PAGE)) > 0) {
        for (int i = 0; i < n; i++)
            print_agent(env, &page[i]);
        last = page[n - 1].id;
        arena_reset(env->arena);
    }
    free(page);
    return done(n < 0 ? OPERATOR_DATABASE_FAILED : NULL);
}

static int cmd_show(struct env *env, char **args)
{
    char id[UUID_TEXT_LEN + 1], created[ISO8601_LEN + 1], active[ISO8601_LEN + 1];
    struct agent_report r;
    const struct agent *a = &r.agent;
    const char *problem = operator_report_agent(&env->ctx, env->arena, args[0], &r);
    unsigned long long under_way;

    if (problem != NULL)
        return done(problem);
    under_way = a->swaps_pending + a->swaps_submitted;
    uuid_text(id, a->uuid);
    clock_iso8601(created, a->created_ms);
    clock_iso8601(active, a->last_active_ms);
    printf("id           %s\ntier         %s", id, a->tier);
    if (r.per_minute > 0)
        printf(" (%u a minute)", r.per_minute);
    /* Who can undo a deactivation makes a difference. */
    printf("%s\nstatus       %s%s\ntrading      %s\n",
           r.tier_known ? "" : " (not in the settings: counts as standard)", operator_status_text(a),
           !a->banned && a->status == AGENT_SHUT ? " by the operator" : "", r.halted ? "stopped" : "allowed");
    printf("requests     %llu\nswaps        %llu completed, %llu failed, %llu under way\n",
           (unsigned long long)a->total_requests, (unsigned long long)a->swaps_completed,
           (unsigned long long)a->swaps_failed, under_way);
    printf("created      %s\nlast active  %s\nname         %s\n", created, active, shown(env, a->name));
    return EXIT_SUCCESS;
}

/* What an order made, on a line of its own, or why it was refused. */
static int made(const char *problem, const char *text)
{
    if (problem == NULL)
        puts(text);
    return done(problem);
}

static int cmd_key(struct env *env, char **args)
{
    struct api_key key;

    return made(operator_register_agent(&env->ctx, env->arena, args[0], &key), key.text);
}

static int cmd_rotate(struct env *env, char **args)
{
    struct api_key key;

    return made(operator_rotate_key(&env->ctx, env->arena, args[0], &key), key.text);
}

static int cmd_tier(struct env *env, char **args)
{
    return done(operator_set_tier(&env->ctx, env->arena, args[0], args[1]));
}

static int cmd_deactivate(struct env *env, char **args)
{
    return done(operator_set_status(&env->ctx, env->arena, args[0], AGENT_SHUT));
}

static int cmd_reactivate(struct env *env, char **args)
{
    return done(operator_set_status(&env->ctx, env->arena, args[0], AGENT_ACTIVE));
}

static int cmd_ban(struct env *env, char **args)
{
    return done(operator_set_ban(&env->ctx, env->arena, args[0], true));
}

static int cmd_unban(struct env *env, char **args)
{
    return done(operator_set_ban(&env->ctx, env->arena, args[0], false));
}

static int cmd_stop(struct env *env, char **args)
{
    return done(operator_set_stop(&env->ctx, env->arena, args[0], true));
}

static int cmd_resume(struct env *env, char **args)
{
    return done(operator_set_stop(&env->ctx, env->arena, args[0], false));
}

/* ---- policies ---- */

static void print_policy(const struct env *env, const struct policy *p)
{
    char id[UUID_TEXT_LEN + 1], ends[ISO8601_LEN + 1] = "-";

    uuid_text(id, p->id);
    if (p->ends_ms != 0)
        clock_iso8601(ends, p->ends_ms);
    printf("%s  %-15s  %-8s  ends %-24s  %s  %s\n", id, policy_type_text(p->type),
           p->by_operator ? "operator" : "agent", ends,
           p->wallet_address[0] != '\0' ? p->wallet_address : "every wallet", shown(env, p->params));
}

static int cmd_policies(struct env *env, char **args)
{
    const struct policy *list;
    size_t n = 0;
    const char *problem = operator_list_policies(&env->ctx, env->arena, args[0], &list, &n);

    for (size_t i = 0; i < n; i++)
        print_policy(env, &list[i]);
    return done(problem);
}

static int cmd_policy(struct env *env, char **args)
{
    struct uuid id;
    char text[UUID_TEXT_LEN + 1] = "";
    const char *problem = operator_add_policy(&env->ctx, env->arena, args[0], args[1], &id);

    if (problem == NULL)
        uuid_text(text, id);
    return made(problem, text);
}

static int cmd_unpolicy(struct env *env, char **args)
{
    return done(operator_end_policy(&env->ctx, env->arena, args[0], args[1]));
}

/* ---- approvals ---- */

static void print_terms(const struct env *env, const struct approval_terms *terms)
{
    char id[APPROVAL_ID_TEXT_LEN + 1], agent[UUID_TEXT_LEN + 1], expires[ISO8601_LEN + 1];

    approval_id_text(id, &terms->approval.id);
    uuid_text(agent, terms->wallet.ref.agent);
    clock_iso8601(expires, terms->approval.expires_ms);
    printf("%s  agent %s  wallet %s  %s %llu  until %s  %s  ", id, agent, terms->wallet.ref.address,
           terms->name, (unsigned long long)terms->approval.execution_id, expires, shown(env, terms->text));
    puts(shown(env, terms->approval.why));
}

static int cmd_approvals(struct env *env, char **args)
{
    const struct approval_terms *list;
    size_t n = 0;
    const char *problem = operator_list_approvals(&env->ctx, env->arena, &list, &n);

    (void)args;
    for (size_t i = 0; i < n; i++)
        print_terms(env, &list[i]);
    return done(problem);
}

static int cmd_approve(struct env *env, char **args)
{
    return done(operator_decide_approval(&env->ctx, env->arena, args[0], true));
}

static int cmd_deny(struct env *env, char **args)
{
    return done(operator_decide_approval(&env->ctx, env->arena, args[0], false));
}

/* ---- nodes, for the orders that ask some ---- */

static void nodes_begin(struct env *env)
{
    (void)curl_global_init(CURL_GLOBAL_ALL);
    env->nodes = nodes_new(env->ctx.conf);
    conf_insist(env->ctx.conf);
    env->ctx.nodes = env->nodes;
    env->ctx.net = net_new("agent-gateway/1", CONNECTIONS);
}

static void nodes_end(struct env *env)
{
    net_free(env->ctx.net);
    nodes_free(env->nodes);
    curl_global_cleanup();
}

/* ---- sweeping ---- */

static void print_swept(void *arg, const struct sweep_result *r)
{
    const struct env *env = arg;
    const char *address = r->wallet->ref.address;
    const struct execution *s = r->execution;

    switch (r->outcome) {
    case SWEEP_SENT:
        printf("%s  %-9s  transfer %llu  %s %s\n", address, r->chain->key, (unsigned long long)s->id,
               amount_text(env->arena, (struct amount){ s->amount_in, s->from.decimals }), s->from.symbol);
        break;
    case SWEEP_REFUSED:
        printf("%s  %-9s  %s not swept: %s\n", address, r->chain->key, r->token->symbol, r->refusal->text);
        break;
    case SWEEP_UNREAD:
        printf("%s  %-9s  not everything could be read\n", address, r->chain->key);
        break;
    case SWEEP_DEPOSITED:
        printf(
            "%s  %-9s  %s not swept: its deposit wallet has it, and POST /predict/withdraw brings it back\n",
            address, r->chain->key, r->token->symbol);
        break;
    case SWEEP_NOT_SWEPT:
        printf("%s  is left alone: the target is no address of its chains\n", address);
        break;
    }
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

    nodes_begin(env);
    env->ctx.signer = signer_new(env->ctx.conf->signer_socket);
    ok = operator_sweep(&env->ctx, env->arena, order, &mac, print_swept, env);
    signer_free(env->ctx.signer);
    nodes_end(env);
    return ok;
}

static int cmd_sweep(struct env *env, char **args)
{
    char path[PATH_MAX], why[512] = "libsodium does not start";
    struct sweep_order order;
    struct secret *key = NULL;
    const char *problem = operator_sweep_order(&env->ctx, env->arena, args[0], args[1], &order);
    bool ok;

    if (problem != NULL)
        return done(problem);
    (void)snprintf(path, sizeof path, "%s/" OPERATOR_KEY, env->ctx.conf->key_dir);
    if (secrets_init())
        key = keyfile_secret(path, why, sizeof why);
    if (key == NULL)
        return done(arena_printf(env->arena, "the operator's key (keyctl create): %s", why));
    ok = sweep_with(env, &order, key);
    secret_free(key);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- an older database ---- */

static void print_unknown(void *arg, const struct reconcile_report *r)
{
    (void)arg;
    printf("%s  %-9s  %llu transactions that the database does not know\n", r->wallet->ref.address,
           r->chain->key, (unsigned long long)r->unknown);
}

static int cmd_reconcile(struct env *env, char **args)
{
    struct reconcile_result result;
    const char *problem;

    (void)args;
    nodes_begin(env);
    problem = operator_reconcile(&env->ctx, env->arena, print_unknown, NULL, &result);
    nodes_end(env);
    if (problem == NULL)
        printf("%llu wallets are compared with the chains. %s\n", (unsigned long long)result.wallets,
               result.still_stopped ? "Trading stays stopped until agentctl resume all."
                                    : "Trading goes on.");
    return done(problem);
}

/* ---- what the signer has to know ---- */

static void print_settlers(void *arg, const struct settlers_report *r)
{
    bool *complete = arg;

    *complete = *complete && r->problem == NULL;
    if (r->problem != NULL)
        printf("%-9s  none: %s\n", r->chain->key, r->problem);
    else
        printf("%-9s  %s %s\n", r->chain->key, r->first, r->second);
}

static int cmd_settlers(struct env *env, char **args)
{
    bool complete = true;
    const char *problem;

    (void)args;
    nodes_begin(env);
    problem = operator_settlers(&env->ctx, env->arena, print_settlers, &complete);
    nodes_end(env);
    return problem == NULL && !complete ? EXIT_FAILURE : done(problem);
}

static void print_prices(void *arg, const struct prices_report *r)
{
    bool *complete = arg;

    *complete = *complete && r->count > 0;
    printf("%-9s  %zu tokens%s%s\n", r->chain->key, r->count, *r->absent == '\0' ? "" : ", but not",
           r->absent);
}

static int cmd_prices(struct env *env, char **args)
{
    bool complete = true;
    const char *problem;

    (void)args;
    nodes_begin(env);
    problem = operator_prices(&env->ctx, env->arena, print_prices, &complete);
    nodes_end(env);
    return problem == NULL && !complete ? EXIT_FAILURE : done(problem);
}

/* ---- audit ---- */

static int cmd_audit_verify(struct env *env, char **args)
{
    struct audit_chain *list;
    int n = audit_verify(env->ctx.db, env->arena, &list), status = EXIT_SUCCESS;

    (void)args;
    for (int i = 0; i < n; i++) {
        char head[AUDIT_DIGEST_LEN + 1];

        hex_encode(head, list[i].head, HASH_LEN);
        if (list[i].broken == 0) {
            printf("%s  %llu lines, sound, the last one is %s\n", list[i].host,
                   (unsigned long long)list[i].lines, head);
            continue;
        }
        printf("%s  BROKEN at line %llu\n", list[i].host, (unsigned long long)list[i].broken);
        status = EXIT_FAILURE;
    }
    return n < 0 ? done(OPERATOR_DATABASE_FAILED) : status;
}

/* ---- the command ---- */

static const struct agentctl_command {
    const char *name;
    int least, most; /* arguments */
    bool changes;    /* written into the audit log */
    int (*run)(struct env *env, char **args);
} commands[] = {
    { "list", 0, 1, false, cmd_list },
    { "show", 1, 1, false, cmd_show },
    { "key", 1, 1, true, cmd_key },
    { "tier", 2, 2, true, cmd_tier },
    { "deactivate", 1, 1, true, cmd_deactivate },
    { "reactivate", 1, 1, true, cmd_reactivate },
    { "activate", 1, 1, true, cmd_reactivate }, /* its older name */
    { "ban", 1, 1, true, cmd_ban },
    { "unban", 1, 1, true, cmd_unban },
    { "rotate", 1, 1, true, cmd_rotate },
    { "stop", 1, 1, true, cmd_stop },
    { "resume", 1, 1, true, cmd_resume },
    { "policies", 1, 1, false, cmd_policies },
    { "policy", 2, 2, true, cmd_policy },
    { "unpolicy", 2, 2, true, cmd_unpolicy },
    { "approvals", 0, 0, false, cmd_approvals },
    { "approve", 1, 1, true, cmd_approve },
    { "deny", 1, 1, true, cmd_deny },
    { "sweep", 2, 2, true, cmd_sweep },
    { "reconcile", 0, 0, true, cmd_reconcile },
    { "settlers", 0, 0, true, cmd_settlers },
    { "prices", 0, 0, true, cmd_prices },
    { "audit-verify", 0, 0, false, cmd_audit_verify },
};

static const struct agentctl_command *command_of(int n, char **args)
{
    for (size_t i = 0; n > 0 && i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, args[0]) == 0)
            return n - 1 >= commands[i].least && n - 1 <= commands[i].most ? &commands[i] : NULL;
    return NULL;
}

/* `args` ends with NULL, and so does what may be left out. */
static int command_run(struct env *env, const struct agentctl_command *c, char **args)
{
    const char *problem = c->changes ? operator_audit(&env->ctx, env->arena, c->name, args) : NULL;

    return problem != NULL ? done(problem) : c->run(env, args);
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    const struct agentctl_command *command;
    struct conf *conf;
    struct env env;
    int c, status;

    log_init("agentctl");
    process_close();
    program_greet(argc, argv, "agentctl", usage);
    while ((c = getopt(argc, argv, "c:")) != -1) {
        if (c != 'c')
            return agentctl_usage();
        path = optarg;
    }
    command = command_of(argc - optind, argv + optind);
    if (command == NULL)
        return agentctl_usage();
    conf = conf_load(conf_path(path));
    env = (struct env){ .ctx = { .conf = conf, .db = db_from_conf(conf) }, .arena = arena_new() };
    conf_insist(conf);
    status = command_run(&env, command, argv + optind + 1);
    arena_free(env.arena);
    db_free(env.ctx.db);
    conf_free(conf);
    return status;
}
