#include "perps/venue_ledger.h"

#include <jansson.h>
#include <string.h>

#include "base/json_reader.h"
#include "base/params.h"
#include "perps/number.h"

enum { ROWS_MAX = 2000, ID_LEN = 66, UNITS = 100 /* of PERPS_PLACES in one of six places */ };

/* The address of dollars in transit between the venue and Circle. */
static const char SYSTEM[] = "0x2000000000000000000000000000000000000000";

static const char *text_in(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text != NULL ? text : "";
}

static bool is_address(const json_t *delta, const char *name, const struct evm_addr *wanted)
{
    struct evm_addr there;

    return evm_addr_read(&there, text_in(delta, name)) && evm_addr_eq(there, *wanted);
}

/* Reads dollars into units; fractions of a unit are dropped. */
static bool dollars_read(struct u256 *out, struct arena *a, const json_t *delta, const char *name)
{
    const char *number = perps_number(a, delta, name);
    struct amount dollars;

    return number != NULL && perps_amount(&dollars, number) &&
           u256_div(out, NULL, dollars.raw, u256_from_u64(UNITS));
}

static bool nonce_read(uint64_t *out, const json_t *delta)
{
    return params_whole(out, text_in(delta, "nonce"));
}

/* Between the wallet and others, other places of its own, or what stands for Circle. */
static bool send_read(struct ledger_row *out, struct arena *a, const json_t *delta,
                      const struct evm_addr *user)
{
    const struct evm_addr system = evm_addr_or_zero(SYSTEM);
    bool from = is_address(delta, "user", user), to = is_address(delta, "destination", user);

    if (!from && !to)
        return false;
    if (strcmp(text_in(delta, "token"), "USDC") != 0)
        return true;
    if (to && is_address(delta, "user", &system))
        out->what = LEDGER_CREDIT;
    else if (from && is_address(delta, "destination", &system) && nonce_read(&out->nonce, delta))
        out->what = LEDGER_WITHDRAWAL;
    return out->what == LEDGER_OTHER || dollars_read(&out->amount, a, delta, "amount");
}

static bool delta_read(struct ledger_row *out, struct arena *a, const json_t *delta,
                       const struct evm_addr *user)
{
    const char *type = text_in(delta, "type");

    if (strcmp(type, "send") == 0)
        return send_read(out, a, delta, user);
    if (strcmp(type, "deposit") == 0) {
        out->what = LEDGER_CREDIT;
        return dollars_read(&out->amount, a, delta, "usdc");
    }
    if (strcmp(type, "withdraw") == 0) {
        out->what = LEDGER_WITHDRAWAL;
        return nonce_read(&out->nonce, delta) && dollars_read(&out->amount, a, delta, "usdc");
    }
    if (strcmp(type, "accountActivationGas") == 0 && strcmp(text_in(delta, "token"), "USDC") == 0) {
        out->what = LEDGER_ACTIVATION;
        return dollars_read(&out->amount, a, delta, "amount");
    }
    return true;
}

/* Rows of other types are not read, so they may have any form. */
static bool is_used(const json_t *row)
{
    static const char *const types[] = { "send", "deposit", "withdraw", "accountActivationGas" };
    const char *type = text_in(json_object_get(row, "delta"), "type");

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i]) == 0)
            return true;
    return false;
}

static bool row_read(struct ledger_row *out, struct arena *a, const json_t *row, const struct evm_addr *user)
{
    const char *id = text_in(row, "hash");
    uint64_t time;

    *out = (struct ledger_row){ .what = LEDGER_OTHER };
    if (*id == '\0' || strlen(id) > ID_LEN || !params_whole(&time, text_in(row, "time")) || time > INT64_MAX)
        return false;
    out->id = arena_strdup(a, id);
    out->time_ms = (int64_t)time;
    return delta_read(out, a, json_object_get(row, "delta"), user);
}

bool venue_ledger_read(struct arena *a, const struct buf *answer, const struct evm_addr *user,
                       struct venue_ledger *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    bool ok = json_is_array(doc) && json_array_size(doc) <= ROWS_MAX;
    const json_t *row;
    size_t i;

    *out = (struct venue_ledger){ .rows = ok ? ARENA_ARRAY(a, struct ledger_row, json_array_size(doc) + 1)
                                             : NULL };
    json_array_foreach(doc, i, row)
    {
        if (!is_used(row))
            continue;
        ok = ok && row_read(&out->rows[out->count++], a, row, user);
        if (!ok)
            break;
    }
    json_decref(doc);
    return ok;
}

bool venue_ledger_has_id(const struct venue_ledger *l, const char *id)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->rows[i].what == LEDGER_CREDIT && strcmp(l->rows[i].id, id) == 0)
            return true;
    return false;
}

bool venue_ledger_has(const struct venue_ledger *l, uint64_t nonce)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->rows[i].what == LEDGER_WITHDRAWAL && l->rows[i].nonce == nonce)
            return true;
    return false;
}

/* ---- deposits ---- */

static bool is_taken(const struct ledger_wanted *w, const char *id)
{
    for (size_t i = 0; w->taken[i] != NULL; i++)
        if (strcmp(w->taken[i], id) == 0)
            return true;
    return false;
}

static bool is_candidate(const struct ledger_wanted *w, const struct ledger_row *row)
{
    return row->what == LEDGER_CREDIT && row->time_ms >= w->since_ms &&
           u256_cmp(row->amount, w->least) >= 0 && u256_cmp(row->amount, w->most) <= 0 &&
           !is_taken(w, row->id);
}

static bool is_better(const struct ledger_wanted *w, const struct ledger_row *row,
                      const struct ledger_row *best)
{
    if (best == NULL)
        return true;
    if (u256_cmp(best->amount, w->expected) == 0)
        return false;
    return u256_cmp(row->amount, w->expected) == 0 || u256_cmp(row->amount, best->amount) > 0;
}

/* It is paid right behind the credit, and with it where that is the first that is told of. */
static struct u256 activation_of(const struct venue_ledger *l, size_t credit)
{
    if (credit + 1 < l->count && l->rows[credit + 1].what == LEDGER_ACTIVATION)
        return l->rows[credit + 1].amount;
    return credit == 1 && l->rows[0].what == LEDGER_ACTIVATION ? l->rows[0].amount : U256_ZERO;
}

const struct ledger_row *venue_ledger_credit(const struct venue_ledger *l, const struct ledger_wanted *w,
                                             struct u256 *kept)
{
    const struct ledger_row *best = NULL;

    for (size_t i = 0; i < l->count; i++)
        if (is_candidate(w, &l->rows[i]) && is_better(w, &l->rows[i], best))
            best = &l->rows[i];
    if (best != NULL)
        *kept = u256_sub_or_zero(best->amount, activation_of(l, (size_t)(best - l->rows)));
    return best;
}
