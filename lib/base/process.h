/* What is the same for every program that holds keys, secrets or passwords. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

/* From now on the process leaves no core file, and others of its user cannot look into it, neither with a
 * debugger nor through /proc. Children inherit it until they execute another program. Ends the program when
 * the system refuses. */
void process_close(void);

/* Where root started the program and `uid` is not 0: becomes that user, with the group of the same number and
 * no other, for good, and stays closed. What only root may open has to be open before. It takes back the wish
 * to end with the parent. Ends the program when the system refuses. */
void process_become(unsigned uid);

#endif
