/* Requests by signals to the gateway's parent and, by SIGTERM only, to its children. SIGHUP: to restart. */
#ifndef FCGI_SIGNALS_H
#define FCGI_SIGNALS_H

#include <signal.h>

extern volatile sig_atomic_t stop_asked, restart_asked;
extern sigset_t initial_mask; /* that the program was started with, without these */

/* They are blocked except while the parent waits, so that none is lost between a check and the wait, nor
 * while it executes the next program. */
void signals_catch(void);
/* A child blocks them too, and takes those that came meanwhile. Calls that it makes in between are not
 * interrupted. */
void signals_hold(void);
void signals_take(void);

#endif
