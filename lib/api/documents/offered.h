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

/* The tool that does what a command asks for, which this server need not have; NULL for help. */
const char *offered_tool(enum action action);
/* The row of that tool, by the name of the action (action_text); NULL: this server has none. */
const struct endpoint *offered_endpoint(const char *action);

#endif
