/* agentctl: the operator's command for agents. Agents are named by the id that they see themselves. Changes
 * act on the next request, on every worker and every host. */
#include <ctype.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/conf.h"
#include "core/log.h"
#include "core/process.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "store/agents.h"
#include "store/stops.h"

enum { EXIT_USAGE = 2, PAGE = 500 };

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
        "  key TIER           registers an agent of the tier and prints its API key, which is shown only "
        "once\n"
        "  tier AGENT TIER    changes its tier: standard, premium, unlimited or one of the settings' tiers\n"
        "  deactivate AGENT   its key stops working, but for reactivation by the agent itself\n"
        "  activate AGENT     its key works again\n"
        "  stop AGENT|all     nothing is signed for it any more: executing swaps and creating wallets are\n"
        "                     refused as soon as this returns; swaps under way are still followed\n"
        "  resume AGENT|all   ends that; an agent stopped by itself stays so when all are resumed\n"
        "AGENT is the agent's id. Exit status: 0 done, 1 failed or no such agent, 2 wrong usage.\n",
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
    fprintf(stderr,
            "agentctl: no such tier: %s (built in are standard, premium, unlimited; others are"
            " settings such as tier.gold = 2000)\n",
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
    return a->status == AGENT_ACTIVE ? "active" : "deactivated";
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
    stopped = stops_check(env->db, a.id);
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
           known ? "" : " (not in the settings: counts as standard)", status_text(&a),
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
    return set_status(env, args[0], AGENT_DEACTIVATED);
}

static int do_activate(const struct env *env, char **args)
{
    return set_status(env, args[0], AGENT_ACTIVE);
}

static int set_stop(const struct env *env, const char *agent, bool stop)
{
    struct agent a = { .id = STOP_ALL };
    int status = strcmp(agent, "all") == 0 ? EXIT_SUCCESS : find(env, agent, &a);

    if (status != EXIT_SUCCESS)
        return status;
    return stops_set(env->db, a.id, stop) ? EXIT_SUCCESS : database_failed();
}

static int do_stop(const struct env *env, char **args)
{
    return set_stop(env, args[0], true);
}

static int do_resume(const struct env *env, char **args)
{
    return set_stop(env, args[0], false);
}

static const struct command {
    const char *name;
    int least, most; /* arguments */
    int (*run)(const struct env *env, char **args);
} commands[] = {
    { "list", 0, 1, do_list },
    { "show", 1, 1, do_show },
    { "key", 1, 1, do_key },
    { "tier", 2, 2, do_tier },
    { "deactivate", 1, 1, do_deactivate },
    { "activate", 1, 1, do_activate },
    { "stop", 1, 1, do_stop },
    { "resume", 1, 1, do_resume },
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
    status = command->run(&env, argv + optind + 1); /* argv ends with NULL: so does what may be left out */
    arena_free(env.arena);
    db_free(env.db);
    conf_free(conf);
    return status;
}
