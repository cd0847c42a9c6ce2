/* schema-migrate: brings the database to the version that these programs were built for. */
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "service/conf.h"
#include "store/migrate.h"

int main(int argc, char **argv)
{
    const char *path = NULL;
    struct conf *conf;
    struct db *db;
    bool ok;
    int c;

    log_init("schema-migrate");
    while ((c = getopt(argc, argv, "c:")) != -1) {
        if (c != 'c') {
            fputs("usage: schema-migrate [-c FILE]\n", stderr);
            return 2;
        }
        path = optarg;
    }
    conf = conf_load(conf_path(path));
    db = db_from_conf(conf);
    process_become(conf->worker_uid);
    ok = migrate_apply(db, conf->sql_dir) && migrate_version(db) == SCHEMA_VERSION;
    if (!ok)
        log_error("msg=\"the schema is not at the wanted version\" want=%d", SCHEMA_VERSION);
    db_free(db);
    conf_free(conf);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
