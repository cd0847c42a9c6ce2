/* What the documents say about each endpoint beyond its row: the second half of the table in endpoints.c,
 * kept beside it because rows would be a page wide. One entry for each row under /v1/agent, found by the
 * handler; a row without an entry fails the unit test. */
#ifndef API_DOCUMENTS_DOCS_H
#define API_DOCUMENTS_DOCS_H

#include "api/documents/schemas.h"
#include "api/endpoints.h"

/* A group of endpoints in the documents. */
struct doc_tag {
    const char *name, *about;
};

/* What the agent card offers; its description is made of the tools that belong to it. */
struct doc_skill {
    const char *id, *name;
    const char *const *tags;
    const char *const *examples; /* in plain English, those that POST /execute takes; both end with NULL */
};

/* What a model's host wants to know of a tool before it lets the model call it. GET only reads, PATCH and
 * DELETE can be repeated; what is not said here counts as the worse. */
enum tool_hint {
    READS = 1,   /* changes nothing that anybody else sees */
    KEEPS = 2,   /* changes, but takes nothing away and moves no money */
    OUTSIDE = 4, /* asks or tells third parties: chains, exchanges, receivers */
};

struct endpoint_doc {
    handler_fn *handler;
    const struct doc_tag *tag;
    const struct doc_skill *skill; /* NULL: none of the card's */
    int status;                    /* of success */
    const struct schema *answer;   /* its body; NULL: none */
    const char *about;             /* when to use it and what comes next */
    /* Errors of its own, ending with NULL. Those of key, parameters, size, type, limit and failure come from
     * the row. */
    const struct err *const *errors;
    const struct schema *or_answer;        /* another body that it may have */
    const struct schema_field *path_param; /* the {…} of its path */
    unsigned hints;                        /* of enum tool_hint */
    const struct schema *accepted;         /* the body of a 202 that it may answer instead; NULL: none */
};

extern const struct doc_tag doc_tags[];
extern const size_t doc_tags_count;
extern const struct doc_skill doc_skills[];
extern const size_t doc_skills_count;
extern const struct endpoint_doc endpoint_docs[];
extern const size_t endpoint_docs_count;

/* Its method as OpenAPI spells it. */
const char *endpoint_method_key(const struct endpoint *ep);
/* NULL for rows outside of /v1/agent. */
const struct endpoint_doc *endpoint_doc(const struct endpoint *ep);

#endif
