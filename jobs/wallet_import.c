#include "jobs/wallet_import.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "codec/rand.h"
#include "keys/seal.h"
#include "signer/wallet_file.h"
#include "store/agents.h"
#include "store/wallets.h"

#define DATABASE_FAILED "the database failed"

struct records {
    struct wallet_record *list;
    size_t count;
};

static void records_add(struct records *r, const struct wallet_record *one)
{
    enum { MORE = 1024 };

    if (r->count % MORE == 0)
        r->list = reallocarray(r->list, r->count + MORE, sizeof *r->list);
    if (r->list == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    r->list[r->count++] = *one;
}

static void records_read(struct records *r, FILE *f, struct wallet_import *out)
{
    struct wallet_record one;
    enum lookup found;

    for (unsigned line = 1; (found = wallet_file_next(f, &one)) != LOOKUP_NONE; line++) {
        if (found == LOOKUP_FOUND) {
            records_add(r, &one);
            continue;
        }
        printf("line %u is no wallet's\n", line);
        out->bad++;
    }
}

/* A request that was repeated has made another key, and only the last one was answered. */
static bool is_superseded(const struct records *r, size_t i)
{
    for (size_t j = i + 1; j < r->count; j++)
        if (memcmp(&r->list[j].ref.wallet, &r->list[i].ref.wallet, sizeof r->list[i].ref.wallet) == 0)
            return true;
    return false;
}

static bool opens(const struct keyring *keys, const struct wallet_record *r)
{
    struct secret *key = seal_open(r->sealed, keys, &r->ref);
    bool ok = key != NULL;

    secret_free(key);
    return ok;
}

/* Its key is random and unknown until the operator makes another one. */
static bool agent_make(struct db *db, const struct uuid *uuid)
{
    struct agent_new a = { .uuid = *uuid, .name = "restored", .tier = "standard" };
    char text[UUID_TEXT_LEN + 1];
    int64_t created_ms;

    rand_bytes(a.key_hash, sizeof a.key_hash);
    if (!agents_add(db, &a, &created_ms))
        return false;
    uuid_text(text, *uuid);
    printf("agent %s was registered after the dump; agentctl rotate %s makes a key for it\n", text, text);
    return true;
}

static bool agent_need(struct db *db, struct arena *a, const struct uuid *uuid, uint64_t *id,
                       struct wallet_import *out)
{
    struct agent agent;
    enum lookup found = agents_by_uuid(db, a, uuid, &agent);

    if (found == LOOKUP_NONE && agent_make(db, uuid)) {
        out->agents++;
        found = agents_by_uuid(db, a, uuid, &agent);
    }
    if (found == LOOKUP_FOUND)
        *id = agent.id;
    return found == LOOKUP_FOUND;
}

static bool record_add(struct db *db, struct arena *a, const struct wallet_record *r,
                       struct wallet_import *out)
{
    struct wallet w = { .ref = r->ref };

    memcpy(w.sealed, r->sealed, sizeof w.sealed);
    if (!agent_need(db, a, &r->ref.agent, &w.agent_id, out) || wallets_add(db, &w, r->created_ms) != UPDATED)
        return false;
    out->added++;
    return true;
}

static bool record_import(struct db *db, struct arena *a, const struct keyring *keys,
                          const struct records *all, size_t i, int64_t since_ms, struct wallet_import *out)
{
    const struct wallet_record *r = &all->list[i];
    enum lookup known = wallets_known(db, &r->ref.wallet);

    if (known == LOOKUP_FOUND)
        out->there++;
    else if (known == LOOKUP_NONE && r->created_ms < since_ms)
        out->former++;
    else if (known == LOOKUP_NONE && !opens(keys, r)) {
        printf("%s does not open with the keys in key_dir\n", r->ref.address);
        out->bad++;
    } else if (known == LOOKUP_NONE && !is_superseded(all, i))
        return record_add(db, a, r, out);
    return known != LOOKUP_ERROR;
}

const char *wallet_import(struct db *db, const struct keyring *keys, FILE *f, int64_t since_ms,
                          struct wallet_import *out)
{
    struct arena *a = arena_new();
    struct records all = { .count = 0 };
    bool ok = true;

    *out = (struct wallet_import){ .added = 0 };
    records_read(&all, f, out);
    for (size_t i = 0; ok && i < all.count; i++) {
        ok = record_import(db, a, keys, &all, i, since_ms, out);
        arena_reset(a);
    }
    free(all.list);
    arena_free(a);
    return ferror(f) ? "the file cannot be read" : ok ? NULL : DATABASE_FAILED;
}
