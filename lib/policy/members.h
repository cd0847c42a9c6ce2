/* Checks, readers and comparisons that members of several types of policies share. */
#ifndef POLICY_MEMBERS_H
#define POLICY_MEMBERS_H

#include "policy/type.h"

enum { MEMBER_TEXT_MAX = 64 };

/* Checks of struct param: what is wrong with the text, or NULL. */
const char *member_check_wei(const char *s, const void *env);
const char *member_check_address(const char *s, const void *env);
const char *member_check_token(const char *s, const void *env); /* symbol or address */

/* Reports a fault of "params.<member>", or of params as a whole for "". */
void policy_fault(struct policy_reading *r, const char *member, const char *what);

/* A decimal with up to 18 places, and a number of wei; NULL leaves *out. */
void member_read_decimal(struct policy_reading *r, const char *member, const char *text, struct u256 *out);
void member_read_wei(struct policy_reading *r, const char *member, const char *text, struct u256 *out);

/* Whether `name` means the token: its address, or the symbol under which its chain's table lists it. */
bool member_is_token(const char *name, const struct token_ref *t);

/* Why the spend has no worth: the prices disagree, or `otherwise`. */
const char *member_unvalued(const struct spend_facts *o, const char *otherwise);

#endif
