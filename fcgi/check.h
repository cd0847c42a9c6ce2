/* The operator's checks before a start: gateway --check and gateway --settings. Neither touches a socket of
 * the gateway's. */
#ifndef FCGI_CHECK_H
#define FCGI_CHECK_H

#include "pool.h"

/* Prints the state of everything that the gateway needs, even after a problem, and returns the exit status: 1
 * if there is one. The settings have been read and what they name is in p->shared. */
int check_all(struct pool *p);
/* Prints the settings in force; the exit status is 1 if some are wrong. */
int settings_show(const struct conf *conf);

#endif
