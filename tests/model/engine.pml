/* The engine's protocol, for SPIN: what lib/exec, lib/store, lib/signer and lib/webhook do between two of their steps is
 * atomic here, and anything else may happen between any two. `make model` runs it; configurations.mjs sets the names in
 * capitals, mutations.mjs has the faults that must be caught.
 *
 * Reading order: the database; the chain and its nodes; the commit (exec/commit.c) and the signer; sending
 * (exec/broadcast.c); the follower (exec/follow.c, evm/evm_poll.c, evm/foreign_nonce.c, evm/repair.c, verdict.c, outcome.c);
 * requests to a venue (exec/venue_request.c); the outbox (webhook/drain.c); what must hold.
 *
 * step("name") is the fault point of that name in the code: the process may die there. To die behind a step is to die
 * before the next one, and to die inside of a database transaction is to die before its end. A configuration has so many
 * TROUBLES, of the kinds that it names, in any order and at any place. What costs no trouble may happen any number of times:
 * nodes may lag, omit receipts and lie, blocks and time may come whenever they like. */
#include "states.pml"

#define SPEND 0                          /* the attempts at a nonce: what the execution is for, */
#define FASTER 1                         /* the same at a higher fee, */
#define CANCEL 2                         /* and what takes the nonce back */
#define TXS (EXECS * 3)
#define tx(x, kind) ((x) * 3 + (kind))
#define FOREIGN 14                       /* a transaction from elsewhere */
#define NOTHING 15
#define is_final(s) ((s) == EXEC_COMPLETED || (s) == EXEC_FAILED)
#define trouble(kind) (kind && troubles > 0)

byte troubles = TROUBLES;
byte time;                               /* 1: valid_until is over; 2: so it is by everybody's clock */

/* ---- the database ---- */
#define FREE 0
byte quote_by[QUOTES];                   /* executions.once: who took it, counted from 1 */
bool halted, key_lapsed;                 /* trading_halts; idempotency.lease_until is over */
byte quote_lock[QUOTES], wallet_lock;    /* rows that a transaction has locked until it ends */
byte halt_readers;                       /* transactions that have the halt's row locked in share mode */
byte next_nonce;                         /* wallet_nonces */
byte key_owner, key_answer;              /* idempotency: the run that has the key; the execution it was answered with */
byte status[EXECS], follow[EXECS], nonce[EXECS], lease[EXECS], refusals[EXECS];
byte t_state[TXS], t_block[TXS];         /* transactions; state 0: there is no such row */
bool t_ok[TXS], t_accepted[TXS];
byte search[EXECS], found_tx[EXECS], found_block[EXECS]; /* foreign_nonces: 1 noted, 2 found */
byte e_state[EVENTS], e_lease[EVENTS], e_count; /* webhook_events: 1 pending, 2 delivered */

/* ---- ghosts: what is true, for the properties alone ---- */
byte ends[EXECS], told[EXECS];           /* moves to a final status, and events of them */
byte held[EXECS], e_held[EVENTS];        /* by whom, under a lease that has not run out */
bool failing[EXECS];                     /* the chain has shown that it fails, at CONFIRM depth */
bool stop_answered, kill_answered;       /* the operator knows that nothing more is committed, or signed */
byte workers_left = WORKERS, accepted, e_got[EVENTS];

#define on(condition, ...) if :: condition -> __VA_ARGS__ :: else fi
#define step(name) \
    if :: trouble(CRASHES) -> troubles--; printf("%d dies at ", _pid); printf(name); printf("\n"); goto died :: true fi

inline outbox_add(x) { /* outbox.add, in the transaction of swap.move */
    told[x]++; on(DRAINS, assert(e_count < EVENTS); e_state[e_count] = 1; e_count++)
}

/* executions_move and executions_notify, whose caller has found that it has the status to move from. */
inline move(x, to) {
    assert(exec_may_move(status[x], to)); /* states move as the table has it */
    printf("%d moves execution %d from %d to %d\n", _pid, x, status[x], to);
    status[x] = to;
    on(is_final(to), ends[x]++; outbox_add(x))
}

/* ---- the chain, and what its nodes show of it ---- */
#define depth_at(head, block) ((block) == 0 || (block) > (head) -> 0 : (head) - (block) + 1)
byte c_head, c_used;                     /* the newest block; nonces that are used */
byte c_block[NONCES], c_by[NONCES];      /* in which block each is used, by which transaction, */
bool c_ok[NONCES];                       /* and whether that succeeded */
byte n_head[2], n_block[2], n_by[2];     /* with LAG, of nonce 0, what each node has heard last */
bool n_ok[2], pool[TXS], foreign_sent, omits = OMITS;

#define tx_succeeded(n) (c_block[n] != 0 && c_ok[n] && c_by[n] != FOREIGN && c_by[n] % 3 != CANCEL)
#define succeeded(x) (tx_succeeded(nonce[x]) && c_by[nonce[x]] / 3 == x)
#define settled_at(n) (depth_at(c_head, c_block[n]) >= SETTLE)

#define waits(t, n) ((t) < TXS && pool[(t) % TXS] && nonce[(t) % TXS / 3] == n)
#define any_waits(n) (waits(0, n) || waits(1, n) || waits(2, n) || waits(3, n) || waits(4, n) || waits(5, n))
inline pick(n) { /* any that waits in the pool */
    if :: waits(0, n) -> t = 0 :: waits(1, n) -> t = 1 :: waits(2, n) -> t = 2 :: waits(3, n) -> t = 3 :: waits(4, n) -> t = 4
    :: waits(5, n) -> t = 5 :: foreign_sent && n == 0 -> t = FOREIGN fi
}
inline include(n, block) {
    c_block[n] = block; c_by[n] = t; c_ok[n] = true; c_used = n + 1;
    if :: REVERTS && t != FOREIGN && t % 3 != CANCEL -> c_ok[n] = false :: true fi;
    printf("block %d has transaction %d of nonce %d, which succeeds: %d\n", block, t, n, c_ok[n])
}
#define seems_failed(x) (t_state[tx(x, SPEND)] != 0 && depth_at(c_head, c_block[nonce[x]]) >= CONFIRM && !succeeded(x))
inline note_failing() {
    for (n : 0 .. EXECS - 1) { failing[n] = failing[n] || seems_failed(n) } n = 0
}
#if !REQUESTS
proctype miner() {
    byte t, n, block;
end: do
    :: atomic { pick(c_used); n = c_used; c_head++; include(n, c_head); note_failing(); t = 0; n = 0 }
    :: atomic { c_used > 0 && !settled_at(c_used - 1) -> c_head++; printf("block %d is empty\n", c_head); note_failing() }
    /* Blocks that are not as deep as SETTLE may go. What they had is in none now, or in one of the same number that may have
     * another attempt, or the same with another end. */
    :: atomic { c_used > 0 && !settled_at(c_used - 1) && trouble(REORGS) ->
        troubles--; c_used--; n = c_used; block = c_block[n]; t = c_by[n];
        printf("block %d is reorganised away\n", block);
        c_block[n] = 0; c_by[n] = 0; c_ok[n] = false;
        if :: t < TXS -> pool[t] = true :: true fi;
        if :: true :: any_waits(n) -> pick(n); include(n, block); note_failing() fi; t = 0; n = 0; block = 0 }
    :: atomic { trouble(FORGETS) && any_waits(c_used) -> pick(c_used); troubles--;
        on(t != FOREIGN, pool[t] = false; printf("nodes forget transaction %d\n", t)); t = 0 }
    :: atomic { FOREIGNERS && !foreign_sent -> foreign_sent = true; printf("a transaction from outside is sent from the wallet\n") } od
}
inline hear(n) {
    n_head[n] = c_head; n_block[n] = c_block[0]; n_by[n] = c_by[0]; n_ok[n] = c_ok[0];
    printf("node %d hears of block %d\n", n, c_head); n = 0
}

/* A node hears of the chain as it is now; nodes show receipts again. */
proctype network() {
    byte n;
end: do
    :: atomic { LAG && (n_head[0] != c_head || n_block[0] != c_block[0] || n_by[0] != c_by[0] || n_ok[0] != c_ok[0]) -> n = 0; hear(n) }
    :: atomic { LAG && (n_head[1] != c_head || n_block[1] != c_block[0] || n_by[1] != c_by[0] || n_ok[1] != c_ok[0]) -> n = 1; hear(n) }
    :: atomic { omits -> omits = false; printf("nodes show all receipts from now on\n") } od
}
#endif
proctype clock() {
end: do :: atomic { TIMES && time == 0 -> time = 1; printf("the time is over\n") } :: atomic { time == 1 && REQUESTS -> time = 2 } od
}

/* ---- the signer, and the operator ---- */
bool kill_switch;
inline sign(done) { /* the signer's caller waits for it, and so both take one step */
    if
    :: kill_switch -> done = false
    :: !kill_switch -> assert(!kill_answered) /* nothing is signed after the kill switch */; done = true
    :: trouble(CRASHES) -> troubles--; printf("the signer dies\n"); done = false fi
}

proctype operator() {
    kill_switch = true; kill_answered = true;
    atomic { halt_readers == 0 -> halted = true; printf("the operator stops trading\n") }
    stop_answered = true
}

/* ---- sending: exec/broadcast.c ---- */
#define UNKNOWN 0
mtype = { REFUSED, ACCEPTED };
inline broadcast(x, kind) {
    atomic { step("offer.post"); assert(t_state[tx(x, kind)] != 0); /* nothing is sent that is not stored */
        said = UNKNOWN;
        if
        :: c_block[nonce[x]] != 0                                    /* nonce too low */
        :: c_block[nonce[x]] == 0 && !(REFUSES && kind != CANCEL) -> pool[tx(x, kind)] = true; said = ACCEPTED
        :: c_block[nonce[x]] == 0 && REFUSES && kind != CANCEL -> said = REFUSED
        :: c_block[nonce[x]] == 0 && !REFUSES && trouble(LOSSES) -> troubles--; pool[tx(x, kind)] = true; printf("the answer is lost\n")
        :: trouble(LOSSES) -> troubles--; printf("nothing arrives\n")
        fi; printf("%d sends transaction %d: %d\n", _pid, tx(x, kind), said) }
    atomic { step("offer.record"); broadcast_record(x, kind) }
}
inline broadcast_record(x, kind) {
    on(said == ACCEPTED && kind != CANCEL && status[x] == EXEC_PENDING, move(x, EXEC_SUBMITTED));
    from = (said == ACCEPTED && kind != CANCEL && from == EXEC_PENDING -> EXEC_SUBMITTED : from);
    t_accepted[tx(x, kind)] = t_accepted[tx(x, kind)] || said == ACCEPTED;
    on(said == REFUSED && refusals[x] < 2, refusals[x]++);
    said = 0
}

/* ---- requests to a venue: exec/venue_request.c ---- */
#define req(x, i) ((x) * 2 + (i))        /* the request of an execution, and what may be signed in its place */
#define REQS (EXECS * 2)
mtype = { SILENT, OUTDATED, GONE, REFUSES_IT, FILLED, HAS }; /* HAS: not finished with; GONE: never taken, and cancelled */
byte r_row[REQS], venue[REQS], late_read[REQS]; /* requests.state; what the venue has; what its reads show */
byte r_unknown[REQS];                    /* 1: unknown_at is set; 2: AGREE_MS ago, so that reads have caught up since */
byte r_sent[REQS];                       /* requests.broadcasts: none, one, more */
bool claimed[EXECS];                     /* executions.lease_owner: set by a claim, until who made it releases it */
bool r_accepted[REQS], r_filled[REQS], wire[REQS], new_form;
#define outdated(r) (new_form && (r) % 2 == 0)
#define closed(r) (EXPIRES && time == 2 || outdated(r))
#define bought(r) (venue[r] == HAS || venue[r] == FILLED)
#define cannot(r) (venue[r] == REFUSES_IT || venue[r] == GONE || (venue[r] == 0 && (r_row[r] == 0 || closed(r))))

inline arrive(r) { /* the venue takes a request once */
    if
    :: venue[r] == 0 && !closed(r) ->
        if :: venue[r] = HAS :: venue[r] = FILLED :: venue[r] = REFUSES_IT fi;
        assert(!(bought(r) && bought(r ^ 1)))            /* nothing is ordered twice */ :: else fi
}
#if REQUESTS
proctype exchange(byte r) {
end: do
    :: atomic { wire[r] -> wire[r] = false; arrive(r); printf("the venue gets request %d: %d\n", r, venue[r]) }
    :: atomic { venue[r] == HAS -> if :: venue[r] = FILLED :: venue[r] = REFUSES_IT fi; printf("the venue ends request %d: %d\n", r, venue[r]) }
    :: atomic { late_read[r] != venue[r] -> late_read[r] = venue[r]; printf("reads show request %d: %d\n", r, venue[r]) }
    :: atomic { r_unknown[r] == 1 && late_read[r] == venue[r] -> r_unknown[r] = 2 }
    :: atomic { RENEWS && r == 0 && !new_form -> new_form = true; printf("the venue wants another form\n") } od
}
#endif
inline post(r) {
    atomic { step("offer.post"); assert(r_row[r] != 0);  /* nothing is sent that is not stored */
        says = SILENT;
        if
        :: arrive(r); says = (outdated(r) -> OUTDATED : (venue[r] != 0 -> venue[r] : SILENT))
        :: trouble(LOSSES) -> troubles--; arrive(r); wire[r] = true; printf("the answer is lost, the bytes arrive twice\n")
        :: trouble(LOSSES) -> troubles--; wire[r] = true; printf("the bytes are on their way\n")
        :: trouble(LOSSES) -> troubles--; printf("nothing arrives\n")
        fi; printf("%d sends request %d: %d\n", _pid, r, says) }
}
inline request_broadcast(r) {
    atomic { step("offer.record, db.commit"); r_sent[r] = (r_sent[r] == 0 -> 1 : 2);
        if :: says == HAS || says == FILLED -> r_accepted[r] = true; on(r_row[r] == EFFECT_OPEN, r_row[r] = EFFECT_INCLUDED)
        :: (says == REFUSES_IT || says == OUTDATED) && refusals[x] < 2 -> refusals[x]++ :: else fi;
        acc = acc || says == HAS || says == FILLED; on(acc && rs == EFFECT_OPEN, rs = EFFECT_INCLUDED) }
}
inline request_send(first) {
    post(cur);
    if
    :: first && (says == FILLED || says == REFUSES_IT)   /* ending_record: recorded with what follows from it */
    :: else -> request_broadcast(cur);
        if
        :: first && says == OUTDATED ->
            atomic { step("request.renew, db.commit");
                if :: r_row[cur] == rs && r_sent[cur] == 1 && !claimed[x] -> r_row[cur] = EFFECT_RENEWED; cur = cur + 1; r_row[cur] = EFFECT_OPEN; rs = EFFECT_OPEN; ok = true
                :: else -> ok = false fi; printf("%d signs another request: %d\n", _pid, ok) }
            if :: ok -> post(cur); says = (says == OUTDATED -> REFUSES_IT : says); request_broadcast(cur) :: !ok -> says = SILENT fi :: else fi fi;
    on(says == OUTDATED || (!first && says == REFUSES_IT), says = SILENT)
}
inline request_verdict() { /* request_state: now; verdict_by_requests: to; exec/outcome.c */
    if
    :: says == HAS -> now = (rs == EFFECT_SETTLED -> EFFECT_SETTLED : EFFECT_INCLUDED)
    :: says == FILLED || says == REFUSES_IT -> now = EFFECT_SETTLED
    :: says == UNKNOWN && !acc && rs == EFFECT_OPEN && time == 2 && unk == 2 -> now = EFFECT_LOST
    :: else -> now = rs fi;
    ok = says == FILLED || (rs == EFFECT_SETTLED && ok); to = from;
    if
    :: ok -> to = EXEC_COMPLETED
    :: !ok && now == EFFECT_INCLUDED && from == EXEC_PENDING -> to = EXEC_SUBMITTED
    :: !ok && now == EFFECT_INCLUDED && from == EXEC_FAILED -> to = EXEC_PROCESSING
    :: !ok && now >= EFFECT_SETTLED -> to = EXEC_FAILED :: else fi;
    settles = is_final(to) && now >= EFFECT_SETTLED; next = (to == EXEC_FAILED -> FOLLOW_ONCE_MORE : FOLLOW_NOT);
    on(fol == FOLLOW_ONCE_MORE, settles = ok || says != SILENT; next = FOLLOW_NOT; to = (ok -> EXEC_COMPLETED : from))
}
inline check_end() {
    assert(status[x] == to); /* it settles as what it is told as */
    if
    :: !REQUESTS && to == EXEC_COMPLETED && LIAR == NOTHING -> assert(succeeded(x) && settled_at(nonce[x])) /* completed is what has succeeded for good */
    :: !REQUESTS && to == EXEC_FAILED -> assert(!succeeded(x) && settled_at(nonce[x])) /* failed is what can succeed no more */
    :: REQUESTS && to == EXEC_COMPLETED -> assert(venue[req(x, 0)] == FILLED || venue[req(x, 1)] == FILLED) /* completed is what has been filled */
    :: REQUESTS && to == EXEC_FAILED -> assert(cannot(req(x, 0)) && cannot(req(x, 1))) /* failed is what the venue cannot fill any more */ :: else fi
}
inline request_group_record() {
    if
    :: (to != from && status[x] != from) || (now != rs && r_row[cur] != rs) -> printf("%d finds that another process moved it\n", _pid)
    :: else ->
        on(now != rs, r_row[cur] = now; r_filled[cur] = ok);
        on(says == UNKNOWN && rs == EFFECT_OPEN && !acc && time == 2 && unk == 0 && (EXPIRES || cancelled), r_unknown[cur] = 1);
        on(to != from, move(x, to));
        on(settles, follow[x] = next; printf("%d settles it in state %d\n", _pid, status[x]); check_end()) fi
}
inline requests_read() {
    cur = (r_row[req(x, 0)] == EFFECT_RENEWED -> req(x, 1) : req(x, 0));
    rs = r_row[cur]; acc = r_accepted[cur]; unk = r_unknown[cur]; ok = r_filled[cur]
}

/* ---- committing: exec/commit.c ---- */
byte spent;                              /* scratch of an atomic step */
#define unsettled(t) (t_state[t] == EFFECT_OPEN || t_state[t] == EFFECT_INCLUDED)
inline count_reserved(at) { /* transactions_reserved: what a balance as of block `at` does not show yet */
    spent = 0;
    for (x : 0 .. EXECS - 1) {
        spent = spent + (unsettled(tx(x, SPEND)) && (t_block[tx(x, SPEND)] == 0 || t_block[tx(x, SPEND)] > at) -> 1 : 0)
    }
}
inline count_open() { /* what the chain has taken, or may still take */
    spent = 0;
    for (x : 0 .. EXECS - 1) { spent = spent + (status[x] != 0 && (succeeded(x) || c_block[nonce[x]] == 0) -> 1 : 0) }
}
inline tx_end(me) { /* of a transaction, however it ends: locks go */
    on(quote_lock[q] == me, quote_lock[q] = FREE);
    on(wallet_lock == me, wallet_lock = FREE);
    on(in_tx, in_tx = false; halt_readers--)
}
inline store_signed(x) {
    x = accepted; accepted++;
    assert(!stop_answered);                          /* no commit after the operator's stop */
    assert(x < EXECS && quote_by[q] == 0);           /* no quote is used by two executions */
    assert(!KEYS || key_answer == 0);                /* no Idempotency-Key has two answers */
    quote_by[q] = x + 1; status[x] = EXEC_PENDING; follow[x] = FOLLOW_IN_FLIGHT; nonce[x] = n;
    if
    :: REQUESTS -> assert(next_nonce <= n) /* no request nonce is committed twice */; next_nonce = n + 1; r_row[req(x, 0)] = EFFECT_OPEN
    :: else ->
        assert(next_nonce <= n && n < NONCES);       /* no nonce is committed twice */
        next_nonce = n + 1; t_state[tx(x, SPEND)] = EFFECT_OPEN fi;
    printf("%d commits execution %d with nonce %d\n", _pid, x, n)
}
#if WORKERS
proctype worker(byte me; byte q) {
    byte x, n, have, at, said, k, attempt, from, fol, to, next, cur, rs, unk, says, now; bool in_tx, ok, acc, settles, cancelled;
again:
    if
    :: KEYS -> atomic { step("idempotency.take"); printf("%d wants the key\n", _pid);
        if
        :: key_answer != 0 -> goto out
        :: key_answer == 0 && (key_owner == FREE || key_lapsed) -> attempt++; key_owner = me * 4 + attempt; key_lapsed = false;
            if :: trouble(LAPSES) -> troubles--; key_lapsed = true; printf("the lease of the key runs out\n") :: true fi
        :: key_answer == 0 && key_owner != FREE && !key_lapsed -> goto out fi } :: !KEYS fi;
    /* With no transaction open: what the chain shows, in one call. */
    atomic { step("route.build"); n = c_used; at = c_head; have = COINS;
        for (k : 0 .. NONCES - 1) { have = have - (tx_succeeded(k) -> 1 : 0) }
        k = 0; printf("%d reads quote and chain\n", _pid) }
    atomic { step("quote.take");
        if :: halted -> goto out :: !halted -> halt_readers++; in_tx = true fi;
        quote_lock[q] == FREE -> quote_lock[q] = me;
        if :: quote_by[q] != 0 -> tx_end(me); goto out :: quote_by[q] == 0 -> printf("%d takes the quote\n", _pid) fi }
    atomic { wallet_lock == FREE -> wallet_lock = me; step("nonce.reserve");
        n = (next_nonce > n -> next_nonce : n); count_reserved(at); x = 0;
        if
        :: c_head >= at + SETTLE -> spent = 0; tx_end(me); goto again   /* STATE_GOOD_MS: what was read is stale */
        :: c_head < at + SETTLE && (have < spent + 1 || n >= NONCES) -> spent = 0; tx_end(me); goto out
        :: else -> spent = 0 fi }
    atomic { step("execute.sign"); sign(ok); if :: !ok -> tx_end(me); goto out :: ok fi }
    atomic { step("execute.store, market.store, idempotency.record, db.commit");
        on(KEYS && key_owner != me * 4 + attempt, tx_end(me); goto out);
        count_open(); assert(COINS >= spent + 1); spent = 0;  /* no reservation is below what is open */
        store_signed(x); key_answer = (KEYS -> x + 1 : 0); tx_end(me);
        if :: trouble(LOSSES) -> troubles--; ok = false; printf("COMMIT gets no answer\n") :: true fi }
    atomic { step("execute.commit"); on(!ok && quote_by[q] != x + 1, goto out   /* is_recorded */) }
    step("execute.send");
#if REQUESTS
    cur = req(x, 0); rs = EFFECT_OPEN; from = EXEC_PENDING; fol = FOLLOW_IN_FLIGHT; ok = false; request_send(true);
        atomic { step("poll.record"); ok = false; request_verdict(); request_group_record() };
#else
    broadcast(x, SPEND);
#endif
    goto out;
died: atomic { tx_end(me); on(KEYS && key_owner == me * 4 + attempt, key_lapsed = true);
        x = 0; n = 0; have = 0; at = 0; said = 0; k = 0; ok = false } /* the client asks once more */
    goto again;
out: atomic { workers_left--; x = 0; n = 0; have = 0; at = 0; said = 0; k = 0; attempt = 0; ok = false }
}
#endif

/* ---- following: exec/follow.c ---- */
#define due(x) (follow[x] != FOLLOW_NOT && lease[x] == FREE)
inline claim() { /* executions_claim, and what it reads of the row; a lease of the dead has run out */
    if :: due(0) -> x = 0 :: due(EXECS - 1) -> x = EXECS - 1 fi;
    assert(held[x] == FREE) /* no process works on an execution that another one holds */; lease[x] = me; held[x] = me; claimed[x] = true; from = status[x]; fol = follow[x];
    printf("%d claims execution %d in state %d\n", _pid, x, from)
}
inline release() {
    on(lease[x] == me, lease[x] = FREE); on(held[x] == me, held[x] = FREE)
}

/* A lease runs out while its holder stands still. */
inline lapse() {
    if :: trouble(LAPSES) && lease[x] == me -> troubles--; lease[x] = FREE; held[x] = FREE; printf("the lease of %d runs out\n", me) :: true fi
}
#define known(k) (was_state[k] != 0)
#define speaks_against(k) (was_block[k] != 0 && (k == CANCEL || !was_ok[k]))
#define is_doubted (from == EXEC_FAILED || speaks_against(SPEND) || speaks_against(FASTER) || speaks_against(CANCEL))

inline transactions_read() {
    for (k : 0 .. 2) { was_state[k] = t_state[tx(x, k)]; was_block[k] = t_block[tx(x, k)]; was_ok[k] = t_ok[tx(x, k)] } k = 0
}

/* exec/evm/evm_poll.c: one batch to one node. by: which of ours is in a block, as far as receipts show. */
inline look(asked) {
    by = NOTHING; block = 0; ok = false; taken = false;
    if
    :: LIAR == asked -> /* anything */
        if :: head = c_head :: head = c_head + SETTLE fi;
        if :: known(SPEND) -> by = SPEND :: known(FASTER) -> by = FASTER :: known(CANCEL) -> by = CANCEL :: true :: taken = true fi;
        if
        :: by != NOTHING && c_head > 0 -> block = 1; do :: block < c_head -> block++ :: break od;
            if :: ok = true :: by != CANCEL -> ok = false fi
        :: else -> by = NOTHING fi
    :: LIAR != asked ->
        head = (LAG -> n_head[asked] : c_head);
        k = (LAG -> n_by[asked] : c_by[nonce[x]]);
        block = (LAG -> n_block[asked] : c_block[nonce[x]]);
        ok = (LAG -> n_ok[asked] : c_ok[nonce[x]]);
        if
        :: block != 0 && k / 3 == x && known(k % 3) -> by = k % 3
        :: block != 0 && omits -> block = 0; ok = false; taken = true
        :: block != 0 && !(k / 3 == x && known(k % 3)) -> block = 0; ok = false; taken = true
        :: block == 0 -> ok = false fi; k = 0 fi;
    printf("%d asks node %d, which shows %d in block %d of %d, succeeded: %d, nonce used: %d\n", _pid, asked, by, block, head, ok,
        taken || by != NOTHING);
    /* A node behind the block that we have seen it in does not show a reorganisation. */
    seen = was_block[SPEND] <= head && was_block[FASTER] <= head && was_block[CANCEL] <= head
}

/* What is doubted is asked of both nodes, and what they do not agree about speaks against nothing. */
inline probe_twice() {
    look(0); agreed = true;
    if
    :: is_doubted -> by0 = by; block0 = block; ok0 = ok; head0 = head;
        look(1); agreed = by == by0 && block == block0 && ok == ok0; head = (head0 < head -> head0 : head);
        by0 = 0; block0 = 0; ok0 = false; head0 = 0 :: else fi
}

/* exec/evm/foreign_nonce.c: who has the nonce. Noted at first, then searched for, then confirmed by another node. */
inline shows(asked) { /* whole blocks: receipts have no part in it */
    k = (LAG -> n_by[asked] : c_by[nonce[x]]); seen_at = (LAG -> n_block[asked] : c_block[nonce[x]]);
    depth = depth_at((LAG -> n_head[asked] : c_head), seen_at);
    if :: LIAR == asked && c_head > 0 -> k = FOREIGN; seen_at = 1; depth = SETTLE :: true fi
}
#define hash_is_ours(t) ((t) / 3 == x && t_state[t] != 0) /* stored before it was sent, also when a list that was read before says otherwise */
inline poll_closely() {
    if
    :: search[x] == 0 -> search[x] = 1
    :: search[x] == 1 -> shows(0);
        on(seen_at != 0, search[x] = 2; found_tx[x] = k; found_block[x] = seen_at)
    :: search[x] == 2 && depth_at(head, found_block[x]) < SETTLE
    :: search[x] == 2 && depth_at(head, found_block[x]) >= SETTLE -> shows(1);
        if
        :: seen_at == found_block[x] && depth < SETTLE
        :: seen_at == found_block[x] && depth >= SETTLE && k == found_tx[x] -> foreign = !hash_is_ours(k)
        :: else -> search[x] = 1; found_tx[x] = 0; found_block[x] = 0 fi fi;
    printf("%d searches for the nonce: %d, foreign: %d\n", _pid, search[x], foreign);
    k = 0; seen_at = 0; depth = 0
}

/* exec/evm/repair.c */
inline attempt_add(kind) {
    atomic { step("repair.sign"); sign(ok2) }
    if
    :: ok2 ->
        atomic { step("repair.store, db.commit");
            on(t_state[tx(x, kind)] == 0, t_state[tx(x, kind)] = EFFECT_OPEN); printf("%d stores transaction %d\n", _pid, tx(x, kind)) }
        broadcast(x, kind) :: !ok2 fi
}
inline repair() {
    if
    :: by != NOTHING || taken || foreign || fol != FOLLOW_IN_FLIGHT
    :: else ->
        if
        :: (time > 0 || (refusals[x] >= 2 && !t_accepted[tx(x, SPEND)])) && known(CANCEL) -> broadcast(x, CANCEL)
        :: (time > 0 || (refusals[x] >= 2 && !t_accepted[tx(x, SPEND)])) && !known(CANCEL) -> attempt_add(CANCEL)
        :: time == 0 && SPEEDS && t_accepted[tx(x, SPEND)] && !known(FASTER) -> attempt_add(FASTER)
        :: time == 0 && known(FASTER) -> broadcast(x, FASTER)
        :: time == 0 && !known(FASTER) && refusals[x] < 2 -> broadcast(x, SPEND) fi fi
}

/* exec/verdict.c, verdict_by_spend: to. */
#define confirmed (depth_at(head, block) >= CONFIRM)
#define settled (depth_at(head, block) >= SETTLE)
#define seen_before (was_block[by] == block && was_ok[by] == ok && agreed)
inline verdict() {
    to = from; failed = false;
    if
    :: by == NOTHING && foreign -> to = EXEC_FAILED; failed = true
    :: by == NOTHING && !foreign && !taken && is_final(from) -> to = EXEC_PROCESSING
    :: by == NOTHING && !foreign && !taken && from == EXEC_PROCESSING && t_accepted[tx(x, SPEND)] -> to = EXEC_SUBMITTED
    :: by == CANCEL && settled && seen_before -> to = EXEC_FAILED; failed = true
    :: by == CANCEL && !(settled && seen_before) && from == EXEC_COMPLETED -> to = EXEC_PROCESSING
    :: by < CANCEL && confirmed && ok && from == EXEC_COMPLETED && was_block[by] != 0 && was_block[by] != block -> to = EXEC_PROCESSING
    :: by < CANCEL && confirmed && ok && !(from == EXEC_COMPLETED && was_block[by] != 0 && was_block[by] != block) -> to = EXEC_COMPLETED
    :: by < CANCEL && confirmed && !ok && seen_before -> to = EXEC_FAILED; failed = true
    :: by < CANCEL && !(confirmed && (ok || seen_before)) && (!confirmed || !is_final(from)) -> to = EXEC_PROCESSING :: else fi;
    on(is_final(from) && to != from, to = EXEC_PROCESSING) /* retract_first */
}

/* exec/outcome.c: what the verdict means for how it is followed. */
inline outcome() {
    settles = false; next = FOLLOW_NOT;
    if
    :: fol == FOLLOW_ONCE_MORE ->
        settles = (by < CANCEL && ok -> settled : by != NOTHING || foreign || time > 0);
        to = (by < CANCEL && ok && settled -> EXEC_COMPLETED : from)
    :: else ->
        /* What it was told as before is not proven by that, and is looked at again. */
        settles = (to == EXEC_COMPLETED && by < CANCEL && ok && settled) || (to == EXEC_FAILED && failed && (foreign || settled));
        next = (to == EXEC_FAILED -> FOLLOW_ONCE_MORE : FOLLOW_NOT) fi
}
inline observations_record() {
    for (k : 0 .. 2) {
        on(known(k) && !taken && unsettled(tx(x, k)), t_block[tx(x, k)] = (by == k -> block : 0);
            t_ok[tx(x, k)] = (by == k -> ok : false); t_state[tx(x, k)] = (by == k -> EFFECT_INCLUDED : EFFECT_OPEN))
    } k = 0
}
inline settled_record() { /* all attempts at the nonce: one has settled, the others are lost */
    for (k : 0 .. 2) {
        on(t_state[tx(x, k)] != 0 && (by != NOTHING || foreign), t_state[tx(x, k)] = (by == k -> EFFECT_SETTLED : EFFECT_LOST))
    } k = 0
}
inline group_record() { /* group_record_tx */
    if
    :: status[x] != from && (to != from || settles) -> printf("%d finds that another process moved it\n", _pid)
    :: else ->
        observations_record();
        on(to != from && to == EXEC_FAILED, assert(failing[x]) /* nothing is told as failed that never looked like it */);
        on(to != from, move(x, to));
        on(settles, settled_record(); follow[x] = next; printf("%d settles it in state %d\n", _pid, status[x]); check_end()) fi
}
#if !REQUESTS
inline pass_end() {
    x = 0; from = 0; fol = 0; by = 0; block = 0; head = 0; to = 0; next = 0; said = 0; k = 0; ok = false; ok2 = false; taken = false;
    seen = false; foreign = false; settles = false; failed = false; agreed = false;
    do :: k < 3 -> was_state[k] = 0; was_block[k] = 0; was_ok[k] = false; k++ :: else -> k = 0; break od
}

proctype follower(byte me) {
    byte x, from, fol, k, by, block, head, to, next, said, seen_at, depth, by0, block0, head0; bool ok, ok2, taken, seen, foreign, settles, failed, agreed, ok0;
    byte was_state[3], was_block[3]; bool was_ok[3];
again: end: atomic { due(0) || due(EXECS - 1); step("poll.claim"); claim(); transactions_read(); lapse() }
    atomic { step("poll.ask"); probe_twice(); lapse() }
    on(seen && taken, atomic { poll_closely() });
    if
    :: seen ->
        repair();
        atomic { step("poll.record, swap.move, swap.settle, market.move, outbox.add, db.commit"); verdict(); outcome(); group_record() } :: !seen fi;
    atomic { step("poll.release"); release(); pass_end() }
    goto again;
died: atomic { release(); pass_end() }
    goto again
}
#else
inline pass_end() {
    x = 0; from = 0; fol = 0; to = 0; next = 0; cur = 0; rs = 0; unk = 0; says = 0; now = 0; acc = false; ok = false; settles = false;
    cancelled = false
}

proctype request_follower(byte me) {
    byte x, from, fol, to, next, cur, rs, unk, says, now; bool acc, ok, settles, cancelled;
again: end: atomic { due(0) || due(EXECS - 1); step("poll.claim"); claim(); requests_read(); lapse() }
    atomic { step("poll.ask");
        says = (late_read[cur] == GONE -> UNKNOWN : late_read[cur]);
        if :: trouble(LOSSES) -> troubles--; says = SILENT :: true fi; printf("%d asks the venue, which says %d\n", _pid, says); lapse() }
    if
    :: (says == UNKNOWN || says == SILENT) && rs == EFFECT_OPEN && !acc && time == 0 && refusals[x] < 2 && fol == FOLLOW_IN_FLIGHT ->
        request_send(false)
    :: says == UNKNOWN && rs == EFFECT_OPEN && !acc && time == 2 && unk == 0 && !EXPIRES && fol == FOLLOW_IN_FLIGHT ->
        atomic { if :: venue[cur] == 0 -> venue[cur] = GONE :: venue[cur] == HAS -> venue[cur] = REFUSES_IT :: else fi;
            cancelled = true; printf("%d cancels it at the venue: %d\n", _pid, venue[cur]) } :: else fi;
    atomic { step("poll.record, swap.move, market.move, outbox.add, db.commit"); request_verdict(); request_group_record() }
    atomic { step("poll.release"); claimed[x] = claimed[x] && lease[x] != me; release(); pass_end() }
    goto again;
died: atomic { release(); pass_end() }
    goto again
}
#endif

/* ---- the outbox: webhook/drain.c ---- */
#define ready(i) (e_state[i] == 1 && e_lease[i] == FREE)
#if DRAINS
proctype drain(byte me) {
    byte i; bool answered;
again: end: atomic { ready(0) || ready(EVENTS - 1); step("drain.claim");
        if :: ready(0) -> i = 0 :: ready(EVENTS - 1) -> i = EVENTS - 1 fi;
        assert(e_held[i] == FREE) /* no process delivers an event that another one holds */; e_lease[i] = me; e_held[i] = me; printf("%d claims event %d\n", _pid, i) }
    if :: atomic { trouble(LAPSES) && e_lease[i] == me -> troubles--; e_lease[i] = FREE; e_held[i] = FREE; printf("its lease runs out\n") } :: true fi;
    atomic { step("drain.post"); answered = true;
        if
        :: e_got[i] = 1; printf("the receiver gets event %d\n", i)
        :: trouble(LOSSES) -> troubles--; e_got[i] = 1; answered = false; printf("the receiver's answer is lost\n")
        :: trouble(LOSSES) -> troubles--; answered = false; printf("nothing arrives\n") fi }
    atomic { step("drain.record, db.commit");
        on(e_lease[i] == me, e_state[i] = (answered -> 2 : e_state[i]); e_lease[i] = FREE; e_held[i] = FREE); printf("%d records it: %d\n", _pid, e_state[i]);
        i = 0; answered = false }
    goto again;
died: atomic { on(e_lease[i] == me, e_lease[i] = FREE; e_held[i] = FREE); i = 0; answered = false }
    goto again
}
#endif

/* ---- what must hold, beside the assertions where things happen ---- */
#define followed(x) (status[x] != 0 && follow[x] != FOLLOW_NOT)
#define delivered(i) (e_state[i] != 1)
#define at_rest (workers_left == 0 && (FOLLOWERS == 0 || !followed(0) && !followed(EXECS - 1)) && delivered(0) && delivered(EVENTS - 1))

proctype auditor() {
end: if
    :: atomic { ends[0] != told[0] || ends[EXECS - 1] != told[EXECS - 1] -> assert(false) /* no state changes without its event */ }
    :: atomic { (e_state[0] == 2 && !e_got[0]) || (e_state[EVENTS - 1] == 2 && !e_got[EVENTS - 1]) -> assert(false) /* what counts as delivered was received */ }
    :: atomic { timeout -> assert(at_rest) /* nothing stands for ever */ } fi
}

/* Every accepted execution ends, with all of its events: with fair processes, and once no more troubles come. */
ltl ends_at_rest { <> [] at_rest }

init {
    atomic { byte i;
#if WORKERS
        do :: i < WORKERS -> run worker(i + 1, i % QUOTES); i++ :: else -> i = 0; break od;
#else
        accepted = 1; status[0] = EXEC_PENDING; follow[0] = FOLLOW_IN_FLIGHT; next_nonce = 1;
        if :: REQUESTS -> r_row[req(0, 0)] = EFFECT_OPEN :: else -> t_state[tx(0, SPEND)] = EFFECT_OPEN fi;
#endif
#if REQUESTS
        do :: i < FOLLOWERS -> run request_follower(i + 1); i++ :: else -> i = 0; break od;
        run exchange(0); on(RENEWS, run exchange(1));
#else
        do :: i < FOLLOWERS -> run follower(i + 1); i++ :: else -> i = 0; break od;
        run miner(); run network();
#endif
#if DRAINS
        do :: i < DRAINS -> run drain(i + 1); i++ :: else -> i = 0; break od;
#endif
        on(STOPS, run operator());
        run clock(); run auditor()
    }
}
