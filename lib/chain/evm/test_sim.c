#include "base/test.h"
#include "chain/evm/sim.c"

static const struct evm_addr target = { { 0xb1 } };
static const struct sim_call reading = { .to = { { 0xc1 } }, .data = (const uint8_t *)"read", .data_len = 4 };
enum { ROOM = 96 };

static const uint8_t *code_of(const struct buf *b)
{
    return (const uint8_t *)b->data;
}

static void jump_targets_are_where_they_should_be(void)
{
    const struct sim_call call = { .to = target };
    struct buf out = BUF_INIT(MAX_TX);

    CHECK(sim_code(&out, &call, 1, &reading, ROOM));
    CHECK(code_of(&out)[AT_FAIL] == OP_JUMPDEST && code_of(&out)[AT_FALSE] == OP_JUMPDEST);
    CHECK(code_of(&out)[AT_RUN] == OP_JUMPDEST);
    buf_free(&out);
}

/* Whether the code copies `len` bytes from an offset of its own to where a call takes them. */
static bool copies(const struct buf *code, size_t at, uint8_t len)
{
    const uint8_t scratch = (uint8_t)(scratch_at(ROOM) >> 8), low = (uint8_t)scratch_at(ROOM);
    const uint8_t want[] = { OP_PUSH3,    0,        0, len,     OP_PUSH3, 0,          (uint8_t)(at >> 8),
                             (uint8_t)at, OP_PUSH3, 0, scratch, low,      OP_CODECOPY };

    return memmem(code->data, code->len, want, sizeof want) != NULL;
}

static void calldata_stands_behind_the_code(void)
{
    const struct sim_call calls[] = { { .to = target, .data = (const uint8_t *)"first", .data_len = 5 },
                                      { .to = target },
                                      { .to = target, .data = (const uint8_t *)"second", .data_len = 6 } };
    struct buf out = BUF_INIT(MAX_TX);

    CHECK(sim_code(&out, calls, 3, &reading, ROOM));
    CHECK(memcmp(out.data + out.len - 15, "readfirstsecond", 15) == 0);
    CHECK(copies(&out, out.len - 15, 4));
    CHECK(copies(&out, out.len - 11, 5) && copies(&out, out.len - 6, 0) && copies(&out, out.len - 6, 6));
    buf_free(&out);
}

static void oversized_simulations_are_refused(void)
{
    static const uint8_t much[60000];
    const struct sim_call big = { .to = target, .data = much, .data_len = sizeof much };
    const struct sim_call more[SIM_MAX_CALLS + 1] = { { .to = target } };
    const struct sim_call endless = { .to = target, .data = much, .data_len = SIZE_MAX };
    struct buf out = BUF_INIT(50000);

    CHECK(!sim_code(&out, more, 0, &reading, ROOM));
    CHECK(!sim_code(&out, more, SIM_MAX_CALLS + 1, &reading, ROOM));
    CHECK(!sim_code(&out, &endless, 1, &reading, ROOM));
    CHECK(!sim_code(&out, more, 1, &endless, ROOM));
    CHECK(!sim_code(&out, more, 1, &reading, SIM_READING_MAX + 1));
    CHECK(out.len == 0);
    CHECK(sim_code(&out, more, SIM_MAX_CALLS, &reading, ROOM));
    buf_reset(&out);
    CHECK(!sim_code(&out, &big, 1, &reading, ROOM));
    buf_free(&out);
}

/* A result of any other length, or with lengths beyond it, is refused. */
static void results_are_read_within_their_bounds(void)
{
    struct buf out = BUF_INIT(4096);
    struct sim_result r;

    for (unsigned i = 0; i < SIM_MAX_CALLS; i++)
        abi_u64(&out, i);
    abi_u64(&out, 3);
    abi_u64(&out, ROOM);
    for (unsigned i = 0; i < 2 * ROOM; i++)
        buf_addc(&out, (uint8_t)(i < ROOM ? 'b' : 'a'));
    CHECK(sim_read(&r, code_of(&out), out.len));
    CHECK(r.before_len == 3 && memcmp(r.before, "bbb", 3) == 0 && r.after_len == ROOM && *r.after == 'a');
    CHECK(u256_cmp(r.used[5], u256_from_u64(5)) == 0);
    CHECK(!sim_read(&r, code_of(&out), out.len - 1) && !sim_read(&r, code_of(&out), READINGS - 1));
    CHECK(!sim_read(&r, code_of(&out), out.len - 2)); /* less room than was returned */
    CHECK(!sim_read(&r, code_of(&out), 0));
    buf_free(&out);
}

TEST_MAIN(TEST(jump_targets_are_where_they_should_be), TEST(calldata_stands_behind_the_code),
          TEST(oversized_simulations_are_refused), TEST(results_are_read_within_their_bounds))
