#include "keeper.h"

#include <stdlib.h>
#include <unistd.h>

#include "child.h"
#include "signals.h"
#include "signer/client.h"
#include "store/db.h"

enum {
    KEEPER_MS = 2000,
    SIGNER_PINGS = 4, /* unanswered in a row: the signer hangs */
};

int keeper_run(const struct conf *conf, struct meter *meter)
{
    struct db *db = db_from_conf(conf);
    struct signer *signer = signer_new(conf->signer_socket);
    unsigned unanswered = 0;

    child_become(conf->worker_uid);
    while (!stop_asked && unanswered < SIGNER_PINGS) {
        meter_fold(meter, db);
        db_pause(db);
        unanswered = signer_ping(signer, NULL) == SIGNER_AWAY ? unanswered + 1 : 0;
        usleep(KEEPER_MS * 1000); /* a signal ends it early */
    }
    meter_fold(meter, db);
    signer_free(signer);
    db_free(db);
    return stop_asked ? EXIT_SUCCESS : EXIT_SIGNER_SILENT;
}
