#include "predict/relayer_key.h"

#include <string.h>

#include "base/secret_text.h"

enum { WORDS_MAX = 3 };

/* The words of `text`, which is cut into them; 0 for more than there may be, or what fits into no header. */
static size_t words_split(char *text, char *words[static WORDS_MAX])
{
    size_t n = 0;

    for (char *rest = text, *word; (word = strtok_r(rest, " \t\r\n", &rest)) != NULL; n++) {
        for (const char *p = word; *p != '\0'; p++)
            if (*p < ' ' || *p > '~')
                return 0;
        if (n == WORDS_MAX || strlen(word) > RELAYER_WORD_MAX)
            return 0;
        words[n] = word;
    }
    return n;
}

static void word_copy(char out[static RELAYER_WORD_MAX + 1], const char *word)
{
    memcpy(out, word, strlen(word) + 1);
}

static bool words_take(struct relayer_key *out, char *const words[static WORDS_MAX], size_t n)
{
    out->builder = n == WORDS_MAX;
    if (n < 2)
        return false;
    word_copy(out->key, words[0]);
    word_copy(out->builder ? out->secret : out->address, words[1]);
    if (out->builder)
        word_copy(out->passphrase, words[2]);
    return true;
}

/* Why the file gives none; NULL: `out` has it. */
static const char *relayer_key_read(const char *path, struct relayer_key *out)
{
    char text[(WORDS_MAX + 1) * (RELAYER_WORD_MAX + 2)], *words[WORDS_MAX];
    const char *why = secret_text_read(text, sizeof text, path);

    memset(out, 0, sizeof *out);
    if (why == NULL && !words_take(out, words, words_split(text, words)))
        why = "it has not two or three words";
    explicit_bzero(text, sizeof text);
    return why;
}

const struct relayer_key *relayer_key_of(const struct conf *conf)
{
    static struct relayer_key key;
    const char *why;

    if (!conf->predict_trading || *conf->predict_relayer_key_file == '\0')
        return NULL;
    why = relayer_key_read(conf->predict_relayer_key_file, &key);
    if (why != NULL)
        conf_warn(conf, "predict_relayer_key_file", why);
    return why == NULL ? &key : NULL;
}
