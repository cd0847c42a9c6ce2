/* Which sources a program was built from. */
#ifndef BASE_BUILD_H
#define BASE_BUILD_H

/* GATEWAY_VERSION, and where the Makefile knows them, date and commit: "1.0.0+20261130.020ada18". */
extern const char build_version[];

#endif
