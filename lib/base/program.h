/* The common part of the command lines of all programs. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#define GATEWAY_VERSION "1.0.0"

/* If the first argument is --help or --version, prints `usage`, or name and version, and exits. */
void program_greet(int argc, char **argv, const char *name, const char *usage);

#endif
