/* What an operator asks before a start: gateway --check and gateway --settings. Neither touches a socket of
 * the gateway's. */
#ifndef FCGI_CHECK_H
#define FCGI_CHECK_H

#include "pool.h"

/* Says how everything stands that the gateway needs, whatever else is wrong, and returns the exit status: 1
 * if anything is. The settings have been read and what they name is in p->shared. */
int check_all(struct pool *p);
/* Prints the settings in force; the exit status is 1 if some are wrong. */
int settings_show(const struct conf *conf);

#endif
