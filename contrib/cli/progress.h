/* What gw waits for, on stderr: one line that is written over on a terminal, elsewhere a line for each
 * change. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

void progress_show(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Before other output. */
void progress_end(void);

#endif
