/* The context of every call: pointers to what the process opened at its start. */
#ifndef SERVICE_CTX_H
#define SERVICE_CTX_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/uuid.h"

struct conf;
struct db;
struct net;
struct signer;
struct nodes;
struct meter;
struct scoreboard;
struct bulkhead;
struct cpu_slots;
struct parking;
struct worker_leases;
struct documents;
struct mcp;
struct relayer_key;
struct provider_services;

struct ctx {
    const struct conf *conf;
    struct db *db;
    struct net *net; /* NULL in a worker that never waits */
    struct signer *signer;
    const struct nodes *nodes;
    struct meter *meter;                       /* counters of this host; NULL in jobs */
    struct meter *days;                        /* counters of limits a day; NULL in jobs */
    const uint8_t *service_key;                /* codec/box.h */
    const struct relayer_key *relayer_key;     /* predict/relayer_key.h; NULL: none */
    const struct provider_services *providers; /* route/provider_service.h */
    struct bulkhead *bulkhead;                 /* of this host's workers that may wait; NULL in jobs */
    struct cpu_slots *cpu_slots;               /* of this host's workers that may wait; NULL in jobs */
    /* For metrics and status, in every worker; NULL in jobs. */
    const struct scoreboard *scoreboard;
    const struct bulkhead *waiting;
    struct parking *parking;      /* fcgi/parking.h; NULL in jobs */
    int64_t since_s;              /* when the parent of the workers began */
    struct uuid host;             /* this one, as store/restore_guard.h has it; none in jobs */
    struct worker_leases *leases; /* api/admission/worker_leases.h; NULL in jobs */
    /* api/documents/documents.h; NULL in jobs */
    const struct documents *documents;
    const struct mcp *mcp; /* agentproto/mcp.h; NULL in jobs */
    bool asks_known;       /* drift/drift.h: asks the known questions of all services that it uses */
    bool second_opinion;   /* reads that any node may answer go to a chain's second node first */
    bool never_waits;      /* a worker of the small pool: for rows that do not wait */
};

#endif
