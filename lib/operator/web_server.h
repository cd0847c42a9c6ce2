/* The web server in front of the gateway, as its clients meet it. */
#ifndef OPERATOR_WEB_SERVER_H
#define OPERATOR_WEB_SERVER_H

#include "operator/operator.h"

/* Asks it at base_url, for two seconds at most. Returns the name of its program where one that is known runs
 * on this host, else "web server". *problem, in the arena, says why it does not answer; NULL: it does. Needs
 * net in ctx. */
const char *operator_web_server(const struct ctx *ctx, struct arena *a, const char **problem);

#endif
