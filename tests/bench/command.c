/* command FILE...: how many sentences a core understands in a second. The files are those of tests/vectors,
 * with what must be refused: that is most of what a refusal costs too. */
#include <jansson.h>
#include <stdio.h>
#include <time.h>

#include "command/parse.h"

enum { SENTENCES_MAX = 4096, SECONDS = 2, AIM = 200000 };

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static unsigned read_file(const char *path, json_t **rows, unsigned n)
{
    char line[8192];
    FILE *f = fopen(path, "r");

    while (f != NULL && n < SENTENCES_MAX && fgets(line, sizeof line, f) != NULL) {
        rows[n] = json_loads(line, JSON_ALLOW_NUL, NULL);
        n += rows[n] != NULL;
    }
    if (f != NULL)
        fclose(f);
    return n;
}

int main(int argc, char **argv)
{
    static json_t *rows[SENTENCES_MAX];
    struct arena *a = arena_new();
    unsigned n = 0, understood = 0;
    unsigned long done = 0;
    double began, took = 0;

    for (int i = 1; i < argc; i++)
        n = read_file(argv[i], rows, n);
    if (n == 0)
        return 1;
    for (began = cpu_seconds(); took < SECONDS; took = cpu_seconds() - began) {
        understood = 0;
        for (unsigned i = 0; i < n; i++) {
            struct command c;

            understood +=
                command_parse(a, json_string_value(json_object_get(rows[i], "command")), &c) == NULL;
            arena_reset(a);
        }
        done += n;
    }
    printf("command  %.0f sentences/s on one core, aim %d; of %u sentences %u are understood\n",
           (double)done / took, AIM, n, understood);
    return 0;
}
