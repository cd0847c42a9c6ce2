/* The Model Context Protocol at POST /mcp, for clients of two generations on one address: those that open
 * with `initialize` (revisions 2024-11-05 to 2025-11-25), and those whose every request describes itself
 * (2026-07-28). There is no session: any worker on any host answers any request. The tools are the rows of
 * the rows of api/endpoints.h; a call is an operation (api/admission/operation.h), with REST's checks and
 * answers. mcp             transport, revisions, methods        mcp_tools      the list of tools, and calls
 *   mcp_resources   documents and tables to read         mcp_prompts    prompts and completion */
#ifndef AGENTPROTO_MCP_H
#define AGENTPROTO_MCP_H

struct mcp;
struct nodes;

/* The lists, made once before the workers are forked; `base_url` as agents see it. Prompts are for what works
 * with these nodes. Ends the program when they cannot be made. */
struct mcp *mcp_new(const char *base_url, const struct nodes *nodes);
void mcp_free(struct mcp *mcp);

#endif
