#include "operator/admin_series.h"

#include "api/endpoint/schemas.h"
#include "api/operator_call.h"
#include "webhook/deliver.h"

/* ---- parameters ---- */

struct series_in {
    const char *span;
};

static const struct param series_params[] = {
    { "span", P_TEXT, INTO(struct series_in, span), .choices = series_spans, .dflt = "hour",
      .about = "hour, day, two_days, week, month or year (13 months)" },
    { 0 },
};

/* ---- its answers ---- */

/* clang-format off */
static const struct schema chain_series_schema = { "ChainSeries", "Swaps by the chain that they leave; each list has a value for each point", FIELDS {
    { "chain",      TEXT("base"),    "The chain's key" },
    { "accepted",   NUMBERS("3"),    "Swaps that were signed and recorded" },
    { "completed",  NUMBERS("2"),    "Those that completed" },
    { "failed",     NUMBERS("1"),    "Those that failed" },
    { "volume_usd", TEXTS("150.25"), "What was given for accepted ones, where a price was known" },
    { "p50_s",      NUMBERS("6"),    "Seconds in which half of them completed; 0: none did" },
    { "p95_s",      NUMBERS("19"),   "And 95 of a hundred" },
    END } };

static const struct schema answers_schema = { "AnswerSeries", "Answers to agents", FIELDS {
    { "count",  NUMBERS("120"),  "How many" },
    { "p50_ms", NUMBERS("2"),    "Milliseconds within which half of them came, rounded up; 0: none did" },
    { "p95_ms", NUMBERS("85"),   "And 95 of a hundred" },
    { "p99_ms", NUMBERS("240"),  "And 99" },
    END } };

static const struct schema deliveries_schema = { "DeliverySeries", "Attempts to deliver webhooks", FIELDS {
    { "delivered", NUMBERS("3"), "That arrived" },
    { "retried",   NUMBERS("1"), "That will be repeated" },
    { "failed",    NUMBERS("0"), "That were the last" },
    END } };

static const struct schema series_schema = { "Series", "How the service went, on all hosts", FIELDS {
    SUCCESS,
    { "from",         TIME(A_TIME),             "When the first point begins" },
    { "step_seconds", WHOLE("60"),              "From one point to the next" },
    { "points",       WHOLE("60"),              "How many there are; the last one goes on" },
    { "chains",       LIST(chain_series_schema), "Those on which anything happened" },
    { "answers",      OBJECT(answers_schema),    "Answers" },
    { "deliveries",   OBJECT(deliveries_schema), "Deliveries" },
    END } };
/* clang-format on */

/* ---- handler ---- */

struct series_writer {
    struct json_writer *w;
    struct arena *arena;
    const struct series_report *report;
    const struct series_line *line;
};

static void sums_write(const struct series_writer *s, const char *key, enum series_metric metric,
                       unsigned place)
{
    jw_array(s->w, key);
    for (uint64_t i = 0; i < s->report->points; i++)
        jw_integer(s->w, NULL, (int64_t)series_line_sum(s->line, metric, i, place));
    jw_end(s->w);
}

/* In units of so many, rounded up. */
static void times_write(const struct series_writer *s, const char *key, enum series_metric metric,
                        unsigned permille, uint64_t unit)
{
    jw_array(s->w, key);
    for (uint64_t i = 0; i < s->report->points; i++)
        jw_integer(s->w, NULL,
                   (int64_t)((series_line_times(s->line, metric, i, permille) + unit - 1) / unit));
    jw_end(s->w);
}

static void volume_write(const struct series_writer *s)
{
    jw_array(s->w, "volume_usd");
    for (uint64_t i = 0; i < s->report->points; i++) {
        unsigned long long cents = series_line_sum(s->line, SERIES_CENTS, i, 0);

        jw_string(s->w, NULL, arena_printf(s->arena, "%llu.%02llu", cents / 100, cents % 100));
    }
    jw_end(s->w);
}

static void chain_write(const struct series_writer *s)
{
    jw_object(s->w, NULL);
    jw_string(s->w, "chain", s->line->chain);
    sums_write(s, "accepted", SERIES_ACCEPTED, 0);
    sums_write(s, "completed", SERIES_COMPLETED, 0);
    sums_write(s, "failed", SERIES_FAILED, 0);
    volume_write(s);
    times_write(s, "p50_s", SERIES_SWAP_TIMES, 500, 1);
    times_write(s, "p95_s", SERIES_SWAP_TIMES, 950, 1);
    jw_end(s->w);
}

static void answers_write(const struct series_writer *s)
{
    enum { MS = 1000 };

    jw_object(s->w, "answers");
    jw_array(s->w, "count");
    for (uint64_t i = 0; i < s->report->points; i++) {
        uint64_t n = 0;

        for (unsigned place = 0; place < SERIES_PLACES; place++)
            n += series_line_sum(s->line, SERIES_ANSWERS, i, place);
        jw_integer(s->w, NULL, (int64_t)n);
    }
    jw_end(s->w);
    times_write(s, "p50_ms", SERIES_ANSWERS, 500, MS);
    times_write(s, "p95_ms", SERIES_ANSWERS, 950, MS);
    times_write(s, "p99_ms", SERIES_ANSWERS, 990, MS);
    jw_end(s->w);
}

static struct reply *get_series(struct api_call *c, const void *arg)
{
    const struct series_in *in = arg;
    struct series_report report;
    struct series_writer s = { .arena = c->arena, .report = &report };

    if (operator_read_series(c->ctx, c->arena, in->span, &report) != NULL)
        return NULL;
    s.w = reply_open(c->rq, 200);
    jw_time(s.w, "from", report.from_ms);
    jw_integer(s.w, "step_seconds", (int64_t)report.step_s);
    jw_integer(s.w, "points", (int64_t)report.points);
    jw_array(s.w, "chains");
    for (s.line = report.lines + 1; s.line < report.lines + report.count; s.line++)
        chain_write(&s);
    jw_end(s.w);
    s.line = report.lines;
    answers_write(&s);
    jw_object(s.w, "deliveries");
    for (unsigned i = 0; delivery_outcomes[i] != NULL; i++)
        sums_write(&s, delivery_outcomes[i], SERIES_DELIVERIES, i);
    jw_end(s.w);
    return reply_close(s.w);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1_OPERATOR "/series",
        OPERATOR_ROW(TAG_OPERATOR_SERVICE),
        TAKES(series_params, struct series_in),
        .handler = get_series,
        .flags = LISTS,
        .operation = "get_series",
        .summary = "How the service went",
        .about =
            "Swaps, volume and times by chain, answers and deliveries: by the minute for two days, by the hour for thirteen months.",
        .answer = &series_schema,
    },
};

const struct endpoint_group operator_series_endpoints = { ENDPOINT_ROWS(rows) };
