/* schema-migrate: brings the database to the version that these programs were built for. With -a, ahead of
 * their start: only as far as the programs that run now can live with it. */
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "base/program.h"
#include "service/conf.h"
#include "store/migrate.h"

static const char usage[] = "usage: schema-migrate [-a] [-c FILE]\n"
                            "       schema-migrate --help | --version\n"
                            "  -a       ahead of an upgrade: only what the running programs can live with\n"
                            "  -c FILE  the settings\n";

int main(int argc, char **argv)
{
    const char *path = NULL;
    struct conf *conf;
    struct migrations *files;
    struct db *db;
    enum migrate_reach reach = MIGRATE_ALL;
    bool ok;
    int c;

    log_init("schema-migrate");
    program_greet(argc, argv, "schema-migrate", usage);
    while ((c = getopt(argc, argv, "ac:")) != -1) {
        if (c == 'c') {
            path = optarg;
        } else if (c == 'a') {
            reach = MIGRATE_AHEAD;
        } else {
            fputs(usage, stderr);
            return 2;
        }
    }
    conf = conf_load(conf_path(path));
    db = db_from_conf(conf);
    conf_insist(conf);
    files = migrations_read(conf->sql_dir);
    process_become(conf->worker_uid);
    ok = files != NULL && migrate_apply(db, files, reach) &&
         (reach == MIGRATE_AHEAD || migrate_fit(db) == SCHEMA_FITS);
    if (!ok)
        log_error("schema_behind", "msg=\"the schema is not at the wanted version\" want=%d", SCHEMA_VERSION);
    migrations_free(files);
    db_free(db);
    conf_free(conf);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
