/* Feeds saved inputs to a fuzz target: each file on the command line, or each file of a directory on it. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "fuzz.h"

static unsigned inputs;

static void die(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(1);
}

/* The copy has the input's exact size, so that a sanitizer sees a read behind it. */
static void feed(const char *path, size_t size)
{
    uint8_t *data = malloc(size > 0 ? size : 1);
    FILE *f = fopen(path, "re");

    if (data == NULL || f == NULL || fread(data, 1, size, f) != size)
        die(path);
    fclose(f);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    inputs++;
}

static void feed_path(const char *path);

static void feed_directory(const char *path)
{
    char inner[PATH_MAX];
    struct dirent *entry;
    DIR *dir = opendir(path);

    if (dir == NULL)
        die(path);
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        if (snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) < (int)sizeof inner)
            feed_path(inner);
    }
    closedir(dir);
}

static void feed_path(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        die(path);
    if (S_ISDIR(st.st_mode))
        feed_directory(path);
    else
        feed(path, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        feed_path(argv[i]);
    printf("%u inputs\n", inputs);
    return 0;
}
