#include "route/token_list.h"

#include <string.h>

#include "base/safe_text.h"
#include "chain/address.h"
#include "model/amount.h"
#include "model/execution.h"
#include "route/provider_json.h"

enum { SYMBOL_MAX = sizeof((struct token_ref *)0)->symbol - 1, LISTED_NAME_MAX = 80 };

static bool symbol_is_plain(const char *symbol)
{
    size_t n = 0;

    while (symbol[n] > ' ' && symbol[n] <= '~')
        n++;
    return n > 0 && n <= SYMBOL_MAX && symbol[n] == '\0';
}

/* Names are shown to people and models: no markup, nothing that cannot be seen. */
static bool name_is_plain(const char *name)
{
    return *name != '\0' && strlen(name) <= LISTED_NAME_MAX && strpbrk(name, "<>") == NULL &&
           safe_text_ok(name);
}

static bool is_of_form(const json_t *row, const struct token_form *form, const struct chain *c)
{
    return (form->chain == NULL || provider_json_says_chain(row, form->chain, c)) &&
           (form->verified == NULL || json_is_true(json_object_get(row, form->verified)));
}

static bool read_row(struct listed_token *out, const json_t *row, const struct token_form *form,
                     const struct chain *c, struct arena *a)
{
    const char *address = json_string_value(json_object_get(row, form->address));
    const char *symbol = json_string_value(json_object_get(row, "symbol"));
    const char *name = json_string_value(json_object_get(row, "name"));
    char canonical[WALLET_ADDR_MAX];
    uint64_t decimals;

    if (!is_of_form(row, form, c) || address == NULL || symbol == NULL || name == NULL ||
        !address_canonical(canonical, c->type, address) || strcmp(canonical, PROVIDER_JSON_COIN) == 0 ||
        !symbol_is_plain(symbol) || !name_is_plain(name) || !provider_json_u64(&decimals, row, "decimals") ||
        decimals > AMOUNT_MAX_DECIMALS)
        return false;
    *out = (struct listed_token){ .address = arena_strdup(a, canonical),
                                  .symbol = arena_strdup(a, symbol),
                                  .name = arena_strdup(a, name),
                                  .decimals = (uint8_t)decimals };
    return true;
}

bool token_list_read(struct token_list *out, const json_t *rows, const struct token_form *form,
                     const struct chain *c, struct arena *a)
{
    const json_t *row;
    size_t i;

    *out = (struct token_list){ .ranked = form->ranked };
    if (!json_is_array(rows) || json_array_size(rows) > TOKEN_LIST_MAX)
        return false;
    out->tokens = ARENA_ARRAY(a, struct listed_token, json_array_size(rows) + 1);
    json_array_foreach(rows, i, row) out->count += read_row(&out->tokens[out->count], row, form, c, a);
    return true;
}
