/* Prints the states and the moves between them as the model reads them: those of the code, not a copy. */
#include <stdio.h>

#include "model/execution.h"

#define PRINT(name) printf("#define %s %d\n", #name, (int)(name))

static void enums_print(void)
{
    PRINT(EXEC_PENDING);
    PRINT(EXEC_SUBMITTED);
    PRINT(EXEC_PROCESSING);
    PRINT(EXEC_COMPLETED);
    PRINT(EXEC_FAILED);
    PRINT(FOLLOW_NOT);
    PRINT(FOLLOW_IN_FLIGHT);
    PRINT(FOLLOW_ONCE_MORE);
    PRINT(EFFECT_OPEN);
    PRINT(EFFECT_INCLUDED);
    PRINT(EFFECT_SETTLED);
    PRINT(EFFECT_LOST);
    PRINT(EFFECT_RENEWED);
}

int main(void)
{
    enums_print();
    printf("#define exec_may_move(from, to) (false");
    for (enum exec_status from = EXEC_PENDING; from <= EXEC_EXPIRED; from++)
        for (enum exec_status to = EXEC_PENDING; to <= EXEC_EXPIRED; to++)
            if (exec_may_move(from, to))
                printf(" || ((from) == %d && (to) == %d)", (int)from, (int)to);
    puts(")");
    return 0;
}
