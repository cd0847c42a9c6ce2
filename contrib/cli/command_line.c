#include "contrib/cli/command_line.h"

#include <stdarg.h>
#include <string.h>

#include "base/edit_distance.h"

enum { WAIT_S = 300, SECONDS_MAX = 24 * 3600 };

const char usage[] =
    "usage: gw [OPTION ...] COMMAND [ARGUMENT ...]\n"
    "       gw --help | --version\n"
    "  register NAME      registers an agent; its key is shown once, and kept in a file that no other user can read\n"
    "  create-wallet [CHAIN_TYPE]\n"
    "                     makes a wallet, evm unless it is solana; wallets lists them\n"
    "  balance            what all wallets have, at markets too; the same as portfolio\n"
    "  price SYMBOL ...   dollar prices\n"
    "  quote AMOUNT FROM TO\n"
    "                     the price of a swap, such as `gw quote 1 ETH USDC --chain base`; with --from-chain and\n"
    "                     --to-chain that of a bridge\n"
    "  swap AMOUNT FROM TO\n"
    "                     quotes, executes, and follows the swap to its end\n"
    "  status SWAP_ID     how a swap stands; swaps lists them\n"
    "  add-address ADDRESS [LABEL]\n"
    "                     adds an address to which money may be withdrawn; addresses lists them\n"
    "  withdraw AMOUNT TOKEN TO --chain CHAIN\n"
    "                     sends to such an address, by its label or itself, and follows the withdrawal to its end\n"
    "  do SENTENCE        what one sentence orders, such as `gw do \"swap 1 ETH to USDC on base\"`; --dry-run prices it\n"
    "  call TOOL [NAME=VALUE ...]\n"
    "                     any call of the API by its name; tools [WORD] lists them\n"
    "  chains, tokens CHAIN\n"
    "                     what there is to trade\n"
    "  --NAME VALUE       any argument of the command's call, such as --slippage 0.01\n"
    "  --json             prints the answer as it is\n"
    "  --wait SECONDS     how long to follow what has begun: 300; of call: 0\n"
    "  --timeout SECONDS  how long to try for an answer: 60\n"
    "  --url URL          the gateway; otherwise $GATEWAY_URL, or the one that the key was got from\n"
    "  --key-file FILE    the key; otherwise in $GATEWAY_API_KEY_FILE, $GATEWAY_API_KEY or ~/.config/gw/key\n"
    "  --idempotency-key KEY\n"
    "                     goes on with a call whose answer was lost, which names it: what moves money is done once\n"
    "Exit status: 0 done, 1 refused or failed, 2 wrong usage, 3 the gateway cannot be reached, 4 begun and not over yet, or waiting for the operator's approval.\n";

static const struct command commands[] = {
    { "register", "register_agent", "name", 0 },
    { "wallets", "list_wallets", "", 0 },
    { "create-wallet", "create_wallet", "chain_type?", 0 },
    { "balance", "get_portfolio", "", 0 },
    { "portfolio", "get_portfolio", "", 0 },
    { "price", "get_prices", "symbols,", 0 },
    { "quote", "get_quote", "amount from_token to_token", 0 },
    { "swap", "get_quote", "amount from_token to_token", WAIT_S },
    { "status", "get_swap_status", "swapId", 0 },
    { "swaps", "list_swaps", "", 0 },
    { "addresses", "list_withdrawal_addresses", "", 0 },
    { "add-address", "add_withdrawal_address", "address label?", 0 },
    { "withdraw", "withdraw", "amount token to", WAIT_S },
    { "do", "execute_command", "command+", WAIT_S },
    { "chains", "get_chains", "", 0 },
    { "tokens", "get_tokens", "chain?", 0 },
};

static const char *const others[] = { "call", "tools" };

int wrong(const char *fmt, ...)
{
    va_list ap;

    fputs("gw: ", stderr);
    va_start(ap, fmt);
    (void)vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputs("\n    gw --help explains the commands\n", stderr);
    return USAGE;
}

static const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static const char *command_near(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (edit_distance(commands[i].name, name) <= EDIT_DISTANCE_MAX)
            return commands[i].name;
    return NULL;
}

static const struct member *member_of(const struct command_line *c, const char *name)
{
    const struct member *m = c->call == NULL ? NULL : call_member(c->call, name);

    return m != NULL || c->then == NULL ? m : call_member(c->then, name);
}

static int give(struct command_line *c, const char *name, const char *value)
{
    const struct member *m = member_of(c, name);
    const char *near = m == NULL && c->call != NULL ? call_member_near(c->call, name) : NULL;

    if (m == NULL)
        return near != NULL
                   ? wrong("%s has no argument %s; is it %s?", c->call->tool, name, near)
                   : wrong("%s has no argument %s", c->call == NULL ? "the command" : c->call->tool, name);
    for (size_t i = 0; i < c->count; i++)
        if (member_of(c, c->given[i].name) == m)
            return wrong("%s is given twice", m->name);
    if (c->count == GIVEN_MAX)
        return wrong("there are too many arguments");
    c->given[c->count++] = (struct given){ m->name, value };
    return DONE;
}

static bool seconds(int64_t *out, const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);

    *out = n;
    return *text >= '0' && *text <= '9' && *end == '\0' && n <= SECONDS_MAX;
}

static bool printable(const char *text)
{
    size_t n = strlen(text);

    for (const char *at = text; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~')
            return false;
    return n >= 1 && n <= 255;
}

/* An option of gw itself; false: it is none. `*rc` is what is wrong with it. */
static bool own_option(struct command_line *c, const char *name, const char *value, int *rc)
{
    struct options *o = &c->options;

    if (strcmp(name, "url") == 0)
        o->url = value;
    else if (strcmp(name, "key-file") == 0)
        o->key_file = value;
    else if (strcmp(name, "idempotency-key") == 0)
        o->idempotency_key = value;
    else if (strcmp(name, "wait") == 0)
        *rc = value == NULL || seconds(&o->wait_s, value) ? DONE : wrong("--wait takes seconds");
    else if (strcmp(name, "timeout") == 0)
        *rc = value == NULL || seconds(&o->timeout_s, value) ? DONE : wrong("--timeout takes seconds");
    else
        return false;
    if (value == NULL)
        *rc = wrong("--%s takes a value", name);
    else if (o->idempotency_key != NULL && !printable(o->idempotency_key))
        *rc = wrong("--idempotency-key takes 1 to 255 visible characters");
    return true;
}

/* An option with its value: of gw, or an argument of the call. Advances `*i` past a value of its own. */
static int option_read(struct command_line *c, int argc, char **argv, int *i)
{
    const char *text = argv[*i] + 2, *equals = strchr(text, '=');
    const char *name = equals == NULL ? text : arena_strndup(c->arena, text, (size_t)(equals - text));
    const char *value = equals != NULL ? equals + 1 : *i + 1 < argc ? argv[*i + 1] : NULL;
    const struct member *m;
    int rc = DONE;

    if (strcmp(text, "json") == 0) {
        c->options.json = true;
        return DONE;
    }
    if (own_option(c, name, value, &rc)) {
        *i += equals == NULL;
        return rc;
    }
    if (strcmp(name, "key") == 0 || strcmp(name, "api-key") == 0)
        return wrong(
            "a key is no argument, which other users can see: --key-file FILE or $GATEWAY_API_KEY_FILE");
    m = member_of(c, name);
    if (m != NULL && m->kind == MEMBER_FLAG && equals == NULL)
        return give(c, name, "true");
    if (m != NULL && value == NULL)
        return wrong("--%s takes a value", name);
    *i += equals == NULL;
    return give(c, name, value);
}

/* The first word that is no option: the command; with `call` the tool behind it. Returns the index of the
 * first argument behind it; 0: rc says why. */
static int command_read(struct command_line *c, int argc, char **argv, int *rc)
{
    int i = 1;

    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++)
        if ((*rc = option_read(c, argc, argv, &i)) != DONE)
            return 0;
    if (i >= argc) {
        fputs(usage, stderr);
        *rc = USAGE;
        return 0;
    }
    c->command = command_find(argv[i]);
    if (c->command != NULL) {
        c->call = call_find(c->command->tool);
        c->then = strcmp(c->command->name, "swap") == 0 ? call_find("execute_swap") : NULL;
        return i + 1;
    }
    if (strcmp(argv[i], "call") != 0) {
        const char *near = command_near(argv[i]);

        *rc = near != NULL ? wrong("there is no command %s; is it %s?", argv[i], near)
                           : wrong("there is no command %s", argv[i]);
        return 0;
    }
    if (i + 1 >= argc || (c->call = call_find(argv[i + 1])) == NULL) {
        const char *near = i + 1 < argc ? call_near(argv[i + 1]) : NULL;

        *rc = i + 1 >= argc  ? wrong("call takes the name of a tool: gw tools lists them")
              : near != NULL ? wrong("there is no tool %s; is it %s?", argv[i + 1], near)
                             : wrong("there is no tool %s: gw tools lists them", argv[i + 1]);
        return 0;
    }
    return i + 2;
}

/* The next name of the command's list, with what stands behind it in `*mark`; NULL: there is none. */
static const char *argument_next(struct arena *a, const char **list, char *mark)
{
    size_t n = strcspn(*list, " ");
    const char *name = *list;

    if (n == 0)
        return NULL;
    *list += n + ((*list)[n] == ' ');
    *mark = strchr("?,+", name[n - 1]) != NULL ? name[n - 1] : '\0';
    return arena_strndup(a, name, *mark != '\0' ? n - 1 : n);
}

/* What takes all arguments that follow, with a text between them; NULL: nothing does. */
struct joined {
    struct given *to;
    const char *by;
};

/* An argument that is no option: the next of the command, or NAME=VALUE. */
static int argument_read(struct command_line *c, const char *text, const char **list, struct joined *joined)
{
    const char *equals = strchr(text, '='), *name;
    char mark = '\0';

    if (c->command == NULL)
        return equals == NULL ? wrong("arguments of call are NAME=VALUE: %s", text)
                              : give(c, arena_strndup(c->arena, text, (size_t)(equals - text)), equals + 1);
    if (joined->by != NULL) {
        joined->to->value = arena_printf(c->arena, "%s%s%s", joined->to->value, joined->by, text);
        return DONE;
    }
    if ((name = argument_next(c->arena, list, &mark)) == NULL)
        return wrong("%s takes no more arguments: %s", c->command->name, text);
    *joined = (struct joined){ &c->given[c->count], mark == ',' ? "," : mark == '+' ? " " : NULL };
    return give(c, name, text);
}

static int arguments_read(struct command_line *c, int argc, char **argv, int i)
{
    const char *list = c->command == NULL ? "" : c->command->arguments, *name;
    struct joined joined = { .by = NULL };
    bool options = true;
    char mark;
    int rc;

    for (; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
            continue;
        }
        rc = options && strncmp(argv[i], "--", 2) == 0 ? option_read(c, argc, argv, &i)
                                                       : argument_read(c, argv[i], &list, &joined);
        if (rc != DONE)
            return rc;
    }
    while ((name = argument_next(c->arena, &list, &mark)) != NULL) {
        bool there = mark == '?';

        for (size_t g = 0; g < c->count; g++)
            there = there || strcmp(c->given[g].name, name) == 0;
        if (!there)
            return wrong("%s is missing", name);
    }
    return DONE;
}

int command_line_read(struct command_line *c, int argc, char **argv)
{
    int rc = DONE, i;

    c->options = (struct options){ .wait_s = -1, .timeout_s = -1 };
    i = command_read(c, argc, argv, &rc);
    return i > 0 ? arguments_read(c, argc, argv, i) : rc;
}

/* ---- completion ---- */

/* A name as the command line has it. */
static void word_print(const char *before, const char *name, const char *after)
{
    fputs(before, stdout);
    for (; *name != '\0'; name++)
        putchar(*before != '\0' && *name == '_' ? '-' : *name);
    puts(after);
}

int command_line_words(int argc, char **argv)
{
    static const char *const options[] = { "--json", "--wait",     "--timeout",
                                           "--url",  "--key-file", "--idempotency-key" };
    const struct command *command = argc > 0 ? command_find(argv[0]) : NULL;
    bool called = argc > 0 && strcmp(argv[0], "call") == 0;
    const struct call *c = command != NULL      ? call_find(command->tool)
                           : called && argc > 1 ? call_find(argv[1])
                                                : NULL;

    if (argc == 0) {
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
            puts(commands[i].name);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            puts(others[i]);
    }
    if (called && argc == 1)
        for (c = calls; c < calls + calls_count; c++)
            puts(c->tool);
    else
        for (const struct member *m = c == NULL ? NULL : c->members; m != NULL && m->name != NULL; m++)
            word_print(called ? "" : "--", m->name, called ? "=" : "");
    for (size_t i = 0; i < sizeof options / sizeof options[0] && !(called && argc == 1); i++)
        puts(options[i]);
    return DONE;
}
