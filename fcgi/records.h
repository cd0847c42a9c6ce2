/* FastCGI's records, written one behind the other (specification, section 3.3). */
#ifndef FCGI_RECORDS_H
#define FCGI_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The variable by which a request says that it came through gateway.cgi. No header of a client gets that
 * name. */
#define BY_CGI "GATEWAY_CGI"

/* A stream of bytes in as many records as it needs, without the empty one that ends it. */
void records_add(struct buf *out, unsigned id, unsigned char type, const void *bytes, size_t n);
/* The empty record. */
void records_end(struct buf *out, unsigned id, unsigned char type);
/* The beginning of a request to a responder that closes the connection behind its answer. */
void records_begin_request(struct buf *out, unsigned id);
/* The end of an answer. */
void records_end_request(struct buf *out, unsigned id);
/* A variable of FCGI_PARAMS, into the bytes of that stream. */
void records_add_param(struct buf *params, const char *name, size_t name_len, const char *value);

#endif
