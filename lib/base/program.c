#include "base/program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"

void program_greet(int argc, char **argv, const char *name, const char *usage)
{
    const char *first = argc > 1 ? argv[1] : "";
    bool help = strcmp(first, "--help") == 0;

    if (!help && strcmp(first, "--version") != 0)
        return;
    if (help)
        fputs(usage, stdout);
    else
        printf("%s %s\n", name, build_version);
    exit(fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
