#include "signer/min_output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "codec/hash.h"
#include "codec/hex.h"

/* ---- The list ---- */

static const char FIRST[] = "prices ", LAST[] = "sha256 ";

enum { LAST_LEN = sizeof LAST - 1 + 2 * HASH_LEN + 1 };

static void last_line(char out[static LAST_LEN + 1], const char *lines, size_t len)
{
    uint8_t digest[HASH_LEN];
    char hex[2 * HASH_LEN + 1];

    sha256(digest, lines, len);
    hex_encode(hex, digest, sizeof digest);
    (void)snprintf(out, LAST_LEN + 1, "%s%s\n", LAST, hex);
}

void min_output_begin(struct buf *text, int64_t now)
{
    buf_addf(text, "%s%" PRId64 "\n", FIRST, now);
}

void min_output_add(struct buf *text, uint64_t chain_id, const char *token, uint8_t decimals,
                    struct u256 price)
{
    char digits[U256_DECIMAL_LEN + 1];

    u256_decimal(digits, price);
    buf_addf(text, "%" PRIu64 " %s %u %s\n", chain_id, token, decimals, digits);
}

void min_output_end(struct buf *text)
{
    char line[LAST_LEN + 1];

    last_line(line, buf_text(text), text->len);
    buf_adds(text, line);
}

/* Cuts the last line off. */
static bool is_whole(char *text, size_t len)
{
    char line[LAST_LEN + 1];
    size_t before = len - LAST_LEN;

    if (len < LAST_LEN || memchr(text, '\0', len) != NULL)
        return false;
    last_line(line, text, before);
    if (memcmp(text + before, line, LAST_LEN) != 0)
        return false;
    text[before] = '\0';
    return true;
}

/* The text before `end`, which is skipped. NULL: `end` does not follow in this line. */
static char *next_word(char **at, char end)
{
    char *word = *at;
    size_t n = strcspn(word, " \n");

    if (n == 0 || word[n] != end)
        return NULL;
    word[n] = '\0';
    *at = word + n + 1;
    return word;
}

static bool next_number(uint64_t *out, char **at, char end, uint64_t most)
{
    const char *word = next_word(at, end);
    struct u256 v;

    return word != NULL && u256_parse(&v, word) && u256_to_u64(out, v) && *out <= most;
}

struct line {
    uint64_t chain_id;
    const char *token;
    struct min_output_price price;
};

static bool next_line(struct line *out, char **at)
{
    const char *digits;
    uint64_t decimals;

    if (!next_number(&out->chain_id, at, ' ', UINT64_MAX) || (out->token = next_word(at, ' ')) == NULL ||
        !next_number(&decimals, at, ' ', AMOUNT_MAX_DECIMALS) || (digits = next_word(at, '\n')) == NULL)
        return false;
    out->price.known = true;
    out->price.decimals = (uint8_t)decimals;
    return u256_parse(&out->price.usd, digits) && !u256_is_zero(out->price.usd);
}

static bool is_of(const struct line *l, const struct min_output_side *side)
{
    return l->chain_id == side->chain_id && strcmp(l->token, side->token) == 0;
}

bool min_output_read(int64_t *when, struct min_output_price *out, const struct min_output_side *const *sides,
                     size_t n, char *text, size_t len)
{
    char *at = text + sizeof FIRST - 1;
    uint64_t seconds;
    struct line l;

    memset(out, 0, n * sizeof *out);
    if (!is_whole(text, len) || strncmp(text, FIRST, sizeof FIRST - 1) != 0 ||
        !next_number(&seconds, &at, '\n', INT64_MAX))
        return false;
    while (*at != '\0') {
        if (!next_line(&l, &at))
            return false;
        for (size_t i = 0; i < n; i++)
            if (is_of(&l, sides[i]))
                out[i] = l.price;
    }
    *when = (int64_t)seconds;
    return true;
}

/* ---- The floor ---- */

/* A clock that was set back must not make old prices new. */
static bool is_recent(int64_t when, int64_t now, unsigned max_age_s)
{
    return when <= now + max_age_s && when >= now - (int64_t)max_age_s;
}

/* a = a * 10^n */
static bool scale_up(struct u256 *a, unsigned n)
{
    for (; n > 0; n--)
        if (!u256_mul(a, *a, u256_from_u64(10)))
            return false;
    return true;
}

/* Dollars per smallest unit need not be whole, so both sides are multiplied with what the other one would be
 * divided by: exact, and what does not fit is refused. */
static bool is_enough(const struct min_output_side *gives, const struct min_output_price *sold,
                      const struct min_output_side *brings, const struct min_output_price *bought,
                      struct ppm least)
{
    unsigned more = sold->decimals > bought->decimals ? sold->decimals - bought->decimals : 0,
             less = bought->decimals > sold->decimals ? bought->decimals - sold->decimals : 0;
    struct u256 has, needs;

    return u256_mul(&has, brings->amount, bought->usd) && u256_mul(&has, has, u256_from_u64(PPM_ONE)) &&
           scale_up(&has, more) && u256_mul(&needs, gives->amount, sold->usd) &&
           u256_mul(&needs, needs, u256_from_u64(least.value)) && scale_up(&needs, less) &&
           u256_cmp(has, needs) >= 0;
}

const char *min_output_check(const struct min_output_terms *terms, int fd,
                             const struct min_output_side *gives, const struct min_output_side *brings,
                             int64_t now)
{
    const struct min_output_side *sides[] = { gives, brings };
    struct min_output_price price[2];
    char text[FLOOR_FILE_MAX + 1];
    int64_t when;
    ssize_t n;

    if (terms->least.value == 0)
        return NULL;
    n = pread(fd, text, FLOOR_FILE_MAX, 0);
    if (n <= 0)
        return "no list of prices";
    text[n] = '\0';
    if (!min_output_read(&when, price, sides, 2, text, (size_t)n))
        return "list of prices is broken";
    if (!is_recent(when, now, terms->max_age_s))
        return "list of prices is too old";
    if (!price[0].known || !price[1].known)
        return "a token without a price";
    return is_enough(gives, &price[0], brings, &price[1], terms->least) ? NULL
                                                                        : "minimum is worth too little";
}
