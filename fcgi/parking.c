#include "parking.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

enum {
    DOOR_IN = 0,
    DOOR_OUT = 1,
    OTHER_DESCRIPTORS = 64, /* of the process that holds the calls */
};

struct parking {
    int door[2];              /* workers send into one end */
    _Atomic unsigned *future; /* shared: enum parking_future */
};

struct head {
    uint64_t agent_id, execution;
    int64_t until_ms;
    uint32_t again_len, now_len, head_len, progress_len;
    uint8_t order;
};

struct parking *parking_new(void)
{
    struct parking *p = calloc(1, sizeof *p);
    void *future = mmap(NULL, sizeof *p->future, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (p == NULL || future == MAP_FAILED ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, p->door) != 0)
        log_fatal("start_failed", "msg=\"cannot make room for waiting calls\" reason=\"%s\"",
                  strerror(errno));
    p->future = future;
    return p;
}

unsigned parking_serve(struct parking *p)
{
    struct rlimit files;

    (void)close(p->door[DOOR_IN]);
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return OTHER_DESCRIPTORS;
    if (files.rlim_cur < PARKED_MAX + OTHER_DESCRIPTORS) {
        files.rlim_cur =
            files.rlim_max < PARKED_MAX + OTHER_DESCRIPTORS ? files.rlim_max : PARKED_MAX + OTHER_DESCRIPTORS;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    if (files.rlim_cur >= PARKED_MAX + OTHER_DESCRIPTORS)
        return PARKED_MAX;
    return files.rlim_cur > 2 * OTHER_DESCRIPTORS ? (unsigned)files.rlim_cur - OTHER_DESCRIPTORS
                                                  : OTHER_DESCRIPTORS;
}

void parking_own(const struct parking *p)
{
    (void)close(p->door[DOOR_OUT]);
}

void parking_close(const struct parking *p)
{
    (void)close(p->door[DOOR_IN]);
    (void)close(p->door[DOOR_OUT]);
}

void parking_tell(struct parking *p, enum parking_future future)
{
    atomic_store(p->future, future);
}

enum parking_future parking_future(const struct parking *p)
{
    return (enum parking_future)atomic_load(p->future);
}

static bool door_send(const struct parking *p, int fd, struct head *head, const struct parking_texts *t)
{
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(sizeof fd)];
    } control = { .bytes = { 0 } };
    struct iovec parts[] = { { head, sizeof *head },
                             { (void *)(uintptr_t)t->again, t->again_len },
                             { (void *)(uintptr_t)t->now, t->now_len },
                             { (void *)(uintptr_t)t->head, t->head_len },
                             { (void *)(uintptr_t)t->progress, t->progress_len } };
    struct msghdr m = { .msg_iov = parts,
                        .msg_iovlen = sizeof parts / sizeof parts[0],
                        .msg_control = control.bytes,
                        .msg_controllen = sizeof control.bytes };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    return sendmsg(p->door[DOOR_IN], &m, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

bool parking_hand_over(struct parking *p, int fd, const struct request_wait *w, const struct parking_texts *t)
{
    struct head head = { .agent_id = w->agent_id,
                         .execution = w->execution,
                         .order = w->order,
                         .until_ms = clock_mono_ms() + w->ms,
                         .again_len = (uint32_t)t->again_len,
                         .now_len = (uint32_t)t->now_len,
                         .head_len = (uint32_t)t->head_len,
                         .progress_len = (uint32_t)t->progress_len };

    return parking_future(p) == PARKING_STAYS &&
           t->again_len + t->now_len + t->head_len + t->progress_len <= PARKED_TEXTS_MAX &&
           door_send(p, fd, &head, t);
}

int parking_fd(const struct parking *p)
{
    return p->door[DOOR_OUT];
}

static int descriptor_of(struct msghdr *m)
{
    struct cmsghdr *c = CMSG_FIRSTHDR(m);
    int fd = -1;

    if (c != NULL && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}

int parking_take(struct parking *p, struct parked_call *out)
{
    static uint8_t texts[PARKED_TEXTS_MAX];
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct head head;
    struct iovec parts[] = { { &head, sizeof head }, { texts, sizeof texts } };
    struct msghdr m = { .msg_iov = parts,
                        .msg_iovlen = 2,
                        .msg_control = control.bytes,
                        .msg_controllen = sizeof control.bytes };
    ssize_t n = recvmsg(p->door[DOOR_OUT], &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    uint8_t *copy;
    size_t len;

    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
    *out = (struct parked_call){ .fd = descriptor_of(&m),
                                 .agent_id = head.agent_id,
                                 .execution = head.execution,
                                 .order = head.order != 0,
                                 .until_ms = head.until_ms,
                                 .again_len = head.again_len,
                                 .now_len = head.now_len,
                                 .head_len = head.head_len,
                                 .progress_len = head.progress_len };
    len = out->again_len + out->now_len + out->head_len + out->progress_len;
    copy = malloc(len);
    if (copy == NULL)
        log_fatal("out_of_memory", "out of memory: a waiting call");
    memcpy(copy, texts, len);
    explicit_bzero(texts, len);
    out->again = copy;
    out->now = out->again + out->again_len;
    out->head = out->now + out->now_len;
    out->progress = out->head + out->head_len;
    return 1;
}

void parked_call_free(struct parked_call *call)
{
    explicit_bzero(call->again, call->again_len + call->now_len + call->head_len + call->progress_len);
    free(call->again);
}
