#include "command/policy_sentences.h"

#include <string.h>

#include "command/written_number.h"
#include "model/amount.h"

enum { HOUR_S = 60 * 60, DAY_S = 24 * HOUR_S, WEEK_S = 7 * DAY_S };

static uint64_t window_said(const struct parse_state *x)
{
    return x->per == M_PER_HOUR ? HOUR_S : x->per == M_PER_DAY ? DAY_S : x->per == M_PER_WEEK ? WEEK_S : 0;
}

static const struct err *add_policy(struct command *out, const char *type, const char *member,
                                    const char *value)
{
    out->policy = type;
    out->policy_member = member;
    out->policy_value = value;
    return number_is_zero(value) ? &E_AMOUNT : NULL;
}

static const struct err *meaning_of_dollars(const struct parse_state *x, struct command *out)
{
    bool asks = x->question == M_APPROVAL_LIMIT;

    if (x->cap == NULL)
        return parse_refuse(x, "Say how many dollars, such as \"limit my spending to $500 per day\"");
    if (x->per_twice)
        return parse_refuse(x, "Name one time");
    if (x->per == 0 && !asks)
        return parse_refuse(x, "Say in which time: per swap, per hour, per day or per week");
    out->window_s = window_said(x);
    return add_policy(out, asks ? "approval_limit" : "spending_limit", "maxAmountUsd", x->cap->number);
}

static const struct err *meaning_of_slippage(const struct parse_state *x, struct command *out)
{
    const struct err *e = parse_slippage(x, out);
    struct ppm share = { out->slippage };

    if (e != NULL || x->slippage == NULL)
        return e;
    out->has_slippage = false;
    out->slippage = 0;
    return add_policy(out, "execution_limit", "maxSlippage", ppm_text(x->a, share));
}

static const struct err *meaning_of_leverage(const struct parse_state *x, struct command *out)
{
    const char *fold = x->perps.leverage->number;

    if (strchr(fold, '.') != NULL)
        return parse_refuse(x, "Leverage is a whole number from 1 on, such as 5x");
    return add_policy(out, "execution_limit", "maxLeverage", fold);
}

static const struct err *meaning_of_health(const struct parse_state *x, struct command *out)
{
    return add_policy(out, "execution_limit", "minHealthFactor", x->cap->number);
}

static const struct err *meaning_of_loosening(const struct parse_state *x, struct command *out)
{
    (void)out;
    return parse_refuse(x,
                        "A sentence loosens no policy: DELETE /wallet/policy/{id} ends one after 24 hours");
}

static const struct err *meaning_of_list(const struct parse_state *x, struct command *out)
{
    out->status = x->status;
    return NULL;
}

static const struct err *meaning_of_one(const struct parse_state *x, struct command *out)
{
    if (x->approval == NULL)
        return parse_refuse(x,
                            "Say which approval, by its id: ap_ and 32 hex digits, as \"show my approvals\" "
                            "lists them");
    out->approval_id = x->approval->approval_id;
    return NULL;
}

static const struct err *meaning_of_grant(const struct parse_state *x, struct command *out)
{
    (void)out;
    return parse_refuse(
        x, "The operator alone grants and denies approvals; once it is granted, say \"continue with "
           "approval ap_...\"");
}

const struct question policy_questions[] = {
    { M_POLICIES, ACTION_POLICIES, NULL },
    { M_SPENDING_LIMIT, ACTION_ADD_POLICY, meaning_of_dollars },
    { M_APPROVAL_LIMIT, ACTION_ADD_POLICY, meaning_of_dollars },
    { M_SLIPPAGE_LIMIT, ACTION_ADD_POLICY, meaning_of_slippage },
    { M_LEVERAGE_LIMIT, ACTION_ADD_POLICY, meaning_of_leverage },
    { M_HEALTH_LIMIT, ACTION_ADD_POLICY, meaning_of_health },
    { M_LOOSEN, ACTION_POLICIES, meaning_of_loosening },
    { M_APPROVALS, ACTION_APPROVALS, meaning_of_list },
    { M_APPROVAL, ACTION_APPROVAL, meaning_of_one },
    { M_RESUME, ACTION_RESUME, meaning_of_one },
    { M_GRANT, ACTION_APPROVALS, meaning_of_grant },
};
const size_t policy_questions_count = sizeof policy_questions / sizeof policy_questions[0];
