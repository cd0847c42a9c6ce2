#include "base/log.c"
#include "base/test.h"

/* The text that `say` writes to standard error. */
static const char *captured(void (*say)(void))
{
    static char text[2 * LINE_MAX_LEN];
    int saved = dup(STDERR_FILENO), fd[2];
    ssize_t n;

    if (pipe(fd) != 0 || dup2(fd[1], STDERR_FILENO) < 0)
        return "no pipe";
    say();
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(fd[1]);
    n = read(fd[0], text, sizeof text - 1);
    close(fd[0]);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static void say_plain(void)
{
    log_info("test", "a=%d", 1);
}

static void say_with_id(void)
{
    log_id("req-1");
    log_warn("test", "b");
    log_id(NULL);
}

static void say_forged(void)
{
    log_error("test", "name=%s", "x\n2026 info\x1b[1m\x7f");
}

static void say_steered(void)
{
    log_error("test", "name=%s",
              "a\xe2\x80\xae"
              "b\xc2\x9b"
              "2Jc\xff");
}

static void say_long(void)
{
    log_error("test", "%*s", 2 * LINE_MAX_LEN, "x");
}

static void lines_have_the_format(void)
{
    char want[128];

    log_init("unit");
    clock_fake_ms(1769903999123);
    snprintf(want, sizeof want, "2026-01-31T23:59:59.123Z info unit[%d] event=test a=1\n", (int)getpid());
    CHECK_STR(captured(say_plain), want);
    snprintf(want, sizeof want, "2026-01-31T23:59:59.123Z warn unit[%d] event=test request_id=req-1 b\n",
             (int)getpid());
    CHECK_STR(captured(say_with_id), want);
}

static void say_each_level(void)
{
    log_init("unit");
    log_info("test", "a");
    log_warn("test", "b");
    log_error("test", "c");
}

/* As systemd names it, by a stream that is standard error or another one. */
static void name_stream(ino_t more)
{
    char stream[64];
    struct stat st;

    (void)fstat(STDERR_FILENO, &st);
    (void)snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)st.st_dev,
                   (unsigned long long)(st.st_ino + more));
    (void)setenv("JOURNAL_STREAM", stream, 1);
    say_each_level();
    (void)unsetenv("JOURNAL_STREAM");
}

static void say_to_journal(void)
{
    name_stream(0);
}

static void say_elsewhere(void)
{
    name_stream(1);
}

static void the_journal_gets_priorities_and_no_time(void)
{
    char want[256];
    int pid = (int)getpid();

    snprintf(want, sizeof want,
             "<6>info unit[%d] event=test a\n<4>warn unit[%d] event=test b\n<3>error unit[%d] event=test c\n",
             pid, pid, pid);
    CHECK_STR(captured(say_to_journal), want);
    CHECK(strncmp(captured(say_elsewhere), "2026-01-31T23:59:59.123Z info unit[", 35) == 0);
}

static void control_bytes_are_escaped(void)
{
    const char *line = captured(say_forged);

    CHECK(strstr(line, "name=x\\x0a2026 info\\x1b[1m\\x7f\n") != NULL);
}

static void control_characters_are_escaped(void)
{
    const char *line = captured(say_steered);

    CHECK(strstr(line, "name=a\\xe2\\x80\\xaeb\\xc2\\x9b2Jc\\xff\n") != NULL);
}

static void a_text_cannot_end_its_quotes(void)
{
    char out[LOG_TEXT_LEN], long_text[LOG_TEXT_MAX + 100];

    CHECK_STR(log_text(out, "/x\" status=200 y=\"\\"), "\"/x\\\" status=200 y=\\\"\\\\\"");
    CHECK_STR(log_text(out, ""), "\"\"");
    memset(long_text, '"', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    CHECK(strlen(log_text(out, long_text)) == LOG_TEXT_LEN - 1);
}

static void long_lines_are_cut(void)
{
    const char *line = captured(say_long);

    CHECK(strlen(line) == LINE_MAX_LEN && line[LINE_MAX_LEN - 1] == '\n');
}

TEST_MAIN(TEST(lines_have_the_format), TEST(the_journal_gets_priorities_and_no_time),
          TEST(control_bytes_are_escaped), TEST(control_characters_are_escaped),
          TEST(a_text_cannot_end_its_quotes), TEST(long_lines_are_cut))
