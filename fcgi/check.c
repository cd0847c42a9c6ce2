#include "check.h"

#include <errno.h>
#include <grp.h>
#include <libgen.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/check_report.h"
#include "base/clock.h"
#include "chain/rpc/clock_skew.h"
#include "chain/rpc/node_check.h"
#include "chain/rpc/node_health.h"
#include "net/call.h"
#include "route/price.h"
#include "service/settings.h"
#include "store/db.h"
#include "store/migrate.h"

enum { NODES_MS = 5000, NODE_CONNECTIONS = 64, OLD_S = 300, OTHERS = 07, GROUP_AND_OTHERS = 077 };

/* ---- settings ---- */

static void problem_say(const struct conf_problem *p)
{
    check_report(false, "settings", "%s:%u: %s%s%s%s%s%s%s", p->file, p->line, p->name != NULL ? p->name : "",
                 p->value != NULL ? " = " : "", p->value != NULL ? p->value : "", p->name != NULL ? ": " : "",
                 p->what, p->allowed != NULL ? ", it must be " : "", p->allowed != NULL ? p->allowed : "");
}

static void settings_check(const struct conf *c)
{
    if (conf_problems(c) == NULL)
        check_report(true, "settings", "%s", c->path);
    for (const struct conf_problem *p = conf_problems(c); p != NULL; p = p->next)
        problem_say(p);
    for (const struct conf_problem *p = conf_warnings(c); p != NULL; p = p->next)
        check_report_warn("settings", "%s:%u: %s = %s: %s: %s", p->file, p->line, p->name, p->value, p->what,
                          p->allowed);
}

static void setting_print(const char *name, const char *value, const char *file, unsigned line)
{
    if (file == NULL)
        printf("%s = %s  # default\n", name, value);
    else
        printf("%s = %s  # %s:%u\n", name, value, file, line);
}

int settings_show(const struct conf *conf)
{
    conf_show(conf, setting_print);
    for (const struct conf_problem *p = conf_problems(conf); p != NULL; p = p->next)
        fprintf(stderr, "%s:%u: %s %s\n", p->file, p->line, p->what, p->name != NULL ? p->name : "");
    return conf_problems(conf) == NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- folders ---- */

static const char *user_name(char out[static 32], uid_t uid)
{
    const struct passwd *p = getpwuid(uid);

    if (p != NULL)
        (void)snprintf(out, 32, "%s", p->pw_name);
    else
        (void)snprintf(out, 32, "%u", (unsigned)uid);
    return out;
}

static const char *group_name(char out[static 32], gid_t gid)
{
    const struct group *g = getgrgid(gid);

    if (g != NULL)
        (void)snprintf(out, 32, "%s", g->gr_name);
    else
        (void)snprintf(out, 32, "%u", (unsigned)gid);
    return out;
}

/* A folder that must be there, and to which those of `closed_to` have no access. */
static void folder_check(const char *setting, const char *path, mode_t closed_to)
{
    char user[32], group[32];
    struct stat st;

    if (stat(path, &st) != 0)
        check_report(false, "folder", "%s (%s): %s", path, setting, strerror(errno));
    else
        check_report(S_ISDIR(st.st_mode) && (st.st_mode & closed_to) == 0, "folder",
                     "%s (%s): %s, owner %s:%s, mode %04o%s", path, setting,
                     S_ISDIR(st.st_mode) ? "a folder" : "not a folder", user_name(user, st.st_uid),
                     group_name(group, st.st_gid), (unsigned)st.st_mode & 07777,
                     (st.st_mode & closed_to) != 0 ? ", but others must have no access" : "");
}

static void folder_of_check(const char *setting, const char *file)
{
    char path[PATH_MAX];

    (void)snprintf(path, sizeof path, "%s", file);
    folder_check(setting, dirname(path), 0);
}

static void folders_check(const struct conf *c)
{
    folder_of_check("fastcgi_socket", c->fastcgi_socket);
    folder_of_check("signer_socket", c->signer_socket);
    folder_of_check("shm_file", c->shm_file);
    folder_check("key_dir", c->key_dir, GROUP_AND_OTHERS);
    folder_check("signer_dir", c->signer_dir, OTHERS);
    folder_check("sql_dir", c->sql_dir, 0);
}

/* ---- keys ---- */

/* The signer alone opens them: it says what it finds, in lines like these. */
static void signer_check(const struct pool *p)
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        (void)execl(p->signer_program, "signer", "-c", p->conf_path, "--check", (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        check_report(false, "signer", "%s: %s", p->signer_program, strerror(errno));
    else
        check_report(
            WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS, "signer", "%s %s", p->signer_program,
            WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS ? "would start" : "would not start");
}

/* ---- the database ---- */

static void schema_check(struct db *db)
{
    static const char *const words[] = {
        [SCHEMA_UNKNOWN] = "cannot be read",
        [SCHEMA_OLDER] = "is older than these programs need: run schema-migrate",
        [SCHEMA_FITS] = "fits",
        [SCHEMA_NEWER] = "is newer than these programs can live with: install newer ones",
    };
    enum schema_fit fit = migrate_fit(db);

    check_report(fit == SCHEMA_FITS, "schema", "version %d is wanted, and the database's %s", SCHEMA_VERSION,
                 words[fit]);
}

static void durability_check(struct db *db)
{
    bool durable = false, known = db_is_durable(db, &durable);

    check_report(
        known && durable, "durability", "%s",
        !known ? "cannot be read"
        : durable
            ? "what is committed is on disk"
            : "innodb_flush_log_at_trx_commit must be 1, and sync_binlog 1 where there is a binary log");
}

static void writes_check(const struct db *db)
{
    bool writes = db_takes_writes(db);

    check_report(writes, "writes", "%s",
                 writes ? "are taken"
                        : "are refused: the server is read-only, or the user lacks rights to change rows");
}

static void database_check(const struct conf *c)
{
    struct db *db = db_from_conf(c);
    bool ready = db_ready(db);
    const char *health;
    unsigned server = db_server(db, &health);

    if (!ready)
        check_report(false, "database", "%s as %s on %s: %s (%s)", c->db_name, c->db_user, c->db_servers,
                     health, db_fault(db));
    else
        check_report(true, "database", "%s as %s on %s, number %u of them: %s", c->db_name, c->db_user,
                     c->db_servers, server, health);
    if (ready) {
        schema_check(db);
        durability_check(db);
        writes_check(db);
    }
    db_free(db);
}

/* ---- nodes ---- */

static void node_say(const struct node_checked *n)
{
    const char *setting = n->role == NODE_READ ? "rpc" : "verify";
    char name[64], url[SETTING_SHOWN_MAX];
    int64_t age = n->time == 0 ? 0 : clock_seconds() - (int64_t)n->time;

    (void)snprintf(name, sizeof name, "%s.%s", setting, n->chain->key);
    (void)setting_shown(url, setting_find(name), n->url);
    if (n->error != NULL)
        check_report(false, "node", "%s, place %zu, %s: %s", name, n->place + 1, url, n->error);
    else
        check_report(age < OLD_S, "node",
                     "%s, place %zu, %s: of this chain, its newest block is %llu, %lld s old", name,
                     n->place + 1, url, (unsigned long long)n->height, (long long)(age < 0 ? 0 : age));
}

static void nodes_say(const struct pool *p)
{
    struct arena *a = arena_new();
    struct ctx ctx = p->shared;
    struct clock_skew poll = { .nodes = 0 };
    struct node_checked *all;
    const char *clock;
    size_t n;

    ctx.net = net_new("agent-gateway/1", NODE_CONNECTIONS);
    n = nodes_check(&all, &ctx, a, NODES_MS);
    for (size_t i = 0; i < n; i++) {
        node_say(&all[i]);
        if (all[i].error == NULL && all[i].time != 0)
            clock_skew_add(&poll, all[i].chain, clock_seconds() - (int64_t)all[i].time);
    }
    clock = clock_skew_text(&poll, a);
    check_report(clock == NULL, "clock", "%s",
                 clock == NULL ? "no nodes of all chains contradict it" : clock);
    net_free(ctx.net);
    arena_free(a);
}

/* The promises that chains with a single node cannot keep. */
static void alone_say(const struct pool *p)
{
    char list[512] = "";
    size_t at = 0;
    bool solana = false;

    for (const struct chain *c = chains; c < chains + chains_count && at < sizeof list; c++) {
        if (nodes_count(p->shared.nodes, c) != 1)
            continue;
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at == 0 ? "" : " ", c->key);
        solana = solana || c->type == CHAIN_SOLANA;
    }
    if (at > 0)
        check_report(true, "second node",
                     "none for %s: there one node alone says what a transaction costs and has done%s", list,
                     solana ? "; on solana nothing is told as failed within ten minutes" : "");
}

/* The chains on which limits in dollars depend on a single node or service. */
static void prices_say(const struct pool *p)
{
    char list[512] = "";
    size_t at = 0;

    for (const struct chain *c = chains; c < chains + chains_count && at < sizeof list; c++)
        if (nodes_count(p->shared.nodes, c) > 0 && price_has_one_source(&p->shared, c))
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at == 0 ? "" : " ", c->key);
    if (at > 0)
        check_report(
            true, "prices",
            "one source alone for %s: limits in dollars go by it; set price_feed_url, or a second node "
            "(on solana: provider.relay)",
            list);
}

/* ---- the web server ---- */

/* Whether the user, who is not root, may do what `bits` say. */
static bool may(const struct stat *st, const struct passwd *who, mode_t bits)
{
    gid_t groups[64];
    int n = sizeof groups / sizeof groups[0];

    if (st->st_uid == who->pw_uid)
        return (st->st_mode >> 6 & bits) == bits;
    if (getgrouplist(who->pw_name, who->pw_gid, groups, &n) < 0)
        n = (int)(sizeof groups / sizeof groups[0]);
    for (int i = 0; i < n; i++)
        if (groups[i] == st->st_gid)
            return (st->st_mode >> 3 & bits) == bits;
    return (st->st_mode & bits) == bits;
}

static void access_check(const char *user, const char *dir, const char *socket)
{
    const struct passwd *who = getpwnam(user);
    struct stat folder, name;
    bool enters, connects;

    if (who == NULL || stat(dir, &folder) != 0)
        return;
    if (getxattr(dir, "system.posix_acl_access", NULL, 0) > 0) {
        check_report(true, "web server", "%s: the access control list of %s decides", user, dir);
        return;
    }
    enters = may(&folder, who, 1);
    connects = stat(socket, &name) != 0 || may(&name, who, 2); /* it is not there before the first start */
    check_report(
        enters && connects, "web server", "%s %s", user,
        !enters ? "cannot enter the socket's folder: give the folder its group, and mode 2751"
        : !connects
            ? "cannot connect to the socket: start the gateway with umask 007, in a folder of its group"
            : "can reach the socket");
}

/* Under the names that web servers usually have. */
static void web_server_check(const struct conf *c)
{
    static const char *const users[] = { "www-data", "lighttpd", "apache", "http" };
    char dir[PATH_MAX];

    (void)snprintf(dir, sizeof dir, "%s", c->fastcgi_socket);
    (void)dirname(dir);
    for (size_t i = 0; i < sizeof users / sizeof users[0]; i++)
        access_check(users[i], dir, c->fastcgi_socket);
}

int check_all(struct pool *p)
{
    settings_check(p->conf);
    folders_check(p->conf);
    signer_check(p);
    database_check(p->conf);
    nodes_say(p);
    alone_say(p);
    prices_say(p);
    web_server_check(p->conf);
    return check_reports_wrong() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
