#include "operator/web_server.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "net/call.h"
#include "service/conf.h"

enum { DEADLINE_MS = 2000, ANSWER_MAX = 4096, COMM_MAX = 32 };

/* Answers do not name it: conf/lighttpd.conf has it keep its name to itself. */
static const char *const programs[] = { "lighttpd", "apache2", "httpd", "nginx", "caddy" };

static const char *program_known(const char *pid)
{
    char path[64], comm[COMM_MAX] = "";
    FILE *f;

    (void)snprintf(path, sizeof path, "/proc/%.20s/comm", pid);
    f = fopen(path, "re");
    if (f == NULL)
        return NULL;
    if (fgets(comm, sizeof comm, f) == NULL)
        comm[0] = '\0';
    (void)fclose(f);
    comm[strcspn(comm, "\n")] = '\0';
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(comm, programs[i]) == 0)
            return programs[i];
    return NULL;
}

static const char *program_running(void)
{
    DIR *proc = opendir("/proc");
    const struct dirent *entry;
    const char *name = NULL;

    while (proc != NULL && name == NULL && (entry = readdir(proc)) != NULL)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            name = program_known(entry->d_name);
    if (proc != NULL)
        closedir(proc);
    return name;
}

/* Its own word is enough: 503 while the gateway is away is said of the gateway. */
const char *operator_web_server(const struct ctx *ctx, struct arena *a, const char **problem)
{
    const char *name = program_running(), *base = ctx->conf->base_url;
    struct call call;

    call_init(&call, arena_printf(a, "%s/healthz", base), ANSWER_MAX);
    (void)calls_run(ctx->net, &call, 1, DEADLINE_MS);
    *problem = call.result == CALL_ANSWERED || call.status != 0
                   ? NULL
                   : arena_printf(a, "%s: %s", base, call.why[0] != '\0' ? call.why : "no answer in time");
    call_free(&call);
    return name != NULL ? name : "web server";
}
