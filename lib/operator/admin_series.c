#include "operator/admin_series.h"

#include <inttypes.h>
#include <string.h>

#include "chain/chains.h"
#include "codec/rand.h"
#include "exec/outcome.h"
#include "store/series_counts.h"
#include "webhook/deliver.h"

/* ---- folding ---- */

enum { CHAINS_MAX = 32, COUNTS_MAX = CHAINS_MAX * (4 + SERIES_PLACES) + 2 * SERIES_PLACES };

struct tally {
    struct series_count counts[COUNTS_MAX];
    unsigned n;
};

static void tally_add(struct tally *t, enum series_metric metric, uint64_t chain_id, unsigned place,
                      uint64_t n)
{
    if (n > 0 && t->n < COUNTS_MAX)
        t->counts[t->n++] = (struct series_count){ metric, chain_id, place, n };
}

static void tally_times(struct tally *t, enum series_metric metric, uint64_t chain_id, struct metric f)
{
    for (unsigned i = 0; i < SERIES_PLACES; i++)
        tally_add(t, metric, chain_id, i, metric_bucket(f, i));
}

/* Reads the present counters of this host. */
static void tally_read(struct tally *t)
{
    t->n = 0;
    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        tally_add(t, SERIES_ACCEPTED, c->id, 0, metric_read(METRIC("swaps_accepted_total", c->key)));
        tally_add(t, SERIES_COMPLETED, c->id, 0, metric_read(METRIC("swaps_completed_total", c->key)));
        tally_add(t, SERIES_FAILED, c->id, 0, metric_read(METRIC("swaps_failed_total", c->key)));
        tally_add(t, SERIES_CENTS, c->id, 0, metric_read(METRIC("swap_cents", c->key)));
        tally_times(t, SERIES_SWAP_TIMES, c->id, METRIC("swap_seconds", c->key));
    }
    tally_times(t, SERIES_ANSWERS, 0, METRIC("answers"));
    for (unsigned i = 0; delivery_outcomes[i] != NULL; i++)
        tally_add(t, SERIES_DELIVERIES, 0, i,
                  metric_read(METRIC("webhook_attempts_total", delivery_outcomes[i])));
}

bool operator_fold_series(const struct ctx *ctx)
{
    struct tally t;
    uint64_t fresh, source;

    rand_bytes(&fresh, sizeof fresh);
    source = metrics_source(fresh | 1); /* never 0 */
    tally_read(&t);
    return source == 0 || series_add(ctx->db, source, t.counts, t.n);
}

/* ---- reading ---- */

enum { MINUTE_S = 60, HOUR_S = 3600 };

const char *const series_spans[] = { "hour", "day", "two_days", "week", "month", "year", NULL };
/* In their order: so many points of so many slots. */
static const struct {
    enum series_grain grain;
    uint64_t step, points;
} spans[] = {
    { SERIES_MINUTES, 1, 60 }, { SERIES_MINUTES, 15, 96 }, { SERIES_MINUTES, 30, 96 },
    { SERIES_HOURS, 2, 84 },   { SERIES_HOURS, 8, 90 },    { SERIES_HOURS, 96, 100 },
};

struct reading {
    struct arena *arena;
    struct series_line *lines;
    size_t count;
    uint64_t points;
};

static struct series_line *line_of(struct reading *r, uint64_t chain_id)
{
    const struct chain *c = chain_by_id(chain_id);

    for (size_t i = 0; i < r->count; i++)
        if (r->lines[i].chain_id == chain_id)
            return &r->lines[i];
    r->lines = arena_grow(r->arena, r->lines, r->count, sizeof *r->lines);
    r->lines[r->count] =
        (struct series_line){ .chain_id = chain_id,
                              .chain = c != NULL ? c->key : arena_printf(r->arena, "%" PRIu64, chain_id) };
    return &r->lines[r->count++];
}

static void sum_take(struct reading *r, enum series_metric metric, const struct series_sum *s)
{
    struct series_line *l = line_of(r, s->chain_id);
    uint64_t *sums = (uint64_t *)(uintptr_t)l->sums[metric];
    size_t n = r->points * SERIES_PLACES;

    if (s->point >= r->points || s->place >= SERIES_PLACES)
        return;
    if (sums == NULL) {
        sums = ARENA_ARRAY(r->arena, uint64_t, n);
        memset(sums, 0, n * sizeof *sums);
        l->sums[metric] = sums;
    }
    sums[s->point * SERIES_PLACES + s->place] += s->n;
}

static bool series_metric_read(const struct ctx *ctx, struct reading *r, struct series_asked *asked)
{
    struct series_sum *list;
    int n = series_read(ctx->db, r->arena, asked, &list);

    for (int i = 0; i < n; i++)
        sum_take(r, asked->metric, &list[i]);
    return n >= 0;
}

const char *operator_read_series(const struct ctx *ctx, struct arena *a, const char *span,
                                 struct series_report *out)
{
    struct reading r = { .arena = a };
    struct series_asked asked;
    uint64_t slot_s, now;
    int64_t now_ms;
    size_t i = 0;

    while (i < sizeof spans / sizeof spans[0] - 1 && strcmp(series_spans[i], span) != 0)
        i++;
    if (!db_clock_ms(ctx->db, &now_ms))
        return OPERATOR_DATABASE_FAILED;
    slot_s = spans[i].grain == SERIES_MINUTES ? MINUTE_S : HOUR_S;
    now = (uint64_t)now_ms / 1000 / slot_s;
    r.points = spans[i].points;
    asked = (struct series_asked){ .grain = spans[i].grain, .step = spans[i].step };
    asked.until = (now / asked.step + 1) * asked.step;
    asked.from = asked.until - r.points * asked.step;
    (void)line_of(&r, 0);
    for (asked.metric = SERIES_ACCEPTED; asked.metric < SERIES_METRICS; asked.metric++)
        if (!series_metric_read(ctx, &r, &asked))
            return OPERATOR_DATABASE_FAILED;
    *out = (struct series_report){ asked.step * slot_s, r.points, (int64_t)(asked.from * slot_s) * 1000,
                                   r.lines, r.count };
    return NULL;
}

uint64_t series_line_sum(const struct series_line *l, enum series_metric metric, uint64_t point,
                         unsigned place)
{
    return l->sums[metric] == NULL ? 0 : l->sums[metric][point * SERIES_PLACES + place];
}

uint64_t series_line_times(const struct series_line *l, enum series_metric metric, uint64_t point,
                           unsigned permille)
{
    return l->sums[metric] == NULL
               ? 0
               : series_percentile(l->sums[metric] + point * SERIES_PLACES,
                                   metric == SERIES_ANSWERS ? series_answer_scale : swap_scale, permille);
}
