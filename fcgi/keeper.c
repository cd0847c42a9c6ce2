#include "keeper.h"

#include <stdlib.h>
#include <unistd.h>

#include "child.h"
#include "route/provider_state.h"
#include "signals.h"
#include "signer/client.h"
#include "store/db.h"
#include "store/providers.h"

enum {
    KEEPER_MS = 2000,
    SIGNER_PINGS = 4, /* unanswered in a row: the signer hangs */
};

/* A crash in between counts questions twice rather than not at all. */
static void providers_fold(struct db *db)
{
    struct provider_counts more;

    for (const struct provider *const *p = providers; *p != NULL; p++)
        if (provider_counts_new(*p, &more) && providers_add(db, (*p)->key, &more))
            provider_counts_kept(*p, &more);
}

static void keeper_fold(struct meter *meter, struct db *db)
{
    meter_fold(meter, db);
    providers_fold(db);
}

int keeper_run(const struct conf *conf, struct meter *meter)
{
    struct db *db = db_from_conf(conf);
    struct signer *signer = signer_new(conf->signer_socket);
    unsigned unanswered = 0;

    child_become(conf->worker_uid);
    while (!stop_asked && unanswered < SIGNER_PINGS) {
        keeper_fold(meter, db);
        db_pause(db);
        unanswered = signer_ping(signer, NULL) == SIGNER_AWAY ? unanswered + 1 : 0;
        usleep(KEEPER_MS * 1000); /* a signal ends it early */
    }
    keeper_fold(meter, db);
    signer_free(signer);
    db_free(db);
    return stop_asked ? EXIT_SUCCESS : EXIT_SIGNER_SILENT;
}
