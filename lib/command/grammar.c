#include "command/grammar.h"

#include <assert.h>
#include <string.h>

enum {
    RULES_MAX = 1024,
    NAMES_MAX = 256,
    ITEMS_MAX = 10240,
    TABLE_SIZE = 2048, /* a power of two, far more than there are words */
    WORD_MAX = 24,
    STEPS_MAX = 20000,
};

/* One place of a pattern: a word of some kinds, or a whole rule. */
struct item {
    bool end, optional;
    bool capital;   /* noted with its kind */
    int name;       /* of a rule; -1: a word */
    unsigned first; /* kind of a capital word */
    struct kinds kinds;
};

/* ---- the rules, read once per process ---- */

static struct {
    bool read;
    struct {
        char text[WORD_MAX];
        unsigned kind;
    } words[TABLE_SIZE];
    unsigned kinds; /* given so far */
    const char *names[NAMES_MAX];
    int names_count;
    struct item items[ITEMS_MAX];
    unsigned items_count;
    struct {
        int name;
        unsigned items; /* its first */
        struct kinds starts;
        bool empty; /* applies to no words at all */
    } rules[RULES_MAX];
    int first_rule[NAMES_MAX + 1]; /* of each name: the rules of a name stand together */
    struct {
        struct kinds starts;
        bool empty;
    } of_name[NAMES_MAX];
} grammar;

void kinds_add(struct kinds *k, unsigned kind)
{
    k->bits[kind / 64] |= (uint64_t)1 << kind % 64;
}

bool kinds_has(const struct kinds *k, unsigned kind)
{
    return (k->bits[kind / 64] >> kind % 64 & 1) != 0;
}

static bool kinds_meet(const struct kinds *a, const struct kinds *b)
{
    uint64_t both = 0;

    for (size_t i = 0; i < KIND_WORDS; i++)
        both |= a->bits[i] & b->bits[i];
    return both != 0;
}

/* True when that added something. */
static bool kinds_join(struct kinds *to, const struct kinds *from)
{
    bool grew = false;

    for (size_t i = 0; i < KIND_WORDS; i++) {
        grew = grew || (from->bits[i] & ~to->bits[i]) != 0;
        to->bits[i] |= from->bits[i];
    }
    return grew;
}

/* The word's place in the table, or the free one where it belongs. */
static unsigned word_place(const char *word, size_t len)
{
    unsigned h = 5381;

    for (size_t i = 0; i < len; i++)
        h = h * 33 + (unsigned char)word[i];
    for (h %= TABLE_SIZE; grammar.words[h].kind != 0 && (strncmp(grammar.words[h].text, word, len) != 0 ||
                                                         grammar.words[h].text[len] != '\0');
         h = (h + 1) % TABLE_SIZE)
        ;
    return h;
}

static void add_word(const char *word, size_t len, unsigned kind)
{
    unsigned h = word_place(word, len);

    assert(len < WORD_MAX && kind < KINDS_MAX && grammar.words[h].kind == 0);
    memcpy(grammar.words[h].text, word, len);
    grammar.words[h].kind = kind;
}

static unsigned literal(const char *word, size_t len)
{
    unsigned h = word_place(word, len);

    if (grammar.words[h].kind == 0)
        add_word(word, len, grammar.kinds++);
    return grammar.words[h].kind;
}

static void read_synonyms(void)
{
    for (size_t i = 0; i < synonyms_count; i++) {
        unsigned kind = grammar.kinds++;

        for (const char *s = synonyms[i]; *s != '\0'; s += strspn(s, " ")) {
            size_t n = strcspn(s, " ");

            add_word(s, n, kind);
            s += n;
        }
    }
}

static unsigned capital(const char *word, size_t len)
{
    static const char *const names[LITERALS] = {
        [NUM] = "NUM",     [ID] = "ID",       [PCT] = "PCT",     [BPS] = "BPS",
        [USD] = "USD",     [USDW] = "USDW",   [CENTS] = "CENTS", [TOKEN] = "TOKEN",
        [CHAIN] = "CHAIN", [NET] = "NET",     [MAKER] = "MAKER", [LENDER] = "LENDER",
        [COIN] = "COIN",   [QUOTE] = "QUOTE", [HASH] = "HASH",   [ADDRESS] = "ADDRESS",
        [FREE] = "FREE",   [X] = "X",         [CLOID] = "CLOID", [APPROVAL] = "APPROVAL",
    };

    for (unsigned i = NUM; i < LITERALS; i++)
        if (strlen(names[i]) == len && strncmp(names[i], word, len) == 0)
            return i;
    return 0;
}

static int name_of(const char *name, size_t len)
{
    int i = 0;

    while (i < grammar.names_count &&
           (strncmp(grammar.names[i], name, len) != 0 || grammar.names[i][len] != '\0'))
        i++;
    assert(i < grammar.names_count);
    return i;
}

/* "to|for|into": one place. */
static void read_item(const char *s, size_t n)
{
    struct item *item = &grammar.items[grammar.items_count++];

    item->optional = *s == '?' && n > 1;
    s += item->optional;
    n -= item->optional;
    item->name = -1;
    if (*s == '<') {
        item->name = name_of(s + 1, n - 2);
        return;
    }
    for (const char *end = s + n; s < end; s++) {
        size_t len = strcspn(s, "| ");

        item->first = capital(s, len);
        item->capital = item->first != 0;
        kinds_add(&item->kinds, item->capital ? item->first : literal(s, len));
        s += len;
    }
}

static void read_pattern(const char *s)
{
    for (; *s != '\0'; s += strspn(s, " ")) {
        size_t n = strcspn(s, " ");

        read_item(s, n);
        s += n;
    }
    grammar.items[grammar.items_count++].end = true;
}

/* The words with which a rule can begin follow from those of others; true when one was new. */
static bool find_start(size_t rule)
{
    const struct item *item = &grammar.items[grammar.rules[rule].items];
    int name = grammar.rules[rule].name;
    bool grew = false, open = true;

    for (; open && !item->end; item++) {
        bool word = item->name < 0;

        grew |= kinds_join(&grammar.rules[rule].starts,
                           word ? &item->kinds : &grammar.of_name[item->name].starts);
        open = item->optional || (!word && grammar.of_name[item->name].empty);
    }
    grammar.rules[rule].empty = open;
    grew |= kinds_join(&grammar.of_name[name].starts, &grammar.rules[rule].starts);
    grew |= open && !grammar.of_name[name].empty;
    grammar.of_name[name].empty |= open;
    return grew;
}

static void read_rules(void)
{
    bool grew = true;

    grammar.kinds = LITERALS;
    read_synonyms();
    for (size_t i = 0; i < rules_count; i++) {
        if (i > 0 && strcmp(rules[i].name, rules[i - 1].name) == 0)
            continue;
        grammar.names[grammar.names_count] = rules[i].name;
        grammar.first_rule[grammar.names_count++] = (int)i;
    }
    grammar.first_rule[grammar.names_count] = (int)rules_count;
    for (size_t i = 0; i < rules_count; i++) {
        grammar.rules[i].name = name_of(rules[i].name, strlen(rules[i].name));
        grammar.rules[i].items = grammar.items_count;
        read_pattern(rules[i].pattern);
    }
    while (grew) {
        grew = false;
        for (size_t i = 0; i < rules_count; i++)
            grew |= find_start(i);
    }
    grammar.read = true;
}

unsigned grammar_kind(const char *word, size_t len)
{
    if (!grammar.read)
        read_rules();
    return len < WORD_MAX ? grammar.words[word_place(word, len)].kind : 0;
}

/* ---- reading a sentence ---- */

/* The items that have to follow once a rule is through. */
struct rest {
    const struct item *item;
    const struct rest *rest;
};

static void match_rest(struct reader *r, const struct item *item, const struct rest *rest, unsigned at,
                       unsigned noted);

static void try_rules(struct reader *r, int name, const struct rest *rest, unsigned at, unsigned noted)
{
    for (int i = grammar.first_rule[name]; i < grammar.first_rule[name + 1]; i++) {
        unsigned n = noted;

        if (!grammar.rules[i].empty &&
            (at == r->count || !kinds_meet(&grammar.rules[i].starts, r->words[at])))
            continue;
        if (rules[i].mark != 0 && n < NOTED_MAX)
            r->noted[n++] = (struct noted){ rules[i].mark, at };
        match_rest(r, &grammar.items[grammar.rules[i].items], rest, at, n);
    }
}

static void try_word(struct reader *r, const struct item *item, const struct rest *rest, unsigned at,
                     unsigned noted)
{
    if (at == r->count || !kinds_meet(&item->kinds, r->words[at]))
        return;
    if (item->capital && noted < NOTED_MAX)
        r->noted[noted++] = (struct noted){ item->first, at };
    match_rest(r, item + 1, rest, at + 1, noted);
}

/* Every way to account for the words from `at` on by `item`, what stands after it, and `rest`. */
static void match_rest(struct reader *r, const struct item *item, const struct rest *rest, unsigned at,
                       unsigned noted)
{
    r->gave_up = r->gave_up || ++r->steps > STEPS_MAX || noted >= NOTED_MAX;
    if (r->gave_up)
        return;
    if (r->reach < at)
        r->reach = at;
    if (item->end && rest != NULL) {
        match_rest(r, rest->item, rest->rest, at, noted);
    } else if (item->end) {
        if (at == r->count)
            r->found(r->arg, r->noted, noted);
    } else {
        struct rest after = { item + 1, rest };

        if (item->optional)
            match_rest(r, item + 1, rest, at, noted);
        if (item->name >= 0)
            try_rules(r, item->name, &after, at, noted);
        else
            try_word(r, item, rest, at, noted);
    }
}

void grammar_read(struct reader *r)
{
    r->reach = 0;
    r->steps = 0;
    r->gave_up = false;
    if (!grammar.read)
        read_rules();
    try_rules(r, name_of(r->start, strlen(r->start)), NULL, 0, 0);
}
