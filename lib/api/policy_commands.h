/* Commands about policies and approvals: all of them are read, a stricter policy is added, and what was
 * granted goes on. None loosens or grants. */
#ifndef API_POLICY_COMMANDS_H
#define API_POLICY_COMMANDS_H

#include "api/sentence.h"

struct reply *command_policies(const struct sentence *x);
struct reply *command_policy_add(const struct sentence *x);
struct reply *command_approvals(const struct sentence *x);
struct reply *command_approval(const struct sentence *x);
/* Goes on with what waited for it, by the operation that it was asked for with. */
struct reply *command_approval_resume(const struct sentence *x);

#endif
