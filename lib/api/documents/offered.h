/* The commands that work on this server, by its tools and its configured nodes and providers. Help, examples
 * and prompts offer only these. */
#ifndef API_DOCUMENTS_OFFERED_H
#define API_DOCUMENTS_OFFERED_H

#include <stdbool.h>

#include "chain/chains.h"
#include "command/parse.h"

struct endpoint;
struct ctx;

/* Whether anything can be swapped across chains. */
bool offered_bridge(const struct ctx *ctx);
/* Whether a sentence is understood, and its tool and its chains are there. */
bool offered_command(const struct ctx *ctx, const char *text);

/* The row of the tool of an action, by its name (action_names); NULL: this server has none. */
const struct endpoint *offered_endpoint(const char *action);

#endif
