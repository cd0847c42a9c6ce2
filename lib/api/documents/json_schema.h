/* JSON Schema (2020-12), written from shapes of answers and from tables of parameters for the OpenAPI
 * document and the tools of MCP. All functions return new references. */
#ifndef API_DOCUMENTS_JSON_SCHEMA_H
#define API_DOCUMENTS_JSON_SCHEMA_H

#include <jansson.h>

#include "api/endpoint/schema.h"
#include "base/arena.h"
#include "base/params.h"

struct schema_writer {
    struct arena *arena;
    const char *at; /* where the document has its shapes: "#/components/schemas" */
    bool compact;   /* of the compact form (api/endpoint/compact.h) */
    json_t *shapes; /* name → shape, filled as they are mentioned; owned by the caller */
};

/* The shape itself; a reference to it, which adds it to `shapes` when it is first mentioned. */
json_t *schema_of_answer(struct schema_writer *w, const struct schema *s);
json_t *schema_ref(struct schema_writer *w, const struct schema *s);
json_t *schema_of_field(struct schema_writer *w, const struct schema_field *f);
json_t *schema_of_param(const struct param *p);
json_t *schema_param_about(const struct param *table, const struct param *p); /* a text */
/* An object with a member for each row of the table, and no others unless it is `open`; no "required" when
 * none is. */
json_t *schema_of_params(const struct param *table, bool open);

/* A value that fits. */
json_t *schema_example(const struct schema *s);
json_t *schema_field_example(const struct schema_field *f);
json_t *schema_param_example(const struct param *p);

#endif
