#include "service/disk.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/statvfs.h>

#include "base/incident.h"
#include "base/shm_cache.h"

enum { MB = 1024 * 1024 };

static struct shm_cache low_shm_cache = SHM_CACHE_INIT(1, uint64_t);

void disk_share(void)
{
    shm_cache_share(&low_shm_cache);
}

static bool directory_is_low(const char *path, uint64_t least)
{
    char about[INCIDENT_ABOUT_MAX + 1];
    struct statvfs fs;
    uint64_t have;

    if (path == NULL || *path == '\0' || statvfs(path, &fs) != 0)
        return false;
    have = (uint64_t)fs.f_bavail * fs.f_frsize;
    (void)snprintf(about, sizeof about, "directory=%.100s", path);
    if (have >= least) {
        log_incident_over("disk_low", about);
        return false;
    }
    log_incident("disk_low", about, "msg=\"nothing new is stored until there is room\" free_mb=%llu",
                 (unsigned long long)(have / MB));
    return true;
}

void disk_check(const struct conf *conf, const char *database_dir)
{
    uint64_t least = (uint64_t)conf->disk_free_min * MB, low;
    bool signer = directory_is_low(conf->signer_dir, least), log = directory_is_low(conf->log_dir, least),
         database = directory_is_low(database_dir, least);

    low = signer || log || database;
    shm_cache_write(&low_shm_cache, 0, &low);
}

bool disk_is_low(void)
{
    uint64_t low;

    return shm_cache_read(&low_shm_cache, 0, &low) && low != 0;
}
