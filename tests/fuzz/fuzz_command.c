/* A command in plain English, any text. What is understood is whole, and the same a second time. */
#include "command/parse.h"
#include "fuzz.h"
#include "model/amount.h"
#include "model/approval.h"
#include "model/quote.h"

static bool positive(const char *text)
{
    return text != NULL && amount_form_ok(text) && strspn(text, "0.") < strlen(text);
}

static void check_trade(const struct command *c)
{
    MUST(c->from != NULL && c->to != NULL && c->from != c->to);
    MUST(c->from_chain != NULL && token_find(c->from_chain, c->from->symbol) == c->from);
    MUST(c->to_chain != NULL && token_find(c->to_chain, c->to->symbol) == c->to);
    MUST(positive(c->amount));
    MUST(!c->amount_of_to || c->amount_kind == AMOUNT_EXACT);
    MUST(c->slippage <= PPM_ONE);
}

static void check_withdrawal(const struct command *c)
{
    MUST(c->recipient != NULL && c->chain != NULL && token_find(c->chain, c->token) != NULL);
    MUST(positive(c->amount));
}

/* The chain may be left to a market that is named. */
static void check_lending(const struct command *c)
{
    bool morpho = strcmp(c->protocol, "morpho") == 0;

    MUST(positive(c->amount) && c->token != NULL);
    MUST(morpho == (c->market_id != NULL) && morpho == (strcmp(c->protocol, "aave-v3") != 0));
    MUST(c->chain != NULL ? token_find(c->chain, c->token) != NULL : morpho);
    MUST(c->action == ACTION_LEND_BORROW ? c->amount_kind != AMOUNT_PERCENT : c->against == NULL);
}

static void check_collateral(const struct command *c)
{
    MUST(c->amount == NULL && c->market_id == NULL && !c->collateral);
    MUST(strcmp(c->protocol, "aave-v3") == 0 && token_find(c->chain, c->token) != NULL);
}

static void check_said(const struct command *c)
{
    if (c->action == ACTION_WITHDRAW)
        check_withdrawal(c);
    else if (c->action == ACTION_LEND_COLLATERAL)
        check_collateral(c);
    else if (action_has(c->action, ACTION_LENDS))
        check_lending(c);
    else
        check_trade(c);
}

/* Said in full it is the same trade. */
static void check_text(struct arena *a, const struct command *c)
{
    struct command again;

    MUST(command_parse(a, command_text(a, c), &again) == NULL);
    MUST(again.action == c->action && again.from == c->from && again.to == c->to &&
         again.amount_kind == c->amount_kind && again.amount_of_to == c->amount_of_to &&
         again.slippage == c->slippage && again.chain == c->chain);
    MUST(c->amount != NULL ? strcmp(again.amount, c->amount) == 0 : again.amount == NULL);
    MUST(c->recipient == NULL || strcmp(again.recipient, c->recipient) == 0);
    MUST(c->market_id == NULL || strcmp(again.market_id, c->market_id) == 0);
    MUST(c->against == NULL || strcmp(again.against, c->against) == 0);
    MUST(again.collateral == c->collateral && again.enabled == c->enabled);
}

/* A second line is a piece that the first one lacks. */
static void check_piece(struct arena *a, const char *text)
{
    const char *end = strchr(text, '\n'), *piece;
    struct command c;

    if (end == NULL)
        return;
    text = arena_strndup(a, text, (size_t)(end - text));
    piece = end + 1;
    if (command_complete(a, text, &piece, 1, &c) != NULL)
        return;
    check_said(&c);
    check_text(a, &c);
}

static bool leverage_ok(const char *leverage)
{
    return leverage == NULL || (positive(leverage) && strchr(leverage, '.') == NULL);
}

static void check_position(const struct command *c)
{
    bool order = c->action == ACTION_PERPS_ORDER;

    MUST(c->market != NULL && strlen(c->market) > strlen("-USD"));
    MUST(c->side != NULL && leverage_ok(c->leverage));
    MUST(c->size != NULL ? positive(c->size) && c->notional == NULL : positive(c->notional));
    MUST((c->notional != NULL && c->leverage != NULL) == (c->margin != NULL));
    MUST(c->margin == NULL || positive(c->margin));
    MUST(order == (c->order_type != NULL));
    MUST((order && strcmp(c->order_type, "limit") == 0) == (c->price != NULL));
    MUST(c->price == NULL || positive(c->price));
    MUST(c->take_profit == NULL || positive(c->take_profit));
    MUST(c->stop_loss == NULL || positive(c->stop_loss));
    MUST(!c->post_only || c->price != NULL);
}

static void check_close(const struct command *c)
{
    MUST(c->market != NULL && (c->size == NULL || c->amount == NULL));
    MUST(c->size == NULL || positive(c->size));
    MUST(c->amount == NULL || (positive(c->amount) && c->amount_kind != AMOUNT_EXACT));
}

static void check_dollars(const struct command *c)
{
    MUST(positive(c->amount) && c->amount_kind != AMOUNT_USD && !c->lacks_a_piece);
    MUST(c->action == ACTION_PERPS_WITHDRAW || c->amount_kind == AMOUNT_EXACT || c->chain != NULL);
}

static void check_perps(const struct command *c)
{
    switch (c->action) {
    case ACTION_PERPS_ORDER:
    case ACTION_PERPS_QUOTE:
        check_position(c);
        break;
    case ACTION_PERPS_CLOSE:
        check_close(c);
        break;
    case ACTION_PERPS_DEPOSIT:
    case ACTION_PERPS_WITHDRAW:
        check_dollars(c);
        break;
    case ACTION_PERPS_CANCEL:
    case ACTION_PERPS_ORDER_SHOWN:
        MUST(strlen(c->order_id) == 34 && strncmp(c->order_id, "0x", 2) == 0);
        break;
    case ACTION_PERPS_LEVERAGE:
        MUST(c->leverage != NULL && leverage_ok(c->leverage) && c->market != NULL);
        break;
    default:
        MUST(c->amount == NULL && c->size == NULL && c->from == NULL);
    }
}

/* Shares at a price, or dollars, of which only a purchase can be. */
static void check_bet(const struct command *c)
{
    MUST((c->token_id != NULL) != (c->market_id != NULL && c->outcome != NULL));
    MUST(c->side != NULL && (c->price == NULL || positive(c->price)));
    MUST(c->size != NULL
             ? positive(c->size) && c->amount == NULL
             : positive(c->amount) && c->amount_kind == AMOUNT_USD && strcmp(c->side, "BUY") == 0);
    MUST(c->price != NULL || c->size == NULL || c->action == ACTION_PREDICT_QUOTE);
}

static void check(const struct command *c)
{
    struct uuid id;

    switch (c->action) {
    case ACTION_SWAP:
        if (c->quote_id != NULL) {
            MUST(c->from == NULL && quote_id_parse(&id, c->quote_id));
            break;
        }
        check_said(c);
        break;
    case ACTION_QUOTE:
    case ACTION_WITHDRAW:
    case ACTION_LEND_SUPPLY:
    case ACTION_LEND_WITHDRAW:
    case ACTION_LEND_BORROW:
    case ACTION_LEND_REPAY:
    case ACTION_LEND_COLLATERAL:
        check_said(c);
        break;
    case ACTION_PRICE:
        MUST(c->token != NULL);
        break;
    case ACTION_PRICES:
        MUST(c->symbols_count > 1 && c->symbols_count <= PRICED_MAX);
        break;
    case ACTION_STATUS:
        MUST((c->swap_id > 0) != c->newest);
        break;
    case ACTION_WITHDRAWAL:
        MUST((c->withdrawal_id > 0) != c->newest);
        break;
    case ACTION_LEND_OPERATION:
        MUST((c->operation_id > 0) != c->newest);
        break;
    case ACTION_LEND_MARKETS:
    case ACTION_LEND_HEALTH:
    case ACTION_LEND_POSITIONS:
        MUST(c->protocol == NULL || c->protocol[0] != '\0');
        break;
    case ACTION_ADD_ADDRESS:
        MUST(c->address != NULL);
        break;
    case ACTION_REMOVE_ADDRESS:
        MUST((c->address_id > 0) != (c->recipient != NULL));
        break;
    case ACTION_ORDER:
    case ACTION_PREDICT_QUOTE:
        check_bet(c);
        break;
    case ACTION_ADD_POLICY:
        MUST(c->policy != NULL && c->policy_member != NULL && positive(c->policy_value));
        MUST(c->window_s == 0 || strcmp(c->policy_member, "maxAmountUsd") == 0);
        break;
    case ACTION_APPROVAL:
    case ACTION_RESUME:
        MUST(approval_id_parse(&id, c->approval_id));
        break;
    case ACTION_PREDICT_DEPOSIT:
    case ACTION_PREDICT_WITHDRAW:
        MUST(positive(c->amount) && c->amount_kind != AMOUNT_USD && !c->lacks_a_piece && c->chain != NULL);
        MUST((c->token != NULL) == (c->action == ACTION_PREDICT_DEPOSIT));
        break;
    case ACTION_MARKET_PRICE:
    case ACTION_PREDICT_BOOK:
    case ACTION_PREDICT_REDEEM:
        MUST(c->market_id != NULL);
        break;
    case ACTION_CANCEL:
        MUST(strlen(c->order_id) == 66 && strncmp(c->order_id, "0x", 2) == 0);
        break;
    case ACTION_PERPS_ORDER:
    case ACTION_PERPS_QUOTE:
    case ACTION_PERPS_CLOSE:
    case ACTION_PERPS_LEVERAGE:
    case ACTION_PERPS_CANCEL:
    case ACTION_PERPS_DEPOSIT:
    case ACTION_PERPS_WITHDRAW:
    case ACTION_PERPS_FUNDING:
    case ACTION_PERPS_MARKET:
    case ACTION_PERPS_MARKETS:
    case ACTION_PERPS_POSITIONS:
    case ACTION_PERPS_ACCOUNT:
    case ACTION_PERPS_ORDERS:
    case ACTION_PERPS_ORDER_SHOWN:
    case ACTION_PERPS_FILLS:
    case ACTION_PERPS_PAYMENTS:
    case ACTION_PERPS_TRANSFERS:
        check_perps(c);
        break;
    case ACTION_BALANCE:
    case ACTION_HISTORY:
    case ACTION_WALLET:
    case ACTION_WALLETS:
    case ACTION_CHAINS:
    case ACTION_TOKENS:
    case ACTION_MARKETS:
    case ACTION_ORDERS:
    case ACTION_POSITIONS:
    case ACTION_PREDICT_ACCOUNT:
    case ACTION_PREDICT_TRANSFERS:
    case ACTION_POLICIES:
    case ACTION_APPROVALS:
    case ACTION_WITHDRAWALS:
    case ACTION_ADDRESSES:
    case ACTION_LEND_OPERATIONS:
    case ACTION_HELP:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    char *text = arena_strndup(a, (const char *)data, size);
    struct command c, again;
    const struct err *e = command_parse(a, text, &c);

    if (e == NULL)
        check(&c);
    if (e == NULL && (c.from != NULL || c.action == ACTION_WITHDRAW || action_has(c.action, ACTION_LENDS)))
        check_text(a, &c);
    check_piece(a, text);
    if (e == NULL)
        MUST(!c.lacks_a_piece);
    else
        MUST(e->status == 400 && e->text != NULL);
    MUST((command_parse(a, text, &again) == NULL) == (e == NULL));
    MUST(e != NULL || (again.action == c.action && again.from == c.from && again.to == c.to));
    arena_free(a);
    return 0;
}
