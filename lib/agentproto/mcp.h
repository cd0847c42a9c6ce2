/* The Model Context Protocol at POST /mcp, for two generations of clients at one address: those that open
 * with `initialize` (revisions 2024-11-05 to 2025-11-25), and those whose every request describes itself
 * (2026-07-28). There are no sessions: any worker on any host answers any request. The tools are the rows of
 * the endpoint table; a call is an operation (api/admission/operation.h), with REST's checks and answers.
 *
 *   mcp.c            transport, revisions, methods     mcp_tools.c    the list of tools, and calls
 *   mcp_resources.c  documents and tables to read      mcp_prompts.c  prompts and completion */
#ifndef AGENTPROTO_MCP_H
#define AGENTPROTO_MCP_H

struct mcp;
struct ctx;

/* Makes the lists, once, before the workers are forked; `base_url` as agents see it. Only prompts that work
 * with the nodes and providers of the context are offered. Exits when the lists cannot be made. */
struct mcp *mcp_new(const char *base_url, const struct ctx *ctx);
void mcp_free(struct mcp *mcp);

#endif
