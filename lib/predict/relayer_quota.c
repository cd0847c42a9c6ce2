#include "predict/relayer_quota.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/json_numbers.h"
#include "codec/hash.h"
#include "codec/hex.h"
#include "exec/cached_answer.h"
#include "net/venues.h"

enum {
    DAY_S = 24 * 3600,
    UNTOLD_S = 30, /* where it does not say: it takes 25 a minute */
    DIGITS_MAX = 9,
};

static const char QUESTION[] = "relayer quota";

unsigned relayer_quota_wait(const struct buf *answer)
{
    static const char before[] = "resets in ";
    json_t *doc = json_read_texts(answer->data, answer->len);
    const char *text = json_string_value(json_object_get(doc, "error"));
    const char *at = text == NULL ? NULL : strcasestr(text, before);
    unsigned long seconds = 0;
    size_t digits;

    if (at != NULL) {
        at += strlen(before);
        digits = strspn(at, "0123456789");
        seconds = digits == 0 ? 0 : digits > DIGITS_MAX ? DAY_S : strtoul(at, NULL, 10);
    }
    json_decref(doc);
    return seconds == 0 ? UNTOLD_S : seconds > DAY_S ? DAY_S : (unsigned)seconds;
}

/* A key is no text to keep. */
static void key_text(char out[static 2 * HASH_LEN + 1], const struct relayer_key *key)
{
    uint8_t hash[HASH_LEN];

    keccak256(hash, (const uint8_t *)key->key, strlen(key->key));
    hex_encode(out, hash, sizeof hash);
}

void relayer_quota_note(const struct ctx *ctx, struct arena *a, unsigned seconds)
{
    char key[2 * HASH_LEN + 1];

    key_text(key, ctx->relayer_key);
    log_repeated("relayer_quota", "", "msg=\"the relayer takes nothing more of this key for now\" seconds=%u",
                 seconds);
    (void)cached_answer_note(
        ctx->db, QUESTION,
        arena_printf(a, "{\"until\":%" PRId64 ",\"key\":\"%s\"}", clock_ms() + (int64_t)seconds * 1000, key));
}

int64_t relayer_quota_until(struct db *db, struct arena *a, const struct relayer_key *key)
{
    struct upstream_last last = { .text = NULL };
    char wanted[2 * HASH_LEN + 1] = "";
    int64_t until = 0, now = clock_ms(), db_now;
    const char *of;
    json_t *doc;

    sha256(last.question, QUESTION, strlen(QUESTION));
    if (!upstream_cache_last(db, a, &last, 1, &db_now) || last.text == NULL)
        return 0;
    if (key != NULL)
        key_text(wanted, key);
    doc = json_loads(last.text, 0, NULL);
    of = json_string_value(json_object_get(doc, "key"));
    if (of != NULL && (key == NULL || strcmp(of, wanted) == 0))
        until = json_integer_value(json_object_get(doc, "until"));
    json_decref(doc);
    return until > now && until <= now + (int64_t)DAY_S * 1000 ? until : 0;
}

const struct err *relayer_quota_check(const struct ctx *ctx, struct arena *a, int64_t deadline,
                                      const struct err *failure)
{
    int64_t until = relayer_quota_until(ctx->db, a, ctx->relayer_key) / 1000;
    const struct err *e = venue_check(a, VENUE_RELAYER);

    if (e != NULL)
        return e;
    if (until == 0 || until < deadline)
        return NULL;
    return err_wait(a, failure, (unsigned)(until - clock_seconds() + 1),
                    "Nothing was signed or paid: the venue's relayer takes no more of this service for now, "
                    "as its quota is used up; repeat it after Retry-After");
}
