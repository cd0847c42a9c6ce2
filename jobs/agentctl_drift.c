/* The command of agentctl that asks known questions. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "drift/drift.h"
#include "jobs/agentctl.h"
#include "net/venues.h"
#include "predict/relayer_key.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "service/conf.h"

static const struct output_column drift_columns[] = {
    { "source", 20 }, { "state", 10 }, { "took_ms", -7 }, { "said", 0 }, { 0 },
};

struct drift_listing {
    struct env *env;
    bool all_work;
};

static void print_drift(void *arg, const struct drift_report *r)
{
    struct drift_listing *l = arg;
    struct output *o = &l->env->out;

    l->all_work = l->all_work && !drift_is_incident(r->state);
    output_row(o, drift_columns);
    output_text(o, NULL, r->name);
    output_text(o, NULL, drift_state_text(r->state));
    output_number(o, NULL, (int64_t)r->took_ms);
    output_text(o, NULL, r->said);
    output_row_end(o);
}

/* NULL, or why nothing can be written there. */
static const char *folder_problem(struct env *env)
{
    if (env->record == NULL || mkdir(env->record, 0700) == 0 || errno == EEXIST)
        return NULL;
    return arena_printf(env->arena, "%s: %s", env->record, strerror(errno));
}

/* Results are stored for the gateway of this host, if it runs. */
static size_t drift_ask(struct env *env, const char *name, struct drift_listing *l)
{
    struct provider_services *services = provider_services_new(env->ctx.conf);
    size_t asked;

    env->ctx.relayer_key = relayer_key_of(env->ctx.conf);
    conf_insist(env->ctx.conf);
    env->ctx.providers = services;
    drift_share(env->ctx.conf->shm_file, false);
    if (drift_is_shared()) {
        provider_states_share(env->ctx.conf->shm_file);
        venues_share(env->ctx.conf, false);
    }
    agentctl_connect(env);
    asked = drift_run(&env->ctx, &(struct drift_check){ name, env->record, print_drift, l });
    agentctl_disconnect(env);
    provider_services_free(services);
    return asked;
}

int cmd_drift(struct env *env, char **args)
{
    struct drift_listing l = { env, true };
    const char *problem = folder_problem(env);
    size_t asked = 1;

    output_table(&env->out, "sources", drift_columns, true);
    if (problem == NULL)
        asked = drift_ask(env, args[0], &l);
    output_table_end(&env->out);
    if (problem == NULL && asked == 0)
        problem = "there is no provider, venue, node or chain of that name in the settings";
    else if (problem == NULL && !l.all_work)
        problem = "some do not answer as they did";
    return agentctl_end(env, problem);
}
