/* The lines of this host's logs about a request. */
#ifndef OPERATOR_LOG_LINES_H
#define OPERATOR_LOG_LINES_H

#include "operator/operator.h"

struct log_line {
    const char *file; /* its name in log_dir */
    const char *text;
};

/* The lines that bear this X-Request-Id, of the latest megabytes of each log that is neither compressed nor
 * of another owner, in the order of the files; in the arena. Returns how many, `most` at most. */
size_t operator_log_lines(const struct ctx *ctx, struct arena *a, const char *request_id,
                          struct log_line *out, size_t most);

#endif
