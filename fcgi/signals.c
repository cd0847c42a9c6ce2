#include "signals.h"

#include <stddef.h>

volatile sig_atomic_t stop_asked, restart_asked;

static void on_stop(int sig)
{
    (void)sig;
    stop_asked = 1;
}

static void on_restart(int sig)
{
    (void)sig;
    restart_asked = 1;
}

/* Only wakes the parent. */
static void on_child(int sig)
{
    (void)sig;
}

sigset_t initial_mask;

static const struct {
    int sig;
    void (*handler)(int);
} caught[] = { { SIGTERM, on_stop }, { SIGINT, on_stop }, { SIGHUP, on_restart }, { SIGCHLD, on_child } };

enum { CAUGHT = sizeof caught / sizeof caught[0] };

static void catch_signal(int sig, void (*handler)(int))
{
    struct sigaction sa = { .sa_handler = handler }; /* no SA_RESTART: waiting calls return */

    (void)sigaction(sig, &sa, NULL);
}

void signals_hold(void)
{
    sigset_t blocked;

    (void)sigemptyset(&blocked);
    for (size_t i = 0; i < CAUGHT; i++)
        (void)sigaddset(&blocked, caught[i].sig);
    (void)sigprocmask(SIG_BLOCK, &blocked, NULL);
}

void signals_take(void)
{
    sigset_t held;

    (void)sigprocmask(SIG_SETMASK, &initial_mask, &held);
    (void)sigprocmask(SIG_SETMASK, &held, NULL);
}

void signals_catch(void)
{
    (void)sigprocmask(SIG_BLOCK, NULL, &initial_mask);
    for (size_t i = 0; i < CAUGHT; i++)
        (void)sigdelset(&initial_mask, caught[i].sig);
    signals_hold();
    for (size_t i = 0; i < CAUGHT; i++)
        catch_signal(caught[i].sig, caught[i].handler);
    (void)signal(SIGPIPE, SIG_IGN);
}
