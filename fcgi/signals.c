#include "signals.h"

#include <stddef.h>

volatile sig_atomic_t stop_asked, renew_asked;

static void on_stop(int sig)
{
    (void)sig;
    stop_asked = 1;
}

static void on_renew(int sig)
{
    (void)sig;
    renew_asked = 1;
}

/* Only wakes the parent. */
static void on_child(int sig)
{
    (void)sig;
}

sigset_t initial_mask;

static void catch_signal(int sig, void (*handler)(int))
{
    struct sigaction sa = { .sa_handler = handler }; /* no SA_RESTART: waiting calls return */

    (void)sigaction(sig, &sa, NULL);
}

void signals_catch(void)
{
    sigset_t blocked;

    catch_signal(SIGTERM, on_stop);
    catch_signal(SIGINT, on_stop);
    catch_signal(SIGHUP, on_renew);
    catch_signal(SIGCHLD, on_child);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigemptyset(&blocked);
    (void)sigaddset(&blocked, SIGTERM);
    (void)sigaddset(&blocked, SIGINT);
    (void)sigaddset(&blocked, SIGHUP);
    (void)sigaddset(&blocked, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &blocked, &initial_mask);
}
