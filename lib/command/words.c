#include "command/words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "chain/address.h"
#include "command/names.h"
#include "command/written_number.h"
#include "model/amount.h"
#include "model/approval.h"
#include "model/quote.h"

enum { HASH_TEXT_LEN = 2 + 64, CLOID_TEXT_LEN = 2 + 32, CENT_PLACES = 2 };
/* In lower case are names, with a "w" before those of what is wrapped, and ids of quotes and approvals, which
 * are longer. */
enum { LOWER_MAX = APPROVAL_ID_TEXT_LEN };
_Static_assert((int)LOWER_MAX >= (int)QUOTE_ID_TEXT_LEN, "both kinds of ids fit");
_Static_assert((int)LOWER_MAX > (int)SPOKEN_NAME_MAX, "a wrapped name fits");

enum unit { NO_UNIT, PER_CENT, BASIS_POINTS, DOLLAR_SIGN, DOLLAR_WORD, HUNDREDTHS, TIMES };

/* A word on the way: unit and marks are settled once its neighbours are known. */
struct raw {
    const char *text;
    size_t len;
    const char *number; /* in the arena */
    bool digits_alone;
    enum unit unit;
    bool wrapped;               /* two words, with the symbol in `lower` */
    bool quote_id, approval_id; /* in `lower` */
    bool hash, cloid;           /* "0x" and 64 or 32 hex digits */
    const char *address;        /* in the arena */
    char lower[LOWER_MAX + 1];  /* of a word; cut where it is longer than names are, and then none */
};

struct scan {
    struct arena *a;
    const char *s; /* what is left */
    struct raw raw[WORDS_MAX];
    unsigned count;
    bool asks;
    bool aside;           /* within parentheses */
    unsigned aside_since; /* the number of words before them */
    const char *fault;
};

/* ---- characters ---- */

static size_t starts_with_one_of(const char *s, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strncmp(s, list[i], strlen(list[i])) == 0)
            return strlen(list[i]);
    return 0;
}

#define ONE_OF(s, list) starts_with_one_of((s), (list), sizeof(list) / sizeof((list)[0]))

static size_t blank(const char *s)
{
    /* the no-break space, those of several widths, the ideographic one */
    static const char *const wide[] = {
        "\xc2\xa0",     "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82", "\xe2\x80\x83",
        "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88",
        "\xe2\x80\x89", "\xe2\x80\x8a", "\xe2\x80\xaf", "\xe3\x80\x80",
    };

    return *s == ' ' || *s == '\t' || *s == '\n' || *s == '\r' ? 1 : ONE_OF(s, wide);
}

static size_t arrow(const char *s)
{
    static const char *const signs[] = { "\xe2\x86\x92", "\xe2\x87\x92", "\xe2\x9f\xb6", "->", "=>" };
    size_t shaft = *s == '-' ? strspn(s, "-") : strspn(s, "=");

    return shaft > 0 && s[shaft] == '>' ? shaft + 1 : ONE_OF(s, signs);
}

static size_t apostrophe(const char *s)
{
    return *s == '\'' ? 1 : strncmp(s, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

static bool char_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool char_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool char_is_alnum(char c)
{
    return char_is_digit(c) || char_is_letter(c);
}

static void skip_blanks(struct scan *sc)
{
    for (size_t n; (n = blank(sc->s)) > 0; sc->s += n)
        ;
}

/* ---- one word at a time ---- */

static struct raw *raw_add(struct scan *sc, size_t len)
{
    struct raw *w = &sc->raw[sc->count];

    if (sc->count == WORDS_MAX) {
        sc->fault = "The command has too many words";
        return NULL;
    }
    sc->count++;
    *w = (struct raw){ .text = sc->s, .len = len };
    sc->s += len;
    return w;
}

static void add_sign(struct scan *sc, size_t len, const char *name)
{
    struct raw *w = raw_add(sc, len);

    if (w != NULL)
        memcpy(w->lower, name, strlen(name) + 1);
}

/* Letters and digits, with points and apostrophes between them: USDC.e, what's. */
static void add_word(struct scan *sc)
{
    char lower[SPOKEN_NAME_MAX + 1];
    size_t n = 0, kept = 0;
    struct raw *w;

    for (;;) {
        size_t quote = apostrophe(sc->s + n);

        if (quote > 0 && char_is_letter(sc->s[n + quote])) {
            lower[kept] = '\'';
            n += quote;
        } else if (char_is_alnum(sc->s[n]) || (sc->s[n] == '.' && char_is_alnum(sc->s[n + 1]))) {
            lower[kept] = (char)tolower((unsigned char)sc->s[n++]);
        } else {
            break;
        }
        kept += kept < SPOKEN_NAME_MAX;
    }
    w = raw_add(sc, n);
    if (w == NULL || kept == SPOKEN_NAME_MAX)
        return;
    lower[kept] = '\0';
    memcpy(w->lower, lower, kept + 1);
}

/* Ids with a prefix: q_ of quotes, ap_ of approvals. */
static bool id_starts(const char *s, const char *prefix)
{
    return strncasecmp(s, prefix, strlen(prefix)) == 0;
}

static void add_id(struct scan *sc, bool approval)
{
    size_t n = 0, len = approval ? APPROVAL_ID_TEXT_LEN : QUOTE_ID_TEXT_LEN;
    char lower[LOWER_MAX + 1] = "";
    struct uuid id;
    struct raw *w;

    while (char_is_alnum(sc->s[n]) || sc->s[n] == '_')
        n++;
    for (size_t i = 0; i < n && i < len; i++)
        lower[i] = (char)tolower((unsigned char)sc->s[i]);
    if (n != len || !(approval ? approval_id_parse(&id, lower) : quote_id_parse(&id, lower))) {
        sc->fault = approval ? "An approval's id is ap_ and 32 hex digits, as the approval has it"
                             : "A quote's id is q_ and 32 hex digits, as the quote has it";
        return;
    }
    w = raw_add(sc, n);
    if (w == NULL)
        return;
    memcpy(w->lower, lower, sizeof lower);
    w->quote_id = !approval;
    w->approval_id = approval;
}

/* The length of an order's id, "0x" and 64 or 32 hex digits; 0: there is none. Others of that form are no
 * numbers either. */
static size_t hash_starts(const char *s)
{
    size_t n = 2;

    if (s[0] != '0' || (s[1] != 'x' && s[1] != 'X'))
        return 0;
    while (char_is_digit(s[n]) || (char_is_letter(s[n]) && (s[n] | 0x20) <= 'f'))
        n++;
    return (n == HASH_TEXT_LEN || n == CLOID_TEXT_LEN) && !char_is_alnum(s[n]) ? n : 0;
}

static void add_hash(struct scan *sc)
{
    size_t len = hash_starts(sc->s);
    struct raw *w = raw_add(sc, len);

    if (w == NULL)
        return;
    w->hash = len == HASH_TEXT_LEN;
    w->cloid = len == CLOID_TEXT_LEN;
}

/* An account's address, as its chains write it; NULL: there is none. */
static const char *address_at(struct arena *a, const char *s, size_t *len)
{
    static const enum chain_type types[] = { CHAIN_EVM, CHAIN_SOLANA };
    char canonical[WALLET_ADDR_MAX];
    const char *text;

    *len = 0;
    while (char_is_alnum(s[*len]))
        ++*len;
    if (*len <= SPOKEN_NAME_MAX || *len >= WALLET_ADDR_MAX)
        return NULL;
    text = arena_strndup(a, s, *len);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (address_canonical(canonical, types[i], text))
            return arena_strdup(a, canonical);
    return NULL;
}

static bool add_address(struct scan *sc)
{
    size_t len;
    const char *address = address_at(sc->a, sc->s, &len);
    struct raw *w = address != NULL ? raw_add(sc, len) : NULL;

    if (w != NULL)
        w->address = address;
    return address != NULL;
}

/* "k" and "m", where nothing else can be meant: 5k, 5kUSDC, but neither 5mETH (thousandths?) nor 5MATIC. */
static unsigned suffix_shift(const char *s)
{
    char lower[SPOKEN_NAME_MAX + 1];
    const struct chain *chain;
    size_t n = 0;

    for (; n < SPOKEN_NAME_MAX && (char_is_alnum(s[n]) || (s[n] == '.' && char_is_alnum(s[n + 1]))); n++)
        lower[n] = (char)tolower((unsigned char)s[n]);
    if (n == 0 || (lower[0] != 'k' && lower[0] != 'm'))
        return 0;
    if (n == 1)
        return lower[0] == 'k' ? 3 : 6;
    return lower[0] == 'k' && !names_find(lower, n, &chain) && names_find(lower + 1, n - 1, &chain) ? 3 : 0;
}

/* "5x": a letter that touches its number and nothing else. */
static size_t times_sign(const char *s)
{
    static const char *const signs[] = { "x", "X", "\xc3\x97" };
    size_t n = ONE_OF(s, signs);

    return n > 0 && !char_is_alnum(s[n]) ? n : 0;
}

/* The unit that stands behind a number, as a sign; *len is how far it reaches. */
static enum unit unit_behind(const char *s, size_t *len)
{
    const char *from = s;

    *len = times_sign(s);
    if (*len > 0)
        return TIMES;
    for (size_t n; (n = blank(s)) > 0; s += n)
        ;
    *len = (size_t)(s - from) + 1;
    if (*s == '%')
        return PER_CENT;
    return *s == '$' && !char_is_alnum(s[1]) && s[1] != '.' ? DOLLAR_SIGN : NO_UNIT;
}

static bool all_digits(const char *s, size_t n)
{
    while (n > 0 && char_is_digit(s[n - 1]))
        n--;
    return n == 0;
}

static void add_number(struct scan *sc, enum unit unit)
{
    size_t span = number_span(sc->s), len;
    unsigned shift = suffix_shift(sc->s + span);
    char plain[NUMBER_MAX + 1];
    struct raw *w;

    if (!number_plain(plain, sc->s, span, shift)) {
        sc->fault = arena_printf(sc->a, "%.*s is not a number that can be read in one way only",
                                 (int)(span < 40 ? span : 40), sc->s);
        return;
    }
    w = raw_add(sc, span);
    if (w == NULL)
        return;
    w->number = arena_strdup(sc->a, plain);
    w->digits_alone = shift == 0 && all_digits(w->text, span);
    w->unit = unit;
    w->len += shift > 0;
    sc->s += shift > 0;
    if (unit == NO_UNIT && (w->unit = unit_behind(sc->s, &len)) != NO_UNIT)
        sc->s += len;
}

/* "0x" and "1inch" are names. */
static bool digit_name_starts(const char *s)
{
    char lower[SPOKEN_NAME_MAX + 1];
    size_t n = 0;

    for (; n < SPOKEN_NAME_MAX && char_is_alnum(s[n]); n++)
        lower[n] = (char)tolower((unsigned char)s[n]);
    return char_is_digit(*s) && names_provider(lower, n) != NULL;
}

static bool number_starts(const char *s)
{
    return char_is_digit(*s) || (*s == '.' && char_is_digit(s[1]));
}

/* "$5"; of the letters before a dollar sign only US is the right dollar. */
static void add_dollars(struct scan *sc)
{
    const struct raw *before = sc->count > 0 ? &sc->raw[sc->count - 1] : NULL;
    bool touches = before != NULL && before->text + before->len == sc->s;

    if (touches && strcmp(before->lower, "us") == 0)
        sc->count--;
    else if (touches && char_is_alnum(sc->s[-1]))
        sc->fault = "Only US dollars are known";
    sc->s++;
    skip_blanks(sc);
    if (number_starts(sc->s))
        add_number(sc, DOLLAR_SIGN);
    else
        sc->fault = "A dollar sign belongs to a number, such as $100";
}

/* "cold-2", "cold_2" */
static bool joins_names(const struct scan *sc)
{
    return sc->count > 0 && (*sc->s == '-' || *sc->s == '_') && char_is_alnum(sc->s[-1]) &&
           char_is_alnum(sc->s[1]);
}

/* The end of a sentence; what stands at the very end says nothing else. */
static void add_stop(struct scan *sc)
{
    size_t n = strspn(sc->s, ".!?");

    sc->asks = sc->asks || memchr(sc->s, '?', n) != NULL;
    add_sign(sc, n, ".");
}

/* An aside in parentheses is read like the rest of the sentence. A number alone in them may be a negative
 * one. */
static void add_parenthesis(struct scan *sc)
{
    const struct raw *within = &sc->raw[sc->aside_since];
    bool opens = *sc->s++ == '(';

    if (opens == sc->aside)
        sc->fault = "Parentheses come in pairs, and not within each other";
    else if (!opens && sc->count == sc->aside_since + 1 && within->number != NULL && within->unit == NO_UNIT)
        sc->fault = "A number alone in parentheses can be read in more than one way";
    sc->aside = opens;
    sc->aside_since = sc->count;
}

/* "swap: 1 ETH to USDC"; "slippage:1%" and "12:30" are for the rules. */
static bool colon_separates(const struct scan *sc)
{
    return *sc->s == ':' && blank(sc->s + 1) > 0 && sc->count > 0 && sc->raw[sc->count - 1].number == NULL &&
           sc->raw[sc->count - 1].text + sc->raw[sc->count - 1].len == sc->s && char_is_alnum(sc->s[-1]);
}

static const char *unknown_sign(struct arena *a, const char *s)
{
    if (*s > ' ' && *s <= '~')
        return arena_printf(a, "The sign %c is not understood here", *s);
    return "Only plain letters, digits and punctuation are understood";
}

static void add_other(struct scan *sc)
{
    size_t n = arrow(sc->s);
    char sign[2] = { *sc->s, '\0' };

    if (n > 0)
        add_sign(sc, n, "->");
    else if (*sc->s == '$')
        add_dollars(sc);
    else if (strchr(".!?", *sc->s) != NULL)
        add_stop(sc);
    else if (*sc->s == '(' || *sc->s == ')')
        add_parenthesis(sc);
    else if (colon_separates(sc))
        sc->s++;
    else if (strchr(",#:=@", *sc->s) != NULL || joins_names(sc))
        add_sign(sc, 1, sign);
    else
        sc->fault = unknown_sign(sc->a, sc->s);
}

static void words_scan(struct scan *sc)
{
    for (skip_blanks(sc); *sc->s != '\0' && sc->fault == NULL; skip_blanks(sc)) {
        if (hash_starts(sc->s) > 0)
            add_hash(sc);
        else if (add_address(sc))
            continue;
        else if (digit_name_starts(sc->s))
            add_word(sc);
        else if (number_starts(sc->s))
            add_number(sc, NO_UNIT);
        else if (id_starts(sc->s, "q_"))
            add_id(sc, false);
        else if (id_starts(sc->s, "ap_"))
            add_id(sc, true);
        else if (char_is_letter(*sc->s))
            add_word(sc);
        else
            add_other(sc);
    }
    if (sc->aside && sc->fault == NULL)
        sc->fault = "Parentheses come in pairs, and not within each other";
    if (sc->count > 0 && strcmp(sc->raw[sc->count - 1].lower, ".") == 0)
        sc->count--;
}

/* ---- units that are words ---- */

static bool raw_is(const struct scan *sc, unsigned i, const char *word)
{
    return i < sc->count && strcmp(sc->raw[i].lower, word) == 0;
}

static bool dollars_at(const struct scan *sc, unsigned i)
{
    return raw_is(sc, i, "usd") || raw_is(sc, i, "dollar") || raw_is(sc, i, "dollars");
}

/* "40 cents", "40c" */
static bool cents_at(const struct scan *sc, unsigned i)
{
    return raw_is(sc, i, "cents") || raw_is(sc, i, "cent") ||
           (raw_is(sc, i, "c") && sc->raw[i - 1].text + sc->raw[i - 1].len == sc->raw[i].text);
}

/* The number of words from `i`, which is not the first, on that name a unit; 0: none. */
static unsigned unit_words(const struct scan *sc, unsigned i, enum unit *unit)
{
    *unit = PER_CENT;
    if (raw_is(sc, i, "percent") || raw_is(sc, i, "pct"))
        return 1;
    if (raw_is(sc, i, "per") && raw_is(sc, i + 1, "cent"))
        return 2;
    *unit = BASIS_POINTS;
    if (raw_is(sc, i, "bps") || raw_is(sc, i, "bp"))
        return 1;
    if (raw_is(sc, i, "basis") && raw_is(sc, i + 1, "points"))
        return 2;
    *unit = HUNDREDTHS;
    if (cents_at(sc, i))
        return 1;
    *unit = DOLLAR_WORD;
    if (dollars_at(sc, i))
        return 1;
    return raw_is(sc, i, "us") && dollars_at(sc, i + 1) ? 2 : 0;
}

static void cents_to_dollars(struct scan *sc, struct raw *w)
{
    struct amount cents;

    if (amount_parse(&cents, w->number, AMOUNT_MAX_DECIMALS - CENT_PLACES) != AMOUNT_FINE) {
        sc->fault = "Not so many places of a cent";
        return;
    }
    w->number = amount_text(sc->a, (struct amount){ cents.raw, AMOUNT_MAX_DECIMALS });
}

static void join_units(struct scan *sc)
{
    unsigned kept = 0, n;
    enum unit unit;

    for (unsigned i = 0; i < sc->count; i += 1 + n) {
        struct raw *w = &sc->raw[kept++];

        n = 0;
        if (raw_is(sc, i, "usd") && i + 1 < sc->count && sc->raw[i + 1].number != NULL &&
            sc->raw[i + 1].unit == NO_UNIT) { /* USD 100 */
            *w = sc->raw[++i];
            w->unit = DOLLAR_WORD;
            continue;
        }
        if (w != &sc->raw[i])
            *w = sc->raw[i];
        if (w->number == NULL)
            continue;
        n = unit_words(sc, i + 1, &unit);
        if (w->unit == NO_UNIT && n > 0)
            w->unit = unit;
        else if (w->unit != DOLLAR_SIGN || unit != DOLLAR_WORD)
            n = 0;
        if (w->unit == HUNDREDTHS)
            cents_to_dollars(sc, w);
    }
    sc->count = kept;
}

/* ---- tokens that bear the name of the wrapped one ---- */

/* "wrapped bitcoin" is WBTC, in one word. */
static bool join_wrapped_pair(struct raw *w, const struct raw *wrapped)
{
    const char *coin = names_coin(wrapped->lower, strlen(wrapped->lower));
    const char *name = coin != NULL ? coin : wrapped->lower;
    char symbol[LOWER_MAX + 1] = "w";
    size_t n = 1;
    const struct chain *chain;

    for (; name[n - 1] != '\0' && n < LOWER_MAX; n++)
        symbol[n] = (char)tolower((unsigned char)name[n - 1]);
    if (n == 1 || !names_find(symbol, n, &chain))
        return false;
    w->len = (size_t)(wrapped->text + wrapped->len - w->text);
    w->wrapped = true;
    memcpy(w->lower, symbol, n + 1);
    return true;
}

static void join_wrapped(struct scan *sc)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < sc->count; i++) {
        bool joined =
            raw_is(sc, i, "wrapped") && i + 1 < sc->count && join_wrapped_pair(&sc->raw[i], &sc->raw[i + 1]);

        if (kept != i)
            sc->raw[kept] = sc->raw[i];
        kept++;
        i += joined;
    }
    sc->count = kept;
}

/* ---- lenders that are called by their version ---- */

/* The number of words from `i` on that name a lender: "aave v3", "aave-v3", "morpho blue"; 0: it is none, or
 * only one word. */
static unsigned lender_words(const struct scan *sc, unsigned i)
{
    unsigned next = i + (raw_is(sc, i + 1, "-") ? 2 : 1);

    if (raw_is(sc, i, "aave") && raw_is(sc, next, "v3"))
        return next + 1 - i;
    return raw_is(sc, i, "morpho") && raw_is(sc, i + 1, "blue") ? 2 : 0;
}

static void join_lenders(struct scan *sc)
{
    unsigned kept = 0, n;

    for (unsigned i = 0; i<sc->count; i += n> 0 ? n : 1) {
        n = lender_words(sc, i);
        if (n > 0)
            sc->raw[i].len = (size_t)(sc->raw[i + n - 1].text + sc->raw[i + n - 1].len - sc->raw[i].text);
        sc->raw[kept++] = sc->raw[i];
    }
    sc->count = kept;
}

/* ---- values of each ---- */

static void number_kinds(struct kinds *k, const struct raw *w)
{
    static const enum kind of_unit[] = {
        [NO_UNIT] = NUM,      [PER_CENT] = PCT,     [BASIS_POINTS] = BPS, [DOLLAR_SIGN] = USD,
        [DOLLAR_WORD] = USDW, [HUNDREDTHS] = CENTS, [TIMES] = X,
    };

    kinds_add(k, of_unit[w->unit]);
    if (w->unit == NO_UNIT && w->digits_alone)
        kinds_add(k, ID);
}

static void name_kinds(struct kinds *k, bool token, const struct chain *chain)
{
    kinds_add(k, FREE);
    if (token || chain == NULL)
        kinds_add(k, TOKEN);
    if (chain != NULL || !token)
        kinds_add(k, CHAIN);
    if (chain != NULL && !token)
        kinds_add(k, NET);
}

static void word_kinds(struct kinds *k, const struct raw *w, struct word *out)
{
    size_t len = strlen(w->lower);
    unsigned literal = len == 0 ? 0 : grammar_kind(w->lower, len);
    bool token = names_find(w->lower, len, &out->chain);
    const char *meant =
        literal != 0 || token || out->chain != NULL || len == 0 ? NULL : names_slip(w->lower, len);

    if (meant != NULL) {
        literal = grammar_kind(meant, strlen(meant));
        out->chain = literal == 0 ? chain_find(meant) : NULL;
    }
    if (literal != 0)
        kinds_add(k, literal);
    out->lender = names_lender(w->lower, len);
    if (out->lender != NULL) {
        kinds_add(k, LENDER);
        kinds_add(k, TOKEN);                                      /* it is called so too */
    } else if (len > 0 && (literal == 0 || out->chain != NULL)) { /* "mainnet" is both */
        name_kinds(k, token, out->chain);
    }
    out->provider = names_provider(w->lower, len);
    if (out->provider != NULL)
        kinds_add(k, MAKER);
    out->asset = names_asset(w->lower, len);
    out->coin = names_coin(w->lower, len);
    if (out->coin != NULL)
        kinds_add(k, COIN);
}

static const char *text_in_lower_case(struct arena *a, const struct raw *w)
{
    char *out = arena_strndup(a, w->text, w->len);

    for (char *p = out; *p != '\0'; p++)
        *p = (char)tolower((unsigned char)*p);
    return out;
}

static void find_kinds(struct kinds *k, const struct raw *w, struct arena *a, struct word *out)
{
    if (w->number != NULL) {
        number_kinds(k, w);
    } else if (w->quote_id) {
        out->quote_id = arena_strdup(a, w->lower);
        kinds_add(k, QUOTE);
    } else if (w->approval_id) {
        out->approval_id = arena_strdup(a, w->lower);
        kinds_add(k, APPROVAL);
    } else if (w->hash) {
        out->hash = text_in_lower_case(a, w);
        kinds_add(k, HASH);
    } else if (w->cloid) {
        out->cloid = text_in_lower_case(a, w);
        kinds_add(k, CLOID);
    } else if (w->address != NULL) {
        out->address = w->address;
        kinds_add(k, ADDRESS);
    } else {
        out->symbol = w->wrapped ? arena_strdup(a, w->lower) : NULL;
        word_kinds(k, w, out);
    }
}

const char *words_split(struct sentence *out, struct arena *a, const char *text)
{
    struct scan *sc = ARENA_NEW(a, struct scan);
    struct kinds *kinds;

    sc->a = a;
    sc->s = text;
    words_scan(sc);
    if (sc->fault != NULL)
        return sc->fault;
    join_units(sc);
    if (sc->fault != NULL)
        return sc->fault;
    join_wrapped(sc);
    join_lenders(sc);
    kinds = ARENA_ARRAY(a, struct kinds, sc->count);
    for (unsigned i = 0; i < sc->count; i++) {
        const struct raw *w = &sc->raw[i];

        out->words[i] = (struct word){ .text = w->text, .len = w->len, .number = w->number };
        out->kinds[i] = &kinds[i];
        find_kinds(&kinds[i], w, a, &out->words[i]);
    }
    out->count = sc->count;
    out->asks = sc->asks;
    return NULL;
}
