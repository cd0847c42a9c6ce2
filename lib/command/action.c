#include "command/action.h"

#include <stddef.h>

#define X(id, name, tool, flags) name,
const char *const action_names[ACTIONS_COUNT + 1] = { ACTIONS(X) NULL };
#undef X

const char *action_tool(enum command_action action)
{
#define X(id, name, tool, flags) tool,
    static const char *const tools[] = { ACTIONS(X) };
#undef X

    return tools[action];
}

bool action_has(enum command_action action, enum action_flags flag)
{
#define X(id, name, tool, flags) flags,
    static const unsigned all[] = { ACTIONS(X) };
#undef X

    return (all[action] & flag) != 0;
}
