/* One page of a list. */
#ifndef MODEL_PAGE_H
#define MODEL_PAGE_H

#include <stdint.h>

enum { PAGE_DEFAULT = 20, PAGE_MAX = 100 };

struct page {
    uint64_t limit;
    uint64_t offset;
};

#endif
