/* The documents that describe the API, written from the rows of api/endpoints.c, and the list of chains. They
 * are made once, before the workers are forked, which share them. */
#ifndef API_DOCUMENTS_DOCUMENTS_H
#define API_DOCUMENTS_DOCUMENTS_H

#include "api/endpoint/endpoint.h"
#include "base/arena.h"
#include "base/program.h"
#include "http/reply.h"

struct ctx;

struct documents {
    struct arena *arena;  /* holds their texts */
    const char *base_url; /* without a trailing slash */
    struct document openapi, operator, llms, llms_full, index, chains;
    struct document llms_sections[TOOLSETS]; /* by toolset; LLMS_A2A */
    struct document card, card_v10;          /* A2A's, for both versions and for 1.0 alone */
    struct document skill, registry_entry;
};

/* `base_url` as agents see it; a trailing slash is dropped. Examples are limited to what works with the
 * nodes and providers of the context. */
struct documents *documents_new(const char *base_url, const struct ctx *ctx);
void documents_free(struct documents *d);
/* Writes those that many ask for as files below `dir`, each under the path of its address, with a compressed
 * copy (.gz) and the ETag of both (.etag) next to it: the web server answers from them several times as fast,
 * and without a worker. A document that cannot be written loses its ETag file, with a warning, and is then
 * answered by workers. */
void documents_publish(const struct documents *d, const char *dir);

/* The writers; `base_url` has no trailing slash. JSON is a new reference, text is in the arena. */
json_t *chains_write(const struct ctx *ctx);
/* A part of the OpenAPI document: names of operations, or of tags, with commas; in any case, with '_' for a
 * blank. NULL: none of that kind. */
struct openapi_part {
    const char *operations, *tags;
};
/* With the operations that the part names, and what they refer to; NULL: all of them, and the webhooks. */
json_t *openapi_write(struct arena *a, const char *base_url, enum audience of,
                      const struct openapi_part *part);
/* Whether such a list has a name, and all of its names are known. */
bool openapi_knows_operations(const char *names);
bool openapi_knows_tags(const char *names);
json_t *card_write(struct arena *a, const char *base_url, bool v10, const struct ctx *ctx);
char *llms_write(struct arena *a, const char *base_url, const struct ctx *ctx);
/* /llms/<name>.txt, by its toolset or LLMS_A2A. */
enum { LLMS_A2A = 0 };
const char *llms_section_name(size_t section);
char *llms_section_write(struct arena *a, const char *base_url, size_t section);
/* A skill in the form of Agent Skills: the tasks that the gateway does, step by step. */
char *skill_write(struct arena *a, const char *base_url, const struct ctx *ctx);
/* What the MCP registry and clients read to reach MCP. */
json_t *registry_entry_write(struct arena *a, const char *base_url);
char *llms_full_write(struct arena *a, const char *base_url, const struct ctx *ctx);

/* Texts of all documents. */
#define GATEWAY_NAME "Agent DeFi Gateway"
#define GATEWAY_ID   "agent-defi-gateway" /* where a name has small letters and hyphens alone */
#define GATEWAY_ABOUT                                                                                        \
    "Token swaps, lending, perpetuals and prediction markets for software agents: one call to register, one for a wallet, one for a price, one to take it. The gateway signs, sends and follows the transaction, and tells the agent how it ended."

#endif
