#include "base/test.h"
#include "chain/evm/sim.c"

static const struct evm_addr native, token = { { 0xc1 } }, target = { { 0xb1 } };

static const uint8_t *code_of(const struct buf *b)
{
    return (const uint8_t *)b->data;
}

static void jump_targets_are_where_they_should_be(void)
{
    const struct sim_call call = { .to = target };
    struct buf out = BUF_INIT(MAX_TX);

    CHECK(sim_code(&out, &call, 1, native));
    CHECK(code_of(&out)[AT_FAIL] == OP_JUMPDEST && code_of(&out)[AT_FALSE] == OP_JUMPDEST);
    CHECK(code_of(&out)[AT_RUN] == OP_JUMPDEST);
    buf_free(&out);
}

/* Whether the code copies `len` bytes from an offset of its own to where a call takes them. */
static bool copies(const struct buf *code, size_t at, uint8_t len)
{
    const uint8_t want[] = { OP_PUSH3,           0,           0,        len,     OP_PUSH3,   0,
                             (uint8_t)(at >> 8), (uint8_t)at, OP_PUSH1, SCRATCH, OP_CODECOPY };

    return memmem(code->data, code->len, want, sizeof want) != NULL;
}

static void calldata_stands_behind_the_code(void)
{
    const struct sim_call calls[] = { { .to = target, .data = (const uint8_t *)"first", .data_len = 5 },
                                      { .to = target },
                                      { .to = target, .data = (const uint8_t *)"second", .data_len = 6 } };
    struct buf out = BUF_INIT(MAX_TX);

    CHECK(sim_code(&out, calls, 3, token));
    CHECK(memcmp(out.data + out.len - 11, "firstsecond", 11) == 0);
    CHECK(copies(&out, out.len - 11, 5) && copies(&out, out.len - 6, 0) && copies(&out, out.len - 6, 6));
    buf_free(&out);
}

static void what_cannot_be_run_is_refused(void)
{
    static const uint8_t much[60000];
    const struct sim_call big = { .to = target, .data = much, .data_len = sizeof much };
    const struct sim_call more[SIM_MAX_CALLS + 1] = { { .to = target } };
    const struct sim_call endless = { .to = target, .data = much, .data_len = SIZE_MAX };
    struct buf out = BUF_INIT(50000);

    CHECK(!sim_code(&out, more, 0, native));
    CHECK(!sim_code(&out, more, SIM_MAX_CALLS + 1, native));
    CHECK(!sim_code(&out, &endless, 1, native));
    CHECK(out.len == 0);
    CHECK(sim_code(&out, more, SIM_MAX_CALLS, native));
    buf_reset(&out);
    CHECK(!sim_code(&out, &big, 1, native));
    buf_free(&out);
}

TEST_MAIN(TEST(jump_targets_are_where_they_should_be), TEST(calldata_stands_behind_the_code),
          TEST(what_cannot_be_run_is_refused))
