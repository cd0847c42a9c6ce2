/* How many workers wait on third parties (aggregators, callbacks): at most three quarters of them, and a
 * third for one agent, so that nobody's slow receiver takes all of them. Each worker has one place in shared
 * memory, which its successor clears: a killed worker holds nothing. */
#ifndef API_SLOTS_H
#define API_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

struct slots;

/* Before the forks. Ends the program when there is no memory. */
struct slots *slots_new(unsigned workers);
void slots_free(struct slots *s);
/* In the child: it is worker `own` from now on. */
void slots_own(struct slots *s, unsigned own);

/* false: too many wait already. */
bool slots_enter(struct slots *s, uint64_t agent_id);
void slots_leave(struct slots *s);

#endif
