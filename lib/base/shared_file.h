/* Memory that the processes of a host share by a file; any of them may start first. */
#ifndef BASE_SHARED_FILE_H
#define BASE_SHARED_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Maps so many bytes, zeros at first. The first eight of them are `layout`, which is not 0: a file of another
 * size or layout is unlinked, and its users go on with it. *fd stays open. NULL: there is no such file and
 * none can be made, as errno says. */
void *shared_file_map(const char *path, size_t size, uint64_t layout, int *fd);

/* Maps in the same way the file whose name is `file` followed by `ending`. */
void *shared_file_map_beside(const char *file, const char *ending, size_t size, uint64_t layout, int *fd);

/* A layout that ends with the boot, as monotonic times do, and with what the text says. */
uint64_t shared_file_layout(const char *about);

/* For reading alone, without making or changing anything. NULL: there is no such file, or it is another. */
const void *shared_file_read(const char *path, size_t size, uint64_t layout);
void shared_file_unmap(const void *p, size_t size);

#endif
