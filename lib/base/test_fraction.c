#include "base/fraction.c"
#include "base/test.h"

static void numbers_from_zero_to_one(void)
{
    static const struct {
        const char *json;
        bool ok;
        uint32_t ppm;
    } rows[] = {
        { "0", true, 0 },
        { "1", true, 1000000 },
        { "0.0", true, 0 },
        { "1.0", true, 1000000 },
        { "0.03", true, 30000 },
        { "0.000001", true, 1 },
        { "0.0000005", true, 0 },
        { "0.0000019", true, 1 },
        { "0.29", true, 290000 },     /* 0.29 * 1e6 is 289999.99… */
        { "0.999999", true, 999999 }, /* and never beyond one */
        { "0.9999999", true, 999999 },
        { "5e-1", true, 500000 },
        { "1e-400", true, 0 },
        { "-0.0", true, 0 },
        { "-0.000001", false, 0 },
        { "-1", false, 0 },
        { "1.0000000001", false, 0 },
        { "2", false, 0 },
        { "1e308", false, 0 },
        { "9223372036854775807", false, 0 },
        { "\"0.5\"", false, 0 },
        { "null", false, 0 },
        { "true", false, 0 },
        { "[0.5]", false, 0 },
        { "{\"v\":0.5}", false, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *v = json_loads(rows[i].json, JSON_DECODE_ANY, NULL);
        uint32_t ppm = 7;

        CHECK(fraction_ppm(&ppm, v) == rows[i].ok);
        CHECK(ppm == (rows[i].ok ? rows[i].ppm : 7));
        json_decref(v);
    }
    CHECK(!fraction_ppm(&(uint32_t){ 0 }, NULL));
}

static void every_millionth_goes_through(void)
{
    for (uint32_t want = 0; want <= 1000000; want += 37) {
        char text[16];
        json_t *v;
        uint32_t got = 0;

        snprintf(text, sizeof text, "%u.%06u", want / 1000000, want % 1000000);
        v = json_loads(text, JSON_DECODE_ANY, NULL);
        CHECK(fraction_ppm(&got, v) && got == want);
        json_decref(v);
    }
}

TEST_MAIN(TEST(numbers_from_zero_to_one), TEST(every_millionth_goes_through))
