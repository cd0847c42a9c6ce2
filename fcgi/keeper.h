/* The keeper: writes this host's counters to the database every few seconds (lib/api/admission/meter,
 * lib/route/provider_state), and notices a signer that hangs. */
#ifndef FCGI_KEEPER_H
#define FCGI_KEEPER_H

#include "api/admission/meter.h"
#include "service/conf.h"

enum { EXIT_SIGNER_SILENT = 3 };

/* In the child: the program's exit status. */
int keeper_run(const struct conf *conf, struct meter *meter);

#endif
