/* The housekeeper: writes this host's counters to the database every few seconds (lib/api/admission/meter,
 * lib/route/provider_state), looks at the nodes of the chains (lib/chain/rpc/node_health), and notices a
 * signer that hangs. It is also the one who finds that signer and database answer, which the parent waits
 * for. */
#ifndef FCGI_HOUSEKEEPER_H
#define FCGI_HOUSEKEEPER_H

#include "net/scoreboard.h"
#include "service/ctx.h"

enum { EXIT_SIGNER_SILENT = 3 };

/* In the child: the program's exit status. */
int housekeeper_run(const struct ctx *shared, struct scoreboard *shm_cache);

#endif
