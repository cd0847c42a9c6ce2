/* agentctl: the operator's command for agents. `key TIER` registers one and prints its API key as the last
 * line. */
#include <unistd.h>

#include "core/conf.h"
#include "core/log.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "store/agents.h"

enum { EXIT_USAGE = 2 };

static int usage(void)
{
    fputs("usage: agentctl [-c FILE] key TIER\n"
          "  key TIER  registers an agent of the tier and prints its API key, which is shown only once\n",
          stderr);
    return EXIT_USAGE;
}

static int new_agent(struct db *db, const char *tier)
{
    struct api_key key;
    struct agent_new agent = { .uuid = uuid_random(), .name = "operator", .tier = tier };
    int64_t created_ms;

    if (strlen(tier) > TIER_MAX)
        return usage();
    api_key_new(&key);
    memcpy(agent.key_hash, key.hash, sizeof agent.key_hash);
    if (!agents_add(db, &agent, &created_ms)) {
        fputs("agentctl: the database failed\n", stderr);
        return EXIT_FAILURE;
    }
    puts(key.text);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    struct conf *conf;
    struct db *db;
    int c, status;

    log_init("agentctl");
    while ((c = getopt(argc, argv, "c:")) != -1) {
        if (c != 'c')
            return usage();
        path = optarg;
    }
    if (argc - optind != 2 || strcmp(argv[optind], "key") != 0)
        return usage();
    conf = conf_load(conf_path(path));
    db = db_from_conf(conf);
    status = new_agent(db, argv[optind + 1]);
    db_free(db);
    conf_free(conf);
    return status;
}
