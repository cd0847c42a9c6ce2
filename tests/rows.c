/* Prints the rows of the endpoint table, one a line: method, path, and "waits" or "fast". */
#include <stdio.h>

#include "api/endpoint/endpoint.h"

int main(void)
{
    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++)
        printf("%s %s %s\n", method_text((*each)->method), (*each)->path,
               endpoint_may_wait(*each) ? "waits" : "fast");
    return 0;
}
