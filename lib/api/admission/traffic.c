#include "api/admission/traffic.h"

#include <string.h>

#include "model/series.h"

const char *const traffic_codes[] = { "200", "201", "400", "401", "403",   "404",
                                      "409", "429", "500", "503", "other", NULL };

metric_scale traffic_scale = { 5000, 50000, 250000, 1000000, 5000000 };

static const char *code_of(int status)
{
    const char text[] = { (char)('0' + status / 100), (char)('0' + status / 10 % 10),
                          (char)('0' + status % 10), '\0' };
    const char *const *code = traffic_codes;

    while (strcmp(*code, "other") != 0 && strcmp(*code, text) != 0)
        code++;
    return *code;
}

struct metric traffic_answers(const struct endpoint *row, const char *code)
{
    return row == NULL ? METRIC("requests_total", "", "", code)
                       : METRIC("requests_total", method_text(row->method), row->path, code);
}

struct metric traffic_times(const struct endpoint *row)
{
    return row == NULL ? METRIC("request_seconds", "", "")
                       : METRIC("request_seconds", method_text(row->method), row->path);
}

void traffic_count(const struct endpoint *row, int status, uint64_t took_us)
{
    metric_add(traffic_answers(row, code_of(status)), 1);
    metric_observe(traffic_times(row), traffic_scale, took_us);
    if (row != NULL && row->limit != LIMIT_NONE) /* neither monitors nor the operator */
        metric_observe(METRIC("answers"), series_answer_scale, took_us);
}
