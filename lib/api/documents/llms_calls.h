/* Calls in few words, as llms.txt and its sections have them. */
#ifndef API_DOCUMENTS_LLMS_CALLS_H
#define API_DOCUMENTS_LLMS_CALLS_H

#include "api/endpoint/endpoint.h"
#include "base/buf.h"

/* The text with the address in place of each "@". */
void llms_add_template(struct buf *out, const char *text, const char *address);
/* Method, path, tool, purpose, and each parameter in a line. */
void llms_add_call(struct buf *out, const struct endpoint *ep);
/* The members of its answer in a line. */
void llms_add_answer(struct buf *out, const struct endpoint *ep);
/* What a section (documents.h) says before its calls. */
void llms_add_prose(struct buf *out, struct arena *a, const char *base_url, size_t section);

#endif
