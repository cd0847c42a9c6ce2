/* The table of all settings: name, allowed values, default. The settings file is read by it (service/conf.h),
 * gateway.conf(5) is written from it, and tests compare conf/gateway.conf with it. */
#ifndef SERVICE_SETTINGS_H
#define SERVICE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum setting_kind {
    SETTING_NUMBER,   /* unsigned */
    SETTING_YES_NO,   /* bool */
    SETTING_FRACTION, /* uint32_t, millionths of a number from 0 to 1 */
    SETTING_CHOICE,   /* one of the words in `allowed`; so the next, const char * */
    SETTING_NAME,     /* of a database or a user */
    SETTING_PATH,     /* absolute */
    SETTING_BASE_URL, /* without query and without a slash at its end */
    SETTING_URL,
    SETTING_URLS,      /* at most `max`, separated by commas */
    SETTING_ADDRESSES, /* IP addresses and networks */
    SETTING_ORIGINS,
    SETTING_HASH, /* 0x and 64 hexadecimal digits */
    SETTING_TEXT, /* judged by its reader, which calls conf_refuse; `allowed` says what it has to be */
    SETTING_KINDS
};

enum {
    SETTING_EMPTY = 1, /* may be set to nothing */
    SETTING_KEY = 2,   /* may contain a key, so it is shown in part */
};

struct setting {
    /* Places of a family's are in angle brackets, such as "rpc.<chain>". */
    const char *name;
    enum setting_kind kind;
    unsigned flags;
    const char *dflt;    /* NULL: built in for each chain, provider or tier */
    uint64_t min, max;   /* of numbers, and of fractions in millionths */
    const char *allowed; /* NULL: follows from kind and range */
    size_t at;           /* in struct conf; SETTING_FAMILY for a family's */
    const char *meaning; /* in a sentence or two */
};
#define SETTING_FAMILY SIZE_MAX

extern const struct setting settings[];
extern const size_t settings_count;

/* NULL when there is none. */
const struct setting *setting_find(const char *name);
/* One whose name hardly differs, NULL when none comes close. */
const struct setting *setting_near(const char *name);
/* The text at the place `<what>` of a setting's name: "ethereum" in rpc.ethereum. False when it has no such
 * place. */
enum { SETTING_PLACE_MAX = 32 };
bool setting_place(char out[static SETTING_PLACE_MAX + 1], const struct setting *s, const char *name,
                   const char *what);

bool setting_allows(const struct setting *s, const char *value);
/* The allowed values, in words that follow "it must be". */
enum { SETTING_WORDS_MAX = 256 };
const char *setting_allowed(char out[static SETTING_WORDS_MAX], const struct setting *s);
/* A value without what may be a key in it, for logs and operators. */
enum { SETTING_SHOWN_MAX = 512 };
const char *setting_shown(char out[static SETTING_SHOWN_MAX], const struct setting *s, const char *value);

/* Read an allowed value. */
uint64_t setting_number(const char *value);
bool setting_yes(const char *value);
uint32_t setting_millionths(const char *value);

#endif
