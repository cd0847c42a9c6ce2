/* Included first in every file by the build (-include): functions that have no safe use do not compile.
 * Macros, not poison, because system headers name some of them inside macros of their own. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(name) sorry_##name##_is_banned

#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef alloca
#define strcpy(...)    BANNED(strcpy)
#define strcat(...)    BANNED(strcat)
#define strncpy(...)   BANNED(strncpy)
#define strncat(...)   BANNED(strncat)
#define sprintf(...)   BANNED(sprintf)
#define vsprintf(...)  BANNED(vsprintf)
#define strtok(...)    BANNED(strtok)
#define gets(...)      BANNED(gets)
#define atoi(...)      BANNED(atoi)
#define atol(...)      BANNED(atol)
#define atoll(...)     BANNED(atoll)
#define atof(...)      BANNED(atof)
#define gmtime(...)    BANNED(gmtime)
#define localtime(...) BANNED(localtime)
#define ctime(...)     BANNED(ctime)
#define asctime(...)   BANNED(asctime)
#define rand(...)      BANNED(rand)
#define srand(...)     BANNED(srand)
#define system(...)    BANNED(system)
#define popen(...)     BANNED(popen)
#define tmpnam(...)    BANNED(tmpnam)
#define mktemp(...)    BANNED(mktemp)
#define alloca(...)    BANNED(alloca)

#endif
