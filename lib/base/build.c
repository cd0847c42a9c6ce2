#include "base/build.h"

#include "base/program.h"

#ifndef BUILD_ID
#define BUILD_ID ""
#endif

const char build_version[] = GATEWAY_VERSION BUILD_ID;
