#include "signer/client.c"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "keys/test_util.h"

/* A stand-in for the signer, told what to do with each connection in turn. */
enum manner { ANSWER, CLOSE, SILENT, LATE, NONSENSE, OVERLONG, NO_MORE };

static struct test_dir dir;
static char path[160];
static struct signer *s;
static pid_t peer;

static void send_answer(int fd, enum signer_status status)
{
    struct signer_answer an = { .status = status };
    struct buf b = BUF_INIT(512);

    signer_answer_write(&b, &an);
    (void)!send(fd, b.data, b.len, MSG_NOSIGNAL);
    buf_free(&b);
}

static void act_as(int fd, enum manner manner)
{
    char packet[1024] = { 0 };

    while (recv(fd, packet, sizeof packet, 0) > 0) {
        switch (manner) {
        case ANSWER:
            send_answer(fd, SIGNER_OK);
            break;
        case LATE:
            usleep(1000 * (SIGNER_DEADLINE_MS + 100));
            send_answer(fd, SIGNER_REFUSED);
            break;
        case NONSENSE:
            (void)!send(fd, "?", 1, MSG_NOSIGNAL);
            break;
        case OVERLONG:
            (void)!send(fd, packet, sizeof packet, MSG_NOSIGNAL);
            break;
        case CLOSE:
            return;
        case SILENT:
        case NO_MORE:
            break;
        }
    }
}

static int open_listener(void)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

    snprintf(addr.sun_path, sizeof addr.sun_path, "%.100s", path);
    CHECK(bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0 && listen(fd, 8) == 0);
    return fd;
}

static void client_test_begin(const enum manner *manners)
{
    int fd;

    test_dir_make(&dir);
    snprintf(path, sizeof path, "%s/socket", dir.root);
    fd = open_listener();
    peer = fork();
    if (peer == 0) {
        for (; *manners != NO_MORE; manners++) {
            int c = accept(fd, NULL, NULL);

            act_as(c, *manners);
            close(c);
        }
        pause();
    }
    close(fd);
    s = signer_new(path);
    CHECK(s != NULL);
}

static void client_test_end(void)
{
    signer_free(s);
    kill(peer, SIGKILL);
    CHECK(waitpid(peer, NULL, 0) == peer);
    test_dir_remove(&dir);
}

static void pings_on_one_connection(void)
{
    client_test_begin((const enum manner[]){ ANSWER, NO_MORE });
    for (int i = 0; i < 100; i++)
        CHECK(signer_ping(s, NULL) == SIGNER_OK);
    client_test_end();
}

static void silence_ends_at_the_deadline(void)
{
    int64_t took;

    client_test_begin((const enum manner[]){ SILENT, ANSWER, NO_MORE });
    took = clock_mono_ms();
    CHECK(signer_ping(s, NULL) == SIGNER_AWAY);
    took = clock_mono_ms() - took;
    CHECK(took >= SIGNER_DEADLINE_MS - 1 && took < 5 * SIGNER_DEADLINE_MS);
    CHECK(s->fd == -1);
    client_test_end();
}

/* The late answer says REFUSED; the next request must not get it. */
static void late_answers_are_lost(void)
{
    client_test_begin((const enum manner[]){ LATE, ANSWER, NO_MORE });
    CHECK(signer_ping(s, NULL) == SIGNER_AWAY);
    usleep(1000 * SIGNER_DEADLINE_MS);
    CHECK(signer_ping(s, NULL) == SIGNER_OK);
    client_test_end();
}

static void a_new_wallet_waits_for_the_disk(void)
{
    struct wallet_ref w = { .kind = WALLET_EVM };
    uint8_t sealed[SEALED_LEN];

    client_test_begin((const enum manner[]){ LATE, NO_MORE });
    CHECK(signer_create(s, &w, sealed) == SIGNER_REFUSED);
    client_test_end();
}

static void reconnects_once(void)
{
    client_test_begin((const enum manner[]){ CLOSE, ANSWER, NO_MORE });
    CHECK(signer_ping(s, NULL) == SIGNER_OK);
    client_test_end();
    client_test_begin((const enum manner[]){ CLOSE, CLOSE, ANSWER, NO_MORE });
    CHECK(signer_ping(s, NULL) == SIGNER_AWAY);
    CHECK(signer_ping(s, NULL) == SIGNER_OK);
    client_test_end();
}

static void nonsense_is_a_failure(void)
{
    client_test_begin((const enum manner[]){ NONSENSE, OVERLONG, ANSWER, NO_MORE });
    CHECK(signer_ping(s, NULL) == SIGNER_FAILED && s->fd == -1);
    CHECK(signer_ping(s, NULL) == SIGNER_FAILED && s->fd == -1);
    CHECK(signer_ping(s, NULL) == SIGNER_OK);
    client_test_end();
}

static void requests_without_a_server_fail_at_once(void)
{
    int64_t took;

    client_test_begin((const enum manner[]){ NO_MORE });
    CHECK(unlink(path) == 0);
    took = clock_mono_ms();
    CHECK(signer_ping(s, NULL) == SIGNER_AWAY);
    CHECK(clock_mono_ms() - took < SIGNER_DEADLINE_MS);
    client_test_end();
}

/* The server does not accept and its queue is full: the deadline holds for connecting, too. */
static void full_queue(void)
{
    struct signer *more[12];
    int64_t took;

    client_test_begin((const enum manner[]){ NO_MORE });
    for (size_t i = 0; i < 12; i++) {
        more[i] = signer_new(path);
        if (i < 9)
            CHECK(connect_by(more[i], clock_mono_ms()));
    }
    took = clock_mono_ms();
    CHECK(signer_ping(s, NULL) == SIGNER_AWAY);
    took = clock_mono_ms() - took;
    CHECK(took >= SIGNER_DEADLINE_MS - 1 && took < 5 * SIGNER_DEADLINE_MS);
    for (size_t i = 0; i < 12; i++)
        signer_free(more[i]);
    client_test_end();
}

static void forks_get_their_own_connection(void)
{
    int status = -1, before;
    pid_t pid;

    client_test_begin((const enum manner[]){ SILENT, NO_MORE });
    CHECK(ensure_connected(s, clock_mono_ms()));
    before = s->fd;
    pid = fork();
    if (pid == 0)
        _exit(ensure_connected(s, clock_mono_ms()) && s->owner == getpid() ? 0 : 1);
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(ensure_connected(s, clock_mono_ms()) && s->fd == before);
    CHECK((fcntl(s->fd, F_GETFD) & FD_CLOEXEC) != 0);
    client_test_end();
}

static void too_much_is_not_sent(void)
{
    uint8_t *large = calloc(1, MAX_TX + 1);
    struct signer_request rq = { .op = SIGNER_SIGN, .wallet = test_wallet("0xabc"), .payload = large };
    struct signature sig;

    client_test_begin((const enum manner[]){ ANSWER, NO_MORE });
    rq.payload_len = MAX_TX + 1;
    CHECK(signer_sign(s, &rq, &sig) == SIGNER_BAD_MESSAGE && s->fd == -1);
    rq.payload_len = 1;
    rq.proof = large;
    rq.proof_len = PROOF_MAX + 1;
    CHECK(signer_sign(s, &rq, &sig) == SIGNER_BAD_MESSAGE && s->fd == -1);
    free(large);
    client_test_end();
}

static void paths_too_long(void)
{
    char text[200];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    CHECK(signer_new(text) == NULL);
    signer_free(NULL);
}

TEST_MAIN(TEST(pings_on_one_connection), TEST(silence_ends_at_the_deadline), TEST(late_answers_are_lost),
          TEST(a_new_wallet_waits_for_the_disk), TEST(reconnects_once), TEST(nonsense_is_a_failure),
          TEST(requests_without_a_server_fail_at_once), TEST(full_queue),
          TEST(forks_get_their_own_connection), TEST(too_much_is_not_sent), TEST(paths_too_long))
