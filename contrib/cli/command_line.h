/* The command line: a command or a call by its name, with arguments for the call and options of gw itself. */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include <stdint.h>

#include "contrib/cli/request.h"

/* How gw exits. */
enum { DONE = 0, FAILED = 1, USAGE = 2, UNREACHABLE = 3, OPEN = 4 };

enum { GIVEN_MAX = 64 };

/* A call, and which arguments of it stand in which order; "?" behind a name: it may be missing, "," and "+":
 * it takes all that follow, joined by commas or blanks. */
struct command {
    const char *name, *tool, *arguments;
    int64_t wait_s; /* how long what it begins is followed */
};

struct options {
    const char *url, *key_file, *idempotency_key;
    int64_t wait_s, timeout_s; /* -1: not given */
    bool json;
};

struct command_line {
    struct arena *arena;
    struct options options;
    const struct command *command;  /* NULL: of `gw call` */
    const struct call *call, *then; /* `then`: what a swap goes on with */
    struct given given[GIVEN_MAX];
    size_t count;
};

extern const char usage[];

/* Reads it; `c` has its arena. DONE, or USAGE with the reason on stderr. */
int command_line_read(struct command_line *c, int argc, char **argv);
/* Says on stderr what is wrong; returns USAGE. */
int wrong(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* For completion: what may follow the words, one a line. */
int command_line_words(int argc, char **argv);

#endif
