/* agentctl: the operator's command for agents. Agents are named by the id that they see themselves. Changes
 * act on the next request, on every worker and every host. */
#include <ctype.h>
#include <curl/curl.h>
#include <jansson.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "chain/evm/node.h"
#include "codec/hex.h"
#include "keys/keyfile.h"
#include "keys/operator_mac.h"
#include "keys/secret.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "net/call.h"
#include "policy/approval.h"
#include "policy/rule.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/agents.h"
#include "store/approvals.h"
#include "store/audit.h"
#include "store/executions.h"
#include "store/policies.h"
#include "store/trading_halts.h"
#include "store/wallets.h"
#include "swap/portfolio.h"
#include "swap/token.h"
#include "transfer/transfer.h"

enum { EXIT_USAGE = 2, PAGE = 500, CONNECTIONS = 16 };

struct env {
    const struct conf *conf;
    struct db *db;
    struct arena *arena;
};

static int usage(void)
{
    fputs(
        "usage: agentctl [-c FILE] COMMAND\n"
        "  list [TIER]        agents: id, tier, status, requests, completed swaps, registration, name\n"
        "  show AGENT         one agent\n"
        "  key TIER           registers an agent of the tier and prints its API key, which is shown only once\n"
        "  tier AGENT TIER    changes its tier: standard, premium, unlimited or one of the settings' tiers\n"
        "  deactivate AGENT   its key stops working, but for the agent's deletion\n"
        "  reactivate AGENT   its key works again, whoever deactivated it\n"
        "  ban AGENT          its key opens nothing any more, and nothing is signed for it\n"
        "  unban AGENT        ends that; what was stopped or deactivated besides stays so\n"
        "  rotate AGENT       gives it another API key, which is printed and shown only once; the former one\n"
        "                     is dead as soon as this returns\n"
        "  stop AGENT|all     nothing is signed for it any more: executing swaps and creating wallets are\n"
        "                     refused as soon as this returns, and so is whatever a stolen key could do harm\n"
        "                     with: deleting or deactivating the agent, another key, callback, webhook secret\n"
        "                     or policy. It still reads; swaps under way are still followed\n"
        "  resume AGENT|all   ends that; an agent stopped by itself stays so when all are resumed\n"
        "  policies AGENT     what limits its wallets, with the ids\n"
        "  policy AGENT JSON  sets a policy that the agent cannot delete, such as\n"
        "                     '{\"type\":\"spending_limit\",\"params\":{\"maxAmountUsd\":\"1000\"}}'\n"
        "  unpolicy AGENT ID  ends a policy at once\n"
        "  approvals          requests for approval that wait, oldest first\n"
        "  approve ID         grants one: the agent may execute this swap, once, on these terms\n"
        "  deny ID            refuses one, or takes back a grant that is not used yet\n"
        "  sweep AGENT ADDRESS  empties its wallets, on all chains, to an address that nothing else can be sent\n"
        "                     to. Stop or ban the agent first. Each transfer is followed as a swap of the agent's; what\n"
        "                     is left (dust for fees, what was under way) is taken when it is done again\n"
        "  audit-verify       reads the audit log of every host from its first line; prints the hash of each last\n"
        "                     line, to be noted elsewhere\n"
        "AGENT is the agent's id. What changes something is written into the audit log first. Exit status: 0 done, 1 failed or no such agent, 2 wrong usage.\n",
        stderr);
    return EXIT_USAGE;
}

static int database_failed(void)
{
    fputs("agentctl: the database failed\n", stderr);
    return EXIT_FAILURE;
}

static bool tier_known(const struct env *env, const char *tier)
{
    unsigned per_minute;

    if (strlen(tier) <= TIER_MAX && conf_tier(env->conf, tier, &per_minute))
        return true;
    fprintf(
        stderr,
        "agentctl: no such tier: %s (built in are standard, premium, unlimited; others are settings such as tier.gold = 2000)\n",
        tier);
    return false;
}

/* EXIT_SUCCESS with the agent, or what to end with. */
static int find(const struct env *env, const char *text, struct agent *out)
{
    struct uuid uuid;
    int found = uuid_parse(&uuid, text) ? agents_by_uuid(env->db, env->arena, &uuid, out) : 0;

    if (found < 0)
        return database_failed();
    if (found == 1)
        return EXIT_SUCCESS;
    fprintf(stderr, "agentctl: no such agent: %s\n", text);
    return EXIT_FAILURE;
}

/* ---- showing ---- */

/* How many bytes at s are a character that is not seen but changes what is: controls, marks that turn the
 * direction of writing around, separators of lines. */
static size_t steering(const char *s)
{
    static const char *const others[] = { "\xd8\x9c", "\xef\xbb\xbf", NULL };
    const uint8_t *u = (const uint8_t *)s;

    if (iscntrl(u[0]))
        return 1;
    if (u[0] == 0xc2 && u[1] >= 0x80 && u[1] < 0xa0) /* U+0080 to U+009F */
        return 2;
    if (u[0] == 0xe2 &&
        ((u[1] == 0x80 && ((u[2] >= 0x8b && u[2] <= 0x8f) || (u[2] >= 0xa8 && u[2] <= 0xae))) ||
         (u[1] == 0x81 && u[2] >= 0xa0 && u[2] <= 0xaf))) /* U+200B-F, 2028-E, 2060-F */
        return 3;
    for (size_t i = 0; others[i] != NULL; i++)
        if (strncmp(s, others[i], strlen(others[i])) == 0)
            return strlen(others[i]);
    return 0;
}

/* Names are the agents' own: nothing in them may steer a terminal or look like another line. */
static void print_name(const char *s)
{
    while (*s != '\0') {
        size_t n = steering(s);

        putchar(n > 0 ? '?' : *s);
        s += n > 0 ? n : 1;
    }
    putchar('\n');
}

static const char *status_text(const struct agent *a)
{
    return a->banned ? "banned" : a->status == AGENT_ACTIVE ? "active" : "deactivated";
}

static void print_line(const struct agent *a)
{
    char id[UUID_TEXT_LEN + 1], created[ISO8601_LEN + 1];

    uuid_text(id, a->uuid);
    clock_iso8601(created, a->created_ms);
    printf("%s  %-10s  %-11s  %10llu  %8llu  %s  ", id, a->tier, status_text(a),
           (unsigned long long)a->total_requests, (unsigned long long)a->swaps_completed, created);
    print_name(a->name);
}

static int do_list(const struct env *env, char **args)
{
    struct agent *page = calloc(PAGE, sizeof *page);
    uint64_t last = 0;
    int n;

    if (page == NULL)
        log_fatal("msg=\"out of memory\"");
    printf("%-36s  %-10s  %-11s  %10s  %8s  %-24s  %s\n", "id", "tier", "status", "requests", "swaps",
           "created", "name");
    while ((n = agents_page(env->db, env->arena, args[0], last, page, PAGE)) > 0) {
        for (int i = 0; i < n; i++)
            print_line(&page[i]);
        last = page[n - 1].id;
        arena_reset(env->arena);
    }
    free(page);
    return n < 0 ? database_failed() : EXIT_SUCCESS;
}

/* Who can undo it makes a difference. */
static const char *full_status(const struct agent *a)
{
    return !a->banned && a->status == AGENT_SHUT ? "deactivated by the operator" : status_text(a);
}

static int do_show(const struct env *env, char **args)
{
    char id[UUID_TEXT_LEN + 1], created[ISO8601_LEN + 1], active[ISO8601_LEN + 1];
    struct agent a;
    unsigned long long under_way;
    unsigned per_minute = 0;
    bool known;
    int status = find(env, args[0], &a), stopped;

    if (status != EXIT_SUCCESS)
        return status;
    stopped = trading_halts_check(env->db, a.id);
    if (stopped < 0)
        return database_failed();
    under_way = a.swaps_pending + a.swaps_submitted;
    known = conf_tier(env->conf, a.tier, &per_minute);
    uuid_text(id, a.uuid);
    clock_iso8601(created, a.created_ms);
    clock_iso8601(active, a.last_active_ms);
    printf("id           %s\ntier         %s", id, a.tier);
    if (per_minute > 0)
        printf(" (%u a minute)", per_minute);
    printf("%s\nstatus       %s\ntrading      %s\n",
           known ? "" : " (not in the settings: counts as standard)", full_status(&a),
           stopped ? "stopped" : "allowed");
    printf("requests     %llu\nswaps        %llu completed, %llu failed, %llu under way\n",
           (unsigned long long)a.total_requests, (unsigned long long)a.swaps_completed,
           (unsigned long long)a.swaps_failed, under_way);
    printf("created      %s\nlast active  %s\nname         ", created, active);
    print_name(a.name);
    return EXIT_SUCCESS;
}

/* ---- changing ---- */

static int do_key(const struct env *env, char **args)
{
    struct api_key key;
    struct agent_new agent = { .uuid = uuid_random(), .name = "operator", .tier = args[0] };
    int64_t created_ms;

    if (!tier_known(env, args[0]))
        return EXIT_FAILURE;
    api_key_new(&key);
    memcpy(agent.key_hash, key.hash, sizeof agent.key_hash);
    if (!agents_add(env->db, &agent, &created_ms))
        return database_failed();
    puts(key.text);
    return EXIT_SUCCESS;
}

static int do_tier(const struct env *env, char **args)
{
    struct agent a;
    int status = tier_known(env, args[1]) ? find(env, args[0], &a) : EXIT_FAILURE;

    if (status != EXIT_SUCCESS)
        return status;
    return agents_set_tier(env->db, a.id, args[1]) ? EXIT_SUCCESS : database_failed();
}

static int set_status(const struct env *env, const char *agent, enum agent_status to)
{
    struct agent a;
    int status = find(env, agent, &a);

    if (status != EXIT_SUCCESS)
        return status;
    return agents_set_status(env->db, a.id, to) ? EXIT_SUCCESS : database_failed();
}

static int do_deactivate(const struct env *env, char **args)
{
    return set_status(env, args[0], AGENT_SHUT);
}

static int do_reactivate(const struct env *env, char **args)
{
    return set_status(env, args[0], AGENT_ACTIVE);
}

static int do_rotate(const struct env *env, char **args)
{
    struct api_key key;
    struct agent a;
    int status = find(env, args[0], &a);

    if (status != EXIT_SUCCESS)
        return status;
    api_key_new(&key);
    if (!agents_set_key(env->db, a.id, key.hash))
        return database_failed();
    puts(key.text);
    return EXIT_SUCCESS;
}

static int set_ban(const struct env *env, const char *agent, bool ban)
{
    struct agent a;
    int status = find(env, agent, &a);

    if (status != EXIT_SUCCESS)
        return status;
    return trading_halts_set(env->db, a.id, HALT_ACCESS, ban) ? EXIT_SUCCESS : database_failed();
}

static int do_ban(const struct env *env, char **args)
{
    return set_ban(env, args[0], true);
}

static int do_unban(const struct env *env, char **args)
{
    return set_ban(env, args[0], false);
}

static int set_stop(const struct env *env, const char *agent, bool stop)
{
    struct agent a = { .id = HALT_ALL };
    int status = strcmp(agent, "all") == 0 ? EXIT_SUCCESS : find(env, agent, &a);

    if (status != EXIT_SUCCESS)
        return status;
    return trading_halts_set(env->db, a.id, HALT_TRADING, stop) ? EXIT_SUCCESS : database_failed();
}

static int do_stop(const struct env *env, char **args)
{
    return set_stop(env, args[0], true);
}

static int do_resume(const struct env *env, char **args)
{
    return set_stop(env, args[0], false);
}

/* ---- policies ---- */

static int do_policies(const struct env *env, char **args)
{
    struct policy *list;
    struct agent a;
    int status = find(env, args[0], &a), n;

    if (status != EXIT_SUCCESS)
        return status;
    n = policies_list(env->db, env->arena, a.id, 0, &list);
    for (int i = 0; i < n; i++) {
        char id[UUID_TEXT_LEN + 1], ends[ISO8601_LEN + 1] = "-";

        uuid_text(id, list[i].id);
        if (list[i].ends_ms != 0)
            clock_iso8601(ends, list[i].ends_ms);
        printf("%s  %-15s  %-8s  ends %-24s  %s  ", id, policy_type_text(list[i].type),
               list[i].by_operator ? "operator" : "agent", ends,
               list[i].wallet_address[0] != '\0' ? list[i].wallet_address : "every wallet");
        print_name(list[i].params);
    }
    return n < 0 ? database_failed() : EXIT_SUCCESS;
}

/* The policy that a body as of POST /wallet/policy describes; what is wrong goes to the terminal. */
static bool read_policy(const struct env *env, const char *text, struct policy *out)
{
    json_t *body = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *params = json_object_get(body, "params");
    const char *type = json_string_value(json_object_get(body, "type")), *name;
    struct param_faults faults = { NULL, NULL };
    struct policy_rule rule;
    json_t *what;
    bool ok = type != NULL && json_is_object(params) && policy_type_parse(&out->type, type);

    if (!ok)
        fputs("agentctl: not {\"type\":…,\"params\":{…}}, or no such type\n", stderr);
    ok = ok && policy_read(&rule, out->type, params, env->arena, &faults);
    json_object_foreach(faults.fields, name, what)
    {
        fprintf(stderr, "agentctl: %s %s\n", name, json_string_value(what));
    }
    if (ok)
        out->params = policy_params_text(env->arena, params);
    params_faults_free(&faults);
    json_decref(body);
    return ok;
}

static enum tx_verdict add_policy_tx(struct db *db, void *arg)
{
    return policies_add(db, arg) == 1 ? TX_COMMIT : TX_FAILED;
}

static int do_policy(const struct env *env, char **args)
{
    struct policy p = { .id = uuid_random(), .by_operator = true };
    struct agent a;
    char id[UUID_TEXT_LEN + 1];
    int status = read_policy(env, args[1], &p) ? find(env, args[0], &a) : EXIT_FAILURE;

    if (status != EXIT_SUCCESS)
        return status;
    p.agent_id = a.id;
    if (db_transact(env->db, add_policy_tx, &p) != TX_DONE)
        return database_failed();
    uuid_text(id, p.id);
    puts(id);
    return EXIT_SUCCESS;
}

static int do_unpolicy(const struct env *env, char **args)
{
    struct agent a;
    struct uuid id;
    int status = find(env, args[0], &a), ended;

    if (status != EXIT_SUCCESS)
        return status;
    ended = uuid_parse(&id, args[1]) ? policies_end(env->db, a.id, &id, 0) : 0;
    if (ended == 0)
        fprintf(stderr, "agentctl: no such policy: %s\n", args[1]);
    return ended < 0 ? database_failed() : ended == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- approvals ---- */

/* Symbols are the contracts' own choice: what is behind them is said in full. */
static void print_token(const struct token_ref *t)
{
    const struct token_label label = token_label(t);
    const struct chain *c = chain_by_id(t->chain_id);

    printf("%s: %s %s, %s  ", label.symbol, c != NULL ? c->key : "unknown chain", t->address,
           label.listed ? "listed" : "NOT LISTED");
}

static void print_terms(const struct env *env, const struct approval *ap, const struct execution *s)
{
    char id[APPROVAL_ID_TEXT_LEN + 1], agent[UUID_TEXT_LEN + 1], expires[ISO8601_LEN + 1];
    struct wallet w;

    if (wallets_get(env->db, s->wallet_id, &w) != 1)
        return;
    approval_id_text(id, &ap->id);
    uuid_text(agent, w.ref.agent);
    clock_iso8601(expires, ap->expires_ms);
    printf("%s  agent %s  wallet %s  swap %llu  until %s  %s %s for at least %s %s  ", id, agent,
           w.ref.address, (unsigned long long)s->id, expires,
           amount_text(env->arena, (struct amount){ s->amount_in, s->from.decimals }),
           token_label(&s->from).symbol,
           amount_text(env->arena, (struct amount){ s->min_out, s->to.decimals }),
           token_label(&s->to).symbol);
    print_token(&s->from);
    print_token(&s->to);
    print_name(ap->why);
}

static int do_approvals(const struct env *env, char **args)
{
    struct approval *list;
    int n = approvals_waiting(env->db, env->arena, &list);

    (void)args;
    for (int i = 0; i < n; i++) {
        struct execution s;

        if (executions_get(env->db, env->arena, 0, list[i].execution_id, &s) == 1)
            print_terms(env, &list[i], &s);
    }
    return n < 0 ? database_failed() : EXIT_SUCCESS;
}

static int find_approval(const struct env *env, const char *text, struct approval *out)
{
    struct uuid id;
    int found = approval_id_parse(&id, text) ? approvals_get(env->db, env->arena, 0, &id, out) : 0;

    if (found == 0)
        fprintf(stderr, "agentctl: no such request: %s\n", text);
    return found < 0 ? database_failed() : found == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int decided(int done)
{
    if (done == 0)
        fputs("agentctl: it is decided, used or over already\n", stderr);
    return done < 0 ? database_failed() : done == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int do_approve(const struct env *env, char **args)
{
    struct approval ap;
    int status = find_approval(env, args[0], &ap);

    return status == EXIT_SUCCESS ? decided(approval_grant(env->db, env->arena, &ap)) : status;
}

static int do_deny(const struct env *env, char **args)
{
    struct approval ap;
    int status = find_approval(env, args[0], &ap);

    return status == EXIT_SUCCESS ? decided(approval_deny(env->db, env->arena, &ap)) : status;
}

/* ---- sweeping ---- */

static void make_operator_mac(uint8_t out[static HASH_LEN], void *key, const struct wallet_ref *w,
                              const uint8_t *tx, size_t len)
{
    operator_mac_make(out, key, w, tx, len);
}

/* True unless it failed: that nothing is left is fine. */
static bool sweep_one(const struct sweep *s, const struct holding *h)
{
    struct execution swap;
    const struct err *e = sweep_token(s, h->chain, h->token, h->balance.raw, &swap);

    if (e == &E_BALANCE || (e == &E_GAS && token_is_native(h->token)))
        return true;
    printf("%s  %-9s  ", s->wallet->ref.address, h->chain->key);
    if (e == NULL)
        printf("swap %llu  %s %s\n", (unsigned long long)swap.id,
               amount_text(s->arena, (struct amount){ swap.amount_in, swap.from.decimals }),
               swap.from.symbol);
    else
        printf("%s not swept: %s\n", h->token->symbol, e->text);
    return e == NULL;
}

/* Tokens first: their fees come out of the coin. */
static bool sweep_wallet(const struct sweep *s)
{
    struct portfolio held;
    bool ok = true;

    portfolio_read(s->ctx, s->arena, s->wallet, 1, NULL, &held);
    for (int native = 0; native < 2; native++)
        for (size_t i = 0; i < held.count; i++)
            if (token_is_native(held.held[i].token) == (native == 1))
                ok = sweep_one(s, &held.held[i]) && ok;
    for (size_t i = 0; i < held.unread_count; i++) {
        printf("%s  %-9s  not everything could be read\n", s->wallet->ref.address, held.unread[i]->key);
        ok = false;
    }
    return ok;
}

static bool sweep_all(const struct env *env, const struct ctx *ctx, struct secret *key, uint64_t agent_id,
                      struct evm_addr to)
{
    const struct operator_mac operator_mac = { make_operator_mac, key };
    struct wallet *list;
    int n = wallets_list(env->db, env->arena, agent_id, &list);
    bool ok = n >= 0;

    for (int i = 0; i < n; i++) {
        const struct sweep s = { ctx, env->arena, &list[i], to, &operator_mac };

        if (list[i].ref.kind == WALLET_EVM)
            ok = sweep_wallet(&s) && ok;
        else
            printf("%s  is left alone: only EVM wallets are swept\n", list[i].ref.address);
    }
    return ok;
}

static int run_sweep(const struct env *env, struct secret *key, uint64_t agent_id, struct evm_addr to)
{
    struct ctx ctx = { .conf = env->conf, .db = env->db };
    struct nodes *nodes = nodes_new(env->conf);
    bool ok;

    (void)curl_global_init(CURL_GLOBAL_ALL);
    ctx.nodes = nodes;
    ctx.net = net_new("agent-gateway/1", CONNECTIONS);
    ctx.signer = signer_new(env->conf->signer_socket);
    ok = sweep_all(env, &ctx, key, agent_id, to);
    signer_free(ctx.signer);
    net_free(ctx.net);
    nodes_free(nodes);
    curl_global_cleanup();
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int do_sweep(const struct env *env, char **args)
{
    char why[512] = "libsodium does not start";
    struct evm_addr to;
    struct agent a;
    struct secret *key;
    int status = find(env, args[0], &a);

    if (status != EXIT_SUCCESS)
        return status;
    if (!evm_addr_parse(&to, args[1]) || evm_addr_is_zero(to)) {
        fprintf(stderr, "agentctl: not an address: %s\n", args[1]);
        return EXIT_FAILURE;
    }
    if (trading_halts_check(env->db, a.id) != 1) {
        fputs("agentctl: stop the agent first, so that nothing is traded meanwhile\n", stderr);
        return EXIT_FAILURE;
    }
    key = secrets_init() ? keyfile_secret(arena_printf(env->arena, "%s/" OPERATOR_KEY, env->conf->key_dir),
                                          why, sizeof why)
                         : NULL;
    if (key == NULL) {
        fprintf(stderr, "agentctl: the operator's key (keyctl create): %s\n", why);
        return EXIT_FAILURE;
    }
    status = run_sweep(env, key, a.id, to);
    secret_free(key);
    return status;
}

/* ---- audit ---- */

/* Ids of agents as digests, and what is too long for a line. */
static const char *as_audited(const struct env *env, const char *arg)
{
    enum { LONG = 1024 };
    uint8_t digest[HASH_LEN];
    char text[AUDIT_DIGEST_LEN + 1];
    struct uuid id;

    if (uuid_parse(&id, arg)) {
        audit_digest(text, &id);
        return arena_strdup(env->arena, text);
    }
    if (strlen(arg) <= LONG)
        return arg;
    sha256(digest, arg, strlen(arg));
    hex_encode(text, digest, sizeof digest);
    return arena_strdup(env->arena, text);
}

/* What was asked for is on record before it is done, so that nothing can be done off the record. */
static enum tx_verdict audit_tx(struct db *db, void *arg)
{
    return audit_write(db, arg) ? TX_COMMIT : TX_FAILED;
}

static bool audited(const struct env *env, char **args)
{
    struct audit_act act = { .by = "operator", .act = args[0] };
    json_t *list = json_array();
    char *text;
    bool ok;

    for (args++; *args != NULL; args++)
        json_array_append_new(list, json_string(as_audited(env, *args)));
    text = json_dumps(list, JSON_COMPACT);
    act.detail = text;
    ok = text != NULL && db_transact(env->db, audit_tx, &act) == TX_DONE;
    free(text);
    json_decref(list);
    return ok;
}

static int do_audit_verify(const struct env *env, char **args)
{
    struct audit_chain *list;
    int n = audit_verify(env->db, env->arena, &list), status = EXIT_SUCCESS;

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
    return n < 0 ? database_failed() : status;
}

static const struct command {
    const char *name;
    int least, most; /* arguments */
    bool changes;    /* written into the audit log */
    int (*run)(const struct env *env, char **args);
} commands[] = {
    { "list", 0, 1, false, do_list },
    { "show", 1, 1, false, do_show },
    { "key", 1, 1, true, do_key },
    { "tier", 2, 2, true, do_tier },
    { "deactivate", 1, 1, true, do_deactivate },
    { "reactivate", 1, 1, true, do_reactivate },
    { "activate", 1, 1, true, do_reactivate }, /* its older name */
    { "ban", 1, 1, true, do_ban },
    { "unban", 1, 1, true, do_unban },
    { "rotate", 1, 1, true, do_rotate },
    { "stop", 1, 1, true, do_stop },
    { "resume", 1, 1, true, do_resume },
    { "policies", 1, 1, false, do_policies },
    { "policy", 2, 2, true, do_policy },
    { "unpolicy", 2, 2, true, do_unpolicy },
    { "approvals", 0, 0, false, do_approvals },
    { "approve", 1, 1, true, do_approve },
    { "deny", 1, 1, true, do_deny },
    { "sweep", 2, 2, true, do_sweep },
    { "audit-verify", 0, 0, false, do_audit_verify },
};

static const struct command *command_of(int n, char **args)
{
    for (size_t i = 0; n > 0 && i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, args[0]) == 0)
            return n - 1 >= commands[i].least && n - 1 <= commands[i].most ? &commands[i] : NULL;
    return NULL;
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    const struct command *command;
    struct conf *conf;
    struct env env;
    int c, status;

    log_init("agentctl");
    process_close();
    while ((c = getopt(argc, argv, "c:")) != -1) {
        if (c != 'c')
            return usage();
        path = optarg;
    }
    command = command_of(argc - optind, argv + optind);
    if (command == NULL)
        return usage();
    conf = conf_load(conf_path(path));
    env = (struct env){ conf, db_from_conf(conf), arena_new() };
    /* argv ends with NULL: so does what may be left out */
    status = command->changes && !audited(&env, argv + optind) ? database_failed()
                                                               : command->run(&env, argv + optind + 1);
    arena_free(env.arena);
    db_free(env.db);
    conf_free(conf);
    return status;
}
