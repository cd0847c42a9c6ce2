/* Reads the lines of the settings file and of what it includes, for service/conf.c. */
#ifndef SERVICE_CONF_FILE_H
#define SERVICE_CONF_FILE_H

#include "service/conf.h"
#include "service/settings.h"

/* A line that is good. */
struct conf_pair {
    const struct setting *row;
    char *name, *value;
    char *file;
    unsigned line;
    struct conf_pair *next;    /* a later line stands before an earlier one */
    struct conf_pair *sharing; /* the next one at its place of `named` */
};

struct conf_problems *conf_problems_new(void);
const struct conf_problem *conf_problems_first(const struct conf_problems *);
void conf_problems_free(struct conf_problems *);
/* Unless the name is known to be wrong on that line. Copies all but `what`; value and allowed may be NULL,
 * and name where the line has none. */
void conf_problem_add(struct conf_problems *, const char *file, unsigned line, const char *what,
                      const char *name, const char *value, const char *allowed);

/* Files that were read. */
struct conf_names {
    char *name;
    struct conf_names *next;
};
void conf_names_free(struct conf_names *);

/* The lines of the file, before those that were read already; it and what it includes come to `files`. */
struct conf_pair *conf_file_read(struct conf_pair *pairs, struct conf_names **files, const char *path,
                                 struct conf_problems *);
void conf_pairs_free(struct conf_pair *);

#endif
