/* Which gateway is called, and with which key. A key is read from a file or from the environment, never from
 * an argument, which other users of the machine can see. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <stdbool.h>

#include "base/arena.h"

enum { KEY_MAX = 512 };

struct settings {
    const char *url;      /* without a slash at its end */
    const char *key_file; /* where the key is, or is to be; NULL: it is in the environment */
    bool loopback;        /* the gateway is on this machine */
    bool own;             /* key_file is that of the folder below */
    const char *folder;   /* ~/.config/gw; NULL: there is no home */
};

/* `url` and `key_file` are those of the command line, or NULL. Returns NULL, or what is wrong. */
const char *settings_open(struct settings *s, struct arena *a, const char *url, const char *key_file);
/* Puts the key into `out`, which the caller wipes. Returns NULL, or why not. */
const char *settings_key(const struct settings *s, struct arena *a, char out[static KEY_MAX]);
/* Makes an empty file of mode 600 for a key to come, and the folder. Returns NULL, or why not. */
const char *settings_reserve(struct settings *s, struct arena *a);
/* Gives the place back. */
void settings_release(const struct settings *s);
/* Replaces the key in the file; of the own folder the gateway's address, too. Returns false with errno set.
 */
bool settings_keep(const struct settings *s, struct arena *a, const char *key);

#endif
