#include "predict/relayer_key.h"

#include <stdio.h>
#include <string.h>

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

static bool relayer_key_read(const char *path, struct relayer_key *out)
{
    char text[(WORDS_MAX + 1) * (RELAYER_WORD_MAX + 2)], *words[WORDS_MAX];
    FILE *f = fopen(path, "re");
    size_t n;
    bool ok;

    memset(out, 0, sizeof *out);
    if (f == NULL)
        return false;
    setvbuf(f, NULL, _IONBF, 0); /* no copy of the key in a buffer that nobody wipes */
    n = fread(text, 1, sizeof text - 1, f);
    (void)fclose(f);
    text[n] = '\0';
    ok = strlen(text) == n && words_take(out, words, words_split(text, words));
    explicit_bzero(text, sizeof text);
    return ok;
}

const struct relayer_key *relayer_key_of(const struct conf *conf)
{
    static struct relayer_key key;

    if (!conf->predict_trading || *conf->predict_relayer_key_file == '\0')
        return NULL;
    if (!relayer_key_read(conf->predict_relayer_key_file, &key))
        conf_refuse(conf, "predict_relayer_key_file", "a file that can be read, with two or three words");
    return &key;
}
